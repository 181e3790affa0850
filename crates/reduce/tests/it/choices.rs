//! Reduction of the choices of a generator through the library: the results and the numbers of
//! tests.

#![expect(clippy::unwrap_used, reason = "the panic is the report")]

use nubbin_choices::{Alphabet, Replay, decode, encode_run};
use nubbin_generate::{Choices, Function};
use nubbin_reduce::engine::{Outcome, Reduction};
use nubbin_reduce::input::Input;
use nubbin_reduce::pass::choices::{Judge, plan};
use nubbin_verdict::Closure;
use std::fmt::Debug;
use std::sync::Arc;

/// Reduces the first failing run of each seed, with one worker and with four. Checks the result and
/// the number of tests.
fn assert_reduces<T: Debug + 'static>(
    make: fn(&mut Choices) -> T,
    fails: fn(&T) -> bool,
    expected: &str,
    most: u64,
) {
    let shown = move |choices: &mut Choices| format!("{:?}", make(choices)).into_bytes();
    let replay: Arc<dyn Replay> = Arc::new(Function::new(shown));
    for seed in 0..20u64 {
        let run = (0..).find_map(|number| {
            let mut choices = Choices::recording(seed << 32 | number);
            let value = make(&mut choices);
            choices.into_run(vec![]).filter(|_| fails(&value))
        });
        let values = run.unwrap().values();
        let run = replay.replay(&values).unwrap();
        // The value of the choices gives the verdict, and has the replayed text.
        let known = |text: &[u8], run: &[u8]| {
            let value = make(&mut Choices::of(decode(run).unwrap()));
            assert_eq!(format!("{value:?}").as_bytes(), text);
            fails(&value)
        };
        let reduced = |jobs: Option<usize>| -> Outcome {
            let test = Closure::new(|bytes: &[u8]| {
                let text = &replay.replay(&decode(bytes).unwrap()).unwrap().text;
                known(text, bytes)
            });
            let input = Input::single("choices", encode_run(&run)).unwrap();
            let reduction = Reduction::new(input, &test, plan(&replay));
            match jobs {
                Some(jobs) => reduction.jobs(jobs).run().unwrap(),
                None => reduction.run().unwrap(),
            }
        };
        let (alone, four) = (reduced(None), reduced(Some(4)));
        assert_eq!(alone.input.bytes(), four.input.bytes());
        assert_eq!(alone.statistics.tests, four.statistics.tests);
        let answer = replay
            .replay(&decode(alone.input.bytes()).unwrap())
            .unwrap();
        assert_eq!(
            String::from_utf8_lossy(&answer.text),
            expected,
            "seed {seed}"
        );
        let tests = alone.statistics.tests;
        assert!(
            tests <= most,
            "{tests} tests for {expected} with seed {seed}"
        );
    }
}

fn integers(choices: &mut Choices) -> Vec<i64> {
    choices.list(0..=99, Choices::any_integer)
}

#[test]
fn an_integer_shrinks_to_the_bound_of_the_failure() {
    assert_reduces(Choices::any_integer, |&number| number >= 1000, "1000", 60);
    assert_reduces(Choices::any_integer, |&number| number <= -7, "-7", 40);
}

#[test]
fn a_sum_shrinks_to_one_number() {
    let sum = |list: &Vec<i64>| list.iter().map(|&number| i128::from(number)).sum::<i128>() >= 1000;
    assert_reduces(integers, sum, "[1000]", 200);
}

#[test]
fn a_text_shrinks_to_the_required_character() {
    fn text(choices: &mut Choices) -> Arc<str> {
        choices.text(&Arc::new(Alphabet::new(' '..='~')), 0..=99)
    }
    assert_reduces(text, |text| text.contains(']'), "\"]\"", 60);
}

#[test]
fn nested_lists_shrink_to_one_list_with_five_elements() {
    fn lists(choices: &mut Choices) -> Vec<Vec<bool>> {
        choices.list(0..=99, |choices| choices.list(0..=99, Choices::boolean))
    }
    let expected = "[[false, false, false, false, false]]";
    assert_reduces(
        lists,
        |lists| lists.iter().flatten().count() >= 5,
        expected,
        100,
    );
}

#[test]
fn discarded_choices_do_not_prevent_reduction() {
    fn evens(choices: &mut Choices) -> Vec<i64> {
        choices.list(0..=9, |choices| {
            let even = choices.filter(|c| c.integer(0..=999), |number| number % 2 == 0);
            even.unwrap_or(0)
        })
    }
    assert_reduces(
        evens,
        |list| list.iter().any(|&number| number > 100),
        "[102]",
        60,
    );
}

#[test]
fn a_count_shrinks_with_the_elements_that_it_counts() {
    fn counted(choices: &mut Choices) -> (i64, Vec<i64>) {
        let count = choices.integer(0..=20);
        let element = |choices: &mut Choices| choices.span("element", |c| c.integer(0..=99));
        (count, (0..count).map(|_| element(choices)).collect())
    }
    let fails =
        |(_, list): &(i64, Vec<i64>)| list.iter().filter(|&&number| number > 50).count() > 1;
    assert_reduces(counted, fails, "(2, [51, 51])", 100);
}

#[test]
fn a_text_that_the_generator_rejects_is_no_candidate() {
    fn small(choices: &mut Choices) -> i64 {
        let number = choices.integer(0..=100);
        if number < 10 {
            choices.reject();
        }
        number
    }
    assert_reduces(small, |&number| number > 3, "10", 30);
}

#[test]
fn an_oracle_for_texts_judges_choices() {
    let replay: Arc<dyn Replay> = Arc::new(Function::new(|choices: &mut Choices| {
        format!("{:?}", integers(choices)).into_bytes()
    }));
    let test = Closure::new(|text: &[u8]| text.iter().filter(|&&byte| byte == b',').count() >= 2);
    let judge = Judge::new(Arc::clone(&replay), &test, "list.txt");
    let mut choices = Choices::recording(3);
    while integers(&mut choices).len() < 3 {
        choices.forget();
    }
    let run = choices.into_run(vec![]).unwrap();
    let input = Input::single("choices", encode_run(&run)).unwrap();
    let outcome = Reduction::new(input, &judge, plan(&replay)).run().unwrap();
    let answer = replay
        .replay(&decode(outcome.input.bytes()).unwrap())
        .unwrap();
    assert_eq!(answer.text, b"[0, 0, 0]");
}
