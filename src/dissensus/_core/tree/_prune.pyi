from typing import Any

import numpy as np
from numpy.typing import NDArray

def prune(
    tree: dict[str, Any],
    columns: list[NDArray[Any]],
    y: NDArray[np.int32],
    weights: NDArray[np.float64] | None,
    *,
    level: float,
    z: float,
    raising: bool,
) -> None: ...
def collapse(tree: dict[str, Any]) -> None: ...
