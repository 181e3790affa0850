"""Exceptions of tests, and Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import nubbin

TEXT = "".join(f"line {number}\n" for number in range(200))


class Broken(Exception):
    pass


def breaks_after(number, error):
    seen = []

    def fails(text):
        seen.append(text)
        if len(seen) > number:
            raise error
        return "line 7" in text

    return fails, seen


@pytest.mark.parametrize("jobs", [1, 3])
def test_an_exception_of_the_test_is_raised_unchanged(jobs):
    error = Broken("here")
    fails, seen = breaks_after(8, error)
    with pytest.raises(Broken) as raised:
        nubbin.reduce(TEXT, fails, jobs=jobs)
    assert raised.value is error
    assert any(entry.name == "fails" for entry in raised.traceback)
    best = nubbin.best_so_far(error)
    assert best.ended in ("fault", "stopped") and "line 7" in best.data
    # With several jobs the exception may be that of a test that runs ahead, before any success.
    assert len(best.data) < len(TEXT) or jobs > 1


def test_after_an_exception_nothing_is_tested():
    fails, seen = breaks_after(5, Broken())
    with pytest.raises(Broken):
        nubbin.reduce(TEXT, fails)
    assert len(seen) == 6


def test_an_exception_on_the_original_has_no_best_so_far():
    error = Broken()
    fails, _ = breaks_after(0, error)
    for run in [nubbin.reduce, nubbin.reduce_list]:
        with pytest.raises(Broken):
            run(TEXT, fails)
    assert nubbin.best_so_far(error) is None


def test_an_exception_of_an_observer_ends_the_run():
    def tell(progress):
        if progress.size < len(TEXT):
            raise Broken(progress.size)

    with pytest.raises(Broken) as raised:
        nubbin.reduce(TEXT, lambda text: "line 7" in text, on_progress=tell)
    assert nubbin.best_so_far(raised.value).ended == "stopped"


def test_exceptions_of_other_runs_are_raised_too():
    def broken(*_):
        raise Broken

    with pytest.raises(Broken):
        nubbin.isolate("a", "b", broken)
    with pytest.raises(Broken):
        nubbin.explain("a 1", broken, language="none")
    with pytest.raises(Broken):
        nubbin.reduce_choices(broken, lambda value: True)
    with pytest.raises(Broken):
        nubbin.reduce_choices(lambda choices: choices.integer(0, 9), broken)


def test_an_exception_with_slots_is_raised_without_a_result():
    class Slots(BaseException):
        __slots__ = ()

        def __setattr__(self, *_):
            raise AttributeError

    with pytest.raises(Slots):
        nubbin.reduce(TEXT, breaks_after(5, Slots())[0])


@pytest.fixture
def has_ctrl_c():
    """Python ignores Ctrl-C if the program that starts it does, as a shell in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt_after(seconds):
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_ctrl_c_ends_a_test_at_once(has_ctrl_c):
    def fails(text):
        if text != TEXT:
            # Longer than any run of this test: only the signal ends it.
            time.sleep(300)
        return True

    timer = interrupt_after(0.3)
    with pytest.raises(KeyboardInterrupt) as raised:
        nubbin.reduce(TEXT, fails)
    timer.join()
    assert nubbin.best_so_far(raised.value).data == TEXT


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_a_run_of_a_command(has_ctrl_c, jobs):
    timer = interrupt_after(0.5)
    with pytest.raises(KeyboardInterrupt) as raised:
        nubbin.reduce(TEXT, ["sh", "-c", 'test $(wc -l <"$1") = 200 || sleep 300', "sh", "{}"], jobs=jobs)
    timer.join()
    best = nubbin.best_so_far(raised.value)
    assert best is None or best.data == TEXT


def test_ctrl_c_ends_a_run_between_tests():
    # The test is a method of the interpreter, so no line of Python runs that could see the signal. It
    # is called some hundred million times.
    code = (
        "import nubbin, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "needed = frozenset(range(0, 30000, 3))\n"
        "print('begun', flush=True)\n"
        "try:\n"
        "    nubbin.reduce_list(range(30000), needed.issubset, algorithm='ddmin')\n"
        "except KeyboardInterrupt as error:\n"
        "    print(nubbin.best_so_far(error).ended)\n"
    )
    program = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert program.stdout.readline() == "begun\n"
    time.sleep(0.5)
    program.send_signal(signal.SIGINT)
    out, _ = program.communicate(timeout=60)
    assert out == "stopped\n" and program.returncode == 0
