//! A comparison of reductions of choices: R. Gopinath's grammar of assignments, in which names are
//! defined before they are used, and his condition that `((` and `))` are there. The second table
//! of `notes/decisions/0037-reduction-of-choices.md`.
//!
//! `cargo run --release -p nubbin-published --example assignments`, with the number of seeds
//! (1000); `-v` shows more answers. There is one table for names from a to d, and one for names
//! from a to z, as in the publication.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use nubbin_choices::{Replay, Run, decode, encode_run};
use nubbin_generate::{Generator, LimitFuzzer};
use nubbin_grammar::parse::Parser;
use nubbin_grammar::read::read;
use nubbin_grammar::syntax::Syntax;
use nubbin_languages::hints::SORTS;
use nubbin_reduce::engine::Reduction;
use nubbin_reduce::input::Input;
use nubbin_reduce::pass::choices::{Judge, catalogue, plan, single};
use nubbin_reduce::pass::{Pass, SortTables};
use nubbin_reduce::plan::Plan;
use nubbin_reduce::tree_reducer::{TreePass, TreeReducer, Trees};
use nubbin_reduce::{auto, list_minimizer, pass};
use nubbin_verdict::Closure;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

const GRAMMAR: &str = include_str!("../../../examples/grammars/assignments.json");

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

fn fails(text: &[u8]) -> bool {
    contains(text, b"((") && contains(text, b"))")
}

/// Whether every name is defined in an earlier line.
fn is_defined(text: &[u8]) -> bool {
    let mut defined: BTreeSet<u8> = BTreeSet::new();
    text.split(|&byte| byte == b'\n').all(|line| {
        let (name, value) = line.split_at(line.len().min(1));
        let known = value
            .iter()
            .all(|c| !c.is_ascii_lowercase() || defined.contains(c));
        defined.extend(name);
        known
    })
}

#[derive(Default)]
struct Column {
    tests: u64,
    /// Of texts that parse, with every name defined before it is used.
    programs: u64,
    bytes: usize,
    choices: usize,
    texts: BTreeMap<String, u32>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let seeds: u64 = std::env::args().nth(1).map_or(Ok(1000), |n| n.parse())?;
    compare(GRAMMAR, seeds)?;
    let names: Vec<String> = ('a'..='z').map(|name| format!("[\"{name}\"]")).collect();
    let few = r#"["a"], ["b"], ["c"], ["d"]"#;
    compare(&GRAMMAR.replace(few, &names.join(", ")), seeds)
}

