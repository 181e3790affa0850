//! Tests per second through the oracle, against starting and awaiting the same command by hand.
//!
//! `cargo bench -p nubbin-oracle` prints both and their ratio. Each round runs both ways one after
//! the other, so that a busy machine slows both; the ratio is the median over the rounds. Then it
//! compares tests in a sandbox with tests without one, and with tests in a sandbox for files only,
//! in the same way: `true`, and 5 ms of sleep.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![allow(clippy::disallowed_methods, reason = "tests make files of any kind")]

use nubbin_oracle::{CommandOracle, Options, Predicate, Sandbox, SandboxSupport, TestCommand};
use nubbin_verdict::{Ask, Candidate, File, Oracle as _, Verdict};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const THREADS: usize = 2;
const TESTS: usize = 400;
const ROUNDS: usize = 15;
const TURNS: usize = 500;
const GROUPS: usize = 5;
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
            // Landlock alone, as there is nothing left for the filter to refuse.
            let files = || Sandbox::new().network().writable("/dev/shm");
            for words in [&["true"][..], &["sleep", "0.005"]] {
                measure_sandbox(words, [None, Some(Sandbox::new())], "without a sandbox");
                let both = [Some(files()), Some(Sandbox::new())];
                measure_sandbox(words, both, "in one for files only");
            }
        }
        Err(error) => println!("sandbox: {error}"),
    }
}

/// Compares tests in two sandboxes, of which the second one is the whole sandbox. Tests of both
/// take turns, one by one for their times, and in larger groups for the time of the processor,
/// which other programs disturb less.
fn measure_sandbox(words: &[&str], sandboxes: [Option<Sandbox>; 2], other: &str) {
    let content = vec![b'x'; SIZE];
    let oracles = sandboxes.map(|sandbox| oracle(words, Predicate::new(), sandbox));
    let mut times = [Vec::new(), Vec::new()];
    for test in 0..2 * TURNS {
        let begin = Instant::now();
        judge(&oracles[test % 2], 0, &content);
        times[test % 2].push(begin.elapsed().as_secs_f64() * 1e6);
    }
    let [outside, inside] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[TURNS / 2]
    });
    let mut busy = [0.0; 2];
    for group in 0..2 * GROUPS {
        let begin = processor_time();
        (0..TURNS).for_each(|_| judge(&oracles[group % 2], 0, &content));
        busy[group % 2] += processor_time() - begin;
    }
    let [outside_busy, inside_busy] = busy.map(|time| 1e6 * time / (GROUPS * TURNS) as f64);
    println!(
        "`{}`: {other} {outside:.0} us, in the whole one {inside:.0} us, {:.1} % more; the processor \
         {outside_busy:.0} us and {inside_busy:.0} us",
        words.join(" "),
        100.0 * (inside / outside - 1.0),
    );
}

/// Returns the seconds for which this process and those that it has waited for have computed.
fn processor_time() -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let words = stat.rsplit(')').next().unwrap_or_default();
    let ticks = words.split_whitespace().skip(11).take(4);
    ticks
        .filter_map(|word| word.parse::<f64>().ok())
        .sum::<f64>()
        / TICKS_PER_SECOND
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
