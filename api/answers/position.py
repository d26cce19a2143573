"""`chance --at`: the win probabilities from a position of a game."""

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from bartizan.analyses.experiments.position import (
    Exact,
    FutureCondition,
    ThrowChances,
    chances,
    condition,
    other_players,
    throw_chances,
)
from bartizan.analyses.games.castle import attack_chance
from bartizan.analyses.games.colditz import stake_chance
from bartizan.api.answer import Answer
from bartizan.api.caveats import shown
from bartizan.api.effort import Effort
from bartizan.api.questions.chance import ChanceQuestion
from bartizan.api.questions.in_games import TraceQuestion
from bartizan.api.questions.odds import throws_of
from bartizan.api.reading import texts
from bartizan.policies.registry import other_line_up
from bartizan.policies.request import Request, match_of
from bartizan.reports.views import position as views
from bartizan.simcore.arrays import Ints
from bartizan.simcore.documentation import page
from bartizan.simcore.errors import UsageError, as_spelled
from bartizan.simcore.files import check_output, quoted, write_atomic, writing
from bartizan.simcore.game import NUMBER_OF_PLAYERS
from bartizan.simcore.play.exact import log_chance
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.position import FUTURES, Futures, GamePosition, reached, read, told, written
from bartizan.simcore.play.position_changes import changed
from bartizan.simcore.play.position_file import read_file, template
from bartizan.simcore.play.replay import action_words

FUTURES_PLAYED = 1_000  # default of --games
MOST_TRIED = 20_000  # maximum number of futures tested for a condition
LEAST_MET = 20  # minimum number of futures that meet the condition
EXACT = {"do-or-die": stake_chance, "fight": attack_chance}  # event -> function of (position, action)
MOMENT = re.compile(r"\b(seed|game|decision|turn|round)\s+(\d+)\b", re.IGNORECASE)
FILLING = re.compile(r"(\s|,|\bof\b|\bbefore\b|\bin\b)*", re.IGNORECASE)
NOT_A_PLACE = (
    'write "game 7, decision 12", "game 7 of seed 3, turn 2", a line that `bartizan trace --position` '
    "prints, or a file with one"
)


def answer(question: ChanceQuestion) -> Answer:
    """Estimate the win probabilities from the position that `--at` describes."""
    place = _place(str(question.at))
    moment = _moment(place)
    if moment.get("seed", question.seed) != question.seed != 1:
        raise UsageError(
            f"--at contains seed {moment['seed']}, but --seed is {question.seed}; remove one of them"
        )
    request = question.request()
    effort = question.effort(question.games or FUTURES_PLAYED, moment.get("seed"))
    game = request.game
    match = dealt(request.match(effort.seed, "chance --at"))
    position = _reached(match, moment) if moment else _read(match, place, str(question.at))
    changes = texts(question.if_)
    position = _what_if(request, position, changes)
    match = position.match
    throw = _throw(question, position)
    others = [_other(match, text) for text in question.beside or ()]
    effort.compiles(game, FUTURES)
    numbers, when = _futures(position, effort.games, question.when)
    moves = _moves(position)
    # from all futures, because every future that meets a condition contains its text
    throws = throw(np.arange(effort.games, dtype=np.int64), moves) if throw else None
    if when:
        moves = {}
    played = _played(position, numbers, moves, effort)
    beside = []
    for other in others:
        there = replace(position, match=other)
        beside.append(other_players(other, _played(there, numbers, {}, effort)[0][:, 0]))
    found = chances(position, changes, played, moves, when, throws, beside)
    document = views.document(match, found)
    return shown(game, document, partial(views.view, document))


def _what_if(request: Request, position: GamePosition, changes: Mapping[str, str]) -> GamePosition:
    """Return the position with changed values on the table (`stake=10`) or in the rules (`goal=50`)."""
    fields, paths = written(position.match.engine), position.match.scenario.parameters()
    known = {one.path: one.path for one in paths} | {
        one.path.removeprefix("numbers."): one.path for one in paths if one.path.startswith("numbers.")
    }
    of_rules = {name: known[name] for name in changes if name in known and name not in fields}
    for name, path in of_rules.items():
        if path in (request.game.players_path, NUMBER_OF_PLAYERS):
            raise UsageError(
                f"--if {name}: the number of players of a position cannot change; remove --if {name}"
            )
    if of_rules:
        sets = {**request.sets, **{path: changes[name] for name, path in of_rules.items()}}
        position = replace(
            position, match=replace(position.match, scenario=replace(request, sets=sets).loaded)
        )
    table = {path: value for path, value in changes.items() if path not in of_rules}
    return changed(position, table, also=list(known)) if changes else position


