//! The worth of reducing every text of a population before it is mutated further: the table in
//! `notes/decisions/0039-members-of-a-population-are-reduced.md`.
//!
//! `cargo run --release -p nubbin-reduce --example population`, with the number of seeds (10) and
//! of tests in thousands (100). All but the seconds is the same on every machine.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

mod target;

use nubbin_generate::{Choices, Feedback, MutationFuzzer, PopulationFuzzer, Reducer};
use nubbin_reduce::engine::Reduction;
use nubbin_reduce::input::Input;
use nubbin_reduce::plan::Plan;
use nubbin_reduce::{auto, list_minimizer, pass};
use nubbin_verdict::Closure;
use std::convert::Infallible;
use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Programs as somebody would collect them.
const SEEDS: [&str; 4] = [
    include_str!("seeds/loops.txt"),
    include_str!("seeds/texts.txt"),
    include_str!("seeds/calls.txt"),
    include_str!("seeds/nested.txt"),
];

const WORDS: [&str; 10] = [
    "print ", "if ", "else ", "while ", "len(", "min(", "abs(", "\"", "{", "}",
];

/// The engine as a reducer.
struct Engine {
    /// The default plan where there is none.
    plan: Option<Plan>,
    /// Passes of the default plan that are left out.
    without: &'static [&'static str],
    max_tests: Option<u64>,
}

/// Passes that replace text by other text.
const CHANGES: &[&str] = &[
    "strings",
    "integers",
    "operators",
    "peephole",
    "merge-names",
    "floats",
    "names",
    "whitespace",
    "join-lines",
];

impl Reducer for Engine {
    fn reduce(&self, text: &[u8], shows: &(dyn Fn(&[u8]) -> bool + Sync)) -> Vec<u8> {
        let Ok(input) = Input::single("text", text.to_vec()) else {
            return text.to_vec();
        };
        let mut plan = self.plan.clone().unwrap_or_else(|| auto::plan(&input));
        plan.without(self.without);
        let oracle = Closure::new(shows);
        let mut reduction = Reduction::new(input, &oracle, plan).verify(false);
        if let Some(tests) = self.max_tests {
            reduction = reduction.max_tests(tests);
        }
        match reduction.run() {
            Ok(outcome) => outcome.input.bytes().to_vec(),
            Err(_) => text.to_vec(),
        }
    }
}

#[derive(Clone, Copy)]
enum Limit {
    Tests(u64),
    Steps(u64),
}

/// Sums over the seeds.
#[derive(Default)]
struct Row {
    members: usize,
    bytes: usize,
    covered: usize,
    bugs: usize,
    inputs: u64,
    input_bytes: u64,
    reducing: u64,
    steps: u64,
    tests: u64,
    time: Duration,
}

fn fuzz(seed: u64, reducer: Option<&dyn Reducer>, limit: Limit) -> Result<Row, Box<dyn Error>> {
    let seeds = SEEDS.iter().map(|seed| seed.as_bytes().to_vec()).collect();
    let words = WORDS.iter().map(|word| word.as_bytes().to_vec()).collect();
    let mutation = MutationFuzzer::new(seeds)?.dictionary(words);
    let mut fuzzer = PopulationFuzzer::new(mutation);
    let mut choices = Choices::seeded(seed);
    let steps = AtomicU64::new(0);
    let target = |text: &[u8]| {
        let seen = target::run(text);
        steps.fetch_add(seen.steps, Ordering::Relaxed);
        Ok::<_, Infallible>(Feedback::new(seen.outcome, seen.edges))
    };
    let started = Instant::now();
    let is_over = |fuzzer: &PopulationFuzzer<MutationFuzzer>| match limit {
        Limit::Tests(tests) => fuzzer.counts().tests() >= tests,
        Limit::Steps(most) => steps.load(Ordering::Relaxed) >= most,
    };
    while !is_over(&fuzzer) {
        choices.forget();
        fuzzer.step(&mut choices, &target, reducer)?;
    }
    let population = fuzzer.population();
    let mut bugs: Vec<&str> = population
        .members()
        .iter()
        .map(|member| &*member.feedback.outcome)
        .filter(|outcome| outcome.starts_with("signal"))
        .collect();
    bugs.sort_unstable();
    bugs.dedup();
    let counts = fuzzer.counts();
    Ok(Row {
        members: population.members().len(),
        bytes: population.bytes(),
        covered: population.covered(),
        bugs: bugs.len(),
        inputs: counts.inputs,
        input_bytes: counts.input_bytes,
        reducing: counts.reducing,
        tests: counts.tests(),
        steps: steps.into_inner(),
        time: started.elapsed(),
    })
}

