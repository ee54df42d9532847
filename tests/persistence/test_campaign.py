"""Files that were edited at random are refused, or give valid answers."""

from __future__ import annotations

from tests.persistence.campaign import GOOD, campaign


def test_no_edit_of_a_model_file_does_harm() -> None:
    totals, bad = campaign(186, seed=20, n_jobs=1)
    assert bad == []
    assert totals.total() == 186
    assert totals["refused"] > 0
    assert totals["same answers"] > 0
    assert set(totals) <= set(GOOD)
