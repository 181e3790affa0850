"""The classes of the Fuzzing Book's chapter on reduction, and of the articles after it, on nubbin.

They have the interfaces of the originals, so that programs of the chapter run with other imports:

>>> from nubbin.fuzzingbook import DeltaDebuggingReducer, Runner
>>> class MysteryRunner(Runner):
...     def run(self, inp):
...         opens, closes = inp.find("("), inp.find(")")
...         return (inp, Runner.FAIL if 0 <= opens < closes else Runner.PASS)
>>> reducer = DeltaDebuggingReducer(MysteryRunner())
>>> reducer.reduce("1 + (2 * 3)")
'()'

The reducers test the same inputs in the same order as the originals. Each of them takes another
algorithm of `nubbin.algorithms()` too, which most often takes fewer tests.

* *Source:* A. Zeller, R. Gopinath, M. Böhme, G. Fraser, C. Holler, *The Fuzzing Book*; R. Gopinath's
  articles "The simplest grammar fuzzer in the world" and "Reducing the choices of a generator".
"""

import functools
import itertools
import random
import re
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple

from ._choices import ChoiceResult, Choices, reduce_choices
from ._generate import Generator
from ._grammar import Grammar
from ._items import reduce_list
from ._nubbin import GrammarError
from ._reduce import reduce
from ._tree import parse

Tree = Tuple[str, List[Any]]
"""A derivation tree: a symbol and its children."""

START_SYMBOL = "<start>"


class Runner:
    """A program under test. A subclass overrides `run`."""

    PASS = "PASS"
    FAIL = "FAIL"
    UNRESOLVED = "UNRESOLVED"

    def run(self, inp: str) -> Any:
        """Runs the program, and returns the input and the outcome."""
        return (inp, Runner.UNRESOLVED)


class Reducer:
    """A reducer of inputs for which a runner fails."""

    def __init__(self, runner: Any, log_test: bool = False) -> None:
        self.runner = runner
        self.log_test = log_test
        self.reset()

    def reset(self) -> None:
        """Forgets all tests."""
        self.tests = 0

    def test(self, inp: str) -> str:
        """Runs a test, and returns its outcome."""
        _, outcome = self.runner.run(inp)
        self.tests += 1
        if self.log_test:
            print(f"Test #{self.tests} {inp!r} {len(inp)} {outcome}")
        return str(outcome)

    def reduce(self, inp: str) -> str:
        """Returns a smaller input; a subclass decides how."""
        self.reset()
        return inp


class CachingReducer(Reducer):
    """A reducer that tests no input twice."""

    def reset(self) -> None:
        super().reset()
        self.cache: Dict[str, str] = {}

    def test(self, inp: str) -> str:
        outcome = self.cache.get(inp)
        if outcome is None:
            outcome = self.cache[inp] = super().test(inp)
        return outcome

    def fails_like(self, original: str) -> Callable[[str], bool]:
        """Returns a test for nubbin, which takes the original as failing."""
        return lambda inp: inp == original or self.test(inp) == Runner.FAIL


class DeltaDebuggingReducer(CachingReducer):
    """Removes characters by delta debugging, as the program in the Fuzzing Book does.

    `algorithm` is another list minimizer: `"ddmin"` of the paper, or `"sweep"`.
    """

    def __init__(
        self, runner: Any, log_test: bool = False, *, algorithm: str = "ddmin-book"
    ) -> None:
        super().__init__(runner, log_test=log_test)
        self.algorithm = algorithm

    def reduce(self, inp: str) -> str:
        self.reset()
        assert self.test(inp) != Runner.PASS
        return reduce_list(inp, self.fails_like(inp), algorithm=self.algorithm).data


class EarleyParser:
    """A parser for a grammar of the Fuzzing Book: nubbin's own, in place of the book's."""

    def __init__(
        self, grammar: Mapping[str, Any], *, start_symbol: str = START_SYMBOL, **_: Any
    ) -> None:
        self._source = grammar
        self._start = start_symbol
        self._grammar = Grammar(grammar, start=start_symbol)

    def grammar(self) -> Mapping[str, Any]:
        """Returns the grammar."""
        return self._source

    def start_symbol(self) -> str:
        """Returns the start symbol."""
        return self._start

    def parse(self, text: str) -> List[Tree]:
        """Returns the derivation tree of a text, in a list. Raises `SyntaxError`."""
        try:
            return [parse(text, grammar=self._grammar).derivation()]
        except GrammarError as error:
            raise SyntaxError(str(error)) from None


