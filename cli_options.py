"""The options of the command line: what each is called, what it takes, what its help says.

Those of one command carry its name; the others are shared.
"""

from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from bartizan.simcore.game import MOST_GAMES

NO_NUMBER = {
    "Input should be a valid integer, unable to parse string as an integer": "write a whole number, as 10000",
    "Input should be a valid number, unable to parse string as a number": "write a number, such as 0.5",
    "Input should be greater than or equal to": "write a number of at least",
    "Input should be less than or equal to": "write a number of at most",
}


def plainly(text: str) -> str:
    """What is wrong with an option, in words that say what to write."""
    for said, meant in NO_NUMBER.items():
        text = text.replace(said, meant)
    return text


def out(metavar: str, help: str) -> Any:
    """Where a command writes what it finds."""
    return Option("-o", "--out", metavar=metavar, help=help)


Version = Annotated[bool, Option("--version", help="say which bartizan this is, and end")]
GameName = Annotated[
    str,
    Argument(metavar="GAME", help="a game by name (see: bartizan games), or the path of a game's .py file"),
]
Scenario = Annotated[
    str | None,
    Option("--scenario", metavar="NAME|FILE", help="a scenario of the game, or a .toml file of your own"),
]
Levels = Annotated[list[str] | None, Option("--difficulty", help="level; repeat for several")]
Level = Annotated[str | None, Option("--difficulty", help="level, as `describe` lists them")]
Policies = Annotated[
    list[str] | None,
    Option(
        "--policy",
        metavar="P|role=P|P+Q|FILE.py",
        help="who plays, unless named the best found; with weights: P:weight=1.5; P+Q: P in the first seat, "
        "or for the first player of a side, Q in the second; repeat for several",
    ),
]
Sets = Annotated[
    list[str] | None,
    Option(
        "--set",
        metavar="PATH=VALUE",
        help="change a number or a ruling (see: bartizan describe GAME --knobs)",
    ),
]
Games = Annotated[int, Option("--games", min=1, max=MOST_GAMES, help="games a cell")]
Seed = Annotated[int, Option("--seed", min=0, max=2**63 - 1, help="the same seed plays the same games")]
Jobs = Annotated[
    int | None,
    Option(
        "--jobs", min=1, max=1024, help="threads; all cores unless given. The results do not depend on it"
    ),
]
AsJson = Annotated[bool, Option("--json", help="one JSON document on stdout")]
Players = Annotated[
    int | None, Option("--players", min=1, help="number of players, for games that can vary it")
]
Precision = Annotated[
    str | None,
    Option(
        "--precision",
        metavar="0.5pp",
        help="play until the win rate is known to this half-width; --games is then the limit",
    ),
]
OutFile = Annotated[Path | None, out("FILE.json", "write the document")]
KeptOut = Annotated[
    Path | None, out("FILE.json|DIR", "write the document, or keep it in a sweep's folder, for its report")
]
Distance = Annotated[int, Option("--distance", min=0, max=10_000, help="steps to reach")]
Cap = Annotated[
    int | None,
    Option(
        "--cap",
        min=1,
        max=1000,
        help="at most so many rolls a throw; without it both readings are shown: no limit, and three",
    ),
]
Attempts = Annotated[int, Option("--games", min=1, max=100_000_000, help="simulated attempts, for each line")]
From = Annotated[
    str | None, Option("--from", metavar="CIRCLE|ROOM|appel", help="read the distance off the board")
]

# Policies
PoliciesGame = Annotated[str | None, Argument(metavar="[GAME]")]

# Describe
Knobs = Annotated[bool, Option("--knobs", help="every value that --set reaches")]
Rulings = Annotated[bool, Option("--rulings", help="every unclear rule with its readings")]
Board = Annotated[
    Path | None,
    Option("--board", metavar="FILE.svg", help="draw the game's board into this file (.svg, .pdf or .png)"),
]

# Run
RunGames = Annotated[
    int | None,
    Option("--games", min=1, max=MOST_GAMES, help="10,000 unless given; with --precision at most so many"),
]
RunOut = Annotated[
    Path | None,
    out("DIR", "keep the games in this folder; with --luck-adjusted also the answer, for the report"),
]
RunLuckAdjusted = Annotated[
    bool, Option("--luck-adjusted", help="also the win rate without the luck: the same games, worth more")
]
RunSamples = Annotated[
    int,
    Option("--samples", min=1, max=1000, help="with --luck-adjusted: outcomes drawn of each chance event"),
]

