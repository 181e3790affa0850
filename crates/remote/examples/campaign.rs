//! The worth of a farm to a campaign: the table of `notes/decisions/0043-the-worth-of-a-farm.md`.
//! Needs an empty farm at the address in `REMOTE_TEST`.
//!
//! `scripts/casd --jobs 2 -- cargo run --release -p nubbin-remote --example campaign`
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use nubbin_campaign::{
    Budget, Campaign, FuzzError, FuzzJob, Jobs, Limits, Made, Program, ProgramJobs, Rules, Source,
    Store, Stream, Test,
};
use nubbin_oracle::{CommandOracle, Options as LocalOptions, PlaceCounts, TestCommand};
use nubbin_remote::{Access, Options, RemoteOracle};
use nubbin_verdict::Cancel;
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

const SLOTS: usize = 2;
const SECONDS: u64 = 20;

/// Tests that differ, so that no cache helps.
struct Numbers(String);

impl Source for Numbers {
    fn make(&self, position: u64, _: &Cancel) -> Result<Made, FuzzError> {
        Ok(Made::Test(Test::new(format!("{} {position}\n", self.0))))
    }
}

/// The sharing of actions by tests.
#[derive(Clone, Copy)]
enum Place {
    Here,
    /// With at most this number of tests in an action.
    There(usize),
}

fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::var("REMOTE_TEST")?;
    for millis in [5, 50, 200] {
        println!("tests of {millis} ms, {SLOTS} slots, {SECONDS} s");
        let here = rate(&address, millis, Place::Here)?.0;
        println!("  local {here:.1} tests/s");
        for most in [1, 128] {
            let (there, counts) = rate(&address, millis, Place::There(most))?;
            println!(
                "  farm {there:.1} tests/s: {:.0} % ({:.1} tests in an action)",
                there / here * 100.0,
                counts.there as f64 / counts.actions.max(1) as f64
            );
        }
    }
    Ok(())
}

/// Returns the tests per second of a campaign, and where they ran.
fn rate(address: &str, millis: u64, place: Place) -> Result<(f64, PlaceCounts), Box<dyn Error>> {
    let line = format!("sleep 0.{millis:03}; grep -q 7 input.txt");
    let mut local = LocalOptions::new(TestCommand::shell(line)?, vec![PathBuf::from("input.txt")]);
    local.jobs = SLOTS;
    local.timeout = Some(Duration::from_secs(10));
    let program = Program::new("p", CommandOracle::new(local)?, Rules::default());
    let mut name = format!("here {millis}");
    if let Place::There(most) = place {
        let mut options = Options::new(Access {
            address: address.to_owned(),
            ..Access::default()
        });
        options.there = SLOTS;
        options.time_limit = Some(Duration::from_secs(10));
        options.first_time = Duration::from_millis(millis);
        options.most_tests = most;
        program.set_runner(Arc::new(RemoteOracle::new(program.oracle(), options)?));
        name = format!("there {millis} {most}");
    }
    let program = Arc::new(program);
    let folder = tempfile::tempdir()?;
    let store = Store::create(folder.path())?;
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
            fuzz: Box::new(Stream::new(Box::new(Numbers(name)), Arc::clone(&program))),
            weight: 1.0,
            instances: SLOTS,
            batch: None,
            expects_failures: false,
            comes_first: false,
        }],
    };
    let budget = Budget {
        cores: SLOTS,
        memory: None,
    };
    let limits = Limits {
        time: Some(Duration::from_secs(SECONDS)),
        ..Limits::default()
    };
    let campaign = Campaign::new(store, jobs, budget, limits, vec![])?;
    campaign.run()?;
    let rate = campaign.tests() as f64 / campaign.elapsed().as_secs_f64();
    Ok((rate, program.runner().place_counts().unwrap_or_default()))
}
