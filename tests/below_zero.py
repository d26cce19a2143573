"""Games in which no index may be below 0: `python -m tests.below_zero GAME`, in a process and a cache of its own.

numba takes an index below 0 from the end of the array, as Python does, and bounds are looked at behind that: a place
that stands for nobody (-1) reads somebody else's number without a word. Here compiled code fails there instead, with
file and line. One that is written as a number, `x[-1]`, is meant.
"""

import os
import sys
from pathlib import Path

from bartizan.simcore.compile import cache

GAMES = 30


def patch() -> None:
    """For all that this process compiles from now on. There is no public way in."""
    from llvmlite import ir
    from numba.core import cgutils
    from numba.np import arrayobj

    fixed = arrayobj.fix_integer_index

    def unfixed(context, builder, kind, index, size):
        if kind.signed and not isinstance(index, ir.Constant):
            below = builder.icmp_signed("<", index, index.type(0))
            with cgutils.if_unlikely(builder, below):
                context.call_conv.return_user_exc(builder, IndexError, (f"index below 0: {_place()}",))
        return fixed(context, builder, kind, index, size)

    arrayobj.fix_integer_index = unfixed


def _place() -> str:
    """What is being lowered."""
    from numba.core.lowering import Lower

    frame = sys._getframe()
    while not isinstance(frame.f_locals.get("self"), Lower):
        frame = frame.f_back
    at = frame.f_locals["self"].loc
    return f"{Path(at.filename).name}:{at.line}"


def probe() -> str:
    """What is said of a function that reads the last one of three for the number -1."""
    import numpy as np
    from numba import njit

    @njit
    def number_at(numbers, i):
        return numbers[i]

    try:
        return str(number_at(np.arange(3), np.int8(-1)))
    except IndexError as error:
        return str(error)


def play(game: str) -> None:
    """A few games of every scenario, level and number of players, by random and the policies of the golden traces."""
    from bartizan.simcore.game import load_game
    from bartizan.simcore.play.batch import Batch
    from tests.golden.renew import match_of, names

    it = load_game(game)
    for name in names():
        if name.game == game:
            for players in it.player_counts or (None,):
                sets = {it.players_path: players} if players else {}
                Batch(match_of(name, sets)).play(range(GAMES))


if __name__ == "__main__":
    cache.configure()
    assert os.environ["BARTIZAN_CACHE"], "code that fails below 0 is no code for anybody else"
    patch()
    if sys.argv[1:] == ["probe"]:
        print(probe())
    else:
        play(sys.argv[1])
