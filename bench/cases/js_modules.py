"""Five modules in JavaScript, each with a call whose message or output must stay, so that much of the module is needed.

Needs Node.js and npm.
"""

from __future__ import annotations

import pathlib
import subprocess
import tarfile
import tempfile
from collections.abc import Sequence

from bench.cases.maker import make_all, put

# Case, package, version, file, call behind the module, and what its output must have, for a shell.
ROWS = [
    ("js-acorn", "acorn", "8.19.0", "dist/acorn.js", 'module.exports.parse("let a = 1; let a = 2;", {ecmaVersion: 2020});',
     r"Identifier\ \'a\'\ has\ already\ been\ declared\ \(1:15\)"),
    ("js-marked", "marked", "4.3.0", "lib/marked.cjs", r'console.log(module.exports.parse("# Title\n\n* a\n* **b**\n"));',
     r"\<li\>\<strong\>b\</strong\>\</li\>"),
    ("js-mustache", "mustache", "4.2.0", "mustache.js", 'module.exports.render("{{#a}} {{b}} {{/c}}", {a: [1]});',
     r'Unclosed\ section\ \"a\"\ at'),
    ("js-underscore", "underscore", "1.13.8", "underscore-umd.js",
     'var q = module.exports; console.log("sum=" + q.chain([3,1,2]).map(function (x) { return x * 2; })'
     ".filter(function (x) { return x > 2; }).reduce(function (a, b) { return a + b; }, 0).value());", "sum=10"),
    ("js-yaml", "js-yaml", "4.3.2", "dist/js-yaml.js", r'module.exports.load("a: [1, 2\nb: 3");',
     r"YAMLException:\ missed\ comma\ between\ flow\ collection\ entries"),
]


def module(folder: pathlib.Path, case: str, package: str, version: str, file: str, call: str, needed: str) -> int:
    """Makes a case of a file of a package."""
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(["npm", "pack", "--silent", f"{package}@{version}"], cwd=scratch, check=True, capture_output=True)
        with tarfile.open(next(pathlib.Path(scratch).glob("*.tgz"))) as archive:
            found = archive.extractfile(f"package/{file}")
            assert found
            data = found.read() + f"\n{call}\n".encode()
    test = f"#!/bin/bash\nulimit -v 8000000\ntimeout 5 node input.js 2>&1 | grep -qF -- {needed}\n"
    put(folder, case, "js", data, test)
    return len(data)


def main(words: Sequence[str]) -> None:
    make_all([("module", module, ROWS)], words)
