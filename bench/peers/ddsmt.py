"""ddSMT, for problems in SMT-LIB."""

from __future__ import annotations

from bench.peers.peer import Peer, Place


def command(place: Place) -> list[str]:
    return [PEER.program, "-j1", place.name, str(PEER.result(place)), str(place.test_of_argument())]


PEER = Peer("ddsmt", command, ("smt2",), "out.smt2")
