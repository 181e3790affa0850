//! Words that a candidate needs, as far as earlier candidates tell.
//!
//! Many passes propose to do without the same word: one deletes it, another deletes the call around
//! it, others put a number, another name, or a shorter one in its place. Once some candidates
//! passed that had all words of the base but this one, further candidates without it are likely to
//! pass as well, whatever else they change. They are left for the end of the plan. There they are
//! tried, and no others, except for those of a word that many more candidates lacked.
//!
//! * A word that occurs several times is two words here: a candidate that has it less often says
//!   nothing about one that does not have it at all. A declaration is needed for as long as it has
//!   a use, and both can be removed together.
//! * A new name in all places of a word is tried at once. It says more about the word than all
//!   other candidates, in one test.
//! * Where only blanks are removed, no word is lost, though two are joined: many tests find a word
//!   in a longer one.

use super::failure_memo::is_large;
use nubbin_edit::Edit;
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// The number of candidates without a word, and no other, after which the word is needed.
const LACKED_BY: u32 = 6;

/// The number of such candidates, for each occurrence of the word, after which no other one is
/// tried at the end of the plan.
const LACKED_BY_MOST: u32 = 16;

/// The longest part of a word that is looked at on either side of a change.
const LONG_WORD: usize = 64;

/// See the [module](self).
#[derive(Default)]
pub(super) struct NeededWords {
    /// The number of candidates that passed without the word and with all others.
    passed: FxHashMap<(u64, Loss), u32>,
}

/// The extent to which a candidate has lost a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Loss {
    /// The word occurs less often.
    Some,
    /// The word does not occur any more.
    All,
}

impl NeededWords {
    /// Returns whether a candidate, as an edit of `base`, lacks a word that is needed; at the end
    /// of the plan, one that many candidates lacked. A large edit is always tried, since it saves
    /// much for one test.
    pub(super) fn are_missing(&self, base: &[u8], edit: &Edit, is_end: bool) -> bool {
        if self.passed.is_empty() || is_large(base, edit) {
            return false;
        }
        let passed = |lost: &Lost, loss| self.passed.get(&(lost.hash, loss)).copied();
        let is_needed = |lost: &Lost| {
            let of_any = [Loss::Some, Loss::All].map(|loss| passed(lost, loss));
            if of_any
                .into_iter()
                .flatten()
                .all(|passed| passed < LACKED_BY)
            {
                return false;
            }
            let occurrences = lost.occurrences(base);
            // Each of these candidates speaks of one occurrence.
            let least = match is_end {
                true => LACKED_BY_MOST.saturating_mul(occurrences as u32),
                false => LACKED_BY,
            };
            passed(lost, lost.loss(occurrences)).is_some_and(|passed| passed >= least)
        };
        losses(base, edit).iter().any(is_needed) && !is_renaming(base, edit)
    }

    /// Records an edit of `base` whose candidate passed.
    pub(super) fn passed(&mut self, base: &[u8], edit: &Edit) {
        if is_large(base, edit) {
            return;
        }
        if let [lost] = &losses(base, edit)[..] {
            let key = (lost.hash, lost.loss(lost.occurrences(base)));
            *self.passed.entry(key).or_default() += 1;
        }
    }

    /// Records an edit of `base` that was adopted: the words that it removes were not needed.
    pub(super) fn adopted(&mut self, base: &[u8], edit: &Edit) {
        for lost in losses(base, edit) {
            for loss in [Loss::Some, Loss::All] {
                self.passed.remove(&(lost.hash, loss));
            }
        }
    }
}

/// A word that occurs less often after an edit.
struct Lost {
    hash: u64,
    /// A place of the word in the base.
    at: Range<usize>,
    /// The number of occurrences by which the edit lowers that of the word.
    by: usize,
}

