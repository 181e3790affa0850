//! Thousands of crashes of a few bugs, whose outputs differ in all that differs between runs.

use nubbin_campaign::{
    Found, IssueFilter, JobKind, Observed, Outcome, Rules, SliceEnd, Store, Test,
};
use nubbin_oracle::{Exit, Run};
use std::time::Duration;

/// Pseudo-random numbers that are the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % below
    }
}

fn run(exit: Exit, stderr: String) -> Run {
    Run {
        exit,
        cut_short: None,
        has_stopped: false,
        is_matched: false,
        stdout: Some(vec![]),
        stderr: Some(stderr.into()),
        written: Vec::new(),
        elapsed: Duration::ZERO,
        cpu: None,
        inputs: vec!["test.txt".into()],
        coverage: None,
        is_in_loop: false,
        stack: None,
        taken: None,
    }
}

/// One crash of a bug: with other addresses, process numbers, folders of the build and of the test,
/// lines of the program and of the test, and frames below the top.
fn crash(bug: u64, numbers: &mut Numbers) -> Run {
    let pid = numbers.next(60_000);
    let address = 0x6020_0000_0000_u64 + numbers.next(1 << 30);
    let folder = format!("/tmp/build-{:x}", numbers.next(1 << 20));
    let (line, place) = (1 + numbers.next(900), 1 + numbers.next(500));
    let below = ["statement", "block", "argument", "unary"][numbers.next(4) as usize];
    match bug {
        0 => run(
            Exit::Signal(6),
            format!("toy: {folder}/lex.c:{line}: next: Assertion `at < end' failed.\n"),
        ),
        1 => run(
            Exit::Signal(6),
            format!("toy: {folder}/lex.c:{line}: next: Assertion `at > 0' failed.\n"),
        ),
        2 => run(
            Exit::Code(1),
            format!(
                "=={pid}==ERROR: AddressSanitizer: heap-buffer-overflow on address {address:#x} at \
                 pc {:#x}\nREAD of size 1 at {address:#x} thread T0\n    #0 {:#x} in number \
                 {folder}/lex.c:{line}:7\n    #1 {:#x} in expression {folder}/parse.c:{place}:3\n    \
                 #2 {:#x} in {below} {folder}/parse.c:{line}:9\n",
                address + 1,
                address + 2,
                address + 3,
                address + 4
            ),
        ),
        3 => run(
            Exit::Code(1),
            format!(
                "=={pid}==ERROR: AddressSanitizer: heap-use-after-free on address {address:#x} at \
                 pc {:#x}\nREAD of size 8 at {address:#x} thread T0\n    #0 {:#x} in number \
                 {folder}/lex.c:{line}:7\n    #1 {:#x} in expression {folder}/parse.c:{place}:3\n",
                address + 1,
                address + 2,
                address + 3
            ),
        ),
        4 => run(
            Exit::Code(1),
            format!(
                "test.txt:{line}:{place}: runtime error: signed integer overflow: {address} + 1 \
                 cannot be represented\n{folder}/value.c:{line}:9: runtime error: signed integer \
                 overflow: {address} + {place} cannot be represented in type 'int'\n"
            ),
        ),
        5 => run(
            Exit::Code(1),
            format!(
                "Traceback (most recent call last):\n  File \"{folder}/toy.py\", line 40, in \
                 <module>\n    main()\n  File \"{folder}/toy.py\", line 31, in {below}\n    x\n  File \
                 \"{folder}/toy.py\", line 12, in number\n    y\nIndexError: list index out of range\n"
            ),
        ),
        _ => run(
            Exit::Code(101),
            format!(
                "\nthread 'main' ({pid}) panicked at {folder}/src/lex.rs:77:13:\nindex out of bounds: \
                 the len is {line} but the index is {place}\n"
            ),
        ),
    }
}

#[test]
fn five_thousand_crashes_are_exactly_their_bugs() {
    const BUGS: u64 = 7;
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::create(folder.path()).unwrap();
    let mut numbers = Numbers(1);
    let rules = Rules::default();
    let mut met = [0; BUGS as usize];
    for slice in 0..50 {
        let mut end = SliceEnd {
            tests: 100,
            ..SliceEnd::default()
        };
        for _ in 0..100 {
            let bug = numbers.next(BUGS);
            met[bug as usize] += 1;
            let run = crash(bug, &mut numbers);
            let outcome = rules.outcome(&run);
            assert!(matches!(outcome, Outcome::Issue(..)), "{outcome:?}");
            let observed = Observed { outcome, run };
            let test = Test::new(format!("test {slice}"));
            end.add(Found::of(&test, &observed).unwrap());
        }
        let taken = slice * 100..(slice + 1) * 100;
        store
            .record_slice("toy", "crashes", "1", (taken, &end), JobKind::Validate)
            .unwrap();
    }
    let issues = store.issues(&IssueFilter::default()).unwrap();
    let identities: Vec<String> = issues.iter().map(|it| it.identity.to_string()).collect();
    assert_eq!(issues.len() as u64, BUGS, "{identities:#?}");
    let mut seen: Vec<u64> = issues.iter().map(|issue| issue.seen).collect();
    seen.sort_unstable();
    met.sort_unstable();
    assert_eq!(seen, met);
    assert_eq!(seen.iter().sum::<u64>(), 5000);
}
