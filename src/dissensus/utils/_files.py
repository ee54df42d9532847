"""Files that are written whole: under their name stands the old content or the new."""

from __future__ import annotations

import os
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

STALE = 3600.0  # seconds without a write, after which nobody writes a part any more


@contextmanager
def write_whole(
    path: str | os.PathLike[str],
    mode: str = "wb",
    *,
    encoding: str | None = None,
    newline: str | None = None,
) -> Iterator[IO[Any]]:
    """Open a file for writing that appears under its name when it is complete.

    Parameters
    ----------
    path : str or path
        The file. An old one is replaced when the new one is complete and on the disk.
        A link stays, and the file that it leads to is replaced.
    mode : {"wb", "w"}, default="wb"
        Whether bytes are written, or text.
    encoding, newline : str, default=None
        Of text, as for `open`.

    Yields
    ------
    file
        Open for writing. If the block is left by an error, nothing has happened.

    Notes
    -----
    The content goes to a file without a name in the same folder, where the system has
    such files (Linux): a process that is killed leaves nothing behind. Elsewhere, and
    for the instant in which a finished file takes the place of an old one, it is named
    `.<name>.<random>.part`; parts that a killed process left behind are removed when
    the same name is written again, an hour later or more. File and folder are brought
    to the disk (fsync). What is no regular file, such as a pipe or `/dev/stdout`, is
    written to directly.
    """
    options: dict[str, Any] = {"mode": mode, "encoding": encoding, "newline": newline}
    if _is_special(Path(path)):
        with Path(path).open(**options) as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    _remove_stale_parts(target)
    writer = _without_name if hasattr(os, "O_TMPFILE") else _under_part_name
    with writer(target, options) as file:
        yield file
    _sync_folder(target.parent)


def _is_special(path: Path) -> bool:
    """Return whether there is something that is neither a file nor a folder."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


@contextmanager
def _without_name(target: Path, options: dict[str, Any]) -> Iterator[IO[Any]]:
    """Write a file that has no name until it is complete."""
    flags = os.O_WRONLY | os.O_CLOEXEC | os.O_TMPFILE
    try:
        number = os.open(target.parent, flags, 0o666)
    except (OSError, NotImplementedError):  # some file systems have no such files
        with _under_part_name(target, options) as file:
            yield file
        return
    with os.fdopen(number, **options) as file:
        yield file
        _sync(file)
        _give_name(number, target)


def _give_name(number: int, target: Path) -> None:
    """Name an open file; an old one of that name is replaced."""
    part = _part_name(target)
    # With a folder's number the call follows the link in /proc; without, it does not.
    folder = os.open(target.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.link(
            f"/proc/self/fd/{number}", part.name, src_dir_fd=folder, dst_dir_fd=folder
        )
    finally:
        os.close(folder)
    _replace(part, target)


@contextmanager
def _under_part_name(target: Path, options: dict[str, Any]) -> Iterator[IO[Any]]:
    """Write a file that is called a part until it is complete."""
    part = _part_name(target)
    mode = options["mode"].replace("w", "x")
    try:
        with part.open(**{**options, "mode": mode}) as file:
            yield file
            _sync(file)
        _replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def _replace(part: Path, target: Path) -> None:
    try:
        part.replace(target)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _part_name(target: Path) -> Path:
    return target.with_name(f".{target.name}.{secrets.token_hex(8)}.part")


def _remove_stale_parts(target: Path) -> None:
    """Remove what earlier writers of this name, which were killed, left behind."""
    before = time.time() - STALE
    with suppress(OSError):
        for entry in os.scandir(target.parent):
            name = entry.name
            ours = name.startswith(f".{target.name}.") and name.endswith(".part")
            if ours and entry.stat(follow_symlinks=False).st_mtime < before:
                Path(entry.path).unlink()


def _sync(file: IO[Any]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system can."""
    with suppress(OSError):  # Windows opens no folders
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
