"""The columns of a game record of Castle Itter. The range of each column determines its dtype."""

import numpy as np

from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.schema import ItterScenario
from bartizan.simcore.kit.columns import LOOP_COLUMNS, column, columns, counter, limits, no_value

# maximums in the schema
MOST = {
    path: limits(ItterScenario, path)[1]
    for path in (
        *("turn.defender_actions", "defender.*.suppress", "ss_card.*.value", "command.recovers"),
        *("ss_counter.*.count", "score.ss_counter.points"),
    )
}
# each turn of the SS player plays or draws at least one card of the deck
TURNS = 2 * c.SS_CARDS
ACTIONS = TURNS * MOST["turn.defender_actions"]
GIVEN = ACTIONS * MOST["command.recovers"]  # free Recovers
DISRUPTIONS = (
    2 * c.DEFENDERS + ACTIONS + GIVEN
)  # the second one of a defender follows a Recover or a Sacrifice
# counters placed by cards: two Tactics cards in force add theirs, twice with R-58 assumed_doubled
COUNTERS = c.SS_CARDS * (MOST["ss_card.*.value"] + 2 * 2 * c.EXTRA)
ON_BOARD = COUNTERS + c.CIRCLES  # including those of the set-up
SPENT = COUNTERS * c.MAX_LEGAL  # tokens: all on a square against each counter
POINTS = MOST["score.ss_counter.points"] * (ON_BOARD + 2 * c.DEFENDERS + 2)

# counts in a game, as fields of its state and columns of its record
TALLIES = (
    *("casualties", "placed", "breaches", "breach_circle", "breach_area", "tank_destroyed", "tank_empty"),
    *("suppressed", "attacks", "counters_shot", "suppresses", "recovers", "shells", "sacrifices"),
    *("tokens_spent", "disruptions", "commanded"),
)
RECORD = np.dtype(
    [
        *LOOP_COLUMNS,
        column("turn", TURNS),
        column("score", POINTS, least=-POINTS),  # NO_SCORE when lost
        column("casualties", c.DEFENDERS),
        column("counters_left", ON_BOARD),
        column("disruptions", DISRUPTIONS),
        *columns("suppressed placed breaches", COUNTERS),
        *columns("attacks counters_shot suppresses recovers", ACTIONS),
        column("commanded", GIVEN),
        column("shells", ACTIONS),
        *columns("escaped tank_destroyed tank_empty", 1),
        *columns("french_outside french_cellar others_on_board sacrifices", c.DEFENDERS),
        column("breach_circle", c.CIRCLES),  # last circle of the track that broke first, 0 none
        column("breach_area", c.CIRCLES),  # placement area of the counter that broke it, 0 none
        # rolled against counters, including those that R-19 `kept_on_success` returns
        column("tokens_spent", SPENT),
    ]
)
NO_SCORE = no_value(RECORD["score"])
TALLY = counter(SPENT)
