"""Random games of Escape from Colditz, step by step: for tests of what holds in every state."""

import numpy as np

from bartizan.simcore.colditz.components import APPEL, ARGUMENTS, GERMAN, GUARDS, NONE, POWS, Place, Stage, Step
from bartizan.simcore.colditz.engine import ENGINE
from tests.colditz_table import GUARD, scenario_of, tables_of
from tests.table import RandomGame


def variant(k: int, n: int) -> frozenset:
    """The scenario with k players, 6 to 12 rounds and, from the second variant on, readings drawn at random."""
    draw = np.random.default_rng([k, n])
    sets = {"players.allied": k, "limit.rounds": int(draw.integers(6, 13))}
    if n:
        sets["result.form"] = "race" if n % 2 else "summary"
        sets["result.target"] = int(draw.integers(1, 3))
        for key, ruling in scenario_of(frozenset()).model.ruling.items():
            sets[f"rulings.{key}"] = str(draw.choice(ruling.readings))
        sets["rulings.covered_posts"] = "black"
    return frozenset(sets.items())


class Game(RandomGame):
    engine, arguments = ENGINE, ARGUMENTS

    def scatter(self) -> None:
        """Early in the first turn everybody is put somewhere, with Equipment, Kits and cards, so that short games see the far corners of the rules."""
        s, t, choose = self.state, self.tables, self.choose
        stops = np.flatnonzero(t.board.stops & (t.board.zone > 0) & (t.board.zone != 5))
        free = [int(c) for c in choose.permutation(stops)]
        for w in range(POWS):
            if s.pow_at[w] == APPEL and choose.random() < 0.7:
                s.pow_at[w] = free.pop()
                s.on[s.pow_at[w]] = w + 1
        free = [c for c in free if not t.board.safe[c] and t.board.room[c] == NONE]
        for g in range(GUARDS):
            if s.guard_at[g] == Place.BARRACKS and choose.random() < 0.6:
                s.guard_at[g] = free.pop()
                s.on[s.guard_at[g]] = GUARD + g
        for p in range(t.players):
            if choose.random() < 0.5 and s.kit_supply:
                s.kit[p], s.kit_supply = 1, s.kit_supply - 1
            for e in range(4):
                if s.supply[e] and choose.random() < 0.5:
                    s.supply[e] -= 1
                    s.equipment[p, e] += 1
            for _ in range(choose.integers(0, 4)):
                s.hand[p, s.deck[s.deck_next]] += 1
                s.deck_next += 1
        for _ in range(choose.integers(0, 4)):
            s.orders[s.order_deck[s.order_next]] += 1
            s.order_next += 1
        s.on_turn = t.players  # set up: the German has nothing more to do, a new round begins
        s.after, s.stage, s.to_move = Step.TURN, Stage.TURN, GERMAN


def play(key: frozenset, seed: int, scattered: bool, watch=None) -> Game:
    game = Game(tables_of(key), seed)
    if scattered:
        game.scatter()
    return game.play(watch)
