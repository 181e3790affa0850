#!/usr/bin/env python3
"""Empties fields of GPS sentences (NMEA 0183) and corrects their checksums.

This is a proposer for `nubbin reduce --proposer`. A sentence looks like
`$GPGGA,123519,4807.038,N*5B`. The checksum after the asterisk is the exclusive or of all characters
between the dollar sign and the asterisk. If a program checks it, an edit inside a sentence must
also change the checksum. README.md has commands that use it.
"""

import json
import re
import sys
from functools import reduce

SENTENCE = re.compile(rb"\$([^*\r\n]*)\*([0-9A-Fa-f]{2})")


def checksum(body):
    return "%02X" % reduce(lambda sum, byte: sum ^ byte, body, 0)


def candidates(text):
    """Yields edits that empty all fields after one, then edits that empty a single field."""
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
