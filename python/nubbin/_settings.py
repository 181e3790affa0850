"""The settings of a run, as the extension module takes them."""

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from ._grammar import GrammarLike, as_grammar
from ._result import Progress

Data = Union[str, bytes]
Command = Sequence[str]


def settings(
    jobs: int,
    seed: int,
    max_tests: Optional[int],
    max_time: Optional[float],
    on_progress: Optional[Callable[[Progress], object]] = None,
    log: bool = False,
) -> Dict[str, Any]:
    observer = None
    if on_progress is not None:
        tell = on_progress

        def observer(*facts: Any) -> None:
            tell(Progress(*facts))

    return {
        "jobs": jobs,
        "seed": seed,
        "max_tests": max_tests,
        "max_time": max_time,
        "on_progress": observer,
        "log": log,
    }


def encoded(data: Data) -> Tuple[bytes, bool]:
    """Returns the bytes of an input, and whether it is a text."""
    if isinstance(data, str):
        return data.encode("utf-8", "surrogatepass"), True
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(data), False
    raise TypeError(
        f"the input is str or bytes, not {type(data).__name__}; for a sequence, use reduce_list"
    )


def decoded(data: bytes, is_text: bool) -> Data:
    return data.decode("utf-8", "replace") if is_text else data


def subject(
    data: Data, language: Optional[str], grammar: Optional[GrammarLike], filename: str
) -> Dict[str, Any]:
    encoded_data, is_text = encoded(data)
    return {
        "data": encoded_data,
        "is_text": is_text,
        "name": filename,
        "language": language,
        "grammar": None if grammar is None else as_grammar(grammar)._grammar,
    }


def given(test: Any) -> Any:
    """Returns a test as a callable or as a list of strings."""
    if isinstance(test, str):
        raise TypeError("a command is a list of strings: ['sh', '-c', line] for a shell line")
    if callable(test):
        return test
    words: List[str] = [str(word) for word in test]
    return words
