"""The record of a finished game: the winner, the order of elimination, and statistics."""

from numba import literal_unroll

from bartizan.simcore.castle.components import Attack, End
from bartizan.simcore.castle.record import TALLIES
from bartizan.simcore.castle.rules.grid import standing
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.rules import TRUNCATED
from bartizan.simcore.reporting import Group, Ranking, Reporting, Setting

REPORTING = Reporting(
    time="turn",
    score="values left",
    scored="the winner",
    ranking=Ranking(place="place_{}", out="out_{}", lead_changes="lead_changes"),
    groups=(
        Group(
            "How Kings die",
            {
                "kings_by_attack": "an ordinary attack",
                "kings_by_assassin": "an assassin",
                "kings_by_ram": "a battering ram",
                "kings_by_counter": "a counter-strike",
                "kings_by_own_lead": "used as lead in a forced round",
            },
        ),
        Group(
            "What happens in a game",
            {
                "attacks": "fights",
                "attacks_won": "won by the attacker",
                "royals_lost": "royals beaten",
                "called_off": "called off by the Royal rule",
                "placed": "cards placed",
                "rallied": "cards rallied to the flag",
                "added": "reinforcements used",
                "aces": "Aces played as attack",
                "removals": "cards lost to snake eyes",
                "closed": "gaps closed",
                "reshuffles": "times the deck was reshuffled",
            },
        ),
    ),
    settings={
        "players.count": Setting("players", "{} players"),
        "advanced.jokers": Setting("Jokers", "{} Jokers", "1 Joker"),
        **{
            f"advanced.{rule}": Setting(rule.replace("_", " "))
            for rule in (
                "berserker",
                "same_number_attack",
                "same_number_defence",
                "same_suit",
                "saboteur",
                "barricade",
            )
        },
    },
)


@jit
def winner(state, tables):
    """Return the winning seat, or TRUNCATED (10.1, 10.4)."""
    if state.end_reason == End.LAST_KING:
        for p in range(tables.players):
            if state.alive[p]:
                return p
    return TRUNCATED


@jit
def write_record(state, tables, record):
    """Write the result of a game to `record`, one row."""
    who = winner(state, tables)
    record.winner = who
    record.turn = record.turns = state.turn
    record.capped = who == TRUNCATED
    record.score = standing(state, tables, who) if who >= 0 else 0
    place, out = state.place, state.out
    record.seat0_wins, record.seat1_wins = who == 0, who == 1
    record.seat2_wins, record.seat3_wins = who == 2, who == 3
    record.place_0, record.place_1, record.place_2, record.place_3 = place[0], place[1], place[2], place[3]
    record.out_0, record.out_1, record.out_2, record.out_3 = out[0], out[1], out[2], out[3]
    for name in literal_unroll(TALLIES):
        record[name] = state[name]
    record.added = state.reinforced
    record.kings_by_attack = state.kings[Attack.ORDINARY]
    record.kings_by_ram = state.kings[Attack.RAM]
    record.kings_by_assassin = state.kings[Attack.ASSASSIN]
    record.kings_by_counter = state.kings[Attack.COUNTER]
    record.kings_by_own_lead = state.kings[Attack.OWN_LEAD]
