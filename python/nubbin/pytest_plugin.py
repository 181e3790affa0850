"""A plugin for pytest: `pytest --nubbin` reduces the inputs of failing tests.

When a parametrized test fails, the plugin calls its function again with smaller values, and reports
the smallest value for which the function raises an exception of the same type at the same line. The
reduced values are parameters of `pytest.mark.parametrize`: a `str` or `bytes`, a list or tuple, or
a `pathlib.Path` of a file, whose content is reduced. Fixtures keep their values, so a test that
changes a fixture can behave differently when it is called again.

==========================  ===================================================================
`--nubbin`                  reduce the inputs of failing tests
`--nubbin-arg NAME`         reduce only the argument of this name
`--nubbin-seconds N`        stop each reduction after N seconds (60)
`nubbin_minimize = true`    in the configuration: the same as `--nubbin`
==========================  ===================================================================
"""

import contextlib
import io
from pathlib import Path
from typing import Any, Generator, List

import pytest

from ._decorator import minimized
from ._result import best_so_far

SECONDS = 60.0


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("nubbin", "reduction of the inputs of failing tests")
    group.addoption(
        "--nubbin", action="store_true", help="reduce the inputs of failing parametrized tests"
    )
    group.addoption("--nubbin-arg", metavar="NAME", help="reduce only the argument of this name")
    group.addoption(
        "--nubbin-seconds",
        metavar="N",
        type=float,
        default=SECONDS,
        help="stop each reduction after N seconds (default: %(default)s)",
    )
    parser.addini("nubbin_minimize", "as --nubbin", type="bool", default=False)


def is_on(config: pytest.Config) -> bool:
    return bool(config.getoption("--nubbin") or config.getini("nubbin_minimize"))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: "pytest.CallInfo[None]"
) -> Generator[None, Any, None]:
    outcome = yield
    if call.when != "call" or call.excinfo is None or not is_on(item.config):
        return
    report = outcome.get_result()
    error = call.excinfo.value
    if report.failed and isinstance(error, Exception) and isinstance(item, pytest.Function):
        for text in reductions(item, error):
            report.sections.append(("nubbin", text))


def reductions(item: pytest.Function, error: Exception) -> List[str]:
    """Reduces the arguments of a test one after the other, and returns the results."""
    spec = getattr(item, "callspec", None)
    only = item.config.getoption("--nubbin-arg")
    names = [name for name in (spec.params if spec is not None else {}) if only in (None, name)]
    values = {name: item.funcargs[name] for name in item._fixtureinfo.argnames}
    options = {"max_time": item.config.getoption("--nubbin-seconds")}
    texts = []
    for name in names:
        # An argument of a fixture has the value that the fixture made of it.
        if name not in values or not isinstance(values[name], (str, bytes, list, tuple, Path)):
            continue
        texts.append(reduction(item, name, values, error, options))
    return texts


def reduction(
    item: pytest.Function, name: str, values: Any, error: Exception, options: Any
) -> str:
    def call(value: Any) -> None:
        # The output of the candidates is not that of the test.
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            item.obj(**{**values, name: value})

    smaller = minimized(call, values[name], error, True, options)
    result = best_so_far(smaller)
    if result is None:
        return f"{name}: not reduced, since the test did not fail once more"
    text = f"{name}: {result}"
    if isinstance(values[name], Path):
        path = values[name]
        text += f"\nin {path.with_name(f'{path.stem}.min{path.suffix}')}"
    else:
        text += f"\n{result.data!r}"
        # The other arguments are reduced together with the small value of this one.
        values[name] = result.data
    return f"{text}\n{type(smaller).__name__}: {smaller}"