def all_terminals(tree: Tree) -> str:
    """Returns the text of a derivation tree."""
    texts = []
    todo = [tree]
    while todo:
        symbol, children = todo.pop()
        if children:
            todo.extend(reversed(children))
        elif children is not None and not is_symbol(symbol) or children is None:
            texts.append(symbol)
    return "".join(texts)


tree_to_string = all_terminals


def is_symbol(text: str) -> bool:
    return len(text) > 2 and text[0] == "<" and text[-1] == ">" and " " not in text


def number_of_nodes(tree: Tree) -> int:
    """Returns the number of nodes of a derivation tree."""
    return sum(1 for _ in nodes(tree))


def nodes(tree: Tree) -> Iterator[Tree]:
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        todo.extend(reversed(node[1] or []))


def max_height(tree: Tree) -> int:
    """Returns the height of a derivation tree."""
    height, level = 0, [tree]
    while level:
        height += 1
        level = [child for _, children in level for child in children or []]
    return height


class GrammarReducer(CachingReducer):
    """Replaces subtrees by smaller ones, as the program in the Fuzzing Book does (GRABR).

    `parser` is an `EarleyParser` of this module or of the book. The attribute
    `try_all_combinations` tries all combinations of subtrees for an expansion. `algorithm` is
    another tree reducer: `"perses"`, `"hdd"`, or `"grabr"`, which does not begin with the large
    subtrees.
    """

    def __init__(
        self,
        runner: Any,
        parser: Any,
        log_test: bool = False,
        log_reduce: bool = False,
        *,
        algorithm: str = "grabr-depth",
    ) -> None:
        super().__init__(runner, log_test=log_test)
        self.parser = parser
        self.grammar = parser.grammar()
        self.start_symbol = parser.start_symbol()
        self.log_reduce = log_reduce
        self.try_all_combinations = False
        self.algorithm = algorithm
        own = parser._grammar if isinstance(parser, EarleyParser) else None
        self._grammar = own or Grammar(self.grammar, start=self.start_symbol)

    def parse(self, inp: str) -> Tree:
        """Returns the derivation tree of an input."""
        tree: Tree = self.parser.parse(inp)[0]
        if self.log_reduce:
            print(all_terminals(tree))
        return tree

    def reduce(self, inp: str) -> str:
        self.reset()
        try:
            parse(inp, grammar=self._grammar)
        except GrammarError as error:
            raise SyntaxError(str(error)) from None
        algorithm = "grabr-all" if self.try_all_combinations else self.algorithm
        result = reduce(
            inp, self.fails_like(inp), algorithm=algorithm, grammar=self._grammar
        )
        return result.data

    def subtrees_with_symbol(
        self, tree: Tree, symbol: str, depth: int = -1, ignore_root: bool = True
    ) -> List[Tree]:
        """Returns the subtrees with a symbol; with `depth`, only those at this depth."""
        found: List[Tree] = []
        todo = [(tree, depth, ignore_root)]
        while todo:
            node, left, ignored = todo.pop()
            if left <= 0 and not ignored and node[0] == symbol:
                found.append(node)
            if left != 0:
                todo.extend((child, left - 1, False) for child in reversed(node[1] or []))
        return found

    def alternate_reductions(self, tree: Tree, symbol: str, depth: int = -1) -> List[Tree]:
        """Returns smaller trees of a symbol: other expansions, filled with subtrees."""
        size = number_of_nodes(tree)
        reductions: List[Tree] = []
        expansions = [symbols_of(expansion) for expansion in self.grammar.get(symbol, [])]
        for expansion in sorted(expansions, key=len):
            options = [
                self.subtrees_with_symbol(tree, part, depth=depth) for part in expansion
            ]
            for combination in combinations(options):
                new = (symbol, combination)
                if number_of_nodes(new) < size:
                    reductions.append(new)
                    if not self.try_all_combinations:
                        break
        return sorted(reductions, key=number_of_nodes)

    def symbol_reductions(self, tree: Tree, symbol: str, depth: int = -1) -> List[Tree]:
        """Returns all trees that may stand for a tree with a symbol, each once."""
        unique: List[Tree] = []
        for new in self.subtrees_with_symbol(
            tree, symbol, depth=depth
        ) + self.alternate_reductions(tree, symbol, depth=depth):
            if new not in unique:
                unique.append(new)
        return unique

    def reduce_subtree(self, tree: Tree, subtree: Tree, depth: int = -1) -> bool:
        """Makes a subtree smaller within a tree that fails, and returns whether that was possible.

        This is a step of the book's search, for those who look at it. `reduce` makes the same tests
        without it.
        """
        children = subtree[1]
        if not children:
            return False
        reduced = False
        # A list, since the book goes on with the next child after a success.
        while any([self._replaced(tree, children, place, depth) for place in range(len(children))]):
            reduced = True
        below = [self.reduce_subtree(tree, child, depth) for child in children]
        return reduced or any(below)

    def _replaced(self, tree: Tree, children: List[Tree], place: int, depth: int) -> bool:
        """Replaces a child by a smaller one with which the tree fails, if there is one."""
        child = children[place]
        for new in self.symbol_reductions(child, child[0], depth):
            if number_of_nodes(new) >= number_of_nodes(child):
                continue
            children[place] = new
            if self.test(all_terminals(tree)) == Runner.FAIL:
                return True
            children[place] = child
        return False

    def reduce_tree(self, tree: Tree) -> Tree:
        """Makes a derivation tree smaller in its place, first by subtrees near the root."""
        depth = 0
        while depth < max_height(tree):
            depth = 0 if self.reduce_subtree(tree, tree, depth) else depth + 1
        return tree


