"""afl-tmin, without instrumentation of the program."""

from __future__ import annotations

from bench.peers.peer import Peer, Place

CRASH = 99


def command(place: Place) -> list[str]:
    # It keeps crashes, and writes each candidate to a file of its own.
    crash = place.script("crash.sh", f"'{place.test}' && exit {CRASH}\nexit 0\n")
    place.environment |= {"AFL_SKIP_BIN_CHECK": "1", "AFL_NO_FORKSRV": "1", "AFL_MAP_SIZE": "4194304",
                          "AFL_CRASH_EXITCODE": str(CRASH)}
    return ["afl-tmin", "-i", str(place.source), "-o", str(PEER.result(place)), "-f", place.name, "-t", "60000", "-m", "none",
            "--", str(crash)]


PEER = Peer("afl-tmin", command, output="out")
