"""The pack of Castle under a scenario.

For `bartizan cards`, a drawn card is exchanged for a card of the draw pile.

`swap`, `exchange` and `take_away` modify `state`.
"""

import numpy as np

from bartizan.simcore.castle.actions import kind_of
from bartizan.simcore.castle.components import FIRST_JOKER, FIRST_ROYAL_RANK, NONE, RANKS, SUITS, Act, Stage
from bartizan.simcore.castle.rules.grid import bit, rank_of, suit_of
from bartizan.simcore.castle.schema import RANK_NAMES, CastleScenario
from bartizan.simcore.castle.trace import RANK
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.rules import NO_ACTION
from bartizan.simcore.game import CardRow, Cards
from bartizan.simcore.kit.piles import another_of, one_of
from bartizan.simcore.scenario.loading import Scenario

# ---------------------------------------------------------------- another card in hand

RANK_OF = np.append(np.arange(FIRST_JOKER) % RANKS, [NONE, NONE])  # of each card; jokers have none


@jit
def due(state, tables, seat):
    """Return whether the seat has drawn a card for its turn (3.1)."""
    return state.stage == Stage.CARD and state.to_move == seat


@jit
def swap(state, tables, seat, kind):
    """Exchange the drawn card for a uniformly random card of rank `kind` in the draw pile.

    The record of who has seen each card is exchanged too.

    Returns False if the pile has no such card.
    """
    old = state.drawn
    if rank_of(old) == kind:
        return True
    i = one_of(state, state.deck, state.deck_next, state.deck_size, RANK_OF, kind)
    if i == NONE:
        return False
    exchange(state, i)
    return True


@jit
def exchange(state, i):
    """Exchange the drawn card for the card at index `i` of the deck."""
    old, new = state.drawn, int(state.deck[i])
    state.deck[i] = old
    state.drawn = new
    state.seen_by[old], state.seen_by[new] = state.seen_by[new], state.seen_by[old]
    state.suits = bit(suit_of(new))  # as in turns.draw_for_turn


@jit
def take_away(state, tables, seat, kind, mark):
    """Exchange a drawn card of rank `kind` for a random card of another rank.

    Return 1, or 0 if no card is exchanged.

    mark: distinguishes several exchanges in one game.
    """
    if not due(state, tables, seat) or rank_of(state.drawn) != kind:
        return 0
    i = another_of(state, state.deck, state.deck_next, state.deck_size, RANK_OF, kind, mark)
    if i == NONE:
        return 0
    exchange(state, i)
    return 1


def kinds(scenario: Scenario) -> dict[int, str]:
    """Map each rank of the draw deck (Ace to 10) to its name (2.1)."""
    return {rank: RANK[rank] for rank in range(FIRST_ROYAL_RANK)}


# ---------------------------------------------------------------- how cards are used

# in the order of the acts that PROTOCOL.md, section 1, numbers from PLACE to DISCARD
USES = ("placed", "attacked with", "led (8, ace)", "rallied", "laid as a barricade", "discarded unused")


@jit
def note(state, tables, action, seen):
    """Count the use of a drawn card in `seen`, which is modified. A drawn card is used at once (3.1).

    Cards placed during set-up are not counted (2.3).
    """
    if action == NO_ACTION or state.stage != Stage.CARD:
        return
    rank = min(rank_of(state.drawn), FIRST_ROYAL_RANK - 1)  # C11: a returned dead royal counts as a ten
    seen[rank, 0] += 1
    seen[rank, 1 + kind_of(action) - Act.PLACE] += 1


# ---------------------------------------------------------------- the pack


def table(scenario: Scenario) -> list[CardRow]:
    model = scenario.model
    rows = [_row(model, rank) for rank in range(RANKS)]
    if model.advanced.jokers:
        text = f"{model.joker.bonus:+d} on each attack and defence of its owner; an assassin may attack it"
        rows.append(
            CardRow("Joker", model.advanced.jokers, None, text, model.joker.source, model.joker.confidence)
        )
    return rows


def _row(model: CastleScenario, rank: int) -> CardRow:
    datum = model.rank[RANK_NAMES[rank]]
    own = _power(model, datum.power), _royal(model, rank), _with_ace(model, datum.with_ace)
    does = filter(None, (*own, *_advanced(model, RANK_NAMES[rank])))
    return CardRow(RANK[rank], SUITS, datum.value, "; ".join(does), datum.source, datum.confidence)


def _power(model: CastleScenario, power: str) -> str:
    """Describe the power of a rank as a lead (section 7)."""
    ace = f"attack: draws {model.ace.draw} cards, which attack with {model.archers.dice} dice + value"
    spy = "before it attacks and when attacked: turns over any card"
    return {"none": "", "spy": spy, "ace": ace}[power]


def _royal(model: CastleScenario, rank: int) -> str:
    """Describe a royal; "" for other ranks.

    One of each rank is dealt to each player, and the others leave the game (2.1).
    """
    if rank < FIRST_ROYAL_RANK:
        return ""
    king = (
        f"defends with {model.king.defence_dice} dice, {model.king.defence_dice_without_queen} without the "
        "Queen; dead: its owner is out"
    )
    alone = [
        f"lies face up; rallies its suit; jumps {model.jack.jump} cards",
        f"{model.queen.modifier} for the attacker",
        king,
    ]
    return f"one dealt to each player; {alone[rank - FIRST_ROYAL_RANK]}"


def _with_ace(model: CastleScenario, kind: str) -> str:
    """Describe how the rank attacks when an Ace draws it; "" for archers (7.3 - 7.5)."""
    if kind == "archers":
        return ""
    attack = getattr(model, kind)
    return f"drawn by an ace: {kind}, {attack.dice} dice {attack.add:+d}"


def _advanced(model: CastleScenario, name: str) -> list[str]:
    """Describe the effects on a rank of the advanced rules in use (11.7, 11.8)."""
    texts = []
    if model.advanced.saboteur and model.saboteur.rank == name:
        s = model.saboteur
        texts.append(
            f"saboteur: attacks with {s.attack_dice} dice, defends with {s.defence_dice} dice "
            f"{s.hidden_add:+d}, {s.revealed_add:+d} when face up"
        )
    if model.advanced.barricade and model.barricade.rank == name:
        texts.append(f"may be laid as a barricade: {model.barricade.dice} dice {model.barricade.add:+d}")
    return texts


# the uses that a card is printed for: all except being discarded unused
def printed_for(scenario: Scenario) -> dict[int, tuple[str, ...]]:
    return dict.fromkeys(kinds(scenario), USES[:-1])


CARDS = Cards(table, kinds, due, swap, USES, note, printed_for, take_away=take_away)
