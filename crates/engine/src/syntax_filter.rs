use nubbin_edit::{Fingerprint, Input};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// A parser, or the front end of a compiler, that counts the errors of inputs.
pub trait Form: Sync {
    /// Returns the number of errors of an input, or `None` if it is unknown.
    fn misfits(&self, input: &Input) -> Option<usize>;

    /// Returns the limits within which a filter may [learn](SyntaxFilter::Learn) from the errors.
    fn limits(&self) -> FormLimits {
        FormLimits::default()
    }
}

/// The limits within which a filter [learns](SyntaxFilter::Learn) from the errors of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormLimits {
    /// The number of candidates with more errors than the base that are tested before others are
    /// rejected.
    pub min_tests: u64,
    /// The size in bytes of the largest candidate whose errors are counted.
    pub max_candidate_bytes: usize,
    /// The size in bytes of the largest base whose errors are counted. A candidate may be far
    /// smaller.
    pub max_base_bytes: usize,
}

/// The limits of parsers by grammars. A parse of 4,000 bytes takes about a millisecond.
impl Default for FormLimits {
    fn default() -> Self {
        FormLimits {
            min_tests: 40,
            max_candidate_bytes: 16 << 10,
            max_base_bytes: 512 << 10,
        }
    }
}

/// The rule for candidates with more errors than the base.
#[derive(Clone, Default)]
pub enum SyntaxFilter<'a> {
    /// All candidates are tested.
    #[default]
    Off,
    /// Candidates with more errors than the base are rejected after enough of them were tested and
    /// none has failed. Passes that [try everything](crate::work::PassInfo::tries_everything) still
    /// propose such candidates. The first failing one ends the rejections. The filter learns from
    /// each form separately. The cheapest form comes first.
    ///
    /// Only small inputs are parsed, since large ones have few tests and take longest to parse.
    Learn(Vec<&'a dyn Form>),
    /// Candidates that parse worse than the base are rejected, so the result parses as well as the
    /// original.
    Require(&'a dyn Form),
}

/// The largest number of candidates whose errors are kept.
const REMEMBERED: usize = 1 << 14;

/// The state of a filter. The filter learns only from the sequential path, so its decisions are the
/// same for any number of workers.
pub(super) struct FilterState<'a> {
    learned: Vec<Learned<'a>>,
    required: Option<Errors<'a>>,
    /// Whether the current pass tries everything.
    is_open: bool,
}

impl<'a> FilterState<'a> {
    pub(super) fn new(filter: SyntaxFilter<'a>) -> Self {
        let (learned, required) = match filter {
            SyntaxFilter::Off => (vec![], None),
            SyntaxFilter::Learn(forms) => (forms, None),
            SyntaxFilter::Require(form) => (vec![], Some(form)),
        };
        FilterState {
            learned: learned.into_iter().map(Learned::new).collect(),
            required: required.map(Errors::new),
            is_open: false,
        }
    }

    /// Prepares for the proposals of a pass.
    pub(super) fn begin(&mut self, tries_everything: bool) {
        self.is_open = tries_everything;
    }

    /// Returns whether a candidate is rejected.
    pub(super) fn refuses(&mut self, base: &Input, candidate: &Input) -> bool {
        if let Some(required) = &mut self.required {
            return required.is_worse(base, candidate);
        }
        !self.is_open
            && self
                .learned
                .iter_mut()
                .any(|it| it.refuses(base, candidate))
    }

    /// Learns from the verdict on a candidate.
    pub(super) fn learn(&mut self, base: &Input, candidate: &Input, fails: bool) {
        for learned in &mut self.learned {
            learned.learn(base, candidate, fails);
        }
    }
}

/// A form with the verdicts on candidates that have more errors than the base.
struct Learned<'a> {
    errors: Errors<'a>,
    limits: FormLimits,
    /// The number of tested candidates with more errors than the base.
    tested: u64,
    /// Whether a candidate with more errors than the base has failed.
    failed: bool,
}

impl<'a> Learned<'a> {
    fn new(form: &'a dyn Form) -> Self {
        Learned {
            errors: Errors::new(form),
            limits: form.limits(),
            tested: 0,
            failed: false,
        }
    }

    fn refuses(&mut self, base: &Input, candidate: &Input) -> bool {
        !self.failed
            && self.tested >= self.limits.min_tests
            && self.is_small(base, candidate)
            && self.errors.is_worse(base, candidate)
    }

    fn learn(&mut self, base: &Input, candidate: &Input, fails: bool) {
        if !self.failed
            && (fails || self.tested < self.limits.min_tests)
            && self.is_small(base, candidate)
            && self.errors.is_worse(base, candidate)
        {
            self.tested += 1;
            self.failed = fails;
        }
    }

    /// Returns whether the errors of both may be counted.
    fn is_small(&self, base: &Input, candidate: &Input) -> bool {
        let limits = &self.limits;
        candidate.size() <= limits.max_candidate_bytes && base.size() <= limits.max_base_bytes
    }
}

/// The errors of inputs by a form.
struct Errors<'a> {
    form: &'a dyn Form,
    /// The number of errors of each known input, by the fingerprint of the input.
    known: FxHashMap<Fingerprint, usize>,
}

impl<'a> Errors<'a> {
    fn new(form: &'a dyn Form) -> Self {
        Errors {
            form,
            known: FxHashMap::default(),
        }
    }

    /// Returns whether a candidate has more errors than the base.
    fn is_worse(&mut self, base: &Input, candidate: &Input) -> bool {
        if self.known.len() > REMEMBERED {
            self.known.clear();
        }
        // A format may find the errors of an input only later, so an unknown number is requested
        // again.
        let mut misfits = |input: &Input| match self.known.entry(input.fingerprint()) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(unknown) => self.form.misfits(input).map(|it| *unknown.insert(it)),
        };
        let here = misfits(base);
        here.is_some_and(|here| misfits(candidate).is_some_and(|there| there > here))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Counts the bytes `x` from a moment on.
    #[derive(Default)]
    struct Late {
        knows: AtomicBool,
    }

    impl Form for Late {
        fn misfits(&self, input: &Input) -> Option<usize> {
            let text = input.bytes();
            let errors = text.iter().filter(|byte| **byte == b'x').count();
            self.knows.load(Ordering::Relaxed).then_some(errors)
        }

        fn limits(&self) -> FormLimits {
            FormLimits {
                min_tests: 1,
                ..FormLimits::default()
            }
        }
    }

    #[test]
    fn a_form_may_know_the_errors_of_an_input_later() {
        let form = Late::default();
        let mut filter = FilterState::new(SyntaxFilter::Learn(vec![&form]));
        let input = |text: &str| Input::single("a", text).unwrap();
        let base = input("ab");
        filter.learn(&base, &input("ax"), false);
        assert!(!filter.refuses(&base, &input("bx")));
        form.knows.store(true, Ordering::Relaxed);
        filter.learn(&base, &input("ax"), false);
        assert!(filter.refuses(&base, &input("bx")));
        assert!(!filter.refuses(&base, &input("b")));
    }
}
