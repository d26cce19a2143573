"""`best`: the archive of best players, and how one gets into it."""

from bartizan.api.answer import Answer
from bartizan.api.options import Archive, Jobs, Level, Players, ScenarioName
from bartizan.api.question import GameQuestion, opt
from bartizan.api.reading import half_width, path_of
from bartizan.simcore.errors import UsageError
from bartizan.simcore.limits import MOST_GAMES


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

        if self.admit and not self.name:
            raise UsageError(
                f"best --admit {self.admit}: to which game? bartizan best GAME --admit {self.admit}"
            )
        if not self.name:
            return best.of_all_games()
        own = path_of(self.archive)
        if self.admit is None:
            return best.shown(self.request(self.scenario, players=self.players), self.role, own)
        request = self.request(self.scenario, self.difficulty, players=self.players)
        trial = best.Candidacy(self.admit, self.role, half_width(self.margin, "--margin"), own)
        return best.admit(request, self.effort(self.games, 0, self.jobs), trial)
