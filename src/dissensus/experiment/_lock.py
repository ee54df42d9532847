"""A lock on a file that ends with its process, however that ends."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

from dissensus.experiment._errors import StoreError


class FileLock:
    """The right to write a store, held by one process at a time.

    Parameters
    ----------
    path : Path
        The file that is locked; it is made, holds who has the lock, and stays.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _lock(self._file)
        except OSError:
            owner = os.read(self._file, 200).decode(errors="replace").strip()
            os.close(self._file)
            raise StoreError(
                f"{path.with_suffix('')}: another study is being written to this store "
                f"({owner or 'by an unknown process'}). Wait for its end, or use "
                "another store."
            ) from None
        os.ftruncate(self._file, 0)
        os.write(self._file, f"process {os.getpid()} on {platform.node()}\n".encode())

    def release(self) -> None:
        """Give the right back."""
        if self._file >= 0:
            os.close(self._file)  # which unlocks it
            self._file = -1


if sys.platform == "win32":
    import msvcrt

    FAR = 1 << 30  # locked bytes cannot be read there, so one is locked far behind

    def _lock(file: int) -> None:
        os.lseek(file, FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        os.lseek(file, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
