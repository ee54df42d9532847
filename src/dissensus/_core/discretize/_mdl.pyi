import numpy as np
from numpy.typing import NDArray

def xlogx_table(size: int) -> NDArray[np.float64]: ...
def mdl_cut_points(
    values: NDArray[np.float64],
    y: NDArray[np.int32],
    sample_weight: NDArray[np.float64] | None,
    xlogx: NDArray[np.float64] | None,
    ln_factorial: NDArray[np.float64] | None,
    n_classes: int,
    efficient_encoding: bool,
) -> NDArray[np.float64]: ...
