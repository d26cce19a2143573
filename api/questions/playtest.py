"""Plays by people: `playtest form`, `template`, `import`, `skill`, `plan` and `deal`."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bartizan.api import answers
from bartizan.api.answer import Answer
from bartizan.api.options import Games, Jobs, KeptOut, Level, Players, Policies, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, Question, opt, out_opt
from bartizan.api.reading import File, seat_of
from bartizan.simcore import MOST_GAMES
from bartizan.simcore.errors import UsageError

NOISE = "0.05,0.1,0.2,0.4"
NOISE_HELP = "chances of a random action: the rungs that people are laid against"


class FormQuestion(GameQuestion):
    """The form for a playtest of a game: what to write down, and the headings of its CSV."""

    command = "playtest form"
    example = "bartizan playtest form itter -o form.csv"

    out: File | None = out_opt(
        "FILE.csv|.md|.html", "write the form: a sheet to fill in, text, or a page to print", default=None
    )
    says: File | None = opt(
        "a sweep: its figures fill the column `the simulator says`", default=None, metavar="DIR"
    )

    def answer(self) -> Answer:
        return answers.plays.form(self)


class TemplateQuestion(Question[Answer]):
    """Write a mapping for a sheet of your own: what its headings and words may mean, for you to correct."""

    command = "playtest template"
    example = "bartizan playtest template evening.csv -o mapping.toml --game itter"

    file: File = opt("a sheet saved as CSV, or .xlsx", metavar="FILE", is_argument=True, kw_only=False)
    out: File = out_opt("FILE.toml", "the mapping; nothing is written over")
    game: File | None = opt("whose plays; those of other games are set aside", default=None, metavar="GAME")

    def answer(self) -> Answer:
        return answers.plays.template(self)


class ImportQuestion(Question[Answer]):
    """Read plays into a folder: every row is kept, or set aside with the reason. Names are hashed."""

    command = "playtest import"
    example = "bartizan playtest import evening.csv --mapping mapping.toml -o plays"

    files: File | Sequence[File] = opt(
        "a sheet (CSV), an export of BG Stats (.json, .bgsplay), or saved plays of BoardGameGeek (.xml)",
        metavar="FILE",
        is_argument=True,
        kw_only=False,
    )
    out: File = out_opt("DIR", "folder of plays; more files can be added to it later")
    game: File | None = opt("whose plays; those of other games are set aside", default=None, metavar="GAME")
    mapping: File | None = opt(
        "what columns and words mean (see: bartizan playtest template)", default=None, metavar="FILE.toml"
    )
    replace: bool = opt(
        "a corrected sheet: plays of an earlier file of this name that are no longer in it are dropped",
        default=False,
    )

    def answer(self) -> Answer:
        return answers.plays.bring_in(self)


class SkillQuestion(GameQuestion):
    """How well do people play, on the policies' scale; and what do they do that no such policy does?"""

    command = "playtest skill"
    example = "bartizan playtest skill itter --plays plays"
    kept_as = "playtest-skill"

    plays: File = opt("folder of plays (see: bartizan playtest import)", metavar="DIR")
    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Policies = None
    noise: str = opt(NOISE_HELP, default=NOISE, metavar="A,B,...")
    margin: float = opt(
        "how near is the same, as a share: 0.1 is 10 percentage points", default=0.1, min=0.01, max=0.49
    )
    games: Games = 4000
    seed: Seed = 1
    set: Values = None
    players: Players = None
    jobs: Jobs = None
    out: KeptOut = None

    @staticmethod
    def key(document: Mapping) -> list[Any]:
        named = ("scenario_hashes", "scenario_hash", "policy", "policies")
        return [*map(document.get, named), Path(document["folder"]).name]

    def answer(self) -> Answer:
        return answers.people.answer(self)


