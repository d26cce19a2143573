"""Simulating a game while you edit it: `watch`."""

from collections.abc import Iterator

from bartizan.api import answers, options
from bartizan.api.question import GameQuestion, HelpSection, opt
from bartizan.api.reading import File
from bartizan.simcore import MOST_GAMES


class WatchQuestion(GameQuestion):
    """Simulate a game again whenever you save its rules or sheets.

    The command reports what the edit changed. Each version is compared with the game at the start, on common
    random numbers.
    """

    command = "watch"
    section = HelpSection.PLAY
    example = "bartizan watch my_game.py"
    has_document = False

    against: File | None = opt(
        "compare with the games in this folder (from run -o), with their seed and policies",
        default=None,
        metavar="DIR",
    )
    scenario: options.ScenarioName = None
    difficulty: options.Level = None
    policy: options.Policies = None
    players: options.Players = None
    set: options.Values = None
    games: int = opt("number of games after each save", default=2000, min=1, max=MOST_GAMES)
    seed: options.Seed = 1
    jobs: options.Jobs = None

    def answer(self) -> Iterator[str]:  # type: ignore[override]
        return answers.watch.watch(self)
