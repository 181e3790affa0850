"""C-Vise."""

from __future__ import annotations

from bench.peers.peer import Peer, Place, for_c


def command(place: Place) -> list[str]:
    return ["cvise", "--n", "1", "--no-cache", *for_c(place), str(place.test), place.name]


PEER = Peer("cvise", command)
