"""The acting player's view, as numbers and as inputs of a network, in compiled code.

`Addresses` locates the numbers in a state.

A number of a state becomes inputs in 64ths: one input per value if there are few values, otherwise its
position in its range. Only integer arithmetic is used, so that inputs are the same on every machine.

An action has inputs of its own (kind, arguments, numbers that they refer to) and inputs for its deterministic
effects: the parts of the following state that do not depend on chance or hidden cards. `probe` finds these
effects for each kind of action, and the numbers that must not be visible.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bartizan.simcore.compile.copies import copy_state
from bartizan.simcore.compile.rules import apply, as_features, determinize, knows_card, write_features
from bartizan.simcore.learning.layout import ASKED, BYTE, HALF, RULE, RULES, SCORE, SEEN, Addresses
from bartizan.simcore.rng import fresh_luck

UNIT = 64  # one unit of an input: 64 is 1
HIDDEN, LINE, ONE_OF, STEPS = range(4)  # coding of a number: hidden, linear, one-hot, or in steps
FEW = 8  # a number with at most this many values above the least is one-hot
PARTS = 8  # steps of a range
MOST = 9  # maximum nonzero inputs of one number
ROOM = 1 << 18  # maximum inputs of all actions of a decision
ABSENT = -(1 << 62)  # no number
FARTHEST = 4 * UNIT  # limit for a number outside the range in training
TRUST, LN_2 = 2 * UNIT, 44  # input of advice, and its increase for each doubling of the number of actions


class Coding(NamedTuple):
    """How a state and an action are encoded as inputs of a learned policy: int64 arrays.

    It is derived from the numbers that occurred in sample games (`probe`).
    """

    numbers: np.ndarray  # [number of a state, (coding, first input, least, span, inputs)]
    pointers: np.ndarray  # [pointer, the same]
    certain: np.ndarray  # [kind of action, number of a state]: 1 if an action's effect on it is certain
    sizes: np.ndarray  # [inputs of a state, inputs of an action, inputs of an action before its effects,
    # and for each kind of action whether it has effects]


class Sight(NamedTuple):
    """A player's view for compiled code: addresses of numbers, their encoding, and working space.

    The numbers are those of the state; the encoding turns them into inputs of a network.
    """

    at: Addresses
    coding: Coding
    rules: np.ndarray  # int64: the numbers of the rules
    seen: np.ndarray  # float64: the game's features
    all: np.ndarray  # int64: 1 for each number of a state
    numbers: np.ndarray  # int64: numbers of a state
    after: np.ndarray  # int64: numbers of the following state
    state_inputs: np.ndarray  # int32
    state_values: np.ndarray  # int16, in 64ths
    ends: np.ndarray  # int64: inputs of action a are [ends[a], ends[a + 1])
    act_inputs: np.ndarray  # int32
    act_values: np.ndarray  # int16


def sight_of(at, coding, rules, most_legal):
    """Return a new sight. most_legal: maximum actions at a time."""
    n, most = at.numbers, most_of_an_action(at)
    acts = min(most_legal * most, ROOM + most)
    return Sight(
        at,
        coding,
        rules,
        np.zeros(at.features, np.float64),
        np.ones(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(MOST * n, np.int32),
        np.zeros(MOST * n, np.int16),
        np.zeros(most_legal + 1, np.int64),
        np.zeros(acts, np.int32),
        np.zeros(acts, np.int16),
    )


def most_of_an_action(at):
    """Return the maximum number of inputs of an action."""
    return MOST * (2 * at.numbers + len(at.pointers)) + len(at.digits) + 3


# ---------------------------------------------------------------- numbers


def observe(states, i, tables, sight, me, numbers, wanted):
    """Write the view of player `me` of states[i] into `numbers` (int64).

    wanted: 0 for each number that may be omitted.
    """
    state, at = states[i], sight.at
    one = states[i : i + 1]
    views = (one.view(np.int32), one.view(np.int16), one.view(np.int8))
    players, is_scored = state.players, False
    numbers[:] = 0
    for row in range(at.fields.shape[0]):
        if not wanted[at.fields[row, 0]]:
            continue
        field = at.fields[row]
        out, source, place, stride = field[0], field[1], field[2], field[3]
        k, inner, cell, is_owner = field[4], field[5], field[6], field[7]
        if k >= players or (inner > 0 and cell >= players):
            continue
        place += ((me + k) % players) * stride + ((me + cell) % players) * inner
        if source == SCORE:
            if not is_scored:
                write_features(state, tables, as_features(sight.seen))
                is_scored = True
            numbers[out] = np.int64(sight.seen[place])
        elif source == RULES:
            numbers[out] = sight.rules[place]
        else:
            numbers[out] = cell_at(views, source, place)
        if is_owner:
            owner = numbers[out]
            numbers[out] = 1 + (owner - 1 - me) % players if 1 <= owner <= players else 0
    for row in range(at.decks.shape[0]):
        for kind in range(at.decks[row, 1]):
            numbers[at.decks[row, 0] + kind] = sight.rules[at.decks[row, 2] + kind]
    for row in range(at.piles.shape[0]):
        pile = at.piles[row]
        own, unseen = wanted[pile[0] : pile[0] + 1 + pile[7] + pile[9]], wanted[pile[10] : pile[10] + pile[7]]
        if pile[4] < players and (own.any() or unseen.any()):
            look_at_pile(state, tables, views, sight, pile, me, numbers)


def cell_at(views, source, place):
    """Return one number of a state, given by its source and place.

    views: the state as 32-, 16- and 8-bit integers.
    """
    words, halves, flags = views
    if source == BYTE:
        return np.int64(flags[place])
    return np.int64(halves[place]) if source == HALF else np.int64(words[place])


def look_at_pile(state, tables, views, sight, pile, me, numbers):
    """Read one pile into `numbers`: its size, its cards by kind and the sums of their numbers.

    Seen cards are subtracted from the unseen cards of the deck.
    """
    out, step, in_sight, kinds, unseen = pile[0], pile[2], pile[6], pile[7], pile[10]
    owner = (me + pile[4]) % state.players
    place = pile[1] + owner * pile[3]
    size = cell_at(views, pile[12], place)
    numbers[out] = size
    for i in range(size):
        is_seen = in_sight == SEEN
        if in_sight == ASKED:
            is_seen = knows_card(state, tables, me, owner if pile[5] else -1, i, pile[11])
        if is_seen:
            card = cell_at(views, pile[12], place + (1 + i) * step)
            numbers[out + 1 + card] += 1
            numbers[unseen + card] -= 1
            for column in range(pile[9]):
                place_of_column = sight.at.sums[pile[8] + column]
                worth = card if place_of_column < 0 else sight.rules[place_of_column + card]
                numbers[out + 1 + kinds + column] += worth


# ---------------------------------------------------------------- inputs


def coded(code, then, now, inputs, values, n, before):
    """Append the inputs of a number after the first `n`, and return the new length.

    They are the inputs of the number `then`, minus those of the number `now` unless it is ABSENT.

    before: offset of the index of each input.
    """
    how, first, least, span, most = code[0], before + code[1], code[2], code[3], code[4]
    if how == ONE_OF:
        inputs[n], values[n] = first + min(max(then - least, 0), most - 1), UNIT
        if now == ABSENT:
            return n + 1
        inputs[n + 1], values[n + 1] = first + min(max(now - least, 0), most - 1), -UNIT
        return n + 2
    if how == HIDDEN or (now == ABSENT and then == 0 and least == 0):
        return n
    inputs[n] = first
    values[n] = in_range(then, least, span) - (0 if now == ABSENT else in_range(now, least, span))
    n += 1
    if how == STEPS:
        to, since = PARTS * UNIT * (then - least) // span, PARTS * UNIT * (max(now, least) - least) // span
        for part in range(PARTS):
            step = min(max(to - part * UNIT, 0), UNIT) - min(max(since - part * UNIT, 0), UNIT)
            if step != 0:
                inputs[n], values[n] = first + 1 + part, step
                n += 1
    return n


def in_range(number, least, span):
    """Return a number in 64ths of the greatest absolute value in its range, clipped to FARTHEST."""
    far = max(abs(least), abs(least + span), 1)
    return min(max(UNIT * number // far, -FARTHEST), FARTHEST)


def state_inputs(sight):
    """Write the inputs of a state into `sight`; return their number."""
    n = 0
    for number in range(len(sight.numbers)):
        code, value = sight.coding.numbers[number], sight.numbers[number]
        n = coded(code, value, ABSENT, sight.state_inputs, sight.state_values, n, 0)
    return n


def action_inputs(sight, action, me, players, n):
    """Append the inputs of an action, except its effects, after the first `n` inputs.

    Return the new length.
    """
    at, inputs, values = sight.at, sight.act_inputs, sight.act_values
    kind, argument = action // at.arguments, action % at.arguments
    argument += sight.numbers[at.chosen] * at.later[kind]
    inputs[n], values[n] = kind, UNIT
    n += 1
    together = np.int64(0)
    for row in range(at.digits.shape[0]):
        digit = at.digits[row]
        if digit[0] == kind:
            value = value_of_argument(argument, digit[2], digit[3], digit[4], me, players)
            together = together * digit[3] + value
            if digit[1] >= 0:
                inputs[n], values[n] = digit[1] + value, UNIT
                n += 1
    for row in range(at.joints.shape[0]):
        if at.joints[row, 0] == kind:
            inputs[n], values[n] = at.joints[row, 1] + together, UNIT
            n += 1
    for row in range(at.pointers.shape[0]):
        to = at.pointers[row]
        if to[0] == kind:
            place = to[2] + to[6] * value_of_argument(argument, to[3], to[4], to[5], me, players)
            place += to[10] * value_of_argument(argument, to[7], to[8], to[9], me, players)
            number = sight.rules[place] if to[1] == RULE else sight.numbers[place]
            n = coded(sight.coding.pointers[row], number, ABSENT, inputs, values, n, at.inputs)
    return n


def value_of_argument(argument, divisor, values, is_player, me, players):
    """Return one digit of a packed argument. A player is counted from the acting player."""
    value = argument // divisor % values
    return (value - me) % players if is_player and value < players else value


def effect_inputs(states, tables, sight, action, me, n):
    """Append the inputs for an action's deterministic effects after the first `n`; return the new length.

    They are new numbers minus old numbers.

    states[1]: the state before the action, with redealt cards. Overwrites states[2].
    """
    coding, kind = sight.coding, action // sight.at.arguments
    copy_state(states[2], states[1])
    apply(states[2], tables, np.int32(action))
    observe(states, 2, tables, sight, me, sight.after, coding.certain[kind])
    for number in range(len(sight.numbers)):
        before, then, code = sight.numbers[number], sight.after[number], coding.numbers[number]
        if coding.certain[kind, number] and then != before:
            n = coded(code, then, before, sight.act_inputs, sight.act_values, n, coding.sizes[2])
    return n


def deal_anew(states, tables, to, future):
    """Copy states[0] to states[to] with new random numbers and redealt hidden cards."""
    copy_state(states[to], states[0])
    fresh_luck(states[to], future)
    determinize(states[to], tables, states[0].to_move)


def trust_in_advice(n_legal):
    """Return the value, in 64ths, of the input that marks the advised action.

    With a weight of 1 and nothing learned, the advised action has a probability of about 0.9 for any number
    of actions.
    """
    trust, others = TRUST, n_legal - 1
    while others > 0:
        trust, others = trust + LN_2, others >> 1
    return trust


def legal_inputs(states, tables, sight, legal, n_legal, advice):
    """Write the inputs of all legal actions of states[0] into `sight`. Overwrites states[1] and states[2].

    advice: the action that another policy would choose, which has one more input; NO_ACTION if there is none.
    Returns the number of actions whose inputs fit. All inputs fit except in games with thousands of actions.
    """
    is_dealt, most = False, most_of_an_action(sight.at)
    for a in range(n_legal):
        if sight.ends[a] + most > len(sight.act_inputs):
            return a
        n = action_inputs(sight, legal[a], states[0].me, states[0].players, sight.ends[a])
        if sight.coding.sizes[3 + legal[a] // sight.at.arguments]:
            if not is_dealt:
                deal_anew(states, tables, 1, 0)
                is_dealt = True
            n = effect_inputs(states, tables, sight, legal[a], states[0].me, n)
        if legal[a] == advice:
            sight.act_inputs[n] = sight.coding.sizes[0] + sight.coding.sizes[2]
            sight.act_values[n] = trust_in_advice(n_legal)
            n += 1
        sight.ends[a + 1] = n
    return n_legal


# ---------------------------------------------------------------- probing, before training


class Noted(NamedTuple):
    """Notes of `look_closer` on each number and each kind of action."""

    met: np.ndarray  # int64 [number, (least, most)]
    leaks: np.ndarray  # int64 [number]: number of changes when hidden cards were redealt
    noise: np.ndarray  # int64 [kind, number]: number of differences between two futures of an action
    moved: np.ndarray  # int64 [kind, number]: number of differences between now and such a future


def look_closer(states, tables, sight, noted, legal, n_legal):
    """Record facts about the state in states[0] in `noted`, for a probe.

    The facts are the values, the numbers that change when hidden cards are redealt, and the random effects of
    one or two legal actions. Overwrites states[1] and states[2].
    """
    me, numbers, after = states[0].me, sight.numbers, sight.after
    observe(states, 0, tables, sight, me, numbers, sight.all)
    before = numbers.copy()
    deal_anew(states, tables, 1, 0)
    observe(states, 1, tables, sight, me, after, sight.all)
    for number in range(len(numbers)):
        noted.met[number, 0] = min(noted.met[number, 0], numbers[number])
        noted.met[number, 1] = max(noted.met[number, 1], numbers[number])
        noted.leaks[number] += after[number] != numbers[number]
    for a in range(min(n_legal, 2)):
        action = legal[(states[0].turn * 7 + a * (n_legal // 2)) % n_legal]
        kind = action // sight.at.arguments
        for future in range(3):
            deal_anew(states, tables, 2, 1 + future)
            apply(states[2], tables, np.int32(action))
            observe(states, 2, tables, sight, me, after if future else numbers, sight.all)
            for number in range(len(numbers)):
                noted.noise[kind, number] += future > 0 and after[number] != numbers[number]
                noted.moved[kind, number] += future == 0 and before[number] != numbers[number]


def coding_of(at: Addresses, noted: Noted, rules: np.ndarray, is_advised: bool) -> Coding:
    """Return the encoding of numbers as inputs, after a probe.

    rules: the numbers of the rules, int64. is_advised: whether the last input of an action shows that another
    policy would choose it.
    """
    met, leaks, noise, moved = noted
    numbers, width = _codes([(0, 0) if leak else pair for pair, leak in zip(met, leaks, strict=True)])
    numbers[leaks > 0, 0] = HIDDEN
    pointers, more = _codes([_range_of(to, met, leaks, rules) for to in at.pointers])
    certain = ((noise == 0) & (moved > 0) & (numbers[None, :, 0] != HIDDEN)).astype(np.int64)
    static = at.inputs + more
    sizes = np.array([width, static + width + is_advised, static, *certain.any(axis=1)], np.int64)
    return Coding(numbers, pointers, certain, sizes)


def _range_of(
    to: np.ndarray, met: np.ndarray, leaks: np.ndarray, rules: np.ndarray
) -> Sequence[int] | np.ndarray:
    """Return the least and the greatest of the numbers to which a pointer can refer.

    Returns (0, 0) if some of them must not be visible.
    """
    ends = [np.arange(values) * stride for values, stride in ((to[4], to[6]), (to[8], to[10]))]
    places = (to[2] + ends[0][:, None] + ends[1][None, :]).ravel()
    if to[1] == RULE:
        return int(rules[places].min()), int(rules[places].max())
    places = places[places < len(met)]
    if leaks[places].any():
        return 0, 0
    return int(met[places, 0].min()), int(met[places, 1].max())


def _codes(ranges: Sequence[Sequence[int] | np.ndarray]) -> tuple[np.ndarray, int]:
    """Return the encoding of numbers with these ranges, and the number of inputs."""
    codes, width = np.zeros((len(ranges), 5), np.int64), 0
    for code, (least, most) in zip(codes, ranges, strict=True):
        span = max(int(most) - int(least), 0)
        how = HIDDEN if span == 0 else LINE if (least, most) == (0, 1) else ONE_OF if span <= FEW else STEPS
        inputs = {HIDDEN: 0, LINE: 1, ONE_OF: span + 1, STEPS: 1 + PARTS}[how]
        code[:] = how, width, least, span, inputs
        width += inputs
    return codes, width
