use super::groups::with_headers;
use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Context, Forest, Nested, Pass, PassInfo, Proposals, Views, Work};
use nubbin_view::brackets::{Bracket, Brackets};
use nubbin_view::lines::{indent, lines};
use nubbin_view::tokens::{Token, TokenKind, code_in};
use rustc_hash::FxHashMap;

/// Turns definitions into declarations.
///
/// * `int f() { … }` becomes `int f();`, `struct s { … };` becomes `struct s;`, and braces before a
///   `,` or a closing bracket are deleted.
/// * `int a = f(1), b;` becomes `int a, b;`: from `=` to the `,`, `;`, closing bracket or line end.
/// * `def f():` with an indented body becomes `def f(): pass`.
///
/// The rest of the code often needs only the declaration, and the body is the largest part of the
/// definition. In languages without declarations, [`Hollow`](crate::Hollow) (`{}`) does
/// nearly as well.
///
/// The definitions are tried from the outside in, heaviest first, see
/// [`HeaviestFirst`](nubbin_engine::work::HeaviestFirst).
///
/// Cost: one test per needed body and initializer, less where runs can be deleted.
///
/// Source: C-Reduce's function and initializer passes (Regehr et al., PLDI 2012), Shrink Ray's
/// Python passes (MacIver), without a parser.
///
/// ```
/// use nubbin_reduce::pass::{Bodies, preview};
///
/// let first = preview(&Bodies, b"int f() { int a = 1; }", 2);
/// assert_eq!(first, ["int f();", "int f() { int a; }"]);
/// let first = preview(&Bodies, b"def f():\n  return 1\n", 1);
/// assert_eq!(first, ["def f(): pass\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Bodies;

impl Pass for Bodies {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "bodies",
            "turns definitions into declarations: removes bodies and initializers",
            "C-Reduce (Regehr et al. 2012); Shrink Ray (MacIver)",
        )
        .joining_files()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let mut found: FxHashMap<Span, &'static [u8]> = FxHashMap::default();
        found.extend(braces(context.views, file.text));
        found.extend(indented(file.text));
        found.extend(initializers(context.views, file.text));
        found.retain(|span, text| span.len() as usize > text.len());
        let nested = Nested::of(found.keys().copied());
        let at = file.span.start;
        let edits: Vec<Edit> = nested
            .spans
            .iter()
            .map(|span| {
                let text = found.get(span).copied().unwrap_or_default();
                Edit::replace(Span::new(span.start + at, span.end + at), text)
            })
            .collect();
        Forest::new(Proposals::new(edits), &nested.parents).walk()
    }
}

fn blank_before(text: &[u8], at: u32) -> u32 {
    let before = text.get(..at as usize).unwrap_or_default();
    before.trim_ascii_end().len() as u32
}

/// Braces that something leads up to.
fn braces(views: &Views, text: &[u8]) -> Vec<(Span, &'static [u8])> {
    let groups = with_headers(views, text).into_iter();
    let groups = groups.filter(|group| group.kind == Bracket::Curly && group.start < group.open);
    groups
        .map(|group| {
            let behind = text
                .get(group.close as usize..)
                .unwrap_or_default()
                .trim_ascii_start();
            let ended = matches!(behind.first(), Some(b';' | b',' | b')' | b']' | b'.'));
            let span = Span::new(blank_before(text, group.open), group.close);
            (span, if ended { &b""[..] } else { b";" })
        })
        .collect()
}

