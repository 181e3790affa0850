//! The positions at which the files of an input name other files of the input.
//!
//! A file is removed together with the lines that name it: the line that includes a header, the
//! import of a module, the entry of a source in the description of a build. Mentions are found by
//! the names of the files alone, in the same way for all languages. A guess may be wrong: the
//! passes that use it only propose.

mod index;
mod relink;
mod search;
mod statement;

use crate::{Kind, Views};
use index::Index;
use nubbin_edit::{Input, Span};
use search::{LARGE_FILE, Search};
pub use statement::{Named, Statement, StatementKind};
use std::sync::Arc;

/// All positions of an input at which a file names another file.
#[derive(Clone, Debug, Default)]
pub struct Mentions {
    /// The statements by their position in the input. No statement is inside another statement.
    pub statements: Vec<Statement>,
}

impl Mentions {
    /// Finds the mentions.
    ///
    /// ```
    /// use nubbin_edit::Input;
    /// use nubbin_view::mentions::Mentions;
    ///
    /// let input = Input::files([
    ///     ("main.c", b"#include \"lib/a.h\"\nint x;\n".to_vec()),
    ///     ("lib/a.h", b"int a;\n".to_vec()),
    ///     ("Makefile", b"FILES = main.c other.c\n".to_vec()),
    /// ]);
    /// let input = input.unwrap();
    /// let mentions = Mentions::of(&input);
    /// assert_eq!(mentions.pairs().collect::<Vec<_>>(), [(0, 1), (2, 0)]);
    /// let text = |span: nubbin_edit::Span| &input.bytes()[span.range()];
    /// let spans = mentions.without(&input, |file| file == 1);
    /// assert_eq!(text(spans[0]), b"#include \"lib/a.h\"\n");
    /// let spans = mentions.without(&input, |file| file == 0);
    /// assert_eq!(text(spans[0]), b" main.c");
    /// ```
    pub fn of(input: &Input) -> Self {
        let index = Index::of(input);
        let mut statements = vec![];
        for file in input.present() {
            if file.text.len() <= LARGE_FILE && Kind::of(file.text) == Kind::Text {
                Search::new(&index, file).run(&mut statements);
            }
        }
        Mentions { statements }
    }

    /// Does the same as [`Mentions::of`], once for all passes that ask for them.
    pub fn seen(views: &Views, input: &Input) -> Arc<Self> {
        // The fingerprint covers the names of the files.
        views.keyed(input.bytes(), input.fingerprint(), || Mentions::of(input))
    }

    /// Returns all pairs of files in which the first file names the second.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let of = |statement: &'_ Statement| {
            let file = statement.file;
            let names = statement.names.iter();
            names.map(|name| (file, name.target)).collect::<Vec<_>>()
        };
        self.statements.iter().flat_map(of)
    }

    /// Returns the spans to remove with some files, in order: the statements that name no other
    /// file, and the names in other statements.
    pub fn without(&self, input: &Input, is_gone: impl Fn(usize) -> bool) -> Vec<Span> {
        let mut spans = vec![];
        for statement in &self.statements {
            let gone: Vec<&Named> = statement
                .names
                .iter()
                .filter(|name| is_gone(name.target))
                .collect();
            let Some(file) = input.file(statement.file).filter(|_| !gone.is_empty()) else {
                continue;
            };
            let is_target = |name: &&Named| statement.names.first() == Some(*name);
            let goes = gone.len() == statement.names.len()
                || statement.kind == StatementKind::Rule && gone.first().is_some_and(is_target);
            let element = |span: Span, within: Span, spans: &mut Vec<Span>| {
                let gone = spans.last().map_or(0, |last: &Span| last.end);
                spans.push(with_separator(input.bytes(), span, within, gone));
            };
            match (goes, statement.kind) {
                (true, StatementKind::Element) => element(statement.span, file.span, &mut spans),
                (true, _) => spans.push(statement.span),
                (false, _) => {
                    for name in gone {
                        element(name.span, statement.span, &mut spans);
                    }
                }
            }
        }
        spans
    }
}

/// Extends the span of an element to the comma after it, or else to the comma or the white space
/// before it. Everything up to `gone` is already removed, with the comma after it.
fn with_separator(bytes: &[u8], span: Span, within: Span, gone: u32) -> Span {
    let at = |offset: u32| bytes.get(offset as usize).copied().unwrap_or_default();
    let is_blank = |offset: u32| at(offset).is_ascii_whitespace();
    let mut end = span.end;
    while end < within.end && is_blank(end) {
        end += 1;
    }
    if end < within.end && at(end) == b',' {
        end += 1;
        while end < within.end && is_blank(end) {
            end += 1;
        }
        return Span::new(span.start, end);
    }
    let first = within.start.max(gone.min(span.start));
    let mut start = span.start;
    while start > first && is_blank(start - 1) {
        start -= 1;
    }
    if start > first && at(start - 1) == b',' {
        return Span::new(start - 1, span.end);
    }
    let mut start = span.start;
    while start > first && b" \t".contains(&at(start - 1)) {
        start -= 1;
    }
    Span::new(start, span.end)
}

#[cfg(test)]
mod tests;
