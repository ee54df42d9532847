import numpy as np
from numpy.typing import NDArray

def level_order(
    kind: NDArray[np.uint8],
    first_child: NDArray[np.int32],
    n_children: NDArray[np.int32],
) -> tuple[NDArray[np.intp], NDArray[np.int32], NDArray[np.int32]]: ...
