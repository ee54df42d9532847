"""What all charts of a page are made of: colours, axes, legends, tooltips.

Colours are the custom properties of `templates/style.css`, so that charts change with
the page between light, dark and print. Numbers that people read come as texts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

N_COLOURS = 12
LINE_HEIGHT = 26  # in pixels, of a learner
FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")
INK, MUTED, LINE = "var(--ink)", "var(--muted)", "var(--line)"
ACCENT, PAPER = "var(--accent)", "var(--paper)"
# Long names are cut in charts; tooltips and tables have all of them.
LABEL_LIMIT = "containerSize()[0] < 500 ? 110 : 240"
CONFIG: dict[str, Any] = {
    "aria": False,  # a chart is one picture with a description and a table
    "background": None,
    "font": FONT,
    "view": {"stroke": None},
    "text": {"fontSize": 12},
    "axis": {
        "labelColor": INK,
        "titleColor": MUTED,
        "gridColor": LINE,
        "domainColor": LINE,
        "tickColor": LINE,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": 500,
        "titlePadding": 8,
    },
    "axisY": {"labelPadding": 6},
    "legend": {
        "labelColor": INK,
        "titleColor": MUTED,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "orient": "bottom",
        "symbolLimit": 0,
        "labelLimit": 230,
        "symbolOpacity": 1,
    },
}


def make_chart(
    alt: Any, rows: Sequence[Mapping[str, Any]], height: int | None = None
) -> Any:
    """Return a chart of these rows, as wide as the page."""
    values = [{name: _plain(value) for name, value in row.items()} for row in rows]
    size = {} if height is None else {"height": height}
    return alt.Chart(alt.InlineData(values=values), width="container", **size)


def _plain(value: Any) -> Any:
    """Return a value for JSON: six digits of a number, nothing for one that is none."""
    if not isinstance(value, float):
        return value
    return float(f"{value:.6g}") if math.isfinite(value) else None


def learner_chart(alt: Any, chart: dict[str, Any]) -> Any:
    """Return a chart with a line for each learner, the first on top."""
    order = list(chart["order"])
    axis = alt.Axis(
        labelLimit=alt.ExprRef(LABEL_LIMIT), ticks=False, domain=False, grid=False
    )
    base = make_chart(alt, chart["rows"], LINE_HEIGHT * len(order))
    scale = alt.Scale(domain=order)
    return base.encode(y=alt.Y("learner:N", scale=scale, title=None, axis=axis))


def number_axis(alt: Any, name: str, title: str, **scale: Any) -> Any:
    """Return a horizontal axis of numbers, with fewer ticks where there is no room."""
    return alt.X(
        f"{name}:Q",
        title=title,
        scale=alt.Scale(**{"zero": False, "nice": True, **scale}),
        axis=alt.Axis(tickCount=alt.ExprRef("containerSize()[0] < 500 ? 4 : 8")),
    )


def tips(alt: Any, **titles: str) -> list[Any]:
    """Return what is shown when the mouse rests: fields and their titles."""
    return [alt.Tooltip(f"{name}:N", title=title) for name, title in titles.items()]


def legend(alt: Any) -> Any:
    """Return a legend in as many columns as there is room for."""
    columns = alt.ExprRef("max(1, floor(containerSize()[0] / 200))")
    return alt.Legend(title=None, columns=columns)


def distinct_scales(
    alt: Any, field: str, looks: dict[str, tuple[str, str]]
) -> dict[str, Any]:
    """Return colour and shape by name; both, for those who cannot tell colours."""
    colours, shapes = ([look[i] for look in looks.values()] for i in (0, 1))
    return {
        channel: kind(
            f"{field}:N",
            scale=alt.Scale(domain=list(looks), range=given),
            legend=legend(alt),
        )
        for channel, kind, given in (
            ("color", alt.Color, colours),
            ("shape", alt.Shape, shapes),
        )
    }


def colours_and_shapes(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the colour and the shape of each name, all different up to 60."""
    return {
        name: (f"var(--c{i % N_COLOURS})", SHAPES[i % len(SHAPES)])
        for i, name in enumerate(names)
    }


def stacked_bars(alt: Any, chart: dict[str, Any], colours: dict[str, str]) -> Any:
    """Return bars that are made of parts."""
    names = list(colours)
    numbers = number_axis(alt, "value", chart["title"], zero=True, nice=False)
    if chart["most"] is not None:
        numbers.axis.values = list(range(chart["most"] + 1))
    return (
        learner_chart(alt, chart)
        .transform_calculate(place=f"indexof({names}, datum.part)")
        .mark_bar(height=16)
        .encode(
            x=numbers,
            color=alt.Color(
                "part:N",
                scale=alt.Scale(domain=names, range=list(colours.values())),
                legend=legend(alt),
            ),
            order=alt.Order("place:Q"),
            tooltip=tips(alt, learner="learner", part="part", text="value"),
        )
    )