def symbols_of(expansion: Any) -> List[str]:
    """Returns the symbols and texts of an expansion, in order."""
    if isinstance(expansion, tuple):
        expansion = expansion[0]
    if isinstance(expansion, list):
        return [token[0] if isinstance(token, tuple) else token for token in expansion]
    if expansion == "":
        return [""]
    return [part for part in re.split(r"(<[^<> ]*>)", expansion) if part]


def combinations(options: List[List[Tree]]) -> Iterator[List[Tree]]:
    return (list(combination) for combination in itertools.product(*options))


class GrammarFuzzer:
    """Makes texts of a grammar, with the algorithm of the Fuzzing Book.

    The texts depend on the state of Python's `random`, so `random.seed` makes them repeatable.
    """

    def __init__(
        self,
        grammar: Mapping[str, Any],
        start_symbol: str = START_SYMBOL,
        min_nonterminals: int = 0,
        max_nonterminals: int = 10,
        **_: Any,
    ) -> None:
        self.grammar = grammar
        self.start_symbol = start_symbol
        self.min_nonterminals = min_nonterminals
        self.max_nonterminals = max_nonterminals
        self._generator = Generator(
            Grammar(grammar, start=start_symbol),
            nonterminals=(min_nonterminals, max_nonterminals),
        )

    def fuzz(self) -> str:
        """Returns a text."""
        return self._generator.text(random.getrandbits(64))


class LimitFuzzer:
    """Makes texts of a grammar, expanding symbols freely down to a depth.

    >>> from nubbin.fuzzingbook import LimitFuzzer
    >>> LimitFuzzer({"<start>": [["a", "<start>"], ["b"]]}).fuzz(max_depth=3)[-1]
    'b'
    """

    def __init__(self, grammar: Mapping[str, Any]) -> None:
        self.grammar = grammar
        self._grammar = Grammar(grammar)
        self._generators: Dict[int, Generator] = {}

    def fuzz(self, key: str = START_SYMBOL, max_depth: int = 10) -> str:
        """Returns a text of a symbol."""
        generator = self._generators.get(max_depth)
        if generator is None:
            generator = Generator(self._grammar, max_depth=max_depth)
            self._generators[max_depth] = generator
        return generator.text(random.getrandbits(64), key)


class ChoiceSeq:
    """A sequence of choices, drawn or replayed."""

    def __init__(self, ints: Optional[List[int]] = None) -> None:
        self.index = -1
        self.choose_new = ints is None
        self.ints: List[int] = [] if ints is None else ints

    def i(self) -> int:
        """Returns the next choice. A replayed sequence raises `IndexError` at its end."""
        self.index += 1
        if self.choose_new:
            self.ints.append(random.randrange(10))
        return self.ints[self.index]

    def choice(self, options: Any) -> Any:
        """Returns one of the options."""
        return options[self.i() % len(options)]


