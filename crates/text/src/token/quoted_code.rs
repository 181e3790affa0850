use super::strings::parts;
use crate::bracket::{Headed, with_headers};
use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Alternatives, Context, Pass, PassInfo, Work};
use nubbin_view::tokens::{TokenKind, code, code_in};

/// Replaces a string with its contents, without quotes and escapes: `eval("f(a)")` becomes `f(a)`.
///
/// A program in a string can only be reduced as a text, and the call that runs it cannot be
/// removed. For each string whose contents are more than a word, it tries the contents in place of
/// the innermost group that has the string alone in its brackets, with the name before it, and then
/// in place of the string.
///
/// Cost: up to two tests per string that is more than a word; only in texts with up to 100 of
/// these.
///
/// Source: ours.
///
/// ```
/// use nubbin_reduce::pass::{QuotedCode, preview};
///
/// let first = preview(&QuotedCode, br#"x = eval("f(\"a\")");"#, 2);
/// assert_eq!(first, [r#"x = f("a");"#, r#"x = eval(f("a"));"#]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct QuotedCode;

/// The number of strings above which a text has data in its strings, and not programs.
const MAX_STRINGS: usize = 100;

impl Pass for QuotedCode {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "quoted-code",
            "replaces strings with their contents without quotes",
            "ours",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let is_code = |text: &[u8]| code(text).filter(|t| t.kind != TokenKind::Comment).count() > 1;
        let strings: Vec<(Span, Vec<u8>)> = code_in(context.views, file.text)
            .filter(|token| token.kind == TokenKind::String)
            .filter_map(|token| {
                let string = token.text(file.text);
                let (_, (from, to)) = parts(string)?;
                let inside = string.get(from..to)?;
                is_code(inside).then(|| (token.span, unescaped(inside)))
            })
            .collect();
        if strings.is_empty() || strings.len() > MAX_STRINGS {
            return None;
        }
        let groups = with_headers(context.views, file.text);
        let moved = |span: Span| Span::at(file.span.start, span.range());
        let places: Vec<Vec<Edit>> = strings
            .iter()
            .map(|(span, text)| {
                let around = groups
                    .iter()
                    .rev()
                    .find(|group| holds(file.text, group, *span));
                let around = around.map(|group| Span::new(group.start, group.close));
                let spans = around.into_iter().chain([*span]);
                spans.map(|span| Edit::replace(moved(span), text)).collect()
            })
            .collect();
        Some(Work::Machine(Box::new(Alternatives::new(places))))
    }
}

/// Returns whether a group has nothing but a string between its brackets.
fn holds(text: &[u8], group: &Headed, string: Span) -> bool {
    let is_blank = |from: u32, to: u32| {
        let between = text.get(from as usize..to as usize);
        between.is_some_and(|between| between.trim_ascii().is_empty())
    };
    is_blank(group.open + 1, string.start) && is_blank(string.end, group.close - 1)
}

/// Returns the contents of a string as its program sees them, for the escapes that most languages
/// have.
fn unescaped(inside: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(inside.len());
    let mut bytes = inside.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        let escaped = bytes.next_if(|next| byte == b'\\' && b"n\"'`\\".contains(next));
        out.push(match escaped {
            Some(b'n') => b'\n',
            Some(quote) => quote,
            None => byte,
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn a_program_in_a_string_replaces_its_call() {
        let text = br#"a = eval('[]'); new Function("a", "a.f(\'x\')")(); g("word")"#;
        let left = reduce_with(&QuotedCode, text, |text| {
            !text.windows(4).any(|w| w == b"eval")
        });
        assert_eq!(left, br#"a = []; new Function("a", a.f('x'))(); g("word")"#);
    }

    #[test]
    fn escapes_are_replaced_by_their_characters() {
        assert_eq!(unescaped(br#"a\\b\"c\nd\te\"#), b"a\\b\"c\nd\\te\\");
    }

    #[test]
    fn words_and_texts_without_strings_give_nothing() {
        assert!(proposals(&QuotedCode, b"f('a', \"bcd\", '')").is_empty());
        assert!(proposals(&QuotedCode, b"don't\0\xff").is_empty());
    }
}
