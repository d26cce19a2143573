"""The numbers by which numba distinguishes the functions that it compiles.

Machine code is linked by name: module, function, types, and a number that numba counts up from 1 in each
process. Code from disk keeps the number of the process that compiled it, so two functions with the same name
could get the same number: several functions of one factory, a file before and after an edit, two values of a
constant. The function loaded first would then replace the other. Therefore each process starts at a random
number.
"""

import itertools
import os
import secrets

from numba.core.bytecode import FunctionIdentity

are_unique = hasattr(FunctionIdentity, "_unique_ids")  # otherwise nothing is cached on disk: see `jit.flags`


def _begin() -> None:
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))


if are_unique:
    _begin()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_begin)
