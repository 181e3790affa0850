use nubbin_edit::{File, Span};
use nubbin_engine::work::{Context, Forest, Nested, Pass, PassInfo, Spans, Work};
use nubbin_view::brackets::Brackets;
use nubbin_view::elements::Elements;
use nubbin_view::tokens::{TokenKind, code_in};

/// Empties brackets, quotes, and elements: `{…}` becomes `{}`, `"…"` becomes `""`, `<a>…</a>`
/// becomes `<a></a>`.
///
/// A function without its body, a call without its arguments, and an object without its members
/// usually remain valid for their context. So this succeeds where deleting the whole does not, and
/// an outer success saves nearly everything within. The pass wins on JSON and on code with large
/// bodies in the first minute, and on long strings later.
///
/// The pairs are tried from the outside in, heaviest first, see
/// [`HeaviestFirst`](nubbin_engine::work::HeaviestFirst). A pair that holds nothing but white space
/// is left alone.
///
/// Cost: one test per pair that must keep some of its content, few for runs of pairs that need
/// not.
///
/// Source: Shrink Ray's hollow pass (MacIver), which begins with small pairs. This one begins with
/// large ones, takes many siblings at a time, and knows markup.
///
/// ```
/// use nubbin_reduce::pass::{Hollow, preview};
///
/// let first = preview(&Hollow, b"f(\"abc\", [1, 2]);", 3);
/// assert_eq!(first, ["f();", "f(\"abc\", []);", "f(\"\", [1, 2]);"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Hollow;

impl Pass for Hollow {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "hollow",
            "empties brackets, quotes, and elements",
            "Shrink Ray (MacIver)",
        )
        .joining_files()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let text = file.text;
        let brackets = context.views.of::<Brackets>(text);
        let elements = Elements::of(text);
        let strings = code_in(context.views, text)
            .filter(|token| token.kind == TokenKind::String)
            .filter_map(|token| inside_quotes(token.text(text), token.span.start));
        let insides = brackets.groups().iter().map(|group| group.inside());
        let insides = insides.chain(
            elements
                .elements()
                .iter()
                .filter_map(|element| element.inside()),
        );
        let insides = insides.chain(strings).filter(|span| {
            text.get(span.range())
                .is_some_and(|inside| !inside.trim_ascii_start().is_empty())
        });
        let at = file.span.start;
        let nested = Nested::of(insides.map(|span| Span::new(span.start + at, span.end + at)));
        Forest::new(Spans::new(nested.spans), &nested.parents).walk()
    }
}

/// Returns the text between the quotes of a string that starts at `start`. The string may have a
/// prefix, and one or three quotes on each side.
fn inside_quotes(string: &[u8], start: u32) -> Option<Span> {
    let is_quote = |&byte: &u8| matches!(byte, b'"' | b'\'' | b'`');
    let first = string.iter().position(is_quote)?;
    let quote = string.get(first)?;
    let triple = string
        .get(first..first + 3)
        .is_some_and(|three| three.iter().all(|b| b == quote));
    let last = string.iter().rposition(|byte| byte == quote)?;
    let (first, last) = if triple && last >= first + 5 {
        (first + 3, last - 2)
    } else {
        (first + 1, last)
    };
    (first < last).then(|| Span::at(start, first..last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn the_largest_that_can_be_empty_is_emptied() {
        let text = b"int f(int a) { if (a) { g(\"x\"); } return a; } int h() { return 1; }";
        let left = reduce_with(&Hollow, text, |text| {
            text.windows(6).any(|w| w == b"return") && text.windows(4).any(|w| w == b"if (")
        });
        assert_eq!(left, b"int f() { if () {} return a; } int h() {}");
    }

    #[test]
    fn strings_of_all_kinds_are_emptied() {
        let left = reduce_with(&Hollow, b"b'x' \"\"\"y\"\"\" `z` r#\"w\"# '' { }", |_| true);
        assert_eq!(left, b"b'' \"\"\"\"\"\" `` r#\"\"# '' { }");
    }

    #[test]
    fn elements_are_emptied() {
        let left = reduce_with(&Hollow, b"<a><b>x</b><c k=\"v\"/></a>", |text| {
            text.windows(3).any(|w| w == b"<b>")
        });
        assert_eq!(left, b"<a><b></b><c k=\"\"/></a>");
    }

    #[test]
    fn a_text_with_nothing_to_empty_has_no_proposals() {
        assert!(proposals(&Hollow, b"a () { } \"\"").is_empty());
    }
}
