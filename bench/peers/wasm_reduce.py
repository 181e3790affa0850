"""wasm-reduce, for binary WebAssembly."""

from __future__ import annotations

import pathlib
import shutil

from bench.peers.peer import Peer, Place


def command(place: Place) -> list[str]:
    tools = pathlib.Path(shutil.which("wasm-opt") or "wasm-opt").parent
    return ["wasm-reduce", place.name, "--command", f"{place.test_of_argument()} test.wasm", "--test", "test.wasm",
            "--working", str(PEER.result(place)), "-b", str(tools)]


PEER = Peer("wasm-reduce", command, ("wasm",), "out.wasm")
