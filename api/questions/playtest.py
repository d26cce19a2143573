"""Plays by people: `playtest form`, `import`, `skill`, `plan` and `deal`."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bartizan.api import answers
from bartizan.api.answer import Answer
from bartizan.api.options import (
    Cluster,
    Games,
    Jobs,
    KeptOut,
    Level,
    Players,
    Policies,
    ScenarioName,
    Seed,
    Values,
)
from bartizan.api.question import GameQuestion, HelpSection, Question, opt, out_opt
from bartizan.api.reading import File, path_of, seat_of
from bartizan.simcore import MOST_GAMES
from bartizan.simcore.errors import UsageError

NOISE = "0.05,0.1,0.2,0.4"
NOISE_HELP = (
    "probabilities of a random action; people are compared with one noisy copy of the policy per probability"
)

EDITION_HELP = "edition of the game, as the plays state it; needed if they state several"


class FormQuestion(GameQuestion):
    """Write a playtest form for a game: what to record, and the headings of its CSV."""

    command = "playtest form"
    section = HelpSection.PEOPLE
    example = "bartizan playtest form itter -o form.csv"

    out: File | None = out_opt(
        "FILE.csv|.md|.html",
        "write the form as a sheet to fill in, as text, or as a page to print",
        default=None,
    )
    says: File | None = opt(
        "results folder of `run -o` from which the column `the simulator says` is filled in",
        default=None,
        metavar="DIR",
    )

    def answer(self) -> Answer:
        return answers.plays.form(self)


class ImportQuestion(Question[Answer]):
    """Import plays into a folder.

    Each row is saved, or set aside with the reason. Names are hashed. With -o FILE.toml, write a draft
    mapping for your own sheet instead: the likely meaning of its headings and words, for you to correct.
    """

    command = "playtest import"
    section = HelpSection.PEOPLE
    example = "bartizan playtest import evening.csv --mapping mapping.toml -o plays"

    files: File | Sequence[File] = opt(
        "a sheet (.csv, .xlsx or .ods), an export of BG Stats (.json, .bgsplay), or saved plays of "
        "BoardGameGeek (.xml)",
        metavar="FILE",
        is_argument=True,
        kw_only=False,
    )
    out: File = out_opt(
        "DIR|FILE.toml",
        "folder of plays, to which you can add more files later; or a new file for the draft mapping",
    )
    game: File | None = opt(
        "game of the plays; plays of other games are set aside", default=None, metavar="GAME"
    )
    mapping: File | None = opt(
        "file that maps columns and words to their meaning (write a draft with: playtest import FILE -o "
        "mapping.toml)",
        default=None,
        metavar="FILE.toml",
    )
    replace: bool = opt(
        "replace an earlier file of the same name; plays that are missing from the new file are removed",
        default=False,
    )

    def answer(self) -> Answer:
        return answers.plays.answer_import(self)


class SkillQuestion(GameQuestion):
    """Estimate people's skill on the scale of the policies, and test whether their scores, game lengths and
    losses differ from those of policies of equal skill.
    """

    command = "playtest skill"
    section = HelpSection.PEOPLE
    example = "bartizan playtest skill itter --plays plays"
    kept_as = "playtest-skill"

    plays: File = opt("folder of plays (see: bartizan playtest import)", metavar="DIR")
    edition: str | None = opt(EDITION_HELP, default=None, metavar="TEXT")
    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Policies = None
    noise: str = opt(NOISE_HELP, default=NOISE, metavar="A,B,...")
    margin: float = opt(
        "equivalence margin as a share: 0.1 is 10 percentage points", default=0.1, min=0.01, max=0.49
    )
    games: Games = 4000
    seed: Seed = 1
    set: Values = None
    players: Players = None
    jobs: Jobs = None
    cluster: Cluster = None
    out: KeptOut = None

    @staticmethod
    def key(document: Mapping[str, Any]) -> list[Any]:
        named = ("scenario_hashes", "scenario_hash", "policy", "policies", "edition")
        return [*map(document.get, named), Path(document["folder"]).name]

    def answer(self) -> Answer:
        return answers.people.answer(self)


# options of `playtest plan` about the games of policies, with which the plays are compared
OF_PLAYS = ("edition", "band", "difficulty", "scenario", "policy", "players", "noise", "games", "seed", "set")


class PlanQuestion(GameQuestion):
    """Compute how many people and plays you need. With --plays, compute how many more plays you need."""

    command = "playtest plan"
    section = HelpSection.PEOPLE
    example = "bartizan playtest plan --sim 0.7 --people 0.5 --each 4"

    name: str = opt(
        "game of the plays in --plays", default="", metavar="GAME", is_argument=True, kw_only=False
    )
    plays: File | None = opt("folder of existing plays; requires GAME", default=None, metavar="DIR")
    edition: str | None = opt(EDITION_HELP, default=None, metavar="TEXT")
    sim: float | None = opt("simulated win rate, as a share", default=None, min=0.0001, max=0.999)
    people: float | None = opt(
        "people's win rate that the plays must be able to detect, as a share",
        default=None,
        min=0.001,
        max=0.999,
    )
    levels: str | tuple[float, float] | None = opt(
        "win rates of people at two levels to distinguish: 0.7,0.5", default=None, metavar="A,B"
    )
    margin: float | None = opt(
        "equivalence margin around --sim, as a share (with --plays: around the policies' win rates)",
        default=None,
        min=0.01,
        max=0.49,
    )
    power: float = opt("statistical power", default=0.8, min=0.5, max=0.99)
    each: int | None = opt(
        "number of plays per tester (default: 1; with --plays: 4)", default=None, min=1, max=100
    )
    spread: float = opt("standard deviation of skill between testers, in logits", default=0.8, min=0, max=3)
    band: str | tuple[float, float] | None = opt(
        "target range for the win rate of people (default: the policy's win rate ± --margin)",
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
    cluster: Cluster = None

    def answer(self) -> Answer:
        if bool(self.name) != (self.plays is not None):
            have, lack = ("GAME", "--plays DIR") if self.name else ("--plays", "GAME")
            raise UsageError(
                f"playtest plan: {have} requires {lack}: bartizan playtest plan GAME --plays DIR"
            )
        for own in self.options:
            if self.plays is None and own.name in OF_PLAYS and self.has(own.name):
                raise UsageError(
                    f"playtest plan: {own.flag} requires GAME and --plays DIR; add them, or remove it"
                )
        if self.plays is None:
            return answers.people.of_shares(self)
        shares = {"--sim": self.sim, "--people": self.people, "--levels": self.levels}
        for option, value in shares.items():
            if value is not None:
                raise UsageError(
                    f"playtest plan: {option} applies only to plans without plays; remove GAME and "
                    f"--plays, or remove {option}"
                )
        return answers.people.of_plays(self)


class DealQuestion(GameQuestion):
    """Print a deal, so that people can stack their decks and play the same cards as a policy.

    The command also prints the policy's results with this deal.
    """

    command = "playtest deal"
    section = HelpSection.PEOPLE
    example = "bartizan playtest deal itter --difficulty elite --policy garrison --seed 7"

    seed: Seed = 1
    game: int = opt("deal number", default=0, min=0, max=MOST_GAMES - 1)
    count: int = opt("number of deals, starting with the deal of --game", default=1, min=1, max=1000)
    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Policies = None
    players: Players = None
    set: Values = None
    deals: int = opt(
        "number of deals used to estimate how much of a result depends on the deal",
        default=200,
        min=2,
        max=100_000,
    )
    plays: int = opt(
        "number of times that each deal is simulated, each time with new random numbers",
        default=100,
        min=2,
        max=100_000,
    )
    seat: str | None = opt("seat whose wins are counted (default: the first)", default=None)
    jobs: Jobs = None
    cluster: Cluster = None
    out: File | None = out_opt(
        "FILE.html|.pdf", "also write the dealt cards as sheets to print and cut", default=None
    )

    def answer(self) -> Answer:
        from bartizan.analyses.experiments.luck_adjustment import dealt
        from bartizan.api.answers import proxies
        from bartizan.api.caveats import shown
        from bartizan.reports.views import deal as views
        from bartizan.simcore.play.rollouts import DEALS, deal_of

        request, effort, out = self.request(), self.effort(self.plays), path_of(self.out)
        game, roles = request.game, request.game.roles_in(request.loaded)
        scene = game.compiled.scene
        if scene is None or scene.deal is None:
            raise UsageError(
                f"playtest deal: {game.name} has no deck, so there is no deal to print; choose a game with "
                "cards"
            )
        if out is not None:
            proxies.check_target(out)
        seat = seat_of(self.seat, game.name, roles)
        match = request.match(effort.seed, "playtest deal")
        effort.compiles(game, DEALS)
        result = dealt(match, self.game, self.deals, effort.games, seat, effort.workers)
        deals = {number: deal_of(match, number) for number in range(self.game, self.game + self.count)}
        document = views.document(match, deals, result)
        written = [] if out is None else ["", proxies.write(request, document, out)]
        return shown(game, document, partial(views.view, document), hints=written)
