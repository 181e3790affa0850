//! Generators and a harness for the tests of passes over choices.

use super::{Judge, single};
use nubbin_choices::{Replay, Run, Value, decode, encode_run};
use nubbin_edit::Input;
use nubbin_engine::Reduction;
use nubbin_engine::work::Pass;
use nubbin_generate::{Choices, Function};
use nubbin_verdict::Closure;
use std::sync::Arc;

/// Returns a generator of lists of digits.
pub(super) fn list() -> Arc<dyn Replay> {
    Arc::new(Function::new(|choices: &mut Choices| {
        let list = choices.list(0..=99, |choices| choices.integer(0..=9));
        format!("{list:?}").into_bytes()
    }))
}

/// Returns a generator of digits, sums, and quotients.
pub(super) fn terms() -> Arc<dyn Replay> {
    fn term(choices: &mut Choices) -> String {
        choices.span("term", |choices| match choices.choose(3, 0) {
            0 => choices.integer(0..=9).to_string(),
            operator => {
                let (left, right) = (term(choices), term(choices));
                format!("({left}{}{right})", ["+", "/"][operator - 1])
            }
        })
    }
    Arc::new(Function::new(|choices: &mut Choices| {
        term(choices).into_bytes()
    }))
}

/// Returns the choices of a text of [`list`] or [`terms`].
fn values_of(text: &str) -> Vec<Value> {
    if text.starts_with('[') {
        let digits = text.bytes().filter(u8::is_ascii_digit);
        let element = |digit: u8| {
            [
                Value::Boolean(true),
                Value::Integer(i64::from(digit - b'0')),
            ]
        };
        return digits.flat_map(element).collect();
    }
    // The alternative of a term is known at its operator, so it is filled in later.
    let mut values: Vec<Value> = vec![];
    let mut open = vec![];
    for byte in text.bytes() {
        match byte {
            b'(' => {
                open.push(values.len());
                values.push(Value::Integer(0));
            }
            b'+' | b'/' => {
                let at = *open.last().unwrap();
                values[at] = Value::Integer(if byte == b'+' { 1 } else { 2 });
            }
            b')' => {
                open.pop();
            }
            digit => values.extend([0, i64::from(digit - b'0')].map(Value::Integer)),
        }
    }
    values
}

/// Returns the result of one pass on a list, run once.
pub(super) fn reduced(
    pass: &(impl Pass + Clone + 'static),
    text: &str,
    fails: impl Fn(&str) -> bool + Sync,
) -> String {
    reduced_from(pass, &list(), text, fails).0
}

/// Returns the result of one pass on a text, and the number of tests.
pub(super) fn reduced_from(
    pass: &(impl Pass + Clone + 'static),
    replay: &Arc<dyn Replay>,
    text: &str,
    fails: impl Fn(&str) -> bool + Sync,
) -> (String, u64) {
    let values = values_of(text);
    let made = replay.replay(&values).unwrap();
    assert_eq!(String::from_utf8_lossy(&made.text), text);
    let (run, tests) = tests_of(pass, replay, values, fails);
    (String::from_utf8(run.text.clone()).unwrap(), tests)
}

/// Returns the result of one pass on values, and the number of tests including the test of the
/// original.
pub(super) fn tests_of(
    pass: &(impl Pass + Clone + 'static),
    replay: &Arc<dyn Replay>,
    values: Vec<Value>,
    fails: impl Fn(&str) -> bool + Sync,
) -> (Arc<Run>, u64) {
    let run = replay.replay(&values).unwrap();
    let fails = |text: &[u8]| fails(std::str::from_utf8(text).unwrap());
    let test = Closure::new(fails);
    let judge = Judge::new(Arc::clone(replay), &test, "text");
    let outcomes = [None, Some(4)].map(|jobs| {
        let input = Input::single("choices", encode_run(&run)).unwrap();
        let plan = single(Arc::new(pass.clone()));
        let mut reduction = Reduction::new(input, &judge, plan).verify(false);
        if let Some(jobs) = jobs {
            reduction = reduction.jobs(jobs);
        }
        let outcome = reduction.run().unwrap();
        let run = replay.replay(&decode(outcome.input.bytes()).unwrap());
        (run.unwrap(), outcome.statistics.tests)
    });
    // The result is the same for one worker and for several.
    assert_eq!(outcomes[0], outcomes[1]);
    let [outcome, _] = outcomes;
    outcome
}