# Sweep
SweepGame = Annotated[
    str, Argument(metavar="GAME|PLAN.toml", help="a game, or a plan file that says everything")
]
SweepOut = Annotated[Path | None, out("DIR", "folder of the results; run again to resume")]
SweepGames = Annotated[
    int | None,
    Option(
        "--games",
        min=1,
        max=MOST_GAMES,
        help="games a cell; 10,000 unless given, or as the plan says; with --precision at most so many",
    ),
]
SweepSeed = Annotated[
    int | None,
    Option(
        "--seed",
        min=0,
        max=2**63 - 1,
        help="the same seed plays the same games; 1 unless given, or as the plan says",
    ),
]
SweepSet = Annotated[
    list[str] | None,
    Option("--set", metavar="PATH=A,B,C", help="values of a number or ruling, each makes a cell"),
]
SweepRotate = Annotated[
    bool, Option("--rotate", help="play each line-up (P+Q) in every rotation of the seats")
]
SweepDryRun = Annotated[
    bool, Option("--dry-run", help="say what would be played, and how long it would take")
]

# Report
ReportFolder = Annotated[
    Path, Argument(metavar="DIR", help="folder of a sweep, or of a comparison (compare -o)")
]
ReportOut = Annotated[Path, out("FILE", "report.html, .pdf, .md or .json")]
ReportClaims = Annotated[
    Path | None,
    Option(
        "--claims",
        metavar="PLAN.toml",
        help="judge the [[claim]] tables of this file instead of those the sweep was played with",
    ),
]
ReportPlays = Annotated[
    Path | None,
    Option("--plays", metavar="PLAYS", help="a folder of plays by people, to be laid beside the policies"),
]
ReportPaper = Annotated[
    str | None, Option("--paper", metavar="a4|letter", help="size of the pages of a .pdf; a4 unless given")
]

ReportSince = Annotated[
    Path | None,
    Option("--since", metavar="EARLIER", help="the folder of an earlier sweep: say first what has changed"),
]

# Export
ExportFolder = Annotated[
    Path, Argument(metavar="DIR", help="folder of run, sweep or compare: what their -o named")
]
ExportOut = Annotated[Path, out("FILE", "games.parquet or games.csv")]

# Trace
TraceNumber = Annotated[int, Option("--game", min=0, help="which game of the seed")]
TraceHtml = Annotated[
    Path | None, Option("--html", metavar="FILE.html", help="write a page to step through the game")
]

# Compare
CompareChange = Annotated[
    list[str] | None,
    Option(
        "--change",
        metavar="PATH=VALUE",
        help="as --set; also difficulty=LEVEL, scenario=NAME|FILE, policy=P; repeat: all together are "
        "one change",
    ),
]
CompareSteps = Annotated[
    bool,
    Option(
        "--steps",
        help="each change that the scenario lists as a step (another edition), by itself, then all together",
    ),
]
CompareTest = Annotated[
    str | None,
    Option(
        "--test",
        metavar='"B - A > 2pp"',
        help="play pairs until this is answered (B: the change); --games is then the limit",
    ),
]
CompareMargin = Annotated[
    str | None,
    Option(
        "--margin",
        metavar="1pp",
        help="with --test: differences so near to what is asked may be answered either way",
    ),
]
CompareAlpha = Annotated[
    float | None,
    Option("--alpha", min=0.0001, max=0.4, help="with --test: chance of a wrong yes; 0.05 unless given"),
]
CompareBeta = Annotated[
    float | None,
    Option("--beta", min=0.0001, max=0.4, help="with --test: chance of a wrong no; 0.05 unless given"),
]
CompareLuckAdjusted = Annotated[
    bool,
    Option(
        "--luck-adjusted", help="also the difference without the luck of either side: narrower, for more time"
    ),
]
CompareOut = Annotated[
    Path | None,
    out(
        "DIR",
        "keep the games in DIR/a (the baseline) and DIR/b (the change); with --steps the answer, in a "
        "sweep's folder",
    ),
]

