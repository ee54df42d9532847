"""Learning in a process of its own, which may die of its limit of memory.

Where memory ends Python raises an error, but some libraries end the process.
"""

from __future__ import annotations

import os
from multiprocessing.connection import Connection
from typing import Any

import click

# Libraries that cannot start their threads may wait for them for ever.
LEAST = 64 * 2**20
# What became of it.
REFUSED, FAILED, TOO_MUCH, FITTED = "refused", "failed", "too much", "fitted"


def fit_limited(model: Any, *inputs: Any, n_bytes: int, **options: Any) -> Any:
    """Return the model, fitted in a process that may allocate so many bytes.

    Parameters
    ----------
    model : classifier
        The model; it stays as it is.
    *inputs, **options
        For its `fit`.
    n_bytes : int
        The limit.

    Returns
    -------
    classifier
        A fitted copy.

    Raises
    ------
    ValueError
        If the model refuses its inputs.
    ClickException
        If the memory does not suffice, or the work fails otherwise.
    """
    from dissensus.experiment import how_it_ended, kill, read_limits, start_process

    if n_bytes < LEAST:
        raise click.UsageError(
            f"the --memory-limit is {n_bytes:,} bytes. Give 64MB or more: libraries "
            "need that for their threads."
        )
    limit = read_limits(None, n_bytes).memory_limit
    process, connection = start_process(_fit, model, inputs, options, limit)
    try:
        kind, answer = connection.recv()
    except (EOFError, OSError):
        kind, answer = FAILED, f"its process {how_it_ended(process)}"
    finally:
        kill(process)
        connection.close()
    if kind == FITTED:
        return answer
    if kind == REFUSED:
        raise ValueError(answer)
    raise click.ClickException(
        f"learning {_what_happened(kind, answer, n_bytes)}. Give more, fewer rows or "
        "columns, or another learner."
    )


def _what_happened(kind: str, answer: str, n_bytes: int) -> str:
    if kind == TOO_MUCH:
        return f"took more than the --memory-limit of {n_bytes:,} bytes"
    return f"failed under the --memory-limit of {n_bytes:,} bytes ({answer})"


def _fit(
    connection: Connection, model: Any, inputs: Any, options: Any, n_bytes: int
) -> None:
    """Fit the model and send it, or what went wrong."""
    from dissensus.experiment import (
        flush_output,
        lead_group,
        memory_limit,
        print_to_stderr,
    )
    from dissensus.utils._parent import end_with_parent
    from dissensus.utils._texts import error_line

    end_with_parent()
    lead_group()
    print_to_stderr()
    owner = os.getpid()
    try:
        with memory_limit(n_bytes):
            model.fit(*inputs, **options)
        answer: tuple[str, Any] = (FITTED, model)
    except (ValueError, OSError) as error:
        answer = (REFUSED, str(error))
    except MemoryError as error:
        answer = (REFUSED, str(error)) if _is_ours(error) else (TOO_MUCH, "")
    except BaseException as error:  # noqa: BLE001 -- told by the other process
        answer = (FAILED, error_line(error))
    if os.getpid() == owner:  # else a learner has forked, and came back twice
        flush_output()
        connection.send(answer)


def _is_ours(error: BaseException) -> bool:
    return type(error).__module__.startswith("dissensus.")
