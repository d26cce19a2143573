"""Arrays by the kind of their elements, for annotations. A docstring or a comment gives their axes."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating]  # float64, unless their place says otherwise
Ints = npt.NDArray[np.integer]
Bools = npt.NDArray[np.bool_]
