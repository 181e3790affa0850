"""Reduction of the choices of a generator."""

from dataclasses import dataclass
from typing import Any, Callable, Generic, List, Optional, Sequence, TypeVar, Union

from . import _nubbin
from ._nubbin import Choices
from ._result import Progress, Result, Test, raise_with
from ._settings import Command, given, settings

T = TypeVar("T")

__all__ = ["ChoiceResult", "Choices", "reduce_choices"]


@dataclass(frozen=True)
class ChoiceResult(Result[T], Generic[T]):
    """What a reduction of choices has found."""

    choices: Sequence[Any] = ()
    """The choices that make `data`; `size` and `original_size` are their numbers."""


def reduce_choices(
    generate: Callable[[Choices], T],
    fails: Union[Callable[[T], object], Command],
    *,
    choices: Optional[Sequence[Any]] = None,
    examples: int = 10_000,
    algorithm: str = "choices",
    jobs: int = 1,
    seed: int = 0,
    max_tests: Optional[int] = None,
    max_time: Optional[float] = None,
    on_progress: Optional[Callable[[Progress], object]] = None,
    log: bool = False,
) -> ChoiceResult[T]:
    """Returns a small value that a generator can make and that fails.

    `generate` is any function that makes a value by the choices it draws from its argument, a
    `Choices`. The same choices must make the same value. nubbin reduces the choices, not the value,
    so every result is a value that the generator can make, whatever it is:

    >>> import nubbin
    >>> def sorted_list(choices):
    ...     return sorted(choices.list(lambda choices: choices.integer(0, 999)))
    >>> nubbin.reduce_choices(sorted_list, lambda numbers: sum(numbers) > 1000).data
    [2, 999]

    The first failing value is found with the seeds from `seed` on, `examples` of them. `choices`
    gives the choices of a known failing value instead, as `ChoiceResult.choices` returns them.

    `algorithm` is another one: `"choice-ddmin"` deletes choices by delta debugging, as R.
    Gopinath's article on the reduction of generators does, `"choice-ddmin-nop"` puts a choice of the simplest
    kind in their place, and `"choice-ddmin-aligned"` keeps each choice at its question:

    >>> def word(choices):
    ...     return "".join(choices.choose("abc") for _ in range(choices.integer(0, 9)))
    >>> found = nubbin.reduce_choices(word, lambda text: "c" in text, algorithm="choice-ddmin")
    >>> "c" in found.data
    True

    Prefer `reduce` for a value that was found in another way, and where a result need not be one of
    the generator. `fails` and the other arguments are those of `reduce`; a command receives a
    `str` or `bytes` as a file, and other values by their `repr`. Values with the same text or
    `repr` are tested once. `NotFailingError` says that no value fails.

    Source: MacIver and Donaldson, "Test-Case Reduction via Test-Case Generation" (2020).
    """
    first = examples if choices is None else list(choices)
    given_test = given(fails)
    facts, error = _nubbin.reduce_choices(
        generate,
        given_test,
        first,
        algorithm,
        settings(jobs, seed, max_tests, max_time, on_progress, log),
    )
    if facts["log"] is not None:
        facts["log"] = [Test(*entry) for entry in facts["log"]]
    facts["size"] = len(facts["choices"])
    result: ChoiceResult[T] = ChoiceResult(**facts)
    raise_with(error, result)
    return result
