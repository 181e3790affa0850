"""Tables in Markdown: cases and tools, one tool against others, and passes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bench.curve import LEVELS, Curve, at_level, final_size, mean, to_final_size
from bench.run import Counts, Run

# Curves by case and tool. A tool that is not for a case has none.
Curves = Mapping[str, Mapping[str, Curve]]
NUMBERS = "--:|" * len(LEVELS)
TITLES = " | ".join(f"{level} %" for level in LEVELS)


def cases(curves: Curves) -> Iterator[str]:
    """Yields a row for each case and tool."""
    yield f"| case (bytes) | tool | bytes | tests | after the last | {TITLES} |"
    yield f"|---|---|--:|--:|--:|{NUMBERS}"
    for case, of_case in curves.items():
        for tool, curve in of_case.items():
            reached = " | ".join(f"{curve.reached.get(level, '–')}" for level in LEVELS)
            yield (f"| {case} ({curve.bytes:,}) | {tool} | {curve.left:,} | {curve.tests:,} | {curve.tests - curve.last:,} | "
                   f"{reached} |")


def totals(curves: Curves, tools: Sequence[str]) -> Iterator[str]:
    """Yields a line for each tool: tests, those after the last smaller input, and geometric means."""
    for tool in tools:
        own = [of_case[tool] for of_case in curves.values() if tool in of_case]
        tests, tail = sum(curve.tests for curve in own), sum(curve.tests - curve.last for curve in own)
        means = mean([max(curve.tests, 1) for curve in own]), mean([max(curve.left, 1) for curve in own])
        yield ""
        yield (f"`{tool}`: {tests:,} tests, {tail / max(tests, 1):.3f} of them after the last smaller input; "
               f"geometric means: {means[0]:.1f} tests, {means[1]:.1f} bytes left")


def against(curves: Curves, tools: Sequence[str], of_record: bool = False) -> Iterator[str]:
    """Yields a row for each tool but the first: the first one over it, and over the best of all others.

    The curves of a record have no steps between the levels, so they lack the column `to its size`.
    """
    first, others = tools[0], list(tools[1:])
    yield f"| against | size | {TITLES} |" + ("" if of_record else " to its size |")
    yield f"|---|--:|{NUMBERS}" + ("" if of_record else "--:|")
    for name, rivals in [(tool, [tool]) for tool in others] + ([("the best", others)] if others[1:] else []):
        pairs = pairs_of(curves, first, rivals)
        cells = []
        for level in LEVELS:
            found = at_level(level, pairs)
            cells.append(f"{found.mean:.2f} ({len(found.ratios)}, +{found.ours}, −{found.theirs})")
        if not of_record:
            found = to_final_size(pairs)
            cells.append(f"{found.mean:.2f} ({len(found.ratios)}, −{found.theirs})")
        yield f"| {name} | {final_size(pairs):.3f} | {' | '.join(cells)} |"
    yield ""
    yield "In brackets: on how many cases both reached the level, on how many only the first, only the other."


def pairs_of(curves: Curves, first: str, rivals: Sequence[str]) -> list[tuple[Curve, list[Curve]]]:
    """Returns the curves of a tool with those of its rivals, for each case that it and one of them is for."""
    found = []
    for of_case in curves.values():
        others = [of_case[rival] for rival in rivals if rival in of_case]
        if first in of_case and others:
            found.append((of_case[first], others))
    return found


def passes(runs: Mapping[str, Run]) -> Iterator[str]:
    """Yields a row for each pass: tests, successes, bytes, refused candidates, and cases by kind."""
    tests = sum(len(run.tests) for run in runs.values())
    counts = {kind: sum(kind_of(run) == kind for run in runs.values()) for kind in KINDS}
    ended = sum(run.ended == "complete" for run in runs.values())
    yield (f"{len(runs)} cases: {counts['tree']} with a tree, {counts['text']} texts without one, {counts['bytes']} of bytes; "
           f"{tests:,} tests, {ended} complete runs")
    yield ""
    yield "| pass | tests | share | adopted | bytes | refused | cases with tests | with a success: tree | text | bytes |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    total: dict[str, Counts] = {}
    for run in runs.values():
        for name, row in run.passes.items():
            sum_of = total.setdefault(name, Counts())
            sum_of.tests += row.tests
            sum_of.adopted += row.adopted
            sum_of.removed += row.removed
            sum_of.refused += row.refused
    for name, row in sorted(total.items(), key=lambda item: -item[1].tests):
        own = [(kind_of(run), run.passes[name]) for run in runs.values() if name in run.passes]
        with_tests = sum(counts.tests > 0 for _, counts in own)
        successes = [str(sum(kind == each and counts.adopted > 0 for kind, counts in own)) for each in KINDS]
        yield (f"| `{name}` | {row.tests:,} | {row.tests / max(tests, 1):.1%} | {row.adopted:,} | {row.removed:,} | "
               f"{row.refused:,} | {with_tests} | {' | '.join(successes)} |")


KINDS = ("tree", "text", "bytes")


def kind_of(run: Run) -> str:
    """Returns what nubbin knows of an input."""
    return "tree" if run.language != "none" else "text" if run.is_text else "bytes"
