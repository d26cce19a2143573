"""The one play loop. `simcore.game.Game.compile` binds a game's five functions to the names below and compiles it for its records."""

from simcore.rng import next_policy_luck, seed_luck

PLAYING, ILLEGAL_ACTION, PLY_CAP = 0, 1, 2
FIRST_GAME_REASON = 3  # a game numbers its own end reasons from here

# winner: the seat that won, or
NOBODY, CAPPED, HOUSE = -1, -2, -3  # a draw, cut off by the ply cap, won by the game itself


def reset(state, tables):
    """Set up a new game in `state`, whose luck is already seeded. Modifies `state`."""
    raise NotImplementedError


def legal_actions(state, tables, legal):
    """Write the legal actions of the player `state.to_move` into `legal` (int32) and return their number, at least 1."""
    raise NotImplementedError


def apply(state, tables, action):
    """Play one legal action and whatever follows without a decision. Modifies `state`; sets `state.end_reason` at the end."""
    raise NotImplementedError


def write_record(state, tables, record):
    """Fill the game's own columns of one record row. Modifies `record`."""
    raise NotImplementedError


def is_listed(legal, n_legal, action):
    for i in range(n_legal):
        if legal[i] == action:
            return True
    return False


def play_game(state, tables, policies, desk, seed, game, ply_cap):
    """Play game number `game` of `seed` to its end in `state` (modified in place); returns the number of plies (decisions).

    desk: record with `legal` (int32 scratch for the legal actions) and `weights` (float64 [seat, weight]). It is a record because compiled
    code counts references to free-standing arrays at every call, which costs more than a small decision.
    """
    legal = desk.legal[:]
    seed_luck(state, seed, game)
    state.end_reason = PLAYING
    state.to_move = 0
    reset(state, tables)
    plies = 0
    while state.end_reason == PLAYING:
        if plies == ply_cap:
            state.end_reason = PLY_CAP
            break
        n_legal = legal_actions(state, tables, legal)
        seat = state.to_move
        next_policy_luck(state)
        action = policies[seat](state, tables, legal, n_legal, desk.weights[seat])
        if not is_listed(legal, n_legal, action):
            state.end_reason = ILLEGAL_ACTION
            break
        apply(state, tables, action)
        plies += 1
    return plies


def play_batch(states, tables, policies, desks, seed, first_game, out, ply_cap):
    """Play `len(out)` games numbered from `first_game`; row i of `out` records game first_game + i.

    states, desks: record arrays of length 1, scratch; policies: tuple of first-class functions by seat.
    Returns the plies played; stops early, with `end_reason` ILLEGAL_ACTION in the last row written, when a policy breaks the rules.
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
