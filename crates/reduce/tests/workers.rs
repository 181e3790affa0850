//! What further workers do, on a clock of their own: no time passes but what tests are said to take.

use nubbin_reduce::edit::{Edit, Fingerprint};
use nubbin_reduce::engine::{Outcome, Reduction};
use nubbin_reduce::input::{File, Input};
use nubbin_reduce::list_minimizer::MinimizerChoice;
use nubbin_reduce::pass::{Context, Pass};
use nubbin_reduce::plan::Plan;
use nubbin_reduce::span::Span;
use nubbin_reduce::work::{EachByte, List, Proposals, Work};
use nubbin_verdict::Closure;
use std::sync::Arc;
use std::time::Duration;

const TEST: Duration = Duration::from_millis(200);

fn evenly(_: Fingerprint) -> Duration {
    TEST
}

/// One test in twenty takes fifteen times as long.
fn unevenly(print: Fingerprint) -> Duration {
    let slow = (print.0 >> 64).is_multiple_of(20);
    TEST * if slow { 15 } else { 1 }
}

/// Each byte by itself.
struct Bytes;

impl Pass for Bytes {
    fn id(&self) -> &'static str {
        "each-byte"
    }

    fn about(&self) -> &'static str {
        "each byte by itself"
    }

    fn source(&self) -> &'static str {
        "this test"
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        Some(Work::List(List::new(EachByte { span: file.span })))
    }
}

/// Two bytes after each other at one place, in three ways that all fail.
struct Vain(&'static str, u32);

impl Pass for Vain {
    fn id(&self) -> &'static str {
        self.0
    }

    fn about(&self) -> &'static str {
        "what is never found"
    }

    fn source(&self) -> &'static str {
        "this test"
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        let ways = (1..4).filter_map(|more| {
            let start = file.span.start + self.1;
            (start + more <= file.span.end).then(|| Edit::delete(Span::new(start, start + more)))
        });
        let list = List::new(Proposals::new(ways.collect::<Vec<_>>()));
        Some(Work::List(list.with_algorithm(MinimizerChoice::default())))
    }
}

/// The bytes from a place on, together, by themselves, and the first of them, which can go.
struct Late(&'static str, u8);

impl Pass for Late {
    fn id(&self) -> &'static str {
        self.0
    }

    fn about(&self) -> &'static str {
        "what is found at the end"
    }

    fn source(&self) -> &'static str {
        "this test"
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        let found = file.text.iter().position(|byte| *byte == self.1)? as u32;
        let start = file.span.start + found;
        let ways = [4, 3, 2, 1].map(|more| Edit::delete(Span::new(start, start + more)));
        let ways = ways
            .into_iter()
            .filter(|edit| edit.splices()[0].span.end <= file.span.end);
        let list = List::new(Proposals::new(ways.collect::<Vec<_>>()));
        Some(Work::List(list.with_algorithm(MinimizerChoice::default())))
    }
}

const NAMES: [&str; 10] = ["p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9"];

/// Ten passes with three tests each, all in vain.
fn all_in_vain() -> Plan {
    let passes = (0..10).map(|at| Arc::new(Vain(NAMES[at], 2 * at as u32)) as Arc<dyn Pass>);
    Plan::of(passes.collect())
}

/// Fails while all these bytes are there, in any order.
fn needs(what: &'static [u8]) -> impl Fn(&[u8]) -> bool + Sync {
    move |bytes| what.iter().all(|byte| bytes.contains(byte))
}

fn reduce(
    text: &[u8],
    fails: impl Fn(&[u8]) -> bool + Sync,
    plan: Plan,
    workers: usize,
    fast: bool,
    time: fn(Fingerprint) -> Duration,
) -> Outcome {
    let oracle = Closure::new(fails);
    let time = |_: &Input, print| time(print);
    let input = Input::single("text", text).expect("it is small");
    Reduction::new(input, &oracle, plan)
        .jobs(workers)
        .simulate(&time)
        .fast(fast)
        .run()
        .expect("it fails")
}

fn alphabet(times: usize) -> Vec<u8> {
    (b'a'..=b'z').cycle().take(26 * times).collect()
}

#[test]
fn workers_do_not_stop_where_a_pass_does() {
    let text: Vec<u8> = (b'a'..=b'z').collect();
    let all = |bytes: &[u8]| bytes.len() == 26;
    let alone = reduce(&text, all, all_in_vain(), 1, false, evenly);
    let sixteen = reduce(&text, all, all_in_vain(), 16, false, evenly);
    assert_eq!(alone.statistics.tests, sixteen.statistics.tests);
    assert!(alone.statistics.tests > 20, "{:?}", alone.statistics.tests);
    // The test of the original and that of the result have nothing beside them; between them there are
    // sixteen at a time, and never less than the three of one pass.
    let rounds = |outcome: &Outcome| outcome.statistics.elapsed.as_millis() / TEST.as_millis();
    assert_eq!(rounds(&alone), u128::from(alone.statistics.tests));
    assert!(rounds(&sixteen) <= 6, "{}", rounds(&sixteen));
}

