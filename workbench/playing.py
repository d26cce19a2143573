"""Events for an open page (changes, updated intervals, charts) and exports from the page.

The exports are the commands that give the same results, and a scenario file with the changes.
"""

import shlex
import tempfile
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError
from pathlib import Path
from typing import Any

from bartizan.analyses.records.claims import Claim
from bartizan.policies.request import name_in_commands
from bartizan.reports.text import changes as changes_text
from bartizan.simcore.errors import ScenarioError, UsageError
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.scenario.parameters import as_text, get, title
from bartizan.simcore.toml import document
from bartizan.workbench import numbers
from bartizan.workbench.live import GameCache, Live, PairedGames, compilation_document, compilation_of
from bartizan.workbench.setting import OfferedGame, PageSetting, read_band, read_setting

Event = tuple[str, Any]
Events = Generator[Event, None, None]
MOST_PATIENCE = 100
TICK = 0.5  # seconds between progress events during compilation
FIRST_PICTURES = 1000  # games before the first pictures; then at every doubling
COMPILING, DRAWING = ThreadPoolExecutor(4, "compiling"), ThreadPoolExecutor(1, "drawing")


def events(offers: dict[str, OfferedGame], game_cache: GameCache, asked: Mapping[str, Any]) -> Events:
    """Parse a request, and return the events of its simulation, which runs as long as the page listens.

    Raises UsageError for an invalid request, before the first event.
    """
    now = read_setting(offers, asked.get("now"))
    pinned = read_setting(offers, asked["pinned"]) if asked.get("pinned") is not None else None
    if pinned and pinned.offer.name != now.offer.name:
        raise UsageError("pinned: this setting belongs to another game; pin a setting of the current game")
    claim, patience = read_band(asked.get("target")), asked.get("patience", 0)
    if not isinstance(patience, int) or not 0 <= patience <= MOST_PATIENCE:
        raise UsageError(f"patience: write an integer from 0 to {MOST_PATIENCE}")
    return _played(Live(game_cache, now, pinned, patience), claim)


def _played(live: Live, claim: Claim | None) -> Events:
    yield "setting", setting_document(live.now)
    yield from _compiled(live)
    picture_thread, more = PictureThread(live), True
    while more:
        more = live.step()
        assert live.pair
        commands = taken_along(live.pair, live.now, live.pinned)
        figures = numbers.figures(live, claim)
        yield "figures", {**figures, "commands": commands, "seconds": round(live.seconds, 2)}
        yield from picture_thread.drawn(wait=not more)
    yield "rests", {"games": live.pair.now.games if live.pair else 0, "seconds": round(live.seconds)}


class PictureThread:
    """Draws charts during the simulation: after FIRST_PICTURES games, and after each doubling."""

    def __init__(self, live: Live):
        self.live, self.games = live, 0
        self.future: Future[dict[str, Any]] | None = None

    def drawn(self, wait: bool) -> Events:
        """Yield the charts that are finished.

        wait: also draw the charts of all games so far, and wait for them.
        """
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
    """Yield progress events until the game's code is compiled."""
    with compilation_of(live.now) as compilation:
        future: Future[None] = COMPILING.submit(live.prepare)
        while True:
            try:
                return future.result(TICK)
            except TimeoutError:
                if not future.done():
                    yield "compiling", compilation_document(compilation)


def setting_document(setting: PageSetting) -> dict[str, Any]:
    """Return a setting as a document.

    The document contains the key, title, level and assumptions, and describes the changes from the built-in
    scenario in words.
    """
    rows = changes_of(setting.offer.game, setting.loaded)
    banner = setting.loaded.model.reconstruction
    return {
        "key": setting.key,
        "version": setting.offer.version,
        "title": setting.loaded.model.title,
        "level": setting.loaded.difficulty,
        "changes": [{"path": row["path"], "words": changes_text.said(row)} for row in rows],
        "reconstruction": banner,
        "assumptions": setting.loaded.model.assumptions(),
    }


