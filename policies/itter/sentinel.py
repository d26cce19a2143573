"""`sentinel`: `garrison@elite3` with factors that were found at Elite by games with random factors.

In every game, each factor is raised, lowered or kept at random. The effect of a factor is the difference
between the win rates. The table comes from two rounds of 400,000 games (seeds 1005 and 1006, 2026-11-30) with
217 factors. Groups without an effect were removed. `benchmarks/garrison_factors.py` implements the method for
the remaining groups. It plays other games, so its table is similar but not identical.
"""

from dataclasses import replace
from pathlib import Path

from bartizan.policies import weights_file
from bartizan.policies.itter.factors import flat
from bartizan.policies.itter.garrison import GARRISON, decide

# fmt: off
TABLE = {
    "opening_shot": [0.81, 0.51, 0.86, 0.91, 1.32],
    "opening_tokens": [1.01, 1.53, 1, 0.99],
    "recover_of": [1.54, 1.38, 0.94, 2.21, 0.86, 0.9, 1.02, 0.79, 1.14, 0.73, 1.04, 0.86,
        0.9, 0.77, 0.86, 0.85, 0.92, 0.7, 0.69, 0.72, 0.93, 0.92, 1.16],
    "recover_in": [0.77, 1.08, 0.98, 0.77, 0.77, 0.77],
    "recover_nth": [1.07, 0.76, 1.05, 0.64, 0.85],
    "recover_near": [0.77, 0.77, 0.95, 1.15, 0.87],
    "recover_from": [1, 0.88, 1.05, 0.92],
    "tokens_near": [1, 1.06, 1.08, 1.12, 0.97],
    "target": [1.21, 1.37, 1.27, 1.01, 1.06,
        0.86, 1.16, 0.79, 0.76, 0.92,
        0.84, 0.8, 0.79, 0.74, 0.72,
        1.3, 1, 1, 1, 1,
        1.32],
    "miss_kind": [0.79, 1.01, 1.2, 0.99, 0.99],
    "miss_colour": [1.02, 1.04, 1.01, 0.98, 0.99],
    "miss_stock": [1.05, 1.03, 1.16, 1.09, 1.06, 0.9, 0.96],
}
# fmt: on
FACTORS = flat(TABLE)
WEIGHTS = weights_file.read(Path(__file__).parent / "trained" / "garrison" / "elite3.toml")["weights"]


def choose(state, tables, legal, n_legal, weights, view):
    return decide(state, tables, legal, n_legal, weights, FACTORS, view)


SENTINEL = replace(
    GARRISON,
    name="sentinel",
    choose=choose,
    about="garrison@elite3 with factors by defender, counter and phase of the game, trained at Elite",
    weights={name: float(WEIGHTS[name]) for name in GARRISON.weights},
)
