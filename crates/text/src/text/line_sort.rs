use nubbin_edit::{Edit, File, Span};
use nubbin_engine::order::rank;
use nubbin_engine::work::{Alternatives, Blocks, Chain, Context, Pass, Rewrite, Work};
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

/// Sorts lines: all of them, then halves, quarters, and so on, then swaps neighbors.
///
/// It deletes nothing. It makes results easier to read and to compare: two runs that found the same
/// bug in different order end in the same text. Sorting all lines at once is one test and mostly
/// enough for data. In code the order matters, and swaps of neighbors sort as much as the test
/// allows. It takes at most 3n tests for n lines, and works only on texts of up to
/// [`LineSort::most_lines`] lines.
///
/// Source: the normalization of Shrink Ray and Hypothesis (MacIver): a total order and enough
/// passes end in one canonical text. Sorting in blocks before swapping is our own.
///
/// ```
/// use nubbin_reduce::pass::{LineSort, preview};
///
/// assert_eq!(preview(&LineSort::default(), b"b\na\n0\n", 2), ["0\na\nb\n", "a\nb\n0\n"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LineSort {
    /// The most lines of a text; the pass skips longer texts.
    pub most_lines: usize,
}

impl Default for LineSort {
    fn default() -> Self {
        LineSort { most_lines: 200 }
    }
}

impl Pass for LineSort {
    fn id(&self) -> &'static str {
        "line-sort"
    }

    fn about(&self) -> &'static str {
        "sorts all lines, or swaps neighbors"
    }

    fn source(&self) -> &'static str {
        "ours, after Shrink Ray's normalisation (MacIver)"
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        // The newlines stay where they are, so the last line needs none to be moved.
        let text = file.text.strip_suffix(b"\n").unwrap_or(file.text);
        let count = text.iter().filter(|&&byte| byte == b'\n').count() + 1;
        if count > self.most_lines || count < 2 {
            return None;
        }
        let mut at = file.span.start;
        let lines: Vec<Line> = text
            .split(|&byte| byte == b'\n')
            .map(|line| {
                let span = Span::new(at, at + line.len() as u32);
                at = span.end + 1;
                Line {
                    span,
                    text: line.into(),
                }
            })
            .collect();
        let swaps: Vec<Vec<Edit>> = (1..count)
            .map(|line| sorted(&lines, line - 1..line + 1).into_iter().collect())
            .collect();
        let blocks = Blocks::new(Lines(lines), 4);
        let works = [
            Work::Machine(Box::new(blocks)),
            Work::Machine(Box::new(Alternatives::new(swaps))),
        ];
        Chain::work(works, context.lists)
    }
}

struct Line {
    span: Span,
    text: Arc<[u8]>,
}

struct Lines(Vec<Line>);

impl Rewrite for Lines {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn rewrite(&self, block: Range<usize>) -> Option<Edit> {
        sorted(&self.0, block)
    }
}

/// A block of lines in order, or `None` where it is already.
fn sorted(lines: &[Line], block: Range<usize>) -> Option<Edit> {
    let lines = lines.get(block)?;
    let span = Span::new(lines.first()?.span.start, lines.last()?.span.end);
    let mut texts: Vec<&[u8]> = lines.iter().map(|line| &*line.text).collect();
    if texts.is_sorted_by(|left, right| compare(left, right).is_le()) {
        return None;
    }
    texts.sort_by(|left, right| compare(left, right));
    Some(Edit::replace(span, &texts.join(&b'\n')))
}

/// The order of whole inputs, where the newline after a line is the lowest byte.
fn compare(left: &[u8], right: &[u8]) -> Ordering {
    left.iter()
        .map(|&byte| rank(byte))
        .cmp(right.iter().map(|&byte| rank(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn lines_are_sorted_at_once_if_that_is_adopted() {
        let text = b"b\nB\n\xff\n0\n\na";
        assert_eq!(
            reduce_with(&LineSort::default(), text, |_| true),
            b"\n0\na\nb\nB\n\xff"
        );
    }

    #[test]
    fn neighbors_are_swapped_if_only_that_is_adopted() {
        let text = b"z\nd\nc\nb\na\n";
        let first_stays = |text: &[u8]| text.starts_with(b"z\n") && !text.starts_with(b"z\na\nb");
        let sorted = reduce_with(&LineSort::default(), text, first_stays);
        assert_eq!(sorted, b"z\nc\nd\na\nb\n");
    }

    #[test]
    fn sorted_or_long_texts_are_left_alone() {
        assert!(proposals(&LineSort::default(), b"a\nb\nc\n").is_empty());
        assert!(proposals(&LineSort::default(), b"").is_empty());
        assert!(proposals(&LineSort::default(), &b"b\na\n".repeat(101)).is_empty());
    }
}
