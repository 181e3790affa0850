"""Shrink Ray, without its language model."""

from __future__ import annotations

from bench.peers.peer import Peer, Place


def command(place: Place) -> list[str]:
    flags = "--parallelism 1 --ui basic --volume quiet --no-history --no-llm --input-type basename --trivial-is-not-error"
    return ["shrinkray", *flags.split(), str(place.test), place.name]


PEER = Peer("shrinkray", command)