class PlanQuestion(GameQuestion):
    """How many plays, by how many people, would tell what is asked? With --plays: how many more."""

    command = "playtest plan"
    example = "bartizan playtest plan --sim 0.7 --people 0.5 --each 4"

    name: str = opt("whose plays --plays are", default="", metavar="[GAME]", is_argument=True, kw_only=False)
    plays: File | None = opt("how many more than these; needs GAME", default=None, metavar="DIR")
    sim: float | None = opt("the simulation wins so often, as a share", default=None, min=0.001, max=0.999)
    people: float | None = opt("notice it if people win so often", default=None, min=0.001, max=0.999)
    levels: str | tuple[float, float] | None = opt(
        "tell two levels apart that people win so often: 0.7,0.5", default=None, metavar="A,B"
    )
    margin: float | None = opt(
        "show that people win as --sim does (with --plays: as the policy, or the policies), within this",
        default=None,
        min=0.01,
        max=0.49,
    )
    power: float = opt("chance that it is told", default=0.8, min=0.5, max=0.99)
    each: int | None = opt(
        "plays of one tester; 1 unless given, 4 with --plays", default=None, min=1, max=100
    )
    spread: float = opt("of skill between testers, in logits", default=0.8, min=0, max=3)
    band: str | tuple[float, float] | None = opt(
        "is people's win rate in it? unless given: as the policy's, within --margin",
        default=None,
        metavar="A..B",
    )
    difficulty: Level = None
    scenario: ScenarioName = None
    policy: Policies = None
    players: Players = None
    noise: str = opt(NOISE_HELP, default=NOISE, metavar="A,B,...")
    games: Games = 4000
    seed: Seed = 1
    set: Values = None
    jobs: Jobs = None

    def answer(self) -> Answer:
        if bool(self.name) != (self.plays is not None):
            have, lack = ("GAME", "--plays DIR") if self.name else ("--plays", "GAME")
            raise UsageError(
                f"playtest plan: {have} needs {lack} beside it: bartizan playtest plan GAME --plays DIR"
            )
        if self.plays is None:
            return answers.people.of_shares(self)
        shares = {"--sim": self.sim, "--people": self.people, "--levels": self.levels}
        for option, value in shares.items():
            if value is not None:
                raise UsageError(
                    f"playtest plan: {option} plans without plays; leave out GAME and --plays, or {option}"
                )
        return answers.people.of_plays(self)


class DealQuestion(GameQuestion):
    """A deal for a table to stack, so that people and policies play the same cards; and how the policy does
    on it.
    """

    command = "playtest deal"
    example = "bartizan playtest deal itter --difficulty elite --policy garrison --seed 7"

    seed: Seed = 1
    game: int = opt("which deal of the seed", default=0, min=0, max=MOST_GAMES - 1)
    count: int = opt(
        "so many deals, from that one on: ten first plays, one deal each", default=1, min=1, max=1000
    )
    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Policies = None
    players: Players = None
    set: Values = None
    deals: int = opt("deals that tell how much of a result is the deal", default=200, min=2, max=100_000)
    plays: int = opt("plays of each deal under other luck", default=100, min=2, max=100_000)
    seat: str | None = opt("whose wins; the first seat unless given", default=None)
    jobs: Jobs = None

    def answer(self) -> Answer:
        from bartizan.analyses.experiments.luck_adjustment import dealt
        from bartizan.api.caveats import shown
        from bartizan.reports.views import deal as views
        from bartizan.simcore.play.rollouts import DEALS, deal_of

        request, effort = self.request(), self.effort(self.plays)
        game, roles = request.game, request.game.roles_in(request.loaded)
        scene = game.compiled.scene
        if scene is None or scene.deal is None:
            raise UsageError(f"playtest deal: {game.name} has no deck to stack: its luck is the table's own")
        seat = seat_of(self.seat, game.name, roles)
        match = request.match(effort.seed, "playtest deal: name one policy for each seat")
        effort.compiles(game, DEALS)
        result = dealt(match, self.game, self.deals, effort.games, seat, effort.threads)
        deals = {number: deal_of(match, number) for number in range(self.game, self.game + self.count)}
        document = views.document(match, deals, result)
        return shown(game, document, partial(views.view, document))
