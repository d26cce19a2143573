"""Array types by kind of element, for annotations. The docstring or comment of an array describes its
axes.
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating]  # float64, unless noted otherwise
Ints = npt.NDArray[np.integer]
Bools = npt.NDArray[np.bool_]
