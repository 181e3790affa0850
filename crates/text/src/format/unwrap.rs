use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Context, List, Pass, PassInfo, Proposals, Work};
use nubbin_view::elements::Elements as View;
use nubbin_view::lines::widen;

/// Replaces elements of markup with their content.
///
/// The pass treats elements as [`Debracket`](crate::Debracket) does for brackets. Documents often
/// have many nested elements that only contain other elements, and no other pass removes these. A
/// tag alone on its line is removed with the line.
///
/// Cost: one test per needed element.
///
/// Source: hoisting in picireny and Perses, without a grammar.
///
/// ```
/// use nubbin_reduce::pass::{Unwrap, preview};
///
/// let first = preview(&Unwrap, b"<a><b>x</b>y</a>", 3);
/// assert_eq!(first, ["xy", "<a>xy</a>", "<b>x</b>y"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwrap;

impl Pass for Unwrap {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "unwrap",
            "removes the tags of elements and keeps their content",
            "picireny (Kiss, Hodován), hoisting",
        )
        .joining_files()
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        let at = file.span.start;
        let tag = |span: Span| {
            let span = widen(file.text, span);
            Span::new(span.start + at, span.end + at)
        };
        let edits: Vec<Edit> = View::of(file.text)
            .elements()
            .iter()
            .filter_map(|element| Some(Edit::delete_all([tag(element.open), tag(element.close?)])))
            .collect();
        (!edits.is_empty()).then(|| Work::List(List::new(Proposals::new(edits)).try_all()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn elements_that_only_contain_others_are_unwrapped() {
        let text = b"<a>\n <b>\n  <c>x</c>\n </b>\n</a>\n";
        let left = reduce_with(&Unwrap, text, |text| text.windows(4).any(|w| w == b"</b>"));
        assert_eq!(left, b" <b>\n  x\n </b>\n");
    }

    #[test]
    fn tags_without_partner_are_left_alone() {
        assert!(proposals(&Unwrap, b"<br><a/></p>").is_empty());
    }
}