# Sensitivity
SensitivityAssumed = Annotated[
    bool,
    Option("--assumed", help="only guesses: values that are assumed, rulings that are assumed or inferred"),
]
SensitivityPath = Annotated[
    list[str] | None,
    Option(
        "--path",
        metavar="PREFIX",
        help="only values below this path, such as turn or card.ogre; repeat for several",
    ),
]
SensitivityRange = Annotated[
    str, Option("--range", metavar="25%", help="how far numbers are varied, up and down")
]
SensitivityDecks = Annotated[
    int, Option("--decks", min=0, max=10_000, help="random draws of all values at once")
]
SensitivityEffects = Annotated[
    int,
    Option(
        "--effects",
        metavar="K",
        min=0,
        max=20,
        help="the K most influential: what each does over the others, and together; try 6",
    ),
]
SensitivitySettings = Annotated[
    int, Option("--settings", min=20, max=100_000, help="random settings of these, with --effects")
]
SensitivityLevels = Annotated[
    bool,
    Option(
        "--levels/--one-level",
        help="play every level too, where there are several: are harder ones harder whatever the values?",
    ),
]
SensitivityGames = Annotated[int, Option("--games", min=2, max=MOST_GAMES, help="games a variation")]
SensitivityTop = Annotated[int, Option("--top", min=1, help="influences that are listed")]
SensitivityOut = Annotated[
    Path | None, out("FILE.json|DIR", "write the document, or add it to this sweep's folder, for its report")
]

# Tune
TuneKnob = Annotated[
    list[str] | None,
    Option(
        "--knob",
        metavar="PATH=LO:HI[:STEP]|PATH=A,B|PATH",
        help="the value to tune, and what it may be; repeat for several",
    ),
]
TunePath = Annotated[
    list[str] | None,
    Option(
        "--path", metavar="PREFIX", help="without --knob: only values below this path; repeat for several"
    ),
]
TuneRange = Annotated[
    str | None,
    Option(
        "--range",
        metavar="25%",
        help="without --knob: how far numbers are varied, up and down; 25% unless given",
    ),
]
TuneTarget = Annotated[
    str | None,
    Option(
        "--target",
        metavar="WHAT=VALUE",
        help="win_rate=0.30, win_rate=0.25..0.35 (a range), turns=18, score=10, draws=0.1 or tier:NAME=0.2",
    ),
]
TuneGames = Annotated[
    int | None,
    Option(
        "--games",
        min=100,
        max=MOST_GAMES,
        help="one parameter: most games of a value, 20,000 unless given; several: games of a combination, "
        "4,000; none: of a value, 1,000",
    ),
]
TuneCost = Annotated[
    list[str] | None,
    Option(
        "--cost",
        metavar="PATH=NUMBER",
        help="several parameters, or none: what it costs to change values below this path",
    ),
]
TuneLength = Annotated[
    float | None, Option("--length", min=0, help="several parameters: wished turns; as now unless given")
]
TuneTrials = Annotated[
    int, Option("--trials", min=2, max=10_000, help="several parameters: combinations that are played")
]
TuneFresh = Annotated[int, Option("--fresh", min=100, help="games that check the winner, on other seeds")]

# Train
TrainOut = Annotated[
    Path, out("FILE.toml", "write the weights; a search that was interrupted goes on from there")
]
TrainLevels = Annotated[
    list[str] | None,
    Option("--difficulty", help="a level that counts; repeat for several, which count the same"),
]
TrainRole = Annotated[
    str | None, Option("--role", help="whose policy is trained; the first role's unless given")
]
TrainWeights = Annotated[
    list[str] | None,
    Option("--weight", metavar="NAME", help="a weight that may change; all of them unless given; repeat"),
]
TrainGenerations = Annotated[int, Option("--generations", min=1, max=10_000, help="steps of the search")]
TrainGames = Annotated[
    int, Option("--games", min=10, max=1_000_000, help="games of a candidate, at each level")
]
TrainFresh = Annotated[
    int,
    Option("--fresh", min=100, max=10_000_000, help="games of the comparison with the weights at the start"),
]

# Ladder
LadderPolicy = Annotated[
    list[str] | None,
    Option(
        "--policy",
        metavar="P|role=P|FILE.py",
        help="who is to stand on the ladder; all of the game's policies unless given; repeat for several",
    ),
]
LadderNoise = Annotated[
    str,
    Option(
        "--noise",
        metavar="0.1,0.2|none",
        help="copies of the game's own policy that play at random with these chances",
    ),
]

