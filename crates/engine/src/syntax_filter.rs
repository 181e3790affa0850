use nubbin_edit::{Fingerprint, Input};
use rustc_hash::FxHashMap;

/// A parser that counts the errors of inputs.
pub trait Form: Sync {
    /// Returns the number of places that do not parse, or `None` if it is unknown.
    fn misfits(&self, input: &Input) -> Option<usize>;
}

/// The rule for candidates that do not parse as well as the base.
#[derive(Clone, Copy, Default)]
pub enum SyntaxFilter<'a> {
    /// All candidates are tested.
    #[default]
    Off,
    /// Candidates that parse worse than the base are rejected after enough of them were tested and
    /// none has failed. Passes that [try everything](crate::work::PassInfo::tries_everything) still
    /// propose such candidates. The first failing one ends the rejections.
    ///
    /// Only small inputs are parsed, since large ones have few tests and take longest to parse.
    Learn(&'a dyn Form),
    /// Candidates that parse worse than the base are rejected, so the result parses as well as the
    /// original.
    Require(&'a dyn Form),
}

/// The number of candidates to test that parse worse than the base before others are rejected.
const MIN_TESTS: u64 = 40;

/// The size in bytes of the largest input that is parsed to learn. A parse of 4,000 bytes takes
/// about a millisecond.
const MAX_CANDIDATE_BYTES: usize = 16 << 10;

/// The size in bytes of the largest base that is parsed to learn. A candidate may be far smaller.
const MAX_BASE_BYTES: usize = 512 << 10;

/// The largest number of candidates whose errors are kept.
const REMEMBERED: usize = 1 << 14;

/// The state of a filter. The filter learns only from the sequential path, so its decisions are the
/// same for any number of workers.
pub(super) struct FilterState<'a> {
    filter: SyntaxFilter<'a>,
    /// The number of errors of an input, by its content.
    known: FxHashMap<Fingerprint, Option<usize>>,
    /// The number of tested candidates that parse worse than the base.
    tested: u64,
    /// Whether a candidate that parses worse than the base has failed.
    failed: bool,
    /// Whether the current pass tries everything.
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
                    && self.tested >= MIN_TESTS
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
            && (fails || self.tested < MIN_TESTS)
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
    candidate.size() <= MAX_CANDIDATE_BYTES && base.size() <= MAX_BASE_BYTES
}
