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
algorithm of `nubbin.algorithms()` too, which most often takes fewer tests. A subclass that
overrides a step of `GrammarReducer` is asked at this step, as in the chapter.

* *Source:* A. Zeller, R. Gopinath, M. Böhme, G. Fraser, C. Holler, *The Fuzzing Book*; R. Gopinath's
  articles "The simplest grammar fuzzer in the world" and "Reducing the choices of a generator".
"""

import functools
import html
import itertools
import random
import re
import time
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

EXPR_GRAMMAR: Dict[str, List[Any]] = {
    "<start>": ["<expr>"],
    "<expr>": ["<term> + <expr>", "<term> - <expr>", "<term>"],
    "<term>": ["<factor> * <term>", "<factor> / <term>", "<factor>"],
    "<factor>": ["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"],
    "<integer>": ["<digit><integer>", "<digit>"],
    "<digit>": [str(digit) for digit in range(10)],
}
"""The arithmetic expressions of the Fuzzing Book."""


class Runner:
    """A program under test. A subclass overrides `run`."""

    PASS = "PASS"
    FAIL = "FAIL"
    UNRESOLVED = "UNRESOLVED"

    def run(self, inp: str) -> Any:
        """Runs the program, and returns the input and the outcome."""
        return (inp, Runner.UNRESOLVED)


class Fuzzer:
    """A generator of inputs. A subclass overrides `fuzz`."""

    def fuzz(self) -> str:
        """Returns an input."""
        return ""

    def run(self, runner: Any = None) -> Any:
        """Runs a program with an input."""
        return (Runner() if runner is None else runner).run(self.fuzz())

    def runs(self, runner: Any = None, trials: int = 10) -> List[Any]:
        """Runs a program with several inputs."""
        return [self.run(runner) for _ in range(trials)]


class RandomFuzzer(Fuzzer):
    """Generates strings of random characters, the same as in the book for a state of `random`.

    >>> from nubbin.fuzzingbook import RandomFuzzer
    >>> RandomFuzzer(3, 3, char_start=97, char_range=1).fuzz()
    'aaa'
    """

    def __init__(
        self,
        min_length: int = 10,
        max_length: int = 100,
        char_start: int = 32,
        char_range: int = 32,
    ) -> None:
        self.min_length = min_length
        self.max_length = max_length
        self.char_start = char_start
        self.char_range = char_range

    def fuzz(self) -> str:
        length = random.randrange(self.min_length, self.max_length + 1)
        first, end = self.char_start, self.char_start + self.char_range
        return "".join(chr(random.randrange(first, end)) for _ in range(length))


class Timer:
    """A timer for the statements of a `with` block."""

    def __enter__(self) -> "Timer":
        self.start_time = self.end_time = time.perf_counter()
        return self

    def __exit__(self, *_: Any) -> None:
        self.end_time = time.perf_counter()

    def elapsed_time(self) -> float:
        """Returns the time in seconds."""
        return self.end_time - self.start_time


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
        """Returns a smaller input. A subclass overrides `reduce`."""
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
    """nubbin's parser, for a grammar of the Fuzzing Book and with the interface of the book's
    parser."""

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


def tree_list_to_string(trees: List[Tree]) -> str:
    """Returns the texts of derivation trees in brackets."""
    return f"[{', '.join(map(all_terminals, trees))}]"


def expansion_to_children(expansion: Any) -> List[Tuple[str, Optional[List[Any]]]]:
    """Returns the nodes of an expansion; a symbol that is not expanded has `None` for children.

    >>> from nubbin.fuzzingbook import expansion_to_children
    >>> expansion_to_children("<term> + <expr>")
    [('<term>', None), (' + ', []), ('<expr>', None)]
    """
    return [(part, None if is_symbol(part) else []) for part in symbols_of(expansion)]


def possible_combinations(list_of_lists: List[List[Any]]) -> List[List[Any]]:
    """Returns all lists with one element of each list, or no list without lists."""
    return list(combinations(list_of_lists)) if list_of_lists else []


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


class TreePicture:
    """A derivation tree: a notebook shows it as a drawing, `print` as indented lines."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def __str__(self) -> str:
        lines = []
        todo = [(self.tree, 0)]
        while todo:
            (symbol, children), depth = todo.pop()
            lines.append("  " * depth + (symbol if children or is_symbol(symbol) else repr(symbol)))
            todo.extend((child, depth + 1) for child in reversed(children or []))
        return "\n".join(lines)

    def _repr_svg_(self) -> str:
        # A leaf is as wide as its text, a node stands above the middle of its children.
        nodes: List[Tuple[float, int, str]] = []
        edges: List[Tuple[float, int, float]] = []
        end = 0.0

        def place(tree: Tree, depth: int) -> float:
            nonlocal end
            symbol, children = tree
            begin = end
            middles = [place(child, depth + 1) for child in children or []]
            end = max(end, begin + 8.0 * len(symbol) + 16)
            middle = (middles[0] + middles[-1]) / 2 if middles else (begin + end) / 2
            nodes.append((middle, depth, symbol))
            edges.extend((middle, depth, below) for below in middles)
            return middle

        place(self.tree, 0)
        height = 40 * (max(depth for _, depth, _ in nodes) + 1)
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{end:.0f}" height="{height}" '
            'font-family="monospace" font-size="12" text-anchor="middle">'
        ]
        lines += [
            f'<path stroke="gray" d="M{x:.1f} {40 * depth + 26}L{below:.1f} {40 * depth + 52}"/>'
            for x, depth, below in edges
        ]
        lines += [
            f'<text x="{x:.1f}" y="{40 * depth + 20}">{html.escape(symbol)}</text>'
            for x, depth, symbol in nodes
        ]
        return "\n".join([*lines, "</svg>"])