# Bracket
BracketRole = Annotated[str | None, Option("--role", help="only this role; each of them unless given")]
BracketRungs = Annotated[
    list[str] | None,
    Option(
        "--rung",
        metavar="NAME",
        help="only this rung: random, newcomer, heuristic, trained, lookahead, peeking; repeat for several",
    ),
]
BracketPlays = Annotated[
    str, Option("--plays", metavar="8,16,32", help="plays a decision of the rungs that look ahead")
]
BracketSlowGames = Annotated[
    int, Option("--slow-games", min=1, max=1_000_000, help="games of a rung that looks ahead")
]
BracketSettings = Annotated[
    str, Option("--settings", metavar="NAME=V,...", help="settings of all rungs that look ahead")
]
BracketOut = Annotated[
    Path | None, out("FILE.json", "keep the bracket; what is in it already is not played again")
]
Archive = Annotated[
    Path | None, Option("--archive", metavar="FILE.toml", help="an archive of best players of your own")
]

# Best
BestAdmit = Annotated[
    str | None,
    Option("--admit", metavar="POLICY", help="write it down as the best if a sequential test says so"),
]
BestRole = Annotated[str | None, Option("--role", help="which role; with --admit the first unless given")]
BestMargin = Annotated[
    str,
    Option("--margin", metavar="0.5pp", help="with --admit: a gain of twice this is found; less may not be"),
]
BestGames = Annotated[
    int, Option("--games", min=16, max=MOST_GAMES, help="with --admit: most pairs of games")
]

# OddsDoOrDie
OddsDoOrDieDistance = Annotated[
    int | None,
    Option("--distance", min=0, max=10_000, help="steps with what is held; else the least there is"),
]
OddsDoOrDieRopes = Annotated[int | None, Option("--ropes", min=0, help="with --from: Rope cards held")]
OddsDoOrDieCutters = Annotated[int | None, Option("--cutters", min=0, help="with --from: Wire Cutters held")]
OddsDoOrDieCard = Annotated[
    list[int] | None, Option("--card", help="only the card with so many throws; repeat for several")
]

# OddsStaffCar
OddsStaffCarDistance = Annotated[
    int | None,
    Option("--distance", min=0, max=10_000, help="steps to the target; as in the rules unless given"),
]

# OddsShootToKill
OddsShootToKillTalisman = Annotated[
    bool, Option("--talisman", help="a Talisman is played: the first roll counts once")
]

# OddsCastle
OddsCastleAttack = Annotated[
    str | None,
    Option(
        "--attack",
        metavar="CARD|archers:CARD|ram|assassin",
        help="what attacks; without --attack and --defend a table of fights",
    ),
]
OddsCastleDefend = Annotated[
    str | None, Option("--defend", metavar="CARD|joker", help="what defends: A, 2 .. 10, J, Q, K")
]
OddsCastleQueen = Annotated[str, Option("--queen", metavar="alive|dead", help="the defender's Queen")]
OddsCastleRevealed = Annotated[bool, Option("--revealed", help="the target already lies face up")]
OddsCastleSameSuit = Annotated[bool, Option("--same-suit", help="lead and target share the suit")]
OddsCastleAdd = Annotated[int, Option("--add", min=0, max=100, help="the attacker's reinforcements")]
OddsCastleDefenceAdd = Annotated[
    int, Option("--defence-add", min=0, max=100, help="the defender's reinforcements")
]

# OddsStakeOrWait
OddsStakeOrWaitDistance = Annotated[
    int | None, Option("--distance", min=0, max=400, help="steps of the best POW to the target")
]
OddsStakeOrWaitWithin = Annotated[
    int | None, Option("--within", min=0, max=400, help="so many steps more or fewer count as that distance")
]
OddsStakeOrWaitRopes = Annotated[
    int | None, Option("--ropes", min=0, help="only with so many Rope cards held")
]
OddsStakeOrWaitCutters = Annotated[
    int | None, Option("--cutters", min=0, help="only with so many Wire Cutters held")
]
OddsStakeOrWaitRoundsLeft = Annotated[
    int | None, Option("--rounds-left", min=0, max=400, help="rounds after this one")
]
OddsStakeOrWaitGames = Annotated[
    int, Option("--games", min=1, max=100_000, help="games played; each is played on from several moments")
]
OddsStakeOrWaitChart = Annotated[
    Path | None,
    Option("--chart", metavar="FILE.svg", help="draw the verdicts into this file (.svg, .pdf or .png)"),
]
OddsStakeOrWaitFutures = Annotated[
    int, Option("--futures", min=1, max=1000, help="how often each way from a moment")
]

