"""Reduction of texts and bytes."""

from typing import Any, Callable, Optional, TypeVar, Union

from . import _nubbin
from ._grammar import GrammarLike
from ._result import Progress, Result, conclude
from ._settings import Command, given, settings, subject

D = TypeVar("D", str, bytes)


def reduce(
    data: D,
    fails: Union[Callable[[D], object], Command],
    *,
    algorithm: str = "auto",
    atom: str = "line",
    language: Optional[str] = None,
    grammar: Optional[GrammarLike] = None,
    must_parse: bool = False,
    filename: str = "input",
    jobs: int = 1,
    seed: int = 0,
    max_tests: Optional[int] = None,
    max_time: Optional[float] = None,
    on_progress: Optional[Callable[[Progress], object]] = None,
    log: bool = False,
) -> Result[D]:
    """Returns a small input that still fails.

    `fails` is a function that returns whether an input still fails, as a Boolean, a `Verdict`, or
    an object that is converted to a Boolean. It receives inputs of the type of `data`. A `str` is
    reduced in UTF-8; candidates that are not valid UTF-8 are unresolved, and `fails` is not called.

    `fails` may also be a command, as on the command line: `["gcc", "-c", "{}"]` runs in a private
    folder for each candidate, and `{}` stands for the path of the candidate. Exit code 0 means that
    the candidate still fails.

    >>> import nubbin
    >>> nubbin.reduce(b"a\\nneedle\\nb\\n", lambda data: b"needle" in data).data
    b'needle'
    >>> nubbin.reduce("a\\nneedle\\nb\\n", ["grep", "-q", "needle", "{}"]).data
    'needle'

    `algorithm` is `"auto"`, the default plan of the command line, or the name and options of a
    published algorithm (see `algorithms`). `atom` is the unit of a list minimizer: `"line"`,
    `"token"`, `"char"`, or `"byte"`. Tree reducers need the `language` or the `grammar` of the
    input:

    >>> sums = {"<start>": ["<e>"], "<e>": ["(<e>)", "<e>+<e>", "0", "1"]}
    >>> nubbin.reduce("(1+(0+(1)))+0", lambda t: "(" in t, algorithm="hdd", grammar=sums).data
    '(0)+0'

    `language` names the language of the input; by default it is detected from `filename` and the
    content, and `"none"` uses no language. If the input does not fit the grammar, the default plan
    warns and continues without a tree. `must_parse=True` tests only candidates that parse as well
    as the original. A command also finds the candidate under the name `filename`.

    By default, tests run on the thread of the caller. With several `jobs`, tests run on as many
    other threads at the same time. This is faster for commands, and for functions that wait or
    release the interpreter's lock. The result and the number of tests do not depend on `jobs`.

    The run ends early after `max_tests` tests or `max_time` seconds, with the best so far. nubbin
    calls `on_progress` with a `Progress` at every success, and at most ten times a second between
    successes. `log=True` keeps all tests in `Result.log`.

    Raises `NotFailingError` if the original does not fail, `GrammarError` for a grammar that cannot
    be used, `CommandError` for a command that cannot be run, and `ValueError` for other wrong
    arguments. An exception of `fails` or `on_progress`, or a `KeyboardInterrupt`, stops the run and
    is raised unchanged. `best_so_far` returns the result of such a run.
    """
    given_test = given(fails)
    return conclude(
        _nubbin.reduce(
            subject(data, language, grammar, filename),
            given_test,
            algorithm,
            atom,
            must_parse,
            settings(jobs, seed, max_tests, max_time, on_progress, log),
        )
    )
