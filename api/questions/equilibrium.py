"""`equilibrium`: what a game between two unlike sides is worth, by best responses in turn."""

from bartizan.api.answer import Answer
from bartizan.api.options import Jobs, Level, Players, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, opt, out_opt
from bartizan.api.reading import File, Names


class EquilibriumQuestion(GameQuestion):
    """What is a game between two unlike sides worth, when each answers the other's best play?"""

    command = "equilibrium"
    example = "bartizan equilibrium itter --scenario competitive -o itter.json"

    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Names = opt(
        "who else is there, beside each side's default; repeat for several", default=None, metavar="role=P|P"
    )
    rounds: int = opt(
        "rounds of training; fewer where neither side gains any more", default=3, min=1, max=1000
    )
    generations: int = opt("steps of the search", default=30, min=1, max=10_000)
    games: int = opt("games of a pair, and of a candidate of a search", default=2000, min=10, max=1_000_000)
    fresh: int = opt("games that tell what a best response gains", default=10_000, min=100, max=10_000_000)
    draw: float = opt(
        "what a draw counts for the first side; the second gets the rest", default=0.0, min=0, max=1
    )
    seed: Seed = 1
    set: Values = None
    players: Players = None
    jobs: Jobs = None
    out: File | None = out_opt(
        "FILE.json",
        "keep everything; the same command goes on from there, with more --rounds further",
        default=None,
    )
    weights: File | None = opt(
        "where the weights of those who join are written; beside -o unless given", default=None, metavar="DIR"
    )

    def answer(self) -> Answer:
        from bartizan.api.answers import equilibrium

        return equilibrium.answer(self)
