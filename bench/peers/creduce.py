"""C-Reduce."""

from __future__ import annotations

from bench.peers.peer import Peer, Place, for_c


def command(place: Place) -> list[str]:
    return ["creduce", "--n", "1", *for_c(place), str(place.test), place.name]


PEER = Peer("creduce", command)
