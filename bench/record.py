"""Records of runs, of which the tables in documents are generated.

A record is a file of `bench/records` with the name DATE-COMMIT.jsonl. Its first line says how the runs were made,
and each other line is a case and a tool.
"""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from bench import files
from bench.curve import LEVELS, Curve, at_level
from bench.table import Curves, pairs_of

RECORDS = pathlib.Path(__file__).resolve().parent / "records"
README = files.ROOT / "README.md"
# Names of the tools in the table of the README.
LABELS = {"cvise": "C-Vise 2.7", "creduce": "C-Reduce 2.11", "shrinkray": "Shrink Ray 26.9"}


@dataclass(frozen=True)
class Record:
    """How runs were made, and their curves by set and case, and tool."""

    head: dict[str, object]
    curves: Curves

    @property
    def tools(self) -> list[str]:
        return list(dict.fromkeys(tool for of_case in self.curves.values() for tool in of_case))


def write(path: pathlib.Path, head: dict[str, object], curves: Curves) -> None:
    lines = [json.dumps(head)]
    for case, of_case in curves.items():
        for tool, curve in of_case.items():
            lines.append(json.dumps({"case": case, "tool": tool, "bytes": curve.bytes, "left": curve.left, "tests": curve.tests,
                                     "last": curve.last, "reached": [curve.reached.get(level) for level in LEVELS]}))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read(path: pathlib.Path) -> Record:
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    curves: dict[str, dict[str, Curve]] = {}
    for line in lines:
        row = json.loads(line)
        reached = {level: number for level, number in zip(LEVELS, row["reached"], strict=True) if number is not None}
        curve = Curve(row["bytes"], row["left"], row["tests"], row["last"], reached)
        curves.setdefault(row["case"], {})[row["tool"]] = curve
    return Record(json.loads(first), curves)


def table_of_readme(record: Record) -> list[str]:
    """Returns the table of the README: the first tool over each other, and over the best of them."""
    first, *others = record.tools
    rows = ["| nubbin over | " + " | ".join(f"{level} %" for level in LEVELS) + " |", "|---|" + "--:|" * len(LEVELS)]
    for label, rivals in [(LABELS[tool], [tool]) for tool in others] + [("the best of them", others)]:
        rows.append(f"| {label} | " + " | ".join(cells(record.curves, first, rivals)) + " |")
    return rows


def cells(curves: Curves, first: str, rivals: Sequence[str]) -> list[str]:
    found = [at_level(level, pairs_of(curves, first, rivals)) for level in LEVELS]
    return [f"{f'{one.mean:.2f}' if one.ratios else '–'} ({one.ours}, {one.theirs})" for one in found]


def in_readme(text: str) -> tuple[str, list[str]]:
    """Returns the record that the README names, and its table."""
    record = re.search(r"<!-- bench/records/(\S+) -->\n\n?((?:\|.*\n)+)", text)
    if not record:
        raise ValueError("the README has no table of a record")
    return record[1], record[2].splitlines()


def written_readme(text: str) -> str:
    """Returns the README with the table that its record gives."""
    name, old = in_readme(text)
    return text.replace("\n".join(old), "\n".join(table_of_readme(read(RECORDS / name))))
