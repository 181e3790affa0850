"""Random inputs, each with a test: a regular expression that it matches, for Python and grep."""
import collections
from grammars import GRAMMARS, SEVERAL_TREES
from trees import grow, parsed, text_of

Input = collections.namedtuple("Input", "grammar_name grammar tree text regex")

SHORTEST, LONGEST = 5, 150


def literal(char):
    return "\\" + char if char in "^[" else f"[{char}]"


def ordered(text, rng):
    """One to three characters of the text, in their order."""
    at = sorted(rng.sample(range(len(text)), min(len(text), rng.randint(1, 3))))
    return ".*".join(literal(text[i]) for i in at)


def substring(text, rng):
    """A part of the text, of two to six characters."""
    length = rng.randint(2, min(6, len(text)))
    start = rng.randrange(len(text) - length + 1)
    return "".join(map(literal, text[start:start + length]))


def at_least(text, rng):
    """A character of the text, as often as it is there or less often, at most five times."""
    char = rng.choice(text)
    times = rng.randint(1, min(5, text.count(char)))
    return f"({literal(char)}.*){{{times}}}"


def exactly(text, rng):
    """A character of the text exactly as often as it is there, so that larger parts may pass."""
    char = rng.choice(text)
    return f"^([^{char}]*{literal(char)}){{{text.count(char)}}}[^{char}]*$"


def odd_or_even(text, rng):
    """A character of the text an odd number of times, or an even one but zero."""
    char = rng.choice(text)
    once = f"[^{char}]*{literal(char)}"
    return f"^{once}{'' if text.count(char) % 2 else once}({once}{once})*[^{char}]*$"


TESTS = [ordered, substring, at_least, exactly, odd_or_even]


def draw(program, names, number, rng, folder, longest=LONGEST):
    """Returns a random input of one of the named grammars, in turn."""
    name = names[number % len(names)]
    grammar = GRAMMARS[name]
    while True:
        tree = grow(grammar, "<start>", rng, 0, rng.randint(3, 12))
        text = text_of(tree)
        if SHORTEST <= len(text) <= longest:
            break
    regex = rng.choice(TESTS)(text, rng)
    if name in SEVERAL_TREES:
        tree = parsed(program, grammar, text, folder)
    return Input(name, grammar, tree, text, regex)
