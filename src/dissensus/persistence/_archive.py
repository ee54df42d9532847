"""Read a model file: a regular file, of bounded size, that is whole."""

from __future__ import annotations

import io
import os
import stat
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib import format as npy

from dissensus.exceptions import ModelError
from dissensus.persistence._limits import (
    FREE_SIZE,
    FREE_STATE,
    MAX_CARD,
    MAX_DIMENSIONS,
    MAX_FILE,
    MAX_PARTS,
    MAX_RATIO,
    MAX_STATE,
    MAX_STATE_RATIO,
    MEGABYTE,
)

CARD = "dissensus.json"
STATE = "schema.json"  # of skops
DAMAGED = "the file is damaged or incomplete ({}). Copy it again, or fit a new model."
TOO_LARGE = "{}. Model files are limited, so that opening one is safe; see docs/models."


@dataclass(frozen=True, slots=True)
class Header:
    """What the file of an array says about it."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]


def read_file(path: str | os.PathLike[str]) -> bytes:
    """Return the content of a regular file of bounded size."""
    try:
        # Without O_NONBLOCK the call would wait until somebody writes to a pipe.
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        raise ModelError(
            "there is no such file. Check the spelling and the folder."
        ) from None
    except IsADirectoryError:
        raise ModelError("this is a folder. Give the path of one file in it.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ModelError(f"the file cannot be read ({reason}).") from None
    try:
        status = os.fstat(number)
        _check_regular(status)
        with os.fdopen(number, "rb", closefd=False) as file:
            return file.read(status.st_size)
    finally:
        os.close(number)


def _check_regular(status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise ModelError("this is a folder. Give the path of one file in it.")
    if not stat.S_ISREG(status.st_mode):
        raise ModelError("this is no regular file but a pipe or a device. Give a file.")
    if status.st_size == 0:
        raise ModelError(DAMAGED.format("it is empty"))
    if status.st_size > MAX_FILE:
        raise ModelError(
            TOO_LARGE.format(
                f"the file has {status.st_size // MEGABYTE} MB; "
                f"{MAX_FILE // MEGABYTE} are allowed"
            )
        )


def check_sizes(archive: zipfile.ZipFile, n_bytes: int) -> None:
    """Check what an archive of so many bytes would unpack to, before it is done.

    Python unpacks no more of a part than its declared size, so that the declared sizes
    bound the true ones.
    """
    parts = archive.infolist()
    if len(parts) > MAX_PARTS:
        raise ModelError(
            TOO_LARGE.format(f"it has {len(parts)} parts; {MAX_PARTS} are allowed")
        )
    if len({part.filename for part in parts}) < len(parts):
        raise ModelError(DAMAGED.format("two parts of one name"))
    for part in parts:
        if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ModelError(
                DAMAGED.format(f"part {part.filename} is packed strangely")
            )
    if sum(part.compress_size for part in parts) > n_bytes:
        raise ModelError(DAMAGED.format("parts that overlap"))
    total = sum(part.file_size for part in parts)
    allowed = max(FREE_SIZE, MAX_RATIO * n_bytes)
    if total > allowed:
        raise ModelError(
            TOO_LARGE.format(
                f"it would unpack to {total // MEGABYTE} MB; "
                f"{allowed // MEGABYTE} are allowed for a file of {n_bytes} bytes"
            )
        )
    _check_texts({part.filename: part.file_size for part in parts}, n_bytes)


def _check_texts(sizes: Mapping[str, int], n_bytes: int) -> None:
    """Check the sizes of the two parts that become Python objects."""
    state = min(MAX_STATE, max(FREE_STATE, MAX_STATE_RATIO * n_bytes))
    for name, allowed in ((CARD, MAX_CARD), (STATE, state)):
        if sizes.get(name, 0) > allowed:
            raise ModelError(
                TOO_LARGE.format(
                    f"its {name} has {sizes[name] // MEGABYTE} MB; "
                    f"{allowed // MEGABYTE} are allowed in a file of {n_bytes} bytes"
                )
            )


def read_parts(archive: zipfile.ZipFile) -> dict[str, bytes]:
    """Return all parts by name; each is compared with its checksum."""
    parts = {}
    for part in archive.infolist():
        try:
            parts[part.filename] = archive.read(part)
        except zipfile.BadZipFile:
            raise ModelError(DAMAGED.format(f"part {part.filename}")) from None
    return parts


def read_header(content: bytes, name: str) -> Header:
    """Return what the file of an array says; its size must be just right for it.

    Checked here, an array cannot ask for more memory than the file has bytes, and holds
    neither Python objects nor records of these.
    """
    file = io.BytesIO(content)
    try:
        version = npy.read_magic(file)
        read = npy.read_array_header_1_0
        if version != (1, 0):
            read = npy.read_array_header_2_0
        shape, _, dtype = read(file)
    except (ValueError, EOFError, SyntaxError, TypeError, RecursionError):
        raise ModelError(DAMAGED.format(f"{name} is no array")) from None
    if version not in ((1, 0), (2, 0), (3, 0)) or dtype.hasobject:
        raise ModelError(DAMAGED.format(f"{name} is no array of numbers or texts"))
    if len(shape) > MAX_DIMENSIONS or any(length < 0 for length in shape):
        raise ModelError(DAMAGED.format(f"{name} has the shape {shape}"))
    n_items = 1
    for length in shape:
        n_items *= length
    if n_items * dtype.itemsize != len(content) - file.tell():
        raise ModelError(DAMAGED.format(f"{name} is not as long as it says"))
    return Header(tuple(shape), dtype)


def read_array(content: bytes) -> Any:
    """Return the array of a file whose header was checked."""
    return np.load(io.BytesIO(content), allow_pickle=False)


def read_sparse_headers(content: bytes, name: str) -> dict[str, Header]:
    """Return what the file of a sparse matrix says, an archive in the archive."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        check_sizes(archive, len(content))
        parts = read_parts(archive)
    return {part: read_header(held, f"{name}/{part}") for part, held in parts.items()}


def write_parts(parts: Iterable[tuple[str, bytes]], packing: int) -> bytes:
    """Return an archive of parts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", packing) as archive:
        for name, content in parts:
            archive.writestr(name, content)
    return buffer.getvalue()


def pack(parts: Mapping[str, bytes]) -> bytes:
    """Return an archive that keeps the limits; unpacked if it packs too well."""
    for packing in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
        content = write_parts(parts.items(), packing)
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                check_sizes(archive, len(content))
        except ModelError:
            if packing == zipfile.ZIP_STORED:
                raise
        else:
            break
    return content
