"""The verdict of a test, and a test for an exception."""

import enum
import re
from types import TracebackType
from typing import Any, Callable, Optional, Tuple, Type, Union


class Verdict(str, enum.Enum):
    """A verdict, which a test may return instead of a Boolean."""

    FAIL = "fail"
    """The failure is present (the same as `True`)."""
    PASS = "pass"
    """The failure is absent (the same as `False`)."""
    UNRESOLVED = "unresolved"
    """The test cannot decide. `reduce` treats this verdict as `PASS`, `isolate` does not."""


def raises(
    function: Callable[[Any], object],
    exception: Optional[Union[Type[BaseException], Tuple[Type[BaseException], ...]]] = None,
    match: Optional[str] = None,
) -> Callable[[Any], bool]:
    """Returns a test that fails for the inputs for which `function` raises.

    `exception` is the type of the exception, or a tuple of types. By default, the first input that
    raises an exception decides: later inputs must raise an exception of the same type, at the same
    line. `match` is a regular expression that the message must contain. Other exceptions count as a
    pass; `KeyboardInterrupt` and `SystemExit` are raised unless `exception` names them.

    >>> import nubbin
    >>> nubbin.reduce("[1, 2, oops]", nubbin.raises(int)).data
    ''
    >>> import json
    >>> nubbin.reduce('{"a": [1, 2, oops]}', nubbin.raises(json.loads, match="Expecting value")).data
    ''
    """
    pattern = None if match is None else re.compile(match)
    first: Optional[Tuple[type, Tuple[str, int]]] = None

    def fails(data: Any) -> bool:
        nonlocal first
        try:
            function(data)
        except BaseException as error:
            if exception is not None:
                if not isinstance(error, exception):
                    if isinstance(error, (KeyboardInterrupt, SystemExit)):
                        raise
                    return False
            elif not isinstance(error, Exception):
                raise
            if pattern is not None and not pattern.search(str(error)):
                return False
            if exception is not None:
                return True
            signature = (type(error), place(error.__traceback__))
            if first is None:
                first = signature
            return signature == first
        return False

    return fails


def place(traceback: Optional[TracebackType]) -> Tuple[str, int]:
    """Returns the file and the line where an exception was raised."""
    found = ("", 0)
    while traceback is not None:
        found = (traceback.tb_frame.f_code.co_filename, traceback.tb_lineno)
        traceback = traceback.tb_next
    return found
