"""Explanation of a failing input."""

from dataclasses import dataclass, field
from typing import Callable, Generic, List, Optional, Tuple, TypeVar, Union

from . import _nubbin
from ._grammar import GrammarLike
from ._result import raise_with
from ._settings import Command, decoded, encoded, given, settings, subject

D = TypeVar("D", str, bytes)


@dataclass(frozen=True)
class Piece(Generic[D]):
    """A piece of a pattern."""

    text: D
    """The text of the piece in the input."""
    label: Optional[str]
    """The kind of a replaceable piece, such as `<int>`; `None` for a piece that matters."""


@dataclass(frozen=True)
class Part(Generic[D]):
    """A part that any other text of its kind can replace."""

    kind: str
    places: List[Tuple[int, int]]
    """The spans of the part, in bytes."""
    texts: List[D]
    """The replacements of the part, all of which failed."""


@dataclass(frozen=True)
class Explanation(Generic[D]):
    """The parts of an input that matter, and the parts that are replaceable."""

    pieces: List["Piece[D]"]
    parts: List["Part[D]"] = field(repr=False)
    examples: List[D] = field(repr=False)
    """Other inputs that fit the pattern, all of which fail."""
    ended: str
    tests: int
    seconds: float = field(repr=False)

    @property
    def pattern(self) -> str:
        """The input, with a label in place of each replaceable piece."""
        return "".join(piece.label or _shown(piece.text) for piece in self.pieces)

    def __str__(self) -> str:
        return self.pattern


def _shown(text: Union[str, bytes]) -> str:
    return text if isinstance(text, str) else text.decode("utf-8", "backslashreplace")


def explain(
    data: D,
    fails: Union[Callable[[D], object], Command],
    *,
    language: Optional[str] = None,
    grammar: Optional[GrammarLike] = None,
    filename: str = "input",
    samples: int = 10,
    jobs: int = 1,
    seed: int = 0,
    max_tests: Optional[int] = None,
    max_time: Optional[float] = None,
) -> "Explanation[D]":
    """Separates the replaceable parts of a failing input from the parts that matter.

    Use it on a small input. A part is a node of the tree of a `grammar` or `language`, or a word,
    number, or string of a text without a tree. nubbin replaces each part with `samples` other texts
    of its kind. If all of them fail, the part is replaceable. The other arguments are the same as
    for `reduce`.

    >>> import nubbin
    >>> found = nubbin.explain("x = 17 / 0", lambda text: "/ 0" in text, language="none")
    >>> found.pattern
    '<name> = <int> / 0'
    """
    _, is_text = encoded(data)
    given_test = given(fails)
    facts, error = _nubbin.explain(
        subject(data, language, grammar, filename),
        given_test,
        samples,
        settings(jobs, seed, max_tests, max_time),
    )
    facts["pieces"] = [Piece(decoded(text, is_text), label) for label, text in facts["pieces"]]
    facts["parts"] = [
        Part(kind, places, [decoded(text, is_text) for text in texts])
        for kind, places, texts in facts["parts"]
    ]
    result: Explanation[D] = Explanation(**facts)
    raise_with(error, result)
    return result
