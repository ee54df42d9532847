from typing import Any

import numpy as np
from numpy.typing import NDArray

def majorities(answers: Any) -> NDArray[np.intp]: ...
