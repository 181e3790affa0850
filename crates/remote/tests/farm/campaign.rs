//! Campaigns whose tests run on a farm.

use crate::fake::Fake;
use crate::stage::{hear, local, options, wait_for};
use nubbin_campaign::{
    Budget, Campaign, Ended, FuzzError, FuzzJob, Issue, IssueFilter, Jobs, Limits, Made, Outcome,
    Program, ProgramJobs, Reduce, ReduceError, Reduced, Reduction, Rules, Source, Store, Stream,
    Task, Test, Variant,
};
use nubbin_oracle::{RunRequest, Runner, TestCommand};
use nubbin_reduce::auto;
use nubbin_reduce::engine;
use nubbin_reduce::input::Input;
use nubbin_remote::{Options, RemoteOracle};
use nubbin_verdict::{Ask, Cancel, Candidate, Fault, File, Oracle, Unresolved, Verdict};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A program that fails in three ways, by the words in its test.
pub(crate) const PROGRAM: &str = "fail() { echo \"p: a.c:$2: f: Assertion \\`$1' failed.\" >&2; kill -ABRT $$; }\n\
    case $(cat input.txt) in *boom*) kill -SEGV $$ ;; *first*) fail x 1 ;; *second*) fail y 2 ;; esac";
/// The number of tests of a campaign.
const TESTS: u64 = 120;

/// Tests by their positions.
struct Texts;

impl Source for Texts {
    fn make(&self, position: u64, _: &Cancel) -> Result<Made, FuzzError> {
        let word = match position % 20 {
            3 => "boom",
            8 => "first",
            15 => "second",
            _ => "good",
        };
        Ok(match position < TESTS {
            true => Made::Test(Test::new(format!("some text around {word} {position}"))),
            false => Made::Exhausted,
        })
    }
}

/// A reducer as a campaign has one.
struct Smaller;

struct Same<'a>(&'a Task<'a>);

impl Oracle for Same<'_> {
    fn judge(&self, candidate: &Candidate<'_>, ask: &Ask) -> Result<Verdict, Fault> {
        let program = self.0.program;
        let ran = program.run(candidate.bytes(), self.0.slot, &ask.cancel);
        Ok(match ran.map_err(Fault::new)?.outcome {
            Outcome::Issue(identity, _) if self.0.issue.is_shown_by(&identity, "") => Verdict::Fail,
            Outcome::Stopped => Verdict::Unresolved(Unresolved::Cancelled),
            _ => Verdict::Pass,
        })
    }
}

impl Reduce for Smaller {
    fn reduce(&self, task: &Task<'_>) -> Result<Reduced, ReduceError> {
        let input = Input::single("input.txt", task.issue.test.clone()).unwrap();
        let plan = auto::plan(&input);
        let same = Same(task);
        let reduction = engine::Reduction::new(input, &same, plan).jobs(task.at_once);
        let outcome = reduction.run().map_err(|source| ReduceError {
            issue: task.issue.id,
            source: Box::new(source),
        })?;
        Ok(Reduced {
            test: Some(outcome.input.bytes().to_vec()),
            recipe: None,
            tests: outcome.statistics.tests,
            is_done: true,
            is_limited: false,
            fails: true,
        })
    }
}

/// Makes the program of a shell line, with a farm or without.
pub(crate) fn program(line: &str, farm: Option<Options>) -> Arc<Program> {
    program_with(line, vec![], farm)
}

fn program_with(line: &str, variants: Vec<Variant>, farm: Option<Options>) -> Arc<Program> {
    let oracle = Arc::into_inner(local(line, 2)).unwrap();
    let program = Program::new("p", oracle, Rules::default()).variants(variants);
    if let Some(farm) = farm {
        let runner = RemoteOracle::new(program.oracle(), farm).unwrap();
        program.set_runner(Arc::new(runner));
    }
    Arc::new(program)
}

/// The facts that must not depend on the place of tests: the number of tests, and the issues with
/// how often they were seen and their smallest tests.
type Facts = (u64, BTreeMap<String, (u64, String)>);

/// Runs a campaign to its end, with this number of jobs at the same time.
pub(crate) fn campaign(program: &Arc<Program>, jobs: usize, meanwhile: impl FnOnce()) -> Facts {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path()).unwrap();
    let all = Jobs {
        programs: vec![ProgramJobs {
            program: Arc::clone(program),
            reduce: Some(Box::new(Smaller)),
            reduction_tests: 1000,
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
            generator: "texts".to_owned(),
            fuzz: Box::new(Stream::new(Box::new(Texts), Arc::clone(program))),
            weight: 1.0,
            // The tests have an end, so there is no slice beside another one.
            instances: 1,
            batch: None,
            expects_failures: false,
            comes_first: false,
        }],
    };
    let budget = Budget {
        cores: jobs,
        memory: None,
    };
    let campaign = Campaign::new(store, all, budget, Limits::default(), vec![]).unwrap();
    let ended = std::thread::scope(|scope| {
        let running = scope.spawn(|| campaign.run().unwrap());
        meanwhile();
        running.join().unwrap()
    });
    assert_eq!(ended, Ended::Complete);
    drop(campaign);
    let store = Store::open_to_read(folder.path()).unwrap();
    let tests = store
        .statistics()
        .unwrap()
        .iter()
        .map(|row| row.tests)
        .sum();
    let issues: Vec<Issue> = store.issues(&IssueFilter::default()).unwrap();
    let of = |issue: &Issue| {
        assert_eq!((issue.hits, issue.tries), (3, 3), "{}", issue.identity);
        assert_eq!(issue.reduction, Reduction::Done, "{}", issue.identity);
        let smallest = String::from_utf8(issue.smallest().to_vec()).unwrap();
        (issue.identity.to_string(), (issue.seen, smallest))
    };
    assert!(store.jobs().unwrap().is_empty());
    (tests, issues.iter().map(of).collect())
}

