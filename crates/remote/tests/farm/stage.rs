//! Oracles for tests of farms.

use nubbin_oracle::{CommandOracle, Options as LocalOptions, Predicate, TestCommand};
use nubbin_reduce::auto;
use nubbin_reduce::engine::{Outcome, Reduction};
use nubbin_reduce::input::Input;
use nubbin_remote::{Access, Options, RemoteOracle};
use nubbin_verdict::{Ask, Candidate, Fault, File, Oracle, Verdict};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The name of the input.
pub(crate) const NAME: &str = "input.txt";

/// Makes the oracle of a shell line on this machine, with one slot or more.
pub(crate) fn local(line: &str, jobs: usize) -> Arc<CommandOracle> {
    with(line, jobs, Predicate::new())
}

pub(crate) fn with(line: &str, jobs: usize, predicate: Predicate) -> Arc<CommandOracle> {
    let command = TestCommand::shell(line).unwrap();
    let mut options = LocalOptions::new(command, vec![PathBuf::from(NAME)]);
    options.jobs = jobs;
    options.predicate = predicate;
    Arc::new(CommandOracle::new(options).unwrap())
}

/// Makes the options of a farm that has slots, without slots on this machine.
pub(crate) fn options(address: &str, there: usize) -> Options {
    let mut options = Options::new(Access {
        address: address.to_owned(),
        ..Access::default()
    });
    options.there = there;
    options
}

/// Keeps what is said.
pub(crate) fn hear(options: &mut Options) -> Arc<Mutex<Vec<String>>> {
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let keep = Arc::clone(&heard);
    options.say = Box::new(move |text| keep.lock().unwrap().push(text.to_owned()));
    heard
}

/// Asks for a verdict on a text.
pub(crate) fn judge(oracle: &dyn Oracle, text: &str) -> Result<Verdict, Fault> {
    judge_with(oracle, text, &Ask::new(0))
}

pub(crate) fn judge_with(oracle: &dyn Oracle, text: &str, ask: &Ask) -> Result<Verdict, Fault> {
    let file = [File {
        name: Path::new(NAME),
        bytes: text.as_bytes(),
    }];
    oracle.judge(&Candidate::new(&file), ask)
}

/// Asks for verdicts on texts at the same time.
pub(crate) fn judge_all(oracle: &RemoteOracle, texts: &[String]) -> Vec<Verdict> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = texts
            .iter()
            .enumerate()
            .map(|(slot, text)| {
                scope.spawn(move || judge_with(oracle, text, &Ask::new(slot)).unwrap())
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    })
}

/// Checks a farm with a text that should fail.
pub(crate) fn check(oracle: &RemoteOracle, text: &str) -> Result<(), nubbin_remote::RemoteError> {
    let file = [File {
        name: Path::new(NAME),
        bytes: text.as_bytes(),
    }];
    let cancel = nubbin_verdict::Cancel::new();
    oracle.check(&Candidate::new(&file), &cancel)
}

/// Reduces a text with the default plan.
pub(crate) fn reduce(text: &str, oracle: &dyn Oracle, jobs: usize) -> Outcome {
    let input = Input::single(NAME, text.as_bytes().to_vec()).unwrap();
    let plan = auto::plan(&input);
    let reduction = Reduction::new(input, oracle, plan).jobs(jobs);
    reduction.run().unwrap()
}

/// Returns what must not depend on the place of tests: the result, and the counted tests.
pub(crate) fn facts(outcome: &Outcome) -> (String, u64, u64) {
    let text = String::from_utf8_lossy(outcome.input.bytes()).into_owned();
    (text, outcome.statistics.tests, outcome.statistics.failing)
}

/// A text of lines, two of which a test needs.
pub(crate) fn text() -> String {
    let lines = (0..40).map(|nth| match nth {
        11 => "the crash is here\n".to_owned(),
        30 => "and the boom\n".to_owned(),
        nth => format!("line {nth} {}\n", "x".repeat(nth % 7)),
    });
    lines.collect()
}

/// The test of that text.
pub(crate) const TEST: &str = "grep -q crash input.txt && grep -q boom input.txt";

/// Waits until a condition holds; panics after a time that no machine needs.
pub(crate) fn wait_for(what: &str, condition: impl Fn() -> bool) {
    for _ in 0..6000 {
        if condition() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{what} has not come");
}