/// Lines that are indented below one that ends in a colon.
fn indented(text: &[u8]) -> Vec<(Span, &'static [u8])> {
    let mut found: Vec<(Span, &'static [u8])> = Vec::new();
    // For each header whose body continues, the start of the body and the indentation of the
    // header.
    let mut open: Vec<(u32, u32)> = Vec::new();
    let mut header: Option<(u32, u32)> = None;
    let mut end = 0;
    for line in lines(text) {
        let bytes = text.get(line.range()).unwrap_or_default();
        let Some(columns) = indent(bytes) else {
            continue;
        };
        while let Some((start, _)) = open.pop_if(|&mut (_, outer)| outer >= columns) {
            found.push((Span::new(start, end), b" pass"));
        }
        open.extend(header.take().filter(|&(_, outer)| outer < columns));
        end = line.start + bytes.trim_ascii_end().len() as u32;
        if bytes.trim_ascii_end().ends_with(b":") {
            header = Some((end, columns));
        }
    }
    found.extend(
        open.into_iter()
            .map(|(start, _)| (Span::new(start, end), &b" pass"[..])),
    );
    found
}

/// Returns the initializers: the texts from `=` to the end of the expression.
fn initializers(views: &Views, text: &[u8]) -> Vec<(Span, &'static [u8])> {
    if text.trim_ascii_start().starts_with(b"<") {
        // Attributes of markup are not initializers.
        return Vec::new();
    }
    let brackets = views.of::<Brackets>(text);
    let mut groups = brackets.groups().iter().peekable();
    let mut found: Vec<(Span, &'static [u8])> = Vec::new();
    // For each open bracket, its closing bracket and the start of the enclosing initializer.
    let mut outer: Vec<(u32, Bracket, Option<u32>)> = Vec::new();
    let mut start: Option<u32> = None;
    let mut previous: Option<Token> = None;
    for token in code_in(views, text) {
        if token.kind == TokenKind::Comment {
            continue;
        }
        let at = token.span.start;
        let bytes = token.text(text);
        let end = previous.map_or(0, |token| token.span.end);
        let mut ended = |start: &mut Option<u32>| {
            found.extend(start.take().map(|start| (Span::new(start, end), &b""[..])));
        };
        if let Some((_, _, around)) = outer.pop_if(|group| group.0 == at) {
            ended(&mut start);
            start = around;
        } else {
            let gap = text.get(end as usize..at as usize).unwrap_or_default();
            let statements = outer.last().is_none_or(|group| group.1 == Bracket::Curly);
            let directly = previous.is_some_and(|token| token.text(text) == b"=");
            let stops = matches!(bytes, b"," | b";")
                || statements && !directly && gap.contains(&b'\n') && token.kind == TokenKind::Word;
            if stops {
                ended(&mut start);
            }
            if bytes == b"=" && start.is_none() && previous.is_some() {
                start = Some(blank_before(text, at));
            }
            if let Some(group) = groups.next_if(|group| group.open == at) {
                outer.push((group.close, group.kind, start.take()));
            }
        }
        previous = Some(token);
    }
    if let (Some(start), Some(token)) = (start, previous) {
        found.push((Span::new(start, token.span.end), b""));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    fn texts<'a>(
        text: &'a str,
        found: Vec<(Span, &'static [u8])>,
    ) -> Vec<(&'a str, &'static [u8])> {
        found
            .into_iter()
            .map(|(span, new)| (&text[span.range()], new))
            .collect()
    }

    #[test]
    fn definitions_become_declarations() {
        let text =
            b"struct s { int a; };\nint f(int b)\n{\n  return g([](int c) { return c; });\n}\n";
        assert_eq!(
            reduce_with(&Bodies, text, |_| true),
            b"struct s;\nint f(int b);\n"
        );
        let left = reduce_with(&Bodies, text, |text| {
            text.windows(6).any(|w| w == b"return")
        });
        assert_eq!(
            left,
            b"struct s;\nint f(int b)\n{\n  return g([](int c));\n}\n"
        );
    }

    #[test]
    fn initializers_end_with_their_expression() {
        let text = "int a = f(1, x = 2), b = {3; 4}; c == d; g(e=5)\nh = 6\ni";
        assert_eq!(
            texts(text, initializers(&Views::default(), text.as_bytes())),
            [
                (" = 2", &b""[..]),
                (" = f(1, x = 2)", b""),
                (" = {3; 4}", b""),
                ("=5", b""),
                (" = 6", b"")
            ]
        );
    }

    #[test]
    fn indented_bodies_become_pass() {
        let text = "class A:\n  def f(self):\n\n    return 1\n  x: int\n\nif b: c\nelse:\n  d\n";
        assert_eq!(
            texts(text, indented(text.as_bytes())),
            [
                ("\n\n    return 1", &b" pass"[..]),
                ("\n  def f(self):\n\n    return 1\n  x: int", b" pass"),
                ("\n  d", b" pass")
            ]
        );
        assert_eq!(
            reduce_with(&Bodies, text.as_bytes(), |text| text
                .windows(4)
                .any(|w| w == b"self")),
            b"class A:\n  def f(self): pass\n  x: int\n\nif b: c\nelse:\n  d\n"
        );
    }

    #[test]
    fn a_text_without_definitions_is_left_alone() {
        assert!(proposals(&Bodies, b"f(); { g(); }").is_empty());
    }
}
