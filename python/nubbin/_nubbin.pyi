"""The extension module. The package has the public functions."""

import os
from typing import (
    Any,
    Callable,
    Dict,
    List,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
    final,
)

_T = TypeVar("_T")
_Ran = Tuple[Dict[str, Any], Optional[BaseException]]
_Test = Union[Callable[[Any], object], List[str]]

__all__ = [
    "__version__",
    "NotFailingError",
    "GrammarError",
    "CommandError",
    "Rejected",
    "Grammar",
    "Generator",
    "Choices",
    "algorithms",
    "languages",
    "reduce",
    "reduce_items",
    "reduce_choices",
    "isolate",
    "explain",
    "parse",
]

__version__: str

class NotFailingError(ValueError):
    """The original input does not fail, so there is nothing to reduce."""

class GrammarError(ValueError):
    """A grammar cannot be used, or a text does not fit it."""

class CommandError(RuntimeError):
    """A command cannot be run as a test."""

class Rejected(Exception):
    """A generator has rejected its choices: they make no value."""

@final
class Grammar:
    def __new__(
        cls,
        text: str,
        name: str,
        format: Optional[str] = None,
        start: Optional[str] = None,
        folder: Optional["os.PathLike[str]"] = None,
    ) -> "Grammar": ...
    @property
    def name(self) -> str: ...
    @property
    def start(self) -> str: ...
    @property
    def rules(self) -> List[str]: ...

@final
class Generator:
    def __new__(
        cls, grammar: Grammar, target: Union[Tuple[int, int], Tuple[str, int]]
    ) -> "Generator": ...
    def text(self, seed: int) -> bytes: ...
    def text_of(self, symbol: str, seed: int) -> bytes: ...

@final
class Choices:
    """The choices of one run of a generator; `reduce_choices` makes it."""

    def boolean(self, probability: float = 0.5) -> bool: ...
    def integer(
        self, min: Optional[int] = None, max: Optional[int] = None, toward: Optional[int] = None
    ) -> int: ...
    def float(self, min: float = ..., max: float = ...) -> float: ...
    def text(self, alphabet: Optional[str] = None, min: int = 0, max: int = 20) -> str: ...
    def bytes(self, min: int = 0, max: int = 20) -> bytes: ...
    def choose(self, options: Sequence[_T]) -> _T: ...
    def list(
        self, element: Callable[["Choices"], _T], min: int = 0, max: int = 20
    ) -> List[_T]: ...
    def filter(
        self, make: Callable[["Choices"], _T], keep: Callable[[_T], object]
    ) -> _T: ...
    def begin(self, label: str) -> None: ...
    def end(self) -> None: ...
    def discard(self) -> None: ...
    def reject(self) -> None: ...

def algorithms() -> List[Tuple[str, str, str, str, List[Tuple[str, str]]]]: ...
def languages() -> List[str]: ...
def reduce(
    subject: Dict[str, Any],
    fails: _Test,
    algorithm: str,
    atom: str,
    must_parse: bool,
    settings: Dict[str, Any],
) -> _Ran: ...
def reduce_items(
    sequence: Dict[str, Any],
    fails: _Test,
    algorithm: str,
    settings: Dict[str, Any],
) -> _Ran: ...
def reduce_choices(
    generate: Callable[[Choices], Any],
    fails: _Test,
    first: Union[int, List[Any]],
    algorithm: str,
    settings: Dict[str, Any],
) -> _Ran: ...
def isolate(
    passing: bytes,
    failing: Dict[str, Any],
    fails: _Test,
    algorithm: str,
    atoms: Optional[List[str]],
    settings: Dict[str, Any],
) -> _Ran: ...
def explain(
    given: Dict[str, Any], fails: _Test, samples: int, settings: Dict[str, Any]
) -> _Ran: ...
def parse(
    text: bytes, grammar: Optional[Grammar], language: Optional[str], name: str
) -> List[Tuple[str, str, int, int, Optional[int]]]: ...
