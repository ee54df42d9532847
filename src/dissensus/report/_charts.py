"""Charts of a page: rows of plain values, drawn by Altair."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dissensus.report._answers import BEHIND, FRONT
from dissensus.report._chart_pieces import (
    ACCENT,
    INK,
    LABEL_LIMIT,
    LINE,
    MUTED,
    PAPER,
    colours_and_shapes,
    distinct_scales,
    learner_chart,
    make_chart,
    number_axis,
    stacked_bars,
    tips,
)
from dissensus.report._html import missing_package
from dissensus.report._scores import BEST, WORSE

FEW = 8  # data sets that are told apart by colour and shape


def draw(chart: dict[str, Any], description: str) -> list[dict[str, Any]]:
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


# Kinds


def _intervals(alt: Any, chart: dict[str, Any]) -> Any:
    looks = {BEST: (ACCENT, "circle"), WORSE: (MUTED, "triangle-down")}
    standing = distinct_scales(alt, "standing", looks)
    base = learner_chart(alt, chart).encode(
        color=standing["color"],
        tooltip=tips(
            alt, learner="learner", text="mean", interval="95 %", standing="standing"
        ),
    )
    points = base.mark_point(filled=True, size=80, opacity=1).encode(
        x=number_axis(alt, "value", chart["title"]), shape=standing["shape"]
    )
    if all(row["low"] is None for row in chart["rows"]):
        return points
    lines = base.mark_rule(strokeWidth=1.5).encode(
        x=number_axis(alt, "low", chart["title"]), x2="high:Q"
    )
    return lines + points


def _gaps(alt: Any, chart: dict[str, Any]) -> Any:
    base = learner_chart(alt, chart)
    few = len(chart["datasets"]) <= FEW
    look = {"opacity": 0.9, "size": 60} if few else {"opacity": 0.45, "size": 48}
    points = base.mark_point(filled=True, color=ACCENT, **look).encode(
        **distinct_scales(alt, "dataset", colours_and_shapes(chart["datasets"]))
        if few
        else {},
        x=number_axis(alt, "gap", chart["title"], zero=True),
        tooltip=tips(
            alt, learner="learner", dataset="data set", text="mean", away="behind best"
        ),
    )
    means = base.mark_tick(thickness=3, size=20, color=INK).encode(
        x=alt.X("mean(gap):Q"),
        tooltip=[
            alt.Tooltip("learner:N"),
            alt.Tooltip("mean(gap):Q", title="mean of its data sets", format=".3~g"),
        ],
    )
    return points + means


def _wins(alt: Any, chart: dict[str, Any]) -> Any:
    colours = {"wins": "var(--c2)", "draws": LINE, "losses": "var(--c4)"}
    return stacked_bars(alt, chart, colours)


def _bias_variance(alt: Any, chart: dict[str, Any]) -> Any:
    return stacked_bars(alt, chart, {"bias": "var(--c0)", "variance": "var(--c1)"})


def _ranks(alt: Any, chart: dict[str, Any]) -> Any:
    """Return a critical difference diagram, learners below each other."""
    first = chart["rows"][0]["rank"]
    last = max(len(chart["rows"]), first + chart["reach"])
    ranks = number_axis(alt, "rank", chart["title"], domain=[1, last], nice=False)
    step = 1 if last <= 16 else 5
    ranks.axis = alt.Axis(values=list(range(1, int(last) + 1, step)), format="d")
    base = learner_chart(alt, chart).encode(
        x=ranks, tooltip=tips(alt, learner="learner", text="average rank")
    )
    points = base.mark_point(filled=True, size=80, opacity=1, color=ACCENT)
    numbers = base.mark_text(align="left", dx=9, color=INK).encode(text="text:N")
    bars = [_bar(alt, group) for group in chart["groups"]]
    reach = {"from": first, "to": first + chart["reach"], "words": chart["words"]}
    ruler = make_chart(alt, [reach]).encode(x="from:Q", y=alt.value(-12))
    return alt.layer(
        points,
        numbers,
        *bars,
        ruler.mark_rule(strokeWidth=3, color="var(--c4)").encode(x2="to:Q"),
        ruler.mark_text(dy=-10, align="left", color=INK).encode(text="words:N"),
    )


def _bar(alt: Any, group: dict[str, Any]) -> Any:
    """Return a bar at the right side, beside learners that cannot be told apart."""
    place = alt.ExprRef(f"width + {36 + 12 * group['lane']}")
    bar = make_chart(alt, [group]).mark_rule(
        strokeWidth=5, color=INK, strokeCap="round"
    )
    return bar.encode(
        x=alt.value(place),
        y=alt.Y("first:N"),
        y2="last:N",
        tooltip=tips(alt, words="no significant difference"),
    )


def _curves(alt: Any, chart: dict[str, Any]) -> Any:
    names = chart["names"]
    base = make_chart(alt, chart["rows"], 340)
    if len(names) > 1:
        bind = alt.binding_select(options=names, name="Data set")
        chosen = alt.param(name="shown", value=names[0], bind=bind)
        base = base.add_params(chosen).transform_filter("datum.dataset == shown")
    picked = alt.selection_point(
        name="picked", fields=["learner"], bind="legend", toggle="true"
    )
    looks = distinct_scales(alt, "learner", colours_and_shapes(chart["learners"]))
    opacity = alt.when(picked).then(alt.value(1)).otherwise(alt.value(0.12))
    base = base.encode(
        x=number_axis(alt, "percent", chart["title"], zero=True),
        color=looks["color"],
        opacity=opacity,
    )
    y = alt.Y("value:Q", title="accuracy, %", scale=alt.Scale(zero=False))
    bands = base.mark_area().encode(
        y=alt.Y("low:Q", title="accuracy, %"),
        y2="high:Q",
        opacity=alt.when(picked).then(alt.value(0.14)).otherwise(alt.value(0)),
    )
    points = base.mark_point(filled=True, size=60).encode(
        y=y,
        shape=looks["shape"],
        tooltip=tips(alt, learner="learner", share=chart["column"], text="accuracy"),
    )
    lines = base.mark_line(strokeWidth=2).encode(y=y)
    return alt.layer(bands, lines, points.add_params(picked))


def _diversity(alt: Any, chart: dict[str, Any]) -> Any:
    looks = {FRONT: ("var(--c4)", "diamond"), BEHIND: ("var(--c9)", "circle")}
    return (
        make_chart(alt, chart["rows"], 320)
        .mark_point(filled=True, size=70, opacity=0.9)
        .encode(
            x=number_axis(alt, "x", "just one of the two is right, % of rows"),
            y=alt.Y("y:Q", title="mean error, %", scale=alt.Scale(zero=False)),
            tooltip=tips(
                alt, pair="pair", apart="just one is right", error="mean error"
            ),
            **distinct_scales(alt, "standing", looks),
        )
    )


def _correlation(alt: Any, chart: dict[str, Any]) -> Any:
    order = chart["learners"]
    y_axis = alt.Axis(labelLimit=alt.ExprRef(LABEL_LIMIT), ticks=False, domain=False)
    x_axis = alt.Axis(
        labelAngle=-60, labelLimit=110, ticks=False, domain=False, orient="top"
    )
    base = make_chart(alt, chart["rows"], 28 * len(order)).encode(
        x=alt.X("second:N", sort=order, title=None, axis=x_axis),
        y=alt.Y("first:N", sort=order, title=None, axis=y_axis),
        tooltip=tips(alt, first="learner", second="with", text="same errors"),
    )
    squares = base.mark_rect(color="var(--c0)", stroke=PAPER, strokeWidth=2).encode(
        fillOpacity=alt.Opacity(
            "value:Q",
            scale=alt.Scale(domain=[0, chart["most"]], range=[0.06, 0.62]),
            legend=None,
        )
    )
    room = f"containerSize()[0] > {150 + 44 * len(order)} ? 1 : 0"
    look = {"color": INK, "fontSize": 12, "fillOpacity": alt.ExprRef(room)}
    return squares + base.mark_text(**look).encode(text="text:N")


def _calibration(alt: Any, chart: dict[str, Any]) -> list[Any]:
    """Return a small chart for each learner."""
    most = max(row["count"] for row in chart["rows"])
    axis = alt.Axis(values=[0, 50, 100], grid=False)
    scale = alt.Scale(domain=[0, 100], nice=False)
    places = {
        "x": alt.X("sure:Q", title="probability, %", scale=scale, axis=axis),
        "y": alt.Y("right:Q", title="right, %", scale=scale, axis=axis),
    }
    size = alt.Size(
        "count:Q", scale=alt.Scale(domain=[0, most], range=[14, 160]), legend=None
    )
    shown = tips(alt, sure_text="probability", right_text="right", count="answers")
    diagonal = make_chart(alt, [{"sure": n, "right": n} for n in (0, 100)], 150)
    diagonal = diagonal.mark_line(strokeDash=[3, 3], color=MUTED, strokeWidth=1.5)
    found = []
    for learner in chart["learners"]:
        rows = [row for row in chart["rows"] if row["learner"] == learner]
        base = make_chart(alt, rows, 150).encode(**places)
        line = base.mark_line(color=ACCENT, strokeWidth=2)
        points = base.mark_point(filled=True, color=ACCENT, opacity=1)
        found.append(
            alt.layer(
                diagonal.encode(**places),
                line,
                points.encode(size=size, tooltip=shown),
            )
        )
    return found


def _times(alt: Any, chart: dict[str, Any]) -> Any:
    words = (
        "datum.value < 1e-3 ? format(datum.value * 1e6, '~g') + ' µs' : "
        "datum.value < 1 ? format(datum.value * 1e3, '~g') + ' ms' : "
        "format(datum.value, '~g') + ' s'"
    )
    ticks = chart["ticks"]
    looks = {"fit": ("var(--c0)", "circle"), "predict": ("var(--c4)", "diamond")}
    return (
        learner_chart(alt, chart)
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            x=alt.X(
                "seconds:Q",
                title="time, on a logarithmic scale",
                scale=alt.Scale(type="log", domain=[ticks[0], ticks[-1]], nice=False),
                axis=alt.Axis(values=ticks, labelExpr=words, labelOverlap="greedy"),
            ),
            tooltip=tips(alt, learner="learner", step="step", text="median time"),
            **distinct_scales(alt, "step", looks),
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