impl Lost {
    /// Returns the number of occurrences of the word in the base.
    fn occurrences(&self, base: &[u8]) -> usize {
        let word = &base[self.at.clone()];
        let all = words(base, 0..base.len()).filter(|at| &base[at.clone()] == word);
        all.count()
    }

    fn loss(&self, occurrences: usize) -> Loss {
        match occurrences > self.by {
            true => Loss::Some,
            false => Loss::All,
        }
    }
}

/// Returns the words that occur less often after an edit.
fn losses(base: &[u8], edit: &Edit) -> SmallVec<[Lost; 4]> {
    let is_of_blanks = |text: &[u8]| text.iter().all(u8::is_ascii_whitespace);
    let mut splices = edit.splices().iter();
    if splices.all(|splice| is_of_blanks(&base[splice.span.range()])) {
        return SmallVec::new();
    }
    let mut counts: FxHashMap<u64, (isize, Range<usize>)> = FxHashMap::default();
    for part in parts(base, edit) {
        for at in words(base, part.range.clone()) {
            let count = counts.entry(hash(&base[at.clone()]));
            count.or_insert((0, at)).0 -= 1;
        }
        for at in words(&part.text, 0..part.text.len()) {
            if let Some((count, _)) = counts.get_mut(&hash(&part.text[at])) {
                *count += 1;
            }
        }
    }
    let lost = counts.into_iter().filter(|(_, (count, _))| *count < 0);
    let lost = lost.map(|(hash, (count, at))| Lost {
        hash,
        at,
        by: count.unsigned_abs(),
    });
    lost.collect()
}

/// Whether an edit only replaces words by words that are not in the base, and shorter by more than
/// a letter.
fn is_renaming(base: &[u8], edit: &Edit) -> bool {
    parts(base, edit).iter().all(|part| {
        let is_word = |text: &[u8]| !text.is_empty() && text.iter().all(is_of_word);
        let (old, new) = (&base[part.range.clone()], &part.text[..]);
        is_word(old)
            && is_word(new)
            && new.len() + 1 < old.len()
            && words(base, 0..base.len()).all(|at| &base[at] != new)
    })
}

/// A part of the base in whole words, and the text that an edit puts in its place.
struct Part {
    range: Range<usize>,
    text: Vec<u8>,
}

/// Returns the parts that an edit changes, extended to whole words.
fn parts(base: &[u8], edit: &Edit) -> Vec<Part> {
    let mut parts: Vec<Part> = vec![];
    for splice in edit.splices() {
        let span = splice.span.range();
        let before = base[..span.start].iter().rev();
        let before = before.take(LONG_WORD).take_while(|byte| is_of_word(byte));
        let start = span.start - before.count();
        let text = splice.text.as_deref().unwrap_or_default();
        match parts.last_mut().filter(|last| last.range.end > start) {
            Some(last) => {
                // The last part reaches into this change, to the end of its word.
                let common = last.range.end.saturating_sub(span.start);
                last.text
                    .truncate(last.text.len() - common.min(last.text.len()));
                let between = base.get(last.range.end..span.start).unwrap_or_default();
                last.text.extend_from_slice(between);
                last.text.extend_from_slice(text);
                last.range.end = span.end;
            }
            None => parts.push(Part {
                range: start..span.end,
                text: [&base[start..span.start], text].concat(),
            }),
        }
        if let Some(last) = parts.last_mut() {
            let behind = base[last.range.end..].iter();
            let behind = behind.take(LONG_WORD).take_while(|byte| is_of_word(byte));
            let end = last.range.end + behind.count();
            last.text.extend_from_slice(&base[last.range.end..end]);
            last.range.end = end;
        }
    }
    parts
}

/// Returns the words in a part of a text. Numbers are left out.
fn words(text: &[u8], within: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = within.start;
    std::iter::from_fn(move || {
        let start = at + text[at..within.end].iter().position(is_of_word)?;
        let rest = &text[start..within.end];
        let len = rest.iter().position(|byte| !is_of_word(byte));
        at = start + len.unwrap_or(rest.len());
        Some(start..at)
    })
    .filter(|word| !text[word.clone()].iter().all(u8::is_ascii_digit))
}

