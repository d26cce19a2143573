"""The numbers of the scenario as one record for compiled rules, constant during a game."""

from collections.abc import Iterable

import numpy as np

from bartizan.simcore.arrays import as_records
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.schema import ItterScenario
from bartizan.simcore.kit.tables import Field, fill, record_of
from bartizan.simcore.scenario.loading import Scenario

AREAS = 11
DICE = 40
START_IN_CELLAR = 0  # `start` of a defender: this, Place.RESERVE or Place.ASIDE

FIELDS: list[Field] = [
    # 1.1, 2.0: the turn
    ("defender_actions", "i4", "turn.defender_actions"),
    ("ss_cards", "i4", "turn.ss_cards"),
    ("die_sides", "i4", "turn.die_sides"),
    ("placement_dice", "i4", "turn.placement_dice"),
    ("last_full_turn", "i4"),  # turns without the 142nd
    ("recovers", "i4", "command.recovers"),  # free Recovers of one Command
    ("token_supply", "i4", "inventory.suppression_tokens.count"),
    ("breach_ends_game", "u1", "breach_ends_game"),
    # defenders
    ("n_defenders", "i4"),
    ("attack", "i1", (c.DEFENDERS,), "defender.*.attack"),
    ("suppress", "i1", (c.DEFENDERS,), "defender.*.suppress"),
    ("attributes", "i2", (c.DEFENDERS,)),  # Attribute bits
    ("start", "i1", (c.DEFENDERS,)),
    # bit masks of defenders
    ("everybody", "i8"),
    ("tank_crew", "i8"),
    ("inspirers", "i8"),
    # for policies: the first defender with the same Attack, Suppress and [T]
    ("like", "i1", (c.DEFENDERS,)),
    # locations and positions
    ("n_locations", "i4"),
    ("n_positions", "i4"),
    ("defence_track", "i1", (c.LOCATIONS, c.TRACK)),
    ("track_length", "i1", (c.LOCATIONS,)),
    ("is_cellar", "u1", (c.LOCATIONS,)),
    ("destructible", "u1", (c.LOCATIONS,), "location.*.destructible"),
    ("escape_from", "u1", (c.LOCATIONS,), "location.*.escape_from"),
    ("move_out", "u1", (c.LOCATIONS, c.LOCATIONS)),
    ("location", "i1", (c.POSITIONS,)),
    ("first_position", "i1", (c.LOCATIONS,)),  # positions of a location are adjacent in board order
    ("end_position", "i1", (c.LOCATIONS,)),
    # bit masks of positions
    ("board", "i8"),  # all of them
    ("in_cellars", "i8"),
    ("in_destructibles", "i8"),
    ("for_crew", "i8"),
    ("ordinary", "i8"),  # not for the crew, without a weapon, and not the loader's
    ("positions_of", "i8", (c.LOCATIONS,)),
    ("moves_from", "i8", (c.LOCATIONS,)),  # positions to which a defender in this location may Move (2.5)
    ("crew", "u1", (c.POSITIONS,), "position.*.crew"),
    ("weapon_attack", "i1", (c.POSITIONS,), "position.*.weapon_attack"),  # NONE: no weapon
    ("weapon_suppress", "i1", (c.POSITIONS,), "position.*.weapon_suppress"),
    ("needs_load", "u1", (c.POSITIONS,), "position.*.needs_load"),
    ("keeps_load", "u1", (c.POSITIONS,), "position.*.keeps_load"),
    ("loads", "u1", (c.POSITIONS,), "position.*.loads"),
    ("cannon", "i4"),  # the position that needs the Load token, or NONE
    ("colours", "i1", (c.POSITIONS, 2)),  # NONE: no more
    ("squares", "i1", (c.POSITIONS, 2)),  # its colours with a suppression square
    ("n_squares", "i1", (c.POSITIONS,)),
    # 1.3: what is visible from a position
    ("seen", "i1", (c.POSITIONS, c.CIRCLES)),  # circles, ascending
    ("n_seen", "i1", (c.POSITIONS,)),
    ("in_sight", "i8", (c.POSITIONS,)),  # the same, as a bit mask of circles
    ("areas_in_sight", "i8", (c.POSITIONS,)),
    # 4.0: target by colour
    ("face_position", "i1", (c.COLOURS, c.FACES)),
    ("n_faces", "i1", (c.COLOURS,)),
    # 1.2: circles
    ("n_colours", "i4"),
    ("areas", "i1", (AREAS,)),
    ("next", "i1", (c.CIRCLES,)),  # 0: the castle
    ("circle_colour", "i1", (c.CIRCLES,)),  # NONE: no such circle
    ("is_area", "u1", (c.CIRCLES,)),
    ("steps", "i1", (c.CIRCLES,)),  # circles still to pass, including its own
    ("exit", "i1", (c.CIRCLES,)),  # last circle of its track
    ("n_circles", "i4"),
    ("circles", "i8"),  # bit masks: all of them, areas, and those of a colour
    ("all_areas", "i8"),
    ("circles_of", "i8", (c.COLOURS,)),
    ("inward", "i1", (c.CIRCLES,)),  # every circle, those farthest from the castle first
    # probability that the placement dice select this area, 0 for other circles
    ("landing", "f8", (c.CIRCLES,)),
    # SS counters
    ("n_kinds", "i4"),
    ("defence", "i1", (c.KINDS,), "ss_counter.*.defence"),
    ("disrupt_dice", "i1", (c.KINDS,), "ss_counter.*.disrupt_dice"),
    ("advances", "u1", (c.KINDS,), "ss_counter.*.advances"),
    ("count", "i2", (c.KINDS,), "ss_counter.*.count"),
    ("gun_kinds", "i1", (2,)),  # Machine Gunner, Mortar
    ("start_kinds", "i1", (AREAS,)),  # start counters, over the areas in ascending order
    ("random_start", "u1", "level.random_start"),
    # SS cards
    ("n_cards", "i4"),
    ("does", "i1", (c.SS_CARDS,)),  # Card
    ("card_kind", "i1", (c.SS_CARDS,)),  # CardKind
    ("card_counter", "i1", (c.SS_CARDS,)),  # kind of counter placed
    ("value", "i1", (c.SS_CARDS,)),
    ("deck_of", "i1", (c.SS_CARDS,)),
    ("target_table", "i1", (c.SS_CARDS,)),
    ("target", "i1", (c.TARGET_TABLES, 6)),  # colour or location by die face
    ("target_fixed", "u1", (c.TARGET_TABLES,)),  # 1: all faces agree, so no die is rolled
    ("target_location", "u1", (c.TARGET_TABLES,)),  # 1: it gives a location instead of a colour
    ("dealt", "i1", (c.SS_CARDS,)),  # card numbers, with copies expanded, deck 1 first
    ("deck_end", "i1", (5,)),  # dealt[deck_end[k-1]:deck_end[k]] is deck k
    ("drawn_cards", "i4"),  # R-66 drawn: number of cards of the four decks that are doubled
    ("n_squads", "i4"),  # 7.4: colours, in their order
    ("squads", "i1", (c.COLOURS,)),
    ("squad_least", "i4"),  # R-65 threes
    ("squad_dice", "i4"),
    ("last_cards", "i1", (5,)),  # 2.8d, by deck number
    # 6.2: the SS player
    ("competitive", "u1"),
    ("ss_first_draw", "i4", "level.ss_first_draw"),
    ("ss_draw", "i4", "level.ss_draw"),
    ("tactics_first_draw", "i4", "level.tactics_first_draw"),
    ("tactics_draw", "i4", "level.tactics_draw"),
    ("must_play", "u1", (c.SS_CARDS,)),  # by card number, including the 142nd
    ("hit", "f8", (DICE, 8)),  # probability that at least one of n dice shows at least v
    # 6.1: Tactics
    ("tactics_per_turn", "i4", "level.tactics_per_turn"),
    ("tactics_dealt", "i1", (c.TACTICS,)),
    ("tactics_end", "i1", (5,)),
    ("tactics_removed", "i1", (5,)),
    ("extra_dice", "i1", (c.TACTICS, c.CARD_KINDS)),
    ("extra_counters", "i1", (c.TACTICS, c.CARD_KINDS)),
    ("tougher", "i1", (c.TACTICS, c.KINDS)),
    ("only_areas", "i4", (c.TACTICS, c.KINDS)),  # bit mask of areas, 0: any
    ("banned", "i4", (c.TACTICS,)),  # bit mask of colours
    # 5.0: scoring
    ("tank_lost_empty", "i1", "score.tank_lost_empty.points"),
    ("borotra_escaped", "i1", "score.borotra_escaped.points"),
    ("french_outside_cellar", "i1", "score.french_outside_cellar.points"),
    ("french_in_cellar", "i1", "score.french_in_cellar.points"),
    ("other_on_board", "i1", "score.other_on_board.points"),
    ("ss_counter", "i1", "score.ss_counter.points"),
    ("min_score", "i1", "victory.min_score"),
    ("counts_casualties", "u1"),  # 7.5
    ("french_casualty", "i1", "victory.french_casualty"),
    ("other_casualty", "i1", "victory.other_casualty"),
    # rulings: the index of the current reading
    *((key, "i1") for key in c.READINGS),
]
TABLES = record_of(FIELDS)


