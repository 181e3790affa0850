//! The known-failure memo: edits whose candidates passed and that are not tried again yet.
//!
//! A pass that found something runs again, and a list minimizer tries the rest of its list once
//! more. Most proposals are then the same as before: they remove the same text from the same
//! surroundings. Such a candidate passes again, unless text near the edit or a use of one of its
//! names was removed since then. The memo therefore keeps each such edit with its change and the
//! few bytes around it. The edit is not tested again before one of these conditions holds:
//!
//! * Text next to the edit has changed. By its surroundings, the edit is then a different one.
//! * Text with one of the words of the edit was removed.
//! * The plan has ended. At the end, all edits are tried once more, so that none is missed.
//!
//! A large edit is always tried, since it saves much for one test.
//!
//! Source: G. Gharachorlu, N. Sumner, "Avoiding the Familiar to Speed Up Test Case Reduction", QRS
//! 2018. In that work, a failed edit is never tried again. The exception for its names is ours.

use crate::work::Taken;
use nubbin_edit::{Edit, fingerprint};
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::slice;

/// The number of bytes on either side of a change that belong to the key of the edit.
const AROUND: usize = 8;

/// The divisor of the size of the input that gives the size of a large edit. A large edit that is
/// longer than [`SHORT`] is always tried.
const LARGE_SHARE: u64 = 20;

/// The size in bytes up to which no edit is large. Without it, most edits of a text of 100 bytes
/// would be large.
const SHORT: u64 = 32;

/// The largest number of units of one proposal that are looked up, from its end.
const LOOKED_AT: u32 = 256;

/// The largest number of edits in the memo, which is then cleared. This only costs tests.
const MAX_EDITS: usize = 1 << 18;

/// The known-failure memo. See the [module documentation](self).
#[derive(Default)]
pub(super) struct FailureMemo {
    failed: FxHashMap<u64, Failure>,
    /// For each word, the version at which the word was last removed.
    gone: FxHashMap<u32, u32>,
    /// The number of adopted edits.
    version: u32,
}

struct Failure {
    version: u32,
    words: SmallVec<[u32; 4]>,
}

impl FailureMemo {
    /// Returns whether a proposal, as an edit of `base`, need not be tried again yet. A proposal to
    /// remove several units of a list counts as known if the removal of one of them is known.
    pub(super) fn knows(&self, base: &[u8], edit: &Edit, taken: Option<Proposed<'_>>) -> bool {
        if self.failed.is_empty() {
            return false;
        }
        if is_large(base, edit) {
            return false;
        }
        if self.has(base, edit) {
            return true;
        }
        let Some(Proposed { taken, rebase }) = taken else {
            return false;
        };
        let mut left = LOOKED_AT;
        for range in taken.units.iter().rev() {
            let looked_at = range.end.saturating_sub(left).max(range.start)..range.end;
            left -= looked_at.end - looked_at.start;
            let stays = |unit: u32| {
                let alone = taken.list.edit(slice::from_ref(&(unit..unit + 1)));
                rebase(&alone).is_some_and(|edit| !edit.is_none() && self.has(base, &edit))
            };
            if looked_at.rev().any(stays) {
                return true;
            }
        }
        false
    }

    fn has(&self, base: &[u8], edit: &Edit) -> bool {
        self.failed.get(&key(base, edit)).is_some_and(|failure| {
            let since = |word| self.gone.get(word).is_some_and(|&at| at > failure.version);
            !failure.words.iter().any(since)
        })
    }

    /// Records an edit of `base` whose candidate passed.
    pub(super) fn failed(&mut self, base: &[u8], edit: &Edit) {
        if is_large(base, edit) {
            return;
        }
        if self.failed.len() >= MAX_EDITS {
            self.failed.clear();
        }
        let mut of = SmallVec::new();
        words(base, edit, |word| of.push(word));
        let failure = Failure {
            version: self.version,
            words: of,
        };
        self.failed.insert(key(base, edit), failure);
    }

    /// Records an edit of `base` that was adopted.
    pub(super) fn adopted(&mut self, base: &[u8], edit: &Edit) {
        self.version += 1;
        let (gone, version) = (&mut self.gone, self.version);
        words(base, edit, |word| {
            gone.insert(word, version);
        });
    }
}

/// The units that a proposal removes, and a function that rebases an edit of their list's input to
/// the base.
pub(super) struct Proposed<'a> {
    pub(super) taken: Taken<'a>,
    pub(super) rebase: &'a dyn Fn(&Edit) -> Option<Edit>,
}

fn is_large(base: &[u8], edit: &Edit) -> bool {
    let changed: u64 = edit.splices().iter().map(|s| u64::from(s.span.len())).sum();
    changed > SHORT && changed * LARGE_SHARE > base.len() as u64
}

