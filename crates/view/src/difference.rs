use super::ChangeSet;
use crate::{chars, lines, tokens};
use nubbin_edit::{Edit, Span, Splice};
use rustc_hash::FxHashMap;
use similar::{Algorithm, capture_diff_slices};
use std::sync::Arc;

/// The unit by which two texts are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// Lines, each with its line terminator.
    Line,
    /// Tokens of the [lexer for code](tokens::code), and the white space between them.
    Token,
    /// Characters. A byte that is not part of valid UTF-8 counts as a character.
    Char,
    /// Bytes.
    Byte,
}

impl Atom {
    /// Returns the name of the unit: `line`, `token`, `char`, or `byte`.
    pub fn id(self) -> &'static str {
        match self {
            Atom::Line => "line",
            Atom::Token => "token",
            Atom::Char => "char",
            Atom::Byte => "byte",
        }
    }

    /// Returns the offsets at which the atoms of a text begin, and the offset of its end.
    fn bounds(self, text: &[u8]) -> Vec<u32> {
        match self {
            Atom::Line => lines::bounds(text),
            Atom::Char => chars::bounds(text),
            Atom::Byte if text.is_empty() => vec![],
            Atom::Byte => (0..=text.len() as u32).collect(),
            Atom::Token if text.is_empty() => vec![],
            Atom::Token => {
                let ends = tokens::code(text).flat_map(|t| [t.span.start, t.span.end]);
                let mut bounds: Vec<u32> = std::iter::once(0)
                    .chain(ends)
                    .chain([text.len() as u32])
                    .collect();
                bounds.dedup();
                bounds
            }
        }
    }
}

/// A difference between two texts, as a range of bytes in each text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The bytes of the difference in the old text.
    pub old: Span,
    /// The bytes of the difference in the new text.
    pub new: Span,
}

/// Returns the differences between two texts, in order. Between two differences, at least one unit
/// is the same in both texts.
///
/// This is Myers' algorithm with the usual heuristics, so the number of differences is not always
/// the smallest one. Texts that have little in common take time proportional to their length.
///
/// ```
/// use nubbin_reduce::isolate::{Atom, hunks};
///
/// let found = hunks(b"one\ntwo\nthree\n", b"one\nzwei\nthree\nfour\n", Atom::Line);
/// assert_eq!((found[0].old.range(), found[0].new.range()), (4..8, 4..9));
/// assert_eq!((found[1].old.range(), found[1].new.range()), (14..14, 15..20));
/// ```
pub fn hunks(old: &[u8], new: &[u8], atom: Atom) -> Vec<Hunk> {
    let (old_bounds, new_bounds) = (atom.bounds(old), atom.bounds(new));
    let places = places(old, new, &old_bounds, &new_bounds);
    places.into_iter().map(|place| place.hunk).collect()
}

/// A hunk with the bounds of its atoms: the beginning of each atom, and the end of the last one.
struct Place<'b> {
    hunk: Hunk,
    old: &'b [u32],
    new: &'b [u32],
}

fn places<'b>(
    old: &[u8],
    new: &[u8],
    old_bounds: &'b [u32],
    new_bounds: &'b [u32],
) -> Vec<Place<'b>> {
    let mut known: FxHashMap<&[u8], u32> = FxHashMap::default();
    let (before, after) = (
        numbered(old, old_bounds, &mut known),
        numbered(new, new_bounds, &mut known),
    );
    let mut found: Vec<(std::ops::Range<usize>, std::ops::Range<usize>)> = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &before, &after) {
        if matches!(op, similar::DiffOp::Equal { .. }) {
            continue;
        }
        let (old, new) = (op.old_range(), op.new_range());
        match found.last_mut() {
            Some((before, after)) if before.end == old.start && after.end == new.start => {
                before.end = old.end;
                after.end = new.end;
            }
            _ => found.push((old, new)),
        }
    }
    found
        .into_iter()
        .map(|(before, after)| {
            // An empty text has no line bounds.
            let old = old_bounds
                .get(before.start..=before.end)
                .unwrap_or_default();
            let new = new_bounds.get(after.start..=after.end).unwrap_or_default();
            Place {
                hunk: Hunk {
                    old: around(old),
                    new: around(new),
                },
                old,
                new,
            }
        })
        .collect()
}

fn around(bounds: &[u32]) -> Span {
    match (bounds.first(), bounds.last()) {
        (Some(&start), Some(&end)) => Span::new(start, end),
        _ => Span::default(),
    }
}

