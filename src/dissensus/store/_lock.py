"""A lock on a file that ends with its process, however that ends."""

from __future__ import annotations

import os
import platform
import sys
import threading
from contextlib import suppress
from pathlib import Path

from dissensus.exceptions import StoreError

# The locks of this process, by device and number of the file: the system tells
# processes apart, not threads. A forked copy has the list but not the locks, so the
# process is part of it.
_held: set[tuple[int, int, int]] = set()
_guard = threading.Lock()


class FileLock:
    """The right to write a store, held by one process at a time.

    Parameters
    ----------
    path : Path
        The file that is locked, "<store>.lock". It is made, holds who has the lock, and
        is removed at the end. It should be named after the real path of the store, so
        that all names of a store lead to one lock.

    Notes
    -----
    The lock belongs to the process, not to the open file (POSIX, `fcntl`): processes
    that a learner forked do not keep it when this one is killed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._process = os.getpid()
        with _guard:
            # Opening and closing it once more would end the lock of this process.
            if _key_at(path) in _held:
                raise self._taken(_owner())
            self._file = self._open()
            self._key = _key(os.fstat(self._file))
            _held.add(self._key)
        try:
            os.ftruncate(self._file, 0)
            os.write(self._file, f"{_owner()}\n".encode())
        except BaseException:
            self.release()
            raise

    def _open(self) -> int:
        while True:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                _lock(file)
                if _key(os.fstat(file)) == _key_at(self._path):
                    return file
            except (BlockingIOError, PermissionError):
                owner = os.read(file, 200).decode(errors="replace").strip()
                os.close(file)
                raise self._taken(owner) from None
            except BaseException:
                os.close(file)
                raise
            os.close(file)  # the last owner has just removed it

    def _taken(self, owner: str) -> StoreError:
        return StoreError(
            f"{self._path.with_suffix('')}: another study is being written to this "
            f"store ({owner or 'by an unknown process'}). Wait for its end, or use "
            "another store."
        )

    def release(self) -> None:
        """Give the right back, and remove the file."""
        if self._file < 0 or os.getpid() != self._process:
            return
        with _guard:
            _held.discard(self._key)
            if sys.platform != "win32" and _key_at(self._path) == self._key:
                # While it is locked: who waits for it sees that it is gone.
                with suppress(OSError):
                    self._path.unlink()
            os.close(self._file)  # which unlocks it
            self._file = -1
        if sys.platform == "win32":
            with suppress(OSError):  # another one has it open
                self._path.unlink()


def _owner() -> str:
    return f"process {os.getpid()} on {platform.node()}"


def _key_at(path: Path) -> tuple[int, int, int] | None:
    try:
        return _key(path.stat())
    except FileNotFoundError:
        return None


def _key(found: os.stat_result) -> tuple[int, int, int]:
    return os.getpid(), found.st_dev, found.st_ino


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
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
