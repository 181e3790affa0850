"""The result of a reduction."""

from dataclasses import dataclass, field
from typing import Any, Dict, Generic, List, Optional, Tuple, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Test(Generic[T]):
    """One test in the log of a run."""

    __test__ = False  # pytest would collect the class

    data: Optional[T]
    """The candidate; `None` for a candidate without a value, such as bytes that are not a text."""
    verdict: str
    """`"fail"`, `"pass"`, `"unresolved"`, or `"timed out"`."""
    by: str
    """The pass that proposed the candidate; `"original"` for the first test."""


@dataclass(frozen=True)
class Progress:
    """The state of a run, for `on_progress`."""

    original_size: int
    size: int
    """The size of the best so far: bytes, or elements of a sequence."""
    tests: int
    seconds: float
    by: str
    """The current pass."""
    best: Any = None
    """The best so far, if it is new."""


@dataclass(frozen=True)
class Result(Generic[T]):
    """The result of a reduction.

    >>> import nubbin
    >>> result = nubbin.reduce("a\\nbug\\nc\\n", lambda text: "bug" in text)
    >>> result.data, result.ended, result.size, result.original_size
    ('bug', 'complete', 3, 8)
    """

    data: T
    """The smallest input found that fails."""
    ended: str
    """The reason why the run ended: `"complete"`, `"max-tests"`, or `"max-time"`; `"fault"` or
    `"stopped"` in the result of a run that an exception ended, see `best_so_far`."""
    verified: Optional[bool]
    """Whether the result failed in its repeated test; `None` without a repeated test. `False` means
    that the test is flaky."""
    algorithm: str
    tests: int
    """The number of tests, including the test of the original and the repeated test of the
    result."""
    failing: int
    unresolved: int
    cache_hits: int
    """The number of candidates whose verdict was known from an earlier test."""
    original_size: int
    size: int
    """The size of `data`: bytes, or elements of a sequence."""
    seconds: float
    passes: Dict[str, Tuple[int, int]] = field(repr=False)
    """The passes that ran, each with the numbers of its tests and of its adopted candidates."""
    log: Optional[List[Test[T]]] = field(repr=False, default=None)
    """All tests in order, with `log=True`, except the repeated test of the result."""

    def __str__(self) -> str:
        return (
            f"{self.original_size} -> {self.size} in {self.tests} tests"
            f" ({self.seconds:.3g} s, {self.ended})"
        )


def conclude(raw: Tuple[Dict[str, Any], Optional[BaseException]]) -> "Result[Any]":
    """Returns the result of a run, or raises the exception that ended it."""
    facts, error = raw
    log = facts["log"]
    if log is not None:
        facts["log"] = [Test(*entry) for entry in log]
    result: Result[Any] = Result(**facts)
    raise_with(error, result)
    return result


def raise_with(error: Optional[BaseException], result: object) -> None:
    """Raises an exception, with the best so far attached."""
    if error is None:
        return
    try:
        error.nubbin_result = result  # type: ignore[attr-defined]
    except AttributeError:
        pass  # a class with slots
    raise error


def best_so_far(error: BaseException) -> Any:
    """Returns the result of a run that an exception ended, or `None`.

    An exception of a test, or Ctrl-C, stops the run, and is raised unchanged. The attribute
    `nubbin_result` of the exception has the result of the run so far:

    >>> import nubbin
    >>> def fails(text):
    ...     if "<" not in text:
    ...         raise RuntimeError("out of order")
    ...     return True
    >>> try:
    ...     nubbin.reduce("aaaa<bbbb", fails)
    ... except RuntimeError as error:
    ...     nubbin.best_so_far(error).ended
    'fault'
    """
    return getattr(error, "nubbin_result", None)
