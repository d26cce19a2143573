"""The network of a learned player: forward pass, gradient, and one pass of training.

    hidden = relu(state . first + first_bias)
    context = hidden . second + second_bias
    worth of an action = direct . x + (x . meeting) . hidden + out . relu(context + x . action)
    value of a state = judging . relu(state . judge + judge_bias) + verdict

state and x are the sparse inputs of a state and of an action. A policy draws actions with probabilities
proportional to the exponential of their worth. Training is proximal policy optimisation (Schulman et al.
2017) with generalised advantage estimation (Schulman et al. 2016) and Adam (Kingma & Ba 2015).

All parameters are in one float32 vector, which `net_of` divides into parts. `whole_worths` computes the worth
of actions in integer arithmetic, and `whole_chances` the probabilities.
"""

from typing import NamedTuple

import numpy as np

from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.learning.observing import UNIT

HIDDEN_UNITS = 32
FIRST_MOMENT, SECOND_MOMENT, TINY = 0.9, 0.999, 1e-5  # of Adam
LONGEST_STEP = 0.5  # maximum norm of a gradient
SMALL, MOST_SHIFT = 127, 14  # maximum of an 8-bit weight, and of its binary places
IGNORED = 1e-4  # a gradient of an action's worth below this is skipped


class Net(NamedTuple):
    """The parts of a network, float32.

    The axes are inputs of a state, inputs of an action, and H hidden units.
    """

    first: np.ndarray  # [state input, H]
    first_bias: np.ndarray  # [H]
    second: np.ndarray  # [H, H]
    second_bias: np.ndarray
    out: np.ndarray  # [H]
    direct: np.ndarray  # [action input]
    action: np.ndarray  # [action input, H]
    meeting: np.ndarray  # [action input, H]
    judge: np.ndarray  # [state input, H]
    judge_bias: np.ndarray
    judging: np.ndarray  # [H]
    verdict: np.ndarray  # [1]


class WholeNet(NamedTuple):
    """The parts of a network that choose an action, int8. Each number is in steps of 2 ** -shift."""

    first: np.ndarray
    first_bias: np.ndarray
    second: np.ndarray
    second_bias: np.ndarray
    out: np.ndarray
    direct: np.ndarray
    action: np.ndarray
    meeting: np.ndarray
    shifts: np.ndarray  # int64, one per part


class Decisions(NamedTuple):
    """Decisions of games to learn from.

    The inputs of decision t are at state_at[t] to state_at[t + 1] - 1, its actions at act_at[t] to act_at[t +
    1] - 1, and the inputs of action a at input_at[a] to input_at[a + 1] - 1.
    """

    state_at: np.ndarray  # int64
    state_inputs: np.ndarray  # int32
    state_values: np.ndarray  # int16, in 64ths
    act_at: np.ndarray  # int64
    input_at: np.ndarray  # int64
    act_inputs: np.ndarray  # int32
    act_values: np.ndarray  # int16, in 64ths
    chosen: np.ndarray  # int32: index of the chosen action
    chance: np.ndarray  # float32: log probability of the chosen action
    value: np.ndarray  # float32: estimated value of the state
    side: np.ndarray  # int64: the deciding side
    gain: np.ndarray  # float32: advantage
    target: np.ndarray  # float32: target of the value


def ends_of(state, action):
    """Return the end of each part of a network in its parameter vector, in the order of `Net`.

    state, action: number of inputs.
    """
    hidden = HIDDEN_UNITS
    first, acts = state * hidden, action * hidden
    choosing = (first, hidden, hidden * hidden, hidden, hidden, action, acts, acts)
    return np.cumsum(np.array((*choosing, first, hidden, hidden, 1)))


def net_of(flat, state, action):
    """Return the parts of a parameter vector, which share its memory."""
    end, hidden = ends_of(state, action), HIDDEN_UNITS
    return Net(
        flat[: end[0]].reshape((state, hidden)),
        flat[end[0] : end[1]],
        flat[end[1] : end[2]].reshape((hidden, hidden)),
        flat[end[2] : end[3]],
        flat[end[3] : end[4]],
        flat[end[4] : end[5]],
        flat[end[5] : end[6]].reshape((action, hidden)),
        flat[end[6] : end[7]].reshape((action, hidden)),
        flat[end[7] : end[8]].reshape((state, hidden)),
        flat[end[8] : end[9]],
        flat[end[9] : end[10]],
        flat[end[10] :],
    )


