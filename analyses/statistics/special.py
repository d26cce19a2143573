"""The functions of `scipy.special`, loaded without its support for other array libraries.

The functions are identical. Importing `scipy.special` takes a quarter of a second, as long as importing
numba, because it loads all parts of NumPy and wraps each function for arrays that Bartizan does not use.
"""

import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from typing import Any

PACKAGE = "scipy.special"


def _compiled() -> Any:
    """Return the module of compiled functions.

    Returns None if the package is already loaded, or if this version of SciPy has no such module.
    """
    if PACKAGE not in sys.modules and (spec := find_spec(PACKAGE)):
        sys.modules[PACKAGE] = module_from_spec(spec)  # found by the functions' module, but not executed
        try:
            return import_module(f"{PACKAGE}._ufuncs")
        except ImportError:
            return None
        finally:
            del sys.modules[PACKAGE]
    return None


_functions = _compiled()


def __getattr__(name: str) -> Any:
    """Return a function of `scipy.special`.

    Functions written in Python, such as `softmax`, load the package.
    """
    if name.startswith("_"):  # such as `__path__`, which an import asks for
        raise AttributeError(name)
    return getattr(_functions, name, None) or getattr(import_module(PACKAGE), name)
