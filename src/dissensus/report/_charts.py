"""Charts of a page: rows of plain values, drawn by Altair.

Colours are the custom properties of `templates/style.css`, so that charts change with
the page between light, dark and print. Numbers that people read come as texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dissensus.report._html import missing_package

Spec = dict[str, Any]
N_COLOURS = 12
LINE_HEIGHT = 26  # in pixels, of a learner
FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
INK, MUTED, LINE = "var(--ink)", "var(--muted)", "var(--line)"
ACCENT, PAPER = "var(--accent)", "var(--paper)"
# Long names are cut in charts; tooltips and tables have all of them.
LABEL_LIMIT = "containerSize()[0] < 500 ? 110 : 240"
CONFIG: Spec = {
    "aria": False,  # a chart is one picture with a description and a table
    "background": None,
    "font": FONT,
    "view": {"stroke": None},
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
        "labelLimit": 160,
    },
}


def draw(chart: dict[str, Any], description: str) -> list[Spec]:
    """Return the Vega-Lite specifications of a chart: one, or small multiples.

    Parameters
    ----------
    chart : dict
        The `kind` of the chart, its `rows` and what else that kind needs.
    description : str
        What it shows, in words.
    """
    found = KINDS[chart["kind"]](_altair(), chart)
    drawn = []
    for one in found if isinstance(found, list) else [found]:
        spec = one.to_dict()
        spec.pop("$schema", None)  # the page's own script knows the version
        spec.pop("config", None)
        spec["autosize"] = {"type": "fit-x", "contains": "padding"}
        spec["description"] = description
        drawn.append(spec)
    return drawn


def version() -> str:
    """Return the version of Vega-Lite that charts are written for, such as "6.4"."""
    return ".".join(_altair().SCHEMA_VERSION.removeprefix("v").split(".")[:2])


def _altair() -> Any:
    try:
        import altair
    except ImportError:
        raise missing_package("Altair") from None
    return altair


# Pieces


def _chart(alt: Any, rows: Sequence[Any], **size: Any) -> Any:
    return alt.Chart(alt.InlineData(values=list(rows)), width="container", **size)


def _learners(alt: Any, order: Sequence[str]) -> Any:
    """Return the axis of learners, the first on top."""
    axis = alt.Axis(
        labelLimit=alt.ExprRef(LABEL_LIMIT), ticks=False, domain=False, grid=False
    )
    return alt.Y("learner:N", sort=list(order), title=None, axis=axis)


def _number(alt: Any, name: str, title: str, **scale: Any) -> Any:
    return alt.X(
        f"{name}:Q",
        title=title,
        scale=alt.Scale(**{"zero": False, "nice": True, **scale}),
        axis=alt.Axis(tickCount=alt.ExprRef("containerSize()[0] < 500 ? 4 : 8")),
    )


def _tips(alt: Any, **titles: str) -> list[Any]:
    return [alt.Tooltip(f"{name}:N", title=title) for name, title in titles.items()]


def _legend_columns(alt: Any) -> Any:
    return alt.ExprRef("max(1, floor(containerSize()[0] / 190))")


def _colours(alt: Any, learners: Sequence[str], **legend: Any) -> dict[str, Any]:
    """Return colour and shape by learner; both, for those who cannot tell colours."""
    many = range(len(learners))
    shown = alt.Legend(title=None, columns=_legend_columns(alt), **legend)
    return {
        "color": alt.Color(
            "learner:N",
            scale=alt.Scale(
                domain=list(learners), range=[f"var(--c{i % N_COLOURS})" for i in many]
            ),
            legend=shown,
        ),
        "shape": alt.Shape(
            "learner:N",
            scale=alt.Scale(
                domain=list(learners), range=[SHAPES[i % len(SHAPES)] for i in many]
            ),
            legend=shown,
        ),
    }


def _stacked(alt: Any, chart: dict[str, Any], colours: dict[str, str]) -> Any:
    """Return bars that are made of parts."""
    names = list(colours)
    return (
        _chart(alt, chart["rows"], height=LINE_HEIGHT * len(chart["order"]))
        .transform_calculate(place=f"indexof({names}, datum.part)")
        .mark_bar(height=16)
        .encode(
            y=_learners(alt, chart["order"]),
            x=_number(alt, "value", chart["title"], zero=True),
            color=alt.Color(
                "part:N",
                scale=alt.Scale(domain=names, range=list(colours.values())),
                legend=alt.Legend(title=None, direction="horizontal"),
            ),
            order=alt.Order("place:Q"),
            tooltip=_tips(alt, learner="learner", part="part", text="value"),
        )
    )


# Kinds


def _intervals(alt: Any, chart: dict[str, Any]) -> Any:
    base = _chart(alt, chart["rows"], height=LINE_HEIGHT * len(chart["order"])).encode(
        y=_learners(alt, chart["order"]),
        tooltip=_tips(
            alt, learner="learner", text="mean", interval="95 %", standing="standing"
        ),
    )
    standing = alt.Color(
        "standing:N",
        scale=alt.Scale(
            domain=["level with the best", "worse than the best"],
            range=[ACCENT, MUTED],
        ),
        legend=alt.Legend(title=None, direction="horizontal"),
    )
    lines = base.mark_rule(strokeWidth=2, opacity=0.6).encode(
        x=_number(alt, "low", chart["title"]), x2="high:Q", color=standing
    )
    points = base.mark_point(filled=True, size=80, opacity=1).encode(
        x=_number(alt, "value", chart["title"]),
        color=standing,
        shape=alt.Shape(
            "standing:N",
            scale=alt.Scale(
                domain=["level with the best", "worse than the best"],
                range=["circle", "triangle-down"],
            ),
        ),
    )
    return lines + points


def _gaps(alt: Any, chart: dict[str, Any]) -> Any:
    base = _chart(alt, chart["rows"], height=LINE_HEIGHT * len(chart["order"])).encode(
        y=_learners(alt, chart["order"])
    )
    points = base.mark_circle(size=48, opacity=0.45, color=ACCENT).encode(
        x=_number(alt, "gap", chart["title"], zero=True),
        tooltip=_tips(
            alt, learner="learner", dataset="data set", text="mean", away="behind best"
        ),
    )
    means = base.mark_tick(thickness=3, size=20, color=INK).encode(
        x=alt.X("mean(gap):Q"),
        tooltip=[
            alt.Tooltip("learner:N"),
            alt.Tooltip("mean(gap):Q", title="mean over data sets", format=".3~g"),
        ],
    )
    return points + means


def _wins(alt: Any, chart: dict[str, Any]) -> Any:
    return _stacked(
        alt, chart, {"wins": "var(--c2)", "draws": LINE, "losses": "var(--c4)"}
    )


def _bias_variance(alt: Any, chart: dict[str, Any]) -> Any:
    return _stacked(alt, chart, {"bias": "var(--c0)", "variance": "var(--c1)"})


def _ranks(alt: Any, chart: dict[str, Any]) -> Any:
    """Return a critical difference diagram, learners below each other."""
    ranks = _number(
        alt, "rank", "average rank (1 is the best)", domain=[1, len(chart["rows"])]
    )
    base = _chart(alt, chart["rows"], height=LINE_HEIGHT * len(chart["rows"])).encode(
        y=_learners(alt, [row["learner"] for row in chart["rows"]]),
        tooltip=_tips(alt, learner="learner", text="average rank"),
    )
    layers = [
        base.mark_point(filled=True, size=80, opacity=1, color=ACCENT).encode(x=ranks),
        base.mark_text(align="left", dx=9, color=INK).encode(x=ranks, text="text:N"),
    ]
    lane_width = 12
    for group in chart["groups"]:
        line = _chart(alt, [group]).mark_rule(
            strokeWidth=5, color=INK, strokeCap="round"
        )
        place = alt.ExprRef(f"width + {30 + lane_width * group['lane']}")
        layers.append(
            line.encode(
                x=alt.value(place),
                y=alt.Y("first:N", sort=None),
                y2="last:N",
                tooltip=_tips(alt, words="no significant difference"),
            )
        )
    reach = {"from": chart["rows"][0]["rank"], "words": chart["words"]}
    reach["to"] = reach["from"] + chart["reach"]
    ruler = _chart(alt, [reach]).encode(y=alt.value(-12))
    layers += [
        ruler.mark_rule(strokeWidth=3, color="var(--c4)", clip=False).encode(
            x="from:Q", x2="to:Q"
        ),
        ruler.mark_text(dy=-9, align="left", color=INK).encode(
            x="from:Q", text="words:N"
        ),
    ]
    return alt.layer(*layers)


def _curves(alt: Any, chart: dict[str, Any]) -> Any:
    names = chart["names"]
    base = _chart(alt, chart["rows"], height=340)
    if len(names) > 1:
        chosen = alt.param(
            name="shown",
            value=names[0],
            bind=alt.binding_select(options=names, name="Data set "),
        )
        base = base.add_params(chosen).transform_filter("datum.dataset == shown")
    x = _number(alt, "percent", "share of the training fold, %", zero=True)
    colours = _colours(alt, chart["learners"])
    picked = alt.selection_point(
        name="picked", fields=["learner"], bind="legend", toggle="true"
    )
    pale = alt.when(picked)
    y = alt.Y("value:Q", title="accuracy, %", scale=alt.Scale(zero=False))
    bands = base.mark_area(interpolate="linear").encode(
        x=x,
        y=alt.Y("low:Q", title="accuracy, %"),
        y2="high:Q",
        color=colours["color"],
        opacity=pale.then(alt.value(0.14)).otherwise(alt.value(0)),
    )
    opacity = pale.then(alt.value(1)).otherwise(alt.value(0.12))
    lines = base.mark_line(strokeWidth=2).encode(
        x=x, y=y, color=colours["color"], opacity=opacity
    )
    points = (
        base.mark_point(filled=True, size=60)
        .encode(
            x=x,
            y=y,
            opacity=opacity,
            tooltip=_tips(alt, learner="learner", share="learnt from", text="accuracy"),
            **colours,
        )
        .add_params(picked)
    )
    return bands + lines + points


def _diversity(alt: Any, chart: dict[str, Any]) -> Any:
    standing = ["no pair is better in both", "another pair is better in both"]
    return (
        _chart(alt, chart["rows"], height=320)
        .mark_point(filled=True, size=70, opacity=0.85)
        .encode(
            x=_number(alt, "x", "just one of the two is right, % of rows"),
            y=alt.Y("y:Q", title="mean error, %", scale=alt.Scale(zero=False)),
            color=alt.Color(
                "standing:N",
                scale=alt.Scale(domain=standing, range=["var(--c4)", "var(--c9)"]),
                legend=alt.Legend(title=None, columns=_legend_columns(alt)),
            ),
            shape=alt.Shape(
                "standing:N",
                scale=alt.Scale(domain=standing, range=["diamond", "circle"]),
            ),
            tooltip=_tips(
                alt, pair="pair", apart="just one is right", error="mean error"
            ),
        )
    )


def _correlation(alt: Any, chart: dict[str, Any]) -> Any:
    order = chart["learners"]
    limit = alt.ExprRef(LABEL_LIMIT)
    y_axis = alt.Axis(labelLimit=limit, ticks=False, domain=False)
    x_axis = alt.Axis(
        labelAngle=-45, labelLimit=120, ticks=False, domain=False, orient="top"
    )
    base = _chart(alt, chart["rows"], height=28 * len(order)).encode(
        x=alt.X("second:N", sort=order, title=None, axis=x_axis),
        y=alt.Y("first:N", sort=order, title=None, axis=y_axis),
        tooltip=_tips(alt, first="learner", second="with", text="same errors"),
    )
    squares = base.mark_rect(color="var(--c0)", stroke=PAPER, strokeWidth=2).encode(
        fillOpacity=alt.Opacity(
            "value:Q",
            scale=alt.Scale(domain=[0, chart["most"]], range=[0.06, 0.62]),
            legend=None,
        )
    )
    room = f"containerSize()[0] > {150 + 44 * len(order)} ? 1 : 0"
    numbers = base.mark_text(
        color=INK, fontSize=12, fillOpacity=alt.ExprRef(room)
    ).encode(text="text:N")
    return squares + numbers


def _calibration(alt: Any, chart: dict[str, Any]) -> list[Any]:
    """Return a small chart for each learner."""
    ends = [{"sure": chart["least"], "right": chart["least"]}]
    ends.append({"sure": 100, "right": 100})
    most = max(row["count"] for row in chart["rows"])
    found = []
    for learner in chart["learners"]:
        rows = [row for row in chart["rows"] if row["learner"] == learner]
        domain = alt.Scale(domain=[chart["least"], 100], nice=False)
        encoding = {
            "x": alt.X(
                "sure:Q",
                title="probability, %",
                scale=domain,
                axis=alt.Axis(tickCount=5, grid=False),
            ),
            "y": alt.Y(
                "right:Q",
                title="right, %",
                scale=domain,
                axis=alt.Axis(tickCount=5, grid=False),
            ),
        }
        diagonal = _chart(alt, ends, height=150).mark_line(
            strokeDash=[3, 3], color=MUTED, strokeWidth=1.5
        )
        base = _chart(alt, rows, height=150)
        line = base.mark_line(color=ACCENT, strokeWidth=2)
        points = base.mark_point(filled=True, color=ACCENT, opacity=1).encode(
            size=alt.Size(
                "count:Q",
                scale=alt.Scale(domain=[0, most], range=[14, 160]),
                legend=None,
            ),
            tooltip=_tips(
                alt, sure_text="probability", right_text="right", count="answers"
            ),
        )
        layers = [layer.encode(**encoding) for layer in (diagonal, line, points)]
        found.append(alt.layer(*layers))
    return found


def _times(alt: Any, chart: dict[str, Any]) -> Any:
    words = (
        "datum.value < 1e-3 ? format(datum.value * 1e6, '~g') + ' µs' : "
        "datum.value < 1 ? format(datum.value * 1e3, '~g') + ' ms' : "
        "format(datum.value, '~g') + ' s'"
    )
    steps = ["fit", "predict"]
    return (
        _chart(alt, chart["rows"], height=LINE_HEIGHT * len(chart["order"]))
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            y=_learners(alt, chart["order"]),
            x=alt.X(
                "seconds:Q",
                title="time, on a logarithmic scale",
                scale=alt.Scale(type="log", nice=True),
                axis=alt.Axis(tickCount=6, labelExpr=words, labelOverlap="greedy"),
            ),
            color=alt.Color(
                "step:N",
                scale=alt.Scale(domain=steps, range=["var(--c0)", "var(--c1)"]),
                legend=alt.Legend(title=None, direction="horizontal"),
            ),
            shape=alt.Shape(
                "step:N", scale=alt.Scale(domain=steps, range=["circle", "diamond"])
            ),
            tooltip=_tips(alt, learner="learner", step="step", text="mean time"),
        )
    )


KINDS: dict[str, Callable[[Any, dict[str, Any]], Any]] = {
    "bias-variance": _bias_variance,
    "calibration": _calibration,
    "correlation": _correlation,
    "curves": _curves,
    "diversity": _diversity,
    "gaps": _gaps,
    "intervals": _intervals,
    "ranks": _ranks,
    "times": _times,
    "wins": _wins,
}