/// The facts of a campaign on this machine.
pub(crate) fn expected() -> Facts {
    let facts = campaign(&program(PROGRAM, None), 2, || {});
    assert_eq!(facts.0, TESTS);
    let smallest: Vec<&str> = facts.1.values().map(|(_, text)| &**text).collect();
    assert_eq!(smallest, ["first", "second", "boom"]);
    facts
}

#[test]
fn issues_and_counts_are_those_of_this_machine() {
    let farm = Fake::start(3);
    let expected = expected();
    for (here, there, first) in [(0, 1, 2), (0, 3, 100), (1, 2, 10)] {
        let mut options = options(&farm.address, there);
        options.here = here;
        options.first_time = Duration::from_millis(first);
        let program = program(PROGRAM, Some(options));
        let found = campaign(&program, here + there, || {});
        assert_eq!(found, expected, "{here} local, {there} on the farm");
        let counts = program.runner().place_counts().unwrap();
        assert!(counts.there > 0 || counts.known > 0, "{counts:?}");
    }
}

#[test]
fn short_tests_of_a_slice_share_an_action() {
    let farm = Fake::start(1);
    let mut options = options(&farm.address, 1);
    options.first_time = Duration::from_millis(5);
    let program = program("true", Some(options));
    assert_eq!(program.at_once(1), 100);
    campaign(&program, 1, || {});
    let counts = program.runner().place_counts().unwrap();
    assert_eq!(counts.there, TESTS);
    assert!(counts.actions <= TESTS / 4, "{counts:?}");
}

#[test]
fn a_farm_that_goes_away_is_done_without_or_waited_for() {
    let expected = expected();
    for here in [1, 0] {
        let mut farm = Fake::start(2);
        let mut options = options(&farm.address, 2);
        options.here = here;
        let heard = hear(&mut options);
        let program = program(PROGRAM, Some(options));
        let there = || program.runner().place_counts().unwrap().there;
        let found = campaign(&program, here + 2, || {
            wait_for("a test on the farm", || there() > 4);
            farm.end();
            if here == 0 {
                wait_for("a word", || !heard.lock().unwrap().is_empty());
                farm.again(2);
            }
        });
        assert_eq!(found, expected, "{here} local");
        let heard = heard.lock().unwrap();
        let said = heard.first().unwrap();
        let then = match here {
            0 => "waiting for it",
            _ => "tests run on this machine meanwhile",
        };
        assert!(said.contains(then), "{said}");
    }
}

#[test]
fn a_farm_that_refuses_is_no_end_of_a_fuzz_job() {
    let farm = Fake::start(1);
    let program = program(PROGRAM, Some(options(&farm.address, 1)));
    *farm.inside.faults.token.lock().unwrap() = Some("another".to_owned());
    let found = campaign(&program, 1, || {
        std::thread::sleep(Duration::from_secs(1));
        *farm.inside.faults.token.lock().unwrap() = None;
    });
    assert_eq!(found, expected());
}

#[test]
fn a_validation_is_a_new_run() {
    let farm = Fake::start(1);
    let program = program("true", Some(options(&farm.address, 1)));
    let executed = || farm.inside.executed.load(Ordering::SeqCst);
    let stop = Cancel::new();
    for _ in 0..2 {
        program.run_uncached(b"x", 0, &stop).unwrap();
    }
    assert_eq!(executed(), 2);
    // Another process asks for the same.
    let other = self::program("true", Some(options(&farm.address, 1)));
    other.run(b"x", 0, &stop).unwrap();
    assert_eq!(executed(), 2);
    other.run_uncached(b"x", 0, &stop).unwrap();
    assert_eq!(executed(), 3);
}

#[test]
fn paths_of_places_are_no_difference_between_variants() {
    let farm = Fake::start(2);
    let variant = |line: &str| {
        vec![Variant {
            name: "other".to_owned(),
            command: TestCommand::shell(line).unwrap(),
        }]
    };
    let stop = Cancel::new();
    for (line, is_issue) in [("pwd", false), ("pwd; echo more", true)] {
        let farm = Some(options(&farm.address, 1));
        let program = program_with("pwd", variant(line), farm);
        let observed = program.run(b"x", 0, &stop).unwrap();
        let found = matches!(observed.outcome, Outcome::Issue(..));
        assert_eq!(found, is_issue, "{line}");
    }
}

#[test]
fn a_program_that_was_updated_is_sent_again() {
    let farm = Fake::start(1);
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("prog.sh");
    std::fs::write(&script, "echo old\n").unwrap();
    let line = format!("sh {}", script.display());
    let here = local(&line, 1);
    let runner = RemoteOracle::new(&here, options(&farm.address, 1)).unwrap();
    let said = || {
        let file = [File {
            name: Path::new("input.txt"),
            bytes: b"x",
        }];
        let request = RunRequest {
            command: here.command(),
            candidate: &Candidate::new(&file),
            slot: 0,
            cancel: &Cancel::new(),
            is_anew: false,
        };
        let run = runner.observe_request(&request).unwrap();
        String::from_utf8(run.stdout().to_vec()).unwrap()
    };
    assert_eq!(said(), "old\n");
    std::fs::write(&script, "echo new\n").unwrap();
    runner.refresh().unwrap();
    assert_eq!(said(), "new\n");
}
