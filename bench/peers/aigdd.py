"""aigdd, for circuits in AIGER."""

from __future__ import annotations

from bench.peers.peer import Peer, Place


def command(place: Place) -> list[str]:
    return ["aigdd", place.name, str(PEER.result(place)), str(place.test_of_argument())]


PEER = Peer("aigdd", command, ("aag",), "out.aag")