impl Row {
    fn add(&mut self, other: Row) {
        self.members += other.members;
        self.bytes += other.bytes;
        self.covered += other.covered;
        self.bugs += other.bugs;
        self.inputs += other.inputs;
        self.input_bytes += other.input_bytes;
        self.reducing += other.reducing;
        self.tests += other.tests;
        self.steps += other.steps;
        self.time += other.time;
    }
}

#[expect(clippy::too_many_lines, reason = "one measurement")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<u64>());
    let seeds = numbers.next().unwrap_or(Ok(10))?;
    let thousands = numbers.next().unwrap_or(Ok(100))?;
    let by = |pass_id: &str| -> Result<Plan, Box<dyn Error>> {
        let pass = pass::by_id(pass_id).ok_or("no such pass")?;
        Ok(Plan::single(
            pass,
            "ddmin".parse::<list_minimizer::MinimizerChoice>()?,
        ))
    };
    let engine = |plan: Option<Plan>, max_tests| {
        Some(Engine {
            plan,
            without: &[],
            max_tests,
        })
    };
    let deleting = |max_tests| {
        Some(Engine {
            plan: None,
            without: CHANGES,
            max_tests,
        })
    };
    let rows = [
        ("none", None),
        ("ddmin on bytes", engine(Some(by("bytes")?), None)),
        ("ddmin on tokens", engine(Some(by("tokens")?), None)),
        ("auto", engine(None, None)),
        ("auto, 20 tests at most", engine(None, Some(20))),
        ("auto, 50 tests at most", engine(None, Some(50))),
        ("auto, 100 tests at most", engine(None, Some(100))),
        ("auto, 200 tests at most", engine(None, Some(200))),
        ("auto, deletions only", deleting(None)),
        (
            "auto, deletions only, 100 tests at most",
            deleting(Some(100)),
        ),
    ];
    let bytes: usize = SEEDS.iter().map(|seed| seed.len()).sum();
    println!(
        "{} seeds of {} bytes on average, means of {seeds} runs",
        SEEDS.len(),
        bytes / SEEDS.len()
    );
    for (what, limit) in [
        (
            format!("{thousands},000 tests"),
            Limit::Tests(1000 * thousands),
        ),
        (
            format!("{},000,000 steps of the target", thousands / 5),
            Limit::Steps(1_000_000 * thousands / 5),
        ),
    ] {
        println!("\n{what}:\n");
        println!(
            "| reduced by | members | bytes of a member | bytes of the population | edges covered | bugs found | \
             tests for reducing | bytes of a mutant | steps of a test | µs of a test |"
        );
        println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
        for (name, reducer) in &rows {
            let mut row = Row::default();
            for seed in 0..seeds {
                let reducer = reducer.as_ref().map(|engine| engine as &dyn Reducer);
                row.add(fuzz(seed, reducer, limit)?);
            }
            let mean = |sum: f64| sum / seeds as f64;
            let ratio = |sum: f64, count: u64| sum / count.max(1) as f64;
            println!(
                "| {name} | {:.0} | {:.1} | {:.0} | {:.0} | {:.1} | {:.0} % | {:.0} | {:.0} | {:.1} |",
                mean(row.members as f64),
                ratio(row.bytes as f64, row.members as u64),
                mean(row.bytes as f64),
                mean(row.covered as f64),
                mean(row.bugs as f64),
                100.0 * ratio(row.reducing as f64, row.tests),
                ratio(row.input_bytes as f64, row.inputs),
                ratio(row.steps as f64, row.tests),
                ratio(row.time.as_secs_f64() * 1e6, row.tests),
            );
        }
    }
    Ok(())
}
