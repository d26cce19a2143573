"""The command line: options in, `bartizan.api` asked, the answer said.

With `cli_terminal.py` and `cli_saying.py` the only file that prints; it alone reads arguments. Results go to
stdout, progress and errors to stderr.
Heavy packages are imported by the rooms that need them, so that `bartizan --help` is quick.
"""

import os
import sys
from functools import cache
from pathlib import Path

import typer
from typer.exceptions import TyperException

from bartizan import api
from bartizan import cli_options as opt
from bartizan.cli_cluster import Cluster, Shards, merge, warm
from bartizan.cli_encoding import say_what_can_be_said
from bartizan.cli_equilibrium import equilibrium
from bartizan.cli_examples import EXAMPLES
from bartizan.cli_odds import odds
from bartizan.cli_playtest import people
from bartizan.cli_playtest_deal import deal
from bartizan.cli_playtest_people import playtest_plan, playtest_skill
from bartizan.cli_saying import as_typed, given, playtest, print_lines, say
from bartizan.cli_terminal import INTERRUPTED, RESUME, Terminal, end_what_is_left, ending_when_told, note
from bartizan.cli_workbench import workbench
from bartizan.simcore.compile import mistakes
from bartizan.simcore.errors import BartizanError, EngineError, unforeseen

app = typer.Typer(
    name="bartizan",
    help="Monte Carlo balance and difficulty analysis for board games.",
    no_args_is_help=True,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def bartizan(version: opt.Version = False) -> None:
    """Monte Carlo balance and difficulty analysis for board games."""
    if version:
        print(f"bartizan {api.version()}")
        raise typer.Exit


# ---------------------------------------------------------------- what there is


@app.command()
def games(as_json: opt.AsJson = False) -> None:
    """The games that can be played."""
    say(api.games(), as_json)


@app.command()
def policies(game: opt.PoliciesGame = None, as_json: opt.AsJson = False) -> None:
    """Who can play: policies, their weights, and how they can be restricted."""
    say(api.policies(game), as_json)


@app.command()
def describe(
    game: opt.GameName,
    scenario: opt.Scenario = None,
    difficulty: opt.Level = None,
    set_: opt.Sets = None,
    knobs: opt.Knobs = False,
    rulings: opt.Rulings = False,
    board: opt.Board = None,
    as_json: opt.AsJson = False,
) -> None:
    """A game's scenario: levels, rulings, numbers and how sure they are."""
    say(playtest(game).describe(**given(locals())), as_json)


# ---------------------------------------------------------------- playing


@app.command()
def run(
    game: opt.GameName,
    scenario: opt.Scenario = None,
    difficulty: opt.Level = None,
    policy: opt.Policies = None,
    games: opt.RunGames = None,
    seed: opt.Seed = 1,
    set_: opt.Sets = None,
    jobs: opt.Jobs = None,
    players: opt.Players = None,
    precision: opt.Precision = None,
    out: opt.RunOut = None,
    luck_adjusted: opt.RunLuckAdjusted = False,
    samples: opt.RunSamples = 32,
    as_json: opt.AsJson = False,
) -> None:
    """Play one cell and say what came out."""
    say(playtest(game).run(**given(locals()), command=as_typed()), as_json)


@app.command()
def sweep(
    game: opt.SweepGame,
    out: opt.SweepOut = None,
    scenario: opt.Scenario = None,
    difficulty: opt.Levels = None,
    policy: opt.Policies = None,
    games: opt.SweepGames = None,
    seed: opt.SweepSeed = None,
    set_: opt.SweepSet = None,
    jobs: opt.Jobs = None,
    players: opt.Players = None,
    precision: opt.Precision = None,
    rotate: opt.SweepRotate = False,
    dry_run: opt.SweepDryRun = False,
    shards: Shards = None,
    cluster: Cluster = None,
    as_json: opt.AsJson = False,
) -> int:
    """Play every combination of levels, policies and settings into a folder, and judge what the plan claims: exit code 0 all hold, 1 one fails, 3 one is open."""  # noqa: E501
    return say(playtest(game).sweep(**given(locals()), command=as_typed()), as_json)


app.command()(merge)


@app.command()
def report(
    folder: opt.ReportFolder,
    out: opt.ReportOut = Path("report.html"),
    claims: opt.ReportClaims = None,
    since: opt.ReportSince = None,
    plays: opt.ReportPlays = None,
    paper: opt.ReportPaper = None,
    trust: opt.Trust = None,
) -> int:
    """Win rates, scores, tiers, losses and claims of a sweep as a page or a PDF to read or send; exit code 1 when a claim fails, 3 when one is open."""  # noqa: E501
    results = api.open(folder, watch=Terminal())
    return say(results.report(out, claims=claims, since=since, plays=plays, paper=paper, trust=trust))


@app.command()
def export(folder: opt.ExportFolder, out: opt.ExportOut, as_json: opt.AsJson = False) -> None:
    """All games of a result folder as one table, a row a game, for pandas, DuckDB, R or a spreadsheet."""
    say(api.open(folder).export(out), as_json)


@app.command()
def bands(as_json: opt.AsJson = False) -> None:
    """Win rates to aim at that designers have named, for `preset` in a claim."""
    say(api.bands(), as_json)


@app.command()
def trace(
    game: opt.GameName,
    seed: opt.Seed = 1,
    number: opt.TraceNumber = 0,
    scenario: opt.Scenario = None,
    difficulty: opt.Level = None,
    policy: opt.Policies = None,
    set_: opt.Sets = None,
    players: opt.Players = None,
    html: opt.TraceHtml = None,
    as_json: opt.AsJson = False,
) -> None:
    """One game as a readable log: the same game that `run` and `sweep` play under this seed and number."""
    say(playtest(game).trace(**given(locals())), as_json)


# ---------------------------------------------------------------- what a change does


@app.command()
def compare(
    game: opt.GameName,
    change: opt.CompareChange = None,
    scenario: opt.Scenario = None,
    difficulty: opt.Level = None,
    policy: opt.Policies = None,
    players: opt.Players = None,
    set_: opt.Sets = None,
    games: opt.Games = 20_000,
    seed: opt.Seed = 1,
    jobs: opt.Jobs = None,
    steps: opt.CompareSteps = False,
    test: opt.CompareTest = None,
    margin: opt.CompareMargin = None,
    alpha: opt.CompareAlpha = None,
    beta: opt.CompareBeta = None,
    luck_adjusted: opt.CompareLuckAdjusted = False,
    out: opt.CompareOut = None,
    as_json: opt.AsJson = False,
) -> int:
    """A baseline against one change of it, the same games on common luck."""
    return say(playtest(game).compare(**given(locals()), command=as_typed()), as_json)


@app.command()
def sensitivity(
    game: opt.GameName,
    assumed: opt.SensitivityAssumed = False,
    path: opt.SensitivityPath = None,
    range_: opt.SensitivityRange = "25%",
    decks: opt.SensitivityDecks = 32,
    effects: opt.SensitivityEffects = 0,
    settings: opt.SensitivitySettings = 200,
    levels: opt.SensitivityLevels = True,
    scenario: opt.Scenario = None,
    difficulty: opt.Level = None,
    policy: opt.Policies = None,
    players: opt.Players = None,
    set_: opt.Sets = None,
    games: opt.SensitivityGames = 2000,
    seed: opt.Seed = 1,
    jobs: opt.Jobs = None,
    cluster: Cluster = None,
    top: opt.SensitivityTop = 20,
    out: opt.SensitivityOut = None,
    as_json: opt.AsJson = False,
) -> None:
    """Which numbers move the result, and which conclusions stand whatever they are?"""
    say(playtest(game).sensitivity(**given(locals()), command=as_typed()), as_json)


@app.command()
def tune(
    game: opt.GameName,
    knob: opt.TuneKnob = None,
    path: opt.TunePath = None,
    range_: opt.TuneRange = None,
    target: opt.TuneTarget = None,
    scenario: opt.Scenario = None,
    difficulty: opt.Level = None,
    policy: opt.Policies = None,
    players: opt.Players = None,
    set_: opt.Sets = None,
    games: opt.TuneGames = None,
    cost: opt.TuneCost = None,
    length: opt.TuneLength = None,
    trials: opt.TuneTrials = 100,
    fresh: opt.TuneFresh = 20_000,
    seed: opt.Seed = 1,
    jobs: opt.Jobs = None,
    cluster: Cluster = None,
    out: opt.KeptOut = None,
    as_json: opt.AsJson = False,
) -> int:
    """Which value hits a target? It is searched for, and played again on fresh seeds. Several parameters: the Pareto front of distance, length and cost of change.

    Without --knob every value is varied once, and the nearest are played again.
    """  # noqa: E501
    return say(playtest(game).tune(**given(locals()), command=as_typed()), as_json)


@app.command()
def train(
    game: opt.GameName,
    out: opt.TrainOut,
    scenario: opt.Scenario = None,
    difficulty: opt.TrainLevels = None,
    policy: opt.Policies = None,
    role: opt.TrainRole = None,
    weight: opt.TrainWeights = None,
    generations: opt.TrainGenerations = 60,
    games: opt.TrainGames = 2000,
    fresh: opt.TrainFresh = 20_000,
    seed: opt.Seed = 1,
    set_: opt.Sets = None,
    players: opt.Players = None,
    jobs: opt.Jobs = None,
    cluster: Cluster = None,
    as_json: opt.AsJson = False,
) -> None:
    """With which weights does a policy play best? A file of weights, that --policy P@FILE.toml loads."""
    say(playtest(game).train(**given(locals())), as_json)


@app.command()
def ladder(
    game: opt.GameName,
    scenario: opt.Scenario = None,
    difficulty: opt.Levels = None,
    policy: opt.LadderPolicy = None,
    noise: opt.LadderNoise = "0.1,0.2,0.4",
    games: opt.Games = 4000,
    seed: opt.Seed = 1,
    set_: opt.Sets = None,
    players: opt.Players = None,
    jobs: opt.Jobs = None,
    cluster: Cluster = None,
    out: opt.KeptOut = None,
    as_json: opt.AsJson = False,
) -> None:
    """Policies from weakest to strongest, with skill and difficulty on one scale."""
    say(playtest(game).ladder(**given(locals()), command=as_typed()), as_json)


@app.command()
def bracket(
    game: opt.GameName,
    scenario: opt.Scenario = None,
    difficulty: opt.Levels = None,
    role: opt.BracketRole = None,
    rung: opt.BracketRungs = None,
    plays: opt.BracketPlays = "8,16,32,64",
    games: opt.Games = 20_000,
    slow_games: opt.BracketSlowGames = 40,
    settings: opt.BracketSettings = "",
    archive: opt.Archive = None,
    seed: opt.Seed = 1,
    set_: opt.Sets = None,
    players: opt.Players = None,
    jobs: opt.Jobs = None,
    out: opt.BracketOut = None,
    as_json: opt.AsJson = False,
) -> None:
    """Difficulty as a curve over skill: how often chance, heuristics, trained and looking players win."""
    say(playtest(game).bracket(**given(locals())), as_json)


app.command()(equilibrium)
app.command()(workbench)


@app.command()
def best(
    game: opt.PoliciesGame = None,
    admit: opt.BestAdmit = None,
    difficulty: opt.Level = None,
    role: opt.BestRole = None,
    scenario: opt.Scenario = None,
    players: opt.Players = None,
    margin: opt.BestMargin = "0.5pp",
    games: opt.BestGames = 40_000,
    archive: opt.Archive = None,
    jobs: opt.Jobs = None,
    as_json: opt.AsJson = False,
) -> int:
    """The best policy found for each level, table and role; --admit tests another on fresh seeds."""
    options = given(locals())
    return say(playtest(game).best(**options) if game else api.best(admit=admit), as_json)


app.add_typer(odds, name="odds")
people.command("skill")(playtest_skill)
people.command("plan")(playtest_plan)
people.command("deal")(deal)
app.add_typer(people, name="playtest")


# ---------------------------------------------------------------- rare events, losses, cards


@app.command()
def rare(
    game: opt.GameName,
    event: opt.RareEvent = None,
    scenario: opt.Scenario = None,
    difficulty: opt.Level = None,
    policy: opt.Policies = None,
    players: opt.Players = None,
    set_: opt.Sets = None,
    trajectories: opt.RareTrajectories = 500,
    replicates: opt.RareReplicates = 30,
    every_level: opt.RareEveryLevel = False,
    games: opt.RareGames = None,
    seed: opt.Seed = 1,
    jobs: opt.Jobs = None,
    as_json: opt.AsJson = False,
) -> None:
    """How rare is an event that most games never see? Multilevel splitting, with plain counting beside it."""
    say(playtest(game).rare(**given(locals())), as_json)


@app.command()
def losses(
    game: opt.GameName,
    scenario: opt.Scenario = None,
    difficulty: opt.Level = None,
    policy: opt.Policies = None,
    players: opt.Players = None,
    set_: opt.Sets = None,
    seat: opt.LossesSeat = None,
    games: opt.Games = 10_000,
    pilot: opt.LossesPilot = 100,
    rollouts: opt.LossesRollouts = 200,
    seed: opt.Seed = 1,
    jobs: opt.Jobs = None,
    pages: opt.LossesPages = None,
    out: opt.KeptOut = None,
    as_json: opt.AsJson = False,
) -> None:
    """When is a game really lost? Hazard by turn, chances turn by turn from rollouts, and games worth looking at."""  # noqa: E501
    say(playtest(game).losses(**given(locals()), command=as_typed()), as_json)


@app.command()
def cards(
    game: opt.GameName,
    value: opt.CardsValue = False,
    usage: opt.CardsUsage = False,
    scenario: opt.Scenario = None,
    difficulty: opt.Level = None,
    set_: opt.Sets = None,
    players: opt.Players = None,
    policy: opt.Policies = None,
    seat: opt.CardsSeat = None,
    turn: opt.CardsTurn = 1,
    against: opt.CardsAgainst = None,
    games: opt.Games = 2000,
    seed: opt.Seed = 1,
    jobs: opt.Jobs = None,
    out: opt.CardsOut = None,
    as_json: opt.AsJson = False,
) -> None:
    """The deck with its sources, or what each card in hand is worth (--value), or how cards are used (--usage)."""  # noqa: E501
    say(playtest(game).cards(**given(locals())), as_json)


@app.command()
def coverage(
    game: opt.GameName,
    path: opt.CoveragePath = None,
    changes: opt.CoverageChanges = True,
    scenario: opt.Scenario = None,
    difficulty: opt.Level = None,
    policy: opt.Policies = None,
    players: opt.Players = None,
    set_: opt.Sets = None,
    games: opt.CoverageGames = 1000,
    seed: opt.Seed = 1,
    jobs: opt.Jobs = None,
    top: opt.CoverageTop = 10,
    out: opt.KeptOut = None,
    as_json: opt.AsJson = False,
) -> None:
    """What comes up in the games of some players, and what never does: actions, cards, spaces, ends, rulings, numbers."""  # noqa: E501
    say(playtest(game).coverage(**given(locals()), command=as_typed()), as_json)


# ---------------------------------------------------------------- checking


@app.command()
def check(target: opt.CheckTarget, policy: opt.CheckPolicy = None) -> None:
    """Does a game keep the engine contract, do its policies keep theirs, does a scenario file add up?"""
    print_lines(api.check(target, policy=policy))


@app.command()
def new(kind: opt.NewKind, name: opt.NewName, game: opt.NewGame = None) -> None:
    """Write a game or a policy to begin with: it runs before a word of it is changed."""
    print_lines(api.new(kind, name, game=game))


@app.command()
def verify(folder: opt.VerifyFolder, trust: opt.Trust = None) -> None:
    """Are the files of a sweep what was written, and do its games still play the same?"""
    print_lines(api.open(folder).verify(trust=trust))


@app.command()
def bench(
    game: opt.BenchGame = None,
    policy: opt.Policies = None,
    quick: opt.BenchQuick = False,
    as_json: opt.AsJson = False,
) -> None:
    """How fast each game plays here (random and its own policy, unless named), beside a yardstick measured in the same run."""  # noqa: E501
    say(api.bench(game, policy=policy, quick=quick), as_json)


app.command()(warm)


@app.command()
def doctor(as_json: opt.AsJson = False) -> None:
    """Is this machine ready? Versions, cores, cache folder, and a game with a known answer."""
    found = api.doctor()
    say(found, as_json)
    if not found["compiles"] or "missing" in found.values():
        raise EngineError(
            "doctor: something above is missing or wrong; install anew with: pip install -r requirements.lock"
        )


# ---------------------------------------------------------------- one line for every failure


for group, commands in (("", app), ("odds ", odds), ("playtest ", people)):
    for command in commands.registered_commands:
        name = command.name or str(getattr(command.callback, "__name__", ""))
        command.epilog = f"Example: {EXAMPLES[group + name]}"


DAMAGED = "a shard is damaged, though its checksum fits: somebody wrote it anew; play the sweep again"


def main() -> None:
    """Entry point: every failure becomes one line on stderr and an exit code."""
    debug = "--debug" in sys.argv
    if debug:
        sys.argv.remove("--debug")
    say_what_can_be_said()
    with ending_when_told():
        code = _answered(debug)
    if code == INTERRUPTED:
        note(RESUME)
        end_what_is_left()
    sys.exit(code)


@cache
def command_line():
    """All commands with their options; made once, as it takes longer than most of them."""
    return typer.main.get_command(app)


def _answered(debug: bool) -> int | str:
    """Do what the command line says; its exit code."""
    try:
        code = command_line()(standalone_mode=False) or 0
        sys.stdout.flush()
    except BartizanError as error:
        code = _fail(error, error.exit_code, debug)
    except TyperException as error:
        text = opt.plainly(error.format_message() if hasattr(error, "format_message") else str(error))
        if type(error).__name__ == "NoArgsIsHelpError":
            print(text)
            return 2
        code = _fail(error, 2, debug, text)
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except SystemExit as stop:  # typer turns Ctrl-C into an exit of its own
        code = stop.code or 0
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except typer.Exit as error:
        code = error.exit_code
    except OSError as error:  # a full disk, a name that is too long
        code = _fail(error, 2, debug, f"{error.filename or 'output'}: {error.strerror or error}")
    except Exception as error:
        if debug:
            raise
        text = mistakes.sentence(error) if mistakes.place_of(error) else unforeseen(error)
        code = _fail(error, 4, debug, DAMAGED if type(error).__name__ == "ComputeError" else text)
    except BaseException as error:  # polars panics at some files, and not as an Exception
        if type(error).__name__ != "PanicException":
            raise
        code = _fail(error, 4, debug, DAMAGED)
    return code


def _fail(error: BaseException, code: int, debug: bool, text: str | None = None) -> int:
    if debug:
        import traceback

        traceback.print_exception(error)
    note(f"error: {' '.join((text or str(error)).split())}")
    return code


if __name__ == "__main__":
    main()
