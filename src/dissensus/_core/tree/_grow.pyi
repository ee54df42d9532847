from typing import Any

import numpy as np
from numpy.typing import NDArray

def grow(
    encoded: Any,
    y: NDArray[np.int32],
    weights: NDArray[np.float64] | None,
    n_classes: int,
    *,
    in_mean: NDArray[np.uint8],
    min_leaf: float,
    binary: bool,
    mdl: bool,
    actual_thresholds: bool,
    only_root: bool = False,
    extra: NDArray[np.int32] | None = None,
    n_extra: int = 0,
    extra_weight: float = 0.0,
) -> dict[str, Any]: ...
