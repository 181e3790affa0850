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
    """The result of a reduction of choices."""

    choices: Sequence[Any] = ()
    """The choices that create `data`; `size` and `original_size` are the numbers of choices."""


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
    """Returns a small failing value that a generator can create.

    `generate` is a function that creates a value from choices, which it draws from its argument, a
    `Choices`. The same choices must create the same value. nubbin reduces the choices, not the
    value, so every result is a value that the generator can create:

    >>> import nubbin
    >>> def sorted_list(choices):
    ...     return sorted(choices.list(lambda choices: choices.integer(0, 999)))
    >>> nubbin.reduce_choices(sorted_list, lambda numbers: sum(numbers) > 1000).data
    [2, 999]

    nubbin finds the first failing value with up to `examples` seeds, beginning with `seed`.
    Instead, `choices` can give the choices of a known failing value, from `ChoiceResult.choices`.

    `algorithm` selects another algorithm: `"choice-ddmin"` deletes choices by delta debugging, as
    in R. Gopinath's article on the reduction of generators, `"choice-ddmin-nop"` replaces choices
    with the simplest choice, and `"choice-ddmin-aligned"` keeps each choice at its request:

    >>> def word(choices):
    ...     return "".join(choices.choose("abc") for _ in range(choices.integer(0, 9)))
    >>> found = nubbin.reduce_choices(word, lambda text: "c" in text, algorithm="choice-ddmin")
    >>> "c" in found.data
    True

    Prefer `reduce` for a value that no generator created, or if the result need not be a value of
    the generator. `fails` and the other arguments are the same as for `reduce`. A command receives
    a `str` or `bytes` as a file, and the `repr` of other values. Values with the same text or
    `repr` are tested once. Raises `NotFailingError` if no value fails.

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
