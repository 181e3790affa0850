use super::escape;
use std::fmt::{self, Display};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::OnceLock;

/// A text with a style, which is printed with the escape sequences of the terminal or without a
/// style.
///
/// Its text has marks around it that are drawn at random for each process, so no text from outside
/// can have them. Nothing else is printed as a style.
#[derive(Clone, Copy, Debug)]
pub struct Styled<T> {
    text: T,
    /// One bit per entry of [`CODES`].
    codes: u8,
}

/// The styles there are, as the terminal knows them.
const CODES: [&str; 7] = ["1", "2", "4", "31", "32", "33", "36"];

/// Returns a text that can be given a style.
pub fn style<T: Display>(text: T) -> Styled<T> {
    Styled { text, codes: 0 }
}

impl<T> Styled<T> {
    pub fn bold(self) -> Self {
        self.with(0)
    }

    pub fn dim(self) -> Self {
        self.with(1)
    }

    pub fn underlined(self) -> Self {
        self.with(2)
    }

    pub fn red(self) -> Self {
        self.with(3)
    }

    pub fn green(self) -> Self {
        self.with(4)
    }

    pub fn yellow(self) -> Self {
        self.with(5)
    }

    pub fn cyan(self) -> Self {
        self.with(6)
    }

    fn with(self, code: u32) -> Self {
        Styled {
            codes: self.codes | 1 << code,
            ..self
        }
    }
}

impl<T: Display> Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = mark();
        write!(f, "{mark}{:02x}{}{mark}00", self.codes, self.text)
    }
}

/// Returns the beginning of a mark. Two hexadecimal digits follow: the codes, none at the end.
fn mark() -> &'static str {
    static MARK: OnceLock<String> = OnceLock::new();
    MARK.get_or_init(|| {
        let random = || RandomState::new().build_hasher().finish();
        format!("\x1b{:016x}{:016x}", random(), random())
    })
}

/// Splits a text at the first mark: the text before it, its codes, and the text after it.
fn split(text: &[u8]) -> Option<(&[u8], u8, &[u8])> {
    let mark = mark().as_bytes();
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.iter().position(|&byte| byte == mark[0])?;
        if let Some(rest) = text[at..].strip_prefix(mark) {
            let (codes, after) = rest.split_at_checked(2)?;
            let codes = std::str::from_utf8(codes).ok()?;
            return Some((&text[..at], u8::from_str_radix(codes, 16).ok()?, after));
        }
        from = at + 1;
    }
}

/// Returns a text for a terminal: styles as the terminal knows them, if it shows any, and
/// everything else in a form that can be seen.
pub(super) fn render(text: &str, has_styles: bool) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text.as_bytes();
    while let Some((before, codes, after)) = split(rest) {
        push_shown(&mut out, before);
        if has_styles {
            out += &sequence(codes);
        }
        rest = after;
    }
    push_shown(&mut out, rest);
    out
}

fn push_shown(out: &mut String, part: &[u8]) {
    for char in String::from_utf8_lossy(part).chars() {
        match char {
            '\n' | '\t' => out.push(char),
            char => escape::push(out, char),
        }
    }
}

fn sequence(codes: u8) -> String {
    let set = |(at, code): (usize, &&'static str)| (codes >> at & 1 == 1).then_some(*code);
    let codes: Vec<&str> = CODES.iter().enumerate().filter_map(set).collect();
    match codes.is_empty() {
        true => "\x1b[0m".to_owned(),
        false => format!("\x1b[{}m", codes.join(";")),
    }
}

/// Returns a text without styles, otherwise byte for byte.
pub(super) fn without(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, _, after)) = split(rest) {
        out.extend_from_slice(before);
        rest = after;
    }
    out.extend_from_slice(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_gets_through_and_nothing_else_does() {
        let evil = "\x1b[31mred\x1b[0m";
        let text = format!(
            "{} {evil}\n\t{}",
            style("error:").red().bold(),
            style(evil).dim()
        );
        assert_eq!(
            render(&text, true),
            "\x1b[1;31merror:\x1b[0m \\x1b[31mred\\x1b[0m\n\t\x1b[2m\\x1b[31mred\\x1b[0m\x1b[0m"
        );
        assert_eq!(
            render(&text, false),
            "error: \\x1b[31mred\\x1b[0m\n\t\\x1b[31mred\\x1b[0m"
        );
    }

    #[test]
    fn a_text_without_styles_is_as_it_was() {
        let text = format!("a{}\x1b[1m\n", style("b").cyan());
        let mut bytes = text.into_bytes();
        bytes.push(0xff);
        assert_eq!(without(&bytes), b"ab\x1b[1m\n\xff");
    }

    #[test]
    fn half_a_mark_is_no_style() {
        let text = format!("{}zz", mark());
        assert!(render(&text, true).starts_with("\\x1b"));
        assert_eq!(
            render(&mark()[..5], true),
            format!("\\x1b{}", &mark()[1..5])
        );
    }
}
