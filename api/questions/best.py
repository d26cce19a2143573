"""`best`: the archive of best players, and how one gets into it."""

from bartizan.api.answer import Answer
from bartizan.api.options import Archive, Jobs, Level, Players, ScenarioName
from bartizan.api.question import GameQuestion, opt
from bartizan.simcore.game import MOST_GAMES


class BestQuestion(GameQuestion):
    """The best policy found for each level, table and role; --admit tests another on fresh seeds."""

    command = "best"
    example = "bartizan best itter --difficulty elite --admit garrison@elite.toml --archive mine.toml"

    name: str = opt(None, default="", metavar="[GAME]", is_argument=True, kw_only=False)
    admit: str | None = opt(
        "write it down as the best if a sequential test says so", default=None, metavar="POLICY"
    )
    difficulty: Level = None
    role: str | None = opt("which role; with --admit the first unless given", default=None)
    scenario: ScenarioName = None
    players: Players = None
    margin: str | float = opt(
        "with --admit: a gain of twice this is found; less may not be", default="0.5pp", metavar="0.5pp"
    )
    games: int = opt("with --admit: most pairs of games", default=40_000, min=16, max=MOST_GAMES)
    archive: Archive = None
    jobs: Jobs = None

    def answer(self) -> Answer:
        from bartizan.api.answers import best

        return best.answer(self)
