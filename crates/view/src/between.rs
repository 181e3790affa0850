use crate::{Atom, hunks};
use nubbin_edit::{Edit, Span, Splice};

/// The size in bytes beyond which two differing places are not compared token by token.
const MAX_BYTES: usize = 1 << 16;

/// Returns the edit that turns `old` into `new`. Common lines are not changed, and common tokens
/// within changed lines are not changed either. The edit is therefore small and can be combined
/// with other edits.
///
/// Both are shorter than 4 GiB. In the worst case it takes time proportional to their length
/// times the number of lines in which they differ.
///
/// ```
/// use nubbin_view::between;
///
/// let old = b"int f(int unused, int b);\nint g();\n";
/// let new = b"int f(int b);\nint g();\n";
/// let edit = between(old, new);
/// assert_eq!(edit.render(old), new);
/// assert_eq!(edit.growth(), -12);
/// ```
pub fn between(old: &[u8], new: &[u8]) -> Edit {
    let mut splices = vec![];
    for place in hunks(old, new, Atom::Line) {
        let (before, after) = (&old[place.old.range()], &new[place.new.range()]);
        if before.len().max(after.len()) > MAX_BYTES {
            splices.push(Splice::replace(place.old, after));
            continue;
        }
        for part in hunks(before, after, Atom::Token) {
            let (start, range) = (place.old.start, part.old.range());
            let span = Span::at(start, range);
            splices.push(Splice::replace(span, &after[part.new.range()]));
        }
    }
    Edit::from_sorted(splices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn common_text_is_not_part_of_the_edit() {
        let (old, new) = (b"f(a, b);\ng(c);\n", b"f(b);\ng(c, d);\n");
        let edit = between(old, new);
        assert_eq!(edit.render(old), new);
        let changed: u32 = edit.splices().iter().map(|splice| splice.span.len()).sum();
        assert_eq!(changed, 3, "{edit:?}");
    }

    #[test]
    fn equal_texts_make_no_edit_and_empty_ones_are_whole() {
        assert!(between(b"x\n", b"x\n").is_none());
        assert!(between(b"", b"").is_none());
        assert_eq!(between(b"a b", b"").render(b"a b"), b"");
        assert_eq!(between(b"", b"a b").render(b""), b"a b");
    }

    proptest! {
        #[test]
        fn the_edit_makes_the_new_text_of_the_old(old in "[ab(\n ]{0,30}", new in "[ab(\n ]{0,30}") {
            let edit = between(old.as_bytes(), new.as_bytes());
            prop_assert_eq!(edit.render(old.as_bytes()), new.as_bytes());
        }
    }
}
