"""cnfdd, for formulas in DIMACS."""

from __future__ import annotations

from bench.peers.peer import Peer, Place


def command(place: Place) -> list[str]:
    return ["cnfdd", place.name, str(PEER.result(place)), str(place.test_of_argument())]


PEER = Peer("cnfdd", command, ("cnf", "qdimacs"), "out.cnf")
