"""A. Zeller, R. Gopinath, M. Böhme, G. Fraser, C. Holler: The Fuzzing Book, chapter "Reducing
Failure-Inducing Inputs", from the printed program.

As there, trees share subtrees: an alternative that takes one subtree twice has it twice, and a
later replacement in it changes both. The functions at the end run the program of the book instead
(`pip install fuzzingbook`).

The trees of the book's Earley parser have no child below a symbol with an empty text, and its
`all_terminals` prints such a symbol by its name. Here the child is there, as in the trees of its
grammar fuzzer, so that the texts are those of the grammar.
"""
from trees import is_nonterminal, parts, text_of


def ddmin_book(text, fails):
    """Class DeltaDebuggingReducer: complements only."""
    n = 2
    while len(text) >= 2:
        start, step, found = 0.0, len(text) / n, False
        while start < len(text):
            complement = text[:int(start)] + text[int(start + step):]
            if fails(complement):
                text, n, found = complement, max(n - 1, 2), True
                break
            start += step
        if not found:
            if n == len(text):
                break
            n = min(n * 2, len(text))
    return text


def number_of_nodes(tree):
    return 1 + sum(number_of_nodes(child) for child in tree[1])


def max_height(tree):
    return 1 + max((max_height(child) for child in tree[1]), default=0)


def possible_combinations(columns):
    """The book makes the list of all. An iterator gives the same ones in the same order."""
    if not columns:
        return
    for first in columns[0]:
        if len(columns) == 1:
            yield [first]
        else:
            for rest in possible_combinations(columns[1:]):
                yield [first, *rest]


class GrammarReducer:
    """Class GrammarReducer, in the order of its methods. `by_depth` is its last `reduce_tree`."""

    def __init__(self, grammar, fails, by_depth=False, try_all_combinations=False):
        self.grammar, self.fails, self.by_depth = grammar, fails, by_depth
        self.try_all_combinations = try_all_combinations

    def subtrees_with_symbol(self, tree, symbol, depth, ignore_root=True):
        found = []
        if depth <= 0 and not ignore_root and tree[0] == symbol:
            found.append(tree)
        if depth != 0:
            for child in tree[1]:
                found += self.subtrees_with_symbol(child, symbol, depth - 1, ignore_root=False)
        return found

    def alternate_reductions(self, tree, symbol, depth):
        reductions = []
        expansions = self.grammar[symbol] if is_nonterminal(symbol) else []
        for symbols in sorted(map(parts, expansions), key=len):
            columns = [self.subtrees_with_symbol(tree, part, depth) for part in symbols]
            if not all(columns):
                continue
            for children in possible_combinations(columns):
                made = [symbol, children]
                if number_of_nodes(made) < number_of_nodes(tree):
                    reductions.append(made)
                    if not self.try_all_combinations:
                        break
        return sorted(reductions, key=number_of_nodes)

    def symbol_reductions(self, tree, symbol, depth):
        unique = []
        for reduction in (self.subtrees_with_symbol(tree, symbol, depth)
                          + self.alternate_reductions(tree, symbol, depth)):
            if reduction not in unique:
                unique.append(reduction)
        return unique

    def reduce_subtree(self, tree, subtree, depth=-1):
        children = subtree[1]
        if not children:
            return False
        reduced = False
        while True:
            reduced_child = False
            for i, child in enumerate(children):
                for reduction in self.symbol_reductions(child, child[0], depth):
                    if number_of_nodes(reduction) >= number_of_nodes(child):
                        continue
                    children[i] = reduction
                    if self.fails(text_of(tree)):
                        reduced = reduced_child = True
                        break
                    children[i] = child
            if not reduced_child:
                break
        for child in children:
            if self.reduce_subtree(tree, child, depth):
                reduced = True
        return reduced

    def reduce(self, tree):
        if not self.by_depth:
            self.reduce_subtree(tree, tree)
            return text_of(tree)
        depth = 0
        while depth < max_height(tree):
            depth = 0 if self.reduce_subtree(tree, tree, depth) else depth + 1
        return text_of(tree)


def book_program(grammar, tree, fails, by_depth=False, try_all_combinations=False):
    """Runs the classes of the package `fuzzingbook`, on a tree that is made already."""
    from fuzzingbook import Reducer

    class Parser:
        grammar = staticmethod(lambda: {symbol: list(rows) for symbol, rows in grammar.items()})
        start_symbol = staticmethod(lambda: "<start>")
        parse = staticmethod(lambda _: [in_pairs(tree)])

    class Plain(Reducer.GrammarReducer):
        def reduce_tree(self, tree):
            return self.reduce_subtree(tree, tree)

    reducer = (Reducer.GrammarReducer if by_depth else Plain)(runner(fails), Parser)
    reducer.try_all_combinations = try_all_combinations
    return reducer.reduce(text_of(tree))


def book_program_of_ddmin(_, tree, fails):
    from fuzzingbook import Reducer
    return Reducer.DeltaDebuggingReducer(runner(fails)).reduce(text_of(tree))


def runner(fails):
    from fuzzingbook.Fuzzer import Runner

    class Test(Runner):
        def run(self, text):
            return text, Runner.FAIL if fails(text) else Runner.PASS

    return Test()


def in_pairs(tree):
    return tree[0], [in_pairs(child) for child in tree[1]]
