"""scikit-learn's callbacks in the fit of an ensemble: one task for each member."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from dissensus.ensemble._members import Codes, EnsembleClassifier, to_input
from dissensus.table import Table
from dissensus.utils._typing import Floats


class FitTasks:
    """Tells the callbacks of an ensemble when its fit and its members begin and end.

    Parameters
    ----------
    ensemble : EnsembleClassifier
        One that supports callbacks, being fitted.
    table, y_codes, sample_weight
        What it is fitted on; shown to a callback that asks.
    max_members : int
        The largest number of members that may be tried.
    """

    def __init__(
        self,
        ensemble: EnsembleClassifier,
        table: Table,
        y_codes: Codes,
        sample_weight: Floats | None,
        max_members: int,
    ) -> None:
        self._of: dict[str, Any] = {
            "estimator": ensemble,
            "X": lambda: to_input(table, ensemble.input_kind_),
            "y": lambda: ensemble.classes_[y_codes],
            "metadata": {"sample_weight": sample_weight},
        }
        self._fit = ensemble._init_callback_context(max_subtasks=max_members)
        self._fit.call_on_fit_task_begin(**self._of)
        self._member: Any = None

    @contextmanager
    def of_member(self, member: Any) -> Iterator[None]:
        """Begin a member's task and hand callbacks on to the member if it has any."""
        self._member = self._fit.subcontext(task_name="fit-member")
        handed_on = (
            self._member.propagate_callback_context(member)
            if hasattr(member, "set_callbacks")
            else nullcontext()
        )
        with handed_on:
            self._member.call_on_fit_task_begin(**self._of)
            yield

    def end_member(self, members: Sequence[Any]) -> bool:
        """End the member's task; True if a callback wants the fit to stop.

        A callback that asks for the fitted estimator gets one made of `members`.
        """
        return bool(
            self._member.call_on_fit_task_end(
                **self._of,
                reconstruction_attributes=lambda: {"estimators_": list(members)},
            )
        )

    def end(self) -> None:
        """End the fit."""
        self._fit.call_on_fit_task_end(**self._of, reconstruction_attributes=dict)
