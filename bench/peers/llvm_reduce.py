"""llvm-reduce, for text of LLVM IR."""

from __future__ import annotations

from bench.peers.peer import Peer, Place


def command(place: Place) -> list[str]:
    return [PEER.program, "-j", "1", f"--test={place.test_of_argument()}", place.name, "-o", str(PEER.result(place))]


PEER = Peer("llvm-reduce", command, ("ll",), "out.ll", "llvm-reduce-19")
