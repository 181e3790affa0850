use crate::work::Units;
use nubbin_edit::{Edit, Span, Splice};
use std::ops::Range;
use std::sync::Arc;

/// Units that are all replaced with the same text: calls with `0`, or bodies with `;`.
///
/// Of chosen units within each other the outermost is replaced, and those within it disappear with
/// it. So a list minimizer may take any of them together, at a cost linear in their number, and a
/// unit takes eight bytes.
///
/// ```
/// use nubbin_reduce::pass::Replacements;
/// use nubbin_reduce::span::Span;
/// use nubbin_reduce::work::Units;
///
/// let calls = Replacements::new(vec![Span::new(4, 11), Span::new(6, 10)], b"0");
/// assert_eq!(calls.edit(&[0..2]).render(b"x = f(g(1));"), b"x = 0;");
/// assert_eq!(calls.edit(&[1..2]).render(b"x = f(g(1));"), b"x = f(0);");
/// ```
#[derive(Clone, Debug)]
pub struct Replacements {
    spans: Arc<[Span]>,
    text: Arc<[u8]>,
}

impl Replacements {
    /// Creates units from the given spans, each of which is replaced with `text`. Spans shorter
    /// than `text` are left out.
    pub fn new(mut spans: Vec<Span>, text: &[u8]) -> Self {
        spans.retain(|span| !span.is_empty() && span.len() as usize >= text.len());
        spans.sort_unstable_by_key(|span| (span.start, u32::MAX - span.end));
        spans.dedup();
        Replacements {
            spans: spans.into(),
            text: text.into(),
        }
    }
}

impl Units for Replacements {
    fn len(&self) -> u32 {
        self.spans.len() as u32
    }

    fn weight(&self, unit: u32) -> u32 {
        self.spans
            .get(unit as usize)
            .map_or(1, |span| (span.len() - self.text.len() as u32).max(1))
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let ranges = units
            .iter()
            .map(|range| range.start as usize..range.end as usize);
        let mut end = 0;
        let outermost = ranges
            .flat_map(|range| self.spans.get(range).unwrap_or_default())
            .filter(|span| {
                let outside = span.start >= end;
                end = end.max(span.end);
                outside
            });
        let text = (!self.text.is_empty()).then_some(&self.text);
        let splices = outermost.map(|&span| Splice {
            span,
            text: text.cloned(),
            rank: 0,
        });
        // The splices are disjoint, so they cannot conflict.
        Edit::new(splices).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_and_crossing_units_are_taken_from_the_left() {
        let spans = vec![
            Span::new(2, 4),
            Span::new(0, 3),
            Span::new(5, 9),
            Span::new(6, 7),
        ];
        let units = Replacements::new(spans, b"0");
        assert_eq!(units.edit(&[0..2, 2..4]).render(b"abcdefghij"), b"0de0j");
        assert_eq!(
            units.edit(&[1..2, 3..4]).render(b"abcdefghij"),
            b"ab0ef0hij"
        );
        assert_eq!(units.weight(0), 2);
    }

    #[test]
    fn units_that_would_grow_are_left_out() {
        assert!(Replacements::new(vec![Span::new(0, 1), Span::new(2, 2)], b"00").is_empty());
    }
}
