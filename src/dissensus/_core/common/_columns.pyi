import numpy as np
from numpy.typing import NDArray

def copy_numbers(arrays: list[NDArray[np.float64]]) -> NDArray[np.float64]: ...