class ChoiceFuzzer:
    """Makes texts by a sequence of choices, of a grammar with functions before and after symbols.

    An expansion is a list of symbols, each alone or in a pair with a dictionary: the function
    `"pre"` is called with the fuzzer, the symbol, and a function that expands it, and `"post"` with
    the fuzzer and the tree. So names can be defined before they are used, which no context-free
    grammar says.

    `choices` is a `ChoiceSeq`. `reduce` makes a text small by its choices:

    >>> from nubbin.fuzzingbook import ChoiceFuzzer
    >>> grammar = {"<start>": [["<e>"]], "<e>": [["(", "<e>", ")"], ["<e>", "+", "<e>"], ["0"]]}
    >>> ChoiceFuzzer(grammar).reduce(lambda text: "((" in text).data
    '((0))'
    """

    def __init__(self, grammar: Mapping[str, Any], choices: Optional[ChoiceSeq] = None) -> None:
        self.grammar = grammar
        self.choices: Any = ChoiceSeq() if choices is None else choices
        self.vars: List[Any] = []
        self._vars: List[Any] = []
        self._costs = costs(grammar)

    def tree_to_str(self, tree: Tree) -> str:
        """Returns the text of a tree."""
        return all_terminals(tree)

    def select(self, options: Any) -> Any:
        """Returns one of the options, by the next choice."""
        return self.choices.choice(options)

    def fuzz(self, key: str = START_SYMBOL, max_depth: int = 10) -> str:
        """Returns the text of a symbol."""
        return self.tree_to_str(self.gen_key(key, 0, max_depth))

    def gen_key(self, key: str, depth: int, max_depth: int) -> Tree:
        """Returns the tree of a symbol."""
        if key not in self.grammar:
            return (key, [])
        rules = self.grammar[key]
        if depth > max_depth:
            least = min(self._costs[key])
            rules = [rule for rule, cost in zip(rules, self._costs[key]) if cost == least]
        # A reducer can remove the choices of one symbol, or put those of another in their place.
        spans = self.choices if isinstance(self.choices, SpanChoices) else None
        if spans is not None:
            spans.begin(key)
        tree = (key, self.gen_rule(self.select(rules), depth + 1, max_depth))
        if spans is not None:
            spans.end()
        return tree

    def gen_rule(self, rule: Any, depth: int, max_depth: int) -> List[Any]:
        """Returns the trees of an expansion."""
        trees = []
        for part in rule:
            token, functions = part if isinstance(part, tuple) else (part, {})
            expand = functools.partial(self.gen_key, token, depth, max_depth)
            tree = functions["pre"](self, token, expand) if "pre" in functions else expand()
            trees.append(functions["post"](self, tree) if "post" in functions else tree)
        return trees

    def reduce(
        self,
        fails: Callable[[str], object],
        key: str = START_SYMBOL,
        max_depth: int = 10,
        **options: Any,
    ) -> ChoiceResult[str]:
        """Returns a small text of the grammar that fails, with `nubbin.reduce_choices`."""

        def generate(choices: Choices) -> str:
            return type(self)(self.sorted, SpanChoices(choices)).fuzz(key, max_depth)

        # The first alternative is the simplest choice: that which ends soonest.
        ordered = {
            symbol: [rule for _, rule in sorted(zip(self._costs[symbol], rules), key=first)]
            for symbol, rules in self.grammar.items()
        }
        self.sorted = ordered
        return reduce_choices(generate, fails, **options)


class SpanChoices(ChoiceSeq):
    """The choices of nubbin as a `ChoiceSeq`."""

    def __init__(self, choices: Choices) -> None:
        super().__init__()
        self._choices = choices
        self.begin = choices.begin
        self.end = choices.end

    def choice(self, options: Any) -> Any:
        return self._choices.choose(options)


def first(pair: Any) -> Any:
    return pair[0]


def costs(grammar: Mapping[str, Any]) -> Dict[str, List[float]]:
    """Returns the depth of the flattest tree of each expansion."""
    heights = {symbol: float("inf") for symbol in grammar}

    def cost(rule: Any) -> float:
        below = (heights.get(part, 0.0) for part in symbols_of(rule))
        return 1 + max(below, default=0.0)

    changed = True
    while changed:
        new = {symbol: min(map(cost, rules), default=0.0) for symbol, rules in grammar.items()}
        changed = new != heights
        heights.update(new)
    return {symbol: [cost(rule) for rule in rules] for symbol, rules in grammar.items()}
