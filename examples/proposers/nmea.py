#!/usr/bin/env python3
"""Empties fields of GPS sentences (NMEA 0183), and puts their checksums right.

A proposer for `nubbin reduce --proposer`. A sentence looks like `$GPGGA,123519,4807.038,N*5B`: what
stands behind the asterisk is the exclusive or of all characters between it and the dollar sign. A
reader that rejects a wrong checksum rejects whatever a reducer does inside of a sentence, unless it
changes the checksum in the same step. This one does.

    nubbin reduce log.nmea --proposer examples/proposers/nmea.py -- ./test.sh {}
"""

import json
import re
import sys
from functools import reduce

SENTENCE = re.compile(rb"\$([^*\r\n]*)\*([0-9A-Fa-f]{2})")


def checksum(body):
    return "%02X" % reduce(lambda sum, byte: sum ^ byte, body, 0)


def candidates(text):
    """The first ones save most: a sentence without any fields, then one field after the other."""
    for sentence in SENTENCE.finditer(text):
        start, end = sentence.span(1)
        body = sentence.group(1)
        commas = [at for at, byte in enumerate(body) if byte == ord(",")]
        cuts = [(comma, len(body)) for comma in commas]
        cuts += [(left + 1, right) for left, right in zip(commas, commas[1:] + [len(body)])]
        for cut, stop in cuts:
            if cut < stop:
                rest = body[:cut] + body[stop:]
                yield [
                    {"start": start + cut, "end": start + stop},
                    {"start": sentence.start(2), "end": sentence.end(2), "text": checksum(rest)},
                ]


def main():
    for line in sys.stdin:
        asked = json.loads(line)["propose"]
        with open(asked["file"], "rb") as file:
            text = file.read()
        for edits in candidates(text):
            print(json.dumps({"edits": edits}))
        print('"done"', flush=True)


main()