# ---------------------------------------------------------------- exports


MISSING = object()


def taken_along(pair: PairedGames, now: PageSetting, pinned: PageSetting | None) -> dict[str, str]:
    """Return the commands that give the same results.

    `run` gives the win rate, and `compare` the difference. If the result of `compare` would differ, `pinned`,
    which runs the pinned setting, replaces it.
    """
    commands = {"run": run_command(now, pair.now.games, pair.now.seed)}
    if pair.pinned and pinned:
        is_same_table = now.offer.name == pinned.offer.name and now.players == pinned.players
        # `compare` rotates a line-up of different players, so its result differs
        is_turned = now.offer.game.alike and len({*now.seated, *pinned.seated}) > 1
        if is_same_table and not is_turned:
            commands["compare"] = compare_command(now, pinned, pair.games, pair.now.seed)
        else:
            commands["pinned"] = run_command(pinned, pair.games, pair.now.seed)
    return commands


def run_command(setting: PageSetting, games: int, seed: int) -> str:
    return _line("run", setting, ["--games", str(games), "--seed", str(seed)])


def _line(command: str, setting: PageSetting, more: list[str]) -> str:
    named = name_in_commands(setting.offer.game)
    return shlex.join(["bartizan", command, named, *setting.request.words(), *more])


def compare_command(now: PageSetting, pinned: PageSetting, games: int, seed: int) -> str:
    changes = [word for change in _changes(now, pinned) for word in ("--change", change)]
    return _line("compare", pinned, [*changes, "--games", str(games), "--seed", str(seed)])


def _changes(now: PageSetting, pinned: PageSetting) -> Iterator[str]:
    """Yield the changes from the pinned setting to the current one, as values of `--change`."""
    if now.scenario != pinned.scenario:
        yield f"scenario={now.scenario}"
    if now.loaded.difficulty != pinned.loaded.difficulty:
        yield f"difficulty={now.loaded.difficulty}"
    for path, value in {**dict.fromkeys(pinned.sets, MISSING), **now.sets}.items():
        wanted = get(now.loaded.data, path) if value is MISSING else value
        if path not in pinned.sets or pinned.sets[path] != wanted:
            yield f"{path}={as_text(wanted)}"
    for role, was, policy in zip(now.roles, pinned.seated, now.seated, strict=False):
        if policy != was:
            yield f"policy={policy}" if len(now.roles) == 1 else f"policy={role}={policy}"


# ---------------------------------------------------------------- scenario files


def scenario_file(setting: PageSetting, name: str) -> str:
    """Return the text of a scenario file that extends the original one.

    Raises ScenarioError if a file cannot express the changes.
    """
    head = {
        "extends": setting.request.scenario,
        "name": name,
        "title": f"{setting.loaded.model.title}, {name.replace('-', ' ')}",
    }
    if setting.level:
        head["difficulty"] = setting.level
    players = {setting.offer.game.players_path: setting.players} if setting.players is not None else {}
    tables: dict[str, dict[str, Any]] = {}
    for path, value in {**players, **setting.sets}.items():
        table, _, key = path.rpartition(".")
        tables.setdefault(table, {})[key] = value
    text = document(head, tables)
    # the file must give the same games as on the page
    with tempfile.TemporaryDirectory(prefix="bartizan-") as folder:
        file = Path(folder) / "saved.toml"
        file.write_text(text, encoding="utf-8")
        saved = load_scenario(setting.offer.game, str(file))
    if saved.hash == setting.loaded.hash:
        return text
    paths = [one for one in setting.sets if get(saved.data, one) != setting.sets[one]]
    raise ScenarioError(
        f"{', '.join(paths) or title(setting.scenario)}: cannot be written as a file that extends "
        f"{setting.scenario}, because a reading of a ruling sets it again, or its table keeps values "
        "that the change omits; use the command instead"
    )
