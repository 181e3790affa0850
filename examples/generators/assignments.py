#!/usr/bin/env python3
"""Generates programs of assignments that define every name before its use.

This is a generator for `nubbin generate choices`. It asks for each choice with a line of JSON,
reads the answer, and marks groups of choices as spans. To try it without nubbin, type the answers.
README.md has commands that use it.
"""

import json
import sys
from contextlib import contextmanager


def say(request):
    print(json.dumps(request), flush=True)


def ask(request):
    say(request)
    return json.loads(sys.stdin.readline())


@contextmanager
def span(label):
    say({"span": label})
    yield
    say("end")


def elements(label, make):
    """Makes a list. Each element is one span with the choice that announces it."""
    made = []
    while True:
        say({"span": label})
        if not ask({"boolean": 0.7}):
            say("withdraw")
            return made
        made.append(make())
        say("end")


def expression(names, depth):
    with span("expression"):
        kind = ask({"choose": 5}) if depth > 0 else ask({"choose": 2})
        if kind == 0:
            return str(ask({"integer": {"min": 0, "max": 99}}))
        if kind == 1:
            return names[ask({"choose": len(names)})] if names else "0"
        if kind == 2:
            return "(" + expression(names, depth - 1) + ")"
        operator = " + " if kind == 3 else " - "
        return expression(names, depth - 1) + operator + expression(names, depth - 1)


def program():
    names = []

    def assignment():
        name = ask({"text": {"alphabet": "abcdefgh", "min": 1, "max": 3}})
        text = name + " = " + expression(names, 6) + ";\n"
        names.append(name)
        return text

    return "".join(elements("assignment", assignment))


# Each line `"begin"` asks for one text.
for _ in sys.stdin:
    say({"done": program()})
