"""spirv-reduce, for binary SPIR-V."""

from __future__ import annotations

from bench.peers.peer import Peer, Place


def command(place: Place) -> list[str]:
    return ["spirv-reduce", place.name, "-o", str(PEER.result(place)), "--", str(place.test_of_argument())]


PEER = Peer("spirv-reduce", command, ("spv",), "out.spv")
