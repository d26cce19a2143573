"""Probabilities of a fight in Castle: exact, and simulated with the engine's own rules.

simcore/castle/odds.py computes the exact probabilities by enumerating every roll. This module reads the dice
and the modifiers of both sides from the scenario, independently of the compiled rules (RULES.md 4.6, 7, 10.2,
11).
"""

from dataclasses import dataclass

import numpy as np

from bartizan.analyses.statistics.intervals import Interval, proportion
from bartizan.simcore.castle import combat
from bartizan.simcore.castle.actions import argument_of, castle_of, kind_of, square_of
from bartizan.simcore.castle.components import (
    FIRST_ROYAL_RANK,
    NONE,
    POOL_TARGET,
    RANKS,
    ROYALS,
    Act,
    Attack,
    Royal,
    Stage,
)
from bartizan.simcore.castle.odds import throw, win_chance
from bartizan.simcore.castle.schema import RANK_NAMES, CastleScenario
from bartizan.simcore.castle.tables import thrown
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.play.position import GamePosition

SYMBOLS = dict(
    zip(("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"), RANK_NAMES, strict=True)
)
COMBOS = {"ram": Attack.RAM, "assassin": Attack.ASSASSIN}
QUEEN, KING = RANK_NAMES.index("queen"), RANK_NAMES.index("king")
TABLE = (  # the most common fights: attack, defend, Queen alive
    ("10", "10", True),
    ("2", "4", True),
    ("10", "J", True),
    ("10", "Q", True),
    ("10", "K", True),
    ("10", "K", False),
    ("ram", "J", True),
    ("ram", "Q", True),
    ("ram", "K", True),
    ("assassin", "Q", True),
    ("assassin", "K", True),
    ("assassin", "K", False),
)


@dataclass(frozen=True)
class FightRequest:
    """One fight. attack: a rank as lead, `archers:RANK`, `ram`, `assassin`; defend: a rank or `joker`."""

    attack: str
    defend: str
    queen: bool = True  # the defender's Queen lives
    hidden: bool = True  # the target was face down (matters for a Saboteur)
    attack_adds: int = 0  # reinforcements
    defence_adds: int = 0
    same_suit: bool = False  # lead and target share the suit


@dataclass(frozen=True)
class FightOdds:
    """Exact probabilities, and the simulated probability with its interval."""

    fight: FightRequest
    attack_dice: int
    defence_dice: int
    edge: int  # everything the attacker adds minus everything the defender adds
    wins: float
    wins_without_bonus: float  # without the two extra dice for a defender's double (6.2)
    double: float  # probability that the attacker's roll renews an ordinary attack (6.1)
    simulated: Interval
    attempts: int


def rank_of(text: str, what: str) -> int:
    """Return the index in RANK_NAMES of a rank, written as `10`, `K` or `king`.

    what: the option with the text, for the message. Raises UsageError for other text.
    """
    name = SYMBOLS.get(text.upper(), text.lower())
    if name not in RANK_NAMES:
        raise UsageError(
            f"--{what} {text}: no such card{did_you_mean(text, [*SYMBOLS, *RANK_NAMES])}; cards are A, 2 .. "
            "10, J, Q, K"
        )
    return RANK_NAMES.index(name)


def fight_odds(
    model: CastleScenario, tables: np.ndarray, fight: FightRequest, attempts: int, seed: int
) -> FightOdds:
    """Compute the odds of one fight under a scenario.

    Raises UsageError for fights that the rules do not allow.
    """
    refuse_unlawful(model, fight)
    attack, lead, attack_dice, force = attacking(model, fight)
    rank, defence_dice, _ = defending(model, fight)
    won = combat.simulate(
        tables,
        combat.Fight(
            attack=int(attack),
            lead=lead,
            force=force,
            dice=attack_dice,
            rank=rank,
            queen=fight.queen or rank == QUEEN,
            hidden=fight.hidden,
            same_suit=fight.same_suit,
            attack_adds=fight.attack_adds,
            defence_adds=fight.defence_adds,
        ),
        attempts,
        seed,
    )
    edge = edge_of(model, fight)
    by = thrown(model)
    with_bonus, without = (win_chance(by, attack_dice, defence_dice, edge, bonus) for bonus in (True, False))
    double = float(throw(by, attack_dice)[1].sum()) if attack == Attack.ORDINARY else 0.0
    exact = with_bonus, without, double
    simulated = proportion(int(won.sum()), attempts)
    return FightOdds(fight, attack_dice, defence_dice, edge, *exact, simulated, attempts)


def edge_of(model: CastleScenario, fight: FightRequest) -> int:
    """Return the sum of the attacker's modifiers minus the sum of the defender's."""
    _, lead, _, force = attacking(model, fight)
    rank, _, value = defending(model, fight)
    edge: int = force - value + fight.attack_adds - fight.defence_adds
    queen = rank == QUEEN or (
        fight.queen and model.rulings["queen_protects"] == "all_cards" and rank != combat.JOKER
    )
    edge += model.queen.modifier * queen - model.queen.modifier * (lead == QUEEN)
    suits_meet = fight.same_suit and rank != combat.JOKER
    edge += model.same_suit.modifier * (suits_meet and model.advanced.same_suit)
    return int(edge - model.joker.bonus * (rank == combat.JOKER))


