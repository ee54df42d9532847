"""Run as a program: the Parquet file at the standard input becomes an Arrow file.

It imports nothing but polars, so that it starts in a tenth of a second. Its arguments
are the Arrow file to write, the number of cells that the Parquet file may have, and the
folder of polars. It ends with 0; with `TOO_MANY` and the numbers of rows and columns,
if these are more cells; or with `UNREADABLE` and a sentence. Anything else is a crash.
"""

from __future__ import annotations

import os
import sys
from typing import Any

UNREADABLE = 3
TOO_MANY = 4


def convert(target: str, budget: int) -> int:
    """Read, check and write; return the code to end with."""
    import polars as pl

    with open(0, "rb", closefd=False) as source:
        try:
            lazy = pl.scan_parquet(source)
            n_columns = len(lazy.collect_schema())
            n_rows = lazy.select(pl.len()).collect().item()
            if n_rows * n_columns > budget:
                print(n_rows, n_columns)
                return TOO_MANY
            source.seek(0)
            frame: Any = pl.read_parquet(source)
            frame.write_ipc(target)
        except BaseException as error:  # noqa: BLE001 - polars raises all kinds
            sys.stdout.buffer.write(str(error).encode("utf-8", "replace"))
            return UNREADABLE
    return 0


def limit_memory() -> None:
    """Ask for an error, not for the machine's last page, where that can be done."""
    try:
        import resource

        here = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = here if hard == resource.RLIM_INFINITY else min(here, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, OSError, ValueError):
        return  # another system


if __name__ == "__main__":
    limit_memory()
    sys.path.append(sys.argv[3])  # last, so that it hides nothing
    sys.exit(convert(sys.argv[1], int(sys.argv[2])))
