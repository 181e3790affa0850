"""The worth of a pass: runs without it over runs with all passes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from bench.curve import LEVELS, Curve, mean
from bench.run import Run
from bench.table import KINDS, NUMBERS, TITLES, kind_of

# A change that one case alone justifies.
LARGE = 1.03
# A ratio is infinite if only the first of two runs reaches a level, and negative if only the second does.
Ratios = dict[str, float | None]


def with_successes(whole: Mapping[str, Run]) -> dict[str, list[str]]:
    """Returns the cases on which each pass had a success. Elsewhere, only its own tests can change."""
    found: dict[str, list[str]] = {}
    for case, run in whole.items():
        for name, counts in run.passes.items():
            if counts.adopted:
                found.setdefault(name, []).append(case)
    return found


def compare(whole: Run, less: Run) -> Ratios:
    """Returns the ratios of a run without a pass to the run with all passes."""
    a, b = Curve.of(whole), Curve.of(less)
    sizes = max(a.left, 1), max(b.left, 1)
    found: Ratios = {"size": sizes[1] / sizes[0]}
    for level in LEVELS:
        mine, others = a.reached.get(level), b.reached.get(level)
        found[f"{level} %"] = others / mine if mine and others else math.inf if mine else -math.inf if others else None
    mine, others = a.tests_to(max(sizes)), b.tests_to(max(sizes))
    found["to size"] = others / mine if mine and others else None
    return found


def cell(ratios: Sequence[float | None]) -> str:
    """Returns a mean, and how many cases only one of the two runs reached."""
    finite = [ratio for ratio in ratios if ratio and math.isfinite(ratio)]
    only = [("+", ratios.count(math.inf)), ("−", ratios.count(-math.inf))]
    return (f"{mean(finite):.3f}" if finite else "–") + "".join(f" {sign}{count}" for sign, count in only if count)


def outliers(found: Mapping[str, Ratios], key: str) -> str:
    """Lists the cases in which a ratio is large or small, the largest one first."""
    rows = sorted(((ratio, name) for name, ratios in found.items() if (ratio := ratios[key])), reverse=True)
    rows = [(ratio, name) for ratio, name in rows if ratio > LARGE or ratio < 1 / LARGE]
    text = ", ".join(f"{name} {ratio:.2f}" for ratio, name in rows[:2] + rows[2:][-2:])
    worse = sum(ratio > 1 for ratio, _ in rows)
    return f"{worse} / {len(rows) - worse}: {text}" if rows else ""


def head() -> Iterator[str]:
    yield (f"| without | kind | cases | spent | size | all | {TITLES} | to size | larger / smaller size | "
           "more / fewer tests to size |")
    yield f"|---|---|--:|--:|--:|--:|{NUMBERS}--:|---|---|"


def rows(name: str, whole: Mapping[str, Run], less: Mapping[str, Run]) -> Iterator[str]:
    """Yields a row for each kind of input. `less` has the runs without the pass."""
    for kind in KINDS:
        of_kind = [run for run in whole.values() if kind_of(run) == kind]
        found = {case: compare(whole[case], run) for case, run in less.items() if kind_of(whole[case]) == kind}
        tests = sum(run.passes[name].tests for run in of_kind if name in run.passes)
        if not tests:
            continue
        spent = tests / max(sum(len(run.tests) for run in of_kind), 1)
        cells = [cell([ratios[key] for ratios in found.values()])
                 for key in ("size", *(f"{level} %" for level in LEVELS), "to size")]
        sizes = [ratio for ratios in found.values() if (ratio := ratios["size"])]
        cells.insert(1, f"{mean(sizes + [1.0] * (len(of_kind) - len(found))):.3f}")
        yield (f"| `{name}` | {kind} | {len(found)} of {len(of_kind)} | {spent:.1%} | {' | '.join(cells)} | "
               f"{outliers(found, 'size')} | {outliers(found, 'to size')} |")
