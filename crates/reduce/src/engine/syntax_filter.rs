use crate::edit::Fingerprint;
use crate::input::Input;
use rustc_hash::FxHashMap;

/// A parser that counts the errors of inputs.
pub trait Form: Sync {
    /// Returns the number of places that do not parse; `None` if it is unknown.
    fn misfits(&self, input: &Input) -> Option<usize>;
}

/// The rule for candidates that do not parse as well as the base.
#[derive(Clone, Copy, Default)]
pub enum SyntaxFilter<'a> {
    /// All candidates are tested.
    #[default]
    Off,
    /// Such candidates are rejected after enough of them were tested and none has failed. Passes
    /// that [try everything](crate::pass::Pass::tries_everything) still propose them, and the first
    /// one that fails ends the rejections.
    ///
    /// Only small inputs are parsed, since large ones have few tests and take longest to parse.
    Learn(&'a dyn Form),
    /// Such candidates are rejected, so the result parses as well as the original.
    Require(&'a dyn Form),
}

/// The number of candidates to test that parse worse than the base before others are rejected.
const ENOUGH: u64 = 40;

/// The size in bytes of the largest input that is parsed to learn. A parse of 4,000 bytes takes
/// about a millisecond.
const LARGEST: usize = 16 << 10;

/// The size in bytes of the largest base that is parsed to learn. A candidate may be far smaller.
const LARGEST_BASE: usize = 512 << 10;

/// The largest number of candidates whose errors are kept.
const REMEMBERED: usize = 1 << 14;

/// The state of a filter. It learns only from the sequential path, so its decisions are the same
/// for any number of workers.
pub(super) struct FilterState<'a> {
    filter: SyntaxFilter<'a>,
    /// The number of errors by content.
    known: FxHashMap<Fingerprint, Option<usize>>,
    /// The number of tested candidates that parse worse than the base.
    tested: u64,
    /// Whether a candidate that parses worse than the base has failed.
    failed: bool,
    /// Whether the present pass tries everything.
    is_open: bool,
}

impl<'a> FilterState<'a> {
    pub(super) fn new(filter: SyntaxFilter<'a>) -> Self {
        FilterState {
            filter,
            known: FxHashMap::default(),
            tested: 0,
            failed: false,
            is_open: false,
        }
    }

    /// Prepares for the proposals of a pass.
    pub(super) fn begin(&mut self, tries_everything: bool) {
        self.is_open = tries_everything;
    }

    /// Returns whether a candidate is rejected.
    pub(super) fn refuses(&mut self, base: &Input, candidate: &Input) -> bool {
        match self.filter {
            SyntaxFilter::Off => false,
            SyntaxFilter::Learn(form) => {
                !self.failed
                    && self.tested >= ENOUGH
                    && !self.is_open
                    && is_small(base, candidate)
                    && self.is_worse(form, base, candidate)
            }
            SyntaxFilter::Require(form) => self.is_worse(form, base, candidate),
        }
    }

    /// Learns from the verdict on a candidate.
    pub(super) fn learn(&mut self, base: &Input, candidate: &Input, fails: bool) {
        if let SyntaxFilter::Learn(form) = self.filter
            && !self.failed
            && (fails || self.tested < ENOUGH)
            && is_small(base, candidate)
            && self.is_worse(form, base, candidate)
        {
            self.tested += 1;
            self.failed = fails;
        }
    }

    fn is_worse(&mut self, form: &dyn Form, base: &Input, candidate: &Input) -> bool {
        if self.known.len() > REMEMBERED {
            self.known.clear();
        }
        let mut misfits = |input: &Input| {
            let known = self.known.entry(input.fingerprint());
            *known.or_insert_with(|| form.misfits(input))
        };
        matches!((misfits(candidate), misfits(base)), (Some(there), Some(here)) if there > here)
    }
}

/// Returns whether both may be parsed to learn.
fn is_small(base: &Input, candidate: &Input) -> bool {
    candidate.size() <= LARGEST && base.size() <= LARGEST_BASE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Outcome, Reduction};
    use crate::pass;
    use crate::plan::Plan;
    use nubbin_verdict::Closure;

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
        let outcome = reduce(&text, &["chars"], SyntaxFilter::Learn(&Small), fails, None);
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
        let learn = reduce(&text, &passes, SyntaxFilter::Learn(&Brackets), fails, None);
        assert_eq!(off.input.bytes(), b"x");
        assert_eq!(learn.input.bytes(), b"x");
        assert!(learn.statistics.tests < off.statistics.tests);
        assert!(learn.statistics.malformed > 0);
    }

    #[test]
    fn the_filter_learns_the_same_for_any_number_of_workers() {
        let fails =
            |bytes: &[u8]| balanced(bytes) && bytes.iter().filter(|&&b| b == b'x').count() >= 2;
        let text = "((a)(b(c)(d(x)(e)f)g)h)".repeat(6);
        let passes = ["windows-tokens", "chars", "debracket"];
        let run = |jobs| {
            let run = reduce(&text, &passes, SyntaxFilter::Learn(&Brackets), fails, jobs);
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
        let learn = reduce(&text, &passes, SyntaxFilter::Learn(&Brackets), fails, None);
        assert_eq!(learn.input.bytes(), b"(x");
        assert_eq!(learn.statistics.malformed, 0);
    }
}
