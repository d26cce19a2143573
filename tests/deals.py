"""Every way that luck can fall, in small games: what a seat may think, against what dealing anew makes of it. Exact.

`python -m tests.deals < games.json` with BARTIZAN_PLAIN=1: {name: {file, actions, sets}} -> {name: verdict}. Plain Python, so that
luck can be walked through like a tree: `rng.below` answers with every number in turn.

A seat has seen, at every decision, all of the state but cards that it does not see. Of all ways of luck under which the same actions can
be taken and the seat has seen the same, each weighs as much as it is likely: that is the true distribution of the state. A player's choice
of a card tells nothing about the rest of the hand (docs/short-games.md): each card of it that can be played is as likely.
"""

import itertools
import json
import sys
import tempfile
from collections import defaultdict
from contextlib import suppress
from fractions import Fraction
from math import prod
from pathlib import Path

import numpy as np

from bartizan.simcore import rng
from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.game import load_game, load_module
from bartizan.simcore.kit import piles
from bartizan.simcore.play.replay import set_up
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.short import components as c
from bartizan.simcore.short import words
from bartizan.simcore.short.reading import read

APART = {"luck", "luck_key", "events", "n_events", "last_group", "mixed_for", "is_unlooked", "done"}
TOGETHER = -1  # a viewer: all seats put what they know together, as for `shuffle_unseen`
CLASSES = 5  # of what may have been seen, so many are compared


class Luck:
    """A walk through the tree of luck: `below` takes the branches in turn."""

    def ways(self, play):
        """(played, its probability) for every way, where `play()` returns (played, how likely its choices are).

        Ways in which it raises Impossible are left out.
        """
        self.fixed = []
        while self.fixed is not None:
            self.taken, self.sizes = [], []
            with suppress(Impossible):
                played, chosen = play()
                yield played, Fraction(1, prod(self.sizes)) * chosen
            self.fixed = next_way(self.taken, self.sizes)

    def below(self, state, purpose, n):
        at = len(self.taken)
        self.taken.append(self.fixed[at] if at < len(self.fixed) else 0)
        self.sizes.append(int(n))
        return self.taken[-1]


def next_way(taken, sizes):
    for i in reversed(range(len(taken))):
        if taken[i] + 1 < sizes[i]:
            return [*taken[:i], taken[i] + 1]
    return None


class Impossible(Exception):
    """An action cannot be taken, or no deal fits."""


LUCK = Luck()
rng.below = piles.below = LUCK.below
words.ATTEMPTS = 1  # attempts are alike: what the first one finds, if it finds anything, is what the last one finds


