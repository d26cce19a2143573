"""Simulation of games that records everything that occurs: legal and chosen actions, and events.

It also computes fingerprints, which differ if any decision differs.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from bartizan.simcore.compile import rules as contract
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.loops import Loop, array, types
from bartizan.simcore.compile.rules import PLAYING, apply, note_events
from bartizan.simcore.game import Engine
from bartizan.simcore.kit import journal
from bartizan.simcore.play.match import Experiment
from bartizan.simcore.play.step import begin_game, decide, write_row
from bartizan.simcore.rng import GOLDEN, mix
from bartizan.simcore.scenario.loading import Scenario

CHUNK_GAMES = 50
ENTRY = 5  # numbers in a log entry: game, event, and three details
ACTION = -1  # an entry for an action: the action, the seat; every other entry is an event of the game's log
ROOM = 1 << 16  # initial number of log entries; it grows as needed
CHOICES, OFFERS, RECORD = range(3)  # words of a game: its decisions, its legal actions, its outcome
WORDS = 3


def note_offer(workspace, note, arguments):
    """Add the legal actions to the fingerprint in `note`, and mark their kinds as offered."""
    word = note.words[OFFERS]
    for k in range(workspace.n_legal):
        action = workspace.legal[k]
        word = mix(word ^ (np.uint64(action) + GOLDEN))
        kind = action // arguments
        if kind < note.offered.shape[0]:
            note.offered[kind] = 1
    note.words[OFFERS] = mix(word + GOLDEN)


def play_coverage(states, tables, policies, workspaces, first_game, notes, arguments, log):
    """Simulate `len(notes)` games numbered from `first_game`, and note their actions, events and outcomes.

    notes: array of `notes_dtype`, initially 0. arguments: number of action codes per kind of action. log:
    int32 [entry, ENTRY]; its length is 0 if nothing is logged. Stops at the first game that does not fit in
    the log. Returns the number of complete games and the number of their log entries.
    """
    state, workspace = states[0], workspaces[0]
    n = 0
    for i in range(notes.shape[0]):
        before, note = n, notes[i]
        plies = begin_game(states, tables, workspace, first_game + i)
        n = note_events(state, log, n, i)
        while state.end_reason == PLAYING:
            seat = state.to_move
            action = decide(state, tables, policies, workspace, plies)
            if state.end_reason != PLAYING:
                break
            note_offer(workspace, note, arguments)
            note.words[CHOICES] = mix(note.words[CHOICES] ^ (np.uint64(action) + GOLDEN))
            if n < log.shape[0]:
                log[n, 0], log[n, 1], log[n, 2], log[n, 3], log[n, 4] = i, ACTION, action, seat, 0
            n += 1
            apply(state, tables, action)
            n = note_events(state, log, n, i)
            plies += 1
        write_row(state, tables, plies, note.record)
        if workspace.is_illegal or n > log.shape[0] > 0:
            return i, before
    return notes.shape[0], n


@cache
def notes_dtype(engine: Engine) -> np.dtype:
    """Return the dtype of the notes on one game.

    They are fingerprints, offered kinds of action, and the game's record.
    """
    kinds = 1 + max(engine.acts.values(), default=0)
    return np.dtype(
        [
            ("words", "u8", (WORDS,)),  # they change if a decision, an offer or the outcome does
            ("offered", "u1", (kinds,)),  # whether an action of the kind was ever legal
            ("record", engine.record_dtype),
        ],
        align=True,
    )


def _events_of(engine: Engine) -> dict:
    """Return {"note_events": rule that copies the game's log of events}.

    The rule does nothing in a game without a log.
    """
    fields = engine.state_dtype.names
    reads = journal.note_events if {"events", "n_events"} <= set(fields) else jit(contract.note_events)
    return {"note_events": reads}


COVERAGE = Loop(
    play_coverage, lambda engine, seats: (array(notes_dtype(engine)), types.int64, array("i4", 2)), _events_of
)


@dataclass(frozen=True)
class NotedGames:
    """Notes on consecutive games, and a log of their actions and events."""

    notes: np.ndarray  # see `notes_dtype`
    log: np.ndarray  # int32 [entry, ENTRY]: game from 0, event, and its details from the engine


class CoveredMatch(Experiment):
    """Simulation of a match that notes everything that occurs in its games."""

    loop = COVERAGE

    def words(self, games: range) -> np.ndarray:
        """Simulate games without a log, and return their fingerprints: uint64 [game, WORDS]."""
        return self._played(games, np.zeros((0, ENTRY), np.int32)).notes["words"]

    def noted(self, games: range) -> NotedGames:
        """Simulate games, and return notes of everything that occurs in them."""
        parts, done, room = [], 0, ROOM
        while done < len(games):
            part = self._played(games[done:], np.zeros((room, ENTRY), np.int32))
            part.log[:, 0] += done
            parts.append(part)
            done, room = done + len(part.notes), room if len(part.notes) else 2 * room
        notes, logs = np.concatenate([part.notes for part in parts]), [part.log for part in parts]
        return NotedGames(notes, np.concatenate(logs))

    def _played(self, games: range, log: np.ndarray) -> NotedGames:
        """Simulate games until the log is full, and return the notes on complete games.

        A log of length 0 is never full.
        """
        engine = self.match.engine
        notes = np.zeros(len(games), notes_dtype(engine))
        done, entries = self.compiled.run(games.start, notes, engine.arguments, log)
        notes["words"][:, RECORD] = fingerprints(notes["record"], engine, self.match.scenario)
        return NotedGames(notes[:done], log[: min(entries, len(log))])


# ---------------------------------------------------------------- fingerprints

# Hashes of data: one word per record, to compare the same games under two scenarios.


def fingerprints(rows: np.ndarray, engine: Engine, scenario: Scenario) -> np.ndarray:
    """Return one uint64 per record, which changes if any column or the tier of the score changes."""
    size = rows.dtype.itemsize
    padded = np.zeros((len(rows), -(-size // 8) * 8), np.uint8)
    padded[:, :size] = np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), size)
    least = np.sort(np.array(list(engine.tiers(scenario).values()), np.int64))
    tiers_reached = np.searchsorted(least, rows["score"].astype(np.int64), side="right")
    word = tiers_reached.astype(np.uint64)
    for column in padded.view(np.uint64).T:
        word = mix.py_func(word ^ (column + GOLDEN))
    return word