def build_tables(scenario: Scenario) -> np.ndarray:
    """Convert a scenario to the structured array (dtype TABLES, length 1) that compiled rules read."""
    array = np.zeros(1, TABLES)
    tables = as_records(array)[0]
    model = scenario.model
    names = NameIndex(model)
    fill(tables, FIELDS, model)
    _turn(tables, model)
    _defenders(tables, model)
    _locations(tables, model)
    _positions(tables, model, names)
    _circles(tables, model, names)
    _faces(tables, model, names)
    _cards(tables, model, names)
    _targets(tables, model, names)
    _tactics(tables, model, names)
    _masks(tables)
    tables.competitive = model.is_competitive()
    tables.counts_casualties = model.victory.counts == "casualties"
    for key, code in c.READINGS.codes(model):
        tables[key] = code
    return array


class NameIndex:
    """The index of each name, because scenario files use names and compiled rules use numbers."""

    def __init__(self, model: ItterScenario):
        self.positions = _index(model.position)
        self.locations = _index(model.location)
        self.colours = _index(model.colour)
        self.kinds = _index(model.ss_counter)
        self.targets = _index(model.target_table)
        self.tactics = _index(model.tactics_card)


def _index(names: Iterable[str]) -> dict[str, int]:
    return {name: i for i, name in enumerate(names)}