/// Returns the key of an edit: a hash of its change and surroundings, at any place of the text.
fn key(base: &[u8], edit: &Edit) -> u64 {
    let mut hasher = FxHasher::default();
    let mut start = None;
    for splice in edit.splices() {
        let span = splice.span.range();
        let around = span.start.saturating_sub(AROUND)..(span.end + AROUND).min(base.len());
        // The span starts less than `AROUND` bytes after the start of the text.
        let before = span.start - around.start;
        fingerprint(&base[around]).0.hash(&mut hasher);
        // The key has the length of the text before the change, the length of the change, and its
        // distance from the first change.
        let distance = span.start - *start.get_or_insert(span.start);
        (before, span.len(), distance).hash(&mut hasher);
        if let Some(text) = &splice.text {
            text.hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Calls `found` with each word in the text that an edit removes.
fn words(base: &[u8], edit: &Edit, mut found: impl FnMut(u32)) {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    for splice in edit.splices() {
        let text = &base[splice.span.range()];
        // Numbers are frequent, and they are no names.
        let names = |word: &&[u8]| !word.iter().all(u8::is_ascii_digit);
        for word in text.split(|byte| !is_word(byte)).filter(names) {
            let mut hasher = FxHasher::default();
            word.hash(&mut hasher);
            found((hasher.finish() >> 32) as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::{Spans, Units};
    use nubbin_edit::Span;
    use std::ops::Range;
    use std::sync::Arc;

    const TEXT: &[u8] = b"let first = call(alpha);\nlet second = call(beta);\nlet third = alpha;\n";

    fn delete(text: &[u8], what: &str) -> Edit {
        let found = text
            .windows(what.len())
            .position(|window| window == what.as_bytes());
        let start = found.unwrap() as u32;
        Edit::delete(Span::new(start, start + what.len() as u32))
    }

    /// Returns a memo of these deletions, which failed.
    fn after(failures: &[&str]) -> FailureMemo {
        let mut memo = FailureMemo::default();
        for what in failures {
            memo.failed(TEXT, &delete(TEXT, what));
        }
        memo
    }

    #[test]
    fn a_failed_edit_is_known_wherever_its_text_stands_now() {
        let mut memo = FailureMemo::default();
        memo.failed(TEXT, &delete(TEXT, "(beta)"));
        assert!(memo.knows(TEXT, &delete(TEXT, "(beta)"), None));
        assert!(!memo.knows(TEXT, &delete(TEXT, "(alpha)"), None));
        let moved = &TEXT[4..];
        assert!(memo.knows(moved, &delete(moved, "(beta)"), None));
    }

    #[test]
    fn an_edit_is_tried_again_after_a_change_beside_it_or_to_one_of_its_names() {
        let mut memo = after(&["(beta)", "(alpha)", ";\n"]);
        memo.adopted(TEXT, &delete(TEXT, "let third = alpha"));
        assert!(memo.knows(TEXT, &delete(TEXT, "(beta)"), None));
        assert!(!memo.knows(TEXT, &delete(TEXT, "(alpha)"), None));
        let beside = b"let first = call(alpha);\nlet second = c(beta);\nlet third = alpha;\n";
        assert!(!memo.knows(beside, &delete(beside, "(beta)"), None));
    }

    #[test]
    fn a_group_with_a_unit_that_failed_is_known() {
        let memo = after(&["(beta)"]);
        let spans = ["first", "(beta)", "third"].map(|what| delete(TEXT, what).splices()[0].span);
        let list: Arc<dyn Units> = Arc::new(Spans::new(spans));
        let knows = |units: Range<u32>| {
            let units = [units];
            let edit = list.edit(&units);
            let taken = Taken {
                list: &list,
                units: &units,
            };
            let rebase = |edit: &Edit| Some(edit.clone());
            let proposed = Proposed {
                taken,
                rebase: &rebase,
            };
            memo.knows(TEXT, &edit, Some(proposed))
        };
        assert!(knows(0..3));
        assert!(knows(1..2));
        assert!(!knows(0..1));
    }

    #[test]
    fn in_a_short_text_each_place_has_its_own_key() {
        let mut memo = FailureMemo::default();
        let at = |at: u32| Edit::delete(Span::new(at, at + 1));
        memo.failed(b"betaalpha", &at(2));
        assert!(memo.knows(b"betaalpha", &at(2), None));
        assert!(!memo.knows(b"betaalpha", &at(3), None));
    }

    #[test]
    fn a_replacement_is_not_a_deletion_and_a_large_edit_is_always_tried() {
        let mut memo = after(&["beta"]);
        let span = delete(TEXT, "beta").splices()[0].span;
        assert!(!memo.knows(TEXT, &Edit::replace(span, b"b"), None));
        let line = delete(TEXT, "let second = call(beta);\nlet third = alpha;\n");
        memo.failed(TEXT, &line);
        assert!(!memo.knows(TEXT, &line, None));
    }
}