# ---------------------------------------------------------------- worth of actions, value of a state


def layer(weights, bias, inputs, values, start, stop, total):
    """Compute relu(inputs . weights + bias) into `total`."""
    for k in range(len(bias)):
        total[k] = bias[k]
    for z in range(start, stop):
        x = np.float32(values[z]) * np.float32(1 / UNIT)
        row = weights[inputs[z]]
        for k in range(len(bias)):
            total[k] += x * row[k]
    for k in range(len(bias)):
        total[k] = max(total[k], np.float32(0))


def context_of(net, hidden, context):
    """Compute hidden . second + second_bias into `context`."""
    for k in range(len(context)):
        context[k] = net.second_bias[k]
    for j in range(len(hidden)):
        if hidden[j] > 0:
            for k in range(len(context)):
                context[k] += hidden[j] * net.second[j, k]


def worth_of(net, hidden, context, past, start, stop, mixed):
    """Return the worth of the action whose inputs are past.act_inputs[start:stop].

    Writes context + x . action into `mixed`. past: a `Decisions` or a `Sight`.
    """
    for k in range(len(context)):
        mixed[k] = context[k]
    worth = np.float32(0)
    for z in range(start, stop):
        i, x = past.act_inputs[z], np.float32(past.act_values[z]) * np.float32(1 / UNIT)
        worth += x * net.direct[i]
        own, met = net.action[i], net.meeting[i]
        for k in range(len(context)):
            mixed[k] += x * own[k]
            worth += x * met[k] * hidden[k]
    for k in range(len(context)):
        worth += net.out[k] * max(mixed[k], np.float32(0))
    return worth


def value_of_state(net, inputs, values, start, stop, judged):
    """Return the value of a state. judged: hidden units of the judge, overwritten."""
    layer(net.judge, net.judge_bias, inputs, values, start, stop, judged)
    value = net.verdict[0]
    for k in range(len(judged)):
        value += net.judging[k] * judged[k]
    return value


def chances_of(worths, n):
    """Convert the worths of `n` actions to log probabilities, in place. Return the index of the best one."""
    best, total = 0, np.float32(0)
    for a in range(n):
        if worths[a] > worths[best]:
            best = a
    top = worths[best]
    for a in range(n):
        total += np.exp(worths[a] - top)
    for a in range(n):
        worths[a] -= top + np.log(total)
    return best


# ---------------------------------------------------------------- the same in integer arithmetic


def rounded(net):
    """Return the parts of a `Net` that choose an action, rounded to 8-bit integers times a power of two."""
    parts, shifts = [], []
    for name in WholeNet._fields[:-1]:
        part = getattr(net, name)
        most = float(np.abs(part).max(initial=0.0))
        shift = int(np.clip(np.floor(np.log2(SMALL / most)), 0, MOST_SHIFT)) if most > 0 else MOST_SHIFT
        parts.append(np.clip(np.rint(part * 2.0**shift), -SMALL, SMALL).astype(np.int8))
        shifts.append(shift)
    return WholeNet(*parts, np.array(shifts, np.int64))