def _turn(t, m: ItterScenario) -> None:
    t.last_full_turn = (
        m.turn.turns_without_142nd + sum(card.copies for card in m.set_cards().values()) // m.turn.ss_cards
    )
    for n in range(DICE):
        t.hit[n, 1:] = [1 - ((v - 1) / t.die_sides) ** n for v in range(1, 8)]


def _defenders(t, m: ItterScenario) -> None:
    starts = {"cellar": START_IN_CELLAR, "reserve": c.Place.RESERVE, "reinforcement": c.Place.ASIDE}
    t.n_defenders = len(m.defender)
    for i, d in enumerate(m.defender.values()):
        t.start[i] = starts[d.start]
        bits = sum(c.Attribute[c.ATTRIBUTE_LETTERS[letter]] for letter in d.attributes)
        t.attributes[i] = bits + (c.Attribute.FRENCH if d.nation == "FRA" else 0)
    sorts = [(d.attack, d.suppress, "T" in d.attributes) for d in m.defender.values()]
    t.like[: len(sorts)] = [sorts.index(sort) for sort in sorts]


def _locations(t, m: ItterScenario) -> None:
    t.n_locations = len(m.location)
    for i, loc in enumerate(m.location.values()):
        t.track_length[i] = len(loc.defence_track)
        t.defence_track[i, : len(loc.defence_track)] = loc.defence_track
        t.is_cellar[i] = not loc.defence_track
        for j, other in enumerate(m.location):
            t.move_out[i, j] = i != j and (not loc.move_out_to or other in loc.move_out_to)
    for i, key in enumerate(m.location):
        mine = [j for j, p in enumerate(m.position.values()) if p.location == key]
        t.first_position[i], t.end_position[i] = (mine[0], mine[-1] + 1) if mine else (0, 0)


