"""The one play loop.

`simcore.game.Game.compile` binds a game's five functions to the names below and compiles it for its records.
"""

import numpy as np

from bartizan.simcore.rng import POLICY, aside, fresh_luck, mix, next_policy_luck, seed_luck

PLAYING, ILLEGAL_ACTION, PLY_CAP = 0, 1, 2
FIRST_GAME_REASON = 3  # a game numbers its own end reasons from here

# winner: the seat that won, or
NOBODY, CAPPED, HOUSE = -1, -2, -3  # a draw, cut off by the ply cap, won by the game itself
# `play_swaps` only: no such card left, the game was over before, a policy broke the rules
NOT_THERE, NO_CARD, BROKEN = (-4, -5, -6)

NO_ACTION = np.int32(-1)  # what `note` is told when the game is over
NO_TURN = -1  # `play_forks` only: the game was over before
NO_ROW = -1  # `crossroads` only: this decision is not asked about
WAYS = 2  # `play_ways`: one way and the other


def reset(state, tables):
    """Set up a new game in `state`, whose luck is already seeded. Modifies `state`."""
    raise NotImplementedError


def legal_actions(state, tables, legal):
    """Write the legal actions of the player `state.to_move` into `legal` (int32) and return their number, at
    least 1.
    """
    raise NotImplementedError


def apply(state, tables, action):
    """Play one legal action and whatever follows without a decision.

    Modifies `state`; sets `state.end_reason` at the end.
    """
    raise NotImplementedError


def write_record(state, tables, record):
    """Fill the game's own columns of one record row. Modifies `record`."""
    raise NotImplementedError


def is_due(state, tables, seat):
    """Has `seat` just got a card and is asked what to do with it?

    Bound by games with cards (`simcore.game.Cards`); play from start to end stops nowhere.
    """
    return False


def swap(state, tables, seat, kind):
    """The card `seat` has just got becomes one of `kind` and changes places with it; False: none is left to
    change with.

    Modifies `state`.
    """
    raise NotImplementedError


def note(state, tables, action, seen):
    """Count cards that came to a hand, and how they end. Bound by games with cards
    (`simcore.game.Cards.note`).

    Called before each `action` is applied, and with NO_ACTION once the game is over; must leave `state` as it
    is.
    seen: int32 [kind, 1 + use], modified in place: column 0 cards that came to a hand, then those that ended
    in each use.
    """
    raise NotImplementedError


def is_listed(legal, n_legal, action):
    for i in range(n_legal):
        if legal[i] == action:
            return True
    return False


def decide(state, tables, policies, desk):
    """Ask the player who is to move: his action.

    One that is not legal ends the game. Modifies `state`, and `desk` (the list of legal actions).
    """
    legal = desk.legal[:]
    n_legal = legal_actions(state, tables, legal)
    mover = state.to_move
    next_policy_luck(state)
    action = policies[mover](state, tables, legal, n_legal, desk.weights[mover])
    if not is_listed(legal, n_legal, action):
        state.end_reason = ILLEGAL_ACTION
    return action


def begin_game(state, tables, seed, game):
    """Set up game number `game` of `seed`. Modifies `state`."""
    seed_luck(state, seed, game)
    state.end_reason = PLAYING
    state.to_move = 0
    reset(state, tables)


def play_on(state, tables, policies, desk, plies, ply_cap, seat, cards):
    """Play on, `plies` decisions into a game, to its end or up to the next `cards`-th card of `seat` (0: to
    its end). Modifies `state`.

    Returns the number of plies (decisions) of the game so far.
    desk: record with `legal` (int32 scratch for the legal actions) and `weights` (float64 [seat, weight]). It
    is a record because compiled
    code counts references to free-standing arrays at every call, which costs more than a small decision.
    """
    while state.end_reason == PLAYING:
        if plies == ply_cap:
            state.end_reason = PLY_CAP
            break
        if cards > 0 and is_due(state, tables, seat):
            cards -= 1
            if cards == 0:
                break
        action = decide(state, tables, policies, desk)
        if state.end_reason != PLAYING:
            break
        apply(state, tables, action)
        plies += 1
    return plies


