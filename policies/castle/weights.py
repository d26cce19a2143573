"""The steward's weights: their numbers and their values."""

from bartizan.policies.protocol import indices
from bartizan.simcore.castle.components import Royal
from bartizan.simcore.compile.jit import jit

# found by a seeded random search on pilot seeds, kept when better on fresh ones (docs/castle.md)
WEIGHTS = dict(
    king=200.0,
    queen=27.0,
    jack=30.0,
    breach=0.4,
    path=1.0,
    wall=0.93,
    cover=0.13,
    near=0.47,
    inner=0.11,
    rally=2.5,
    ace=8.0,
    spy=0.45,
    thrift=1.5,
    stop=0.25,
    lay=2.0,
    close=0.1,
    enough=5.0,
    side=0.1,
    patience=30.0,
    contest=0.0,  # 20 wins with Jokers (docs/castle.md)
)
AT = indices(WEIGHTS)


@jit
def royal_worth(w, k):
    return w[AT.king] if k == Royal.KING else w[AT.queen] if k == Royal.QUEEN else w[AT.jack]
