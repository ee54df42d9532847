"""The tables of Cascade Generalization: errors, marks, means, ranks and pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from dissensus.papers.cascade._errors import Errors, read_errors
from dissensus.papers.framework._comparison import beside_value, beside_wins
from dissensus.papers.framework._frames import table
from dissensus.papers.framework._paper import (
    Claim,
    Comparison,
    Findings,
    Published,
    Section,
)
from dissensus.results import ResultTable

N_SETS = 26
N_RUNS = 10  # cross-validations of the paper
BASES = ("Dtree", "Bayes", "Discrim", "C4.5")
# Each cascade with its components, the one that decides first.
COMPONENTS: dict[str, tuple[str, ...]] = {
    "Bay/Bay": ("Bayes",),
    "Bay/Dis": ("Bayes", "Discrim"),
    "Bay/C4": ("Bayes", "C4.5"),
    "Dis/Dis": ("Discrim",),
    "Dis/Bay": ("Discrim", "Bayes"),
    "Dis/C4": ("Discrim", "C4.5"),
    "C4/C4": ("C4.5",),
    "C4/Dis": ("C4.5", "Discrim"),
    "C4/Bay": ("C4.5", "Bayes"),
    "C4/Dis/Bay": ("C4.5", "Discrim", "Bayes"),
    "C4/Bay/Dis": ("C4.5", "Bayes", "Discrim"),
}
LOCAL = {"CGBtree": "C4/Bay", "CGLtree": "C4/Dis", "CGBLtree": "C4/Bay/Dis"}
RIVALS = {
    **{name: (twin,) for name, twin in LOCAL.items()},
    "Boost": ("CGBLtree",),
    "Stacked": ("CGBLtree",),
    "Boost/Bay": ("Boost",),
}
RANKED = (*BASES, *COMPONENTS)  # tables 4 and 5
RANKED_LOCAL = tuple(RIVALS)  # table 8
PAIRS = (
    *((twin, local) for local, twin in LOCAL.items()),
    ("CGBLtree", "Boost"),
    ("CGBLtree", "Stacked"),
    ("C4/Dis/Bay", "Stacked"),
    ("C4/Bay/Dis", "Stacked"),
    ("Boost/Bay", "Boost"),
)
MARKS = (
    "Error in per cent with its deviation: of whole cross-validations where there are "
    "several, else of the mean of ten folds. A + (-) means: significantly better "
    "(worse) at 99.9 % by the paired t-test, "
)


def errors(findings: Findings) -> Section:
    """Set out the tables of errors, their summaries and the pairs."""
    found = read_errors(findings.results.values())
    top = list(COMPONENTS)
    return Section(
        tables=[
            _error_table("Base learners", found, dict.fromkeys(BASES, ("Dtree",))),
            _error_table(
                "Naive Bayes and the discriminant decide", found, _part(top[:6])
            ),
            _error_table(
                "C4.5 decides, and stacking",
                found,
                {**_part(top[6:]), "Stacked": ("C4/Dis/Bay", "C4/Bay/Dis")},
            ),
            _error_table("Local cascades, boosting and stacking", found, RIVALS),
            *_summaries(found, findings.published),
            _pair_table(found, findings.published),
        ],
        comparisons=[
            *_mean_comparisons(found, findings.published),
            *_win_comparisons(found, findings.published),
            *_cell_comparisons(found, findings.published),
        ],
        claims=[*_base_claims(found), *_cascade_claims(found), *_local_claims(found)],
        notes=[
            "C5.0 and its boosting cannot be had: C4.5 and AdaBoost.M1 of ten C4.5 "
            "trees stand in.",
            "X/Y is X after Y: Y runs first, X decides.",
            "Geometric means are judged with an error of 0 counting as 0.01 points. "
            "That floor decides: a learner that is perfect on two sets gains more by "
            "it than by all others. What the paper did about zeros it does not say.",
        ],
    )


def _part(names: list[str]) -> dict[str, tuple[str, ...]]:
    return {name: COMPONENTS[name] for name in names}


def _error_table(
    title: str, found: Errors, rivals: Mapping[str, tuple[str, ...]]
) -> ResultTable:
    """Return the errors of some learners, marked against others."""
    columns: dict[str, list[Any]] = {"dataset": list(found.datasets)}
    for name, others in rivals.items():
        columns[name] = [
            f"{found.of(name)[d]:.2f} ± {found.spread(d, name):.1f}"
            + "".join(
                f" {found.mark(d, name, o)}" for o in others if o != name
            ).rstrip()
            for d in range(len(found.datasets))
        ]
    against = "; ".join(f"{n}: {', '.join(o)}" for n, o in rivals.items() if o != (n,))
    note = f"{MARKS}in the order named, than {against}."
    return table(title, columns, found.n_failed, found.n_missing, [note])


# Means and ranks


def _summaries(
    found: Errors, published: Mapping[str, Published]
) -> Iterator[ResultTable]:
    yield _summary("Means, base learners and cascades", RANKED, found, published)
    names = (*RANKED_LOCAL, "Stacked by C4.5")
    yield _summary("Means, local cascades and rivals", names, found, published)


def _summary(
    title: str,
    names: tuple[str, ...],
    found: Errors,
    published: Mapping[str, Published],
) -> ResultTable:
    kept = found.never_perfect()
    ranked = [name for name in names if name in (*RANKED, *RANKED_LOCAL)]
    ranks = found.ranks(ranked)
    columns: dict[str, list[Any]] = {"learner": list(names)}
    ours = {
        "arithmetic": {name: found.arithmetic(name) for name in names},
        "geometric": {name: found.geometric(name) for name in names},
        "rank": ranks,
    }
    for what, values in ours.items():
        columns[what] = [_digits(values.get(name)) for name in names]
        numbers = [published.get(f"{what} {name}") for name in names]
        columns[f"{what}, published"] = [n and _digits(n.value) for n in numbers]
    columns[f"geometric, {kept.sum()} sets"] = [
        _digits(found.geometric(name, kept=kept)) for name in names
    ]
    for name in names:
        for what, text in _against_top(found, name).items():
            columns.setdefault(what, []).append(text)
    return table(
        f"{title}, error in per cent over {len(found.datasets)} data sets",
        columns,
        notes=[
            "Published: over 26 data sets. An error of 0 counts as 0.01 in the "
            f"geometric mean; beside it that over the {kept.sum()} data sets on which "
            "no learner is without error. Wins and losses are those of the learner "
            "against its top-level component, of a local cascade against its global "
            "twin."
        ],
    )


def _digits(value: float | None) -> str | None:
    return None if value is None else f"{value:.2f}"


def _against_top(found: Errors, name: str) -> dict[str, str | None]:
    """Compare a cascade with the learner that decides in it."""
    top = COMPONENTS.get(name, RIVALS.get(name, ()))[:1]
    if not top:
        return {"against": None, "wins": None, "significant": None, "Wilcoxon p": None}
    wins, sure = found.wins(name, *top), found.significant(name, *top)
    return {
        "against": top[0],
        "wins": f"{wins.wins}-{wins.losses}",
        "significant": f"{sure.wins}-{sure.losses}",
        "Wilcoxon p": f"{found.wilcoxon(name, *top):.3g}",
    }


def _mean_comparisons(
    found: Errors, published: Mapping[str, Published]
) -> Iterator[Comparison]:
    """Set the means and ranks beside the published ones."""
    ranks = {**found.ranks(RANKED_LOCAL), **found.ranks(RANKED)}
    for name in (*RANKED, *RANKED_LOCAL, "Stacked by C4.5"):
        noise = found.deviation(name)
        if f"arithmetic {name}" in published:
            ours = found.arithmetic(name)
            yield _beside(published[f"arithmetic {name}"], ours, noise, found)
        if f"geometric {name}" in published:
            ours = found.geometric(name)
            yield _beside(published[f"geometric {name}"], ours, float("nan"), found)
            rank = published[f"rank {name}"]
            yield _beside(rank, ranks[name], float("nan"), found)


def _beside(
    published: Published, ours: float, deviation: float, found: Errors
) -> Comparison:
    """Compare a mean; without all data sets there is no saying what is noise."""
    n = len(found.datasets)
    if n == N_SETS:
        return beside_value(published, ours, deviation)
    what = replace(published, what=f"{published.what} (ours over {n} sets)")
    return beside_value(what, ours, float("nan"))


# Pairs


def _pair_table(found: Errors, published: Mapping[str, Published]) -> ResultTable:
    rows: dict[str, list[Any]] = {}
    for a, b in PAIRS:
        wins, sure = found.wins(a, b), found.significant(a, b)
        theirs = {k: published.get(f"{k} {a} {b}") for k in ("wins", "significant")}
        row = {
            "pair": f"{a} against {b}",
            "wins": f"{wins.wins}-{wins.losses}",
            "wins, published": _score(theirs["wins"]),
            "significant": f"{sure.wins}-{sure.losses}",
            "significant, published": _score(theirs["significant"]),
            "Wilcoxon p": f"{found.wilcoxon(a, b):.3g}",
        }
        for name, value in row.items():
            rows.setdefault(name, []).append(value)
    return table("Pairs of tables 6 and 8 and of section 7.1", rows)


def _score(published: Published | None) -> str | None:
    return None if published is None else f"{published.wins}-{published.losses}"


def _win_comparisons(
    found: Errors, published: Mapping[str, Published]
) -> Iterator[Comparison]:
    for name, components in COMPONENTS.items():
        if f"top {name}" in published:
            yield beside_wins(published[f"top {name}"], found.wins(name, components[0]))
    for a, b in PAIRS:
        for kind, count in (("wins", found.wins), ("significant", found.significant)):
            if f"{kind} {a} {b}" in published:
                yield beside_wins(published[f"{kind} {a} {b}"], count(a, b))


def _cell_comparisons(
    found: Errors, published: Mapping[str, Published]
) -> Iterator[Comparison]:
    """Set single errors beside the published ones that are left."""
    for number in published.values():
        kind, _, rest = number.key.partition(" ")
        dataset, _, learner = rest.partition(" ")
        if kind == "cell" and dataset in found.datasets:
            d = found.datasets.index(dataset)
            theirs = (number.deviation or 0.0) / math.sqrt(N_RUNS)
            yield beside_value(
                number,
                float(found.of(learner)[d]),
                found.uncertainty(d, learner),
                deviation_published=theirs,
            )


# Claims


def _told(found: Errors, *names: str) -> str:
    """Return the means of learners in words."""
    kept = found.never_perfect()
    return "; ".join(
        f"{name} arithmetic {found.arithmetic(name):.2f}, geometric "
        f"{found.geometric(name):.2f} ({found.geometric(name, kept=kept):.2f} without "
        "the sets that have zeros)"
        for name in names
    )


def _base_claims(found: Errors) -> Iterator[Claim]:
    best = [BASES[int(row.argmin())] for row in found.some(BASES)]
    counts = {name: best.count(name) for name in BASES}
    yield Claim(
        "No single base learner is better overall",
        max(counts.values()) < len(best) / 2,
        "best on: " + ", ".join(f"{name} {n} sets" for name, n in counts.items()),
    )


def _cascade_claims(found: Errors) -> Iterator[Claim]:
    for name in ("C4/Bay", "C4/Dis", "C4/Dis/Bay", "C4/Bay/Dis"):
        told = f"{_told(found, name, 'C4.5')}; wins {found.wins(name, 'C4.5')}"
        yield Claim(
            f"{name} has a lower arithmetic mean error than C4.5",
            found.arithmetic(name) < found.arithmetic("C4.5"),
            told,
        )
        yield Claim(
            f"{name} has a lower geometric mean error than C4.5",
            found.geometric(name) < found.geometric("C4.5"),
            told,
        )
    means = {name: found.arithmetic(name) for name in COMPONENTS}
    low = sorted(means, key=lambda name: means[name])[:4]
    yield Claim(
        "The most promising cascades have a tree on top of Bayes, Discrim or both",
        all(name.startswith("C4/") and name != "C4/C4" for name in low),
        "lowest means: " + ", ".join(f"{name} {means[name]:.2f}" for name in low),
    )
    for name in ("C4/Dis/Bay", "C4/Bay/Dis"):
        yield Claim(
            f"{name} is at least as good as stacking",
            found.arithmetic(name) <= found.arithmetic("Stacked"),
            f"{found.arithmetic(name):.2f} against {found.arithmetic('Stacked'):.2f}; "
            f"significant {found.significant(name, 'Stacked')}",
        )


def _local_claims(found: Errors) -> Iterator[Claim]:
    for name, twin in LOCAL.items():
        wins, sure = found.wins(name, twin), found.significant(name, twin)
        yield Claim(
            f"{name}, locally, is not worse than {twin}, globally",
            found.arithmetic(name) <= found.arithmetic(twin),
            f"{_told(found, name, twin)}; wins {wins}, significant {sure}, Wilcoxon p "
            f"{found.wilcoxon(name, twin):.2g}",
        )
    yield Claim(
        "Boosted trees gain from Bayes below them",
        found.arithmetic("Boost/Bay") < found.arithmetic("Boost"),
        f"{found.arithmetic('Boost/Bay'):.2f} against {found.arithmetic('Boost'):.2f}; "
        f"significant {found.significant('Boost/Bay', 'Boost')}",
    )
