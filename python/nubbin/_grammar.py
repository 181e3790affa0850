"""Grammars."""

import json
import os
from pathlib import Path
from typing import Any, List, Mapping, Optional, Union

from . import _nubbin

GrammarLike = Union["Grammar", Mapping[str, Any], str, "os.PathLike[str]"]


class Grammar:
    """A context-free grammar.

    `source` is a dictionary as in the Fuzzing Book, the text of a grammar, or the path of a file as
    a `pathlib.Path`. A text is in one of the notations of `nubbin grammar`: BNF, ISO EBNF, W3C
    EBNF, ANTLR 4, or the JSON of the Fuzzing Book. `format` names the notation if nubbin does not
    recognize it. `start` names the start symbol; by default it is `start`, or the first rule.

    Create a grammar only once if you use it several times, since its parser takes time to build.

    >>> import nubbin
    >>> sums = nubbin.Grammar({"<start>": ["<n>", "<n>+<start>"], "<n>": ["1", "2"]})
    >>> sums.start, sums.rules
    ('start', ['start', 'n'])
    >>> nubbin.Grammar("<s> ::= <s> '+' <s> | [0-9]").rules
    ['s']
    """

    def __init__(
        self,
        source: GrammarLike,
        *,
        format: Optional[str] = None,
        start: Optional[str] = None,
    ) -> None:
        folder = None
        name = "grammar"
        if isinstance(source, Grammar):
            if format is not None or start is not None:
                raise ValueError("the grammar is made already; make it with these options")
            self._grammar: _nubbin.Grammar = source._grammar
            return
        if isinstance(source, Mapping):
            text = json.dumps({symbol: plain(rules) for symbol, rules in source.items()})
            if format is None and any(isinstance(r, list) for rs in source.values() for r in rs):
                format = "fuzzing-book-lists"
            elif format is None:
                format = "fuzzing-book"
        elif isinstance(source, str):
            text = source
        else:
            path = Path(source)
            text = path.read_text(encoding="utf-8")
            folder, name = path.parent, path.stem
        self._grammar = _nubbin.Grammar(text, name, format, start, folder)

    @property
    def name(self) -> str:
        """The name of the file, or `"grammar"`."""
        return self._grammar.name

    @property
    def start(self) -> str:
        """The name of the start symbol."""
        return self._grammar.start

    @property
    def rules(self) -> List[str]:
        """The names of the rules, in the order of the grammar."""
        return self._grammar.rules

    def __repr__(self) -> str:
        return f"<Grammar {self.name}: {len(self.rules)} rules from {self.start}>"


def plain(rules: Any) -> List[Any]:
    """Returns the alternatives of a symbol without the options of the Fuzzing Book."""
    return [rule[0] if isinstance(rule, tuple) else rule for rule in rules]


def as_grammar(source: GrammarLike) -> Grammar:
    """Returns a grammar unchanged, or creates a grammar from another value."""
    return source if isinstance(source, Grammar) else Grammar(source)
