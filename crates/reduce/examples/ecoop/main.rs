//! The ten problems of D. R. MacIver and A. F. Donaldson, "Test-Case Reduction via Test-Case
//! Generation" (ECOOP 2020), written as generators: what the default plan for choices makes of
//! failing runs, beside the published figures. The figures of
//! `notes/decisions/0037-reduction-of-choices.md`.
//!
//! `cargo run --release -p nubbin-reduce --example ecoop`, with the number of seeds (1000) and the
//! names of problems as arguments; `-v` shows the answers, `--passes` what each pass took.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

mod heap;
mod language;
mod lists;
mod terms;

use nubbin_choices::{Replay, decode, encode_run};
use nubbin_generate::{Choices, Function};
use nubbin_reduce::engine::{Outcome, Reduction};
use nubbin_reduce::input::Input;
use nubbin_reduce::pass::choices::plan;
use nubbin_verdict::Closure;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::sync::Arc;

/// The published figures: mean evaluations, mean size, distinct answers of 1,000.
type Published = (f64, Option<f64>, u32);

/// One problem, whatever it generates.
struct Problem {
    name: &'static str,
    published: Published,
    /// Choices and answer of a seed.
    solve: Box<dyn Fn(u64) -> Option<Solved>>,
}

/// Choices of a failing run, at most.
const LARGEST: usize = 2_000;

struct Solved {
    outcome: Outcome,
    choices: usize,
    size: usize,
    answer: String,
}

fn problem<T: Debug + 'static>(
    name: &'static str,
    published: Published,
    make: fn(&mut Choices) -> T,
    fails: fn(&T) -> bool,
    size: fn(&T) -> usize,
) -> Problem {
    let shown = move |choices: &mut Choices| format!("{:?}", make(choices)).into_bytes();
    let replay: Arc<dyn Replay> = Arc::new(Function::new(shown));
    let solve = move |seed: u64| {
        // The first of this seed's runs that fails.
        let run = (0..100_000).find_map(|number| {
            let mut choices = Choices::recording(seed << 32 | number).most(LARGEST);
            let value = make(&mut choices);
            let run = choices.into_run(vec![])?;
            fails(&value).then_some(run)
        })?;
        let value = |bytes: &[u8]| {
            let values = decode(bytes).unwrap_or_default();
            make(&mut Choices::of(values))
        };
        let test = Closure::new(|bytes: &[u8]| fails(&value(bytes)));
        let input = Input::single("choices", encode_run(&run)).ok()?;
        let outcome = Reduction::new(input, &test, plan(&replay))
            .verify(false)
            .run()
            .ok()?;
        let answer = value(outcome.input.bytes());
        Some(Solved {
            choices: run.choices.len(),
            size: size(&answer),
            answer: format!("{answer:?}"),
            outcome,
        })
    };
    Problem {
        name,
        published,
        solve: Box::new(solve),
    }
}

fn problems() -> Vec<Problem> {
    vec![
        problem(
            "binheap",
            (187.2, Some(9.01), 7),
            heap::make,
            heap::fails,
            heap::size,
        ),
        problem(
            "bound5",
            (115.9, Some(2.12), 225),
            lists::bound5,
            lists::overflows,
            lists::numbers,
        ),
        problem(
            "calculator",
            (200.4, Some(5.0), 2),
            terms::make,
            terms::fails,
            terms::size,
        ),
        problem(
            "coupling",
            (133.5, Some(2.66), 9),
            lists::indices,
            lists::coupled,
            Vec::len,
        ),
        problem(
            "deletion",
            (81.4, Some(2.0), 1),
            lists::and_index,
            lists::still_there,
            |l| l.0.len(),
        ),
        problem(
            "distinct",
            (98.1, Some(3.0), 1),
            lists::integers,
            lists::three_distinct,
            Vec::len,
        ),
        problem(
            "nestedlists",
            (87.7, Some(1.0), 1),
            lists::nested,
            lists::over_ten,
            Vec::len,
        ),
        problem(
            "parser",
            (186.8, None, 7),
            language::make,
            language::fails,
            language::size,
        ),
        problem(
            "replacement",
            (81.7, Some(1.07), 34),
            lists::factors,
            lists::million,
            |f| f.1.len(),
        ),
        problem(
            "reverse",
            (53.8, Some(2.0), 1),
            lists::integers,
            lists::not_its_reverse,
            Vec::len,
        ),
    ]
}

fn main() {
    let mut seeds = 1000;
    let mut named = vec![];
    let (mut verbose, mut passes) = (false, false);
    for argument in std::env::args().skip(1) {
        match (argument.as_str(), argument.parse()) {
            ("-v", _) => verbose = true,
            ("--passes", _) => passes = true,
            (_, Ok(number)) => seeds = number,
            (_, Err(_)) => named.push(argument),
        }
    }
    println!("| problem | choices at first | evaluations | size | distinct | commonest answer |");
    println!("|---|---|---|---|---|---|");
    let chosen =
        |problem: &Problem| named.is_empty() || named.iter().any(|name| name == problem.name);
    for problem in problems().into_iter().filter(chosen) {
        let mut answers: HashMap<String, u32> = HashMap::new();
        let mut by_pass: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        let (mut count, mut choices, mut tests, mut size) = (0u32, 0, 0, 0);
        for seed in 0..seeds {
            let Some(solved) = (problem.solve)(seed) else {
                println!("{}: nothing fails with seed {seed}", problem.name);
                continue;
            };
            count += 1;
            choices += solved.choices;
            tests += solved.outcome.statistics.tests;
            size += solved.size;
            *answers.entry(solved.answer).or_default() += 1;
            for (pass, run) in &solved.outcome.statistics.passes {
                let all = by_pass.entry(pass).or_default();
                all.0 += run.tests;
                all.1 += run.adopted;
            }
        }
        let mut answers: Vec<_> = answers.into_iter().collect();
        answers.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(&right.0)));
        let mean = |sum: f64| sum / f64::from(count.max(1));
        let (evaluations, published_size, distinct) = problem.published;
        let (answer, times) = answers.first().cloned().unwrap_or_default();
        let answer: String = answer.chars().take(120).collect();
        println!(
            "| {} | {:.1} | {:.1} ({evaluations}) | {:.2} ({}) | {} ({distinct}) | {times}: `{answer}` |",
            problem.name,
            mean(choices as f64),
            mean(tests as f64),
            mean(size as f64),
            published_size.map_or("–".into(), |size| format!("{size:.2}")),
            answers.len(),
        );
        if verbose {
            for (answer, times) in answers.iter().take(12) {
                println!("    {times} {answer}");
            }
        }
        if passes {
            for (pass, (tests, adopted)) in by_pass {
                println!(
                    "    {pass:18} {:6.1} tests, {:5.1} adopted",
                    mean(tests as f64),
                    mean(adopted as f64)
                );
            }
        }
    }
}
