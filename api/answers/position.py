"""`chance --at`: the chances from a position of a game."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from bartizan.analyses.experiments.position import FutureCondition, chances, condition
from bartizan.api.answer import Answer
from bartizan.api.caveats import shown
from bartizan.api.questions.chance import ChanceQuestion
from bartizan.api.questions.in_games import TraceQuestion
from bartizan.api.reading import texts
from bartizan.reports.views import position as views
from bartizan.simcore.arrays import Ints
from bartizan.simcore.errors import UsageError
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.position import FUTURES, Futures, GamePosition, reached, read, told
from bartizan.simcore.play.replay import action_words

FUTURES_PLAYED = 1_000  # unless --games says how many
MOST_TRIED = 20_000  # futures that are looked at for a condition
LEAST_MET = 20  # that meet it
MOMENT = re.compile(r"\b(seed|game|decision|turn|round)\s+(\d+)\b", re.IGNORECASE)
FILLING = re.compile(r"(\s|,|\bof\b|\bbefore\b|\bin\b)*", re.IGNORECASE)
NOT_A_PLACE = (
    'write "game 7, decision 12", "game 7 of seed 3, turn 2", a line that `bartizan trace --position` '
    "prints, or a file with one"
)


def answer(question: ChanceQuestion) -> Answer:
    """Estimate the win probabilities from the position that --at names."""
    place = _place(str(question.at))
    moment = _moment(place)
    if moment.get("seed", question.seed) != question.seed != 1:
        raise UsageError(
            f"--at names seed {moment['seed']}, but --seed is {question.seed}; remove one of them"
        )
    request = question.request()
    effort = question.effort(question.games or FUTURES_PLAYED, moment.get("seed"))
    game = request.game
    match = dealt(request.match(effort.seed, "chance --at: give one policy for each seat"))
    position = _reached(match, moment) if moment else read(match, place)
    changes = texts(question.if_)
    position = position.changed(changes) if changes else position
    effort.compiles(game, FUTURES)
    numbers, when = _futures(position, effort.games, question.when)
    moves = {} if when else _moves(position)
    played = Futures(
        match, position.moment, position.plies, position.seat, numbers, np.array(list(moves), np.int32)
    ).play(effort.workers)
    found = chances(position, changes, played, moves, when)
    document = views.document(match, found)
    return shown(game, document, partial(views.view, document))


def printed(question: TraceQuestion) -> Answer:
    """`trace --position`: return one line. Raises UsageError if the game ends before the position."""
    if question.html is not None:
        raise UsageError("--html: does not apply to --position; remove one of them")
    match = dealt(question.request().match(question.seed, "trace: give one policy for each seat"))
    position = reached(match, question.game, question.position)
    line = position.line()
    document = {"schema": "bartizan.position-line/1", "game": match.game.name, "position": line}
    return Answer(document, lambda: [line])


def dealt(match: Match) -> Match:
    """Return the match with states sampled from what each seat knows.

    Raises UsageError if the game does not define this.
    """
    engine = match.engine
    if not engine.can_deal:
        raise UsageError(
            engine.unknowable
            or f"{match.game.name}: does not define what a seat cannot know (Engine.determinize, see "
            "docs/adding-a-game.md), so a chance from a position would rest on hidden cards"
        )
    return replace(match, deals=True)


# ---------------------------------------------------------------- which position


def _place(text: str) -> str:
    """Return the text of --at, or the contents of the file it names."""
    try:
        return Path(text).read_text(encoding="utf-8").strip() if Path(text).is_file() else text.strip()
    except (OSError, UnicodeDecodeError):
        raise UsageError(f"--at {text}: cannot be read as text; {NOT_A_PLACE}") from None


def _moment(place: str) -> dict[str, int]:
    """Parse `game 7 of seed 3, turn 2` into numbers by name; {} for a line."""
    if not FILLING.fullmatch(MOMENT.sub("", place)):
        if "=" not in place:
            raise UsageError(f"--at {place!r}: {NOT_A_PLACE}")
        return {}
    moment = {name.lower(): int(number) for name, number in MOMENT.findall(place)}
    moments = {"decision", "turn", "round"} & set(moment)
    if "game" not in moment or len(moments) != 1:
        raise UsageError(f"--at {place!r}: {NOT_A_PLACE}")
    return moment


def _reached(match: Match, moment: Mapping[str, int]) -> GamePosition:
    turn = moment.get("turn", moment.get("round"))
    return reached(match, moment["game"], moment.get("decision"), turn)


# ---------------------------------------------------------------- which futures, which actions


def _futures(position: GamePosition, futures: int, text: str | None) -> tuple[Ints, FutureCondition | None]:
    """Return the numbers of the simulated futures; with a condition, only of those that meet it."""
    if text is None:
        return np.arange(futures, dtype=np.int64), None
    met: list[int] = []
    tried = 0
    for number, line in enumerate(told(position, range(MOST_TRIED))):
        tried += 1
        if text.lower() in line.lower():
            met.append(number)
        if len(met) == futures:
            break
    if len(met) < LEAST_MET:
        example = next((line for line in told(position, range(1)) if line), "nothing")
        raise UsageError(
            f"--when {text!r}: {len(met)} of {tried:,} futures have this text in the log of the next "
            f"decision; at least {LEAST_MET} are required; the first future has: "
            f"{' '.join(example.split())[:120]}"
        )
    return np.array(met, np.int64), condition(text, tried, len(met))


def _moves(position: GamePosition) -> dict[int, str]:
    """Describe the legal actions in words."""
    game = position.begun()
    return {int(action): action_words(game, int(action)) for action in game.legal()}