def _positions(t, m: ItterScenario, names: NameIndex) -> None:
    t.n_positions = len(m.position)
    t.cannon = c.NONE
    for i, p in enumerate(m.position.values()):
        t.location[i] = names.locations[p.location]
        if p.needs_load:
            t.cannon = i
        # what is visible from it: colours, their squares, circles (1.3)
        squares = [names.colours[key] for key in p.colours if m.colour[key].suppression_square]
        t.colours[i] = _padded((names.colours[key] for key in p.colours), 2)
        t.squares[i], t.n_squares[i] = _padded(squares, 2), len(squares)
        seen = sorted(int(key) for key, circle in m.circle.items() if circle.colour in p.colours)
        t.seen[i, : len(seen)], t.n_seen[i] = seen, len(seen)


def _circles(t, m: ItterScenario, names: NameIndex) -> None:
    t.n_colours = len(m.colour)
    t.areas = sorted(m.areas)
    t.circle_colour = c.NONE
    for key, circle in m.circle.items():
        i = int(key)
        t.next[i] = circle.next
        t.circle_colour[i] = names.colours[circle.colour]
        t.is_area[i] = circle.kind == "placement"
        track = m.track(i)
        t.steps[i], t.exit[i] = len(track), track[-1]
    circles = sorted(map(int, m.circle), key=lambda i: -t.steps[i])
    t.n_circles = len(circles)
    t.inward[: len(circles)] = circles
    for area in m.areas:
        t.landing[area] = (6 - abs(7 - area)) / 36  # two six-sided dice


def _faces(t, m: ItterScenario, names: NameIndex) -> None:
    """Write the die faces of each colour; with R-42 `yes`, the tank's positions follow as faces 7, 8, ..."""
    t.face_position = c.NONE
    for colour, table in m.die_table.items():
        row = names.colours[colour]
        faces = list(table.die)
        if m.rulings["tank_by_colour"] == "yes":
            faces += [
                name
                for name, p in m.position.items()
                if m.location[p.location].destructible and colour in p.colours
            ]
        t.face_position[row] = _padded((names.positions[name] for name in faces), c.FACES)
        t.n_faces[row] = len(faces)


def _masks(t) -> None:
    """Write bit masks of defenders, positions and circles, computed from the other fields."""
    defenders, positions = range(t.n_defenders), range(t.n_positions)
    t.everybody = _mask(defenders)
    t.tank_crew = _mask(d for d in defenders if t.attributes[d] & c.Attribute.TANK_CREW)
    t.inspirers = _mask(d for d in defenders if t.attributes[d] & c.Attribute.INSPIRE)
    t.board = _mask(positions)
    t.in_cellars = _mask(p for p in positions if t.is_cellar[t.location[p]])
    t.in_destructibles = _mask(p for p in positions if t.destructible[t.location[p]])
    t.for_crew = _mask(p for p in positions if t.crew[p])
    t.ordinary = _mask(p for p in positions if not (t.crew[p] or t.loads[p]) and t.weapon_attack[p] == c.NONE)
    circles = [i for i in range(c.CIRCLES) if t.circle_colour[i] != c.NONE]
    t.circles, t.all_areas = _mask(circles), _mask(i for i in circles if t.is_area[i])
    for colour in range(t.n_colours):
        t.circles_of[colour] = _mask(i for i in circles if t.circle_colour[i] == colour)
    for here in range(t.n_locations):
        t.positions_of[here] = _mask(p for p in positions if t.location[p] == here)
        t.moves_from[here] = _mask(p for p in positions if t.move_out[here, t.location[p]])
    for p in positions:
        seen = t.seen[p, : t.n_seen[p]].tolist()
        t.in_sight[p], t.areas_in_sight[p] = _mask(seen), _mask(i for i in seen if t.is_area[i])


