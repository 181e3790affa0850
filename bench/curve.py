"""The size over the tests of a run, and ratios of such curves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.run import Run

# Shares of the input, in percent.
LEVELS = (50, 25, 10, 5, 2, 1)


@dataclass(frozen=True)
class Curve:
    """The tests that a run took to each level, and where it ended."""

    bytes: int
    left: int
    tests: int
    # The test of the last smaller input; 0 if no input was smaller.
    last: int
    reached: dict[int, int]
    # Number and size of each test that made the input smaller. A record has none.
    steps: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, run: Run) -> Curve:
        best, steps = run.bytes, []
        for number, (size, code) in enumerate(run.tests, 1):
            if code == 0 and size < best:
                best = size
                steps.append((number, size))
        reached: dict[int, int] = {}
        for number, size in steps:
            for level in LEVELS:
                if size * 100 <= run.bytes * level:
                    reached.setdefault(level, number)
        last = steps[-1][0] if steps else 0
        return cls(run.bytes, best, len(run.tests), last, reached, tuple(steps))

    def tests_to(self, size: float) -> int | None:
        """Returns the test that was first as small as this; the original is the first test."""
        if size >= self.bytes:
            return 1
        return next((number for number, now in self.steps if now <= size), None)


def mean(ratios: Sequence[float]) -> float:
    """Returns the geometric mean, which is not a number if there are no ratios."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


@dataclass(frozen=True)
class Versus:
    """Ratios of a tool to the best of its rivals at a level, on the cases that both reach."""

    ratios: list[float]
    # Cases that only the tool reaches, and cases that only a rival reaches.
    ours: int
    theirs: int

    @property
    def mean(self) -> float:
        return mean(self.ratios)


def at_level(level: int, pairs: Iterable[tuple[Curve, Sequence[Curve]]]) -> Versus:
    """Compares a tool with rivals at a level. A pair has the curves of one case."""
    ratios, ours, theirs = [], 0, 0
    for curve, rivals in pairs:
        mine = curve.reached.get(level)
        best = min((rival.reached[level] for rival in rivals if level in rival.reached), default=None)
        if mine and best:
            ratios.append(mine / best)
        ours += bool(mine and not best)
        theirs += bool(best and not mine)
    return Versus(ratios, ours, theirs)


def to_final_size(pairs: Iterable[tuple[Curve, Sequence[Curve]]]) -> Versus:
    """Compares the tests to the smallest result of the rivals, on the cases where that is below the input's size."""
    ratios, theirs = [], 0
    for curve, rivals in pairs:
        goal = min(rival.left for rival in rivals)
        if goal == curve.bytes:
            continue
        mine = curve.tests_to(goal)
        if mine:
            ratios.append(mine / min(rival.last for rival in rivals if rival.left == goal))
        theirs += not mine
    return Versus(ratios, 0, theirs)


def final_size(pairs: Iterable[tuple[Curve, Sequence[Curve]]]) -> float:
    """Returns the geometric mean of the final sizes over those of the best rival."""
    return mean([max(curve.left, 1) / max(1, min(rival.left for rival in rivals)) for curve, rivals in pairs])