class Small:
    """A short game under way."""

    def __init__(self, path: Path, actions: list, sets: dict):
        self.game = load_game(str(path))
        self.short = read(path, load_module(path, "game"))
        self.engine = self.game.compiled.followed()
        self.tables = as_records(self.engine.build_tables(load_scenario(self.game, None, None, sets)))[0]
        self.stacks = {name: part for name, part in self.short.components.items() if isinstance(part, c.Stack)}
        self.names = {part: name for name, part in self.stacks.items()}
        self.actions = [self.code(*action) for action in actions]

    def code(self, name: str, *arguments: int) -> int:
        kind = self.engine.acts[name]
        sizes = [argument.values for argument in next(one for one in self.short.actions if one.name == name).arguments]
        packed = 0
        for value, size in zip(arguments, sizes, strict=True):
            packed = packed * size + value
        return kind * self.engine.arguments + packed

    def card_of(self, action: int):
        """(the hand that an action names a card of, that card), if it does."""
        kind, packed = divmod(int(action), self.engine.arguments)
        for argument in reversed(self.short.actions[kind].arguments):
            packed, value = divmod(packed, argument.values)
            if isinstance(argument.over, c.Hand):
                return argument.over, value
        return None

    def choice(self, row, action: int, legal) -> Fraction:
        """How likely the card of an action is, among the cards of the hand that could be played in its stead."""
        if self.card_of(action) is None:
            return Fraction(1)
        hand, card = self.card_of(action)
        kind = action // self.engine.arguments
        others = {self.card_of(other)[1] for other in legal if other // self.engine.arguments == kind}
        held = [one for one in self.cards(row, hand, int(row["me"])) if one in others]
        return Fraction(held.count(card), len(held))

    def play(self, viewers: list[int]):
        """((what each viewer has seen, the state), how likely the cards that were chosen are)."""
        states = new_states(self.engine)
        state = set_up(self.engine, states, self.tables, 1, 0)
        seen, room = ([[self.seen(states[0], viewer) for viewer in viewers]], np.zeros(self.engine.max_legal, np.int32))
        likely = Fraction(1)
        for action in self.actions:
            if state.end_reason:
                raise Impossible
            legal = room[: self.engine.legal_actions(state, self.tables, room)]
            if action not in legal:
                raise Impossible
            likely *= self.choice(states[0], action, legal)
            self.engine.apply(state, self.tables, np.int32(action))
            seen.append([self.seen(states[0], viewer) for viewer in viewers])
        return ([tuple(one) for one in zip(*seen, strict=True)], states.copy()), likely

    def cards(self, row, part, owner):
        name = self.names[part]
        pile = row[name][owner] if part.each else row[name]
        return pile[1 : 1 + pile[0]].tolist()

    def stacks_of(self, row):
        for part in self.stacks.values():
            for owner in range(int(row["players"])) if part.each else [None]:
                yield part, owner

    def seen(self, row, viewer: int):
        sees = {
            c.Seen.OPEN: lambda p: True,
            c.Seen.NOBODY: lambda p: False,
            c.Seen.OWNER: lambda p: viewer in (p, TOGETHER),
        }
        sees[c.Seen.OTHERS] = lambda p: viewer != p
        open_fields = [row[name].tolist() for name in row.dtype.names if name not in APART | {*self.stacks}]
        shown = [
            [
                card if sees[part.seen](p) or self.knows(row, part, viewer, p, place) else "?"
                for place, card in enumerate(self.cards(row, part, p))
            ]
            for part, p in self.stacks_of(row)
        ]
        return repr((open_fields, shown))

    def knows(self, row, part, viewer, owner, place) -> bool:
        """Does the game's own helper say that a seat knows a card?"""
        if part.known is None or viewer == TOGETHER:
            return False
        state = as_records(row.reshape(1))[0]
        return bool(part.known(state, self.tables, viewer, owner, place))

    def hidden(self, row):
        return repr([self.cards(row, part, p) for part, p in self.stacks_of(row)])

    def dealt(self, states, viewer: int):
        other = states.copy()
        state = as_records(other)[0]
        try:
            if viewer == TOGETHER:
                self.engine.shuffle_unseen(state, self.tables)
            else:
                self.engine.determinize(state, self.tables, viewer)
        except ValueError as error:
            if "no deal that `fits` allows" in str(error):
                raise Impossible from error
            raise
        return self.hidden(other[0]), Fraction(1)


def shares(pairs):
    total = sum(weight for _, weight in pairs)
    counted = defaultdict(Fraction)
    for what, weight in pairs:
        counted[what] += weight / total
    return dict(counted)


def verdict(path: Path, actions: list, sets: dict, viewers: list | None = None) -> dict[str, str]:
    """viewer -> "exact", "refused" with the reason, or what differs."""
    small = Small(path, actions, sets)
    if small.game.compiled.unknowable:
        return {"all": f"refused: {small.game.compiled.unknowable}"}
    found, viewers = {}, [TOGETHER, *range(int(small.tables.players))] if viewers is None else viewers
    ways = list(LUCK.ways(lambda: small.play(viewers)))
    for at, viewer in enumerate(viewers):
        classes = defaultdict(list)
        for (seen, states), weight in ways:
            if not states[0]["end_reason"]:  # after the end nothing is dealt anew
                classes[seen[at]].append((states, weight))
        assert classes, "no way of luck allows these actions"
        step = max(len(classes) // CLASSES, 1)
        found[str(viewer)] = "exact"
        for members in itertools.islice(classes.values(), 0, None, step):
            true = shares([(small.hidden(states[0]), weight) for states, weight in members])
            try:
                made = shares(list(LUCK.ways(lambda m=members, v=viewer: small.dealt(m[-1][0], v))))
            except ValueError as error:
                found[str(viewer)] = f"refused: {error}"
                break
            if made != true:
                odd = {
                    state: (str(made.get(state, 0)), str(true.get(state, 0)))
                    for state in [*made, *true]
                    if made.get(state) != true.get(state)
                }
                found[str(viewer)] = f"differs (state: dealt, true): {dict(list(odd.items())[:3])}"
                break
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        answers = {}
        for name, given in json.load(sys.stdin).items():
            path = Path(folder) / f"{name}.py"
            path.write_text(given["text"])
            answers[name] = verdict(path, given["actions"], given.get("sets", {}), given.get("viewers"))
        json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
