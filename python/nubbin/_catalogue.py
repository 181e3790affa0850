"""The catalogue of algorithms and languages."""

from dataclasses import dataclass
from typing import Dict, List

from . import _nubbin


@dataclass(frozen=True)
class Algorithm:
    """An algorithm for the argument `algorithm` of `reduce` and `reduce_list`."""

    name: str
    kind: str
    """`"list"` for a list minimizer, `"tree"` for a tree reducer."""
    about: str
    """The description of the algorithm, in one line."""
    source: str
    """The source of the algorithm: authors, title, and year."""
    options: Dict[str, str]
    """The options of the algorithm, which follow its name (`"ddmin:backward"`), and their
    descriptions."""


def algorithms() -> List[Algorithm]:
    """Returns all algorithms, the list minimizers first.

    >>> import nubbin
    >>> [a.source for a in nubbin.algorithms() if a.name == "probdd"]
    ['Wang, Shen, Chen, Xiong, Zhang: Probabilistic Delta Debugging, ESEC/FSE 2021']
    """
    return [
        Algorithm(name, kind, about, source, dict(options))
        for name, kind, about, source, options in _nubbin.algorithms()
    ]


def languages() -> List[str]:
    """Returns the names of the languages that have a parser.

    >>> import nubbin
    >>> "python" in nubbin.languages()
    True
    """
    return _nubbin.languages()
