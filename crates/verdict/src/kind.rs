use crate::{Unresolved, Verdict};
use std::fmt;

/// A verdict without its details, as events, logs, caches, and journals have it.
///
/// ```
/// use nubbin_verdict::{Unresolved, Verdict, VerdictKind};
/// use std::time::Duration;
///
/// let ended = Verdict::Unresolved(Unresolved::TimedOut(Duration::from_secs(5)));
/// let kind = VerdictKind::of(&ended).unwrap();
/// assert_eq!(kind.word(), "timed out");
/// assert!(kind.is_unresolved());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VerdictKind {
    /// The candidate still failed.
    Fail,
    /// The candidate did not fail.
    Pass,
    /// The test was unresolved, for another reason than those below.
    Unresolved,
    /// The test hit its time limit.
    TimedOut,
    /// The build before the test failed.
    NotBuilt,
}

impl VerdictKind {
    /// Returns the kind. Returns `None` for a canceled test, whose verdict is not about the
    /// candidate.
    pub fn of(verdict: &Verdict) -> Option<Self> {
        Some(match verdict {
            Verdict::Fail => VerdictKind::Fail,
            Verdict::Pass => VerdictKind::Pass,
            Verdict::Unresolved(Unresolved::Cancelled) => return None,
            Verdict::Unresolved(Unresolved::TimedOut(_)) => VerdictKind::TimedOut,
            Verdict::Unresolved(Unresolved::NotBuilt { .. }) => VerdictKind::NotBuilt,
            Verdict::Unresolved(_) => VerdictKind::Unresolved,
        })
    }

    /// Returns whether the candidate still failed.
    pub fn is_fail(self) -> bool {
        self == VerdictKind::Fail
    }

    /// Returns whether the test could not decide, for any reason.
    pub fn is_unresolved(self) -> bool {
        !matches!(self, VerdictKind::Fail | VerdictKind::Pass)
    }

    /// Returns the word for logs: `fail`, `pass`, `unresolved`, `timed out`, or `not built`.
    pub fn word(self) -> &'static str {
        match self {
            VerdictKind::Fail => "fail",
            VerdictKind::Pass => "pass",
            VerdictKind::Unresolved => "unresolved",
            VerdictKind::TimedOut => "timed out",
            VerdictKind::NotBuilt => "not built",
        }
    }
}

impl fmt::Display for VerdictKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}
