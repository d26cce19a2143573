"""`watch`: simulate a game again whenever one of its files is saved, and report the effect of the edit.

Each result compares the current game with the game at the start of the command, or with saved games. The
comparison uses common random numbers: both sides have the same game numbers and seed, paired as in `compare`.
"""

import ast
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bartizan.analyses.records.quantities import summarize
from bartizan.api.answers.compare import of_cells
from bartizan.api.playing import play
from bartizan.api.questions.editing import WatchQuestion
from bartizan.api.reading import path_of
from bartizan.policies.request import Request
from bartizan.reports.text import changes, words
from bartizan.reports.views import compare as views
from bartizan.reports.views import run
from bartizan.simcore.compile import mistakes
from bartizan.simcore.compile.identity import MARK, Code
from bartizan.simcore.errors import BartizanError, UsageError, unforeseen
from bartizan.simcore.files import file_digest
from bartizan.simcore.game import Game, load_module, rotations
from bartizan.simcore.scenario.changes import differences
from bartizan.simcore.scenario.loading import Scenario, load_scenario
from bartizan.simcore.scenario.parameters import as_text
from bartizan.simcore.short.components import Deck
from bartizan.simcore.sources import read_once
from bartizan.simcore.sweep.plan import FILES, plan_of
from bartizan.simcore.sweep.store import Cell, open_sweep
from bartizan.simcore.sweep.verify import checked_sweep

TICK = 0.25  # seconds between two looks at the files
ENDED = "ended"
ONE_LOOK = (
    "Each interval is valid for one change. If you try many changes, the best one looks better than it "
    "is; compare the change that you keep again, with another --seed."
)


@dataclass(frozen=True)
class PlayedState:
    """A version of the game with its simulated games.

    rules: maps the name of each function or declaration to its syntax tree as text.
    """

    game: Game
    scenario: Scenario | None  # None for games that another command saved
    rules: dict[str, str]
    cells: tuple[Cell, ...]
    documents: list[dict[str, Any]]


def watch(question: WatchQuestion, tick: float = TICK) -> Iterator[str]:
    """Yield lines with the results of each saved version, until Ctrl-C.

    tick: seconds between looks at the files.

    Raises UsageError if the game cannot be simulated at the start.
    """
    try:
        with TemporaryDirectory(prefix="bartizan-") as folder:
            yield from Session(question, Path(folder), tick).lines()
    except KeyboardInterrupt:
        yield ENDED


