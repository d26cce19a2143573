"""`security_officer`: a German who shuts the ways out and goes where it hurts.

Guards stand on circles of the Outer Area over which the likeliest ways out lead: likely are the short ones
for which somebody holds the Equipment. A POW out of the grey zone is hunted by whoever can be there with this
throw, from the barracks too, guards who shut a way last; the nearer he is to a target with what his player
holds, the more his arrest is worth. POWs in the courtyard are arrested when their player holds Equipment,
while there is room in the inner cells. Two guards wait at the far end of each open tunnel.
"""

from bartizan.policies.colditz.aids import FAR, steps_to, way_out
from bartizan.policies.colditz.wall import AT, MEMORY, WEIGHTS, look
from bartizan.policies.protocol import Policy
from bartizan.simcore.colditz.actions import argument_of, both_of, holder_and_card, kind_of, room_and_guard
from bartizan.simcore.colditz.components import APPEL, GUARDS, NONE, POWS, TEAM, Act, Place, Stage, Zone
from bartizan.simcore.colditz.rules import pawns
from bartizan.simcore.colditz.rules.claims import symbol_of
from bartizan.simcore.colditz.rules.german_cards import shot_distance
from bartizan.simcore.colditz.rules.guard_moves import somebody_is_out
from bartizan.simcore.compile.jit import jit

TARGETS = 7


@jit
def urgency(state, tables, w, weights):
    """How much the arrest of a POW is worth; 0: he cannot be arrested."""
    if not pawns.on_surface(state, w) or state.pow_at[w] == APPEL or tables.board.safe[state.pow_at[w]]:
        return 0.0
    c, p = state.pow_at[w], w // TEAM
    if tables.board.grey[c]:
        in_room = tables.board.room[c] != NONE
        if in_room or pawns.equipment_held(state, p) == 0 or inner_cells_full(state, tables):
            return 0.0
        return weights[AT.grey]
    if state.returning[w]:
        return 0.0
    left = way_out(state, tables, p, c)
    # harmless here, and near to Do or Die when let out of the outer cells
    if left == FAR and inner_cells_full(state, tables):
        return 0.0
    return 140.0 - min(left, 80) - (0.0 if state.kit[p] else weights[AT.no_kit])


@jit
def inner_cells_full(state, tables):
    return pawns.in_block(state, 0) >= tables.cells[0]


@jit
def find_wanted(state, tables, weights, view):
    """What each arrest is worth, and the bit mask of those that are worth something. Modifies `view`."""
    view.wanted = 0
    for w in range(tables.players * TEAM):
        view.urgency[w] = urgency(state, tables, w, weights)
        if view.urgency[w] > 0:
            view.wanted |= 1 << w


@jit
def most_urgent(state, tables, c, points, extra, view):
    """Best value a guard at c can get: an arrest within `points`, else nearness to somebody."""
    best = -1.0
    for w in range(tables.players * TEAM):
        if not view.wanted >> w & 1:
            continue
        u = view.urgency[w]
        d = tables.board.steps[state.pow_at[w], c]
        if d < 0:
            continue
        d += extra
        value = 1000.0 + u - d if d <= points else max(0.0, 100.0 + 0.2 * u - d)
        if d > points and tables.board.grey[state.pow_at[w]]:
            value = -1.0
        best = max(best, value)
    return best


def choose(state, tables, legal, n_legal, weights, memory):
    view = memory.moment
    find_wanted(state, tables, weights, view)
    if state.stage == Stage.TURN or state.stage == Stage.SETUP:
        look(state, tables, weights, view, memory)
    if state.stage == Stage.GOTO:
        return choose_goal(state, tables, legal, n_legal, weights, view, memory)
    best, choice = -1e18, legal[0]
    for i in range(n_legal):
        worth = worth_of(state, tables, kind_of(legal[i]), argument_of(legal[i]), weights, view)
        if worth > best:
            best, choice = worth, legal[i]
    return choice


@jit
def choose_goal(state, tables, legal, n_legal, weights, view, memory):
    """An arrest; else, with nobody in reach, to the sentry's post or the circle he is to shut; else nearer to
    those on the run. Modifies `view` and `memory`.
    """
    g = state.picked
    best, choice = -1e18, legal[0]
    here = state.guard_at[g]
    idle = most_urgent(state, tables, here, state.points, 0, view) <= 0.5
    post = sentry_post(state, tables, g, weights) if idle else NONE
    if post == NONE and idle:
        look(state, tables, weights, view, memory)
        post = view.goal[g]
    for i in range(n_legal):
        act, c = kind_of(legal[i]), argument_of(legal[i])
        if act == Act.ARREST:
            worth = 1000.0 + view.urgency[state.on[c] - 1]
        else:
            place = here if act == Act.STAY else c
            worth = worth_of_place(state, tables, place, post, view)
            worth += 0.5 if act == Act.STAY and post == NONE else 0.0
        if worth > best:
            best, choice = worth, legal[i]
    return choice


@jit
def worth_of_place(state, tables, c, post, view):
    """Nearness to a sentry's post, or to those who are wanted."""
    if post != NONE:
        return -1.0 * steps_to(tables, c, post)
    return nearness(state, tables, c, view)


@jit
def nearness(state, tables, c, view):
    best = -500.0
    for w in range(tables.players * TEAM):
        if view.wanted >> w & 1 and not tables.board.grey[state.pow_at[w]]:
            u = view.urgency[w]
            d = tables.board.steps[state.pow_at[w], c]
            if d >= 0:
                best = max(best, 0.2 * u - d)
    return best