def play_game(state, tables, policies, desk, seed, game, ply_cap):
    """Play game number `game` of `seed` to its end in `state` (modified in place); returns the number of
    plies.
    """
    begin_game(state, tables, seed, game)
    return play_on(state, tables, policies, desk, 0, ply_cap, 0, 0)


def play_batch(states, tables, policies, desks, seed, first_game, out, ply_cap):
    """Play `len(out)` games numbered from `first_game`; row i of `out` records game first_game + i.

    states, desks: record arrays of length 1, scratch; policies: tuple of first-class functions by seat.
    Returns the plies played; stops early, with `end_reason` ILLEGAL_ACTION in the last row written, when a
    policy breaks the rules.
    """
    state = states[0]
    desk = desks[0]
    total = 0
    for i in range(out.shape[0]):
        plies = play_game(state, tables, policies, desk, seed, first_game + i, ply_cap)
        total += plies
        record = out[i]
        write_record(state, tables, record)
        record.game = first_game + i
        record.plies = plies
        record.end_reason = state.end_reason
        if state.end_reason == PLY_CAP:
            record.winner = CAPPED
        if state.end_reason == ILLEGAL_ACTION:
            break
    return total


def outcome(state, tables, policies, desk, plies, ply_cap, record):
    """Play on to the end: the seat that won, or NOBODY, CAPPED, HOUSE, BROKEN.

    Modifies `state`; `record` is scratch.
    """
    play_on(state, tables, policies, desk, plies, ply_cap, 0, 0)
    if state.end_reason == ILLEGAL_ACTION:
        return BROKEN
    if state.end_reason == PLY_CAP:
        return CAPPED
    write_record(state, tables, record)
    return record.winner


def play_swaps(states, tables, policies, desks, seed, first_game, seat, card, kinds, records, out, ply_cap):
    """Play games up to `seat`'s `card`-th card, then to the end: with that card, and once more with each of
    `kinds` in its place.

    states: record array of length 2, scratch: the moment, and what becomes of it; records: of length 1,
    scratch.
    out: int8 [game, 1 + kind], who won: first as dealt, then with each kind. All play on from one state, so
    they share the luck that is left.
    """
    moment, trial = states[0], states[1]
    desk, record = desks[0], records[0]
    for i in range(out.shape[0]):
        begin_game(moment, tables, seed, first_game + i)
        plies = play_on(moment, tables, policies, desk, 0, ply_cap, seat, card)
        has_card = moment.end_reason == PLAYING
        states[1] = states[0]
        out[i, 0] = outcome(trial, tables, policies, desk, plies, ply_cap, record)
        for k in range(kinds.shape[0]):
            out[i, 1 + k] = NO_CARD
            if has_card:
                states[1] = states[0]
                there = swap(trial, tables, seat, kinds[k])
                out[i, 1 + k] = (
                    outcome(trial, tables, policies, desk, plies, ply_cap, record) if there else NOT_THERE
                )


def play_noting(state, tables, policies, desk, ply_cap, seen):
    """Play a game that has begun to its end, or up to `ply_cap` decisions, and count its cards in `seen`.
    Modifies `state` and `seen`.

    As `play_on`, with a look at each action before it is applied.
    """
    plies = 0
    while state.end_reason == PLAYING and plies < ply_cap:
        action = decide(state, tables, policies, desk)
        if state.end_reason != PLAYING:
            return
        note(state, tables, action, seen)
        apply(state, tables, action)
        plies += 1
    note(state, tables, NO_ACTION, seen)


