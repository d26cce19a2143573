"""`odds`: single throws and fights, exact and simulated with the engine's dice; and stake-or-wait."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from bartizan.api import answers
from bartizan.api.answer import Answer
from bartizan.api.options import Jobs, KeptOut, Players, Policies, Seed, Values
from bartizan.api.question import GameQuestion, Opt, opt
from bartizan.api.reading import File
from bartizan.simcore.errors import UsageError

Distance = Annotated[int, Opt("steps to reach", min=0, max=10_000)]
Cap = Annotated[
    int | None,
    Opt(
        "at most so many rolls a throw; without it both readings are shown: no limit, and three",
        min=1,
        max=1000,
    ),
]
Attempts = Annotated[int, Opt("simulated attempts, for each line", min=1, max=100_000_000)]
Place = Annotated[str | None, Opt("read the distance off the board", metavar="CIRCLE|ROOM|appel")]


class OddsQuestion(GameQuestion):
    """A question about one game of the house, which its command does not name."""

    name: str = opt(None, default="colditz", kw_only=False, is_hidden=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.name != type(self).name:
            raise UsageError(f"odds: that question is about {type(self).name}, not about {self.name}")


class DoOrDieQuestion(OddsQuestion):
    """A Do or Die: chance of success by card, and with a card drawn blind."""

    command = "odds do-or-die"
    kept_as = "do-or-die"
    example = "bartizan odds do-or-die --distance 40"

    distance: int | None = opt(
        "steps with what is held; else the least there is", default=None, min=0, max=10_000
    )
    from_: Place = None
    ropes: int | None = opt("with --from: Rope cards held", default=None, min=0, max=1000)
    cutters: int | None = opt("with --from: Wire Cutters held", default=None, min=0, max=1000)
    card: Sequence[int] | None = opt("only the card with so many throws; repeat for several", default=None)
    cap: Cap = None
    games: Attempts = 200_000
    seed: Seed = 1
    out: KeptOut = None

    @staticmethod
    def key(document: Mapping) -> list[Any]:
        return [document[name] for name in ("scenario_hash", "distance", "from", "cap")]

    def answer(self) -> Answer:
        return answers.odds.do_or_die(self)


class StaffCarQuestion(OddsQuestion):
    """The Staff Car: chance of reaching the target over the main bridge."""

    command = "odds staff-car"
    example = "bartizan odds staff-car"

    distance: int | None = opt(
        "steps to the target; as in the rules unless given", default=None, min=0, max=10_000
    )
    cap: Cap = None
    games: Attempts = 200_000
    seed: Seed = 1

    def answer(self) -> Answer:
        return answers.odds.staff_car(self)


class AppelQuestion(OddsQuestion):
    """An Appel: chance that its range, one throw, reaches a POW so many steps away."""

    command = "odds appel"
    example = "bartizan odds appel --distance 12"

    distance: Distance
    cap: Cap = None
    games: Attempts = 200_000
    seed: Seed = 1

    def answer(self) -> Answer:
        return answers.odds.appel(self)


class ShootToKillQuestion(OddsQuestion):
    """A Shoot to Kill: chance that the shot kills over so many steps."""

    command = "odds shoot-to-kill"
    example = "bartizan odds shoot-to-kill --distance 20"

    distance: Distance
    talisman: bool = opt("a Talisman is played: the first roll counts once", default=False)
    cap: Cap = None
    games: Attempts = 200_000
    seed: Seed = 1

    def answer(self) -> Answer:
        return answers.odds.shoot_to_kill(self)


class FightOddsQuestion(OddsQuestion):
    """A fight in Castle: chance that the attacker wins one roll."""

    command = "odds castle"
    example = "bartizan odds castle --attack 10 --defend K"

    name: str = opt(None, default="castle", kw_only=False, is_hidden=True)
    attack: str | None = opt(
        "what attacks; without --attack and --defend a table of fights",
        default=None,
        metavar="CARD|archers:CARD|ram|assassin",
    )
    defend: str | None = opt("what defends: A, 2 .. 10, J, Q, K", default=None, metavar="CARD|joker")
    queen: str = opt("the defender's Queen", default="alive", metavar="alive|dead")
    revealed: bool = opt("the target already lies face up", default=False)
    same_suit: bool = opt("lead and target share the suit", default=False)
    add: int = opt("the attacker's reinforcements", default=0, min=0, max=100)
    defence_add: int = opt("the defender's reinforcements", default=0, min=0, max=100)
    set: Values = None
    games: Attempts = 200_000
    seed: Seed = 1

    def answer(self) -> Answer:
        return answers.odds.castle(self)


class StakeOrWaitQuestion(OddsQuestion):
    """Stake a POW now, or not this turn? Both ways played on from the same moments, by distance and round."""

    command = "odds stake-or-wait"
    example = "bartizan odds stake-or-wait --players 3 --games 40"

    distance: int | None = opt("steps of the best POW to the target", default=None, min=0, max=400)
    within: int | None = opt(
        "so many steps more or fewer count as that distance", default=None, min=0, max=400
    )
    from_: Place = None
    ropes: int | None = opt("only with so many Rope cards held", default=None, min=0, max=1000)
    cutters: int | None = opt("only with so many Wire Cutters held", default=None, min=0, max=1000)
    rounds_left: int | None = opt("rounds after this one", default=None, min=0, max=400)
    players: Players = None
    policy: Policies = None
    set: Values = None
    games: int = opt("games played; each is played on from several moments", default=1000, min=1, max=100_000)
    futures: int = opt("how often each way from a moment", default=2, min=1, max=1000)
    seed: Seed = 1
    jobs: Jobs = None
    chart: File | None = opt(
        "draw the verdicts into this file (.svg, .pdf or .png)", default=None, metavar="FILE.svg"
    )

    def answer(self) -> Answer:
        return answers.odds.stake_or_wait(self)