def _played(
    position: GamePosition, numbers: Ints, moves: Mapping[int, str], effort: Effort
) -> tuple[np.ndarray, np.ndarray]:
    """Return the results of the simulated futures for each action, in the form of `Futures.play`."""
    actions = np.array(list(moves), np.int32)
    place = position.match, position.moment, position.plies, position.seat
    return Futures(*place, numbers, actions).play(effort.workers)


def _other(match: Match, text: str) -> Match:
    game = match.game
    line_up = other_line_up(game, tuple(player.named for player in match.players), [text])
    return dealt(match_of(game, match.scenario, game.seated(match.scenario, line_up), match.seed))


def printed(question: TraceQuestion) -> Answer:
    """Return the position as one line (`trace --position`), and write it to a file with `-o`.

    Raises UsageError if the game ends before the position.
    """
    if question.html is not None:
        raise UsageError("--html: does not apply to --position; remove one of them")
    match = dealt(question.request().match(question.seed, "trace"))
    position = reached(match, question.game, question.position)
    line = position.line()
    document = {"schema": "bartizan.position-line/1", "game": match.game.name, "position": line}
    if question.out is None:
        return Answer(document, lambda: [line])
    path = Path(question.out)
    if path.suffix != ".toml":
        raise UsageError(f"-o {path}: use a file name that ends in .toml")
    words = shlex.join([question.name, *question.request().words()])
    check_output(path, "-o")
    with writing(f"-o {path}"):
        write_atomic(path, template(position, words, path.name).encode())
    document["file"] = str(path)
    return Answer(
        document, lambda: [f"{path}: change its values, then bartizan chance {words} --at {quoted(path)}"]
    )


def dealt(match: Match) -> Match:
    """Return the match with hidden information sampled according to the knowledge of each seat.

    Raises UsageError if the game does not define its hidden information.
    """
    engine = match.engine
    if not engine.can_deal:
        raise UsageError(
            engine.unknowable
            or f"{match.game.name}: the game does not define hidden information (Engine.determinize, see "
            f"{page('adding-a-game')}), so an estimate from a position would use hidden cards"
        )
    return replace(match, deals=True)


# ---------------------------------------------------------------- which position


def _place(text: str) -> str:
    try:
        return Path(text).read_text(encoding="utf-8").strip() if Path(text).is_file() else text.strip()
    except (OSError, UnicodeDecodeError):
        raise UsageError(f"--at {text}: the file is not UTF-8 text; {NOT_A_PLACE}") from None


def _read(match: Match, place: str, named: str) -> GamePosition:
    """Read a position from a line, or from the text of a file. named: the value of `--at`."""
    if named.endswith(".toml"):
        return read_file(match, place, named)
    return read(match, place)


def _moment(place: str) -> dict[str, int]:
    """Parse `game 7 of seed 3, turn 2` into {"game": 7, "seed": 3, "turn": 2}.

    Returns {} for a position line.
    """
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
    """Return the numbers of the futures to simulate, and the condition (None without one).

    With a condition, only futures that meet it are returned. Raises UsageError if too few meet it.
    """
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
            f"decision, but {LEAST_MET} are required; use a more frequent text. The log of the first future "
            f"is: {' '.join(example.split())[:120]}"
        )
    return np.array(met, np.int64), condition(text, tried, len(met))


def _throw(
    question: ChanceQuestion, position: GamePosition
) -> Callable[[Ints, Mapping[int, str]], ThrowChances] | None:
    """Return a function that computes the share of futures with a success, for each action.

    A success is a successful throw, or a log that contains a text.

    Returns None without `--event` and `--when`.
    """
    event, log = question.event, question.when or ""
    exact: Exact = partial(log_chance, position, log)
    if event is not None:
        if question.when:
            raise UsageError("--when and --event are mutually exclusive; use one")
        game = position.match.game
        throws = throws_of(game.name) if game.is_builtin else {}
        known = [name for name, kind in throws.items() if kind.log]
        event = as_spelled(event, known)
        if event not in known:
            there = f"choose from: {', '.join(known)}" if known else "use --when with a text from its log"
            raise UsageError(f"--event {event}: {game.name} has no such throw or fight; {there}")
        log, exact = throws[event].log, partial(EXACT[event], position)
    if not log:
        return None

    def found(numbers: Ints, moves: Mapping[int, str]) -> ThrowChances:
        told_by = {action: list(told(position, numbers.tolist(), action)) for action in moves}
        rows = throw_chances(event or log, log, moves, told_by, exact)
        if event is not None and not rows.actions:
            raise UsageError(
                f"--event {event}: no legal action starts it in this position; choose another position"
            )
        return rows

    return found


def _moves(position: GamePosition) -> dict[int, str]:
    game = position.begun()
    return {int(action): action_words(game, int(action)) for action in game.legal()}