def play_uses(states, tables, policies, desks, seed, first_game, out, ply_cap):
    """Play `len(out)` games numbered from `first_game` and count how their cards end.

    states: record array of length 1, scratch; out: int32 [game, kind, 1 + use], zeros: see `note`.
    Returns how many games were played: stops early at the first in which a policy breaks the rules.
    """
    state = states[0]
    desk = desks[0]
    for i in range(out.shape[0]):
        begin_game(state, tables, seed, first_game + i)
        play_noting(state, tables, policies, desk, ply_cap, out[i])
        if state.end_reason == ILLEGAL_ACTION:
            return i
    return out.shape[0]


# ---------------------------------------------------------------- rare events


def progress(state, tables):
    """How far a game has come on the way to an event (`simcore.game.Rare`); below 0: it can no more happen.

    Leaves the state untouched.
    """
    raise NotImplementedError


def play_until(state, tables, policies, desk, plies, ply_cap, level):
    """Play on, `plies` decisions into a game, until `progress` reaches `level`, or falls below 0, or the game
    ends. Modifies `state`.

    As `play_on`, with a look at the state after each action. Returns the plies of the game so far and the
    most progress seen.
    """
    now = progress(state, tables)
    best = now
    while state.end_reason == PLAYING and 0 <= now < level:
        if plies == ply_cap:
            state.end_reason = PLY_CAP
            break
        action = decide(state, tables, policies, desk)
        if state.end_reason != PLAYING:
            break
        apply(state, tables, action)
        plies += 1
        now = progress(state, tables)
        best = max(best, now)
    return plies, best


def play_stage(
    states,
    tables,
    policies,
    desks,
    seed,
    first_game,
    entrances,
    entered,
    picks,
    level,
    reached,
    reached_at,
    best,
    counts,
    ply_cap,
):
    """One stage of multilevel splitting: trajectories up to `level`, each from the entrance state that
    `picks` names, under luck of its own.

    states: record array of length 1, scratch; entrances, entered: states of games at the level before and
    their plies, none: trajectory i is game first_game + i of `seed`;
    reached, reached_at: the same at `level`, filled from the front; best: most progress of each trajectory;
    counts: int64, set to trajectories that reached the level, decisions made, games cut off, and 1 + the
    trajectory in which a policy broke the rules (0: none).
    """
    state = states[0]
    desk = desks[0]
    counts[:] = 0
    for i in range(picks.shape[0]):
        since = 0
        if entrances.shape[0] == 0:
            begin_game(state, tables, seed, first_game + i)
        else:
            states[0] = entrances[picks[i]]
            since = entered[picks[i]]
            fresh_luck(state, i)
        plies, best[i] = play_until(state, tables, policies, desk, since, ply_cap, level)
        counts[1] += plies - since
        if best[i] >= level:
            reached[counts[0]] = states[0]
            reached_at[counts[0]] = plies
            counts[0] += 1
        elif state.end_reason == PLY_CAP:
            counts[2] += 1
        if state.end_reason == ILLEGAL_ACTION:
            counts[3] = 1 + i
            break


# ---------------------------------------------------------------- other futures, turn by turn


def turn_of(state):
    """The turn as the record's `turn` counts it, for games that do not say otherwise
    (`simcore.game.Engine.turn_of`).
    """
    return state.turn


def redeal(state, tables):
    """Deal anew what nobody has seen; how many cards that is.

    Bound by games with piles (`simcore.game.Engine.redeal`). Modifies `state`.
    """
    return 0


def play_turn(state, tables, policies, desk, plies, ply_cap):
    """Play on, `plies` decisions into a game, to the first decision of another turn, or to the end.

    Modifies `state`; returns the plies of the game so far.
    """
    turn = turn_of(state)
    while state.end_reason == PLAYING and turn_of(state) == turn:
        if plies == ply_cap:
            state.end_reason = PLY_CAP
            break
        action = decide(state, tables, policies, desk)
        if state.end_reason != PLAYING:
            break
        apply(state, tables, action)
        plies += 1
    return plies


