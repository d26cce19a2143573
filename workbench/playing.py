"""What a page hears while it is open: what is changed, figures that narrow, pictures now and then."""

from collections.abc import Generator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError
from time import perf_counter
from typing import Any

from bartizan.analyses.records.claims import Claim
from bartizan.reports.text import changes as changes_text
from bartizan.simcore.errors import UsageError
from bartizan.simcore.scenario.changes import changes_of
from bartizan.workbench import numbers, take_along
from bartizan.workbench.live import GameCache, Live, is_compiled
from bartizan.workbench.setting import OfferedGame, PageSetting, read_band, read_setting

Event = tuple[str, Any]
Events = Generator[Event, None, None]
MOST_PATIENCE = 100
TICK = 0.5  # seconds between two signs of life while code is compiled
FIRST_PICTURES = 1000  # games; then at every doubling
COMPILING, DRAWING = ThreadPoolExecutor(4, "compiling"), ThreadPoolExecutor(1, "drawing")


def events(offers: Mapping[str, OfferedGame], game_cache: GameCache, asked: Mapping[str, Any]) -> Events:
    """Reads what is asked at once, and refuses it; then plays as long as somebody listens."""
    now = read_setting(offers, asked.get("now"))
    pinned = read_setting(offers, asked["pinned"]) if asked.get("pinned") is not None else None
    if pinned and pinned.offer is not now.offer:
        raise UsageError("pinned: is a setting of another game")
    claim, patience = read_band(asked.get("target")), asked.get("patience", 0)
    if not isinstance(patience, int) or not 0 <= patience <= MOST_PATIENCE:
        raise UsageError(f"patience: a whole number from 0 to {MOST_PATIENCE}")
    return _played(Live(game_cache, now, pinned, patience), claim)


def _played(live: Live, claim: Claim | None) -> Events:
    yield "setting", setting_document(live.now)
    yield from _compiled(live)
    picture_thread, more = PictureThread(live), True
    while more:
        more = live.step()
        assert live.pair
        commands = take_along.commands(live.pair, live.now, live.pinned)
        figures = numbers.figures(live, claim)
        yield "figures", {**figures, "commands": commands, "seconds": round(live.seconds, 2)}
        yield from picture_thread.drawn(wait=not more)
    yield "rests", {"games": live.pair.now.games if live.pair else 0, "seconds": round(live.seconds)}


class PictureThread:
    """Draws beside the play: at first, and whenever the games have doubled."""

    def __init__(self, live: Live):
        self.live, self.games = live, 0
        self.future: Future | None = None

    def drawn(self, wait: bool) -> Events:
        """Pictures that have become ready. wait: those of the last games are waited for."""
        if self.future and (wait or self.future.done()):
            yield "pictures", self.future.result()
            self.future = None
        pair = self.live.pair
        assert pair
        if self.future is None and pair.games >= (
            self.games + 1 if wait else max(2 * self.games, FIRST_PICTURES)
        ):
            self.games = pair.games
            self.future = DRAWING.submit(numbers.pictures, pair)
            yield from self.drawn(True) if wait else ()


def _compiled(live: Live) -> Events:
    """Signs of life until the game's code is compiled."""
    since, was_there = perf_counter(), is_compiled(live.now)
    future: Future = COMPILING.submit(live.prepare)
    while True:
        try:
            future.result(TICK)
            return
        except TimeoutError:
            if not future.done():
                yield "compiling", {"seconds": round(perf_counter() - since), "first": not was_there}


def setting_document(setting: PageSetting) -> dict[str, Any]:
    """What is changed in the shipped scenario, in words."""
    rows = changes_of(setting.offer.game, setting.loaded)
    banner = setting.loaded.model.reconstruction
    return {
        "key": setting.key,
        "title": setting.loaded.model.title,
        "level": setting.loaded.difficulty,
        "changes": [{"path": row["path"], "words": changes_text.said(row)} for row in rows],
        "reconstruction": banner,
        "assumptions": setting.loaded.model.assumptions(),
    }
