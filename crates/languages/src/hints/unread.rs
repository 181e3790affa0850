//! Text that a language allows and its parser does not know.

use std::ops::Range;

/// Finds the parts of a text that the parser must not see, in order.
pub type Unread = fn(&[u8]) -> Vec<Part>;

/// A part of a text that the parser must not see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it is.
    pub span: Range<usize>,
    /// Whether it belongs to the phrase that begins behind it.
    pub joins_next: bool,
}

/// There is no such text in most languages.
pub fn nothing(_: &[u8]) -> Vec<Part> {
    vec![]
}

/// The attributes of namespaces, and `extern` before `template`.
///
/// The headers of GNU's library have both throughout. With one such attribute, the parser takes
/// neither the namespace nor what is around it for what it is.
///
/// ```
/// use nubbin_languages::hints::unread;
///
/// let text = b"namespace std __attribute__ ((__visibility__ (\"default\"))) { int a; }";
/// let parts = unread::cpp(text);
/// assert_eq!(parts.len(), 1);
/// assert!(text[parts[0].span.clone()].ends_with(b"(\"default\")))"));
/// ```
pub fn cpp(text: &[u8]) -> Vec<Part> {
    let mut parts = vec![];
    let mut at = 0;
    while let Some(word) = next_word(text, at) {
        at = word.end;
        match &text[word.clone()] {
            b"extern" if word_is(text, at, b"template") => parts.push(Part {
                span: word,
                joins_next: true,
            }),
            b"namespace" => {
                // `a::b` has a word for each name.
                let mut name = at;
                while let Some(word) = word_here(text, name) {
                    if &text[word.clone()] == b"__attribute__" {
                        if let Some(end) = parentheses(text, word.end) {
                            parts.push(Part {
                                span: word.start..end,
                                joins_next: false,
                            });
                            at = end;
                        }
                        break;
                    }
                    name = skip(text, word.end, |byte| byte == b':' || is_blank(byte));
                }
            }
            _ => {}
        }
    }
    parts
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Returns the first position from `at` on whose byte is not of a kind.
fn skip(text: &[u8], at: usize, kind: impl Fn(u8) -> bool) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|&&byte| kind(byte)).count()
}

fn next_word(text: &[u8], at: usize) -> Option<Range<usize>> {
    let start = skip(text, at, |byte| !is_in_word(byte));
    let end = skip(text, start, is_in_word);
    (end > start).then_some(start..end)
}

/// Returns the word that follows blanks.
fn word_here(text: &[u8], at: usize) -> Option<Range<usize>> {
    let start = skip(text, at, is_blank);
    let end = skip(text, start, is_in_word);
    (end > start).then_some(start..end)
}

fn word_is(text: &[u8], at: usize, word: &[u8]) -> bool {
    word_here(text, at).is_some_and(|found| &text[found] == word)
}

/// Returns the end of parentheses that follow blanks.
fn parentheses(text: &[u8], at: usize) -> Option<usize> {
    let start = skip(text, at, is_blank);
    let mut open = 0usize;
    for (at, byte) in text.iter().enumerate().skip(start) {
        match byte {
            b'(' => open += 1,
            b')' => open = open.checked_sub(1)?,
            _ => {}
        }
        if open == 0 {
            return (at > start).then_some(at + 1);
        }
    }
    None
}

/// Returns a text without these parts. Each of their bytes is a blank, so that all positions stay.
pub(crate) fn without(text: &[u8], parts: &[Part]) -> Vec<u8> {
    let mut read = text.to_vec();
    for byte in parts.iter().flat_map(|part| part.span.clone()) {
        if !matches!(read[byte], b'\n' | b'\r') {
            read[byte] = b' ';
        }
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        String::from_utf8(without(text.as_bytes(), &cpp(text.as_bytes()))).unwrap()
    }

    #[test]
    fn attributes_of_namespaces_are_not_read() {
        assert_eq!(
            read("namespace a::b __attribute__((x (1)))\n{ int c __attribute__((y)); }"),
            "namespace a::b                       \n{ int c __attribute__((y)); }"
        );
        assert_eq!(
            read("namespace __attribute__((x)) {"),
            "namespace                    {"
        );
        assert_eq!(
            read("extern\ntemplate class A<int>;"),
            "      \ntemplate class A<int>;"
        );
    }

    #[test]
    fn other_texts_are_read_as_they_are() {
        for text in [
            "namespace a { } int b __attribute__((x));",
            "namespace a __attribute__((x) {",
            "namespace a __attribute__",
            "namespace a __attribute__ 1",
            "namespace a __attribute__)",
            "namespace",
            "extern \"C\" { template <class T> void f(); }",
            "",
        ] {
            assert_eq!(read(text), text);
        }
    }
}
