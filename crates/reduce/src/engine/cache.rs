use crate::edit::Fingerprint;
use nubbin_verdict::{Unresolved, Verdict};
use rustc_hash::FxHashMap;

/// Every verdict of the run, by content.
///
/// Kept whole: a candidate that was boring once is boring whatever base it is proposed against
/// later, and at 32 bytes an entry a million tests are 32 MB.
#[derive(Debug, Default)]
pub(super) struct Cache {
    entries: FxHashMap<Fingerprint, Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: Kind,
    /// Whether the logical path has asked for it.
    asked: bool,
}

/// A verdict without its details: what is kept of it, here and on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It still failed.
    Fail,
    /// It did not.
    Pass,
    /// The test could not say.
    Unresolved,
    /// The test ran into its time limit.
    TimedOut,
}

/// What the cache knows when the logical path asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// The path asked before.
    Before(Kind),
    /// A speculative test has answered; the path asks for the first time.
    Ahead(Kind),
}

impl Kind {
    /// `None` for a verdict that says nothing of the candidate.
    pub(super) fn of(verdict: &Verdict) -> Option<Kind> {
        Some(match verdict {
            Verdict::Fail => Kind::Fail,
            Verdict::Pass => Kind::Pass,
            Verdict::Unresolved(Unresolved::Cancelled) => return None,
            Verdict::Unresolved(Unresolved::TimedOut(_)) => Kind::TimedOut,
            Verdict::Unresolved(_) => Kind::Unresolved,
        })
    }

    /// Whether it still failed.
    pub fn is_fail(self) -> bool {
        self == Kind::Fail
    }

    /// One word for logs.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Fail => "fail",
            Kind::Pass => "pass",
            Kind::Unresolved => "unresolved",
            Kind::TimedOut => "timed out",
        }
    }
}

impl Cache {
    /// Asks on the logical path, and counts.
    pub(super) fn ask(&mut self, print: Fingerprint) -> Option<Known> {
        let entry = self.entries.get_mut(&print)?;
        let asked = std::mem::replace(&mut entry.asked, true);
        Some(match asked {
            true => Known::Before(entry.kind),
            false => Known::Ahead(entry.kind),
        })
    }

    /// Looks without counting.
    pub(super) fn peek(&self, print: Fingerprint) -> Option<Kind> {
        self.entries.get(&print).map(|entry| entry.kind)
    }

    /// Keeps a verdict that nobody has asked for yet.
    pub(super) fn keep(&mut self, print: Fingerprint, kind: Kind) {
        let asked = false;
        self.entries.entry(print).or_insert(Entry { kind, asked });
    }
}
