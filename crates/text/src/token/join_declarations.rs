use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Alternatives, Context, Pass, PassInfo, Views, Work};
use nubbin_view::brackets::{Brackets, Group};
use nubbin_view::tokens::{Token, TokenKind, code_in};
use rustc_hash::FxHashMap;

/// Joins declarations that begin with the same words: `int a; int b;` becomes `int a, b;`.
///
/// A declaration is a word, or several, before a name. Of two statements within the same brackets
/// that begin alike, the second loses its beginning and is moved to the end of the first, after a
/// comma. The pass tries all words that they share, and then the first one only. Statements end at
/// a `;`, or, in a text without any, at the end of a line.
///
/// Cost: one or two tests per such pair, and one test in total if all pairs can be joined.
///
/// Source: ours.
///
/// ```
/// use nubbin_reduce::pass::{JoinDeclarations, preview};
///
/// let first = preview(&JoinDeclarations, b"let a = f(1); let b;\nb = a;", 2);
/// assert_eq!(first, ["let a = f(1),b;\nb = a;"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct JoinDeclarations;

impl Pass for JoinDeclarations {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "join-declarations",
            "joins declarations that begin with the same words",
            "ours",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let places = pairs(context.views, file);
        let is_some = !places.is_empty();
        is_some.then(|| Work::Machine(Box::new(Alternatives::new(places).together())))
    }
}

/// A statement: its first token and the one after it, the span from its last token to the next
/// statement, and the position of the bracket around it.
struct Statement {
    begins: usize,
    ends: usize,
    last: Span,
    within: Option<u32>,
}

/// Returns the edits that join two declarations, for each pair: with all shared words, and with the
/// first one.
fn pairs(views: &Views, file: &File<'_>) -> Vec<Vec<Edit>> {
    let text = file.text;
    let tokens: Vec<Token> = code_in(views, text)
        .filter(|token| token.kind != TokenKind::Comment)
        .collect();
    let mut statements = statements(text, &tokens, &views.of(text));
    statements.sort_by_key(|statement| statement.begins);
    let is_word = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|token| token.kind == TokenKind::Word)
    };
    let shared = |first: &Statement, second: &Statement| {
        let is_shared = |at: &usize| {
            let [left, right] = [first.begins + at, second.begins + at];
            let is_named = left + 1 < first.ends && right + 1 < second.ends;
            let are_words = [left, right, left + 1, right + 1].into_iter().all(is_word);
            is_named && are_words && tokens[left].text(text) == tokens[right].text(text)
        };
        (0..).take_while(is_shared).count()
    };
    let mut pairs = vec![];
    // The last declaration in each bracket, by its first word.
    let mut known: FxHashMap<(Option<u32>, &[u8]), &Statement> = FxHashMap::default();
    for second in &statements {
        let Some(word) = tokens.get(second.begins).map(|token| token.text(text)) else {
            continue;
        };
        let Some(first) = known.insert((second.within, word), second) else {
            continue;
        };
        let words = shared(first, second);
        let joined = |words: usize| joined(file, &tokens, first, second, words);
        if words > 0 {
            let mut counts = vec![words, 1];
            counts.dedup();
            pairs.push(counts.into_iter().filter_map(joined).collect());
        }
    }
    pairs
}

/// Returns the edit that moves the second statement, without its first words, to the end of the
/// first one.
fn joined(
    file: &File<'_>,
    tokens: &[Token],
    first: &Statement,
    second: &Statement,
    words: usize,
) -> Option<Edit> {
    let name = tokens.get(second.begins + words)?.span.start;
    let at = |span: Span| Span::at(file.span.start, span.range());
    if first.ends == second.begins {
        return Some(Edit::replace(at(Span::new(first.last.start, name)), b","));
    }
    // Only a `;` can be replaced with a comma.
    if first.last.is_empty() || second.last.is_empty() {
        return None;
    }
    let moved = file.text.get(name as usize..second.last.end as usize)?;
    let start = tokens.get(second.begins)?.span.start;
    let insert = Edit::replace(at(first.last), &[b",", moved].concat());
    let delete = Edit::delete(at(Span::new(start, second.last.end)));
    insert.combine(&delete).ok()
}

fn statements(text: &[u8], tokens: &[Token], brackets: &Brackets) -> Vec<Statement> {
    let mut groups = brackets.groups().iter().peekable();
    // The enclosing groups, each with the start of the statement that contains it.
    let mut around: Vec<(&Group, usize)> = vec![];
    let mut begins = 0;
    let mut found = vec![];
    let has_semicolons = tokens.iter().any(|token| token.text(text) == b";");
    for (at, token) in tokens.iter().enumerate() {
        let start = token.span.start;
        if let Some((_, outer)) = around.pop_if(|(group, _)| group.close == start) {
            begins = outer;
        }
        if let Some(group) = groups.next_if(|group| group.open == start) {
            around.push((group, begins));
            begins = at + 1;
            continue;
        }
        let next = tokens.get(at + 1);
        let gap = next.and_then(|next| text.get(token.span.end as usize..next.span.start as usize));
        let is_end = token.text(text) == b";";
        let is_line = !has_semicolons && gap.is_some_and(|gap| gap.contains(&b'\n'));
        if is_end || is_line {
            let end = token.span.end;
            found.push(Statement {
                begins,
                ends: at + 1,
                last: Span::new(if is_end { start } else { end }, end),
                within: around.last().map(|(group, _)| group.open),
            });
            begins = at + 1;
        }
    }
    let end = text.len() as u32;
    found.push(Statement {
        begins,
        ends: tokens.len(),
        last: Span::new(end, end),
        within: None,
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn declarations_of_one_type_are_joined() {
        let text =
            b"f() { unsigned int a[2] = {1; 2}; unsigned int b; unsigned c; int d; f(); int e; }";
        assert_eq!(
            reduce_with(&JoinDeclarations, text, |_| true),
            b"f() { unsigned int a[2] = {1; 2},b,c; int d,e; f();  }"
        );
        let text = b"import a.b\nimport c\nc()\n";
        assert_eq!(
            reduce_with(&JoinDeclarations, text, |_| true),
            b"import a.b,c\nc()\n"
        );
    }

    #[test]
    fn statements_that_declare_nothing_are_left_alone() {
        assert!(proposals(&JoinDeclarations, b"a(); a(); b = 1; b = 2; return; return").is_empty());
    }
}
