"""Longer commands that the page starts, with progress and cancellation."""

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, TimeoutError
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from threading import Event as Flag
from typing import Any, TypeVar

from bartizan import api
from bartizan.analyses.experiments.tuning import HIT
from bartizan.api.answer import Answer
from bartizan.policies.registry import NEWCOMER
from bartizan.simcore.errors import BartizanError, UsageError, unforeseen
from bartizan.simcore.scenario.parameters import as_text
from bartizan.simcore.watch import Watch
from bartizan.workbench.playing import Events
from bartizan.workbench.setting import OfferedGame, PageSetting, influences, read_band, read_setting

Chunk = TypeVar("Chunk")

TICK = 0.4  # seconds between progress events
WORKING = ThreadPoolExecutor(2, "question")
GUESS_GAMES, TUNE_GAMES, FRESH, NEWCOMER_GAMES, SWEEP_GAMES = 400, 4000, 10_000, 1000, 10_000
MOST_NUMBER = 10_000_000  # largest number of a game to watch
FUTURES = 400  # simulated futures per action in a position
DECISION = re.compile(r"game \d{1,8} of seed 1, decision \d{1,6}")


class Ended(Exception):
    """Raised when the page no longer waits for an answer."""


class PageWatch(Watch):
    """Watch that records the progress of a command, and stops the command when the page no longer waits."""

    def __init__(self) -> None:
        self.done, self.total, self.notes = 0, 0, list[str]()
        self.ended = Flag()

    def is_seen(self) -> bool:
        return True

    def note(self, line: str) -> None:
        self.notes.append(line)

    def compiling(self, what: str, duration: str) -> None:
        self.notes.append(f"compiling {what} for this machine: {duration}")

    @contextmanager
    def progress(self, name: str, games: int) -> Iterator[Callable[[Any], None]]:
        def watch(progress: Any) -> None:
            self.done, self.total = progress.games_done, progress.games_total or games
            self.heed()

        yield watch

    def track(self, chunks: Iterable[Chunk], games: int, each: int, doing: str) -> Iterable[Chunk]:
        for number, chunk in enumerate(chunks):
            self.done, self.total = min(number * each, games), games
            self.heed()
            yield chunk

    def heed(self) -> None:
        if self.ended.is_set():
            raise Ended


