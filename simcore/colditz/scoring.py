"""The record of a finished game: its result in both forms (10.2, 10.3 and 10.4), and the causes of losses."""

from numba import literal_unroll

from bartizan.simcore.colditz.components import ALLIED, GERMAN, PLAYERS, Loss
from bartizan.simcore.colditz.record import TALLIES
from bartizan.simcore.colditz.rules.escaping import first_player, winner
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.rules import NOBODY
from bartizan.simcore.reporting import Form, Group, Reporting, Setting

# by number
TARGETS = (
    "north-west",
    "south-west",
    "north",
    "north-east, beyond the moat",
    "east, beyond the moat",
    "south",
    "south-east, beyond the moat",
)

REPORTING = Reporting(
    sides=("the Allies", "the German"),
    time="round",
    score="escapes",
    scored="the Allies",
    forms=(
        Form(
            "Race to 1 escape",
            "race_1",
            ALLIED,
            GERMAN,
            "an Allied player with one escape, Do or Die included, wins at once (10.4)",
        ),
        Form(
            "Race to 2 escapes",
            "race_2",
            ALLIED,
            GERMAN,
            "an Allied player with two escapes, Do or Die included, wins at once (10.4)",
        ),
    ),
    marks={
        "decided_by_stake": "result depends on Do or Die",
        "race_1_by_stake": "race to 1 won by Do or Die",
        "race_2_by_stake": "race to 2 won by Do or Die",
    },
    firsts={
        "first_kit": "first Escape Kit",
        "first_escape": "first ordinary escape",
        "race_1": "a player has 1 escape, any kind",
        "race_2": "a player has 2 escapes, any kind",
    },
    cut_short={"result.form": "race"},
    groups=(
        Group(
            "Escapes",
            {"escapes": "ordinary", "stake_escapes": "by Do or Die", "car_escapes": "in the Staff Car"},
            "Those in the Staff Car are ordinary ones.",
        ),
        Group(
            "Escapes by target",
            {f"target_{t}": f"{t} {where}" for t, where in enumerate(TARGETS, 1)},
            "Ordinary escapes.",
        ),
        Group(
            "Escapes by means used",
            {
                "by_rope": "a rope",
                "by_key": "a key",
                "by_pass": "a pass",
                "by_wire": "wire cutters",
                "by_tunnel": "a tunnel",
            },
            "Ordinary escapes; an escape that used several means counts once for each.",
        ),
        Group(
            "POWs lost, by cause",
            {
                "arrested": "arrested",
                "forced": "forced arrest",
                "searched": "taken in a Search",
                "taken_by_appel": "taken by an Appel",
                "holders": "Arrest Key or Pass Holder",
                "tunnellers": "tunnel detected",
                "shot": "shot",
                "stakes_failed": "dead by a failed Do or Die",
            },
            "Most go to Solitary and may come back; the shot and those who fail Do or Die do not.",
        ),
    ),
    settings={
        "players.allied": Setting("Allied players", "{} Allied players", "1 Allied player"),
        "limit.rounds": Setting(
            "round limit",
            "a limit of {} rounds",
            "a limit of 1 round",
            True,
            "The limit is an assumption: the rules have a clock, and no source turns it into rounds.",
        ),
    },
)


@jit
def write_record(state, tables, record):
    """Write the result of a game to `record`, one row."""
    record.winner = winner(state, tables)
    record.turn = state.round
    record.escapes = state.escaped.sum()
    record.stake_escapes = state.staked_out.sum()
    record.score = record.escapes + record.stake_escapes
    record.stakes_failed = state.losses[Loss.STAKE]
    record.first_player = first_player(state, tables)
    record.escapes_1 = state.escaped[0] + state.staked_out[0]
    record.escapes_2 = state.escaped[1] + state.staked_out[1]
    record.escapes_3 = state.escaped[2] + state.staked_out[2]
    record.escapes_4 = state.escaped[3] + state.staked_out[3]
    record.escapes_5 = state.escaped[4] + state.staked_out[4]
    write_race(state, tables, record)
    record.target_1, record.target_2, record.target_3 = state.targets[1], state.targets[2], state.targets[3]
    record.target_4, record.target_5, record.target_6 = state.targets[4], state.targets[5], state.targets[6]
    record.target_7 = state.targets[7]
    record.by_rope, record.by_key, record.by_pass = state.by_way[0], state.by_way[1], state.by_way[2]
    record.by_wire, record.by_tunnel = state.by_way[3], state.by_way[4]
    write_losses(state, record)
    record.cards_drawn = state.drawn
    record.equipment_taken = state.claimed
    for name in literal_unroll(TALLIES):
        record[name] = state[name]


@jit
def write_race(state, tables, record):
    """Write the results of a race (10.4) to one and to two escapes, whatever form of the game is played.

    Also write whether a Do or Die decides the form that is played. Modifies `record`.
    """
    record.race_1, record.race_2 = state.race[0], state.race[1]
    record.racer_1, record.racer_2 = state.racer[0], state.racer[1]
    record.race_1_by_stake, record.race_2_by_stake = state.racer_staked[0], state.racer_staked[1]
    if tables.race:
        best = 0
        for p in range(PLAYERS):
            best = max(best, state.escaped[p])
        record.decided_by_stake = record.winner == 0 and best < tables.race_target
    else:
        record.decided_by_stake = record.winner == NOBODY


@jit
def write_losses(state, record):
    record.arrested = state.losses[Loss.ARREST]
    record.forced = state.losses[Loss.FORCED]
    record.searched = state.losses[Loss.SEARCH]
    record.taken_by_appel = state.losses[Loss.APPEL]
    record.holders = state.losses[Loss.HOLDER]
    record.tunnellers = state.losses[Loss.DETECTED]
    record.shot = state.losses[Loss.SHOT]
    record.undoing = state.last_run
    if state.last_run == Loss.NONE:
        record.undoing = Loss.TIME
        if state.losses[Loss.STAKE] > 0:
            record.undoing = Loss.STAKE
    if record.winner == 0:
        record.undoing = Loss.NONE
