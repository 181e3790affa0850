"""R. Gopinath: Reducing Generated Inputs by Their Choices: delta debugging on the choices of a
generator, class ChoiceSeq.

The fuzzer uses defined names only, and choices from 0 to 9, modulo the number of alternatives.
`DEFAULTS` are those of the second half of the article, in which a choice of -1 stands for the
default of a symbol.
"""
import json, random, shlex, sys
from limit_fuzzer import LimitFuzzer
from nubbin import QUIETLY, Run, run
from report import Report

PROGRAMS = {
    "<start>": [["<assignments>"]],
    "<assignments>": [["<assign>", ";\n"], ["<assign>", ";\n", "<assignments>"]],
    "<assign>": [["<var>", " = ", "<expr>"]],
    "<expr>": [["<expr>", " + ", "<expr>"], ["<expr>", " - ", "<expr>"], ["(", "<expr>", ")"],
               ["<defined>"], ["<digit>"]],
    "<digit>": [["0"], ["1"]],
    "<var>": [[letter] for letter in "abcdefghijklmnopqrstuvwxyz"],
}
DEFAULTS = {"<start>": "a=0;\n", "<assignments>": "a=0;\n", "<assign>": "a=0", "<expr>": "0",
            "<digit>": "0", "<var>": "0"}


class ChoiceFuzzer:
    def __init__(self, choice):
        self.choice, self.names, self.new = choice, [], []
        costs = LimitFuzzer({symbol: ["".join(row) for row in rows] for symbol, rows in
                             {**PROGRAMS, "<defined>": PROGRAMS["<var>"]}.items()}, None).cost
        self.cost = lambda symbol, row: costs[symbol]["".join(row)]

    def text(self, symbol="<start>", depth=0):
        if symbol == "<defined>":
            return self.select(self.names, "000") if self.names else "00"
        if symbol == ";\n":
            self.names += self.new
            self.new = []
        if symbol not in PROGRAMS:
            return symbol
        rows = PROGRAMS[symbol]
        if depth > 10:
            least = min(self.cost(symbol, row) for row in rows)
            rows = [row for row in rows if self.cost(symbol, row) == least]
        row = self.select(rows, None)
        text = DEFAULTS[symbol] if row is None else "".join(self.text(part, depth + 1) for part in row)
        if symbol == "<var>":
            self.new.append(text)
        return text

    def select(self, options, default):
        choice = self.choice()
        return default if choice == -1 else options[choice % len(options)]


def program_of(choices):
    """Returns the text of a sequence of choices, or `None` if it is too short."""
    left = iter(choices)
    try:
        return ChoiceFuzzer(lambda: next(left)).text()
    except (StopIteration, RuntimeError):
        return None


def choice_ddmin(choices, fails, nop):
    """`ddmin` of the article, again and again while the sequence gets shorter. The printed NOP
    variant repeats an edit forever that leaves the sequence as it is; here, as in nubbin, a
    candidate has to be shorter."""
    while True:
        now, part = choices, len(choices) // 2
        while part >= 1:
            start = 0
            while start < len(now):
                shorter = now[:start] + now[start + part:]
                if nop:
                    shorter = (now[:start - 1] + [-1] + now[start + part:] if start > 0
                               else [-1] + now[part + 1:])
                if len(shorter) < len(now) and fails(shorter):
                    now = shorter
                else:
                    start += part
            part //= 2
        if len(now) >= len(choices):
            return now
        choices = now


def serve_choices(nop):
    """Is a generator of `nubbin generate choices`: asks nubbin for each choice."""
    say = lambda line: print(json.dumps(line), flush=True)

    def choice():
        least = -1 if nop else 0
        say({"integer": {"min": least, "max": 9, "toward": least}})
        return json.loads(sys.stdin.readline())

    for _ in sys.stdin:
        say({"done": ChoiceFuzzer(choice).text()})


def compare_choices(program, inputs, seed, name, nop, folder):
    """Reduces the choices of random programs that have `((` and `))`."""
    rng = random.Random(f"{seed} {name}")
    test = folder / "test"
    test.write_text("#!/bin/sh\ngrep -q '((' \"$1\" && grep -q '))' \"$1\"\n")
    test.chmod(0o755)
    report = Report()
    for _ in range(inputs):
        while True:
            used = []

            def draw():
                used.append(rng.randrange(10))
                return used[-1]

            text = ChoiceFuzzer(draw).text()
            if "((" in text and "))" in text and len(used) <= 120:
                break
        log, known = [], {}

        def fails(choices):
            made = program_of(choices)
            if made is None:
                return False
            if made not in known:
                known[made] = "((" in made and "))" in made
                if made != text:
                    log.append(made)
            return known[made]

        their_result = program_of(choice_ddmin(used, fails, nop))
        (folder / "run.choices").write_text(json.dumps({"choices": used}) + "\n")
        generator = shlex.join([sys.executable, __file__, "nop" if nop else "plain"])
        own = run([program, "reduce", "--choices", "run.choices", "--generator", generator, "--algorithm",
                   name, "-o", "out", *QUIETLY, "--", "./test", "{}"], folder)
        # nubbin may test the original's text once more, where other choices make it.
        own = own._replace(texts=[made for made in own.texts if made != text])
        report.add(text, "`((` and `))`", Run(log, their_result, None), own)
    return report


if __name__ == "__main__":
    serve_choices(sys.argv[1] == "nop")
