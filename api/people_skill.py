"""Questions about people beside policies: how well they play, how many plays more."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bartizan.api.asked import AskedGame
from bartizan.api.reading import Names, Sets, answers, command_line
from bartizan.simcore.errors import UsageError

if TYPE_CHECKING:
    from bartizan.reports.answers.answer import Answer

NOISE = "0.05,0.1,0.2,0.4"


class PeopleQuestions(AskedGame):
    """Plays of this game by people, in a folder that `playtest_import` wrote."""

    def playtest_skill(
        self,
        *,
        plays: str | Path,
        scenario: str | None = None,
        difficulty: str | None = None,
        policy: Names = None,
        noise: str = NOISE,
        margin: float = 0.1,
        games: int = 4000,
        seed: int = 1,
        set: Sets = None,
        players: int | None = None,
        jobs: int | None = None,
        out: str | Path | None = None,
        command: str | None = None,
    ) -> "Answer":
        """How well do people play, on the policies' scale? noise: the rungs, copies of the policy that act at
        random with these chances; margin: how near is the same, as a share; games: of a rung at a level.

        difficulty: the level of a game in which people play each other; else all levels are on the scale.
        out: a .json file, or the folder of a sweep, whose report then shows the answer; command: the command
        line that it names.
        """
        asked = command_line("playtest skill", self.name, locals(), ("out", "jobs"))
        asking = answers("people_skill", self.name)
        request = self.request(scenario, difficulty, policy, players, set)
        laying = asking.Laying(Path(plays), noise, margin, Path(out) if out else None, asked)
        return asking.ask(request, self.effort(games, seed, jobs), laying)

    def playtest_plan(
        self,
        *,
        plays: str | Path,
        difficulty: str | None = None,
        band: str | tuple[float, float] | None = None,
        margin: float | None = None,
        each: int | None = None,
        scenario: str | None = None,
        policy: Names = None,
        noise: str = NOISE,
        games: int = 4000,
        seed: int = 1,
        set: Sets = None,
        jobs: int | None = None,
    ) -> "Answer":
        """How many plays more would decide whether people's win rate is in a band? band: `"0.4..0.6"`, or as
        the policy's within `margin` (0.1); each: plays of one new tester, 4 unless given; difficulty: this
        level only.
        """
        asking = answers("people_plan", self.name)
        skill = answers("people_skill", self.name)
        request = self.request(scenario, difficulty, policy, None, set)
        laying = skill.Laying(Path(plays), noise, 0.1 if margin is None else margin)
        return asking.more(
            request, self.effort(games, seed, jobs), laying, each or 4, _pair(band, "..", "--band")
        )


def playtest_plan(
    *,
    sim: float | None = None,
    people: float | None = None,
    levels: str | tuple[float, float] | None = None,
    margin: float | None = None,
    power: float = 0.8,
    each: int | None = None,
    spread: float = 0.8,
) -> "Answer":
    """How many plays tell what is asked? Shares: `sim` and `people`, two `levels` ("0.7,0.5"), or `sim` and
    the `margin` within which people are to be shown alike; nothing of it: the usual ones. each: plays of one
    tester, 1 unless given; spread: of skill between testers, in logits.
    """
    asking = answers("people_plan")
    asked = asking.PlannedShares(sim, people, _pair(levels, ",", "--levels"), margin)
    return asking.ask(asked, asking.Terms(power, each or 1, spread))


def playtest_plan_of(game: Any, options: dict[str, Any]) -> "Answer":
    """The command's two questions: with plays, of a game; without, of shares. `game`: None or a Playtest."""
    shares = ("sim", "people", "levels", "power", "spread")
    if game is None and options["plays"] is None:
        return playtest_plan(**{name: options[name] for name in (*shares, "margin", "each")})
    if game is None or options["plays"] is None:
        have, lack = ("GAME", "--plays DIR") if options["plays"] is None else ("--plays", "GAME")
        raise UsageError(
            f"playtest plan: {have} needs {lack} beside it: bartizan playtest plan GAME --plays DIR"
        )
    given = [f"--{name}" for name in shares[:3] if options[name] is not None]
    if given:
        raise UsageError(
            f"playtest plan: {given[0]} plans without plays; leave out GAME and --plays, or {given[0]}"
        )
    return game.playtest_plan(**{name: value for name, value in options.items() if name not in shares})


def _pair(said: str | tuple[float, float] | None, between: str, option: str) -> tuple[float, float] | None:
    """`0.4..0.6` -> (0.4, 0.6)."""
    if said is None or not isinstance(said, str):
        return said
    parts = said.split(between)
    try:
        one, other = (float(part) for part in parts)
    except ValueError:
        one = other = -1.0
    if not (0 < one < 1 and 0 < other < 1) or (between == ".." and one >= other):
        raise UsageError(f"{option} {said}: give two shares from 0 to 1, such as 0.4{between}0.6")
    return one, other
