use nubbin_edit::Fingerprint;
use nubbin_verdict::VerdictKind;
use rustc_hash::FxHashMap;

/// The verdicts of the run, by the content of the candidate.
///
/// No verdict is dropped. A verdict holds for every base that the candidate is proposed for later,
/// and a million tests take 32 MB, since an entry takes 32 bytes.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    entries: FxHashMap<Fingerprint, Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: VerdictKind,
    /// Whether the sequential path has asked for the verdict.
    asked: bool,
}

/// A cached verdict for which the sequential path asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CachedVerdict {
    /// The sequential path has asked for the verdict before.
    Before(VerdictKind),
    /// The sequential path asks for the first time, and the test was prefetched.
    Ahead(VerdictKind),
}

impl Cache {
    /// Looks up a verdict for the sequential path.
    pub(super) fn ask(&mut self, print: Fingerprint) -> Option<CachedVerdict> {
        let entry = self.entries.get_mut(&print)?;
        let asked = std::mem::replace(&mut entry.asked, true);
        Some(match asked {
            true => CachedVerdict::Before(entry.kind),
            false => CachedVerdict::Ahead(entry.kind),
        })
    }

    /// Looks up a verdict for any other purpose.
    pub(crate) fn peek(&self, print: Fingerprint) -> Option<VerdictKind> {
        self.entries.get(&print).map(|entry| entry.kind)
    }

    /// Keeps a verdict that the sequential path has not asked for yet.
    pub(super) fn keep(&mut self, print: Fingerprint, kind: VerdictKind) {
        let asked = false;
        self.entries.entry(print).or_insert(Entry { kind, asked });
    }
}