/// Returns the atoms as numbers, which are equal for equal atoms. So each atom is compared and
/// hashed once instead of many times.
fn numbered<'t>(text: &'t [u8], bounds: &[u32], known: &mut FxHashMap<&'t [u8], u32>) -> Vec<u32> {
    spans(bounds)
        .map(|span| {
            let next = known.len() as u32;
            let atom = text.get(span.range()).unwrap_or_default();
            *known.entry(atom).or_insert(next)
        })
        .collect()
}

fn spans(bounds: &[u32]) -> impl Iterator<Item = Span> + '_ {
    let ends = bounds.iter().skip(1);
    bounds
        .iter()
        .zip(ends)
        .map(|(&start, &end)| Span::new(start, end))
}

/// The difference between a passing and a failing text: changes of the passing text that can be
/// made independently of each other. With no change, the result is the passing text. With all
/// changes, the result is the failing text.
///
/// A change deletes, inserts, or replaces one atom. If both texts have similar lines, one is
/// replaced with the other. Of the lines between similar ones, the first is replaced with the first
/// and the second with the second. Lines that remain on one side are deleted or inserted.
///
/// ```
/// use nubbin_reduce::isolate::{Atom, ChangeSet, Difference};
///
/// let passing = b"a = 1\nb = 2\n";
/// let difference = Difference::between(passing, b"a = 1\nb = 0\nc = a / b\n", Atom::Line);
/// assert_eq!(difference.len(), 2);                  // one line replaced, one inserted
/// let second = difference.edit(&ChangeSet::all(2).part(1..2));
/// assert_eq!(second.render(passing), b"a = 1\nb = 2\nc = a / b\n");
/// ```
#[derive(Clone, Debug)]
pub struct Difference {
    atom: Atom,
    /// The changes, sorted and disjoint. Several changes may insert at one point, in their order.
    changes: Arc<[Splice]>,
}

impl Difference {
    /// Compares two texts, and creates the changes that turn the first text into the second. Both
    /// texts must be shorter than 4 GiB.
    pub fn between(passing: &[u8], failing: &[u8], atom: Atom) -> Self {
        let mut changes = vec![];
        add_changes(passing, failing, atom, 0, &mut changes);
        Difference {
            atom,
            changes: changes.into(),
        }
    }

    /// Returns the unit by which the texts were compared.
    pub fn atom(&self) -> Atom {
        self.atom
    }

    /// Returns the number of changes.
    pub fn len(&self) -> u32 {
        self.changes.len() as u32
    }

    /// Returns whether the texts are equal.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns the changes, by their numbers, as edits of the passing text.
    pub fn changes(&self) -> &[Splice] {
        &self.changes
    }

    /// Returns the edit that makes the changes in a set.
    pub fn edit(&self, set: &ChangeSet) -> Edit {
        let made = set.runs().iter().flat_map(|run| {
            let run = run.start as usize..run.end as usize;
            self.changes.get(run).unwrap_or_default()
        });
        Edit::from_sorted(made.cloned())
    }

    /// Compares the remaining difference by another unit. The changes in `made` are made first, and
    /// changes that are in neither set are dropped. The result is a difference over the text with
    /// the changes in `made`, and contains the changes in `left`.
    pub fn refine(
        &self,
        passing: &[u8],
        made: &ChangeSet,
        left: &ChangeSet,
        atom: Atom,
    ) -> Difference {
        let base = self.edit(made).render(passing);
        let mut regions: Vec<(Span, Vec<u8>)> = Vec::new();
        let mut shift = 0i64;
        let moved = |at: u32, shift: i64| (i64::from(at) + shift) as u32;
        for (number, change) in (0u32..).zip(self.changes.iter()) {
            if made.contains(number) {
                shift += change.text().len() as i64 - i64::from(change.span.len());
            } else if left.contains(number) {
                let start = moved(change.span.start, shift);
                let span = Span::new(start, start + change.span.len());
                match regions.last_mut() {
                    // Lines of one hunk are compared together, since the second line of the old
                    // text may be the third line of the new text.
                    Some((last, text)) if last.end == span.start => {
                        last.end = span.end;
                        text.extend_from_slice(change.text());
                    }
                    _ => regions.push((span, change.text().to_vec())),
                }
            }
        }
        let mut changes = vec![];
        for (span, text) in regions {
            let old = base.get(span.range()).unwrap_or_default();
            add_changes(old, &text, atom, span.start, &mut changes);
        }
        Difference {
            atom,
            changes: changes.into(),
        }
    }
}

/// Adds the changes between two texts, the first of which begins at `at`.
fn add_changes(old: &[u8], new: &[u8], atom: Atom, at: u32, changes: &mut Vec<Splice>) {
    let (old_bounds, new_bounds) = (atom.bounds(old), atom.bounds(new));
    for place in places(old, new, &old_bounds, &new_bounds) {
        let mut end = place.hunk.old.start;
        for (from, to) in pairs(old, new, &place, atom) {
            let from = from.unwrap_or(Span::new(end, end));
            end = from.end;
            let text = to.and_then(|to| new.get(to.range())).unwrap_or_default();
            if old.get(from.range()) != Some(text) {
                let span = Span::new(at + from.start, at + from.end);
                changes.push(Splice::replace(span, text));
            }
        }
    }
}

