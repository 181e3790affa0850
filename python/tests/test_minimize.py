"""The decorator `nubbin.minimize` and the plugin for pytest."""

import json
import sys
from pathlib import Path

import pytest

import nubbin

pytest_plugins = ["pytester"]


@nubbin.minimize(arg="text")
def no_brackets(text, other=None):
    """Some documentation."""
    if "[" in text:
        raise ValueError(f"a bracket in {text!r}")
    if "(" in text:
        raise KeyError(text)
    return len(text)


def test_a_text_argument_is_reduced():
    with pytest.raises(ValueError) as raised:
        no_brackets("some (text) with [brackets]")
    assert raised.value.args == ("a bracket in '['",)
    result = nubbin.best_so_far(raised.value)
    assert result.data == "["
    if sys.version_info >= (3, 11):
        assert raised.value.__notes__ == [f"nubbin: {result}: '['"]


def test_a_function_that_returns_is_left_alone():
    assert no_brackets("abc", other=1) == 3
    assert no_brackets.__name__ == "no_brackets" and "documentation" in no_brackets.__doc__


def test_only_the_same_failure_counts():
    with pytest.raises(KeyError) as raised:
        no_brackets(text="a(b)c")
    assert raised.value.args == ("(",)


@pytest.mark.parametrize("items, least", [([1, 2, 3], [2]), ((1, 2, 3), (2,)), (b"123", b"2")])
def test_sequences_and_bytes_are_reduced(items, least):
    @nubbin.minimize(arg="items")
    def check(items):
        assert not (2 in items or b"2" == items or (isinstance(items, bytes) and b"2" in items))

    with pytest.raises(AssertionError) as raised:
        check(items)
    assert nubbin.best_so_far(raised.value).data == least


def test_a_file_is_reduced_beside_itself(tmp_path):
    @nubbin.minimize(arg="path")
    def load(path):
        assert path.suffix == ".json"
        json.loads(path.read_text())

    path = tmp_path / "bug.json"
    path.write_text('{"a": [1, 2, oops], "b": "c"}')
    with pytest.raises(json.JSONDecodeError) as raised:
        load(path)
    small = tmp_path / "bug.min.json"
    assert nubbin.best_so_far(raised.value).data == small.read_bytes() != path.read_bytes()
    with pytest.raises(json.JSONDecodeError):
        json.loads(small.read_text())
    assert path.read_text() == '{"a": [1, 2, oops], "b": "c"}'
    small.unlink()
    with pytest.raises(json.JSONDecodeError):
        nubbin.minimize(arg="path", write=False)(load.__wrapped__)(path)
    assert not small.exists()


def test_what_cannot_be_reduced_is_raised_as_it_is():
    calls = []

    @nubbin.minimize(arg="value")
    def once(value):
        calls.append(value)
        if len(calls) == 1:
            raise ValueError(value)

    with pytest.raises(ValueError) as raised:
        once("abc")
    assert nubbin.best_so_far(raised.value) is None and calls == ["abc", "abc"]
    with pytest.raises(TypeError):
        nubbin.minimize(arg="value")(lambda value: value + 1)(None)
    with pytest.raises(TypeError, match="has no argument `missing`"):
        nubbin.minimize(arg="missing")(once)


def test_options_are_those_of_reduce():
    @nubbin.minimize(arg="text", max_tests=2)
    def check(text):
        assert "b" not in text

    with pytest.raises(AssertionError) as raised:
        check("aabaa")
    assert nubbin.best_so_far(raised.value).ended == "max-tests"


SUITE = """
    import json, pathlib, pytest

    @pytest.mark.parametrize("text", ["abc", "some [text] here"])
    def test_text(text):
        print("noise")
        assert "[" not in text

    @pytest.mark.parametrize("left, right", [([1, 2, 3], "xyz")])
    def test_two(left, right):
        assert not (2 in left and "y" in right)

    @pytest.mark.parametrize("path", sorted(pathlib.Path(__file__).parent.glob("data/*.json")))
    def test_file(path, tmp_path):
        json.loads(path.read_text())

    def test_without_arguments():
        assert False

    @pytest.mark.parametrize("number", [17])
    def test_number(number):
        assert number == 18
"""


def test_the_plugin_reduces_the_inputs_of_failing_tests(pytester):
    pytester.makepyfile(SUITE)
    data = pytester.path / "data"
    data.mkdir()
    (data / "good.json").write_text("[1]")
    (data / "bad.json").write_text('{"a": [1, 2, oops]}')
    ran = pytester.runpytest_subprocess("--nubbin", "-p", "no:cacheprovider")
    ran.assert_outcomes(passed=2, failed=5)
    ran.stdout.fnmatch_lines(["*- nubbin -*", "text: 16 -> 1 in * tests *", "'['"])
    ran.stdout.fnmatch_lines(["left: 3 -> 1 *", "[[]2[]]", "*", "right: 3 -> 1 *", "'y'"])
    ran.stdout.fnmatch_lines(["path: 19 -> *", f"in {data / 'bad.min.json'}"])
    # The output of candidates is not shown.
    assert ran.outlines.count("noise") == 1
    assert (data / "bad.min.json").exists()


def test_the_plugin_says_that_a_failure_did_not_repeat(pytester):
    pytester.makepyfile(
        """
        import pytest
        calls = []

        @pytest.mark.parametrize("text", ["abc"])
        def test_once(text):
            calls.append(text)
            assert len(calls) > 1
        """
    )
    ran = pytester.runpytest_subprocess("--nubbin")
    ran.stdout.fnmatch_lines(["text: not reduced, since the test did not fail once more"])


def test_the_plugin_does_nothing_unless_it_is_asked(pytester):
    pytester.makepyfile(SUITE)
    ran = pytester.runpytest_subprocess()
    ran.stdout.no_fnmatch_line("*nubbin -*")
    ran.stdout.no_fnmatch_line("* in * tests *")
    pytester.makeini("[pytest]\nnubbin_minimize = true\n")
    ran = pytester.runpytest_subprocess("--nubbin-arg", "right")
    ran.stdout.fnmatch_lines(["right: 3 -> 1 *"])
    ran.stdout.no_fnmatch_line("left: *")
