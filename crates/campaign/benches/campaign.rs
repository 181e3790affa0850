//! The cost of a campaign, as ratios within one run.
//!
//! `cargo bench -p nubbin-campaign` prints
//! - the tests per second of a campaign with an empty program, compared to the bare runner;
//! - the time to store a slice at the end of a million tests with 1,000 issues, compared to the
//!   time at the start.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints its figures, and ends with a panic"
)]

use nubbin_campaign::{
    Budget, Campaign, Found, FuzzError, FuzzJob, Identity, JobKind, Jobs, Limits, Made, Program,
    ProgramJobs, Rules, Severity, SliceEnd, Source, Store, Stream, Test,
};
use nubbin_oracle::{CommandOracle, Options, Sandbox, SandboxSupport, TestCommand};
use nubbin_verdict::{Cancel, Candidate, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

const CORES: usize = 2;
const SECONDS: u64 = 5;
const ROUNDS: usize = 3;

struct Numbers;

impl Source for Numbers {
    fn make(&self, position: u64, _stop: &Cancel) -> Result<Made, FuzzError> {
        Ok(Made::Test(Test::new(position.to_string())))
    }
}

fn oracle() -> CommandOracle {
    let words = ["true", "{}"].map(Into::into).to_vec();
    let command = TestCommand::new(words, Path::new("/")).unwrap();
    let mut options = Options::new(command, vec![PathBuf::from("test.txt")]);
    options.jobs = CORES;
    options.timeout = Some(Duration::from_secs(10));
    options.sandbox = SandboxSupport::of_this_system()
        .ok()
        .map(|_| Sandbox::new());
    options.owns_children = true;
    CommandOracle::new(options).unwrap()
}

/// Runs tests on all slots, and returns how many were run in a second.
fn bare() -> f64 {
    let oracle = oracle();
    let begin = Instant::now();
    let tests: u64 = std::thread::scope(|scope| {
        let work = |slot: usize| {
            let oracle = &oracle;
            move || {
                let cancel = Cancel::new();
                let mut tests = 0;
                while begin.elapsed() < Duration::from_secs(SECONDS) {
                    let text = tests.to_string();
                    let file = [File {
                        name: Path::new("test.txt"),
                        bytes: text.as_bytes(),
                    }];
                    let candidate = Candidate::new(&file);
                    oracle.observe_with(&candidate, slot, &cancel).unwrap();
                    tests += 1;
                }
                tests
            }
        };
        let threads: Vec<_> = (0..CORES).map(|slot| scope.spawn(work(slot))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .sum()
    });
    tests as f64 / begin.elapsed().as_secs_f64()
}

/// Runs a campaign, and returns how many tests it ran in a second.
fn whole() -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path()).unwrap();
    let program = Arc::new(Program::new("true", oracle(), Rules::default()));
    let jobs = Jobs {
        programs: vec![ProgramJobs {
            program: Arc::clone(&program),
            reduce: None,
            reduction_tests: 0,
            reduction_time: None,
            explain: None,
            explains: false,
            allows_empty: false,
            reduces_met: true,
            validations: 3,
            memory: 0,
            update: None,
        }],
        fuzz: vec![FuzzJob {
            program: 0,
            generator: "numbers".to_owned(),
            fuzz: Box::new(Stream::new(Box::new(Numbers), program)),
            weight: 1.0,
            instances: CORES,
            batch: None,
            expects_failures: false,
            comes_first: false,
        }],
    };
    let limits = Limits {
        time: Some(Duration::from_secs(SECONDS)),
        ..Limits::default()
    };
    let budget = Budget {
        cores: CORES,
        memory: None,
    };
    let campaign = Campaign::new(store, jobs, budget, limits, vec![]).unwrap();
    campaign.run().unwrap();
    campaign.tests() as f64 / campaign.elapsed().as_secs_f64()
}

fn throughput() {
    for round in 1..=ROUNDS {
        let (bare, whole) = (bare(), whole());
        println!(
            "throughput, round {round}: bare runner {bare:.0} tests/s, campaign {whole:.0} tests/s, \
             ratio {:.2}",
            whole / bare
        );
    }
}

fn found(number: u64) -> Found {
    let what = format!("`x > {number}` at a.c");
    Found {
        identity: Identity::new("assertion", &what, vec![]),
        severity: Severity::Low,
        test: Test::new(vec![b'x'; 1000]),
        exit: "SIGABRT".to_owned(),
        output: vec![b'y'; 1000],
        seen: 1,
        inputs: vec![],
    }
}

/// Stores a million tests in slices of 1,000, each with one new issue, or later, known ones.
fn million() {
    const SLICES: u64 = 1000;
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::create(folder.path()).unwrap();
    let mut times = vec![];
    for slice in 0..SLICES {
        let mut end = SliceEnd {
            tests: 1000,
            ..SliceEnd::default()
        };
        end.add(found(slice));
        for known in 0..5 {
            end.add(found(slice.saturating_sub(known * 7)));
        }
        let begin = Instant::now();
        let taken = store.take_positions("p", "g", &[], 1000).unwrap();
        store
            .record_slice("p", "g", "1", (taken, &end), JobKind::Validate)
            .unwrap();
        times.push(begin.elapsed().as_secs_f64());
    }
    let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64;
    let (first, last) = (mean(&times[..100]), mean(&times[900..]));
    println!(
        "a million tests, 1,000 issues: {:.2} µs a test at first, {:.2} µs at the end, ratio {:.2}",
        first * 1e3,
        last * 1e3,
        last / first
    );
}

fn main() {
    // `cargo test --benches` only asks whether it compiles.
    if std::env::args().any(|argument| argument == "--bench") {
        million();
        throughput();
    }
}