def whole_worths(net, sight, n_state, n_legal, worths):
    """Compute the worth of `n_legal` actions, in steps of 2 ** -FINE / UNIT, into `worths` (int64)."""
    size = len(net.first_bias)
    hidden, context = np.zeros(size, np.int64), np.zeros(size, np.int64)
    mixed, met = np.zeros(size, np.int64), np.zeros(size, np.int64)
    s = net.shifts
    for k in range(size):
        hidden[k] = aligned(np.int64(net.first_bias[k]) * UNIT, s[1], s[0])
    for z in range(n_state):
        x, row = np.int64(sight.state_values[z]), net.first[sight.state_inputs[z]]
        for k in range(size):
            hidden[k] += x * row[k]
    for k in range(size):  # in steps of 2 ** -s[0] / UNIT
        hidden[k] = max(hidden[k], 0)
        context[k] = aligned(np.int64(net.second_bias[k]) * UNIT, s[3], s[0] + s[2])
    for j in range(size):
        for k in range(size):
            context[k] += hidden[j] * net.second[j, k]
    for a in range(n_legal):
        direct = np.int64(0)
        mixed[:] = 0
        met[:] = 0
        for z in range(sight.ends[a], sight.ends[a + 1]):
            x, i = np.int64(sight.act_values[z]), sight.act_inputs[z]
            direct += x * net.direct[i]
            for k in range(size):
                mixed[k] += x * net.action[i, k]
                met[k] += x * net.meeting[i, k]
        # the product of two inputs is in steps of 1 / UNIT ** 2
        worth = aligned(direct, s[5], FINE)
        for k in range(size):
            worth += aligned(hidden[k] * met[k] // UNIT, s[0] + s[7], FINE)
            both = context[k] + aligned(mixed[k], s[6], s[0] + s[2])
            worth += aligned(net.out[k] * max(both, 0), s[4] + s[0] + s[2], FINE)
        worths[a] = worth


def whole_chances(worths, n):
    """Convert worths to integers proportional to their exponential, in place."""
    top = worths[:n].max()
    for a in range(n):
        halvings = ((top - worths[a]) * PER_HALVING) >> 20
        whole = min(halvings >> (FINE + 6), 40)
        part = halvings >> (FINE - 2) & 255
        worths[a] = POWERS[part] >> whole


FINE = 20  # binary places of the worth of an action; UNIT has 6 more
PER_HALVING = round(2**20 / np.log(2))  # halvings of a probability for each step of worth, in 2 ** -20
POWERS = np.array([round(2 ** (20 - part / 256)) for part in range(256)], np.int64)


def aligned(number, places, wanted):
    """Convert an integer in steps of 2 ** -places to steps of 2 ** -wanted."""
    return number << (wanted - places) if wanted >= places else number >> (places - wanted)


# ---------------------------------------------------------------- training


def learn(flat, first, second, steps, order, rates, state, action, batch, past):
    """Make one pass over decisions in a given order, in small batches.

    Modifies `flat` and both moments of its gradient; returns the total number of steps so far.

    rates: float64 (step size, clipping of the probability ratio, weight of entropy, weight of the value);
    state, action: number of inputs; batch: decisions per batch.
    """
    gradient = np.zeros_like(flat)
    net, slope = net_of(flat, state, action), net_of(gradient, state, action)
    room = np.zeros((8, HIDDEN_UNITS), np.float32)
    worths = np.zeros(np.diff(past.act_at[: len(order) + 1]).max(), np.float32)
    for start in range(0, len(order) - batch + 1, batch):
        gradient[:] = 0
        for t in order[start : start + batch]:
            add_choice(net, slope, past, t, rates, batch, worths, room)
            add_judgement(net, slope, past, t, rates[3] / batch, room)
        steps += 1
        descend(flat, first, second, gradient, steps, rates[0])
    return steps


def add_choice(net, slope, past, t, rates, batch, worths, room):
    """Add the gradient of decision t's loss to `slope`. Overwrites `worths` and `room`.

    The loss is the clipped PPO policy loss minus the entropy bonus, divided by `batch`.
    """
    hidden, context, mixed, back, d_context, d_mixed = room[0], room[1], room[2], room[3], room[4], room[5]
    begin, end = past.state_at[t], past.state_at[t + 1]
    layer(net.first, net.first_bias, past.state_inputs, past.state_values, begin, end, hidden)
    context_of(net, hidden, context)
    act, n = past.act_at[t], past.act_at[t + 1] - past.act_at[t]
    for a in range(n):
        inside, outside = past.input_at[act + a], past.input_at[act + a + 1]
        worths[a] = worth_of(net, hidden, context, past, inside, outside, mixed)
    chances_of(worths, n)
    entropy = np.float32(0)
    for a in range(n):
        entropy -= np.exp(worths[a]) * worths[a]
    ratio, gain = np.exp(worths[past.chosen[t]] - past.chance[t]), past.gain[t]
    is_clipped = ratio > 1 + rates[1] if gain > 0 else ratio < 1 - rates[1]
    pull = np.float32(0) if is_clipped else gain * ratio
    back[:] = 0
    d_context[:] = 0
    for a in range(n):
        chance = np.exp(worths[a])
        wanted = pull * (np.float32(a == past.chosen[t]) - chance)
        wanted -= np.float32(rates[2]) * chance * (worths[a] + entropy)
        if abs(wanted) < IGNORED:
            continue
        d = np.float32(-wanted / batch)
        inside, outside = past.input_at[act + a], past.input_at[act + a + 1]
        worth_of(net, hidden, context, past, inside, outside, mixed)
        for k in range(len(hidden)):
            slope.out[k] += d * max(mixed[k], np.float32(0))
            d_mixed[k] = d * net.out[k] if mixed[k] > 0 else np.float32(0)
            d_context[k] += d_mixed[k]
        for z in range(inside, outside):
            i, x = past.act_inputs[z], np.float32(past.act_values[z]) * np.float32(1 / UNIT)
            slope.direct[i] += d * x
            own, met, through = slope.action[i], slope.meeting[i], net.meeting[i]
            for k in range(len(hidden)):
                own[k] += x * d_mixed[k]
                met[k] += d * x * hidden[k]
                back[k] += d * x * through[k]
    for j in range(len(hidden)):
        slope.second_bias[j] += d_context[j]
        if hidden[j] > 0:
            for k in range(len(hidden)):
                slope.second[j, k] += hidden[j] * d_context[k]
                back[j] += net.second[j, k] * d_context[k]
        else:
            back[j] = 0
    add_layer(slope.first, slope.first_bias, past, begin, end, back)


def add_judgement(net, slope, past, t, weight, room):
    """Add the gradient of the squared error of decision t's value to `slope`."""
    judged, back = room[6], room[7]
    begin, end = past.state_at[t], past.state_at[t + 1]
    value = value_of_state(net, past.state_inputs, past.state_values, begin, end, judged)
    d = np.float32(weight) * (value - past.target[t])
    slope.verdict[0] += d
    for k in range(len(judged)):
        slope.judging[k] += d * judged[k]
        back[k] = d * net.judging[k] if judged[k] > 0 else np.float32(0)
    add_layer(slope.judge, slope.judge_bias, past, begin, end, back)


def add_layer(weights, bias, past, begin, end, back):
    """Add the gradient of a layer for one state to `weights` and `bias`.

    begin, end: range of the state's inputs in `past`. back: derivative with respect to each output of the
    layer.
    """
    for k in range(len(back)):
        bias[k] += back[k]
    for z in range(begin, end):
        x = np.float32(past.state_values[z]) * np.float32(1 / UNIT)
        row = weights[past.state_inputs[z]]
        for k in range(len(back)):
            row[k] += x * back[k]


def descend(flat, first, second, gradient, steps, rate):
    """Make one Adam step down a gradient of bounded norm. Modifies `flat`, `first` and `second`."""
    norm = np.float32(0)
    for i in range(len(flat)):
        norm += gradient[i] * gradient[i]
    scale = np.float32(min(1.0, LONGEST_STEP / (np.sqrt(norm) + 1e-8)))
    early = np.float32(1 / (1 - FIRST_MOMENT**steps))
    late = np.float32(1 / (1 - SECOND_MOMENT**steps))
    for i in range(len(flat)):
        x = gradient[i] * scale
        first[i] += np.float32(1 - FIRST_MOMENT) * (x - first[i])
        second[i] += np.float32(1 - SECOND_MOMENT) * (x * x - second[i])
        down = np.sqrt(second[i] * late) + np.float32(TINY)
        flat[i] -= np.float32(rate) * (first[i] * early) / down


jit_module(__name__, but="rounded")
