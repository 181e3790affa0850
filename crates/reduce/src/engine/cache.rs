use crate::edit::Fingerprint;
use nubbin_verdict::{Unresolved, Verdict};
use rustc_hash::FxHashMap;

/// All verdicts of the run, by content.
///
/// No verdict is dropped. A verdict holds for every base that the candidate is proposed for later,
/// and a million tests take 32 MB, since an entry takes 32 bytes.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    entries: FxHashMap<Fingerprint, Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: Kind,
    /// Whether the sequential path has asked for the verdict.
    asked: bool,
}

/// A verdict without its details, as the cache and the journal keep it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The candidate still failed.
    Fail,
    /// The candidate did not fail.
    Pass,
    /// The test was unresolved.
    Unresolved,
    /// The test hit its time limit.
    TimedOut,
    /// The build before the test failed.
    NotBuilt,
}

/// A verdict that the cache knows when the sequential path asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// The path has asked before.
    Before(Kind),
    /// The path asks for the first time; the test ran ahead of it.
    Ahead(Kind),
}

impl Kind {
    /// Returns the kind; `None` for a canceled test, whose verdict is not about the candidate.
    pub(crate) fn of(verdict: &Verdict) -> Option<Kind> {
        Some(match verdict {
            Verdict::Fail => Kind::Fail,
            Verdict::Pass => Kind::Pass,
            Verdict::Unresolved(Unresolved::Cancelled) => return None,
            Verdict::Unresolved(Unresolved::TimedOut(_)) => Kind::TimedOut,
            Verdict::Unresolved(Unresolved::NotBuilt { .. }) => Kind::NotBuilt,
            Verdict::Unresolved(_) => Kind::Unresolved,
        })
    }

    /// Returns whether the candidate still failed.
    pub fn is_fail(self) -> bool {
        self == Kind::Fail
    }

    pub(crate) fn is_unresolved(self) -> bool {
        matches!(self, Kind::Unresolved | Kind::TimedOut | Kind::NotBuilt)
    }

    /// Returns a short name for logs.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Fail => "fail",
            Kind::Pass => "pass",
            Kind::Unresolved => "unresolved",
            Kind::TimedOut => "timed out",
            Kind::NotBuilt => "not built",
        }
    }
}

impl Cache {
    /// Looks up a verdict for the sequential path.
    pub(super) fn ask(&mut self, print: Fingerprint) -> Option<Known> {
        let entry = self.entries.get_mut(&print)?;
        let asked = std::mem::replace(&mut entry.asked, true);
        Some(match asked {
            true => Known::Before(entry.kind),
            false => Known::Ahead(entry.kind),
        })
    }

    /// Looks up a verdict for any other purpose.
    pub(crate) fn peek(&self, print: Fingerprint) -> Option<Kind> {
        self.entries.get(&print).map(|entry| entry.kind)
    }

    /// Keeps a verdict that the sequential path has not asked for yet.
    pub(super) fn keep(&mut self, print: Fingerprint, kind: Kind) {
        let asked = false;
        self.entries.entry(print).or_insert(Entry { kind, asked });
    }
}