class Session:
    """A watched game, and the games with which each result is compared."""

    def __init__(self, question: WatchQuestion, folder: Path, tick: float):
        self.question, self.folder, self.tick = question, folder, tick
        self.number = 0  # number of the last simulated version
        self.line_up: tuple[str, ...] = ()
        self.seatings: list[tuple[str, ...]] = []  # of the games that --against names
        self.against = path_of(question.against)
        for option in question.options if self.against else ():
            if option.name not in ("name", "against", "jobs") and question.has(option.name):
                raise UsageError(
                    f"watch: {option.typed} has no effect with --against, whose games define it; remove "
                    f"{option.typed}"
                )
        self.seed, self.games = question.seed, question.games
        self.request = question.request()

    def lines(self) -> Iterator[str]:
        self.base = self._kept(self.against) if self.against else None
        files = self._files()
        states = {
            path: _state(path) for path in files
        }  # before the simulation, so that a save during the simulation counts
        self.last = self._played()
        if self.base is None:
            self.base = self.last
            yield from run.lines(self.last.documents[0])
        else:
            yield from self._compared()
        yield f"watching {words.listing([path.name for path in files])}; press Ctrl-C to stop. {ONE_LOOK}"
        while True:
            states = self._saved(states)
            yield from self._again()
            states = {path: states[path] if path in states else _state(path) for path in self._files()}

    # ------------------------------------------------------------ files

    def _saved(self, states: dict[Path, str]) -> dict[Path, str]:
        """Wait until a file has changed and is no longer being written. Returns the digest of every file."""
        before = states
        while True:
            now = {path: _state(path) for path in states}
            if now != states and now == before:
                return now
            before = now
            time.sleep(self.tick)

    def _files(self) -> list[Path]:
        """Return the files that define the game: its code, its sheets, and the user's scenario and policies.

        Raises UsageError if there are none, as for a built-in game.
        """
        request, found = self.request, dict[Path, None]()
        if request.named.endswith(".py"):
            game = Path(request.named).resolve()
            found[game] = None
            try:
                found |= dict.fromkeys(Code(game).paths)
                module = load_module(game, "game")
            except (UsageError, OSError):  # while it is being edited, or replaced
                return list(dict.fromkeys([*found, *getattr(self, "files", ())]))
            found |= dict.fromkeys(vars(module)[MARK].data)
            decks = [deck for deck in vars(module).values() if isinstance(deck, Deck)]
            found |= dict.fromkeys(game.parent / deck.kinds for deck in decks if isinstance(deck.kinds, str))
        if request.scenario and request.scenario.endswith(".toml"):
            found[Path(request.scenario).resolve()] = None
        for text in request.policy:
            found |= {Path(name["file"]).resolve(): None for name in FILES.finditer(text)}
        if not found:
            raise UsageError(
                f"watch {request.named}: a built-in game cannot be edited; give a .py file, or a scenario "
                "file with --scenario"
            )
        self.files = list(found)
        return self.files

    # ------------------------------------------------------------ playing

    @read_once()
    def _played(self) -> PlayedState:
        """Simulate the game with its current files."""
        question, asked = self.question, self.request
        request = Request(
            asked.named, asked.scenario, asked.difficulty, asked.policy, asked.players, asked.sets
        )
        game, effort = request.game, question.effort(self.games, self.seed)
        self.line_up = self.line_up or request.line_up("watch")
        volume = (self.games, self.seed, question.command_line())
        plan = plan_of(game, request.named, request.scenario, request.leveled, self.line_up, *volume)
        if self.seatings and len(self.seatings[0]) == len(plan.cells[0].policies):
            cells = tuple(replace(plan.cells[0], policies=seating) for seating in self.seatings)
            plan = replace(plan, cells=cells)
        self.number += 1
        folder = self.folder / str(self.number)
        documents = play(folder, plan, game, effort)
        scenario = load_scenario(game, request.scenario, None, request.leveled)
        return PlayedState(game, scenario, _rules(request.named), tuple(open_sweep(folder).cells), documents)

    def _kept(self, folder: Path) -> PlayedState:
        """Return the games saved in a folder. Later simulations use their seed and policies.

        Raises UsageError for games of another game, of several settings, or of several line-ups.
        """
        opened = checked_sweep(folder)
        manifest, game = opened.manifest, self.request.game
        if manifest["game"] != game.name:
            raise UsageError(
                f"--against {folder}: contains games of {manifest['game']}, not of {game.name}; choose "
                "another folder"
            )
        first = opened.cells[0]
        if any((cell.set, cell.difficulty) != (first.set, first.difficulty) for cell in opened.cells):
            raise UsageError(
                f"--against {folder}: contains several settings; save one with: bartizan run "
                f"{self.request.named} -o DIR"
            )
        self.seatings = [tuple(policy["as_named"] for policy in cell.policies) for cell in opened.cells]
        self.line_up = self.seatings[0]
        if not set(self.seatings) <= set(rotations(self.line_up)):
            raise UsageError(
                f"--against {folder}: contains several line-ups; save one with: bartizan run "
                f"{self.request.named} --policy P -o DIR"
            )
        self.seed, self.games = manifest["seed"], first.games
        sets = {path: as_text(value) for path, value in first.set.items()}
        self.request = Request(
            self.request.named, manifest["scenario_as_named"], first.difficulty, self.line_up, None, sets
        )
        documents = [_kept_document(cell, manifest) for cell in opened.cells]
        return PlayedState(game, None, {}, tuple(opened.cells), documents)

    # ------------------------------------------------------------ saying

    def _again(self) -> Iterator[str]:
        """Simulate again after a save, and yield lines about the changes, or one line about an error."""
        try:
            state = self._played()
            saved = self._changed(self.last, state)
            self.last = state
            told = [row["edited"] if "edited" in row else changes.said(row) for row in saved]
            yield f"saved: {'; '.join(told) or 'no number or rule has changed'}"
            if saved:
                yield from self._compared()
        except BartizanError as error:
            yield f"error: {' '.join(str(error).split())}"
        except Exception as error:  # a file that is being written can raise anything
            text = mistakes.sentence(error) if mistakes.place_of(error) else unforeseen(error)
            yield f"error: {' '.join(text.split())}"

    def _compared(self) -> Iterator[str]:
        """Yield lines that compare the last version with the base version."""
        base, state = self.base, self.last
        assert base is not None
        changed = self._changed(base, state)
        if not changed:
            yield "the same as at the start"
            return
        before, now = (len(side.cells[0].policies) for side in (base, state))
        since = f"in {self.against.name}" if self.against else "at the start"
        why = f"the game had {before} seats {since} and has {now} now"
        if before == now:
            why = f"its seats were {'different' if state.game.alike else 'identical'} {since}"
        if before != now or len(base.cells) != len(state.cells):
            yield f"no comparison, because {why}"
            yield from run.lines(state.documents[0])
            return
        has_levels = len(self.request.loaded.model.difficulties()) > 1
        sides = (base.documents, state.documents)
        document = of_cells(state.game, (base.cells, state.cells), sides, changed, has_levels)
        yield views.view(document).sentence

    def _changed(self, before: PlayedState, after: PlayedState) -> list[dict[str, Any]]:
        """Return the changed values and the edited rules, as rows of a `compare` document."""
        if self.against and (before.scenario is None or after.scenario is None):
            return [_row("the current game", f"as saved in {self.against.name}", "the game")]
        assert before.scenario and after.scenario
        rows = differences(after.game, before.scenario, after.scenario)
        told = {row["path"].split(".")[0] for row in rows} | {row["path"].split(".")[-1] for row in rows}
        names = sorted(
            name
            for name in before.rules.keys() | after.rules.keys()
            if before.rules.get(name) != after.rules.get(name) and name not in told
        )
        listed = words.listing(names)
        return [*rows, *([_row(f"{listed} as edited", "as before", f"{listed} edited")] if names else [])]


