//! The assignment of the text between declarations to these declarations.

use crate::lex::{TokenKind, is, is_marker, tokens};
use std::ops::Range;

/// A declaration, or several that share text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part<T> {
    pub(crate) range: Range<usize>,
    /// Whether the text of the part ends without a semicolon.
    pub(crate) is_whole: bool,
    pub(crate) values: Vec<T>,
}

/// A part of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Filled<T> {
    Part(Part<T>),
    /// A line marker or a pragma.
    Directive(Range<usize>),
    /// A declaration that is not in any part.
    Unknown(Range<usize>),
}

/// The state of a walk through a container.
struct Filling<T> {
    done: Vec<Filled<T>>,
    /// The last part, as long as its end is not known.
    open: Option<Part<T>>,
    /// The start of text that belongs to the next part.
    pending: Option<usize>,
    depth: usize,
}

/// Completes the parts of a container: each part gets the attributes before and after it, and its
/// semicolon. Parts that share text are merged.
///
/// Conditions and definitions of macros are in no part, so they stay.
pub(crate) fn fill<T>(
    text: &[u8],
    inside: Range<usize>,
    mut parts: Vec<Part<T>>,
) -> Vec<Filled<T>> {
    parts.sort_by_key(|part| (part.range.start, part.range.end));
    let mut filling = Filling {
        done: vec![],
        open: None,
        pending: None,
        depth: 0,
    };
    let mut at = inside.start;
    for mut part in parts {
        if let Some(open) = filling
            .open
            .as_mut()
            .filter(|open| part.range.start < open.range.end)
        {
            open.is_whole = open.is_whole && part.range.end <= open.range.end || part.is_whole;
            open.range.end = open.range.end.max(part.range.end);
            open.values.append(&mut part.values);
            at = open.range.end;
            continue;
        }
        filling.gap(text, at..part.range.start);
        at = part.range.end;
        match &mut filling.open {
            // The two parts are not separated by a semicolon, so they are joined.
            Some(open) if !open.is_whole => {
                open.range.end = part.range.end;
                open.is_whole = part.is_whole;
                open.values.append(&mut part.values);
            }
            _ => {
                filling.close();
                part.range.start = filling.pending.take().unwrap_or(part.range.start);
                filling.depth = 0;
                filling.open = Some(part);
            }
        }
    }
    filling.gap(text, at..inside.end);
    filling.close();
    filling.done
}

impl<T> Filling<T> {
    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.done.push(Filled::Part(open));
        }
    }

    fn gap(&mut self, text: &[u8], gap: Range<usize>) {
        for token in tokens(text, gap) {
            let Range { start, end } = token.range.clone();
            if token.kind == TokenKind::Directive {
                self.directive(text, start..end);
            } else if let Some(from) = self.pending {
                if is(text, &token, b'{') {
                    self.depth += 1;
                } else if is(text, &token, b'}') {
                    self.depth = self.depth.saturating_sub(1);
                }
                if self.depth == 0 && is(text, &token, b';') {
                    self.pending = None;
                    self.done.push(Filled::Unknown(from..end));
                }
            } else if is(text, &token, b';') {
                if let Some(mut open) = self.open.take() {
                    // The text between two parts may contain a preprocessor condition.
                    open.range.end = end;
                    self.done.push(Filled::Part(open));
                }
            } else if self.open.as_ref().is_none_or(|open| open.is_whole) {
                self.close();
                self.pending = Some(start);
                self.depth = usize::from(is(text, &token, b'{'));
            }
        }
    }

    fn directive(&mut self, text: &[u8], range: Range<usize>) {
        if self.pending.is_some() || self.open.as_ref().is_some_and(|open| !open.is_whole) {
            return;
        }
        let line = &text[range.clone()];
        let word = line.strip_prefix(b"#").unwrap_or(line).trim_ascii_start();
        let is_pragma = word.starts_with(b"pragma");
        let is_of_next = is_pragma
            && word.trim_ascii_start()[6..]
                .trim_ascii_start()
                .starts_with(b"omp");
        if is_of_next {
            self.close();
            self.pending = Some(range.start);
        } else if is_pragma || is_marker(line) {
            self.close();
            self.done.push(Filled::Directive(range));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the texts of the parts of a container, given the texts that libclang shows.
    fn filled(text: &str, shown: &[(&str, bool)]) -> Vec<String> {
        let part = |&(of, is_whole): &(&str, bool)| {
            let start = text.find(of).unwrap();
            Part {
                range: start..start + of.len(),
                is_whole,
                values: vec![()],
            }
        };
        let parts = shown.iter().map(part).collect();
        let text_of = |filled: Filled<()>| match filled {
            Filled::Part(part) => text[part.range].to_owned(),
            Filled::Directive(range) => format!("directive {}", text[range].trim_end()),
            Filled::Unknown(range) => format!("unknown {}", &text[range]),
        };
        let all = fill(text.as_bytes(), 0..text.len(), parts);
        all.into_iter().map(text_of).collect()
    }

    #[test]
    fn attributes_and_semicolons_belong_to_a_declaration() {
        let text = "[[a]] int x __asm__(\"y\"); template<> struct S {} ; void f() {} ; int z;";
        let shown = [
            ("int x", false),
            ("struct S {}", false),
            ("void f() {}", true),
            ("int z", false),
        ];
        let expected = [
            "[[a]] int x __asm__(\"y\");",
            "template<> struct S {} ;",
            "void f() {} ;",
            "int z;",
        ];
        assert_eq!(filled(text, &shown), expected);
    }

    #[test]
    fn declarations_that_share_text_are_one() {
        let text = "struct S { int m; } a, *b; int c, d; int e;";
        let shown = [
            ("struct S { int m; }", false),
            ("struct S { int m; } a", false),
            ("struct S { int m; } a, *b", false),
            ("int c", false),
            ("int c, d", false),
            ("int e", false),
        ];
        let expected = ["struct S { int m; } a, *b;", "int c, d;", "int e;"];
        assert_eq!(filled(text, &shown), expected);
    }

    #[test]
    fn text_that_libclang_does_not_show_is_a_part_of_its_own() {
        let text =
            "int a; strange b { c; }; # d\nint e;\n#pragma f\n#if g\nint h;\n#endif\n# 1 \"i\"\n";
        let shown = [("int a", false), ("int e", false), ("int h", false)];
        let expected = [
            "int a;",
            "unknown strange b { c; };",
            "int e;",
            "directive #pragma f",
            "int h;",
            "directive # 1 \"i\"",
        ];
        assert_eq!(filled(&text.replace("# d\n", ""), &shown), expected);
    }
}
