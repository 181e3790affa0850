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

    `fails` is a function that returns whether an input still fails: a Boolean, any other object for
    its truth, or a `Verdict`. It receives inputs of the type of `data`. A `str` is reduced in
    UTF-8; candidates that are no UTF-8 count as unresolved, without a call.

    `fails` may also be a command, as on the command line: `["gcc", "-c", "{}"]` is run in a folder
    of its own for each candidate, with the path of the candidate in place of `{}`, and exit code 0
    means that the candidate still fails.

    >>> import nubbin
    >>> nubbin.reduce(b"a\\nneedle\\nb\\n", lambda data: b"needle" in data).data
    b'needle'
    >>> nubbin.reduce("a\\nneedle\\nb\\n", ["grep", "-q", "needle", "{}"]).data
    'needle'

    `algorithm` is `"auto"`, the default plan of the command line, or a published algorithm by its
    name and options (see `algorithms`). `atom` is the unit of a list minimizer: `"line"`,
    `"token"`, `"char"`, or `"byte"`. Tree reducers need the `language` or the `grammar` of the
    input:

    >>> sums = {"<start>": ["<e>"], "<e>": ["(<e>)", "<e>+<e>", "0", "1"]}
    >>> nubbin.reduce("(1+(0+(1)))+0", lambda t: "(" in t, algorithm="hdd", grammar=sums).data
    '(0)+0'

    `language` names the language of the input; by default it is detected from `filename` and the
    content, and `"none"` uses no language. The default plan continues without a tree, and warns, if
    the input does not fit the grammar. `must_parse=True` tests only candidates that parse as well as
    the original. `filename` is also the name of the file for a command.

    Tests run on the thread of the caller. With more `jobs`, they run on that many other threads at
    the same time, which pays for commands and for functions that wait or release the interpreter's
    lock. The result and the number of tests do not depend on `jobs`.

    The run ends early after `max_tests` tests or `max_time` seconds, with the best so far.
    `on_progress` is called with a `Progress` at every success, and at most ten times a second in
    between. `log=True` keeps all tests in `Result.log`.

    Raises `NotFailingError` if the original does not fail, `GrammarError` for a grammar that cannot
    be used, `CommandError` for a command that cannot be run, and `ValueError` for other wrong
    arguments. An exception of `fails` or `on_progress` ends the run and is raised unchanged, and so
    is `KeyboardInterrupt`; `best_so_far` returns what the run had found until then.
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
