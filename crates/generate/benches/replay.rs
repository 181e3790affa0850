//! Measures the replay of sequences of choices: `cargo bench -p nubbin-generate --bench replay`.
//!
//! The grammar is R. Gopinath's grammar of assignments, in which names are defined before they are
//! used, with `LimitFuzzer` to depth 10, as in the table of
//! `notes/decisions/0037-reduction-of-choices.md`. Each replay records all values and spans, as it
//! does for a reducer. The benchmark prints figures and asserts nothing, since a busy machine is
//! not a bug.

#![expect(clippy::print_stdout, reason = "the figures are the output")]

use nubbin_choices::{Replay, Run, Value};
use nubbin_generate::{Generator, LimitFuzzer};
use nubbin_grammar::read::read;
use std::sync::Arc;
use std::time::Instant;

const GRAMMAR: &str = include_str!("../../../examples/grammars/assignments.json");

/// The number of measured rounds. The fastest one shows the speed of an idle machine.
const ROUNDS: usize = 7;

fn main() {
    let Ok(grammar) = read(GRAMMAR, None, "assignments") else {
        return;
    };
    let Ok(generator) = Generator::new(Arc::new(grammar), LimitFuzzer { max_depth: 10 }.into())
    else {
        return;
    };
    let runs: Vec<Run> = (0..20_000)
        .filter_map(|seed| generator.record(seed))
        .collect();
    let is_failing = |run: &&Run| run.text.windows(2).any(|window| window == b"((");
    let failing: Vec<&Run> = runs.iter().filter(is_failing).collect();
    for (name, runs) in [
        ("all texts", runs.iter().collect::<Vec<&Run>>()),
        ("texts with `((`", failing),
    ] {
        let sequences: Vec<Vec<Value>> = runs.iter().map(|run| run.values()).collect();
        let mean = |sum: usize| sum as f64 / runs.len().max(1) as f64;
        let rates = (0..ROUNDS).map(|_| {
            let (mut replayed, started) = (0u64, Instant::now());
            while started.elapsed().as_millis() < 500 {
                for values in &sequences {
                    replayed += u64::from(generator.replay(values).is_some());
                }
            }
            replayed as f64 / started.elapsed().as_secs_f64()
        });
        let mut rates: Vec<f64> = rates.collect();
        rates.sort_by(f64::total_cmp);
        println!(
            "{name}: {:.0} replays a second, at best {:.0}; {:.1} choices and {:.1} bytes on average",
            rates[ROUNDS / 2],
            rates[ROUNDS - 1],
            mean(runs.iter().map(|run| run.choices.len()).sum()),
            mean(runs.iter().map(|run| run.text.len()).sum()),
        );
    }
}
