//! The worth of a farm: the figures of
//! `notes/decisions/0042-farms-by-the-remote-execution-api.md`. Needs an empty farm at the address
//! in `REMOTE_TEST`.
//!
//! `scripts/casd -- cargo run --release -p nubbin-remote --example throughput`
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use nubbin_oracle::{CommandOracle, Options as LocalOptions, PlaceCounts, TestCommand};
use nubbin_reduce::auto;
use nubbin_reduce::engine::Reduction;
use nubbin_reduce::input::Input;
use nubbin_remote::{Access, Options, RemoteOracle};
use nubbin_verdict::{Ask, Candidate, File, Oracle};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const NAME: &str = "input.txt";
const SLOTS: usize = 2;
/// Actions at the same time, so that the farm has the next one when one ends.
const QUEUED: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::var("REMOTE_TEST")?;
    println!("test of 200 ms, {SLOTS} slots, 60 tests");
    let long = local("sleep 0.2; grep -q 7 input.txt")?;
    let here = rate(&*long, SLOTS, 60, "here")?;
    let farm = open(&long, &address, Duration::from_millis(800), SLOTS, 1)?;
    let there = rate(&farm, SLOTS, 60, "there")?;
    println!(
        "  local {here:.2} tests/s, farm {there:.2} tests/s: {:.0} %",
        there / here * 100.0
    );
    let farm = open(&long, &address, Duration::from_millis(800), QUEUED, 1)?;
    let queued = rate(&farm, QUEUED, 60, "queued")?;
    println!(
        "  {QUEUED} actions for {SLOTS} slots: {queued:.2} tests/s: {:.0} %",
        queued / here * 100.0
    );

    println!("test of 5 ms, {SLOTS} slots, 600 tests");
    let short = local("sleep 0.005; grep -q 7 input.txt")?;
    let here = rate(&*short, SLOTS, 600, "short")?;
    let single = open(&short, &address, Duration::from_millis(5), SLOTS, 1)?;
    let alone = rate(&single, SLOTS, 60, "single")?;
    let bundles = open(&short, &address, Duration::from_millis(5), QUEUED, 128)?;
    let together = rate(&bundles, bundles.jobs(), 600, "bundle")?;
    println!(
        "  here {here:.1} tests/s, one in an action {alone:.1} tests/s, several {together:.1} \
         tests/s: {:.1} times as many ({:.1} tests in an action)",
        together / alone,
        per_action(bundles.counts())
    );

    println!("the same reduction by two users");
    for user in ["first", "second"] {
        let needs = local("grep -q crash input.txt && grep -q boom input.txt")?;
        let farm = open(&needs, &address, Duration::from_millis(5), SLOTS, 128)?;
        let text: String = (0..200)
            .map(|nth| match nth {
                40 => "the crash\n".to_owned(),
                150 => "the boom\n".to_owned(),
                nth => format!("line {nth} {}\n", "x".repeat(nth % 9)),
            })
            .collect();
        let input = Input::single(NAME, text.into_bytes())?;
        let plan = auto::plan(&input);
        let outcome = Reduction::new(input, &farm, plan).jobs(8).run()?;
        let counts = farm.counts();
        println!(
            "  {user}: {} tests counted; {} ran, {} were known: {:.1} %",
            outcome.statistics.tests,
            counts.there,
            counts.known,
            counts.known as f64 / (counts.known + counts.there) as f64 * 100.0
        );
    }
    Ok(())
}

fn local(line: &str) -> Result<Arc<CommandOracle>, Box<dyn Error>> {
    let command = TestCommand::shell(line)?;
    let mut options = LocalOptions::new(command, vec![PathBuf::from(NAME)]);
    options.jobs = SLOTS;
    Ok(Arc::new(CommandOracle::new(options)?))
}

fn open(
    local: &Arc<CommandOracle>,
    address: &str,
    first_time: Duration,
    there: usize,
    most_tests: usize,
) -> Result<RemoteOracle, Box<dyn Error>> {
    let mut options = Options::new(Access {
        address: address.to_owned(),
        ..Access::default()
    });
    options.there = there;
    options.first_time = first_time;
    options.most_tests = most_tests;
    Ok(RemoteOracle::new(local, options)?)
}

/// Returns the tests per second of an oracle that is asked by as many threads.
fn rate(
    oracle: &dyn Oracle,
    threads: usize,
    count: usize,
    name: &str,
) -> Result<f64, Box<dyn Error>> {
    let next = AtomicUsize::new(0);
    let wrong = AtomicUsize::new(0);
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for slot in 0..threads {
            let (next, wrong) = (&next, &wrong);
            scope.spawn(move || {
                loop {
                    let nth = next.fetch_add(1, Ordering::Relaxed);
                    if nth >= count {
                        return;
                    }
                    // No two tests are the same, so that no cache helps.
                    let text = format!("{name} {nth}\n");
                    let file = [File {
                        name: Path::new(NAME),
                        bytes: text.as_bytes(),
                    }];
                    let verdict = oracle.judge(&Candidate::new(&file), &Ask::new(slot));
                    let is_right = verdict.is_ok_and(|it| it.is_fail() == text.contains('7'));
                    wrong.fetch_add(usize::from(!is_right), Ordering::Relaxed);
                }
            });
        }
    });
    match wrong.into_inner() {
        0 => Ok(count as f64 / begin.elapsed().as_secs_f64()),
        wrong => Err(format!("{wrong} verdicts are wrong").into()),
    }
}

fn per_action(counts: PlaceCounts) -> f64 {
    counts.there as f64 / counts.actions.max(1) as f64
}