def _mask(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


def _cards(t, m: ItterScenario, names: NameIndex) -> None:
    t.n_kinds = len(m.ss_counter)
    t.gun_kinds = [names.kinds["machine_gunner"], names.kinds["mortar"]]
    start = (i for name, i in names.kinds.items() for _ in range(m.level.start.get(name, 0)))
    t.start_kinds = _padded(start, AREAS)
    cards = m.all_cards()
    t.n_cards = len(cards)
    for i, card in enumerate(cards.values()):
        does = {"place": c.Card.PLACE, "attack_location": c.Card.LOCATION}
        t.does[i] = does.get(card.category, c.DOES.get(card.kind))
        t.card_kind[i] = c.CardKind[card.kind]
        t.card_counter[i] = names.kinds.get(card.kind, c.NONE)
        t.value[i] = card.value
        t.deck_of[i] = card.deck
        t.target_table[i] = names.targets.get(card.table, c.NONE)
        t.must_play[i] = card.kind in m.level.must_play  # 6.2c
    t.must_play[t.n_cards] = "142nd" in m.level.must_play
    t.last_cards[2:] = m.regiment_card.last_cards
    t.last_cards[1] = t.last_cards[2]  # R-71 `as_deck_2`
    # the cards dealt, with copies expanded
    listed = m.rulings.get("extra_cards", "listed") == "listed"
    t.drawn_cards = 0 if listed else sum(card.copies for card in m.set_cards().values())
    in_play = m.base_cards() | (m.set_cards() if listed else {})
    dealt: list[list[int]] = [[], [], [], []]
    for i, (key, card) in enumerate(cards.items()):
        dealt[card.deck - 1] += [i] * card.copies * (key in in_play)
    _stack(t.dealt, t.deck_end, dealt)


def _stack(cards: np.ndarray, ends: np.ndarray, decks: list[list[int]]) -> None:
    """Write one deck after the other to `cards`, and the end of each to `ends`."""
    cards[: sum(map(len, decks))] = sum(decks, [])
    ends[1:] = np.cumsum([len(deck) for deck in decks])


def _targets(t, m: ItterScenario, names: NameIndex) -> None:
    """Write the target tables, and the colours of SS Squads (4.1, 4.2, 7.3, 7.4)."""
    for i, table in enumerate(m.target_table.values()):
        index = names.colours if table.gives == "colour" else names.locations
        t.target[i] = [index[name] for name in table.die]
        t.target_fixed[i] = len(set(table.die)) == 1
        t.target_location[i] = table.gives == "location"
    if m.squads:
        t.n_squads, t.squad_least, t.squad_dice = len(m.squads.colours), m.squads.least, m.squads.dice
        t.squads = _padded((names.colours[name] for name in m.squads.colours), c.COLOURS)


def _tactics(t, m: ItterScenario, names: NameIndex) -> None:
    dealt = [
        [names.tactics[key] for key, card in m.tactics_card.items() if card.deck == deck]
        for deck in (1, 2, 3, 4)
    ]
    _stack(t.tactics_dealt, t.tactics_end, dealt)
    t.tactics_removed[1 : 1 + len(m.level.tactics_removed)] = m.level.tactics_removed
    focus = m.rulings["focus_fire"]
    times = 2 if focus == "assumed_doubled" else 1
    for i, (key, card) in enumerate(m.tactics_card.items()):
        if focus == "blank" or (focus == "barrage_only" and key != "barrage"):
            continue
        for effect in card.effects:
            _effect(t, i, effect, times, names)


def _effect(t, i: int, effect, times: int, names: NameIndex) -> None:
    if effect.op == "extra_dice":
        for name in effect.cards:
            t.extra_dice[i, c.CardKind[name]] += effect.n * times
    elif effect.op == "extra_counter":
        for name in effect.cards:
            t.extra_counters[i, c.CardKind[name]] += effect.n * times
    elif effect.op == "tougher":
        for name in effect.counters:
            t.tougher[i, names.kinds[name]] += effect.n * times
    elif effect.op == "placement_areas":
        for name in effect.counters:
            t.only_areas[i, names.kinds[name]] = sum(1 << area for area in effect.areas)
    elif effect.op == "no_suppression":
        t.banned[i] |= sum(1 << names.colours[name] for name in effect.colours)


def _padded(values: Iterable[int], length: int) -> list[int]:
    values = list(values)
    return values + [c.NONE] * (length - len(values))
