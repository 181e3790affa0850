"""Reduces a failing input to the smallest input that still fails.

A test returns whether an input still fails. nubbin finds a small input that still fails:

>>> import nubbin
>>> nubbin.reduce("[1, 22, [333]]", lambda text: "3" in text).data
'3'

========================  =====================================================================
`reduce`                  reduces a text or bytes
`reduce_list`, `ddmin`    remove elements of a sequence
`reduce_choices`          reduces the choices of a generator
`isolate`                 the smallest difference between an input that passes and one that fails
`explain`                 the parts of an input that other texts can replace
`parse`, `generate`       trees of a text, and texts from a grammar
`raises`                  a test of the exception that a function raises
`minimize`                a decorator for functions that fail on an argument
`algorithms`              all algorithms, with their sources and options
`languages`               the languages that have a parser
========================  =====================================================================

The modules `nubbin.fuzzingbook` and `nubbin.pytest_plugin` have the classes of the Fuzzing Book
and the plugin for pytest.
"""

from ._catalogue import Algorithm, algorithms, languages
from ._choices import Choices, ChoiceResult, reduce_choices
from ._decorator import minimize
from ._explain import Explanation, Part, Piece, explain
from ._generate import Generator, generate
from ._grammar import Grammar
from ._isolate import Change, Isolation, isolate
from ._items import ddmin, reduce_list
from ._nubbin import CommandError, GrammarError, NotFailingError, Rejected, __version__
from ._reduce import reduce
from ._result import Progress, Result, Test, best_so_far
from ._test import Verdict, raises
from ._tree import Node, parse

__all__ = [
    "Algorithm",
    "Change",
    "ChoiceResult",
    "Choices",
    "CommandError",
    "Explanation",
    "Generator",
    "Grammar",
    "GrammarError",
    "Isolation",
    "Node",
    "NotFailingError",
    "Part",
    "Piece",
    "Progress",
    "Rejected",
    "Result",
    "Test",
    "Verdict",
    "__version__",
    "algorithms",
    "best_so_far",
    "ddmin",
    "explain",
    "generate",
    "isolate",
    "languages",
    "minimize",
    "parse",
    "raises",
    "reduce",
    "reduce_choices",
    "reduce_list",
]