@jit
def sentry_post(state, tables, g, weights):
    """The target this guard is to stand on: the most exposed ones each draw the nearest guard.

    None while nobody is on the run, if guards Outside are sent home then (Q37).
    """
    if pawns.stands_down_at_the_end(tables) and not somebody_is_out(state, tables):
        return NONE
    busy = 0
    for k in range(min(int(weights[AT.camp]), TARGETS)):
        c = tables.board.exposed[k]
        best = nearest_sentry(state, tables, c, busy)
        if best == NONE:
            continue
        busy |= 1 << best
        if best == g:
            return c if tables.board.steps[state.guard_at[g], c] > 0 else NONE
    return NONE


@jit
def nearest_sentry(state, tables, c, busy):
    """The guard out of the grey zone that is nearest to c and not in the bit mask `busy`, or NONE."""
    board = tables.board
    best, least = NONE, FAR
    for h in range(GUARDS):
        if state.guard_at[h] > APPEL and not busy >> h & 1 and not board.grey[state.guard_at[h]]:
            d = steps_to(tables, state.guard_at[h], c)
            if d < least:
                best, least = h, d
    return best


@jit
def waiting(state):
    n = 0
    for g in range(GUARDS):
        n += state.guard_at[g] == Place.BARRACKS
    return n


@jit
def worth_of(state, tables, act, argument, weights, view):
    """What an action is worth outside GOTO; what is not named is worth 0."""
    if act == Act.PICK:
        return worth_of_pick(state, tables, argument, weights, view)
    if act == Act.POST:
        return worth_of_post(state, tables, argument, weights, view)
    if act == Act.END:
        posted = state.stage == Stage.SETUP and pawns.guards_out(state) >= tables.players + weights[AT.posts]
        return 100.0 if posted else 0.0
    if act == Act.RECALL:
        return -1.0
    if act == Act.MATCH:
        return worth_of_match(state, tables, both_of(argument)[1], view)
    if act == Act.CELL:
        return weights[AT.cells] * argument
    if act == Act.DISCARD:
        return 1.0 + discard(state, tables, argument)
    return worth_of_order(state, tables, act, argument, weights, view)


@jit
def worth_of_pick(state, tables, g, weights, view):
    here = state.guard_at[g]
    value = most_urgent(state, tables, here, state.points, 0, view) - 0.5
    if value > 0 and view.stays[g]:
        value -= weights[AT.duty]
    if value <= 0 and (sentry_post(state, tables, g, weights) != NONE or view.goal[g] != NONE):
        return 2.0
    return value


@jit
def worth_of_post(state, tables, c, weights, view):
    if state.stage == Stage.SETUP:
        if view.gap != NONE and not tables.board.grey[c]:
            return 60.0 - steps_to(tables, c, view.gap)
        return spread(state, tables, c)
    value = most_urgent(state, tables, c, state.points, 1, view)
    if value > 0:
        return value - 0.6
    if waiting(state) <= weights[AT.reserve]:
        return -1.0
    return 3.0 - 0.01 * steps_to(tables, c, view.gap) if view.gap != NONE else -1.0


@jit
def worth_of_match(state, tables, w, view):
    if w >= POWS:
        return 10.0
    if inner_cells_full(state, tables):
        return view.urgency[w]
    return 10.0 + 0.1 * view.urgency[w]


@jit
def worth_of_order(state, tables, act, argument, weights, view):
    """Security cards."""
    if act == Act.SEARCH:
        return worth_of_search(state, tables, room_and_guard(argument)[0])
    if act == Act.APPEL:
        return worth_of_appel(state, tables) - weights[AT.appel_min]
    if act == Act.HOLDER:
        return 900.0 if pawns.is_on_the_run(state, tables, holder_and_card(argument)[0]) else 20.0
    if act == Act.SHOOT:
        g, w = both_of(argument)
        return worth_of_shot(state, tables, g, w, weights, view)
    return 15.0 if act == Act.DETECT else 0.0


@jit
def worth_of_shot(state, tables, g, w, weights, view):
    distance = shot_distance(state, tables, g, w)
    chance = tables.shot[min(distance, tables.shot.shape[0] - 1)]
    if chance < weights[AT.shot_min]:
        return -1.0
    return 500.0 + 100.0 * chance + 0.1 * view.urgency[w]


@jit
def spread(state, tables, c):
    """Set-up: far from the guards already posted."""
    least = 60
    for g in range(GUARDS):
        if state.guard_at[g] > APPEL:
            least = min(least, steps_to(tables, state.guard_at[g], c))
    return 1.0 * least


@jit
def worth_of_search(state, tables, room):
    taken = 0
    for w in range(tables.players * TEAM):
        if (
            pawns.on_surface(state, w)
            and tables.board.room[state.pow_at[w]] == room
            and not tables.board.safe[state.pow_at[w]]
        ):
            taken += pawns.equipment_held(state, w // TEAM) > 0
    return 300.0 + taken if taken else -1.0


@jit
def worth_of_appel(state, tables):
    """POWs that an Appel drives from where they want to be."""
    n = 0.0
    for w in range(tables.players * TEAM):
        if pawns.on_surface(state, w) and state.pow_at[w] != APPEL:
            if symbol_of(state, tables, w) >= 0 or tables.board.zone[state.pow_at[w]] == Zone.OUTER:
                n += 1.0
            elif tables.board.room[state.pow_at[w]] != NONE:
                n += 0.7
    return n


@jit
def discard(state, tables, card):
    if card == tables.shoot or card == tables.appel:
        return 0.0
    return 0.5


SECURITY_OFFICER = Policy(
    "security_officer",
    choose,
    "shuts the likeliest ways out, waits where tunnels end, posts and runs where an arrest hurts most, calls "
    "Appel when it drives enough POWs from where they want to be, searches rooms with Equipment in reach",
    weights=WEIGHTS,
    roles=("german",),
    memory=MEMORY,
)