def _row(now: str, before: str, edited: str) -> dict[str, Any]:
    """Return the row of an edited rule. now, before: descriptions, because rules have no values."""
    return {"path": "rules", "what": "rules", "from": before, "to": now, "unit": "{}", "edited": edited}


def _state(path: Path) -> str:
    """Return the digest of a file; "" if it is missing, for example while a program replaces it."""
    try:
        return file_digest(path)
    except OSError:
        return ""


def _kept_document(cell: Cell, manifest: dict[str, Any]) -> dict[str, Any]:
    """Return the document fields of saved games that a comparison needs."""
    return {
        "game": manifest["game"],
        "title": manifest["title"],
        "changes": cell.changes,
        "scenario": cell.scenario,
        "scenario_hash": cell.scenario_hash,
        "difficulty": cell.difficulty,
        "policies": [policy["name"] for policy in cell.policies],
        "games": cell.games,
        "seed": manifest["seed"],
        **summarize(cell.scan(), cell),
        "assumed": cell.assumed,
        "confidence": cell.confidence,
        "assumptions": cell.assumptions,
        **({"banner": cell.banner} if cell.banner else {}),
    }


def _rules(named: str) -> dict[str, str]:
    """Map each function or declaration in the game's files to its syntax tree as text, without docstrings."""
    if not named.endswith(".py"):
        return {}
    rules: dict[str, str] = {}
    root = Path(named).resolve()
    for path in Code(root).paths:
        for node in ast.parse(path.read_bytes()).body:
            for name in _names(node):
                shown = name if path == root else f"{name} ({path.name})"
                rules[shown] = ast.dump(_without_docstring(node))
    return rules


def _names(node: ast.stmt) -> Sequence[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [one.id for target in targets if target for one in ast.walk(target) if isinstance(one, ast.Name)]


def _without_docstring(node: ast.stmt) -> ast.stmt:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
        node.body = node.body[1:] or [ast.Pass()]
    return node
