//! Tests per second through the oracle, against starting and awaiting the same command by hand.
//!
//! `cargo bench -p nubbin-oracle` prints both and their ratio. Each round runs both ways one after
//! the other, so that a busy machine slows both; the ratio is the median over the rounds. Then it
//! compares tests in a sandbox with tests without one in the same way: `true`, and 5 ms of sleep.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use nubbin_oracle::{CommandOracle, Options, Predicate, Sandbox, SandboxSupport, TestCommand};
use nubbin_verdict::{Ask, Candidate, File, Oracle as _, Verdict};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const THREADS: usize = 2;
const TESTS: usize = 400;
const ROUNDS: usize = 15;
const SIZE: usize = 10_000;

fn main() {
    for (what, predicate) in [
        ("outputs not read", Predicate::new()),
        (
            "outputs read",
            Predicate::new()
                .not_stdout("x")
                .and_then(|it| it.not_stderr("x"))
                .unwrap_or_default(),
        ),
    ] {
        measure(what, predicate);
    }
    match SandboxSupport::of_this_system() {
        Ok(_) => {
            measure_sandbox(&["true"]);
            measure_sandbox(&["sleep", "0.005"]);
        }
        Err(error) => println!("sandbox: {error}"),
    }
}

fn measure_sandbox(words: &[&str]) {
    let content = vec![b'x'; SIZE];
    let outside = oracle(words, Predicate::new(), None);
    let inside = oracle(words, Predicate::new(), Some(Sandbox::new()));
    let mut rounds: Vec<(f64, f64)> = Vec::new();
    for round in 0..=ROUNDS {
        let outside = rate(|thread| judge(&outside, thread, &content));
        let inside = rate(|thread| judge(&inside, thread, &content));
        if round > 0 {
            rounds.push((outside, inside));
        }
    }
    let mut costs: Vec<f64> = rounds
        .iter()
        .map(|(outside, inside)| 1e6 * THREADS as f64 * (1.0 / inside - 1.0 / outside))
        .collect();
    costs.sort_by(f64::total_cmp);
    rounds.sort_by(|one, other| (one.1 / one.0).total_cmp(&(other.1 / other.0)));
    let (outside, inside) = rounds[ROUNDS / 2];
    println!(
        "`{}`: without a sandbox {outside:.0}/s, in one {inside:.0}/s, ratio {:.1} %; a test takes \
         {:.0} us more",
        words.join(" "),
        100.0 * inside / outside,
        costs[ROUNDS / 2],
    );
}

fn measure(what: &str, predicate: Predicate) {
    let content = vec![b'x'; SIZE];
    let oracle = oracle(&["true"], predicate, None);
    let dir = tempfile::tempdir_in(if Path::new("/dev/shm").is_dir() {
        "/dev/shm"
    } else {
        "/tmp"
    });
    let Ok(dir) = dir else {
        return println!("no place for the files of the bare loop");
    };
    let mut rounds: Vec<(f64, f64)> = Vec::new();
    for round in 0..=ROUNDS {
        let bare = rate(|thread| bare(dir.path(), thread, &content));
        let ours = rate(|thread| judge(&oracle, thread, &content));
        if round > 0 {
            rounds.push((bare, ours));
        }
    }
    rounds.sort_by(|one, other| (one.1 / one.0).total_cmp(&(other.1 / other.0)));
    let (bare, ours) = rounds[ROUNDS / 2];
    println!(
        "{what}: bare {bare:.0}/s, oracle {ours:.0}/s, ratio {:.1} % (lowest {:.1} %, highest {:.1} %)",
        100.0 * ours / bare,
        100.0 * rounds[0].1 / rounds[0].0,
        100.0 * rounds[ROUNDS - 1].1 / rounds[ROUNDS - 1].0,
    );
}

fn oracle(words: &[&str], predicate: Predicate, sandbox: Option<Sandbox>) -> CommandOracle {
    let words = words.iter().map(OsString::from);
    let command = TestCommand::new(words.collect(), Path::new("/"));
    let options = |command| Options {
        jobs: THREADS,
        timeout: Some(Duration::from_secs(10)),
        predicate,
        sandbox,
        ..Options::new(command, vec![PathBuf::from("input.c")])
    };
    match command
        .map_err(Into::into)
        .and_then(|command| CommandOracle::new(options(command)))
    {
        Ok(oracle) => oracle,
        Err(error) => panic!("{error}"),
    }
}

fn rate(run: impl Fn(usize) + Sync) -> f64 {
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let run = &run;
            scope.spawn(move || (0..TESTS).for_each(|_| run(thread)));
        }
    });
    (THREADS * TESTS) as f64 / begin.elapsed().as_secs_f64()
}

fn judge(oracle: &CommandOracle, thread: usize, content: &[u8]) {
    let files = [File {
        name: Path::new("input.c"),
        bytes: content,
    }];
    let verdict = oracle.judge(&Candidate::new(&files), &Ask::new(thread));
    assert!(matches!(verdict, Ok(Verdict::Fail)), "{verdict:?}");
}

fn bare(dir: &Path, thread: usize, content: &[u8]) {
    let written = std::fs::write(dir.join(thread.to_string()), content);
    let mut command = Command::new("/bin/true");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let status = command.spawn().and_then(|mut child| child.wait());
    assert!(written.is_ok() && status.is_ok_and(|status| status.success()));
}
