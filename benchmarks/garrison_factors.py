"""prototype"""
import sys, time, json
import numpy as np
import numba
from bartizan.policies.itter import danger, factors
from bartizan.policies.registry import find_player
from bartizan.simcore.compile.loops import Loop, array
from bartizan.simcore.compile.memory import padded
from bartizan.simcore.compile.renewed import record_at_end, renewed
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.game import load_game
from bartizan.simcore.play.match import CompiledMatch, Match
from bartizan.simcore.play.step import begin_game, outcome
from bartizan.simcore.rng import mix
from bartizan.simcore.scenario.loading import load_scenario

memory = record_at_end(numba.from_dtype(padded(danger.VIEW)))
G = np.uint64(0x9E3779B97F4A7C15)


@jit
def view_of(weights):
    return memory(weights)


@jit
def word(seed, game, j):
    return mix(mix(np.uint64(seed) + G * np.uint64(game + 1)) + G * np.uint64(j + 1))


@jit
def tossed(view, base, step, chance, active, key, game, levels, mode):
    view.turn = -1
    seen = view.seen
    seen.deck[:] = -7
    seen.deck_size = -1
    seen.stack[:] = -7
    seen.counter[:] = -7
    seen.guns[:] = -7
    seen.tokens[:] = -7
    seen.place[:] = -7
    seen.status[:] = 255
    for j in range(base.shape[0]):
        view.later[j] = base[j]
    for i in range(active.shape[0]):
        level = 1
        if mode == 1:
            draw = np.float64(word(key, game, i) >> np.uint64(11)) / 9007199254740992.0
            level = 0 if draw < 0.5 * chance[i] else 2 if draw < chance[i] else 1
        levels[i] = level
        j = active[i]
        if level == 0:
            view.later[j] = base[j] / (1.0 + step[i])
        elif level == 2:
            view.later[j] = base[j] * (1.0 + step[i])


def toss(states, tables, policies, workspaces, first_game, n, base, step, chance, active, key, mode, levels, games, wins, results):
    workspace = workspaces[0]
    view = view_of(workspace.weights[0])
    plies = begin_game(states, tables, workspace, first_game)
    outcome(states[0], tables, policies, workspace, plies)
    for g in range(first_game, first_game + n):
        tossed(view, base, step, chance, active, key, g, levels, mode)
        plies = begin_game(states, tables, workspace, g)
        who = outcome(states[0], tables, policies, workspace, plies)
        if workspace.is_illegal:
            return
        won = who == 0
        results[g - first_game] = won
        if mode == 1:
            for i in range(active.shape[0]):
                games[i, levels[i]] += 1
                wins[i, levels[i]] += won


i8, f8 = numba.int64, numba.float64
TOSS = Loop(toss, lambda engine, seats: (i8, array("f8"), array("f8"), array("f8"), array("i8"), i8, i8, array("i8"), array("i8", 2), array("i8", 2), array("u1")))
GAME = load_game("itter")


class Lab:
    def __init__(self, policy="garrison@elite3", level="elite", sets={}):
        self.scenario = load_scenario(GAME, difficulty=level)
        self.policy = policy
        self.compiled = {}

    def run(self, seed, first, n, base, active=(), step=(), chance=(), key=0, mode=1):
        if seed not in self.compiled:
            self.compiled = {seed: CompiledMatch(Match(GAME, self.scenario, (find_player(GAME, self.policy),), seed), TOSS)}
        active = np.array(active, np.int64)
        games = np.zeros((len(active), 3), np.int64); wins = games.copy()
        results = np.zeros(n, np.uint8)
        self.compiled[seed].run(first, n, np.asarray(base, float), np.asarray(step, float), np.asarray(chance, float), active, key, mode,
            np.zeros(len(active), np.int64), games, wins, results)
        return games, wins, results


def active_of():
    """The factors that may matter at published Elite."""
    t = GAME.compiled.build_tables(load_scenario(GAME, difficulty="elite"))[0]
    nd, npos = 23, 24
    shooters = {s for p in range(npos) for s in t["colours"][p] if s >= 0}
    squares = {s for p in range(npos) for s in t["squares"][p] if s >= 0}
    out, names = [], []
    for name, shape in factors.SHAPES.items():
        start = getattr(factors.START, name)
        for flat in range(int(np.prod(shape))):
            at = np.unravel_index(flat, shape)
            keep = True
            squares = {0, 1, 2, 3}
            if name == "act_token_in": keep = at[1] in squares
            if name == "act_shot_in": keep = at[1] < 5
            if name == "shot_at": keep = at[0] < npos and t["colours"][at[0]][0] >= 0
            if name == "tokens_at": keep = at[0] < npos and t["n_squares"][at[0]] > 0
            if name == "recover_by": keep = at[0] < nd
            if name == "post_at": keep = at[0] < npos
            if name == "miss_of": keep = at[0] < 5
            if name == "miss_kind": keep = at[0] < 5
            if name == "target": keep = at[0] < 3 or (at[0] < 5 and at[1] == 0)
            if name == "miss_free": keep = at[0] < 3 or (at[0] < 5 and at[1] == 2)
            if name == "hurt": keep = at[0] > 0
            if keep:
                out.append(start + flat); names.append(f"{name}{list(map(int,at))}")
    return np.array(out), names
