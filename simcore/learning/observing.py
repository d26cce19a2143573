"""What the acting player sees, as numbers and as inputs of a network: compiled code, driven by `Addresses`.

A number of a state becomes inputs in whole 64ths: one input for each value where there are few, else how far
it lies along its range. All of it is integer arithmetic, so inputs are the same on every machine.

An action has inputs of its own (kind, arguments, what they point to), and those of its certain effects: what
the state becomes, where that does not depend on luck or hidden cards. `probe` finds out which effects these
are, for each kind of action, and what must not be seen at all.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bartizan.simcore.compile.rules import apply, as_features, determinize, knows_card, write_features
from bartizan.simcore.learning.layout import ASKED, BYTE, RULE, SCORE, SEEN, Addresses
from bartizan.simcore.rng import fresh_luck

UNIT = 64  # of an input: 64 is 1
HIDDEN, LINE, ONE_OF, STEPS = range(4)  # how a number becomes inputs: not at all; in a line; one of; in steps
FEW = 8  # a number with at most so many values beyond the least is one of its values
PARTS = 8  # of a range that is walked in steps
MOST = 9  # inputs of one number that are not 0
ROOM = 1 << 18  # inputs of all actions of a decision
FARTHEST = 4 * UNIT  # of a number beyond what was met in training


class Coding(NamedTuple):
    """How numbers become inputs, as int64 arrays; made of what `probe` has met."""

    numbers: np.ndarray  # [number of a state, (how, first input, least, span, inputs)]
    pointers: np.ndarray  # [pointer, the same]
    certain: np.ndarray  # [kind of action, number of a state]: 1 if an action's effect on it is certain
    sizes: np.ndarray  # [inputs of a state, inputs of an action, of these before its effects]


# ---------------------------------------------------------------- numbers


def observe(states, i, tables, rules, seen, at, me, numbers):
    """What player `me` sees of states[i], into `numbers` (int64). rules: those of `tables` as int64 words;
    seen: float64, room for the game's features.
    """
    state = states[i]
    words, flags = states[i : i + 1].view(np.int32), states[i : i + 1].view(np.int8)
    players = state.players
    numbers[:] = 0
    if at.sizes[3] > 0:
        write_features(state, tables, as_features(seen))
    for row in range(at.fields.shape[0]):
        field = at.fields[row]
        out, source, place, stride = field[0], field[1], field[2], field[3]
        k, inner, cell, is_owner = field[4], field[5], field[6], field[7]
        if k >= players or (inner > 0 and cell >= players):
            continue
        place += ((me + k) % players) * stride + ((me + cell) % players) * inner
        if source == SCORE:
            numbers[out] = np.int64(seen[place])
        elif source == BYTE:
            numbers[out] = flags[place]
        else:
            numbers[out] = words[place]
        if is_owner:
            owner = numbers[out]
            numbers[out] = 1 + (owner - 1 - me) % players if 1 <= owner <= players else 0
    for row in range(at.decks.shape[0]):
        out, kinds, place = at.decks[row, 0], at.decks[row, 1], at.decks[row, 2]
        for kind in range(kinds):
            numbers[out + kind] = rules[place + kind]
    for row in range(at.piles.shape[0]):
        if at.piles[row, 4] < players:
            look_at_pile(state, tables, words, rules, at, row, me, numbers)


def look_at_pile(state, tables, words, rules, at, row, me, numbers):
    """One pile: its size, its cards by kind and the sums of their numbers. Modifies `numbers`."""
    pile = at.piles[row]
    out, step, sight, kinds, unseen = pile[0], pile[2], pile[6], pile[7], pile[10]
    owner = (me + pile[4]) % state.players
    place = pile[1] + owner * pile[3]
    size = words[place]
    numbers[out] = size
    for i in range(size):
        is_seen = sight == SEEN
        if sight == ASKED:
            is_seen = knows_card(state, tables, me, owner if pile[5] else -1, i, pile[11])
        if is_seen:
            card = words[place + (1 + i) * step]
            numbers[out + 1 + card] += 1
            numbers[unseen + card] -= 1
            for column in range(pile[9]):
                place_of_column = at.sums[pile[8] + column]
                worth = card if place_of_column < 0 else rules[place_of_column + card]
                numbers[out + 1 + kinds + column] += worth


# ---------------------------------------------------------------- inputs


def coded(code, number, inputs, values, n, before, sign):
    """Write the inputs of one number behind the first `n`; returns how many there are then.

    before: added to the place of each input; sign: 1, or -1 to take them away.
    """
    how, first, least, span, most = code[0], before + code[1], code[2], code[3], code[4]
    if how == ONE_OF:
        inputs[n] = first + min(max(number - least, 0), most - 1)
        values[n] = sign * UNIT
        return n + 1
    if how == HIDDEN or (number == 0 and least == 0):
        return n
    far = max(abs(least), abs(least + span), 1)
    inputs[n] = first
    values[n] = sign * min(max(UNIT * number // far, -FARTHEST), FARTHEST)
    n += 1
    if how == STEPS:
        along = PARTS * UNIT * (number - least) // span
        for part in range(PARTS):
            if along <= part * UNIT:
                break
            inputs[n] = first + 1 + part
            values[n] = sign * min(along - part * UNIT, UNIT)
            n += 1
    return n


def state_inputs(numbers, codes, inputs, values):
    """The inputs of a state; returns how many there are."""
    n = 0
    for number in range(len(numbers)):
        n = coded(codes[number], numbers[number], inputs, values, n, 0, 1)
    return n


def action_inputs(action, me, players, numbers, rules, at, coding, inputs, values, n):
    """The inputs of an action but for its effects, behind the first `n`; returns how many there are then."""
    kind, argument = action // at.sizes[2], action % at.sizes[2]
    inputs[n] = kind
    values[n] = UNIT
    n += 1
    for row in range(at.ones.shape[0]):
        one = at.ones[row]
        if one[0] == kind:
            inputs[n] = one[1] + value_of_argument(argument, one[2], one[3], one[4], me, players)
            values[n] = UNIT
            n += 1
    for row in range(at.joints.shape[0]):
        if at.joints[row, 0] == kind:
            together = np.int64(0)
            for other in range(at.ones.shape[0]):
                one = at.ones[other]
                if one[0] == kind:
                    value = value_of_argument(argument, one[2], one[3], one[4], me, players)
                    together = together * one[3] + value
            inputs[n] = at.joints[row, 1] + together
            values[n] = UNIT
            n += 1
    for row in range(at.pointers.shape[0]):
        to = at.pointers[row]
        if to[0] == kind:
            place = to[2] + to[6] * value_of_argument(argument, to[3], to[4], to[5], me, players)
            place += to[10] * value_of_argument(argument, to[7], to[8], to[9], me, players)
            number = rules[place] if to[1] == RULE else numbers[place]
            n = coded(coding.pointers[row], number, inputs, values, n, at.sizes[1], 1)
    return n


def value_of_argument(argument, divisor, values, is_player, me, players):
    """A digit of a packed argument; a player is counted from the acting one."""
    value = argument // divisor % values
    return (value - me) % players if is_player and value < players else value


def effect_inputs(states, tables, rules, seen, at, coding, action, me, numbers, after, inputs, values, n):
    """What an action certainly changes, in the future that states[1] holds: what the numbers become, less
    what they were. Modifies states[2] and `after`; returns how many inputs there are then.
    """
    kind = action // at.sizes[2]
    states[2] = states[1]
    apply(states[2], tables, np.int32(action))
    observe(states, 2, tables, rules, seen, at, me, after)
    for number in range(len(numbers)):
        if after[number] != numbers[number] and coding.certain[kind, number]:
            code = coding.numbers[number]
            n = coded(code, after[number], inputs, values, n, coding.sizes[2], 1)
            n = coded(code, numbers[number], inputs, values, n, coding.sizes[2], -1)
    return n


def deal_anew(states, tables):
    """states[1] becomes a future of states[0], with other luck and with hidden cards dealt anew."""
    states[1] = states[0]
    fresh_luck(states[1], 0)
    determinize(states[1], tables, states[0].to_move)


class Scratch(NamedTuple):
    """Room for the inputs of one decision; those of action a are [ends[a], ends[a + 1])."""

    state_inputs: np.ndarray  # int32
    state_values: np.ndarray  # int16
    ends: np.ndarray  # int64
    act_inputs: np.ndarray  # int32
    act_values: np.ndarray  # int16


def most_of_an_action(at, coding):
    """How many inputs an action can have at most."""
    return MOST * (2 * len(coding.numbers) + len(coding.pointers)) + len(at.ones) + 2


def scratch(at, coding, most_legal):
    state = MOST * len(coding.numbers)
    act = min(most_legal * most_of_an_action(at, coding), ROOM + most_of_an_action(at, coding))
    return Scratch(
        np.zeros(state, np.int32),
        np.zeros(state, np.int16),
        np.zeros(most_legal + 1, np.int64),
        np.zeros(act, np.int32),
        np.zeros(act, np.int16),
    )


def legal_inputs(states, tables, rules, seen, at, coding, legal, n_legal, numbers, after, now):
    """The inputs of all legal actions of states[0]. Modifies states[1] and states[2] too.

    Returns the number of actions whose inputs fit: all of them, except in games with thousands of actions.
    """
    me, players, is_dealt = states[0].me, states[0].players, False
    inputs, values, ends = now.act_inputs, now.act_values, now.ends
    for a in range(n_legal):
        n = ends[a]
        if n + most_of_an_action(at, coding) > len(inputs):
            return a
        n = action_inputs(legal[a], me, players, numbers, rules, at, coding, inputs, values, n)
        if coding.sizes[3 + legal[a] // at.sizes[2]]:
            if not is_dealt:
                deal_anew(states, tables)
                is_dealt = True
            n = effect_inputs(
                states, tables, rules, seen, at, coding, legal[a], me, numbers, after, inputs, values, n
            )
        ends[a + 1] = n
    return n_legal


# ---------------------------------------------------------------- looking closer, before training


def look_closer(states, tables, rules, seen, at, met, leaks, noise, tried, legal, n_legal, numbers, after):
    """Note what can be met in states[0], what changes if hidden cards are dealt anew, and what one of the
    legal actions leaves to chance. Modifies states[1] and states[2] too.

    met: int64 [number, (least, most)]; leaks: int64 [number], noise: int64 [kind, number], how often.
    """
    me = states[0].me
    observe(states, 0, tables, rules, seen, at, me, numbers)
    for number in range(len(numbers)):
        met[number, 0] = min(met[number, 0], numbers[number])
        met[number, 1] = max(met[number, 1], numbers[number])
    deal_anew(states, tables)
    observe(states, 1, tables, rules, seen, at, me, after)
    for number in range(len(numbers)):
        leaks[number] += after[number] != numbers[number]
    for a in range(min(n_legal, 2)):
        action = legal[(states[0].turn * 7 + a * (n_legal // 2)) % n_legal]
        kind = action // at.sizes[2]
        tried[kind] += 1
        for future in range(3):
            states[2] = states[0]
            fresh_luck(states[2], 1 + future)
            determinize(states[2], tables, states[0].to_move)
            apply(states[2], tables, np.int32(action))
            if future == 0:
                observe(states, 2, tables, rules, seen, at, me, numbers)
                continue
            observe(states, 2, tables, rules, seen, at, me, after)
            for number in range(len(numbers)):
                noise[kind, number] += after[number] != numbers[number]


def coding_of(
    at: Addresses, met: np.ndarray, leaks: np.ndarray, noise: np.ndarray, tried: np.ndarray, rules: np.ndarray
) -> Coding:
    """How numbers become inputs, after a probe: see `look_closer`."""
    numbers, width = _codes([(0, 0) if leak else pair for pair, leak in zip(met, leaks, strict=True)])
    numbers[leaks > 0, 0] = HIDDEN
    pointers, more = _codes([_range_of(to, met, leaks, rules) for to in at.pointers])
    certain = ((noise == 0) & (tried[:, None] > 0) & (numbers[None, :, 0] != HIDDEN)).astype(np.int64)
    static = int(at.sizes[1]) + more
    sizes = np.array([width, static + width, static, *certain.any(axis=1)], np.int64)
    return Coding(numbers, pointers, certain, sizes)


def _range_of(
    to: np.ndarray, met: np.ndarray, leaks: np.ndarray, rules: np.ndarray
) -> Sequence[int] | np.ndarray:
    """(least, most) of what a pointer can point to; (0, 0) where some of it must not be seen."""
    ends = [np.arange(values) * stride for values, stride in ((to[4], to[6]), (to[8], to[10]))]
    places = (to[2] + ends[0][:, None] + ends[1][None, :]).ravel()
    if to[1] == RULE:
        return int(rules[places].min()), int(rules[places].max())
    places = places[places < len(met)]
    if leaks[places].any():
        return 0, 0
    return int(met[places, 0].min()), int(met[places, 1].max())


def _codes(ranges: Sequence[Sequence[int] | np.ndarray]) -> tuple[np.ndarray, int]:
    """How numbers with these ranges become inputs, and how many inputs these are."""
    codes, width = np.zeros((len(ranges), 5), np.int64), 0
    for code, (least, most) in zip(codes, ranges, strict=True):
        span = max(int(most) - int(least), 0)
        how = HIDDEN if span == 0 else LINE if (least, most) == (0, 1) else ONE_OF if span <= FEW else STEPS
        inputs = {HIDDEN: 0, LINE: 1, ONE_OF: span + 1, STEPS: 1 + PARTS}[how]
        code[:] = how, width, least, span, inputs
        width += inputs
    return codes, width
