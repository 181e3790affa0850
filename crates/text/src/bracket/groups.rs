use nubbin_edit::{File, Span};
use nubbin_engine::work::{Context, Forest, Nested, Pass, PassInfo, Spans, Views, Work};
use nubbin_view::brackets::{Bracket, Brackets};
use nubbin_view::lines::widen;
use nubbin_view::tokens::{Token, TokenKind, code_in};

/// Deletes whole bracket groups with the text that leads up to them: functions, structs, `if` and
/// loop statements, calls, objects, s-expressions.
///
/// This is hierarchical delta debugging without a grammar: brackets are the tree. Braces are
/// deleted with all text since the statement, block, or group before them (`static int f(int a)
/// const`), other brackets with the names directly before them (`std::min(`). A `;` or `,` after
/// the group is deleted too, and so is `} name;`. In a text whose lines do not end in semicolons, a
/// line end also ends the text before a group. A group alone on its lines is deleted with these
/// lines.
///
/// The groups are tried from the outside in, heaviest lists first and siblings in groups that grow,
/// see [`HeaviestFirst`](nubbin_engine::work::HeaviestFirst): a tool that takes one node at a time
/// is at 150 KB when others are at 15.
///
/// Cost: one test per needed group, far less where runs of siblings can be deleted.
///
/// Source: HDD (Misherghi, Su, ICSE 2006); Perses' order (Sun et al., ICSE 2018). Brackets instead
/// of a grammar, the leading text, and the growing groups are our own.
///
/// ```
/// use nubbin_reduce::pass::{Groups, preview};
///
/// let text = b"int f(int a) { if (a) { g(1); } return 2; }\nint x;\n";
/// let first = preview(&Groups, text, 3);
/// assert_eq!(first[0], "int x;\n");
/// assert_eq!(first[1], "int f(int a) {  return 2; }\nint x;\n");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Groups;

impl Pass for Groups {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "groups",
            "deletes bracket groups with their headers",
            "HDD (Misherghi, Su 2006); Perses (Sun et al. 2018)",
        )
        .joining_files()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let at = file.span.start;
        let spans = with_headers(context.views, file.text)
            .into_iter()
            .map(|group| widen(file.text, group.whole()))
            .map(|span| Span::new(span.start + at, span.end + at));
        let nested = Nested::of(spans);
        Forest::new(Spans::new(nested.spans), &nested.parents).walk()
    }
}

/// A bracket group with its header and its terminator.
pub(crate) struct Headed {
    /// The start of the header.
    pub(crate) start: u32,
    /// The offset of the opening bracket.
    pub(crate) open: u32,
    /// The offset after the closing bracket.
    pub(crate) close: u32,
    /// The end of the `;` or `,` after the group, or the end of the group if there is none.
    pub(crate) end: u32,
    pub(crate) kind: Bracket,
}

impl Headed {
    pub(crate) fn whole(&self) -> Span {
        Span::new(self.start, self.end)
    }
}

/// Returns all bracket groups of a text with their headers, in the order of their opening brackets.
pub(crate) fn with_headers(views: &Views, text: &[u8]) -> Vec<Headed> {
    let brackets = views.of::<Brackets>(text);
    let lines_end_statements = !ends_lines_with_semicolons(text);
    let mut found: Vec<Headed> = Vec::with_capacity(brackets.groups().len());
    let mut inside: Vec<(usize, Level)> = Vec::new();
    let mut level = Level::default();
    let mut previous: Option<Token> = None;
    // The closed braces, after which a name and a semicolon may follow.
    let mut declared: Option<usize> = None;
    for token in code_in(views, text) {
        if token.kind == TokenKind::Comment {
            continue;
        }
        let (at, bytes) = (token.span.start, token.text(text));
        let gap = previous.map_or(0, |token| token.span.end);
        let between = text.get(gap as usize..at as usize).unwrap_or_default();
        let new_line = between.contains(&b'\n');
        if new_line && bytes != b"{" && (lines_end_statements || level.directive) {
            level = Level::default();
        }
        let number = found.len();
        if brackets
            .groups()
            .get(number)
            .is_some_and(|group| group.open == at)
        {
            let group = &brackets.groups()[number];
            let start = match group.kind {
                Bracket::Curly => level.statement.unwrap_or(at),
                _ if gap == at => level.name.unwrap_or(at),
                _ => at,
            };
            let close = group.close + 1;
            found.push(Headed {
                start,
                open: at,
                close,
                end: close,
                kind: group.kind,
            });
            level.statement.get_or_insert(at);
            inside.push((number, std::mem::take(&mut level)));
            declared = None;
        } else if let Some((group, outer)) = inside.pop_if(|group| found[group.0].close == at + 1) {
            level = outer;
            level.name = Some(found[group].start);
            declared = Some(group);
            if found[group].kind == Bracket::Curly {
                level = Level::default();
            }
        } else {
            let curly = inside
                .last()
                .is_none_or(|group| found[group.0].kind == Bracket::Curly);
            let ends = bytes == b"," || bytes == b";" && (curly || declared.is_some());
            if ends {
                if let Some(group) = declared.take() {
                    // Only a name may stand between braces and their semicolon.
                    let direct = found[group].close == gap;
                    if direct || bytes == b";" && found[group].kind == Bracket::Curly {
                        found[group].end = token.span.end;
                    }
                }
                level = Level::default();
            } else {
                if token.kind != TokenKind::Word || new_line {
                    declared = None;
                }
                level.see(&token, bytes, gap);
            }
        }
        previous = Some(token);
    }
    found
}

