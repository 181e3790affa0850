use nubbin_edit::{File, Span};
use nubbin_engine::work::{Context, List, Pass, PassInfo, Spans, Views, Work};
use nubbin_view::brackets::{Bracket, Brackets};
use nubbin_view::lines::widen;
use nubbin_view::tokens::{TokenKind, code_in};

/// Deletes simple statements at any depth: text that ends with `;` and has no braces around a part
/// of it.
///
/// Statements are the finest unit of code that can usually be deleted alone. Layout does not
/// matter: several statements on a line and one statement over many lines are treated in the same
/// way. Compound statements, with their braces, are left to [`Groups`](crate::Groups). A statement
/// before a `}` may lack its `;`. A statement alone on its lines is deleted with these lines. `for
/// (a; b; c)` is left in one piece.
///
/// Cost: a list of all statements. None in a text without a `;` between braces or at top level.
///
/// Source: the statement removal of C-Reduce and of Shrink Ray, with a rough lexer instead of a
/// parser.
///
/// ```
/// use nubbin_reduce::pass::{Statements, preview};
///
/// let first = preview(&Statements, b"void f() { a; if (b) { c(1,\n 2); } }", 3);
/// assert_eq!(first[1], "void f() { a; if (b) {  } }");
/// assert_eq!(first[2], "void f() {  if (b) { c(1,\n 2); } }");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Statements;

impl Pass for Statements {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "statements",
            "deletes statements that end with a semicolon",
            "C-Reduce (Regehr et al. 2012); Shrink Ray (MacIver)",
        )
        .joining_files()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let at = file.span.start;
        let statements: Vec<Span> = statements(context.views, file.text)
            .into_iter()
            .map(|span| widen(file.text, span))
            .map(|span| Span::new(span.start + at, span.end + at))
            .collect();
        (!statements.is_empty()).then(|| Work::List(List::new(Spans::new(statements)).try_all()))
    }
}

fn statements(views: &Views, text: &[u8]) -> Vec<Span> {
    let brackets = views.of::<Brackets>(text);
    let mut groups = brackets.groups().iter().peekable();
    let mut inside: Vec<(Bracket, u32)> = Vec::new();
    let mut found = Vec::new();
    let mut semicolon = false;
    // The part of the current statement that was read so far.
    let mut current: Option<Span> = None;
    for token in code_in(views, text) {
        if token.kind == TokenKind::Comment {
            continue;
        }
        let at = token.span.start;
        let closes = inside.pop_if(|group| group.1 == at);
        let opens = groups.next_if(|group| group.open == at);
        inside.extend(opens.map(|group| (group.kind, group.close)));
        let braces = closes
            .map(|group| group.0)
            .or(opens.map(|group| group.kind))
            == Some(Bracket::Curly);
        if braces {
            // The text before a closing brace is a statement, and the text before an opening brace
            // is not.
            found.extend(current.take().filter(|_| closes.is_some() && semicolon));
            continue;
        }
        let span = current.map_or(token.span, |span| Span::new(span.start, token.span.end));
        let between_statements = inside.last().is_none_or(|group| group.0 == Bracket::Curly);
        if between_statements && token.text(text) == b";" {
            semicolon = true;
            found.push(span);
            current = None;
        } else {
            current = Some(span);
        }
    }
    if !semicolon {
        found.clear();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    fn found(text: &str) -> Vec<&str> {
        statements(&Views::default(), text.as_bytes())
            .into_iter()
            .map(|span| &text[span.range()])
            .collect()
    }

    #[test]
    fn statements_end_at_semicolons_between_braces() {
        assert_eq!(
            found("int a = 1; f() { for (;;) { b(\";\"); // c;\n d } } struct s { int e; } g;"),
            ["int a = 1;", "b(\";\");", "d", "int e;", "g;"]
        );
        assert_eq!(found("{ a: 1 }"), [""; 0]);
    }

    #[test]
    fn statements_that_are_not_needed_are_removed_with_their_lines() {
        let left = reduce_with(
            &Statements,
            b"{\n  a;\n  b(\n   c);\n  d; e;\n}\n",
            |text| text.contains(&b'd'),
        );
        assert_eq!(left, b"{\n  d; \n}\n");
        assert_eq!(reduce_with(&Statements, b"x { a; }", |_| true), b"x {  }");
    }

    #[test]
    fn text_without_semicolons_is_left_alone() {
        assert!(proposals(&Statements, b"def f(a):\n  return {a}\n").is_empty());
    }
}