def attack_chance(position: GamePosition, action: int) -> float | None:
    """Return the exact probability that an attack wins its first roll, before any other decision.

    Returns None if the action begins no fight, or one that `refuse_unlawful` rejects. Also returns None if
    the fight involves anything other than two known cards (a face-down target, reinforcements, Jokers, a spy
    that defends).
    """
    s, model = position.state, position.match.scenario.model
    assert isinstance(model, CastleScenario)
    target = argument_of(action)
    if kind_of(action) != Act.ATTACK or s.stage != Stage.CARD or target >= POOL_TARGET:
        return None
    q, square = int(castle_of(target)), int(square_of(target))
    lead, card = int(s.drawn), int(s.castle[q, square])
    royal = next((k for k in range(ROYALS) if s.royal[q, k] == card), NONE)
    spies = model.rank[RANK_NAMES[card % RANKS]].power == "spy"
    adds = s.pool.any() or s.jokers.any() or model.advanced.same_number_defence
    if (
        not int(s.up[q]) >> square & 1
        or spies
        or adds
        or (royal == NONE and card % RANKS >= FIRST_ROYAL_RANK)
    ):
        return None
    fight = FightRequest(
        RANK_NAMES[lead % RANKS],
        RANK_NAMES[card % RANKS],
        queen=int(s.royal[q, Royal.QUEEN]) != NONE,
        hidden=False,
        same_suit=lead // RANKS == card // RANKS,
    )
    try:
        refuse_unlawful(model, fight)
    except UsageError:
        return None
    dice = attacking(model, fight)[2], defending(model, fight)[1]
    return win_chance(thrown(model), *dice, edge_of(model, fight), True)


def refuse_unlawful(model: CastleScenario, fight: FightRequest) -> None:
    """Raise UsageError for fights that the rules do not allow, and for odds that depend on the deck."""
    if model.rulings["random_source"] == "cards" and model.rulings["cards_from"] == "deck":
        depends = "with rulings.cards_from=deck the odds depend on the cards left in the deck"
        raise UsageError(f"odds castle: {depends}; use --set rulings.cards_from=full_pack")
    royal = fight.defend.lower() != "joker" and rank_of(fight.defend, "defend") >= QUEEN - 1
    if fight.same_suit and royal and model.rulings["royal_rule"] == "forbidden":
        raise UsageError(
            f"--same-suit --defend {fight.defend}: an attack on a royal of the lead's suit is "
            "cancelled (4.3); for the other reading, use --set rulings.royal_rule=allowed"
        )
    if fight.attack in COMBOS or fight.attack.startswith("archers"):
        return
    lead = rank_of(fight.attack, "attack")
    if model.rank[RANK_NAMES[lead]].power == "ace":
        raise UsageError(
            f"--attack {fight.attack}: an Ace attacks with the cards it draws (7.2); write "
            "archers:CARD, ram or assassin"
        )
    if lead == KING and model.rulings["forced_leads"] != "all":
        raise UsageError(
            f"--attack {fight.attack}: a King does not attack (8.2); for the other reading, use "
            "--set rulings.forced_leads=all"
        )


def attacking(model: CastleScenario, fight: FightRequest) -> tuple[Attack, int, int, int]:
    """Return (kind, rank of the lead, dice, force) of the attacker (4.6, 7.3 - 7.5, 11.7).

    Raises UsageError for an unknown or missing card.
    """
    kind, _, card = fight.attack.partition(":")
    if kind in COMBOS:
        combination = getattr(model, kind)
        return COMBOS[kind], 0, combination.dice, combination.add
    if kind == "archers":
        if not card:
            raise UsageError("--attack archers: no card given; write for example archers:7")
        return Attack.ARCHERS, 0, model.archers.dice, model.rank[RANK_NAMES[rank_of(card, "attack")]].value
    lead = rank_of(fight.attack, "attack")
    name = RANK_NAMES[lead]
    value = model.rank[name].value
    if model.advanced.saboteur and name == model.saboteur.rank:
        force = value if model.rulings["saboteur_attack"] == "plus_value" else 0
        return Attack.ORDINARY, lead, model.saboteur.attack_dice, force
    return Attack.ORDINARY, lead, model.ordinary.attack_dice, value


def defending(model: CastleScenario, fight: FightRequest) -> tuple[int, int, int]:
    """Return (rank or JOKER, dice, value) of the defender (4.6, 10.2, 11.2, 11.7).

    Raises UsageError for an unknown card, and for a Joker unless an assassin attacks.
    """
    if fight.defend.lower() == "joker":
        if fight.attack != "assassin":
            raise UsageError(
                "--defend joker: only an assassin can attack a Joker (11.2); use --attack assassin"
            )
        return combat.JOKER, model.joker.defence_dice, model.joker.defence_add
    rank = rank_of(fight.defend, "defend")
    name = RANK_NAMES[rank]
    if rank == KING:
        king = model.king
        dice = king.defence_dice if fight.queen else king.defence_dice_without_queen
        return rank, dice, model.rank[name].value
    if model.advanced.saboteur and name == model.saboteur.rank:
        saboteur = model.saboteur
        add = saboteur.hidden_add if fight.hidden else saboteur.revealed_add
        return rank, saboteur.defence_dice, add
    return rank, model.ordinary.defence_dice, model.rank[name].value