class MadePages:
    """Pages generated for the user, each under an unguessable ID. They are deleted when the server stops."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="bartizan-")
        self.made: dict[str, Path] = {}

    def place(self, suffix: str = "") -> tuple[str, Path]:
        """Return the ID and the path of a new page."""
        number = token_urlsafe(9)
        self.made[number] = Path(self.folder.name) / f"{number}{suffix}"
        return number, self.made[number]


@dataclass(frozen=True, eq=False)
class PageQuestion:
    """A longer question from the page, and the setting that it is about."""

    setting: PageSetting
    asked: Mapping[str, Any]
    watch: PageWatch
    made_pages: MadePages

    @property
    def game(self) -> api.Playtest:
        return api.game(self.setting.offer.named, watch=self.watch)

    @property
    def shared(self) -> dict[str, Any]:
        """Options common to all commands."""
        request = self.setting.request
        options = {"scenario": request.scenario, "difficulty": request.difficulty, "players": request.players}
        return {**options, "policy": list(request.policy) or None, "set": dict(request.sets)}


PageAnswer = tuple[Answer, str | None]  # answer, ID of a generated page


def events(offers: dict[str, OfferedGame], made_pages: MadePages, asked: Mapping[str, Any]) -> Events:
    """Parse a request, and return the events of its command.

    The command runs until it has an answer or the page stops waiting. Raises UsageError for an invalid
    request, before the first event.
    """
    kind, setting = asked.get("kind"), read_setting(offers, asked.get("now"))
    if not isinstance(kind, str) or kind not in ASKING:
        raise UsageError(f"kind: use one of {', '.join(ASKING)}")
    question = PageQuestion(setting, asked, PageWatch(), made_pages)
    return _worked(question, ASKING[kind](question))


def _worked(question: PageQuestion, answer: Callable[[], PageAnswer]) -> Events:
    future = WORKING.submit(answer)
    try:
        while not future.done():
            try:
                future.result(TICK)
            except TimeoutError:
                watch = question.watch
                yield "progress", {"done": watch.done, "total": watch.total, "notes": watch.notes[-3:]}
            except Exception:
                break
        yield _ended_with(future, question.asked.get("path"))
    finally:
        question.watch.ended.set()


def _ended_with(future: Any, path: Any) -> tuple[str, Any]:
    try:
        answer, page = future.result()
    except BartizanError as error:
        return "refused", {"line": " ".join(str(error).split())}
    except Exception as error:
        return "refused", {"line": unforeseen(error)}
    document = answer.to_dict()
    is_search = "winner" in document and "knob" in document
    return "answer", {
        "lines": [] if page else list(answer.lines()),
        "page": page,
        "best": document["winner"]["value"] if is_search else None,
        "is_hit": document.get("verdict") == HIT,
        "influences": influences(document) if "influences" in document else None,
        "path": path,
    }


# ---------------------------------------------------------------- questions


def _guesses(question: PageQuestion) -> Callable[[], PageAnswer]:
    assumed = question.asked.get("assumed", True) is True
    options = {**question.shared, "assumed": assumed, "levels": False, "decks": 0, "games": GUESS_GAMES}
    return lambda: (question.game.sensitivity(**options), None)


def _hit(question: PageQuestion) -> Callable[[], PageAnswer]:
    """Return a function that tunes one value within a range, to reach the target band.

    Raises UsageError for a value that the page does not offer, and for an invalid range or target.
    """
    path, band = question.asked.get("path"), read_band(question.asked.get("target"))
    if band is None or band.band is None:
        raise UsageError("target: set a target band first")
    low, high = (_end(question.setting, path, question.asked.get(key)) for key in ("low", "high"))
    if low >= high:
        raise UsageError(
            f"{path}: the lower end, {as_text(low)}, must be below the upper end, {as_text(high)}"
        )
    shared = question.shared
    shared["set"].pop(path, None)
    ends = "..".join(f"{end:g}" for end in band.band)
    knob, target = f"{path}={as_text(low)}:{as_text(high)}", f"win_rate={ends}"
    return lambda: (
        question.game.tune(**shared, knob=knob, target=target, games=TUNE_GAMES, fresh=FRESH),
        None,
    )


def _end(setting: PageSetting, path: Any, value: Any) -> float:
    known = setting.offer.values(setting.unchanged)
    if not isinstance(path, str) or path not in known or not isinstance(known[path].value, (int, float)):
        raise UsageError(f"path: the page has no number {str(path)[:80]}")
    alone = {
        "game": setting.offer.name,
        "scenario": setting.scenario,
        "level": setting.level,
        "players": setting.players,
    }
    read_setting({setting.offer.name: setting.offer}, {**alone, "set": {path: value}})
    return float(value)


def _newcomer(question: PageQuestion) -> Callable[[], PageAnswer]:
    if any(NEWCOMER not in question.setting.offer.policies(role) for role in question.setting.roles[:1]):
        raise UsageError(
            f"{question.setting.offer.name}: has no newcomer, because it does not define hidden "
            "information; choose another policy"
        )
    first, *others = question.setting.roles
    policies = [
        f"{first}={NEWCOMER}",
        *(f"{role}={text}" for role, text in zip(others, question.setting.seated[1:], strict=True)),
    ]
    shared = {**question.shared, "policy": policies if others else NEWCOMER}
    return lambda: (question.game.run(**shared, games=NEWCOMER_GAMES), None)


def _watched(question: PageQuestion) -> Callable[[], PageAnswer]:
    number = question.asked.get("number", 0)
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < MOST_NUMBER:
        raise UsageError(f"number: write the number of a game, 0 to {MOST_NUMBER - 1:,}")

    def made() -> PageAnswer:
        page, path = question.made_pages.place(".html")
        return question.game.trace(**question.shared, seed=1, game=number, html=path), page

    return made


def _position(question: PageQuestion) -> Callable[[], PageAnswer]:
    """Return a function that computes the win probabilities from one decision of a game of seed 1.

    Raises UsageError for any other text.
    """
    at = question.asked.get("at")
    if not isinstance(at, str) or not DECISION.fullmatch(at):
        raise UsageError("at: write a decision of a game, such as game 7 of seed 1, decision 12")
    return lambda: (question.game.chance(**question.shared, at=at, games=FUTURES), None)


def _report(question: PageQuestion) -> Callable[[], PageAnswer]:
    """Return a function that runs a sweep with the page's changes, and writes its report page."""
    levels = (
        question.setting.levels
        if question.asked.get("levels", True) is True
        else [question.setting.loaded.difficulty]
    )
    shared = {**question.shared, "difficulty": levels}

    def made() -> PageAnswer:
        _, folder = question.made_pages.place()
        page, path = question.made_pages.place(".html")
        question.game.sweep(**shared, games=SWEEP_GAMES, out=folder)
        return api.open(folder).report(path), page

    return made


ASKING: dict[str, Callable[[PageQuestion], Callable[[], PageAnswer]]] = {
    "guesses": _guesses,
    "hit": _hit,
    "newcomer": _newcomer,
    "watch": _watched,
    "position": _position,
    "report": _report,
}
