"""Levels, means, and tables."""

from __future__ import annotations

import math

import pytest

from bench import table, without
from bench.curve import Curve, at_level, final_size, mean, to_final_size
from bench.run import Counts, Run


def curve(*tests: tuple[int, int], size: int = 100) -> Curve:
    return Curve.of(Run(size, list(tests)))


def test_levels_are_reached_by_failing_tests_only() -> None:
    one = curve((100, 0), (10, 1), (50, 0), (60, 0), (51, 0), (9, 0), (9, 0), (3, 1))
    assert one.reached == {50: 3, 25: 6, 10: 6}
    assert (one.left, one.last, one.tests) == (9, 6, 8)
    assert one.steps == ((3, 50), (6, 9))


def test_a_run_that_finds_nothing_reaches_nothing() -> None:
    one = curve((100, 0), (100, 0), (40, 1))
    assert (one.reached, one.left, one.last) == ({}, 100, 0)


def test_tests_to_a_size() -> None:
    one = curve((100, 0), (50, 0), (20, 1), (20, 0))
    assert [one.tests_to(size) for size in (100, 99, 50, 49, 20, 19)] == [1, 2, 2, 4, 4, None]


def test_the_mean_is_geometric() -> None:
    assert mean([0.5, 2.0]) == pytest.approx(1)
    assert mean([1.0, 4.0, 16.0]) == pytest.approx(4)
    assert math.isnan(mean([]))


def test_a_level_is_compared_where_both_reach_it() -> None:
    fast, slow, never = curve((50, 0)), curve((100, 0), (100, 0), (100, 0), (50, 0)), curve((100, 0))
    found = at_level(50, [(fast, [slow, never]), (fast, [never]), (never, [slow]), (never, [never])])
    assert (found.ratios, found.ours, found.theirs) == ([0.25], 1, 1)


def test_the_best_rival_counts() -> None:
    mine, early, late = curve((100, 0), (50, 0)), curve((50, 0)), curve(*[(100, 0)] * 9, (20, 0))
    assert at_level(50, [(mine, [late, early])]).ratios == [2]
    assert final_size([(mine, [late, early])]) == pytest.approx(2.5)


def test_the_final_size_of_a_rival() -> None:
    mine, rival, none = curve((100, 0), (40, 0)), curve(*[(100, 0)] * 3, (40, 0)), curve((100, 0))
    found = to_final_size([(mine, [rival]), (none, [rival]), (mine, [none])])
    assert (found.ratios, found.theirs) == ([0.5], 1)


def test_tables_have_a_row_for_each_case_and_tool() -> None:
    curves = {"a": {"new": curve((100, 0), (1, 0)), "old": curve((100, 0), (100, 0), (100, 0), (30, 0))},
              "b": {"new": curve((100, 0))}}
    rows = list(table.cases(curves))
    assert rows[2] == "| a (100) | new | 1 | 2 | 0 | 2 | 2 | 2 | 2 | 2 | 2 |"
    assert rows[3] == "| a (100) | old | 30 | 4 | 0 | 4 | – | – | – | – | – |"
    assert rows[4] == "| b (100) | new | 100 | 1 | 1 | – | – | – | – | – | – |"
    found = list(table.against(curves, ["new", "old"]))
    assert found[2] == ("| old | 0.033 | 0.50 (1, +0, −0) | nan (0, +1, −0) | nan (0, +1, −0) | nan (0, +1, −0) | "
                        "nan (0, +1, −0) | nan (0, +1, −0) | 0.50 (1, −0) |")
    assert list(table.totals(curves, ["new"]))[1] == (
        "`new`: 3 tests, 0.333 of them after the last smaller input; geometric means: 1.4 tests, 10.0 bytes left")


RUNS = {"a": Run(100, [(100, 0), (50, 0), (20, 0)], {"lines": Counts(2, 2, 80)}, "c", "complete"),
        "b": Run(100, [(100, 0), (90, 1)], {"lines": Counts(1)}, is_text=False)}


def test_passes_by_kind_of_input() -> None:
    rows = list(table.passes(RUNS))
    assert rows[0] == "2 cases: 1 with a tree, 0 texts without one, 1 of bytes; 5 tests, 1 complete runs"
    assert rows[-1] == "| `lines` | 3 | 60.0% | 2 | 80 | 0 | 2 | 1 | 0 | 0 |"


def test_a_pass_is_left_out_where_it_had_a_success() -> None:
    assert without.with_successes(RUNS) == {"lines": ["a"]}
    less = Run(100, [(100, 0), (100, 0), (100, 0), (40, 0)], {}, "c")
    ratios = without.compare(RUNS["a"], less)
    assert (ratios["size"], ratios["50 %"]) == (2, 2)
    assert ratios["to size"] == pytest.approx(4 / 3)
    assert ratios["25 %"] == math.inf
    rows = list(without.rows("lines", RUNS, {"a": less}))
    assert rows[0] == ("| `lines` | tree | 1 of 1 | 66.7% | 2.000 | 2.000 | 2.000 | – +1 | – | – | – | – | 1.333 | "
                       "1 / 0: a 2.00 | 1 / 0: a 1.33 |")
    assert rows[1].startswith("| `lines` | bytes | 0 of 1 | 50.0% | – | 1.000 |")


def test_small_changes_are_no_outliers() -> None:
    found: dict[str, without.Ratios] = {"a": {"size": 1.02}, "b": {"size": 1.5}, "c": {"size": 0.5}, "d": {"size": None}}
    assert without.outliers(found, "size") == "1 / 1: b 1.50, c 0.50"
