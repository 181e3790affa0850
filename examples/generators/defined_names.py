#!/usr/bin/env python3
"""Generates assignments by a grammar, with names that are defined before: the fuzzer of an article.

The article is R. Gopinath, "Reducing Generated Inputs by Their Choices". Each choice
is a number from 0 to 9, taken modulo the number of alternatives. Below level 10 only the cheapest
alternatives are left. With `--defaults`, a choice of -1 stands for a text that each symbol has, as
in the second half of the article. README.md has commands that use it.
"""

import json
import string
import sys

DEEPEST = 10

# `define` is a name that an assignment defines, `use` a name that is defined already. After `;`,
# the name of the assignment may be used.
GRAMMAR = {
    "start": [["assignments"]],
    "assignments": [["assign", ";\n"], ["assign", ";\n", "assignments"]],
    "assign": [["define", " = ", "expr"]],
    "expr": [
        ["expr", " + ", "expr"],
        ["expr", " - ", "expr"],
        ["(", "expr", ")"],
        ["use"],
        ["digit"],
    ],
    "digit": [["0"], ["1"]],
    "define": [[letter] for letter in string.ascii_lowercase],
}

DEFAULTS = {
    "start": "a=0;\n",
    "assignments": "a=0;\n",
    "assign": "a=0",
    "expr": "0",
    "digit": "0",
    "define": "0",
    "use": "000",
}


def cost(symbol, seen=frozenset()):
    """Returns the number of levels that a symbol needs at least."""
    if symbol in seen:
        return float("inf")
    return min(row_cost(row, seen | {symbol}) for row in GRAMMAR[symbol])


def row_cost(row, seen=frozenset()):
    # A use is as cheap as a name.
    symbols = ["define" if part == "use" else part for part in row]
    return 1 + max((cost(symbol, seen) for symbol in symbols if symbol in GRAMMAR), default=0)


class Fuzzer:
    """Makes one text; `choose` returns the next choice."""

    def __init__(self, choose):
        self.choose = choose
        self.defined = []
        self.waiting = []

    def text(self, symbol="start", level=0):
        if symbol == "use":
            return self.select(self.defined, symbol) if self.defined else "00"
        if symbol not in GRAMMAR:
            if symbol == ";\n":
                self.defined += self.waiting
                self.waiting = []
            return symbol
        rows = GRAMMAR[symbol]
        if level > DEEPEST:
            costs = [row_cost(row) for row in rows]
            rows = [row for row, its in zip(rows, costs) if its == min(costs)]
        row = self.select(rows, symbol)
        text = row if isinstance(row, str) else "".join(self.text(part, level + 1) for part in row)
        if symbol == "define":
            self.waiting.append(text)
        return text

    def select(self, options, symbol):
        choice = self.choose()
        return DEFAULTS[symbol] if choice == -1 else options[choice % len(options)]


def ask(least):
    request = {"integer": {"min": least, "max": 9, "toward": least}}
    print(json.dumps(request), flush=True)
    return json.loads(sys.stdin.readline())


def main():
    least = -1 if "--defaults" in sys.argv[1:] else 0
    # Each line `"begin"` asks for one text.
    for _ in sys.stdin:
        text = Fuzzer(lambda: ask(least)).text()
        print(json.dumps({"done": text}), flush=True)


if __name__ == "__main__":
    main()
