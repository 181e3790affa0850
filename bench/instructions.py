"""Counts the instructions of modules: LLVM IR, SPIR-V, and WebAssembly."""

from __future__ import annotations

import pathlib
import re
import subprocess
from collections.abc import Sequence

PRINTERS = {".ll": ["cat"], ".spvasm": ["cat"], ".spv": ["spirv-dis"], ".wasm": ["wasm-objdump", "-d"]}
BEGIN = re.compile(r"define |\s*%\S+ = OpFunction ")
END = re.compile(r"}|\s*OpFunctionEnd")
INSTRUCTION = re.compile(r"\s*(%\S+ = )?([a-z#]|Op)")
# Parts of an instruction that have a line of their own, and lines that are labels or debug information.
OTHER = re.compile(r"\s*((to|catch|cleanup|i\d+ -?\d+,) |#dbg|[-\w.$]+:|(%\S+ = )?Op(Label|FunctionParameter|Line|NoLine)\b)")


def count(text: str, suffix: str) -> int:
    """Counts the lines of bodies that are neither labels nor parts of other lines."""
    if suffix == ".wasm":
        return len(re.findall(r"^ [0-9a-f]+: ", text, re.M))
    inside, found = False, 0
    for line in text.splitlines():
        if BEGIN.match(line):
            inside = True
        elif END.match(line):
            inside = False
        elif inside and INSTRUCTION.match(line):
            found += not OTHER.match(line)
    return found


def main(paths: Sequence[str]) -> None:
    for path in map(pathlib.Path, paths):
        command = [*PRINTERS[path.suffix], str(path)]
        text = subprocess.run(command, check=True, capture_output=True).stdout.decode(errors="replace")
        print(f"{path}: {count(text, path.suffix):,} instructions")
