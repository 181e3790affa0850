use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Context, List, Pass, PassInfo, Units, Work};
use nubbin_view::brackets::Brackets;
use std::ops::Range;
use std::sync::Arc;

/// Removes the two brackets of a pair and keeps the text between them.
///
/// `{ x; }` becomes `x;`, `((a))` becomes `(a)`, `[1]` becomes `1`. The pass helps with blocks
/// whose header was removed, with casts, with grouping parentheses, and with lists of one element.
/// The pass saves two bytes per test, so it runs late. Two brackets can only be deleted together,
/// and no pass that deletes single units does so.
///
/// Cost: one test per pair that must stay.
///
/// Source: Shrink Ray's debracket pass (MacIver); C-Reduce's `balanced` passes (Regehr et al., PLDI
/// 2012).
///
/// ```
/// use nubbin_reduce::pass::{Debracket, preview};
///
/// let first = preview(&Debracket, b"{ x = (y); }", 3);
/// assert_eq!(first, [" x = y; ", "{ x = y; }", " x = (y); "]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Debracket;

impl Pass for Debracket {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "debracket",
            "removes pairs of brackets and keeps their content",
            "Shrink Ray (MacIver); C-Reduce (Regehr et al. 2012)",
        )
        .joining_files()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let at = file.span.start;
        let brackets = context.views.of::<Brackets>(file.text);
        let pairs: Vec<(u32, u32)> = brackets
            .groups()
            .iter()
            .map(|group| (at + group.open, at + group.close))
            .collect();
        // A single pair is only removed by this test of all pairs together.
        (!pairs.is_empty()).then(|| Work::List(List::new(Pairs(pairs.into())).try_all()))
    }
}

/// Two bytes that go together.
struct Pairs(Arc<[(u32, u32)]>);

impl Units for Pairs {
    fn len(&self) -> u32 {
        self.0.len() as u32
    }

    fn weight(&self, _unit: u32) -> u32 {
        2
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let byte = |at: u32| Span::new(at, at + 1);
        let pairs = units
            .iter()
            .filter_map(|range| self.0.get(range.start as usize..range.end as usize));
        Edit::delete_all(
            pairs
                .flatten()
                .flat_map(|&(open, close)| [byte(open), byte(close)]),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn pairs_that_are_not_needed_are_removed() {
        let left = reduce_with(&Debracket, b"{a((b)[c])}\xff", |text| text.contains(&b'['));
        assert_eq!(left, b"ab[c]\xff");
    }

    #[test]
    fn brackets_without_partner_are_left_alone() {
        assert!(proposals(&Debracket, b")(").is_empty());
        assert_eq!(proposals(&Debracket, b"(x"), Vec::<Vec<u8>>::new());
    }
}