#[expect(clippy::too_many_lines, reason = "one measurement")]
fn compare(grammar: &str, seeds: u64) -> Result<(), Box<dyn Error>> {
    let grammar = Arc::new(read(grammar, None, "assignments")?);
    let parser = Arc::new(Parser::new(Arc::clone(&grammar))?);
    let generator = Generator::new(grammar, LimitFuzzer { max_depth: 10 }.into())?;
    let runs = failing(&generator, seeds);
    let replay: Arc<dyn Replay> = Arc::new(generator);
    let by_id = |id: &str| {
        let all = catalogue(&replay);
        let found = all.into_iter().find(|pass| pass.id() == id);
        found.ok_or("no such pass")
    };
    let before: usize = runs.iter().map(|run| run.text.len()).sum();
    let choices: usize = runs.iter().map(|run| run.choices.len()).sum();
    let mean = |sum: f64| sum / runs.len().max(1) as f64;
    println!(
        "{} failing texts, {:.1} bytes and {:.1} choices on average",
        runs.len(),
        mean(before as f64),
        mean(choices as f64)
    );
    println!(
        "| algorithm | tests | of programs | choices left | bytes left | distinct | commonest |"
    );
    println!("|---|--:|--:|--:|--:|--:|---|");
    let row = |name: &str, column: Column| {
        let mut texts: Vec<_> = column.texts.into_iter().collect();
        texts.sort_by_key(|(text, times)| (std::cmp::Reverse(*times), text.clone()));
        let (text, times) = texts.first().cloned().unwrap_or_default();
        let left = match column.choices {
            0 => "–".to_owned(),
            sum => format!("{:.1}", mean(sum as f64)),
        };
        println!(
            "| {name} | {:.1} | {:.1} | {left} | {:.1} | {} | {times}: `{text}` |",
            mean(column.tests as f64),
            mean(column.programs as f64),
            mean(column.bytes as f64),
            texts.len(),
        );
        if std::env::args().any(|argument| argument == "-v") {
            texts
                .iter()
                .take(10)
                .for_each(|(text, times)| println!("    {times}: {text}"));
        }
    };
    let test = Closure::new(fails);
    let judge = Judge::new(Arc::clone(&replay), &test, "text");
    let plans: [(&str, Plan); 4] = [
        ("choice-ddmin", single(by_id("choice-ddmin")?)),
        ("choice-ddmin-nop", single(by_id("choice-ddmin-nop")?)),
        (
            "choice-ddmin-aligned",
            single(by_id("choice-ddmin-aligned")?),
        ),
        ("choices", plan(&replay)),
    ];
    for (name, plan) in plans {
        let mut column = Column::default();
        for run in &runs {
            let input = Input::single("choices", encode_run(run))?;
            let outcome = Reduction::new(input, &judge, plan.clone())
                .verify(false)
                .run()?;
            let left = replay
                .replay(&decode(outcome.input.bytes())?)
                .unwrap_or_default();
            column.tests += outcome.statistics.tests;
            column.programs += outcome.statistics.tests;
            column.choices += left.choices.len();
            column.add(&left.text);
        }
        row(name, column);
    }
    // The same texts as texts: what does not parse, or uses a name that is not defined, is no
    // candidate, as for somebody whose test looks at what it is given.
    let programs = AtomicU64::new(0);
    let valid = |text: &[u8]| {
        let valid = is_defined(text) && parser.accepts(text).unwrap_or(false);
        programs.fetch_add(u64::from(valid), Ordering::Relaxed);
        valid && fails(text)
    };
    let valid = Closure::new(valid);
    let chars = pass::by_id("chars").ok_or("no pass chars")?;
    let ddmin = "ddmin".parse::<list_minimizer::MinimizerChoice>()?;
    // Trees come from the grammar; that names are defined, it does not say.
    let tree = |walk: Arc<dyn TreeReducer>| -> Arc<dyn Pass> {
        Arc::new(TreePass::new(walk, Arc::clone(&parser) as Arc<dyn Syntax>))
    };
    let trees = Trees::new(Arc::clone(&parser) as Arc<dyn Syntax>);
    let walk = |id: &str| {
        nubbin_published::catalogue()
            .tree_reducer(id)
            .map(tree)
            .ok_or("no such walk")
    };
    let published = |id: &str| -> Result<Option<Plan>, Box<dyn Error>> {
        let reducer = nubbin_published::catalogue()
            .tree_reducer(id)
            .ok_or("no such walk")?;
        Ok(Some(Plan::single(walk(id)?, reducer.list_minimizer())))
    };
    let again = |id: &str| -> Result<Option<Plan>, Box<dyn Error>> {
        let mut plan = Plan::of(vec![walk(id)?]);
        plan.algorithm = Some(ddmin.clone());
        Ok(Some(plan))
    };
    let lists: [(&str, Option<Plan>, bool); 8] = [
        (
            "ddmin on characters",
            Some(Plan::single(chars, ddmin.clone())),
            false,
        ),
        ("hdd", published("hdd")?, false),
        ("hdd until nothing changes", again("hdd")?, false),
        ("perses", published("perses")?, false),
        ("perses until nothing changes", again("perses")?, false),
        ("grabr-generative", published("grabr-generative")?, false),
        ("auto on the text", None, false),
        ("auto with the grammar", None, true),
    ];
    for (name, plan, with_grammar) in lists {
        let mut column = Column::default();
        programs.store(0, Ordering::Relaxed);
        for run in &runs {
            let input = Input::single("text", run.text.clone())?;
            let plan = plan.clone().unwrap_or_else(|| match with_grammar {
                true => auto::with_trees(auto::plan(&input).with_fact(SortTables(SORTS)), &trees),
                false => auto::plan(&input).with_fact(SortTables(SORTS)),
            });
            let outcome = Reduction::new(input, &valid, plan).verify(false).run()?;
            column.tests += outcome.statistics.tests;
            column.add(outcome.input.bytes());
        }
        column.programs = programs.load(Ordering::Relaxed);
        row(name, column);
    }
    // The cost of a test beside the test.
    let started = Instant::now();
    let mut replayed = 0u64;
    while started.elapsed().as_millis() < 1000 {
        for run in &runs {
            replayed += u64::from(replay.replay(&run.values()).is_some());
        }
    }
    let all = replayed as f64 / started.elapsed().as_secs_f64();
    println!("{all:.0} replays a second of runs as they are at first");
    Ok(())
}

impl Column {
    fn add(&mut self, text: &[u8]) {
        self.bytes += text.len();
        let shown = String::from_utf8_lossy(text).escape_debug().to_string();
        *self.texts.entry(shown).or_default() += 1;
    }
}

/// The first failing run of each seed.
fn failing(generator: &Generator, seeds: u64) -> Vec<Run> {
    let make = |seed: u64| {
        let mut runs = (0..10_000).filter_map(|number| generator.record(seed << 32 | number));
        runs.find(|run| fails(&run.text))
    };
    (0..seeds).filter_map(make).collect()
}
