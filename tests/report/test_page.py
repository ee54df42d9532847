"""The page of a study as a file."""

from __future__ import annotations

import json
import math
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from dissensus.exceptions import ReportError
from dissensus.report import write_report
from dissensus.report._chart_pieces import colours_and_shapes, make_chart
from dissensus.report._charts import KINDS, draw
from dissensus.report._summarize import summarize
from dissensus.results import Results
from tests.report import studies

MAX_BYTES = 2_500_000


class Reader(HTMLParser):
    """Read the tags of a page, its texts, and its data."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def named(self, tag: str) -> list[dict[str, str | None]]:
        """Return the attributes of all tags of a name."""
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def several() -> Results:
    return studies.several()


@pytest.fixture(scope="module")
def page(several: Results, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "page.html"
    write_report(several, path, title="Six sets", command="dissensus run six.toml")
    return path


def test_page_is_one_file_of_bounded_size(page: Path) -> None:
    assert page.stat().st_size < MAX_BYTES
    assert [file.name for file in page.parent.iterdir()] == ["page.html"]


def test_page_names_nothing_outside_itself(page: Path) -> None:
    found = Reader(page.read_text(encoding="utf-8"))
    for tag, attributes in found.tags:
        assert "src" not in attributes, tag
        assert (attributes.get("href") or "#").startswith("#"), tag
    policies = [meta for meta in found.named("meta") if "http-equiv" in meta]
    assert (policies[0]["content"] or "").startswith("default-src 'none'")


def test_page_says_what_was_run(page: Path) -> None:
    found = Reader(page.read_text(encoding="utf-8"))
    assert {"Six sets", "dissensus run six.toml", "Seed", "7"} <= set(found.texts)


def test_every_part_has_a_heading_and_a_link(several: Results, page: Path) -> None:
    found = Reader(page.read_text(encoding="utf-8"))
    ids = [section["id"] for section in found.named("section")]
    expected = [part["id"] for part in summarize(several)["parts"]]
    assert ids == ["verdict", *expected, "study"]
    links = [link["href"] for link in found.named("a")]
    assert links == [f"#{name}" for name in ids[1:]]


def test_every_chart_is_described_and_has_its_data(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    found = Reader(text)
    charts = [div for div in found.named("div") if div.get("role") == "img"]
    (data,) = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text)
    specs = json.loads(data)["specs"]
    assert {chart["id"] for chart in charts} == set(specs)
    assert all(chart["aria-label"] for chart in charts)
    assert all(spec["description"] for spec in specs.values())


def test_names_are_never_read_as_html(tmp_path: Path) -> None:
    write_report(studies.evil(), tmp_path / "page.html", command=studies.EVIL)
    found = Reader((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert not found.named("img")
    assert len(found.named("script")) == 3
    assert f"{studies.EVIL}title" in found.texts


def test_study_without_results_has_a_page(tmp_path: Path) -> None:
    store = tmp_path / "study.sqlite"
    studies.run([studies.make_data("a")], ["c45"], store=store)
    results = studies.without_cells(store, "1")
    write_report(results, tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "There is no result yet." in text
    assert len(text) < 50_000  # no charts, hence no script that draws them


@pytest.mark.parametrize(
    ("module", "name"),
    [("altair", "Altair"), ("vl_convert", "vl-convert-python")],
)
def test_missing_package_is_named_with_the_cure(
    several: Results,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    name: str,
) -> None:
    from dissensus.report._bundle import javascript

    javascript.cache_clear()
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ReportError, match=f"{name}.*pip install"):
        write_report(several, tmp_path / "page.html")


def test_page_that_cannot_be_written_is_an_error(
    several: Results, tmp_path: Path
) -> None:
    with pytest.raises(ReportError, match="cannot be written"):
        write_report(several, tmp_path / "absent" / "page.html")


# Charts


def test_study_with_everything_has_every_kind_of_chart(several: Results) -> None:
    parts = summarize(several)["parts"] + summarize(studies.one())["parts"]
    assert {part["chart"]["kind"] for part in parts if part["chart"]} == set(KINDS)


def test_charts_hold_numbers_that_json_has() -> None:
    import altair

    rows = [{"x": math.nan, "y": math.inf, "z": 1 / 3, "n": 3, "t": "a"}]
    spec = make_chart(altair, rows).mark_point().to_dict()
    expected = {"x": None, "y": None, "z": 0.333333, "n": 3, "t": "a"}
    assert list(spec["datasets"].values()) == [[expected]]


def test_learners_differ_in_colour_or_shape() -> None:
    looks = colours_and_shapes([f"learner {i}" for i in range(60)])
    assert len(set(looks.values())) == 60


def test_calibration_is_a_chart_for_each_learner(several: Results) -> None:
    parts = {part["id"]: part for part in summarize(several)["parts"]}
    part = parts["calibration"]
    assert len(draw(part["chart"], "words")) == len(part["captions"]) == 4
