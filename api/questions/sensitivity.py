"""`sensitivity`: which numbers move the result, and which conclusions stand whatever they are."""

from collections.abc import Mapping
from typing import Any

from bartizan.api.answer import Answer
from bartizan.api.options import Cluster, Jobs, Level, Players, Policies, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, Question, opt, out_opt
from bartizan.api.reading import File, Names
from bartizan.simcore.game import MOST_GAMES


class SensitivityQuestion(GameQuestion):
    """Which numbers move the result, and which conclusions stand whatever they are?"""

    command = "sensitivity"
    example = "bartizan sensitivity itter --difficulty elite --assumed --one-level --games 2000"
    kept_as = "sensitivity"

    assumed: bool = opt(
        "only guesses: values that are assumed, rulings that are assumed or inferred", default=False
    )
    path: Names = opt(
        "only values below this path, such as turn or card.ogre; repeat for several",
        default=None,
        metavar="PREFIX",
    )
    range: str | float = opt("how far numbers are varied, up and down", default="25%", metavar="25%")
    decks: int = opt("random draws of all values at once", default=32, min=0, max=10_000)
    effects: int = opt(
        "the K most influential: what each does over the others, and together; try 6",
        default=0,
        metavar="K",
        min=0,
        max=20,
    )
    settings: int = opt("random settings of these, with --effects", default=200, min=20, max=100_000)
    levels: bool = opt(
        "play every level too, where there are several: are harder ones harder whatever the values?",
        default=True,
        off="--one-level",
    )
    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Policies = None
    players: Players = None
    set: Values = None
    games: int = opt("games a variation", default=2000, min=2, max=MOST_GAMES)
    seed: Seed = 1
    jobs: Jobs = None
    cluster: Cluster = None
    top: int = opt("influences that are listed", default=20, min=1, is_kept=False)
    out: File | None = out_opt(
        "FILE.json|DIR", "write the document, or add it to this sweep's folder, for its report", default=None
    )

    @staticmethod
    def key(document: Mapping) -> list[Any]:
        return [*Question.key(document), document.get("range"), [knob["path"] for knob in document["knobs"]]]

    def answer(self) -> Answer:
        from bartizan.api.answers import sensitivity

        return sensitivity.answer(self)
