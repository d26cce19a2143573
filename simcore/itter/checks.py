"""The arithmetic that holds a scenario of Castle Itter together (simcore/itter/CHECKS.md).

Each check yields (path of the value at fault, what is wrong with it), in the order in which a user is told.
"""

from collections import Counter
from collections.abc import Container, Generator, Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from bartizan.simcore.itter.components import CIRCLES, DOES, READINGS, SS_CARDS, CardKind

if TYPE_CHECKING:
    from bartizan.simcore.itter.schema import ItterScenario, SSCard

Faults = Iterator[tuple[str, str]]
FaultsUpTo = Generator[tuple[str, str], None, bool]  # True: the checks after it would make no sense


def problems(s: "ItterScenario") -> Faults:
    yield from references(s)
    yield from board(s)
    yield from people(s)
    yield from decks(s)
    yield from counters(s)


# ---------------------------------------------------------------- names


def references(s: "ItterScenario") -> Faults:
    """Every name one record uses for another exists."""
    yield from READINGS.problems(s)
    yield from position_names(s)
    yield from location_names(s)
    for key, table in s.target_table.items():
        known = s.colour if table.gives == "colour" else s.location
        for face, name in enumerate(table.die, 1):
            if name not in known:
                yield f"target_table.{key}.die", f'face {face} names "{name}", which is no {table.gives}'
    yield from unknown(s.squads.colours if s.squads else (), s.colour, "squads.colours", "colour")
    yield from unknown(s.levels, s.mode, "levels", "mode")
    if len(set(s.levels)) < len(s.levels):
        yield "levels", "a level is named twice"
    for key, card in s.ss_card.items():
        yield from card_names(s, key, card)
    yield from tactics_names(s)


def unknown(names: Iterable[str], known: Container[str], path: str, what: str) -> Faults:
    for name in names:
        if name not in known:
            yield path, f'no {what} "{name}"'


def position_names(s: "ItterScenario") -> Faults:
    for key, position in s.position.items():
        yield from unknown([position.location], s.location, f"position.{key}.location", "location")
        yield from unknown(position.colours, s.colour, f"position.{key}.colours", "colour")


def location_names(s: "ItterScenario") -> Faults:
    order = [position.location for position in s.position.values()]
    for key in s.location:
        if key in order and order.count(key) != len(order) - order[::-1].index(key) - order.index(key):
            yield "position", f"the positions of {key} must stand together"
    for key, location in s.location.items():
        yield from unknown(location.move_out_to, s.location, f"location.{key}.move_out_to", "location")


def card_names(s: "ItterScenario", key: str, card: "SSCard") -> Faults:
    if card.kind == "ss_squads" and not s.squads:
        yield f"ss_card.{key}.kind", "ss_squads needs the table squads"
    if card.category not in ("place", "attack_location") and card.kind not in DOES:
        yield (
            f"ss_card.{key}.category",
            f"{card.category} is no category of a {card.kind} card: only of {', '.join(DOES)}",
        )
    if card.category == "place":
        yield from unknown([card.kind], s.ss_counter, f"ss_card.{key}.kind", "SS counter")
    if card.category == "attack_location":
        yield from unknown([card.table], s.target_table, f"ss_card.{key}.table", "target table")


def tactics_names(s: "ItterScenario") -> Faults:
    for key, card in s.tactics_card.items():
        path = f"tactics_card.{key}.effects"
        for effect in card.effects:
            yield from unknown(effect.cards, CardKind.__members__, path, "kind of SS card")
            yield from unknown(effect.counters, s.ss_counter, path, "SS counter")
            yield from unknown(effect.colours, s.colour, path, "colour")


# ---------------------------------------------------------------- B, C: positions, die tables, tracks


def board(s: "ItterScenario") -> Faults:
    for check in (die_tables, circle_numbers, circle_names, cycles):
        if (yield from check(s)):
            return
    for key, circle in s.circle.items():
        if circle.kind == "placement" and not s.colour[circle.colour].suppression_square:
            yield (
                f"circle.{key}.colour",
                f"placement area of colour {circle.colour}, which has no suppression square",
            )


