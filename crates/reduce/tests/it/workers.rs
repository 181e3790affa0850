//! Tests of several workers with a simulated clock, on which time passes only during tests.

use nubbin_reduce::edit::{Edit, Fingerprint};
use nubbin_reduce::engine::{Outcome, Reduction};
use nubbin_reduce::input::{File, Input};
use nubbin_reduce::pass::{Context, Pass, PassInfo};
use nubbin_reduce::plan::Plan;
use nubbin_reduce::span::Span;
use nubbin_reduce::work::{List, Proposals, Work};
use nubbin_verdict::Closure;
use std::sync::Arc;
use std::time::Duration;

const TEST: Duration = Duration::from_millis(200);

/// A pass with three proposals at one place, none of which succeeds.
struct Vain(&'static str, u32);

impl Pass for Vain {
    fn info(&self) -> PassInfo {
        PassInfo::new(self.0, "proposals without success", "this test")
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        let ways = (1..4).filter_map(|more| {
            let start = file.span.start + self.1;
            (start + more <= file.span.end).then(|| Edit::delete(Span::new(start, start + more)))
        });
        let list = List::new(Proposals::new(ways.collect::<Vec<_>>()));
        Some(Work::List(list))
    }
}

/// A pass that proposes to remove four bytes, three, two, and one. Only the last proposal succeeds.
struct Late(&'static str, u8);

impl Pass for Late {
    fn info(&self) -> PassInfo {
        PassInfo::new(self.0, "proposals of which the last succeeds", "this test")
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        let found = file.text.iter().position(|byte| *byte == self.1)? as u32;
        let start = file.span.start + found;
        let ways = [4, 3, 2, 1].map(|more| Edit::delete(Span::new(start, start + more)));
        let ways = ways
            .into_iter()
            .filter(|edit| edit.splices()[0].span.end <= file.span.end);
        let list = List::new(Proposals::new(ways.collect::<Vec<_>>()));
        Some(Work::List(list))
    }
}

const NAMES: [&str; 10] = ["p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9"];

/// Returns a plan of ten passes with three tests each, none of which succeeds.
fn all_in_vain() -> Plan {
    let passes = (0..10).map(|at| Arc::new(Vain(NAMES[at], 2 * at as u32)) as Arc<dyn Pass>);
    Plan::of(passes.collect())
}

fn reduce(
    text: &[u8],
    fails: impl Fn(&[u8]) -> bool + Sync,
    plan: Plan,
    workers: usize,
) -> Outcome {
    let oracle = Closure::new(fails);
    let time = |_: &Input, _: Fingerprint| TEST;
    let input = Input::single("text", text).expect("it is small");
    Reduction::new(input, &oracle, plan)
        .jobs(workers)
        .simulate(&time)
        .run()
        .expect("it fails")
}

#[test]
fn workers_continue_when_a_pass_ends() {
    let text: Vec<u8> = (b'a'..=b'z').collect();
    let all = |bytes: &[u8]| bytes.len() == 26;
    let alone = reduce(&text, all, all_in_vain(), 1);
    let sixteen = reduce(&text, all, all_in_vain(), 16);
    assert_eq!(alone.statistics.tests, sixteen.statistics.tests);
    assert!(alone.statistics.tests > 20, "{:?}", alone.statistics.tests);
    // No other test runs beside those of the original and of the result. Between them up to sixteen
    // tests run at a time, and never less than the three of one pass.
    let rounds = |outcome: &Outcome| outcome.statistics.elapsed.as_millis() / TEST.as_millis();
    assert_eq!(rounds(&alone), u128::from(alone.statistics.tests));
    assert!(rounds(&sixteen) <= 6, "{}", rounds(&sixteen));
}

#[test]
fn a_pass_that_finds_something_at_its_end_stops_no_worker() {
    // Each of ten passes removes one byte, with its last test.
    let plan = || {
        let passes = (0..10).map(|at| Arc::new(Late(NAMES[at], b'0' + at as u8)) as Arc<dyn Pass>);
        Plan::of(passes.collect())
    };
    let text: Vec<u8> = (b'0'..=b'9')
        .flat_map(|digit| [digit, b'.', b'.', b'.'])
        .collect();
    let dots = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'.').count() == 30;
    let alone = reduce(&text, dots, plan(), 1);
    let sixteen = reduce(&text, dots, plan(), 16);
    assert_eq!(alone.input.bytes(), b".".repeat(30));
    assert_eq!(alone.input.bytes(), sixteen.input.bytes());
    assert_eq!(alone.statistics.tests, sixteen.statistics.tests);
    let rounds = |outcome: &Outcome| outcome.statistics.elapsed.as_millis() / TEST.as_millis();
    assert_eq!(rounds(&alone), u128::from(alone.statistics.tests));
    assert!(alone.statistics.tests > 40, "{:?}", alone.statistics.tests);
    // One round for each success would make twelve, with the first and the last test.
    assert!(rounds(&sixteen) <= 10, "{}", rounds(&sixteen));
}

#[test]
fn another_worker_runs_all_other_tests_during_a_long_one() {
    let text: Vec<u8> = (b'a'..=b'z').collect();
    let oracle = Closure::new(|bytes: &[u8]| bytes.len() == 26);
    // The slow test is the first one of the second pass.
    let time = |input: &Input, _: Fingerprint| match input.bytes().starts_with(b"abd") {
        true => 40 * TEST,
        false => TEST,
    };
    let run = |workers| {
        Reduction::new(
            Input::single("text", &*text).expect("it is small"),
            &oracle,
            all_in_vain(),
        )
        .jobs(workers)
        .simulate(&time)
        .run()
        .expect("it fails")
    };
    let (alone, two) = (run(1), run(2));
    assert_eq!(alone.statistics.tests, two.statistics.tests);
    let rounds = |outcome: &Outcome| outcome.statistics.elapsed.as_millis() / TEST.as_millis();
    assert_eq!(rounds(&alone), u128::from(alone.statistics.tests) + 39);
    // The slow test takes 40 rounds. The first test, the last, and two of the first pass take four.
    assert!(rounds(&two) <= 44, "{}", rounds(&two));
}

/// A pass that does not open until the test allows it.
struct Stuck {
    opens: std::sync::Mutex<std::sync::mpsc::Receiver<()>>,
    began: std::sync::mpsc::Sender<()>,
}

impl Pass for Stuck {
    fn info(&self) -> PassInfo {
        PassInfo::new("stuck", "opens late", "this test")
    }

    fn open(&self, _: &File<'_>, _: &Context<'_>) -> Option<nubbin_reduce::work::Work> {
        self.began.send(()).expect("the test waits for the pass");
        // The end of the channel allows it as well.
        let opens = self.opens.lock().expect("one thread opens the pass");
        let _ = opens.recv();
        None
    }
}

#[test]
fn a_run_ends_while_a_pass_looks_at_a_large_input() {
    use nubbin_reduce::engine::{Ended, Stop};
    use std::sync::mpsc::channel;
    let ((allow, opens), (began, has_begun)) = (channel::<()>(), channel());
    let stuck = Stuck {
        opens: opens.into(),
        began,
    };
    let text = "x".repeat(1 << 20);
    let input = Input::single("large.txt", text).unwrap();
    let oracle = Closure::new(|_: &[u8]| true);
    let stop = Stop::default();
    let stopper = std::thread::spawn({
        let stop = stop.clone();
        move || {
            has_begun.recv().unwrap();
            stop.request();
        }
    });
    let outcome = Reduction::new(input, &oracle, Plan::of(vec![Arc::new(stuck)]))
        .jobs(2)
        .stop(stop)
        .run()
        .unwrap();
    assert!(matches!(outcome.ended, Ended::Stopped));
    // Only now may the pass go on.
    drop(allow);
    stopper.join().unwrap();
}
