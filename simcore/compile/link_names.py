"""The numbers by which numba tells functions apart that it compiles.

Machine code is linked by name: module, function, types, and a number that numba counts up from 1 in each
process. Code from the disk keeps the number of the process that compiled it, so that two functions of one
name could meet under one number: what one function makes several times, a file before and after an edit, two
values of one constant. The first one that is loaded would then stand for the other. So each process counts
from a place of its own.
"""

import itertools
import os
import secrets

from numba.core.bytecode import FunctionIdentity

are_unique = hasattr(FunctionIdentity, "_unique_ids")  # else nothing is kept on disk: see `jit.flags`


def _begin() -> None:
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))


if are_unique:
    _begin()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_begin)
