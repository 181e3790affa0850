use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{
    Alternatives, Chain, Context, Pass, PassInfo, Places, Replacements, Spans, Work, all_or_some,
};
use nubbin_view::tokens::{TokenKind, code_in};

/// Empties and shortens quoted strings.
///
/// The pass first empties all strings at once, then as a list. The pass then replaces contents with
/// `a` in the same way, if an empty string would mean something else (a character, a file name).
/// Then it deletes prefixes (`f"`, `L'`). Then, string by string, it deletes the last and the first
/// half, quarter, and so on of the contents, until one of them can be deleted. The pass does so
/// only in texts with up to 500 strings. The pass takes a handful of tests if strings do not
/// matter, and otherwise about 4 + 2 log2(length) tests for each string.
///
/// The [rough lexer](nubbin_view::tokens::code) decides which text is a string: it knows escapes,
/// triple quotes, and raw strings, and that apostrophes in prose are not quotes.
///
/// Source: Shrink Ray's string passes (MacIver) and the string literals of T-Rec (Xu et al.
/// 2024).
///
/// ```
/// use nubbin_reduce::pass::{Strings, preview};
///
/// assert_eq!(preview(&Strings, br#"f("one", "two")"#, 1), [r#"f("", "")"#]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Strings;

/// The number of non-empty strings above which none is halved.
const MOST_HALVED: usize = 500;

impl Pass for Strings {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "strings",
            "empties and shortens quoted strings",
            "Shrink Ray (MacIver); T-Rec (Xu et al. 2024)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let (mut insides, mut prefixes) = (vec![], vec![]);
        for token in
            code_in(context.views, file.text).filter(|token| token.kind == TokenKind::String)
        {
            let Some((prefix, inside)) = parts(token.text(file.text)) else {
                continue;
            };
            let start = file.span.start + token.span.start;
            let at = |from: usize, to: usize| Span::at(start, from..to);
            prefixes.extend((prefix > 0).then(|| at(0, prefix)));
            insides.extend((inside.0 < inside.1).then(|| at(inside.0, inside.1)));
        }
        let text = |span: &Span| {
            let range =
                (span.start - file.span.start) as usize..(span.end - file.span.start) as usize;
            file.text.get(range).unwrap_or_default()
        };
        let not_a: Vec<Span> = insides
            .iter()
            .copied()
            .filter(|span| text(span) != b"a")
            .collect();
        let long: Vec<Span> = insides
            .iter()
            .copied()
            .filter(|span| span.len() > 1)
            .collect();
        let halved = long.len();
        let works = [
            all_or_some(Spans::new(insides)),
            all_or_some(Replacements::new(not_a, b"a")),
            all_or_some(Spans::new(prefixes)),
        ];
        let halves = Work::Machine(Box::new(Alternatives::new(Halves(long)).together()));
        Chain::work(
            works
                .into_iter()
                .chain((1..=MOST_HALVED).contains(&halved).then_some(halves)),
            context.lists,
        )
    }
}

/// Returns the length of the prefix, and the start and end of the contents.
pub(super) fn parts(string: &[u8]) -> Option<(usize, (usize, usize))> {
    let first = string
        .iter()
        .position(|byte| matches!(byte, b'"' | b'\'' | b'`'))?;
    let quote = *string.get(first)?;
    let last = string
        .iter()
        .rposition(|&byte| byte == quote)
        .filter(|&last| last > first)?;
    let body = string.get(first..last + 1)?;
    let triple = body.len() >= 6 && body.starts_with(&[quote; 3]) && body.ends_with(&[quote; 3]);
    let width = if triple { 3 } else { 1 };
    let (mut start, mut end) = (first + width, last + 1 - width);
    if string
        .get(..first)
        .is_some_and(|prefix| prefix.ends_with(b"R"))
    {
        // The delimiters of `R"x(…)x"` are kept.
        start += string
            .get(start..end)?
            .iter()
            .position(|&byte| byte == b'(')?
            + 1;
        end = string
            .get(start..end)?
            .iter()
            .rposition(|&byte| byte == b')')?
            + start;
    }
    // A prefix with `#` cannot be removed without its counterpart.
    let prefix = string
        .get(..first)
        .is_some_and(|prefix| prefix.iter().all(u8::is_ascii_alphabetic));
    Some((if prefix { first } else { 0 }, (start, end)))
}

/// Edits that delete the last and the first half of each span, then its quarters, and so on.
struct Halves(Vec<Span>);

impl Places for Halves {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn alternative(&self, place: usize, number: usize) -> Option<Edit> {
        let span = self.0.get(place)?;
        let size = span
            .len()
            .checked_shr(number as u32 / 2 + 1)
            .filter(|&size| size > 0)?;
        Some(Edit::delete(if number.is_multiple_of(2) {
            Span::new(span.end - size, span.end)
        } else {
            Span::new(span.start, span.start + size)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    fn inside(string: &str) -> Option<&str> {
        parts(string.as_bytes()).map(|(_, (start, end))| &string[start..end])
    }

    #[test]
    fn the_contents_of_every_kind_of_string() {
        for string in [
            "\"x y\"",
            "'x y'",
            "b\"x y\"",
            "\"\"\"x y\"\"\"",
            "r#\"x y\"#",
            "R\"q(x y)q\"",
            "`x y`",
        ] {
            assert_eq!(inside(string), Some("x y"), "{string}");
        }
        assert_eq!(inside("\"\""), Some(""));
        assert_eq!(inside("\""), None);
    }

    #[test]
    fn strings_are_emptied_or_become_a_or_are_halved() {
        let text = br#"f("first", 'second', L"third", "\xff")"#;
        assert_eq!(
            reduce_with(&Strings, text, |_| true),
            br#"f("", '', "", "")"#
        );
        let filled = |text: &[u8]| !text.windows(2).any(|pair| pair == b"''");
        assert_eq!(
            reduce_with(&Strings, text, filled),
            br#"f("", 'a', "", "")"#
        );
        let second = |text: &[u8]| text.windows(2).any(|pair| pair == b"nd");
        assert_eq!(
            reduce_with(&Strings, text, second),
            br#"f("", 'ond', "", "")"#
        );
    }

    #[test]
    fn texts_without_strings_give_nothing() {
        assert!(proposals(&Strings, b"don't\0\xff").is_empty());
        assert!(proposals(&Strings, b"").is_empty());
    }
}
