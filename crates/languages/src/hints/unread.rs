//! Text that a language allows and its parser does not support.

use std::borrow::Cow;
use std::ops::Range;

/// A function that returns the parts of a text that the parser must not see, in order.
pub type Unread = fn(&[u8]) -> Vec<Part>;

/// A part of a text that the parser must not see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The span of the part.
    pub span: Range<usize>,
    /// Whether the part belongs to the phrase that begins after it.
    pub joins_next: bool,
}

/// Returns no parts, since most languages have no such text.
pub fn nothing(_: &[u8]) -> Vec<Part> {
    vec![]
}

/// Returns the trailing white space of C preprocessor lines.
///
/// After `#define A` with trailing white space, the parser takes the next line as the value of the
/// macro, and so misses an `#endif` on that line.
///
/// ```
/// use nubbin_languages::hints::unread;
///
/// let parts = unread::c(b"#define A  \n#endif\nint a;  \n");
/// assert_eq!(parts.len(), 1);
/// assert_eq!(parts[0].span, 9..11);
/// ```
pub fn c(text: &[u8]) -> Vec<Part> {
    let mut parts = vec![];
    let mut start = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let trimmed = line.trim_ascii_end();
        let end = line.len() - usize::from(line.ends_with(b"\n"));
        let end = end - usize::from(line[..end].ends_with(b"\r"));
        if trimmed.len() < end && trimmed.trim_ascii_start().starts_with(b"#") {
            parts.push(Part {
                span: start + trimmed.len()..start + end,
                joins_next: false,
            });
        }
        start += line.len();
    }
    parts
}

/// Returns the parts that are hidden from the parser of C++: the parts of [C](c()), the attributes
/// of namespaces and of variables with a value, attributes before `friend`, and `extern` or
/// `__extension__` before `template`.
///
/// The headers of GNU's library use all of these. A single attribute of this kind makes the parser
/// misread the declaration and the code around it.
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
    let mut parts = c(text);
    let mut at = 0;
    while let Some(word) = word_at(text, skip(text, at, |byte| !is_in_word(byte))) {
        at = word.end;
        match &text[word.clone()] {
            b"extern" | b"__extension__" if is_before(text, at, b"template") => {
                parts.push(Part {
                    span: word,
                    joins_next: true,
                });
            }
            b"__attribute__" => {
                // `int a __attribute__((unused)) = 1;`
                if let Some(end) = parentheses(text, at)
                    && text.get(skip(text, end, is_blank)) == Some(&b'=')
                {
                    at = end;
                    parts.push(Part {
                        span: word.start..end,
                        joins_next: false,
                    });
                }
            }
            b"friend" => {
                if let Some(span) = brackets_before(text, word.start) {
                    parts.push(Part {
                        span,
                        joins_next: true,
                    });
                }
            }
            b"namespace" => {
                if let Some(span) = attribute_of_namespace(text, at) {
                    at = span.end;
                    parts.push(Part {
                        span,
                        joins_next: false,
                    });
                }
            }
            _ => {}
        }
    }
    parts.sort_by_key(|part| part.span.start);
    // An attribute may contain a line of the preprocessor.
    let mut end = 0;
    parts.retain(|part| {
        let is_behind = part.span.start >= end;
        end = end.max(part.span.end);
        is_behind
    });
    parts
}

/// The maximum number of words in the name of a namespace (`a::b` has two), so that the search is
/// linear in any text.
const MOST_WORDS: usize = 16;

/// The maximum number of bytes between the parentheses or brackets of an attribute.
const LONGEST: usize = 1 << 10;

/// Returns the attribute after the name of a namespace, which may be empty.
fn attribute_of_namespace(text: &[u8], mut at: usize) -> Option<Range<usize>> {
    for _ in 0..MOST_WORDS {
        let word = word_behind(text, at)?;
        if &text[word.clone()] == b"__attribute__" {
            return Some(word.start..parentheses(text, word.end)?);
        }
        at = skip(text, word.end, |byte| byte == b':' || is_blank(byte));
    }
    None
}

/// Returns whether a word follows white space.
fn is_before(text: &[u8], at: usize, word: &[u8]) -> bool {
    word_behind(text, at).is_some_and(|next| &text[next] == word)
}

/// Returns the attribute in double brackets, such as `[[nodiscard]]`, that is before white space.
fn brackets_before(text: &[u8], at: usize) -> Option<Range<usize>> {
    let before = text[..at].trim_ascii_end();
    let inner = before.strip_suffix(b"]]")?;
    let word = inner
        .iter()
        .rev()
        .take(LONGEST)
        .take_while(|&&byte| is_in_word(byte))
        .count();
    let start = inner.len().checked_sub(word + 2)?;
    inner[start..]
        .starts_with(b"[[")
        .then_some(start..before.len())
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

fn word_at(text: &[u8], start: usize) -> Option<Range<usize>> {
    let end = skip(text, start, is_in_word);
    (end > start).then_some(start..end)
}

/// Returns the word that follows white space.
fn word_behind(text: &[u8], at: usize) -> Option<Range<usize>> {
    word_at(text, skip(text, at, is_blank))
}

/// Returns the end of parentheses that follow white space.
fn parentheses(text: &[u8], at: usize) -> Option<usize> {
    let start = skip(text, at, is_blank);
    let mut open = 0usize;
    for (at, byte) in text.iter().enumerate().skip(start).take(LONGEST) {
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

/// Returns a text without the given parts. Each byte of a part becomes a space, or a line feed if
/// the part is white space, so that all positions are kept.
pub(crate) fn without<'t>(text: &'t [u8], parts: &[Part]) -> Cow<'t, [u8]> {
    let mut read = Cow::Borrowed(text);
    for part in parts {
        let is_blank = text[part.span.clone()].trim_ascii().is_empty();
        let blank = if is_blank { b'\n' } else { b' ' };
        for byte in &mut read.to_mut()[part.span.clone()] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = blank;
            }
        }
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        String::from_utf8(without(text.as_bytes(), &cpp(text.as_bytes())).into_owned()).unwrap()
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
    fn attributes_of_values_and_friends_are_not_read() {
        assert_eq!(
            read("int a __attribute__((x)) = 1, b __attribute__((x));"),
            "int a                    = 1, b __attribute__((x));"
        );
        assert_eq!(
            read("[[nodiscard]] friend int a(); [[b]] int c();"),
            "              friend int a(); [[b]] int c();"
        );
        assert_eq!(
            read("__extension__ template<> struct a<b> {};"),
            "              template<> struct a<b> {};"
        );
    }

    #[test]
    fn blanks_behind_a_line_of_the_preprocessor_end_it() {
        assert_eq!(
            read("#define a \t\n #if b \r\nint c; \n# \\\n#endif "),
            "#define a\n\n\n #if b\n\r\nint c; \n# \\\n#endif\n"
        );
        assert_eq!(
            read("int a __attribute__((x\n#define b \n)) = 1;\n#define c \n"),
            "int a                 \n          \n   = 1;\n#define c\n\n"
        );
    }

    #[test]
    fn other_texts_are_read_as_they_are() {
        for text in [
            "a[b[c]] friend d;",
            "]] friend d;",
            "__extension__ typedef int a;",
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

    #[test]
    fn names_and_attributes_that_are_too_long_are_read_as_they_are() {
        let name = format!(
            "namespace {} __attribute__((x)) {{}}",
            "a::".repeat(MOST_WORDS)
        );
        assert_eq!(read(&name), name);
        let open = "namespace a __attribute__((".repeat(LONGEST);
        assert_eq!(read(&open), open);
    }
}
