"""A decorator for functions that fail on an argument."""

import functools
import inspect
import tempfile
from pathlib import Path
from typing import Any, Callable, Optional, Tuple, TypeVar, cast

from ._items import reduce_list
from ._nubbin import NotFailingError
from ._reduce import reduce
from ._result import Result, best_so_far
from ._test import raises

F = TypeVar("F", bound=Callable[..., Any])

NOTE = "nubbin"


def minimize(*, arg: str, write: bool = True, **options: Any) -> Callable[[F], F]:
    """Reduces an argument of a function whenever the function raises.

    The argument `arg` is a `str` or `bytes`, a list or tuple, or a `pathlib.Path` of a file. When
    the function raises an `Exception`, nubbin calls it again with smaller values, to find the
    smallest value for which it raises an exception of the same type at the same line. nubbin raises
    the exception for this value. The exception has the value in its attribute `nubbin_result`, and
    in its notes (Python 3.11). For a path, nubbin reduces the content of the file, and writes the
    result next to the file (`bug.min.json` for `bug.json`), unless `write` is false. `options` are
    the arguments of `reduce`, or of `reduce_list` for a list.

    >>> import nubbin
    >>> @nubbin.minimize(arg="text")
    ... def count(text):
    ...     assert "(" not in text
    >>> try:
    ...     count("print(1)")
    ... except AssertionError as error:
    ...     nubbin.best_so_far(error).data
    '('
    """

    def decorate(function: F) -> F:
        signature = inspect.signature(function)
        if arg not in signature.parameters:
            raise TypeError(f"{function.__name__}() has no argument `{arg}`")

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except Exception as error:
                bound = signature.bind(*args, **kwargs)
                if arg not in bound.arguments:
                    raise  # the default value is not the caller's

                def call(value: Any) -> None:
                    bound.arguments[arg] = value
                    function(*bound.args, **bound.kwargs)

                smaller = minimized(call, bound.arguments[arg], error, write, options)
                if smaller is error:
                    raise
                raise smaller from None

        return cast(F, wrapper)

    return decorate


def minimized(
    call: Callable[[Any], object], value: Any, error: Exception, write: bool, options: Any
) -> Exception:
    """Returns the exception for the smallest value that raises like `error`."""
    if isinstance(value, Path) and value.is_file():
        with tempfile.TemporaryDirectory(prefix="nubbin-") as folder:
            candidate = Path(folder) / value.name

            def call_on(content: bytes) -> None:
                candidate.write_bytes(content)
                call(candidate)

            options = {"filename": value.name, **options}
            content = value.read_bytes()
            smaller, result = searched(reduce, call_on, content, error, options)
        if result is not None and write:
            target = value.with_name(f"{value.stem}.min{value.suffix}")
            target.write_bytes(result.data)
            note(smaller, f"{result}: {target}")
        return smaller
    if isinstance(value, (str, bytes)):
        smaller, result = searched(reduce, call, value, error, options)
    elif isinstance(value, (list, tuple)):
        smaller, result = searched(reduce_list, call, value, error, options)
    else:
        note(error, f"a {type(value).__name__} is not reduced")
        return error
    if result is not None:
        note(smaller, f"{result}: {result.data!r}")
    return smaller


def searched(
    search: Callable[..., Result[Any]],
    call: Callable[[Any], object],
    value: Any,
    error: Exception,
    options: Any,
) -> Tuple[Exception, Optional[Result[Any]]]:
    """Returns the exception for the smallest value, and the result."""
    try:
        # The first input that raises is the original, and later ones have to raise alike.
        result = search(value, raises(call), **options)
        call(result.data)
    except NotFailingError:
        note(error, "it did not fail once more, so it was not reduced")
        return error, None
    except Exception as smaller:
        if best_so_far(smaller) is None:
            try:
                smaller.nubbin_result = result  # type: ignore[attr-defined]
            except AttributeError:
                pass  # a class with slots
        return smaller, result
    note(error, "the result did not fail once more: the function is flaky")
    return error, None


def note(error: BaseException, text: str) -> None:
    """Adds a note to an exception, if this version of Python supports notes."""
    add: Optional[Callable[[str], None]] = getattr(error, "add_note", None)
    if add is not None:
        add(f"{NOTE}: {text}")
