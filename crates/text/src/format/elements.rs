use nubbin_edit::{File, Span};
use nubbin_engine::work::{Context, Forest, Nested, Pass, PassInfo, Spans, Work};
use nubbin_view::elements::Elements as View;
use nubbin_view::lines::widen;

/// Deletes elements of XML, HTML, and similar markup, with their content.
///
/// Markup is a tree. Tags are matched by name in any text, well-formed or not (see
/// [`view::elements`](nubbin_view::elements)); tags that are never closed are units of their own.
/// An element alone on its lines is deleted with these lines. A text in which no tag is ever closed
/// has no units. This excludes generics and comparisons in code.
///
/// The elements are tried from the outside in, heaviest lists first, see
/// [`HeaviestFirst`](nubbin_engine::work::HeaviestFirst).
///
/// Cost: one test per needed element with needed parents, less where runs can be
/// deleted.
///
/// Source: hierarchical delta debugging, for C and XML (Misherghi, Su: HDD, ICSE 2006).
///
/// ```
/// use nubbin_reduce::pass::{Elements, preview};
///
/// let first = preview(&Elements, b"<a><b>x</b><c/></a><d></d>", 4);
/// assert_eq!(first[..2], ["<d></d>", "<a><b>x</b><c/></a>"]);
/// assert_eq!(first[2..], ["<a><c/></a><d></d>", "<a><b>x</b></a><d></d>"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Elements;

impl Pass for Elements {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "elements",
            "deletes elements of XML and HTML",
            "HDD (Misherghi, Su 2006)",
        )
        .joining_files()
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        let view = View::of(file.text);
        if view
            .elements()
            .iter()
            .all(|element| element.close.is_none())
        {
            return None;
        }
        let at = file.span.start;
        let spans = view
            .elements()
            .iter()
            .map(|element| widen(file.text, element.span()))
            .map(|span| Span::new(span.start + at, span.end + at));
        let nested = Nested::of(spans);
        Forest::new(Spans::new(nested.spans), &nested.parents).walk()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn elements_that_are_not_needed_are_removed() {
        let text = b"<html>\n  <p>a</p>\n  <div>\n    <br>\n    <p>x</p>\n  </div>\n</html>\n";
        let left = reduce_with(&Elements, text, |text| {
            text.contains(&b'x') && text.windows(4).any(|w| w == b"<div")
        });
        let right = b"<html>\n  <div>\n    <p>x</p>\n  </div>\n</html>\n";
        assert_eq!(left, right);
    }

    #[test]
    fn code_with_angle_brackets_is_no_markup() {
        assert!(proposals(&Elements, b"Vec<T> a; if (b<c && d>e) {}").is_empty());
    }
}