def die_tables(s: "ItterScenario") -> FaultsUpTo:
    for colour, table in s.die_table.items():
        for face, name in enumerate(table.die, 1):
            if name not in s.position:
                yield f"die_table.{colour}.die", f'face {face} names "{name}", which is no position'
                return True
            yield from face_of(s, colour, face, name)
        for name, position in s.position.items():
            reachable = position.numbers and colour in position.colours
            if reachable and name not in table.die:
                yield f"die_table.{colour}.die", f"{name} sees {colour} and has numbers, but no face names it"
    for colour in s.colour:
        if colour not in s.die_table:
            yield f"die_table.{colour}", "is missing"
    return False


def face_of(s: "ItterScenario", colour: str, face: int, name: str) -> Faults:
    position = s.position[name]
    if colour not in position.colours:
        yield f"die_table.{colour}.die", f"face {face} names {name}, which does not see {colour}"
    if face not in position.numbers:
        yield (f"die_table.{colour}.die", f"face {face} names {name}, whose numbers are {position.numbers}")


def circle_numbers(s: "ItterScenario") -> FaultsUpTo:
    if any(not key.isdigit() or not 2 <= int(key) < CIRCLES for key in s.circle):
        yield "circle", f"circles are named by numbers from 2 to {CIRCLES - 1}"
        return True
    if sorted(s.areas) != list(range(2, 13)):
        yield "circle", f"placement areas must be 2 .. 12, the sums of two dice; they are {sorted(s.areas)}"
    return False


def circle_names(s: "ItterScenario") -> FaultsUpTo:
    for key, circle in s.circle.items():
        yield from unknown([circle.colour], s.colour, f"circle.{key}.colour", "colour")
        if circle.next and str(circle.next) not in s.circle:
            yield f"circle.{key}.next", f"no circle {circle.next}"
            return True
    return False


def cycles(s: "ItterScenario") -> FaultsUpTo:
    for key in s.circle:
        path, here = [], int(key)
        while here:
            if here in path:
                loop = " -> ".join(map(str, [*path[path.index(here) :], here]))
                yield (
                    f"circle.{here}.next",
                    f"the track runs in a cycle ({loop}) and never reaches the castle",
                )
                return True
            path.append(here)
            here = s.circle[str(here)].next
    return False


# ---------------------------------------------------------------- A: who there is and where they start


def people(s: "ItterScenario") -> Faults:
    yield from starts(s)
    yield from letters(s)
    yield from tracks(s)


def starts(s: "ItterScenario") -> Faults:
    found = Counter(d.start for d in s.defender.values())
    want = s.inventory["defenders"].count
    if len(s.defender) != want:
        yield "inventory.defenders.count", f"{want}, but there are {len(s.defender)} defenders"
    if found["reserve"] != s.deployment.starters:
        yield (
            "deployment.starters",
            f"{s.deployment.starters}, but {found['reserve']} defenders start in the reserve",
        )
    cellar = sum(not s.location[p.location].defence_track for p in s.position.values())
    if found["cellar"] > cellar:
        yield "defender", f"{found['cellar']} start in the Cellar, which has {cellar} positions"


def letters(s: "ItterScenario") -> Faults:
    found = Counter(letter for d in s.defender.values() for letter in d.attributes)
    for letter in "IMORSTEC":
        want = getattr(s.attribute_counts, letter)
        if found[letter] != want:
            yield f"attribute_counts.{letter}", f"{want}, but {found[letter]} defenders have [{letter}]"


def tracks(s: "ItterScenario") -> Faults:
    for key, location in s.location.items():
        track = location.defence_track
        if track and (track[0] != s.setup.defence_value or any(a <= b for a, b in pairwise(track))):
            yield (
                f"location.{key}.defence_track",
                f"must start at setup.defence_value ({s.setup.defence_value}) and fall; it is {track}",
            )
    if sum(location.destructible for location in s.location.values()) > 1:
        yield "location", "only one location can be destructible (Besotten Jenny)"


# ---------------------------------------------------------------- D, G: cards add up


