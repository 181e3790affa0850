"""wasm-tools shrink, for binary WebAssembly."""

from __future__ import annotations

from bench.peers.peer import Peer, Place


def command(place: Place) -> list[str]:
    return ["wasm-tools", "shrink", str(place.test_of_argument()), place.name, "--output", str(PEER.result(place)),
            "--attempts", "1000000"]


PEER = Peer("wasm-tools-shrink", command, ("wasm",), "out.wasm", "wasm-tools")
