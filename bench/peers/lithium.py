"""Lithium, whose test is a module of Python."""

from __future__ import annotations

from bench.peers.peer import Peer, Place


def command(place: Place) -> list[str]:
    module = place.scratch / "is_interesting.py"
    call = f"import subprocess\ndef interesting(_, __): return not subprocess.call(['{place.test}'])\n"
    module.write_text(call, encoding="utf-8")
    return ["lithium", str(module), place.name]


PEER = Peer("lithium", command)
