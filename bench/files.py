"""Folders of the benchmark, and names of what it keeps."""

from __future__ import annotations

import hashlib
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
WORK = ROOT / "target" / "bench"
COUNTER = pathlib.Path(__file__).resolve().parent / "counter.c"


def digest(*parts: object) -> str:
    """Returns a name for contents."""
    state = hashlib.sha256()
    for part in parts:
        state.update(part if isinstance(part, bytes) else str(part).encode())
        state.update(b"\0")
    return state.hexdigest()[:24]


def compiled_counter(work: pathlib.Path) -> pathlib.Path:
    """Returns the program that counts tests, compiled once for each version of its source."""
    program = work / f"counter-{digest(COUNTER.read_bytes())}"
    if not program.exists():
        work.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=work) as scratch:
            made = pathlib.Path(scratch) / "counter"
            subprocess.run(["cc", "-O2", "-o", made, COUNTER], check=True)
            made.rename(program)
    return program


def release_build() -> pathlib.Path:
    """Builds nubbin of the working tree, and returns the program."""
    command = ["cargo", "build", "--release", "--quiet", "--locked", "-p", "nubbin"]
    subprocess.run(command, cwd=ROOT, check=True)
    return TARGET / "release" / "nubbin"
