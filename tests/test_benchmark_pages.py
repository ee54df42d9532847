"""The pages of the benchmarks can be written anew without losing their text."""

from importlib.util import find_spec

import pytest

from benchmarks.write_pages import FOLDER, MARK, PAGES, with_measurements


@pytest.mark.parametrize("name", sorted(PAGES))
def test_every_benchmark_has_a_page_with_a_place_for_its_measurements(
    name: str,
) -> None:
    page = (FOLDER / f"{name}.md").read_text()
    assert page.count(MARK) == 1
    assert find_spec(f"benchmarks.{PAGES[name]}") is not None


def test_every_page_has_a_benchmark() -> None:
    assert {page.stem for page in FOLDER.glob("*.md")} == set(PAGES)


def test_new_measurements_take_the_place_of_old_ones() -> None:
    page = f"# Title\n\nText.\n\n{MARK}\n\nMeasured long ago.\n"
    written = with_measurements(page, "| a table |\n\n", "2030-01-02")
    expected = f"# Title\n\nText.\n\n{MARK}\n\nMeasured on 2030-01-02. | a table |\n"
    assert written == expected
    assert with_measurements(written, "| a table |", "2030-01-02") == written


def test_a_page_without_the_mark_is_refused() -> None:
    with pytest.raises(ValueError, match="has no line"):
        with_measurements("# Title\n", "text", "2030-01-02")
