//! The syntax filter, with real passes.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_reduce::engine::{Form, Outcome, Reduction, SyntaxFilter};
use nubbin_reduce::input::Input;
use nubbin_reduce::plan::Plan;
use nubbin_reduce::{Closure, pass};

/// The size of the largest base that is parsed to learn.
const LARGEST_BASE: usize = 512 << 10;

/// Counts brackets that have no partner.
struct Brackets;

impl Form for Brackets {
    fn misfits(&self, input: &Input) -> Option<usize> {
        let (mut open, mut wrong) = (0, 0);
        for byte in input.bytes() {
            match byte {
                b'(' => open += 1,
                b')' if open == 0 => wrong += 1,
                b')' => open -= 1,
                _ => {}
            }
        }
        Some(wrong + open)
    }
}

fn reduce(
    text: &str,
    passes: &[&str],
    filter: SyntaxFilter<'_>,
    fails: impl Fn(&[u8]) -> bool + Sync,
    jobs: Option<usize>,
) -> Outcome {
    let passes = passes.iter().filter_map(|id| pass::by_id(id)).collect();
    let oracle = Closure::new(|bytes: &[u8]| fails(bytes));
    let input = Input::single("t", text).unwrap();
    let mut reduction = Reduction::new(input, &oracle, Plan::of(passes)).syntax_filter(filter);
    if let Some(jobs) = jobs {
        reduction = reduction.jobs(jobs);
    }
    reduction.run().unwrap()
}

fn balanced(bytes: &[u8]) -> bool {
    let input = Input::single("t", bytes).unwrap();
    Brackets.misfits(&input) == Some(0)
}

#[test]
fn a_large_base_is_not_parsed_to_learn() {
    /// Refuses to parse a large text.
    struct Small;
    impl Form for Small {
        fn misfits(&self, input: &Input) -> Option<usize> {
            assert!(input.size() <= LARGEST_BASE);
            Some(0)
        }
    }
    let text = "x".repeat(LARGEST_BASE + 1) + "(";
    let fails = |bytes: &[u8]| bytes.contains(&b'(');
    let outcome = reduce(
        &text,
        &["chars"],
        SyntaxFilter::Learn(vec![&Small]),
        fails,
        None,
    );
    assert_eq!(outcome.input.bytes(), b"(");
    assert!(
        outcome
            .statistics
            .passes
            .iter()
            .all(|(_, counts)| counts.tests > 0)
    );
}

#[test]
fn a_required_filter_holds_for_the_result() {
    let fails = |bytes: &[u8]| bytes.contains(&b'(') && bytes.contains(&b'x');
    let text = "(a (b x) c)";
    let free = reduce(text, &["chars"], SyntaxFilter::Off, fails, None);
    assert_eq!(free.input.bytes(), b"(x");
    let strict = reduce(
        text,
        &["chars"],
        SyntaxFilter::Require(&Brackets),
        fails,
        None,
    );
    assert!(balanced(strict.input.bytes()), "{:?}", strict.input);
    assert!(strict.statistics.malformed > 0);
    assert!(strict.statistics.tests < free.statistics.tests + strict.statistics.malformed);
}

#[test]
fn the_filter_learns_that_candidates_that_do_not_parse_never_fail() {
    let fails = |bytes: &[u8]| balanced(bytes) && bytes.contains(&b'x');
    let text = "((a)(b(c)(d(x)(e)f)g)h)".repeat(4);
    let passes = ["windows-tokens", "chars", "debracket"];
    let off = reduce(&text, &passes, SyntaxFilter::Off, fails, None);
    let learn = reduce(
        &text,
        &passes,
        SyntaxFilter::Learn(vec![&Brackets]),
        fails,
        None,
    );
    assert_eq!(off.input.bytes(), b"x");
    assert_eq!(learn.input.bytes(), b"x");
    assert!(learn.statistics.tests < off.statistics.tests);
    assert!(learn.statistics.malformed > 0);
}

#[test]
fn the_filter_learns_the_same_for_any_number_of_workers() {
    let fails = |bytes: &[u8]| balanced(bytes) && bytes.iter().filter(|&&b| b == b'x').count() >= 2;
    let text = "((a)(b(c)(d(x)(e)f)g)h)".repeat(6);
    let passes = ["windows-tokens", "chars", "debracket"];
    let run = |jobs| {
        let run = reduce(
            &text,
            &passes,
            SyntaxFilter::Learn(vec![&Brackets]),
            fails,
            jobs,
        );
        let counts = (run.statistics.tests, run.statistics.malformed);
        (run.input.bytes().to_vec(), counts)
    };
    let alone = run(None);
    for jobs in [1, 2, 5] {
        assert_eq!(run(Some(jobs)), alone, "{jobs} workers");
    }
}

#[test]
fn one_failure_of_a_candidate_that_does_not_parse_ends_the_rejections() {
    // The first `(` need not be closed.
    let fails = |bytes: &[u8]| bytes.starts_with(b"(") && bytes.contains(&b'x');
    let text = format!("({})x", "(a)".repeat(60));
    let passes = ["tokens", "windows-tokens"];
    let learn = reduce(
        &text,
        &passes,
        SyntaxFilter::Learn(vec![&Brackets]),
        fails,
        None,
    );
    assert_eq!(learn.input.bytes(), b"(x");
    assert_eq!(learn.statistics.malformed, 0);
}