def play_forks(
    states, tables, policies, desks, seed, first_game, rollouts, first_branch, records, turns, wins, ply_cap
):
    """Play games; at the first decision of each turn play the game to its end `rollouts` times, each under
    luck of its own, from branch `first_branch` on.

    states: record array of length 2, scratch: the moment, and what becomes of it; records: of length 1,
    scratch.
    turns: int32 [game, moment], the turn of each moment, NO_TURN behind the last (given so); wins: int32
    [game, moment, seat + 2], zeros: rollouts that each seat won,
    that ended otherwise, that were cut off. Returns how many games were played: stops early at the first in
    which a policy breaks the rules.
    """
    moment, trial = states[0], states[1]
    desk, record = desks[0], records[0]
    seats = wins.shape[2] - 2
    for i in range(turns.shape[0]):
        begin_game(moment, tables, seed, first_game + i)
        plies, m = 0, 0
        while moment.end_reason == PLAYING and m < turns.shape[1]:
            turns[i, m] = turn_of(moment)
            for k in range(rollouts):
                states[1] = states[0]
                fresh_luck(trial, first_branch + k)
                redeal(trial, tables)
                who = outcome(trial, tables, policies, desk, plies, ply_cap, record)
                if who == BROKEN:
                    return i
                wins[i, m, who if who >= 0 else seats + 1 if who == CAPPED else seats] += 1
            plies = play_turn(moment, tables, policies, desk, plies, ply_cap)
            m += 1
        if moment.end_reason == ILLEGAL_ACTION:
            return i
    return turns.shape[0]


# ---------------------------------------------------------------- one choice, played on both ways


def crossroads(state, tables, rows, action, moment):
    """Is the decision at which `action` was chosen one to be played on both ways? Bound by whoever asks.

    rows: int64 [row, number], what tells the rows apart. Returns the row, or NO_ROW; writes into
    `moment` (int64) the two actions to be compared, then facts about it. Leaves the state untouched.
    """
    raise NotImplementedError


def play_ways(states, tables, policies, desks, seed, first, rows, moment, moments, met, records, ply_cap):
    """Play games; of the decisions that belong to a row one a game is kept, and played on both ways.

    Which one is kept is drawn by lot. A decision in a game with few of them is likelier to be drawn, and how
    many there are depends on how the game went on; but both ways get luck drawn anew: the lot favours
    neither.
    first: number of the first game.
    states: record array of length 2 + rows, scratch: the game, what becomes of it, the moment of each row;
    moment: int64, scratch (see `crossroads`); moments: int64 [game, row, number], those that were kept;
    met: int32 [game, row], zeros: how many decisions belonged there; records: [game, row, future, way].
    Returns how many games were played: stops early at the first in which a policy breaks the rules.
    """
    state, desk = states[0], desks[0]
    for i in range(met.shape[0]):
        begin_game(state, tables, seed, first + i)
        plies = 0
        while state.end_reason == PLAYING and plies < ply_cap:
            action = decide(state, tables, policies, desk)
            if state.end_reason != PLAYING:
                return i
            row = crossroads(state, tables, rows, action, moment)
            if row != NO_ROW:
                met[i, row] += 1
                if aside(state, row << 32 | met[i, row], met[i, row]) == 0:  # Vitter's reservoir, of one
                    states[2 + row] = states[0]
                    moments[i, row] = moment
            apply(state, tables, action)
            plies += 1
        for row in range(met.shape[1]):
            if met[i, row] > 0:
                ways, ends = moments[i, row], records[i, row]
                if not both_ways(states, tables, policies, desk, row, ways, ends, ply_cap):
                    return i
    return met.shape[0]


def both_ways(states, tables, policies, desk, row, moment, records, ply_cap):
    """Play on from the moment kept for `row`, each way. Modifies states[1] and `records` [future, way].

    The two differ in nothing but the action: luck to come and what lies face down are the same for both.
    False: a policy has broken the rules.
    """
    trial = states[1]
    for k in range(records.shape[0]):
        for way in range(WAYS):
            states[1] = states[2 + row]
            fresh_luck(trial, k)
            redeal(trial, tables)
            apply(trial, tables, np.int32(moment[way]))
            plies = play_on(trial, tables, policies, desk, 1, ply_cap, 0, 0)
            if trial.end_reason == ILLEGAL_ACTION:
                return False
            record = records[k, way]
            write_record(trial, tables, record)
            record.plies = plies
            record.end_reason = trial.end_reason
            if trial.end_reason == PLY_CAP:
                record.winner = CAPPED
    return True