# Rare
RareEvent = Annotated[
    str | None, Option("--event", metavar="NAME", help="which event; without it they are listed")
]
RareTrajectories = Annotated[
    int, Option("--trajectories", min=10, max=100_000, help="games, or parts of games, played in each stage")
]
RareReplicates = Annotated[
    int,
    Option(
        "--replicates", min=5, max=10_000, help="independent runs through all stages; they make the interval"
    ),
]
RareEveryLevel = Annotated[
    bool, Option("--every-level", help="a stage for each value of progress; without it a pilot chooses")
]
RareGames = Annotated[
    int | None,
    Option(
        "--games",
        min=1,
        max=MOST_GAMES,
        help="games of plain counting beside it; as many decisions as the splitting makes unless given",
    ),
]

# Losses
LossesSeat = Annotated[str | None, Option("--seat", help="whose losses; the first seat unless given")]
LossesPilot = Annotated[
    int, Option("--pilot", min=1, max=100_000, help="of these games, how many are played on from every turn")
]
LossesRollouts = Annotated[int, Option("--rollouts", min=60, max=100_000, help="how often from each turn")]
LossesPages = Annotated[
    Path | None,
    Option("--pages", metavar="DIR", help="write a page to step through for each game that is named"),
]

# Cards
CardsValue = Annotated[bool, Option("--value", help="play on with each card in hand: what is it worth?")]
CardsUsage = Annotated[
    bool, Option("--usage", help="what becomes of the cards in hand: which are hardly ever used?")
]
CardsSeat = Annotated[
    str | None, Option("--seat", help="with --value: whose card; the first seat unless given")
]
CardsTurn = Annotated[
    int, Option("--turn", min=1, help="with --value: which of the cards this seat gets, from 1")
]
CardsAgainst = Annotated[
    str | None,
    Option(
        "--against", metavar="CARD", help="with --value: compare with this card instead of the card as dealt"
    ),
]
CardsOut = Annotated[
    Path | None, out("DIR", "with --value, --usage: add it to this sweep's folder, for its report")
]

# Coverage
CoverageGames = Annotated[
    int, Option("--games", min=1, max=MOST_GAMES, help="games played, and at most with each value changed")
]
CoveragePath = Annotated[
    list[str] | None,
    Option("--path", metavar="PATH", help="change only values below this path; repeat for several"),
]
CoverageChanges = Annotated[
    bool, Option("--changes/--no-changes", help="also play with every ruling and number changed")
]
CoverageTop = Annotated[int, Option("--top", min=1, help="rows of a table, the rarest first")]

# Check
CheckPolicy = Annotated[
    list[str] | None,
    Option(
        "--policy",
        metavar="P|FILE.py",
        help="the policies to be asked, such as one of your own; all of the game's unless given",
    ),
]
CheckTarget = Annotated[
    str, Argument(metavar="GAME|FILE", help="a game, a game's .py file, or a scenario .toml file")
]

# New
NewKind = Annotated[str, Argument(metavar="game|policy", help="what is to be written")]
NewName = Annotated[str, Argument(metavar="NAME", help="its name: small letters, digits and _")]
NewGame = Annotated[
    str | None, Option("--game", metavar="GAME|FILE.py", help="the game that a new policy plays")
]

# Verify
VerifyFolder = Annotated[Path, Argument(metavar="DIR", help="folder of a sweep")]
Trust = Annotated[
    list[str] | None,
    Option("--trust", metavar="FILE", help="a .py file that may be run though only DIR names it; repeatable"),
]

# Bench
BenchGame = Annotated[list[str] | None, Argument(metavar="[GAME]...")]
BenchQuick = Annotated[bool, Option("--quick", help="leave out cold and warm starts")]
