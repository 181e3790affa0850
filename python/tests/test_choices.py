"""Reduction of the choices of a generator."""

import pytest

import nubbin


def numbers(choices):
    return choices.list(lambda choices: choices.integer(0, 1000), max=50)


def test_a_value_is_reduced_by_its_choices():
    result = nubbin.reduce_choices(numbers, lambda values: sum(values) > 1000)
    assert result.data == [1, 1000]
    assert result.size == len(result.choices) < result.original_size
    assert result.ended == "complete" and result.verified


def test_every_result_is_one_of_the_generator():
    seen = []

    def fails(values):
        seen.append(values)
        return len(values) > 3

    def generate(choices):
        return sorted(numbers(choices))

    assert nubbin.reduce_choices(generate, fails).data == [0, 0, 0, 0]
    assert all(values == sorted(values) for values in seen)


def test_every_kind_of_choice_has_its_simplest_value():
    def everything(choices):
        return (
            choices.boolean(),
            choices.integer(),
            choices.integer(5, 9),
            choices.integer(-9, 9, toward=3),
            choices.float(-1.0, 1.0),
            choices.text("xyz", 1, 4),
            choices.bytes(2, 4),
            choices.choose(["first", "second", "third"]),
            choices.filter(lambda c: c.integer(0, 99), lambda number: number % 2 == 0),
        )

    result = nubbin.reduce_choices(everything, lambda value: True)
    assert result.data == (False, 0, 5, 3, 0.0, "x", b"\0\0", "first", 0)
    seeds = [nubbin.reduce_choices(everything, lambda v: True, seed=s, log=True) for s in (1, 1, 7)]
    originals = [result.log[0].data for result in seeds]
    assert originals[0] == originals[1] != originals[2]


def test_the_choices_of_a_result_make_it_again():
    fails = lambda values: sum(values) > 1000
    result = nubbin.reduce_choices(numbers, fails)
    again = nubbin.reduce_choices(numbers, fails, choices=result.choices)
    assert again.data == result.data and again.original_size == result.size
    with pytest.raises(TypeError, match="a choice is a bool"):
        nubbin.reduce_choices(numbers, fails, choices=[object()])


def test_rejected_choices_are_never_tested():
    def generate(choices):
        value = choices.integer(0, 1000)
        if value % 7:
            choices.reject()
        return value

    seen = []
    result = nubbin.reduce_choices(generate, lambda value: seen.append(value) or value > 100)
    assert 100 < result.data < 1000 and all(value % 7 == 0 for value in seen)


def test_spans_move_and_go_as_a_whole():
    def expression(choices, depth=0):
        choices.begin("expression")
        if depth > 4 or choices.boolean():
            made = str(choices.integer(0, 9))
        else:
            left, right = expression(choices, depth + 1), expression(choices, depth + 1)
            made = f"({left} + {right})"
        choices.end()
        return made

    result = nubbin.reduce_choices(expression, lambda text: text.count("+") >= 1)
    assert result.data == "(0 + 0)"


def test_a_generator_without_a_failing_value_is_an_error():
    with pytest.raises(nubbin.NotFailingError, match="no run of the generator"):
        nubbin.reduce_choices(numbers, lambda values: False, examples=20)


def test_wrong_bounds_are_errors():
    for draw in [
        lambda c: c.integer(3, 2),
        lambda c: c.float(1.0, 0.0),
        lambda c: c.text(min=3, max=2),
        lambda c: c.bytes(3, 2),
        lambda c: c.list(lambda c: 0, 3, 2),
        lambda c: c.choose([]),
    ]:
        with pytest.raises(ValueError):
            nubbin.reduce_choices(draw, lambda value: True)


def test_exceptions_within_a_list_are_those_of_the_generator():
    def generate(choices):
        return choices.list(lambda choices: {}["missing"], min=1)

    with pytest.raises(KeyError, match="missing"):
        nubbin.reduce_choices(generate, lambda value: True)


def test_a_command_tests_the_text():
    def words(choices):
        return " ".join(choices.list(lambda choices: choices.choose(["a", "b", "crash"])))

    assert nubbin.reduce_choices(words, ["grep", "-q", "crash", "{}"]).data == "crash"


def test_the_number_of_jobs_changes_nothing():
    fails = lambda values: sum(values) > 1000
    one = nubbin.reduce_choices(numbers, fails)
    three = nubbin.reduce_choices(numbers, fails, jobs=3)
    assert (one.data, one.choices, one.tests) == (three.data, three.choices, three.tests)