# ---------------------------------------------------------------- what luck did to a game (`simcore.luck`)


def write_outlook(state, tables, out):
    """What a guess at the winner looks at.

    Bound by games that say so (`simcore.game.Outlook.write`). Modifies `out`.
    """


# standard deviations: what lies farther out than the pilot games have seen is no reason for a wilder guess
FAR_OUT = 6.0


def guess(state, tables, record, model, scratch, values):
    """Each seat's chance to win in a state: of a game that is over, what it came to. Modifies `values`,
    `record` and `scratch`.

    model: record with `centre` and `scale` [number], `weight` [seat, part, number] and `constant` [seat]: a
    logistic model in which what a number means
    may change with the share of the game that is gone, which is number 0: see `analyses.luck`.
    """
    if state.end_reason != PLAYING:
        write_record(state, tables, record)
        for seat in range(values.shape[0]):
            values[seat] = record.winner == seat
        return
    seen = scratch.seen[:]
    write_outlook(state, tables, seen)
    gone = min(max(seen[0], 0.0), 1.0)
    late, last = 2.0 * gone - 1.0, lateness(gone)
    for i in range(seen.shape[0]):
        seen[i] = min(max((seen[i] - model.centre[i]) * model.scale[i], -FAR_OUT), FAR_OUT)
    for seat in range(values.shape[0]):
        logit = model.constant[seat]
        for i in range(seen.shape[0]):
            logit += (
                model.weight[seat, 0, i] + late * model.weight[seat, 1, i] + last * model.weight[seat, 2, i]
            ) * seen[i]
        values[seat] = 1.0 / (1.0 + np.exp(-logit))


def lateness(gone):
    """Steep towards the end: what is still to come spreads like the square root of the time left."""
    return 0.5 / np.sqrt(1.03 - gone) - 1.0


def luck_sum(state):
    """One word for all of a state's luck but the players' own: it changes whenever a die is rolled."""
    total = np.uint64(0)
    for purpose in range(POLICY):
        total += state.luck[purpose]
    return total


def begin_otherwise(state, tables, seed, game, branch):
    """Set up the game with other luck. Modifies `state`."""
    seed_luck(state, seed, game)
    fresh_luck(state, branch)
    state.end_reason = PLAYING
    state.to_move = 0
    reset(state, tables)


def expect_begin(trial, tables, seed, game, samples, record, model, scratch):
    """Into `scratch.expected`: the mean guess over `samples` other set-ups.

    Modifies `trial` and `scratch`.
    """
    expected, values = scratch.expected[:], scratch.values[:]
    expected[:] = 0.0
    for k in range(samples):
        begin_otherwise(trial, tables, seed, game, k)
        guess(trial, tables, record, model, scratch, values)
        for seat in range(values.shape[0]):
            expected[seat] += values[seat] / samples


def expect_action(states, tables, action, samples, record, model, scratch):
    """Into `scratch.expected`: the mean guess over `samples` futures of `action`. Modifies states[1] and
    `scratch`.

    Returns whether luck has a part in what the action sets in motion. It has none if in one future no die is
    rolled and no unseen card leaves its pile:
    up to the first of these, all futures are the same.
    """
    expected, values = scratch.expected[:], scratch.values[:]
    expected[:] = 0.0
    for k in range(samples):
        states[1] = states[0]
        trial = states[1]
        fresh_luck(trial, k)
        unseen = redeal(trial, tables)
        before = luck_sum(trial)
        apply(trial, tables, action)
        if k == 0 and luck_sum(trial) == before and redeal(trial, tables) == unseen:
            return False
        guess(trial, tables, record, model, scratch, values)
        for seat in range(values.shape[0]):
            expected[seat] += values[seat] / samples
    return True