#[test]
fn a_pass_that_finds_something_at_its_end_stops_no_worker() {
    // Each of ten passes takes one byte out, with its last test.
    let plan = || {
        let passes = (0..10).map(|at| Arc::new(Late(NAMES[at], b'0' + at as u8)) as Arc<dyn Pass>);
        Plan::of(passes.collect())
    };
    let text: Vec<u8> = (b'0'..=b'9')
        .flat_map(|digit| [digit, b'.', b'.', b'.'])
        .collect();
    let dots = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'.').count() == 30;
    let alone = reduce(&text, dots, plan(), 1, false, evenly);
    let sixteen = reduce(&text, dots, plan(), 16, false, evenly);
    assert_eq!(alone.input.bytes(), b".".repeat(30));
    assert_eq!(alone.input.bytes(), sixteen.input.bytes());
    assert_eq!(alone.statistics.tests, sixteen.statistics.tests);
    let rounds = |outcome: &Outcome| outcome.statistics.elapsed.as_millis() / TEST.as_millis();
    assert_eq!(rounds(&alone), u128::from(alone.statistics.tests));
    assert!(alone.statistics.tests > 40, "{:?}", alone.statistics.tests);
    // One for each find would be twelve with the first test and the last.
    assert!(rounds(&sixteen) <= 10, "{}", rounds(&sixteen));
}

#[test]
fn while_one_test_takes_its_time_another_worker_does_all_the_rest() {
    let text: Vec<u8> = (b'a'..=b'z').collect();
    let oracle = Closure::new(|bytes: &[u8]| bytes.len() == 26);
    // What the second pass asks first.
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
    // The first test, the last, two of the first pass, and the slow one.
    assert!(rounds(&two) <= 44, "{}", rounds(&two));
}

#[test]
fn with_fast_finds_of_several_workers_are_put_together() {
    let plan = || Plan::single(Arc::new(Bytes), MinimizerChoice::default());
    let text = alphabet(20);
    let fails = needs(b"kqx");
    let alone = reduce(&text, &fails, plan(), 1, true, evenly);
    assert!(!alone.statistics.fast);
    for workers in [2, 4, 16, 64] {
        let fast = reduce(&text, &fails, plan(), workers, true, evenly);
        assert!(fast.statistics.fast);
        let mut left = fast.input.bytes().to_vec();
        left.sort_unstable();
        assert_eq!(left, b"kqx", "{workers} workers");
        assert!(
            fast.statistics.elapsed < alone.statistics.elapsed,
            "{workers}"
        );
        // Everything that ended is counted; what was called off is not.
        assert!(fast.statistics.tests <= fast.statistics.started);
    }
}

#[test]
fn with_fast_and_one_worker_nothing_changes() {
    let plan = || Plan::single(Arc::new(Bytes), MinimizerChoice::default());
    let text = alphabet(8);
    let slow = reduce(&text, needs(b"ab"), plan(), 1, false, unevenly);
    let fast = reduce(&text, needs(b"ab"), plan(), 1, true, unevenly);
    assert_eq!(slow.input.bytes(), fast.input.bytes());
    assert_eq!(slow.statistics.tests, fast.statistics.tests);
    assert_eq!(slow.statistics.elapsed, fast.statistics.elapsed);
}

#[test]
fn with_fast_what_stands_and_falls_together_is_still_minimal() {
    // Each byte needs the one before it in the alphabet: the last to go is the first that could.
    let chain = |bytes: &[u8]| {
        bytes.contains(&b'f')
            && bytes
                .iter()
                .all(|&byte| byte == b'a' || bytes.contains(&(byte - 1)))
    };
    let plan = || Plan::single(Arc::new(Bytes), MinimizerChoice::default());
    for workers in [2, 3, 4, 5, 8, 16, 32] {
        let fast = reduce(&alphabet(4), chain, plan(), workers, true, unevenly);
        let mut left = fast.input.bytes().to_vec();
        left.sort_unstable();
        assert_eq!(left, b"abcdef", "{workers} workers");
    }
}

#[test]
fn with_fast_nobody_waits_for_slow_tests() {
    let plan = || Plan::single(Arc::new(Bytes), MinimizerChoice::default());
    let text = alphabet(20);
    let fails = needs(b"aeioucklm");
    let elapsed = |fast| {
        let outcome = reduce(&text, &fails, plan(), 16, fast, unevenly);
        assert_eq!(outcome.input.bytes().len(), 9);
        outcome.statistics.elapsed
    };
    assert!(elapsed(true) < elapsed(false));
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}

#[test]
fn with_fast_every_result_fails_and_is_minimal() {
    for seed in 0..100 {
        let mut random = Random(seed);
        let len = 20 + random.below(80) as u8;
        let text: Vec<u8> = (0..len).collect();
        // By byte: one of another that it cannot do without, where there is one.
        let needs: Vec<Option<u8>> = (0..len)
            .map(|byte| {
                let reach = u64::from(byte).min(12);
                let other = byte - (reach > 0).then(|| 1 + random.below(reach) as u8)?;
                (random.below(3) > 0).then_some(other)
            })
            .collect();
        let core: Vec<u8> = (0..3).map(|_| random.below(u64::from(len)) as u8).collect();
        let fails = |bytes: &[u8]| {
            core.iter().all(|byte| bytes.contains(byte))
                && bytes.iter().all(|&byte| {
                    needs[usize::from(byte)].is_none_or(|other| bytes.contains(&other))
                })
        };
        let workers = 2 + random.below(31) as usize;
        let plan = Plan::single(Arc::new(Bytes), MinimizerChoice::default());
        let outcome = reduce(&text, fails, plan, workers, true, unevenly);
        let left = outcome.input.bytes();
        assert!(fails(left), "seed {seed}");
        for at in 0..left.len() {
            let without = [&left[..at], &left[at + 1..]].concat();
            assert!(
                !fails(&without),
                "seed {seed}, {workers} workers: {left:?}, {at}"
            );
        }
    }
}