/// An atom of the old text and its replacement, or an atom that is only in one text.
type Pair = (Option<Span>, Option<Span>);

/// Pairs the atoms of a hunk, in order: similar lines with each other, and of the lines between
/// them the first with the first and the second with the second.
fn pairs(old: &[u8], new: &[u8], place: &Place<'_>, atom: Atom) -> Vec<Pair> {
    let removed: Vec<Span> = spans(place.old).collect();
    let added: Vec<Span> = spans(place.new).collect();
    let alike = match atom {
        Atom::Line => alike(old, new, &removed, &added),
        _ => vec![],
    };
    let mut pairs = Vec::with_capacity(removed.len().max(added.len()));
    let (mut from, mut to) = (0, 0);
    for (i, j) in alike.into_iter().chain([(removed.len(), added.len())]) {
        for step in 0..(i - from).max(j - to) {
            let at = |list: &[Span], first: usize, end: usize| {
                list.get(first + step)
                    .filter(|_| first + step < end)
                    .copied()
            };
            pairs.push((at(&removed, from, i), at(&added, to, j)));
        }
        if let (Some(&before), Some(&after)) = (removed.get(i), added.get(j)) {
            pairs.push((Some(before), Some(after)));
        }
        (from, to) = (i + 1, j + 1);
    }
    pairs
}

/// The number of pairs of lines in a hunk beyond which similar lines are not searched for.
const COMPARED: usize = 1 << 14;