def decks(s: "ItterScenario") -> Faults:
    sizes = [
        sum(c.copies for c in s.ss_card.values() if c.deck == deck and not c.set) for deck in (1, 2, 3, 4)
    ]
    if sizes != s.ss_deck.sizes:
        yield "ss_deck.sizes", f"{s.ss_deck.sizes}, but the cards add up to {sizes}"
    yield from ss_cards(s, sum(sizes))
    yield from tactics(s)


def ss_cards(s: "ItterScenario", held: int) -> Faults:
    """held: cards in the four decks."""
    total = s.inventory["ss_cards"].count - 1  # the Competitive Sturm is out of the game
    if held != total:
        yield (
            "inventory.ss_cards.count",
            f"{total + 1} with the Competitive Sturm, but the four decks hold {held} + 1",
        )
    added = sum(card.copies for card in s.set_cards().values())
    added += s.competitive_card.copies if s.is_competitive() else 0
    if held + added + 2 > SS_CARDS:
        yield "ss_deck.sizes", f"at most {SS_CARDS - 2} cards"
    if held + added != s.level.ss_cards:
        yield (
            f"mode.{s.difficulty}.ss_cards",
            f"{s.level.ss_cards}, but the four decks hold {held}"
            + (f" and the level adds {added}" if added else ""),
        )
    if held != s.turn.turns_without_142nd * s.turn.ss_cards:
        yield (
            "turn.turns_without_142nd",
            f"{s.turn.turns_without_142nd} turns of {s.turn.ss_cards} cards do not use up {held} cards",
        )


def tactics(s: "ItterScenario") -> Faults:
    held = [sum(c.deck == deck for c in s.tactics_card.values()) for deck in (1, 2, 3, 4)]
    if held != s.tactics.deck_sizes:
        yield "tactics.deck_sizes", f"{s.tactics.deck_sizes}, but the cards add up to {held}"
    if sum(held) != s.inventory["tactics_cards"].count:
        yield (
            "inventory.tactics_cards.count",
            f"{s.inventory['tactics_cards'].count}, but there are {sum(held)} Tactics cards",
        )
    for name, mode in s.mode.items():
        if mode.tactics_per_turn:
            yield from tactics_removed(f"mode.{name}", mode.tactics_removed, mode.tactics_left, held)


def tactics_removed(path: str, removed: list[int], want: int, held: list[int]) -> Faults:
    if any(gone > there for gone, there in zip(removed, held, strict=False)):
        yield f"{path}.tactics_removed", f"{removed} are more than the decks hold ({held})"
    left = sum(held) - sum(removed)
    if left != want:
        yield f"{path}.tactics_left", f"{want}, but {sum(held)} - {sum(removed)} cards leave {left}"


# ---------------------------------------------------------------- E: counters


def counters(s: "ItterScenario") -> Faults:
    """The counters suffice, and make the printed total."""
    total = sum(kind.count for kind in s.ss_counter.values())
    if total != s.inventory["ss_counters"].count:
        yield (
            "inventory.ss_counters.count",
            f"{s.inventory['ss_counters'].count}, but the kinds add up to {total}",
        )
    for name, mode in s.mode.items():
        yield from unknown(mode.start, s.ss_counter, f"mode.{name}.start", "SS counter")
        if sum(mode.start.values()) not in (0, len(s.areas)):
            yield (
                f"mode.{name}.start",
                f"{sum(mode.start.values())} counters for {len(s.areas)} placement areas",
            )
    if s.rulings["supply_empty"] == "not_placed" and not s.reconstruction and not s.is_competitive():
        yield from supply(s)


def supply(s: "ItterScenario") -> Faults:
    """Every card finds the counters it places."""
    in_play = [*s.base_cards().values(), *s.set_cards().values()]
    for kind, data in s.ss_counter.items():
        placed = sum(c.copies * c.value for c in in_play if c.category == "place" and c.kind == kind)
        start = s.level.start.get(kind, 0)
        if placed + start > data.count:
            yield (
                f"ss_counter.{kind}.count",
                f"{data.count}, but {start} at the start and {placed} on cards need {placed + start}",
            )
