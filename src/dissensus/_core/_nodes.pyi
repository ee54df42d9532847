import numpy as np
from numpy.typing import NDArray

def majorities(weights: NDArray[np.float64]) -> NDArray[np.intp]: ...
def level_order(
    kind: NDArray[np.uint8],
    first_child: NDArray[np.int32],
    n_children: NDArray[np.int32],
) -> tuple[NDArray[np.intp], NDArray[np.int32], NDArray[np.int32]]: ...
