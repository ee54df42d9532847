import numpy as np
from numpy.typing import NDArray

def extra_errors(
    n: NDArray[np.float64], errors: NDArray[np.float64], level: float, z: float
) -> NDArray[np.float64]: ...