def play_adjusted_game(
    states, tables, policies, desk, seed, game, samples, record, model, scratch, luck, ply_cap
):
    """Play game number `game` of `seed` in states[0] and sum up in `luck` [seat] what luck gave each.
    Modifies both, states[1] and `scratch`; returns the plies.

    Luck of one chance event = the guess after it - the mean guess over other outcomes of it (Burch et al.
    2018, AIVAT).
    """
    state, values, expected = states[0], scratch.values[:], scratch.expected[:]
    expect_begin(states[1], tables, seed, game, samples, record, model, scratch)
    begin_game(state, tables, seed, game)
    guess(state, tables, record, model, scratch, values)
    for seat in range(luck.shape[0]):
        luck[seat] = values[seat] - expected[seat]
    plies = 0
    while state.end_reason == PLAYING:
        if plies == ply_cap:
            state.end_reason = PLY_CAP
            break
        action = decide(state, tables, policies, desk)
        if state.end_reason != PLAYING:
            break
        chance = expect_action(states, tables, action, samples, record, model, scratch)
        apply(state, tables, action)
        plies += 1
        if chance:
            guess(state, tables, record, model, scratch, values)
            for seat in range(luck.shape[0]):
                luck[seat] += values[seat] - expected[seat]
    return plies


def play_adjusted(
    states,
    tables,
    policies,
    desks,
    seed,
    first_game,
    samples,
    models,
    scratches,
    records,
    winners,
    luck,
    ply_cap,
):
    """Play `len(winners)` games numbered from `first_game`: who won, and what luck gave each seat.

    states: record array of length 2, scratch; models, scratches, records: of length 1; winners: int8 [game];
    luck: float64 [game, seat].
    Returns how many games were played: stops early at the first in which a policy breaks the rules.
    """
    state, record, model, scratch = states[0], records[0], models[0], scratches[0]
    for i in range(winners.shape[0]):
        play_adjusted_game(
            states,
            tables,
            policies,
            desks[0],
            seed,
            first_game + i,
            samples,
            record,
            model,
            scratch,
            luck[i],
            ply_cap,
        )
        if state.end_reason == ILLEGAL_ACTION:
            return i
        winners[i] = CAPPED
        if state.end_reason != PLY_CAP:
            write_record(state, tables, record)
            winners[i] = record.winner
    return winners.shape[0]


def play_pilot(states, tables, policies, desks, seed, first_game, records, seen, counts, winners, ply_cap):
    """Play `len(winners)` games and keep what a guess may look at in some states of each, drawn at random
    from those that follow a roll (there it is asked)
    and every fourth other one (a card may have been drawn).

    seen: float32 [game, state, number]; counts: int32 [game], how many are filled; winners: int8 [game].
    Returns how many games were played: stops early at the first in which a policy breaks the rules.
    """
    state, record, desk = states[0], records[0], desks[0]
    row = np.zeros(seen.shape[2])
    room = seen.shape[1]
    for i in range(winners.shape[0]):
        begin_game(state, tables, seed, first_game + i)
        plies = kept = 0
        before = np.uint64(0)
        while state.end_reason == PLAYING and plies < ply_cap:
            if luck_sum(state) != before or plies % 4 == 1:
                # Vitter's reservoir
                place = (
                    kept
                    if kept < room
                    else np.int64(mix(state.luck_key + np.uint64(kept)) % np.uint64(kept + 1))
                )
                kept += 1
                if place < room:
                    write_outlook(state, tables, row)
                    seen[i, place] = row
            before = luck_sum(state)
            action = decide(state, tables, policies, desk)
            if state.end_reason != PLAYING:
                return i
            apply(state, tables, action)
            plies += 1
        counts[i] = min(kept, room)
        winners[i] = CAPPED
        if state.end_reason != PLAYING:
            write_record(state, tables, record)
            winners[i] = record.winner
    return winners.shape[0]
