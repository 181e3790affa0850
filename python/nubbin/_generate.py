"""Generation of texts from grammars."""

from typing import Optional, Tuple, Union

from . import _nubbin
from ._grammar import GrammarLike, as_grammar


class Generator:
    """A generator of texts from a grammar.

    One of three arguments limits the expansion: `max_depth` (as for the `LimitFuzzer` of the
    Fuzzing Book), `size` in bytes, or `nonterminals` (as for the `GrammarFuzzer`). `nonterminals`
    is a pair: the numbers of open symbols at which the first and the second phase end.

    >>> import nubbin
    >>> sums = {"<start>": ["<n>", "<n>+<start>"], "<n>": ["1", "2"]}
    >>> generator = nubbin.Generator(sums, max_depth=5)
    >>> generator.text(7) == generator.text(7)
    True
    """

    def __init__(
        self,
        grammar: GrammarLike,
        *,
        max_depth: Optional[int] = None,
        size: Optional[int] = None,
        nonterminals: Optional[Tuple[int, int]] = None,
    ) -> None:
        given = [limit for limit in (max_depth, size, nonterminals) if limit is not None]
        if len(given) > 1:
            raise ValueError("`max_depth`, `size`, and `nonterminals` exclude each other")
        target: Union[Tuple[int, int], Tuple[str, int]]
        if nonterminals is not None:
            target = nonterminals
        elif size is not None:
            target = ("size", size)
        else:
            target = ("depth", 10 if max_depth is None else max_depth)
        self._generator = _nubbin.Generator(as_grammar(grammar)._grammar, target)

    def text(self, seed: int, symbol: Optional[str] = None) -> str:
        """Returns the text for a seed, from 0 to 2**64 - 1; the default symbol is the start
        symbol."""
        if symbol is None:
            text = self._generator.text(seed)
        else:
            text = self._generator.text_of(symbol, seed)
        return text.decode("utf-8", "surrogateescape")


def generate(
    grammar: GrammarLike,
    *,
    seed: int = 0,
    max_depth: Optional[int] = None,
    size: Optional[int] = None,
    nonterminals: Optional[Tuple[int, int]] = None,
) -> str:
    """Returns a text from a grammar.

    The limits are the same as for `Generator`, which is faster for many texts.

    >>> import nubbin
    >>> nubbin.generate({"<start>": ["a<start>", "b"]}, seed=3)[-1]
    'b'
    """
    generator = Generator(grammar, max_depth=max_depth, size=size, nonterminals=nonterminals)
    return generator.text(seed)
