"""Examples of the documents that need the package and are no sessions of Python.

The documents mark them for the tests of the program as not to be run there. A line of `…` stands for
any number of lines, and `…` in a line for any text.
"""

import os
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
FILE = re.compile(r"<!-- file: (\S+) -->\n[^\n]*\n```\w*\n(.*?)```", re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)```", re.DOTALL | re.MULTILINE)


def commands(page):
    """Returns the commands of a page, each with the output that it shows."""
    found = []
    for block in CONSOLE.findall((ROOT / page).read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            found.append((command, shown))
    return found


def is_as_shown(output, shown):
    pattern = "".join(
        r"(?:[^\n]*\n)*" if line == "…" else "[^\n]*".join(map(re.escape, line.split("…"))) + "\n"
        for line in shown.splitlines()
    )
    return re.fullmatch(pattern, output) is not None


def test_the_comparison_can_fail():
    assert is_as_shown("a\nb 1 c\nd\n", "a\nb … c\n…\n")
    assert not is_as_shown("a\nb 1 d\n", "a\nb … c\n")
    assert not is_as_shown("x\na\n", "a\n")


def run(command, folder):
    """Runs a command with the programs of this Python first, and returns its output."""
    programs = sysconfig.get_path("scripts")
    environment = {**os.environ, "COLUMNS": "80", "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PATH"] = os.pathsep.join([programs, environment.get("PATH", "")])
    done = subprocess.run(
        command, shell=True, cwd=folder, env=environment, capture_output=True, text=True
    )
    return done.stdout if done.stdout.endswith("\n") else done.stdout + "\n"


def test_the_example_of_the_plugin_is_as_shown(tmp_path):
    page = "docs/src/python.md"
    for name, text in FILE.findall((ROOT / page).read_text(encoding="utf-8")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    given = [command for command, _ in commands(page)]
    first = given.index("pytest --nubbin")
    assert given[first + 1] == "cat order.min.json"
    for command, shown in commands(page)[first:]:
        output = run(command, tmp_path)
        assert is_as_shown(output, shown), output


@pytest.mark.parametrize("page", ["README.md", "docs/src/installation.md"])
def test_the_first_line_after_the_installation_prints_what_is_shown(page):
    found = [given for given in commands(page) if given[0].startswith("python -c")]
    assert found
    for command, shown in found:
        assert run(command, None) == shown