fn is_of_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80
}

fn hash(word: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    word.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_edit::{Span, Splice};

    const TEXT: &[u8] = b"int alpha(int a);\nbeta(alpha, \"x\");\n";

    /// Makes the edit that replaces texts, each at its first place, in order of place.
    fn replaced(texts: &[(&str, &str)]) -> Edit {
        let splices = texts.iter().map(|(old, new)| {
            let found = TEXT.windows(old.len()).position(|at| at == old.as_bytes());
            let start = found.unwrap() as u32;
            Splice::replace(Span::new(start, start + old.len() as u32), new.as_bytes())
        });
        Edit::new(splices).unwrap()
    }

    fn lost(edit: &Edit) -> Vec<(String, Loss)> {
        let lost = losses(TEXT, edit);
        let word = |lost: &Lost| String::from_utf8(TEXT[lost.at.clone()].to_vec()).unwrap();
        let mut all: Vec<_> = lost
            .iter()
            .map(|it| (word(it), it.loss(it.occurrences(TEXT))))
            .collect();
        all.sort_by(|one, other| one.0.cmp(&other.0));
        all
    }

    #[test]
    fn words_are_compared_as_a_whole() {
        let one = |word: &str, loss| vec![(word.to_string(), loss)];
        assert_eq!(lost(&replaced(&[("beta", "")])), one("beta", Loss::All));
        assert_eq!(lost(&replaced(&[("eta", "")])), one("beta", Loss::All));
        assert_eq!(lost(&replaced(&[("et", "e")])), one("beta", Loss::All));
        assert_eq!(lost(&replaced(&[("alpha", "0")])), one("alpha", Loss::Some));
        assert_eq!(lost(&replaced(&[("(alpha", "")])), one("alpha", Loss::Some));
        assert_eq!(lost(&replaced(&[("\"x\"", "\"x\"+1")])), []);
        let both = [("b", "c"), ("ta(", "(")];
        assert_eq!(lost(&replaced(&both)), one("beta", Loss::All));
        assert_eq!(lost(&replaced(&[(" alpha", "alpha")])).len(), 2);
        assert_eq!(lost(&replaced(&[(" ", "")])), []);
    }

    #[test]
    fn a_word_is_needed_once_enough_candidates_without_it_passed() {
        let mut needed = NeededWords::default();
        let call = replaced(&[("beta(alpha", "")]);
        for count in 0..LACKED_BY_MOST {
            assert_eq!(needed.are_missing(TEXT, &call, false), count >= LACKED_BY);
            assert!(!needed.are_missing(TEXT, &call, true));
            needed.passed(TEXT, &replaced(&[("beta", "eta")]));
        }
        assert!(needed.are_missing(TEXT, &call, true));
        assert!(!needed.are_missing(TEXT, &replaced(&[("alpha", "")]), false));
        assert!(needed.are_missing(TEXT, &replaced(&[("beta", "bet")]), false));
        assert!(needed.are_missing(TEXT, &replaced(&[("beta", "a")]), false));
        assert!(!needed.are_missing(TEXT, &replaced(&[("beta", "b")]), false));
        needed.adopted(TEXT, &replaced(&[("beta", "b")]));
        assert!(!needed.are_missing(TEXT, &call, false));
    }

    #[test]
    fn the_last_occurrence_of_a_word_is_another_word() {
        let mut needed = NeededWords::default();
        for _ in 0..LACKED_BY {
            needed.passed(TEXT, &replaced(&[("alpha", "")]));
        }
        assert!(needed.are_missing(TEXT, &replaced(&[("alpha", "x")]), false));
        let declaration_and_use = replaced(&[("alpha", ""), ("(alpha", "(")]);
        assert!(!needed.are_missing(TEXT, &declaration_and_use, false));
    }
}
