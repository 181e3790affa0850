"""Copies of cases whose tests print what the program says.

The tests of the corpus read the messages of a program and print nothing. In the copies, they print them as well, so that
`python3 -m bench run FOLDER --show-output` measures what positions in messages are worth. A case whose test has none of the
known forms is left out.
"""

from __future__ import annotations

import argparse
import pathlib
import re
import shutil
from collections.abc import Sequence

from bench import case

# Replaced in a test: an output that goes to a variable, to a file, or to `grep`.
FORMS = [
    (r"(?m)^(out=\$\(.*\)) && (grep .*)$", r"""\1 || exit 1\nprintf '%s\\n' "$out" >&2\n\2"""),
    (r"(?ms)^(out=\$\(.*?\))\n(grep )", r"""\1\nprintf '%s\\n' "$out" >&2\n\2"""),
    (r"""(?m)(>\s*("\$\w+/\w+") 2>&1)$""", r"\1\ncat \2 >&2"),
    (r"""(?m)(2>("\$\w+/\w+"))$""", r"\1\ncat \2 >&2"),
    (r"2>&1 \|(\s+)(grep|tail)", r"2>&1 | tee /dev/stderr |\1\2"),
]


def loud(test: str) -> str:
    """Returns a test that prints what it reads."""
    for form, instead in FORMS:
        test = re.sub(form, instead, test)
    return test


def main(words: Sequence[str]) -> None:
    flags = argparse.ArgumentParser("python3 -m bench cases loud", description=__doc__)
    flags.add_argument("out", type=pathlib.Path)
    flags.add_argument("folders", type=pathlib.Path, nargs="+")
    args = flags.parse_args(words)
    made = 0
    for one in case.find(args.folders):
        quiet = one.test.read_text(encoding="utf-8")
        if loud(quiet) == quiet:
            continue
        shutil.copytree(one.folder, args.out / one.name, dirs_exist_ok=True)
        (args.out / one.name / "interesting.sh").write_text(loud(quiet), encoding="utf-8")
        made += 1
    print(f"{made} cases")