/// Returns pairs of similar lines, by their numbers. The pairs are in order in both texts, and have
/// as many bytes in common as possible.
fn alike(old: &[u8], new: &[u8], removed: &[Span], added: &[Span]) -> Vec<(usize, usize)> {
    let (rows, columns) = (removed.len(), added.len());
    if rows == 0 || columns == 0 || rows * columns > COMPARED {
        return vec![];
    }
    // For every pair of lines, the largest number of common bytes from that pair on.
    let width = columns + 1;
    let mut best = vec![0u64; (rows + 1) * width];
    let mut common = vec![0u64; rows * columns];
    let cell = |table: &[u64], at: usize| table.get(at).copied().unwrap_or(0);
    for (i, before) in removed.iter().enumerate().rev() {
        for (j, after) in added.iter().enumerate().rev() {
            let bytes = in_common(
                old.get(before.range()).unwrap_or_default(),
                new.get(after.range()).unwrap_or_default(),
            );
            let paired = bytes + cell(&best, (i + 1) * width + j + 1);
            let skipped = cell(&best, (i + 1) * width + j).max(cell(&best, i * width + j + 1));
            best[i * width + j] = paired.max(skipped);
            common[i * columns + j] = bytes;
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut found = vec![];
    while i < rows && j < columns {
        let bytes = cell(&common, i * columns + j);
        let here = cell(&best, i * width + j);
        if bytes > 0 && here == bytes + cell(&best, (i + 1) * width + j + 1) {
            found.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if here == cell(&best, (i + 1) * width + j) {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

/// Returns the number of bytes that two lines have in common at their beginnings and ends, without
/// the white space around them. Returns 0 if that is less than half of the shorter line.
fn in_common(old: &[u8], new: &[u8]) -> u64 {
    let (old, new) = (old.trim_ascii(), new.trim_ascii());
    let shorter = old.len().min(new.len());
    let same = |(a, b): &(&u8, &u8)| a == b;
    let head = old.iter().zip(new).take_while(same).count();
    let tail = old.iter().rev().zip(new.iter().rev());
    let tail = tail.take(shorter - head).take_while(same).count();
    let bytes = head + tail;
    if 2 * bytes < shorter { 0 } else { bytes as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ATOMS: [Atom; 4] = [Atom::Line, Atom::Token, Atom::Char, Atom::Byte];

    fn shown(difference: &Difference, passing: &str) -> Vec<(String, String)> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        difference
            .changes()
            .iter()
            .map(|c| (passing[c.span.range()].to_string(), text(c.text())))
            .collect()
    }

    fn owned(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        let pair = |(a, b): &(&str, &str)| ((*a).to_string(), (*b).to_string());
        expected.iter().map(pair).collect()
    }

    /// A passing and a failing text, and the changes between them.
    type Case = (
        &'static str,
        &'static str,
        Atom,
        &'static [(&'static str, &'static str)],
    );

    #[test]
    fn changes_replace_insert_and_delete_one_atom_each() {
        let cases: &[Case] = &[
            ("a\nb\nc\n", "a\nB\nc\n", Atom::Line, &[("b\n", "B\n")]),
            (
                "a\nc\n",
                "a\nb\nb\nc\n",
                Atom::Line,
                &[("", "b\n"), ("", "b\n")],
            ),
            ("a\nb\nc\n", "c\n", Atom::Line, &[("a\n", ""), ("b\n", "")]),
            // Two similar lines are one changed line at any position in the hunk.
            (
                "limit = 17\n",
                "x\ny\n  limit = -7\nz\n",
                Atom::Line,
                &[
                    ("", "x\n"),
                    ("", "y\n"),
                    ("limit = 17\n", "  limit = -7\n"),
                    ("", "z\n"),
                ],
            ),
            ("", "x\ny", Atom::Line, &[("", "x\n"), ("", "y")]),
            ("x\ny", "", Atom::Line, &[("x\n", ""), ("y", "")]),
            ("x", "x\n", Atom::Line, &[("x", "x\n")]),
            ("f(a, b)", "f(a, cc)", Atom::Token, &[("b", "cc")]),
            ("f(a)", "f( a)", Atom::Token, &[("", " ")]),
            ("größe", "große", Atom::Char, &[("ö", "o")]),
        ];
        for &(passing, failing, atom, expected) in cases {
            let difference = Difference::between(passing.as_bytes(), failing.as_bytes(), atom);
            assert_eq!(
                shown(&difference, passing),
                owned(expected),
                "{passing} {failing}"
            );
        }
    }

    #[test]
    fn the_rest_of_neighboring_lines_is_compared_as_one() {
        let passing = "keep\na one b\nend\n";
        let failing = "new\nkeep\nfresh\nz one y\nend\n";
        let lines = Difference::between(passing.as_bytes(), failing.as_bytes(), Atom::Line);
        // The first line of the hunk is replaced with a new line, and `z one y` is inserted. The
        // comparison by tokens keeps `one`.
        assert_eq!(
            shown(&lines, passing),
            owned(&[("", "new\n"), ("a one b\n", "fresh\n"), ("", "z one y\n")])
        );
        let all = ChangeSet::all(3);
        let (made, left) = (all.part(0..1), all.part(1..3));
        let tokens = lines.refine(passing.as_bytes(), &made, &left, Atom::Token);
        assert_eq!(
            shown(&tokens, "new\nkeep\na one b\nend\n"),
            owned(&[("a", "fresh"), ("", "\n"), ("", "z"), ("b", "y")])
        );
    }

    #[test]
    fn texts_with_nothing_in_common_take_linear_time() {
        let old: String = (0..50_000).map(|i| format!("{i}\n")).collect();
        let new: String = (50_000..100_000).map(|i| format!("{i}\n")).collect();
        let difference = Difference::between(old.as_bytes(), new.as_bytes(), Atom::Line);
        assert_eq!(difference.len(), 50_000);
    }

    fn text() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(&b"a"[..]),
            Just(&b"bb"[..]),
            Just(&b" "[..]),
            Just(&b"\n"[..]),
            Just(&b"(\"x y\")"[..]),
            Just(&b"\xff"[..]),
            Just("ß".as_bytes()),
        ];
        proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn no_change_gives_the_passing_text_and_all_the_failing_one(a in text(), b in text()) {
            for atom in ATOMS {
                let difference = Difference::between(&a, &b, atom);
                prop_assert_eq!(&difference.edit(&ChangeSet::none()).render(&a), &a);
                let all = difference.edit(&ChangeSet::all(difference.len()));
                prop_assert_eq!(&all.render(&a), &b);
            }
        }

        /// The made and the remaining changes lead to the same two texts with and without refining.
        #[test]
        fn refining_changes_neither_text(
            a in text(), b in text(), seed in any::<u64>(), coarse in 0usize..4, fine in 0usize..4
        ) {
            let difference = Difference::between(&a, &b, ATOMS[coarse]);
            let (mut made, mut left) = (ChangeSet::none(), ChangeSet::none());
            let all = ChangeSet::all(difference.len());
            for change in 0..difference.len() {
                let one = all.part(change..change + 1);
                match seed.rotate_left(change * 2) % 3 {
                    0 => made = made.union(&one),
                    1 => left = left.union(&one),
                    _ => {}
                }
            }
            let base = difference.edit(&made).render(&a);
            let failing = difference.edit(&made.union(&left)).render(&a);
            let finer = difference.refine(&a, &made, &left, ATOMS[fine]);
            let all = finer.edit(&ChangeSet::all(finer.len()));
            prop_assert_eq!(all.render(&base), failing);
        }
    }
}
