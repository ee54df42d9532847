"""Seeds and keys from what they stand for, the same on every machine and Python.

`hash()` changes from process to process; a digest of a canonical text does not.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

MAX_SEED = 2**31 - 1


def digest(*parts: Any) -> str:
    """Return the SHA-256 digest, in hexadecimal, of texts, numbers and lists of them.

    Numbers are written by `repr`, so that a float counts with all its digits.
    """
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def seed_of(*parts: Any) -> int:
    """Return a seed from 0 to 2**31 - 2 that depends on all parts."""
    return int(digest(*parts)[:16], 16) % MAX_SEED