def display_tree(tree: Tree, **_: Any) -> TreePicture:
    """Returns a picture of a derivation tree.

    >>> from nubbin.fuzzingbook import display_tree
    >>> print(display_tree(("<bit>", [("1", [])])))
    <bit>
      '1'
    """
    return TreePicture(tree)


class GrammarReducer(CachingReducer):
    """Replaces subtrees with smaller ones, as the program in the Fuzzing Book does (GRABR).

    `parser` is an `EarleyParser` of this module or of the book. The attribute
    `try_all_combinations` tries all combinations of subtrees for an expansion. `algorithm` is
    another tree reducer: `"perses"`, `"hdd"`, or `"grabr"`, which does not begin with the large
    subtrees.

    The search is nubbin's. A subclass that overrides one of the steps `parse`, `reduce_tree`,
    `reduce_subtree`, `symbol_reductions`, `alternate_reductions`, and `subtrees_with_symbol` gets
    the search of the chapter in Python, which calls it: each `reduce` parses an input, and reduces
    its tree in place. With `log_reduce`, that search prints its steps.

    >>> from nubbin.fuzzingbook import *
    >>> class Adds(Runner):
    ...     def run(self, inp):
    ...         return (inp, Runner.FAIL if "+" in inp else Runner.PASS)
    >>> class WithoutTwo(GrammarReducer):
    ...     def subtrees_with_symbol(self, *args, **options):
    ...         found = super().subtrees_with_symbol(*args, **options)
    ...         return [tree for tree in found if "2" not in all_terminals(tree)]
    >>> parser = EarleyParser(EXPR_GRAMMAR)
    >>> GrammarReducer(Adds(), parser).reduce("1 * 2 + 3")
    '2 + 3'
    >>> WithoutTwo(Adds(), parser).reduce("1 * 2 + 3")
    '1 + 3'
    """

    # A subclass need not call the constructor.
    algorithm = "grabr-depth"
    log_reduce = False
    try_all_combinations = False

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

    def parse(self, inp: str) -> Tree:
        """Returns the derivation tree of an input."""
        tree: Tree = self.parser.parse(inp)[0]
        if self.log_reduce:
            print(all_terminals(tree))
        return tree

    def reduce(self, inp: str) -> str:
        if not self._is_asked():
            return self._reduced(inp)
        tree = self.parse(inp)
        self.reduce_tree(tree)
        return all_terminals(tree)

    def _is_asked(self) -> bool:
        """Returns whether a subclass overrides a step of the search, or whether the search
        prints."""
        steps = (
            "parse",
            "reduce_tree",
            "reduce_subtree",
            "symbol_reductions",
            "alternate_reductions",
            "subtrees_with_symbol",
        )
        own = (getattr(GrammarReducer, step) for step in steps)
        now = (getattr(type(self), step) for step in steps)
        return self.log_reduce or any(a is not b for a, b in zip(own, now))

    def _reduced(self, inp: str) -> str:
        """Returns the result of nubbin's search, with the tests of this reducer."""
        if isinstance(self.parser, EarleyParser):
            grammar = self.parser._grammar
        else:
            grammar = Grammar(self.grammar, start=self.start_symbol)
        try:
            parse(inp, grammar=grammar)
        except GrammarError as error:
            raise SyntaxError(str(error)) from None
        algorithm = "grabr-all" if self.try_all_combinations else self.algorithm
        return reduce(inp, self.fails_like(inp), algorithm=algorithm, grammar=grammar).data

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
        """Returns all trees that may replace a tree with a symbol, without duplicates."""
        unique: List[Tree] = []
        for new in self.subtrees_with_symbol(
            tree, symbol, depth=depth
        ) + self.alternate_reductions(tree, symbol, depth=depth):
            if new not in unique:
                unique.append(new)
        return unique

    def reduce_subtree(self, tree: Tree, subtree: Tree, depth: int = -1) -> bool:
        """Reduces a subtree within a failing tree, and returns whether it became smaller.

        First its children are replaced until no replacement is left, then each of them is reduced.
        """
        children = subtree[1]
        if not children:
            return False
        self._say("Reducing", all_terminals(subtree), "with depth", depth)
        reduced = False
        # A list, since the book continues with the next child after a success.
        while any([self._replaced(tree, children, place, depth) for place in range(len(children))]):
            reduced = True
        self._say("Tried all alternatives for", all_terminals(subtree))
        below = [self.reduce_subtree(tree, child, depth) for child in children]
        return reduced or any(below)

    def _replaced(self, tree: Tree, children: List[Tree], place: int, depth: int) -> bool:
        """Replaces a child with a smaller one with which the tree fails, if there is one."""
        child = children[place]
        for new in self.symbol_reductions(child, child[0], depth):
            if number_of_nodes(new) >= number_of_nodes(child):
                continue
            self._say("Replacing", all_terminals(child), "by", all_terminals(new))
            children[place] = new
            if self.test(all_terminals(tree)) == Runner.FAIL:
                self._say("New tree:", all_terminals(tree))
                return True
            children[place] = child
        return False

    def _say(self, *words: Any) -> None:
        if self.log_reduce:
            print(*words)

    def reduce_tree(self, tree: Tree) -> Tree:
        """Reduces a derivation tree in place, beginning with subtrees near the root."""
        if self.algorithm == "grabr":
            self.reduce_subtree(tree, tree)
        elif self.algorithm.startswith("grabr-"):
            depth = 0
            while depth < max_height(tree):
                depth = 0 if self.reduce_subtree(tree, tree, depth) else depth + 1
        else:
            text = self._reduced(all_terminals(tree))
            tree[1][:] = self.parser.parse(text)[0][1]
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
    """Generates texts from a grammar, with the algorithm of the Fuzzing Book.

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
    """Generates texts from a grammar, and expands symbols freely down to a depth.

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

    def choice(self, options: Any, default: Any = None) -> Any:
        """Returns one of the options, or `default` if the choice is -1."""
        choice = self.i()
        if choice == -1 and default is not None:
            return default
        return options[choice % len(options)]


