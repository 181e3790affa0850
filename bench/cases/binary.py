"""Cases of binary formats, made by the tools of packages.

The tests are of two kinds:

- `tool`: a program of the format accepts the file, and its output has a certain line or word.
- `reader`: a small reader in Python fails with an assertion about what the file contains, and not with another
  exception. It checks the structure on its way there.

A case depends on nothing but the installed packages. What is not installed is left out, and said. Packages of Debian:
gcc gcc-mingw-w64-x86-64 clang binutils lua5.4 wabt pngcheck unzip tcpdump sqlite3 qpdf ffmpeg llvm lld openssl gettext
giflib-tools libjpeg-turbo-progs libtiff-tools poppler-utils cpio flac vorbis-tools lua5.1 lua5.3 libprotobuf-dev
protobuf-compiler rustc ncurses-term tzdata xxd mruby luajit patchelf xz-utils zstd lz4 bzip2 fontconfig fonts-dejavu-core
openjdk-17-jdk-headless. Packages of Python: cbor2 fonttools msgpack.
"""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from bench.cases import binary_readers, binary_tools
from bench.cases.binary_sources import Source
from bench.cases.maker import Skipped, make_all, quoted, rarest, write

READ = "import sys\ndata = open(sys.argv[1], 'rb').read()\n"


def tool(folder: pathlib.Path, name: str, extension: str, source: Source, line: str, pattern: str) -> int:
    """Makes a case of a program that accepts the file."""
    data = source()
    with tempfile.TemporaryDirectory() as scratch:
        (pathlib.Path(scratch) / f"input.{extension}").write_bytes(data)
        ran = subprocess.run(["bash", "-c", f"set -o pipefail\nf=input.{extension}\n{line}"], cwd=scratch,
                             stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    words = re.findall(pattern, ran.stdout.decode(errors="replace"))
    if not words or ran.returncode != 0:
        raise Skipped(f"exit code {ran.returncode}, {len(words)} words: {ran.stdout[-200:]!r}{ran.stderr[-300:]!r}")
    return write(folder, name, extension, data, "set -o pipefail\nulimit -v 8000000\n"
                 f"out=$({{ {line}; }} | tr -d '\\0') && grep -aqwF -- {quoted(rarest(words))} <<<\"$out\"")


def reader(folder: pathlib.Path, name: str, extension: str, source: Source, code: str) -> int:
    """Makes a case of a reader that fails with an assertion."""
    (folder / name).mkdir(parents=True, exist_ok=True)
    path = (folder / name / "reader.py").resolve()
    path.write_text(READ + code.lstrip("\n") + "\n", encoding="utf-8")
    test = f"{sys.executable} {path} $f 2>&1 | tail -n 1 | grep -qx AssertionError"
    return write(folder, name, extension, source(), test)


def main(words: Sequence[str]) -> None:
    make_all([("tool", tool, binary_tools.ROWS), ("reader", reader, binary_readers.ROWS)], words)