/// The state of the current statement at one nesting level.
#[derive(Clone, Copy, Default)]
struct Level {
    /// The start of the statement.
    statement: Option<u32>,
    /// The start of the name or path that ends with the last token.
    name: Option<u32>,
    /// Whether the statement is a line of the C preprocessor.
    directive: bool,
}

impl Level {
    fn see(&mut self, token: &Token, bytes: &[u8], gap: u32) {
        let at = token.span.start;
        self.directive |= self.statement.is_none() && bytes == b"#";
        self.statement.get_or_insert(at);
        let joins = matches!(
            bytes,
            b"::" | b"." | b"->" | b"!" | b"@" | b"#" | b"$" | b"?." | b"&"
        );
        let is_name = token.kind == TokenKind::Word || joins;
        self.name = match self.name {
            _ if !is_name => None,
            // Two words in a row are not one name. `a .b` is a call chain over two lines.
            Some(name) if gap == at => Some(name),
            _ => Some(at),
        };
    }
}

/// Returns whether one line in twenty ends in a semicolon.
fn ends_lines_with_semicolons(text: &[u8]) -> bool {
    let mut lines = 0;
    let mut semicolons = 0;
    for line in text.split(|&byte| byte == b'\n') {
        lines += 1;
        semicolons += usize::from(line.trim_ascii_end().ends_with(b";"));
    }
    semicolons * 20 > lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    fn whole(text: &str) -> Vec<&str> {
        with_headers(&Views::default(), text.as_bytes())
            .iter()
            .map(|group| &text[group.whole().range()])
            .collect()
    }

    #[test]
    fn a_group_has_its_header_and_its_terminator() {
        assert_eq!(
            whole("a;\nstatic int\nf (int b)\n{\n  c;\n}\nstruct d { e; } g;\n"),
            [
                "(int b)",
                "static int\nf (int b)\n{\n  c;\n}",
                "struct d { e; } g;"
            ]
        );
        assert_eq!(
            whole("x = std::min(a->b(1), c[2]);"),
            ["std::min(a->b(1), c[2]);", "a->b(1),", "c[2]"]
        );
        assert_eq!(
            whole("[{\"a\": {}}, {}]"),
            ["[{\"a\": {}}, {}]", "{\"a\": {}},", "\"a\": {}", "{}"]
        );
        assert_eq!(
            whole("#[cfg(x)] vec![1];"),
            ["#[cfg(x)]", "cfg(x)", "vec![1];"]
        );
    }

    #[test]
    fn without_semicolons_a_line_end_ends_a_statement() {
        assert_eq!(
            whole("a := b\nfunc f()\n{\n  c\n}\nd {\n}\n"),
            ["f()", "func f()\n{\n  c\n}", "d {\n}"]
        );
        assert_eq!(
            whole("(assert (and a b))\n(check)"),
            ["(assert (and a b))", "(and a b)", "(check)"]
        );
    }

    #[test]
    fn functions_that_are_not_needed_are_removed() {
        let text: String = (0..50)
            .map(|i| format!("int f{i}() {{\n  if ({i}) {{\n    g();\n  }}\n  return {i};\n}}\n"))
            .collect();
        let left = reduce_with(&Groups, text.as_bytes(), |text| {
            text.windows(9).any(|w| w == b"return 9;")
                && text.windows(10).any(|w| w == b"return 33;")
        });
        // The parameter lists are removed with the names before them.
        assert_eq!(left, b"int  {\n  return 9;\n}\nint  {\n  return 33;\n}\n");
    }

    #[test]
    fn text_without_brackets_is_left_alone() {
        assert!(proposals(&Groups, b"a ) ] b").is_empty());
    }
}
