use crate::edit::Fingerprint;
use crate::input::Input;
use rustc_hash::FxHashMap;

/// Says of a candidate how badly it is formed, without a test: whoever knows its language.
pub trait Form: Sync {
    /// In how many places it does not fit; `None` where that cannot be said.
    fn misfits(&self, input: &Input) -> Option<usize>;
}

/// Whether candidates that are worse formed than the best so far are tested.
#[derive(Clone, Copy, Default)]
pub enum Screening<'a> {
    /// They are.
    #[default]
    Off,
    /// They are until enough of them have been and none has failed: a test that never fails on
    /// what does not parse need not be asked about it. Passes that
    /// [try everything](crate::pass::Pass::tries_everything) go on, and what they find there ends
    /// it.
    ///
    /// Only looks at small inputs: on large ones there are few tests, and parsing takes longest.
    Learn(&'a dyn Form),
    /// They are not: the result is formed as well as the original.
    Insist(&'a dyn Form),
}

/// So many candidates that are worse formed must have been tested before the rest is left out.
const ENOUGH: u64 = 40;

/// Inputs above so many bytes are not looked at to learn: a parse takes about a millisecond for
/// four thousand.
const LARGEST: usize = 16 << 10;

/// How many candidates are remembered.
const REMEMBERED: usize = 1 << 14;

/// What the coordinator knows of the form of candidates. Only told of what happens on the logical
/// path, so it says the same for any number of workers.
pub(super) struct Screen<'a> {
    screening: Screening<'a>,
    /// Misfits by content.
    known: FxHashMap<Fingerprint, Option<usize>>,
    /// Candidates worse formed than the best so far that have been tested.
    tested: u64,
    /// Whether one of them failed.
    failed: bool,
    /// Whether the pass at work tries everything.
    is_open: bool,
}

impl<'a> Screen<'a> {
    pub(super) fn new(screening: Screening<'a>) -> Self {
        Screen {
            screening,
            known: FxHashMap::default(),
            tested: 0,
            failed: false,
            is_open: false,
        }
    }

    /// A pass begins.
    pub(super) fn begin(&mut self, tries_everything: bool) {
        self.is_open = tries_everything;
    }

    /// Whether a candidate is not to be tested.
    pub(super) fn refuses(
        &mut self,
        base: (&Input, Fingerprint),
        candidate: (&Input, Fingerprint),
    ) -> bool {
        match self.screening {
            Screening::Off => false,
            Screening::Learn(form) => {
                !self.failed
                    && self.tested >= ENOUGH
                    && !self.is_open
                    && candidate.0.size() <= LARGEST
                    && self.is_worse(form, base, candidate)
            }
            Screening::Insist(form) => self.is_worse(form, base, candidate),
        }
    }

    /// A candidate has been tested.
    pub(super) fn learn(
        &mut self,
        base: (&Input, Fingerprint),
        candidate: (&Input, Fingerprint),
        fails: bool,
    ) {
        if let Screening::Learn(form) = self.screening
            && !self.failed
            && (fails || self.tested < ENOUGH)
            && candidate.0.size() <= LARGEST
            && self.is_worse(form, base, candidate)
        {
            self.tested += 1;
            self.failed = fails;
        }
    }

    fn is_worse(
        &mut self,
        form: &dyn Form,
        base: (&Input, Fingerprint),
        candidate: (&Input, Fingerprint),
    ) -> bool {
        if self.known.len() > REMEMBERED {
            self.known.clear();
        }
        let mut misfits = |(input, print): (&Input, Fingerprint)| {
            *self
                .known
                .entry(print)
                .or_insert_with(|| form.misfits(input))
        };
        matches!((misfits(candidate), misfits(base)), (Some(there), Some(here)) if there > here)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Outcome, Reduction};
    use crate::pass;
    use crate::plan::Plan;
    use nubbin_verdict::Closure;

    /// Brackets that have no partner.
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
        screening: Screening<'_>,
        fails: impl Fn(&[u8]) -> bool + Sync,
        jobs: Option<usize>,
    ) -> Outcome {
        let passes = passes.iter().filter_map(|id| pass::by_id(id)).collect();
        let oracle = Closure::new(|bytes: &[u8]| fails(bytes));
        let input = Input::single("t", text).unwrap();
        let mut reduction = Reduction::new(input, &oracle, Plan::of(passes)).screen(screening);
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
    fn what_is_insisted_on_holds_for_the_result() {
        let fails = |bytes: &[u8]| bytes.contains(&b'(') && bytes.contains(&b'x');
        let text = "(a (b x) c)";
        let free = reduce(text, &["chars"], Screening::Off, fails, None);
        assert_eq!(free.input.bytes(), b"(x");
        let strict = reduce(text, &["chars"], Screening::Insist(&Brackets), fails, None);
        assert!(balanced(strict.input.bytes()), "{:?}", strict.input);
        assert!(strict.statistics.malformed > 0);
        assert!(strict.statistics.tests < free.statistics.tests + strict.statistics.malformed);
    }

    #[test]
    fn learns_that_what_does_not_fit_never_fails() {
        let fails = |bytes: &[u8]| balanced(bytes) && bytes.contains(&b'x');
        let text = "((a)(b(c)(d(x)(e)f)g)h)".repeat(4);
        let passes = ["windows-tokens", "chars", "debracket"];
        let off = reduce(&text, &passes, Screening::Off, fails, None);
        let learn = reduce(&text, &passes, Screening::Learn(&Brackets), fails, None);
        assert_eq!(off.input.bytes(), b"x");
        assert_eq!(learn.input.bytes(), b"x");
        assert!(learn.statistics.tests < off.statistics.tests);
        assert!(learn.statistics.malformed > 0);
    }

    #[test]
    fn learns_the_same_for_any_number_of_workers() {
        let fails =
            |bytes: &[u8]| balanced(bytes) && bytes.iter().filter(|&&b| b == b'x').count() >= 2;
        let text = "((a)(b(c)(d(x)(e)f)g)h)".repeat(6);
        let passes = ["windows-tokens", "chars", "debracket"];
        let run = |jobs| {
            let run = reduce(&text, &passes, Screening::Learn(&Brackets), fails, jobs);
            let counts = (run.statistics.tests, run.statistics.malformed);
            (run.input.bytes().to_vec(), counts)
        };
        let alone = run(None);
        for jobs in [1, 2, 5] {
            assert_eq!(run(Some(jobs)), alone, "{jobs} workers");
        }
    }

    #[test]
    fn one_failure_among_what_does_not_fit_ends_it() {
        // The first `(` need not be closed.
        let fails = |bytes: &[u8]| bytes.starts_with(b"(") && bytes.contains(&b'x');
        let text = format!("({})x", "(a)".repeat(60));
        let passes = ["tokens", "windows-tokens"];
        let learn = reduce(&text, &passes, Screening::Learn(&Brackets), fails, None);
        assert_eq!(learn.input.bytes(), b"(x");
        assert_eq!(learn.statistics.malformed, 0);
    }
}
