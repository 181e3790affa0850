"""Records, and the table of the README that is made of one."""

from __future__ import annotations

import pathlib

import pytest

from bench import record
from bench.curve import Curve
from bench.run import Run


def curve(*tests: tuple[int, int]) -> Curve:
    return Curve.of(Run(100, list(tests)))


CURVES = {
    "a": {"nubbin": curve((100, 0), (50, 0), (1, 0)), "cvise": curve((100, 0), (100, 0), (100, 0), (50, 0))},
    "b": {"nubbin": curve((100, 0), (20, 0)), "cvise": curve((100, 0), (100, 0), (100, 1), (20, 0))},
}


def test_a_record_has_what_its_table_needs(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "records" / "one.jsonl"
    record.write(path, {"max_tests": 200}, CURVES)
    one = record.read(path)
    assert one.head == {"max_tests": 200}
    assert one.tools == ["nubbin", "cvise"]
    assert one.curves["a"]["nubbin"].reached == {50: 2, 25: 3, 10: 3, 5: 3, 2: 3, 1: 3}
    assert one.curves["b"]["cvise"] == Curve(100, 20, 4, 4, {50: 4, 25: 4})
    assert record.table_of_readme(one)[2:] == [
        "| C-Vise 2.7 | 0.50 (0, 0) | 0.50 (1, 0) | – (1, 0) | – (1, 0) | – (1, 0) | – (1, 0) |",
        "| the best of them | 0.50 (0, 0) | 0.50 (1, 0) | – (1, 0) | – (1, 0) | – (1, 0) | – (1, 0) |",
    ]


def test_only_the_table_of_a_document_is_written(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "RECORDS", tmp_path)
    record.write(tmp_path / "one.jsonl", {}, CURVES)
    text = "before\n\n<!-- bench/records/one.jsonl -->\n\n| old |\n|---|\n| 1 |\n\nafter\n"
    written = record.written_readme(text)
    assert written.startswith("before\n\n<!-- bench/records/one.jsonl -->\n\n| nubbin over | 50 % |")
    assert written.endswith(" |\n\nafter\n")
    assert record.written_readme(written) == written
    with pytest.raises(ValueError, match="no table"):
        record.in_readme("nothing")


def test_the_table_of_the_readme_is_that_of_its_record() -> None:
    text = record.README.read_text(encoding="utf-8")
    assert record.written_readme(text) == text, "run `python3 -m bench readme`"
