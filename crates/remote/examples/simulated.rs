//! The worth of a farm of 1,000 slots: the engine on a simulated clock, with the verdicts of real
//! tests, for a table of `notes/decisions/0043-the-worth-of-a-farm.md`.
//!
//! `cargo run --release -p nubbin-remote --example simulated -- RECORD CASE...`
//!
//! A case is a folder with `input.*` and `interesting.sh`. Verdicts are kept in the folder RECORD,
//! so that every text is tested once for all numbers of slots. Each test takes the time in the
//! first column, plus or minus 30 %, and 50 ms more on a farm. Syntax trees are not used.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use nubbin_oracle::{CommandOracle, Options, TestCommand};
use nubbin_reduce::auto;
use nubbin_reduce::edit::{Fingerprint, fingerprint};
use nubbin_reduce::engine::{Outcome, Reduction};
use nubbin_reduce::input::Input;
use nubbin_reduce::random::SplitMix64;
use nubbin_verdict::{Ask, Candidate, Fault, Oracle, Verdict};
use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

const LATENCY: Duration = Duration::from_millis(50);
const SECONDS: [u64; 3] = [1, 10, 60];
const CORES: usize = 8;
const SLOTS: usize = 1000;
/// Tests that are counted in each run, at most.
const MAX_TESTS: u64 = 400;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let record = args.next().ok_or("usage: simulated RECORD CASE...")?;
    fs::create_dir_all(&record)?;
    println!(
        "| case | test | 1 slot | {CORES} local | {SLOTS} on a farm | times 1 | times {CORES} | started | counted |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for case in args {
        let name = case
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let oracle = Recorded::open(&case, &record.join(&name))?;
        for seconds in SECONDS {
            let test = Duration::from_secs(seconds);
            let run = |slots, latency| simulate(&oracle, slots, test, latency);
            let one = run(1, Duration::ZERO)?;
            let here = run(CORES, Duration::ZERO)?;
            let there = run(SLOTS, LATENCY)?;
            let time = |outcome: &Outcome| outcome.statistics.elapsed.as_secs_f64();
            if one.input.bytes() != there.input.bytes()
                || one.statistics.tests != there.statistics.tests
            {
                return Err("the results differ".into());
            }
            println!(
                "| {name} | {seconds} s | {:.0} s | {:.0} s | {:.0} s | {:.1} | {:.1} | {} | {} |",
                time(&one),
                time(&here),
                time(&there),
                time(&one) / time(&there),
                time(&here) / time(&there),
                there.statistics.started,
                there.statistics.tests,
            );
        }
    }
    Ok(())
}

fn simulate(
    oracle: &Recorded,
    slots: usize,
    test: Duration,
    latency: Duration,
) -> Result<Outcome, Box<dyn Error>> {
    let time = |_: &Input, print: Fingerprint| {
        let share = (SplitMix64::new(print.0 as u64).next() >> 11) as f64 / (1u64 << 53) as f64;
        test.mul_f64(0.7 + 0.6 * share) + latency
    };
    let input = Input::single(oracle.name.clone(), oracle.original.clone())?;
    let plan = auto::plan(&input);
    Ok(Reduction::new(input, oracle, plan)
        .jobs(slots)
        .simulate(&time)
        .max_tests(MAX_TESTS)
        .verify(false)
        .run()?)
}

/// A test whose verdicts are kept in a file.
struct Recorded {
    oracle: CommandOracle,
    name: PathBuf,
    original: Vec<u8>,
    known: Mutex<HashMap<u128, bool>>,
    file: Mutex<fs::File>,
}

impl Recorded {
    fn open(case: &Path, record: &Path) -> Result<Self, Box<dyn Error>> {
        let is_input = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == "input");
        let mut entries = fs::read_dir(case)?.filter_map(|entry| Some(entry.ok()?.path()));
        let input = entries.find(is_input).ok_or("a case without an input")?;
        let name = PathBuf::from(input.file_name().unwrap_or_default());
        let program = case.canonicalize()?.join("interesting.sh");
        let command = TestCommand::new(vec![program.into_os_string()], Path::new("/"))?;
        let mut options = Options::new(command, vec![name.clone()]);
        options.timeout = Some(Duration::from_secs(60));
        let text = fs::read_to_string(record).unwrap_or_default();
        let known = text.lines().filter_map(|line| {
            let (print, word) = line.split_once(' ')?;
            Some((u128::from_str_radix(print, 16).ok()?, word == "fail"))
        });
        Ok(Recorded {
            oracle: CommandOracle::new(options)?,
            name,
            original: fs::read(&input)?,
            known: Mutex::new(known.collect()),
            file: Mutex::new(fs::File::options().create(true).append(true).open(record)?),
        })
    }
}

impl Oracle for Recorded {
    fn judge(&self, candidate: &Candidate<'_>, ask: &Ask) -> Result<Verdict, Fault> {
        let print = fingerprint(candidate.bytes()).0;
        let known = self
            .known
            .lock()
            .map_err(|_| Fault::new("poisoned"))?
            .get(&print)
            .copied();
        let fails = match known {
            Some(fails) => fails,
            None => {
                let fails = self.oracle.judge(candidate, ask)?.is_fail();
                let mut known = self.known.lock().map_err(|_| Fault::new("poisoned"))?;
                known.insert(print, fails);
                let word = if fails { "fail" } else { "pass" };
                let mut file = self.file.lock().map_err(|_| Fault::new("poisoned"))?;
                writeln!(file, "{print:x} {word}").map_err(Fault::new)?;
                fails
            }
        };
        Ok(if fails { Verdict::Fail } else { Verdict::Pass })
    }
}
