"""Questions about throws and fights, and about whether to stake a POW now or wait.

Probabilities of throws and fights are computed exactly, and simulated with the engine's dice. `chance GAME
--event NAME` answers these questions. Each of them also has an older command, `odds ...`.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from bartizan.api import answers
from bartizan.api.answer import Answer
from bartizan.api.options import Cluster, Jobs, KeptOut, Players, Policies, Seed, Values
from bartizan.api.question import GameQuestion, Opt, opt
from bartizan.api.reading import File
from bartizan.simcore.errors import UsageError

Distance = Annotated[int, Opt("distance in steps", min=0, max=10_000)]
Cap = Annotated[
    int | None,
    Opt(
        "maximum number of rolls per throw (default: two tables, one without a limit and one with three)",
        min=1,
        max=1000,
    ),
]
Attempts = Annotated[int, Opt("number of simulated attempts per row", min=1, max=100_000_000)]
Place = Annotated[
    str | None, Opt("place on the board from which the distance is measured", metavar="CIRCLE|ROOM|appel")
]


class OddsQuestion(GameQuestion):
    """A question about one built-in game, whose name the older command does not take.

    log: text in the log of a game on success; "" if the event is not available from a position.
    """

    event: ClassVar[str]
    log: ClassVar[str] = ""
    name: str = opt(None, default="colditz", kw_only=False, is_hidden=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.name != type(self).name:
            raise UsageError(f"odds: this command supports only {type(self).name}, not {self.name}")

    def command_line(self) -> str:
        """Return the equivalent `chance` command line."""
        return self.typed or answers.chance.line_of(self)


class DoOrDieQuestion(OddsQuestion):
    """Compute the probability that a Do or Die succeeds, for each card and for a random card."""

    command = "odds do-or-die"
    event = "do-or-die"
    log = "has ESCAPED by Do or Die"
    instead = "chance colditz --event do-or-die"
    kept_as = "do-or-die"
    example = "bartizan odds do-or-die --distance 40"

    distance: int | None = opt(
        "distance in steps that the held cards must cover (default: the shortest distance)",
        default=None,
        min=0,
        max=10_000,
    )
    from_: Place = None
    ropes: int | None = opt("with --from: number of Rope cards held", default=None, min=0, max=1000)
    cutters: int | None = opt("with --from: number of Wire Cutters held", default=None, min=0, max=1000)
    card: Sequence[int] | None = opt("use only the card with this number of throws; repeatable", default=None)
    cap: Cap = None
    games: Attempts = 200_000
    seed: Seed = 1
    out: KeptOut = None

    @staticmethod
    def key(document: Mapping[str, Any]) -> list[Any]:
        return [document[name] for name in ("scenario_hash", "distance", "from", "cap")]

    def answer(self) -> Answer:
        return answers.odds.do_or_die(self)


class StaffCarQuestion(OddsQuestion):
    """Compute the probability that the Staff Car reaches the target over the main bridge."""

    command = "odds staff-car"
    event = "staff-car"
    instead = "chance colditz --event staff-car"
    example = "bartizan odds staff-car"

    distance: int | None = opt(
        "distance to the target in steps (default: as in the rules)", default=None, min=0, max=10_000
    )
    cap: Cap = None
    games: Attempts = 200_000
    seed: Seed = 1

    def answer(self) -> Answer:
        return answers.odds.staff_car(self)


class AppelQuestion(OddsQuestion):
    """Compute the probability that an Appel reaches a POW at this distance. One roll decides its range."""

    command = "odds appel"
    event = "appel"
    instead = "chance colditz --event appel"
    example = "bartizan odds appel --distance 12"

    distance: Distance
    cap: Cap = None
    games: Attempts = 200_000
    seed: Seed = 1

    def answer(self) -> Answer:
        return answers.odds.appel(self)


class ShootToKillQuestion(OddsQuestion):
    """Compute the probability that a Shoot to Kill succeeds at this distance."""

    command = "odds shoot-to-kill"
    event = "shoot-to-kill"
    instead = "chance colditz --event shoot-to-kill"
    example = "bartizan odds shoot-to-kill --distance 20"

    distance: Distance
    talisman: bool = opt("assume a Talisman: the first roll counts only once", default=False)
    cap: Cap = None
    games: Attempts = 200_000
    seed: Seed = 1

    def answer(self) -> Answer:
        return answers.odds.shoot_to_kill(self)


class FightOddsQuestion(OddsQuestion):
    """Compute the probability that the attacker wins one roll of a fight in Castle."""

    command = "odds castle"
    event = "fight"
    log = "the attack wins"
    instead = "chance castle --event fight"
    example = "bartizan odds castle --attack 10 --defend K"

    name: str = opt(None, default="castle", kw_only=False, is_hidden=True)
    attack: str | None = opt(
        "the attacker; omit it and --defend for a table of fights",
        default=None,
        metavar="CARD|archers:CARD|ram|assassin",
    )
    defend: str | None = opt("the defender: A, 2 .. 10, J, Q, K", default=None, metavar="CARD|joker")
    queen: str = opt("state of the defender's Queen", default="alive", metavar="alive|dead")
    revealed: bool = opt("assume a face-up target", default=False)
    same_suit: bool = opt("assume that lead and target have the same suit", default=False)
    add: int = opt("total value of the attacker's reinforcements", default=0, min=0, max=100)
    defence_add: int = opt("total value of the defender's reinforcements", default=0, min=0, max=100)
    set: Values = None
    games: Attempts = 200_000
    seed: Seed = 1

    def answer(self) -> Answer:
        return answers.odds.castle(self)


class StakeOrWaitQuestion(OddsQuestion):
    """Compare staking a POW now with waiting this turn. Both are simulated from the same positions and
    reported by distance and round.
    """

    command = "odds stake-or-wait"
    event = "stake-or-wait"
    instead = "chance colditz --event stake-or-wait"
    example = "bartizan odds stake-or-wait --players 3 --games 40"

    distance: int | None = opt(
        "distance of the best POW to the target in steps", default=None, min=0, max=400
    )
    within: int | None = opt("tolerance of --distance in steps", default=None, min=0, max=400)
    from_: Place = None
    ropes: int | None = opt(
        "use only positions with this number of Rope cards held", default=None, min=0, max=1000
    )
    cutters: int | None = opt(
        "use only positions with this number of Wire Cutters held", default=None, min=0, max=1000
    )
    rounds_left: int | None = opt(
        "number of rounds left after the current round", default=None, min=0, max=400
    )
    players: Players = None
    policy: Policies = None
    set: Values = None
    games: int = opt("number of games; each gives several positions", default=1000, min=1, max=100_000)
    futures: int = opt("number of rollouts per option and position", default=2, min=1, max=1000)
    seed: Seed = 1
    jobs: Jobs = None
    cluster: Cluster = None
    chart: File | None = opt(
        "draw the verdicts to this file (.svg, .pdf or .png)", default=None, metavar="FILE.svg"
    )

    def answer(self) -> Answer:
        return answers.odds.stake_or_wait(self)


THROWS = (
    *(DoOrDieQuestion, StaffCarQuestion, AppelQuestion, ShootToKillQuestion, StakeOrWaitQuestion),
    FightOddsQuestion,
)


def throws_of(game: str) -> dict[str, type[OddsQuestion]]:
    """Map event names to the throws and fights of a built-in game."""
    return {kind.event: kind for kind in THROWS if kind.name == game}
