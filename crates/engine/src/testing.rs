//! Test support that drives a pass in the way the engine does, without an engine.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use crate::order::Order;
use crate::work::{Context, Facts, Pass, Scope};
use crate::work::{Lists, Machine, Views};
use nubbin_edit::{Applied, Input};

/// The limit on the steps of a machine. No pass needs as many on the texts of a test.
const MAX_STEPS: usize = 200_000;

/// Returns the result of one pass on a text, run once. A proposal is adopted if it is better by
/// [`Order::bytes`] and still fails.
pub fn reduce_with(pass: &dyn Pass, text: &[u8], fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let input = Input::single("test", text).unwrap();
    reduce_input(pass, input, |input| fails(input.bytes()))
        .bytes()
        .to_vec()
}

/// Returns the result of one pass on an input of one or more files, run once. See [`reduce_with`].
pub fn reduce_input(pass: &dyn Pass, mut input: Input, fails: impl Fn(&Input) -> bool) -> Input {
    for number in 0..input.file_count() {
        if pass.info().scope == Scope::Input && number > 0 {
            break;
        }
        let Some(mut machine) = open(pass, &input, number) else {
            continue;
        };
        let mut applied = Applied::default();
        let mut steps = 0;
        while let Some(edit) = machine.next() {
            steps += 1;
            assert!(steps < MAX_STEPS, "{} does not end", pass.id());
            assert_eq!(
                machine.next().as_ref(),
                Some(&edit),
                "asking twice gives the same"
            );
            let candidate = match applied.rebase(&edit) {
                Ok(moved) if !moved.is_none() => input.apply(&moved),
                _ => {
                    machine.record(false);
                    continue;
                }
            };
            let adopted = Order::bytes().is_below(&candidate, &input) && fails(&candidate);
            if adopted {
                applied.apply(&edit).unwrap();
                input = candidate;
            }
            machine.record(adopted);
        }
    }
    input
}

/// Returns all texts that a pass proposes while none of them is adopted.
pub fn proposals(pass: &dyn Pass, text: &[u8]) -> Vec<Vec<u8>> {
    let input = Input::single("test", text).unwrap();
    let Some(mut machine) = open(pass, &input, 0) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    while let Some(edit) = machine.next() {
        assert!(all.len() < MAX_STEPS, "{} does not end", pass.id());
        all.push(edit.render(text));
        machine.record(false);
    }
    all
}

/// Returns texts for which passes over text are not designed. No pass may panic or run for a long
/// time on them.
pub fn odd_texts() -> Vec<Vec<u8>> {
    let unit = |unit: &str| unit.repeat(20_000).into_bytes();
    let mut odd: Vec<Vec<u8>> = [
        "", "\0", "\u{feff}", "\r", "\r\n", "x", " ", "\n\n", "(", ")", "}{", "<", "\"", "'", ",",
        ";", "<a", "</a>",
    ]
    .map(|text| text.as_bytes().to_vec())
    .into();
    odd.push((0..=255).collect());
    odd.push((0..=255).rev().cycle().take(4000).collect());
    odd.extend(
        [
            "(", ")", "{", "[(", "<a>", "\"", "{\n", ",", "; ", "/*", "a b\n", "(,", "{;", "if(x){",
        ]
        .map(unit),
    );
    odd.push([unit("{("), unit(")}")].concat());
    odd.push([unit("<a>"), unit("</a>")].concat());
    odd
}

/// Opens a pass on one file.
pub fn open(pass: &dyn Pass, input: &Input, number: usize) -> Option<Box<dyn Machine>> {
    open_with(pass, input, number, &Facts::default())
}

/// Opens a pass on one file, with facts about languages.
pub fn open_with(
    pass: &dyn Pass,
    input: &Input,
    number: usize,
    facts: &Facts,
) -> Option<Box<dyn Machine>> {
    let lists = Lists::default();
    let views = Views::default();
    let context = Context::new(input, &lists, facts, &views);
    let file = input.file(number)?;
    Some(pass.open(&file, &context)?.start(&lists))
}
