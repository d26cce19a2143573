"""`sentinel`: `garrison` with factors found at Elite by games in which every factor was chosen by chance.

`benchmarks/garrison_factors.py` plays these games and prints the table. In every game, each factor is raised,
lowered or kept at random; its effect is the difference of the win rates.
"""

from dataclasses import replace
from pathlib import Path

from bartizan.policies import weights_file
from bartizan.policies.itter.danger import VIEW
from bartizan.policies.itter.factors import flat
from bartizan.policies.itter.garrison import GARRISON, decide

# 1.6 million games at Elite (seeds 1001 to 1006, 2026-11-30), from `garrison@elite3`
TABLE = {}
FACTORS = flat(TABLE)
WEIGHTS = weights_file.read(Path(__file__).parent / "trained" / "garrison" / "elite3.toml")["weights"]


def choose(state, tables, legal, n_legal, weights, view):
    return decide(state, tables, legal, n_legal, weights, FACTORS, view)


SENTINEL = replace(
    GARRISON,
    name="sentinel",
    choose=choose,
    about="garrison@elite3 with trained factors by defender, counter and phase of the game; best at Elite",
    weights={name: float(WEIGHTS[name]) for name in GARRISON.weights},
)
