"""Isolation of a difference."""

from dataclasses import dataclass, field
from typing import Callable, Generic, List, Optional, Sequence, TypeVar, Union

from . import _nubbin
from ._result import raise_with
from ._settings import Command, decoded, encoded, given, settings, subject

D = TypeVar("D", str, bytes)


@dataclass(frozen=True)
class Change(Generic[D]):
    """A change of the passing input."""

    start: int
    """The offset in the passing input, in bytes."""
    old: D
    new: D


@dataclass(frozen=True)
class Isolation(Generic[D]):
    """An input that passes and one that fails, with a small difference."""

    passing: D
    failing: D
    changes: List["Change[D]"]
    """The difference, as changes of `passing`. Unless the run ended early, the failure needs all
    changes, or the test is unresolved for fewer changes."""
    atom: str
    """The unit of the changes."""
    ended: str
    verified: Optional[bool]
    tests: int
    failing_tests: int = field(repr=False)
    passing_tests: int = field(repr=False)
    unresolved: int = field(repr=False)
    seconds: float = field(repr=False)


def isolate(
    passing: D,
    failing: D,
    fails: Union[Callable[[D], object], Command],
    *,
    algorithm: str = "dd:eager",
    atoms: Optional[Sequence[str]] = None,
    filename: str = "input",
    jobs: int = 1,
    max_tests: Optional[int] = None,
    max_time: Optional[float] = None,
) -> "Isolation[D]":
    """Returns the smallest difference between an input that passes and one that fails.

    Prefer `isolate` to `reduce` if a similar input passes: the difference is smaller than an input,
    and closer to the cause. `fails` may return `Verdict.UNRESOLVED` for meaningless inputs. The
    other arguments are the same as for `reduce`.

    >>> import nubbin
    >>> found = nubbin.isolate("a = 1\\nb = 2\\n", "a = 1\\nb = [2\\n", lambda text: "[" in text)
    >>> [(change.old, change.new) for change in found.changes]
    [('', '[')]

    `algorithm` is `"dd"` (of the paper), `"dd:book"` (of the Debugging Book), or `"dd:eager"`,
    which needs the fewest tests. `atoms` are the units that are compared, one kind after the other;
    by default `["line", "token", "char"]`, or `["line", "byte"]` for other data than text.

    Source: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (2002).
    """
    passing_bytes, is_text = encoded(passing)
    given_test = given(fails)
    facts, error = _nubbin.isolate(
        passing_bytes,
        subject(failing, None, None, filename),
        given_test,
        algorithm,
        None if atoms is None else list(atoms),
        settings(jobs, 0, max_tests, max_time),
    )
    facts["changes"] = [
        Change(start, decoded(old, is_text), decoded(new, is_text))
        for start, old, new in facts["changes"]
    ]
    result: Isolation[D] = Isolation(**facts)
    raise_with(error, result)
    return result
