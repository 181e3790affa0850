"""R. Gopinath: article on reduction by generators, class LimitFuzzer. Texts of both generators are
samples, so their distributions are compared."""
import collections, json, random, subprocess, sys
from grammars import EXPRESSIONS
from trees import parts

ASSIGNMENTS = {
    "<start>": ["<assignments>"],
    "<assignments>": ["<assign>", "<assign>;<assignments>"],
    "<assign>": ["<var> = <expr>"],
    "<expr>": ["<expr> + <expr>", "<expr> - <expr>", "(<expr>)", "<var>", "<digit>"],
    "<digit>": ["0", "1"],
    "<var>": list("abcdef"),
}
SPINE = {"<start>": ["a", "b<start>"]}


class LimitFuzzer:
    """The printed class."""

    def __init__(self, grammar, rng):
        self.grammar, self.rng, self.known = grammar, rng, {}
        self.cost = {symbol: {row: self.expansion_cost(row, set()) for row in rows}
                     for symbol, rows in grammar.items()}

    def symbol_cost(self, symbol, seen):
        if symbol in self.known:
            return self.known[symbol]
        if symbol in seen:
            self.known[symbol] = float("inf")
            return float("inf")
        costs = [self.expansion_cost(row, seen | {symbol}) for row in self.grammar.get(symbol, [])]
        self.known[symbol] = min(costs, default=0)
        return self.known[symbol]

    def expansion_cost(self, row, seen):
        costs = [self.symbol_cost(part, seen) for part in parts(row) if part in self.grammar]
        return max(costs, default=0) + 1

    def text(self, symbol, depth, deepest):
        if symbol not in self.grammar:
            return symbol
        rows = self.grammar[symbol]
        if depth > deepest:
            least = min(self.cost[symbol].values())
            rows = [row for row in rows if self.cost[symbol][row] == least]
        chosen = parts(self.rng.choice(rows))
        return "".join(self.text(part, depth + 1, deepest) for part in chosen)


def generated(program, seed, grammar, depth, count, folder):
    (folder / "grammar.json").write_text(json.dumps(grammar))
    command = [program, "generate", "grammar", "-g", "grammar.json", "-n", str(count), "--seed",
               str(seed), "--algorithm", "limit-fuzzer", "--max-depth", str(depth)]
    ran = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    return ran.stdout.splitlines()


def departure(left, right):
    """Returns the statistic of a two-sample chi-squared test on texts of the same number, and the
    value that it exceeds once in 10,000 pairs of samples (Wilson and Hilferty)."""
    left, right = collections.Counter(left), collections.Counter(right)
    common = [key for key in left | right if left[key] + right[key] >= 20]
    pairs = [(left[key], right[key]) for key in common]
    pairs.append((left.total() - sum(a for a, _ in pairs), right.total() - sum(b for _, b in pairs)))
    pairs = [(a, b) for a, b in pairs if a + b]
    freedom = max(1, len(pairs) - 1)
    most = freedom * (1 - 2 / (9 * freedom) + 3.719 * (2 / (9 * freedom)) ** 0.5) ** 3
    return sum((a - b) ** 2 / (a + b) for a, b in pairs), most


def compare_generators(program, seed, folder):
    """Compares 2,000 texts of each generator at five depths, by the texts and by their lengths."""
    count, worst = 2000, 0
    for name, grammar in [("spine", SPINE), ("assignments", ASSIGNMENTS), ("expressions", EXPRESSIONS)]:
        for depth in [0, 1, 3, 6, 10]:
            rng = random.Random(f"{seed} {name} {depth}")
            fuzzer = LimitFuzzer(grammar, rng)
            theirs = [fuzzer.text("<start>", 0, depth) for _ in range(count)]
            own = generated(program, seed, grammar, depth, count, folder)
            if len(own) != count:
                sys.exit(f"limit-fuzzer: {len(own)} texts of {name}, not {count}")
            for what, left, right in [("texts", theirs, own),
                                      ("lengths", map(len, theirs), map(len, own))]:
                found, most = departure(left, right)
                worst = max(worst, found / most)
                if found > most:
                    print(f"limit-fuzzer: the {what} of {name} at depth {depth} differ: chi-squared "
                          f"{found:.1f}, at most {most:.1f} is likely")
                    return None
    return 15 * count, worst
