"""Reduction of sequences."""

from dataclasses import replace
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, TypeVar, overload

from . import _nubbin
from ._result import Progress, Result, conclude
from ._settings import encoded, given, settings

T = TypeVar("T")
S = TypeVar("S", str, bytes, Tuple[Any, ...])


@overload
def reduce_list(
    items: S,
    fails: Callable[[S], object],
    *,
    algorithm: str = ...,
    jobs: int = ...,
    seed: int = ...,
    max_tests: Optional[int] = ...,
    max_time: Optional[float] = ...,
    on_progress: Optional[Callable[[Progress], object]] = ...,
    log: bool = ...,
) -> Result[S]: ...


@overload
def reduce_list(
    items: Sequence[T],
    fails: Callable[[List[T]], object],
    *,
    algorithm: str = ...,
    jobs: int = ...,
    seed: int = ...,
    max_tests: Optional[int] = ...,
    max_time: Optional[float] = ...,
    on_progress: Optional[Callable[[Progress], object]] = ...,
    log: bool = ...,
) -> Result[List[T]]: ...


def reduce_list(
    items: Any,
    fails: Callable[[Any], object],
    *,
    algorithm: str = "sweep",
    jobs: int = 1,
    seed: int = 0,
    max_tests: Optional[int] = None,
    max_time: Optional[float] = None,
    on_progress: Optional[Callable[[Progress], object]] = None,
    log: bool = False,
) -> Result[Any]:
    """Returns a small part of a sequence that still fails, by removing elements.

    The elements may be any objects. The test receives a list, or a `str`, `bytes`, or tuple if
    `items` has this type. `algorithm` is a list minimizer with its options (see `algorithms`);
    the default needs the fewest tests on most inputs. The other arguments are the same as for
    `reduce`.

    >>> import nubbin
    >>> nubbin.reduce_list(range(100), lambda kept: {3, 70} <= set(kept)).data
    [3, 70]
    >>> nubbin.reduce_list("some (text) here", lambda text: "(" in text and ")" in text).data
    '()'
    """
    sequence: Dict[str, Any]
    if isinstance(items, bytes) or isinstance(items, str) and is_utf8(items):
        data, is_text = encoded(items)
        sequence = {"data": data, "is_text": is_text}
    else:
        makes = {str: "".join, tuple: tuple}
        make = next((makes[kind] for kind in makes if isinstance(items, kind)), None)
        sequence = {"items": list(items), "make": make}
    result = conclude(
        _nubbin.reduce_items(
            sequence,
            given(fails),
            algorithm,
            settings(jobs, seed, max_tests, max_time, on_progress, log),
        )
    )
    if isinstance(items, str):
        return replace(result, size=len(result.data), original_size=len(items))
    return result


def is_utf8(text: str) -> bool:
    """Returns whether a text has no lone surrogates, which UTF-8 cannot encode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@overload
def ddmin(items: S, fails: Callable[[S], object]) -> S: ...


@overload
def ddmin(items: Sequence[T], fails: Callable[[List[T]], object]) -> List[T]: ...


def ddmin(items: Any, fails: Callable[[Any], object]) -> Any:
    """Returns the part of a sequence that the minimizing delta debugging algorithm finds.

    This is the algorithm of Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing
    Input" (2002), with a cache of verdicts: no candidate is tested twice. `reduce_list` with
    `algorithm="ddmin"` also returns the counts and the log of the tests.

    >>> import nubbin
    >>> nubbin.ddmin([1, 2, 3, 4, 5, 6, 7, 8], lambda kept: 1 in kept and 7 in kept and 8 in kept)
    [1, 7, 8]
    """
    return reduce_list(items, fails, algorithm="ddmin").data