class ComplexFuzzer:
    """Generates random texts from a grammar with functions before and after symbols.

    An expansion is a list of symbols, each alone or in a pair with a dictionary: the function
    `"pre"` is called with the fuzzer, the symbol, and a function that expands it, and `"post"` with
    the fuzzer and the tree. So names can be defined before they are used, which no context-free
    grammar says. Below `max_depth` only the flattest expansions are left.

    >>> from nubbin.fuzzingbook import ComplexFuzzer
    >>> grammar = {"<start>": [[("<word>", {"pre": lambda fuzzer, token, expand: ("x", [])}), "!"]]}
    >>> ComplexFuzzer(grammar).fuzz()
    'x!'
    """

    default: Mapping[str, str] = {}
    """The text of each symbol for the choice -1."""

    def __init__(self, grammar: Mapping[str, Any]) -> None:
        self.grammar = grammar
        self.vars: List[Any] = []
        self._vars: List[Any] = []
        self._costs = costs(grammar)

    def tree_to_str(self, tree: Tree) -> str:
        """Returns the text of a tree."""
        return all_terminals(tree)

    def select(self, options: Any, default: Any = None) -> Any:
        """Returns one of the options."""
        return random.choice(options)

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
        if key not in self.default:
            return (key, self.gen_rule(self.select(rules), depth + 1, max_depth))
        default = self.default[key]
        rule = self.select(rules, default)
        if rule is default:
            return (default, [])
        return (key, self.gen_rule(rule, depth + 1, max_depth))

    def gen_rule(self, rule: Any, depth: int, max_depth: int) -> List[Any]:
        """Returns the trees of an expansion."""
        trees = []
        for part in rule:
            token, functions = part if isinstance(part, tuple) else (part, {})
            expand = functools.partial(self.gen_key, token, depth, max_depth)
            tree = functions["pre"](self, token, expand) if "pre" in functions else expand()
            trees.append(functions["post"](self, tree) if "post" in functions else tree)
        return trees


