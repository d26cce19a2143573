"""The deck of Castle Rampage as it is played, and a drawn card that changes places with one still in the pile (for `bartizan cards`)."""

from simcore.game import CardRow, Cards
from simcore.jit import jit
from simcore.rampage.components import NONE, Stage
from simcore.rampage.rules.hands import gain, take
from simcore.rampage.schema import Card, Cost, Effect
from simcore.rng import aside
from simcore.scenario import Scenario

# ---------------------------------------------------------------- another card in hand


@jit
def due(state, tables, seat):
    """3.1: the seat has drawn for its turn and has done nothing yet."""
    return state.stage == Stage.MAIN and state.to_move == seat and state.fresh == 1 and state.drawn != NONE


@jit
def swap(state, tables, seat, kind):
    """The card drawn last changes places with one of `kind` in the pile, any of them alike. Modifies `state`."""
    old = int(state.drawn)
    if old == kind:
        return True
    left = 0
    for i in range(state.pile_next, state.pile_size):
        left += state.pile[i] == kind
    if left == 0:
        return False
    which = aside(state, kind, left)
    for i in range(state.pile_next, state.pile_size):
        if state.pile[i] == kind:
            if which == 0:
                state.pile[i] = old
                break
            which -= 1
    take(state, tables, seat, old)
    gain(state, tables, seat, kind)
    state.got[old] -= 1
    state.got[kind] += 1
    state.drawn = kind
    return True


# ---------------------------------------------------------------- the deck


def kinds(scenario: Scenario) -> dict[int, str]:
    """Everything in the deck; kinds that share a name are told apart by their key."""
    cards = scenario.model.card
    names = [card.name for card in cards.values()]
    shown = {key: card.name if names.count(card.name) == 1 else f"{card.name} ({key})" for key, card in cards.items()}
    return {kind: shown[key] for kind, (key, card) in enumerate(cards.items()) if card.count}


def table(scenario: Scenario) -> list[CardRow]:
    """Every kind as it is printed. The source is that of what it does."""
    return [_row(card) for card in scenario.model.card.values()]


def _row(card: Card) -> CardRow:
    origins = [card.origin(value) for value in ("count", "gate", "castle", "attack", "cost", "on_play", "on_destroyed_in_attack")]
    least = min(origins, key=lambda origin: SURE.index(origin.confidence))
    return CardRow(card.name, card.count, card.attack or None, "; ".join(words(card)), least.source, least.confidence, sum(entry.n for entry in card.cost))


SURE = ("changed", "assumed", "inferred", "public-port", "article", "rulebook")  # a row is as sure as its least sure value


def words(card: Card) -> list[str]:
    """What a card says, in the order of RULES.md, section 7."""
    said = [f"Gate {card.gate}, Castle {card.castle}", *(["purple"] if card.purple else []), *(["permanent"] if card.permanent else [])]
    said += [f"shows {', '.join(card.units)}"] if card.units else []
    said += [f"costs {', '.join(map(_cost, card.cost))}"] if card.cost else []
    said += [f"placing costs {', '.join(map(_cost, card.place_cost))}"] if card.place_cost else []
    said += [f"{card.boost.n} {card.boost.unit} more: +{card.boost.strength}"] if card.boost else []
    said += [_effect(entry) for entry in card.on_play]
    said += [f"destroyed in an attack: {_effect(entry)}" for entry in card.on_destroyed_in_attack]
    said += [{"castle": "attacks the Castle", "choose": "attacks Gate or Castle"}[card.target]] if card.target != "normal" else []
    return said + (["comes back when repelled"] if card.on_repelled == "return" else [])


def _cost(entry: Cost) -> str:
    return f"{entry.n} {entry.unit}" if entry.unit else f"{entry.n} card{'s' * (entry.n > 1)}"


def _effect(entry: Effect) -> str:
    text = entry.op.replace("opp_", "the other's ").replace("_", " ")
    return text if entry.op in ("opp_discard_unit_type", "end_attack") else f"{text} {entry.n}"


CARDS = Cards(table, kinds, due, swap)
