"""halfempty, which writes each candidate to the standard input of its test."""

from __future__ import annotations

from bench.peers.peer import Peer, Place


def command(place: Place) -> list[str]:
    pipe = place.script("pipe.sh", f"cat > '{place.name}' && exec '{place.test}'\n")
    return ["halfempty", "--stable", "--num-threads", "1", "--output", str(PEER.result(place)), str(pipe), str(place.source)]


PEER = Peer("halfempty", command, output="out")