class ChoiceFuzzer(ComplexFuzzer):
    """A `ComplexFuzzer` whose texts follow a sequence of choices, a `ChoiceSeq`.

    `default` has a text for each symbol, which a choice of -1 stands for. `reduce` makes a text
    small by its choices:

    >>> from nubbin.fuzzingbook import ChoiceFuzzer, ChoiceSeq
    >>> grammar = {"<start>": [["<e>"]], "<e>": [["(", "<e>", ")"], ["<e>", "+", "<e>"], ["0"]]}
    >>> ChoiceFuzzer(grammar).reduce(lambda text: "((" in text).data
    '((0))'
    >>> ChoiceFuzzer(grammar, ChoiceSeq([0, 0, -1]), default={"<e>": "1"}).fuzz()
    '(1)'
    """

    def __init__(
        self,
        grammar: Mapping[str, Any],
        choices: Optional[ChoiceSeq] = None,
        default: Optional[Mapping[str, str]] = None,
    ) -> None:
        super().__init__(grammar)
        self.choices: Any = ChoiceSeq() if choices is None else choices
        if default is not None:
            self.default = default

    def select(self, options: Any, default: Any = None) -> Any:
        """Returns one of the options, by the next choice."""
        if default is None:
            return self.choices.choice(options)
        return self.choices.choice(options, default)

    def gen_key(self, key: str, depth: int, max_depth: int) -> Tree:
        """Returns the tree of a symbol."""
        # A reducer can remove the choices of one symbol, or put those of another in their place.
        spans = self.choices if isinstance(self.choices, SpanChoices) else None
        if spans is None or key not in self.grammar:
            return super().gen_key(key, depth, max_depth)
        spans.begin(key)
        tree = super().gen_key(key, depth, max_depth)
        spans.end()
        return tree

    def reduce(
        self,
        fails: Callable[[str], object],
        key: str = START_SYMBOL,
        max_depth: int = 10,
        **options: Any,
    ) -> ChoiceResult[str]:
        """Returns a small text of the grammar that fails, with `nubbin.reduce_choices`."""

        def generate(choices: Choices) -> str:
            fuzzer = type(self)(self.sorted, SpanChoices(choices))
            fuzzer.default = self.default
            return fuzzer.fuzz(key, max_depth)

        # The first alternative is the simplest choice: that which ends soonest.
        ordered = {
            symbol: [rule for _, rule in sorted(zip(self._costs[symbol], rules), key=first)]
            for symbol, rules in self.grammar.items()
        }
        self.sorted = ordered
        return reduce_choices(generate, fails, **options)


def ddmin(
    choices: List[Any],
    causal: Callable[[List[Any]], object],
    default: Any = None,
) -> List[Any]:
    """Deletes choices by delta debugging, as in the article. `causal` returns whether choices fail.

    With `default`, such as -1, that choice takes the place of the deleted part and of the choice
    before it (after it, at the beginning). There a candidate has to be shorter: the printed program
    repeats an edit forever that puts the default in the place of itself.

    >>> from nubbin.fuzzingbook import ddmin
    >>> ddmin([3, 1, 4, 1, 5, 9], lambda choices: 4 in choices and 9 in choices)
    [4, 9]
    >>> ddmin([3, 1, 4, 1, 5, 9], lambda choices: 4 in choices and 9 in choices, default=-1)
    [-1, 4, -1, 9]
    """
    choices = list(choices)
    part = len(choices) // 2
    while part >= 1:
        start = 0
        while start < len(choices):
            before, after = start, start + part
            filling = []
            if default is not None:
                filling = [default]
                before, after = (start - 1, after) if start > 0 else (0, after + 1)
            shorter = choices[:before] + filling + choices[after:]
            if len(shorter) < len(choices) and causal(shorter):
                choices = shorter
            else:
                start += part
        part //= 2
    return choices


class SpanChoices(ChoiceSeq):
    """The choices of nubbin as a `ChoiceSeq`. A default is the simplest choice."""

    def __init__(self, choices: Choices) -> None:
        super().__init__()
        self._choices = choices
        self.begin = choices.begin
        self.end = choices.end

    def choice(self, options: Any, default: Any = None) -> Any:
        return self._choices.choose(options if default is None else [default, *options])


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
