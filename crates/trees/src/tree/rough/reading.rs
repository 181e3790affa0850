//! The division of a text into the nodes of a rough tree.

use super::group_kinds::group_kinds;
use super::node::{Kind, RoughNode};
use nubbin_edit::Span;
use nubbin_view::brackets::{Bracket, Brackets, Group};
use nubbin_view::lines::{indent, widen};
use nubbin_view::tokens::{Token, TokenKind, code};

/// Returns the nodes of a text. A node comes before the nodes within it.
pub(super) fn nodes(text: &[u8]) -> Vec<RoughNode> {
    let is_code = |token: &Token| token.kind != TokenKind::Comment;
    let tokens: Vec<Token> = code(text).filter(is_code).collect();
    let brackets = Brackets::of(text);
    let kinds = group_kinds(text, &tokens, &brackets);
    let mut groups = brackets.groups().iter().zip(kinds).peekable();
    let mut reading = Reading::new(text);
    let mut end = 0;
    for (nth, token) in tokens.iter().enumerate() {
        let at = token.span.start;
        let before = nth.checked_sub(1).and_then(|nth| tokens.get(nth));
        let gap = text.get(end as usize..at as usize).unwrap_or_default();
        if before.is_none_or(|_| gap.contains(&b'\n')) {
            let before = before.map_or(&b""[..], |token| token.text(text));
            reading.begin_line(token, end, before);
        }
        if let Some((group, kind)) = groups.next_if(|(group, _)| group.open == at) {
            reading.open(group, kind, end);
        } else if reading
            .around
            .last()
            .is_some_and(|around| around.close == at)
        {
            reading.close(token, end, tokens.get(nth + 1..).unwrap_or_default());
        } else {
            reading.token(token, end);
        }
        end = token.span.end;
    }
    reading.finish(end)
}

/// A group that is open, or the file.
struct Container {
    kind: Kind,
    /// The place of the closing bracket.
    close: u32,
    /// The open items: their numbers, and the columns of their lines.
    items: Vec<(usize, u32)>,
    /// Whether the next token belongs to the last of the open items.
    continues: bool,
    /// The places of the commas since the last item.
    commas: Vec<u32>,
    has_items: bool,
}

impl Container {
    fn new(kind: Kind, close: u32) -> Self {
        Container {
            kind,
            close,
            items: vec![],
            continues: false,
            commas: vec![],
            has_items: false,
        }
    }
}

struct Reading<'a> {
    text: &'a [u8],
    nodes: Vec<RoughNode>,
    around: Vec<Container>,
    /// Whether a line end ends a statement.
    lines_end: bool,
    /// The start of the name or path that ends with the last token.
    name: Option<u32>,
    /// The columns of white space before the current line.
    columns: u32,
}

/// The words that continue the statement before them.
const CONTINUING: [&[u8]; 8] = [
    b"else", b"while", b"catch", b"finally", b"elif", b"except", b"until", b"as",
];

/// The last tokens of lines that the next line continues.
const CONTINUED: [&[u8]; 6] = [b",", b"\\", b"=", b"+", b"&&", b"||"];

impl<'a> Reading<'a> {
    fn new(text: &'a [u8]) -> Self {
        let file = RoughNode {
            start: 0,
            end: text.len() as u32,
            kind: Some(Kind::File),
        };
        Reading {
            text,
            nodes: vec![file],
            around: vec![Container::new(Kind::File, u32::MAX)],
            lines_end: !ends_lines_with_semicolons(text),
            name: None,
            columns: 0,
        }
    }

    /// Ends the statements that end before the line of a token. The token before it ends at `end`.
    fn begin_line(&mut self, token: &Token, end: u32, before: &[u8]) {
        self.columns = self.columns_before(token.span.start);
        let columns = self.columns;
        let bytes = token.text(self.text);
        let Some(around) = self.around.last_mut().filter(|it| it.kind.has_statements()) else {
            return;
        };
        let current = around.items.last().filter(|_| around.continues);
        let begins = |&(item, _): &(usize, u32)| self.nodes.get(item).map(|node| node.start);
        let hash = |at: u32| self.text.get(at as usize) == Some(&b'#');
        // A line of a preprocessor is a statement in any language.
        let is_directive = bytes == b"#" || current.and_then(begins).is_some_and(hash);
        let continues = around.continues && (bytes == b"{" || CONTINUED.contains(&before));
        if !(self.lines_end || is_directive) || continues {
            return;
        }
        around.continues = false;
        let is_over = |line: &mut (usize, u32)| line.1 >= columns || !self.lines_end;
        while let Some((item, _)) = around.items.pop_if(is_over) {
            self.nodes[item].end = end;
        }
    }

    /// Begins a bracket group.
    fn open(&mut self, group: &Group, kind: Kind, end: u32) {
        self.begin_item(group.open);
        // A group without a space before it is removed with the name of what is called.
        let start = match group.kind {
            Bracket::Round | Bracket::Square if end == group.open => self.name,
            _ => None,
        };
        self.nodes.push(RoughNode {
            start: start.unwrap_or(group.open),
            end: group.close + 1,
            kind: Some(kind),
        });
        self.around.push(Container::new(kind, group.close));
        self.name = None;
    }

    /// Ends a bracket group, and the statement around it if it ends there.
    fn close(&mut self, bracket: &Token, end: u32, behind: &[Token]) {
        self.end_container(end);
        self.name = None;
        if bracket.text(self.text) == b"}" && self.ends_with_brace(behind) {
            self.end_item(bracket.span.end);
        }
    }

    /// Reads a token that is not a bracket of a group.
    fn token(&mut self, token: &Token, end: u32) {
        let (at, bytes) = (token.span.start, token.text(self.text));
        let Some(around) = self.around.last_mut() else {
            return;
        };
        let name = self.name.take();
        match (bytes, around.kind) {
            (b",", Kind::List) => {
                around.commas.push(at);
                self.end_item(end);
            }
            (b";", Kind::File | Kind::Block) => {
                self.begin_item(at);
                self.end_item(token.span.end);
            }
            _ => {
                self.begin_item(at);
                let joins: [&[u8]; 9] = [b"::", b".", b"->", b"!", b"@", b"#", b"$", b"?.", b"&"];
                let is_name = token.kind == TokenKind::Word || joins.contains(&bytes);
                self.name = is_name.then(|| name.filter(|_| end == at).unwrap_or(at));
            }
        }
    }

    /// Begins an item at a token, unless the token belongs to one.
    fn begin_item(&mut self, at: u32) {
        let columns = self.columns;
        let Some(around) = self.around.last_mut() else {
            return;
        };
        if around.kind == Kind::Plain || around.continues {
            return;
        }
        if around.kind == Kind::List || !self.lines_end {
            around.items.clear();
        }
        let commas = std::mem::take(&mut around.commas);
        // The commas of omitted elements, as in `[1, , 2]`, separate nothing.
        if let (Kind::List, true, [comma]) = (around.kind, around.has_items, &commas[..]) {
            self.nodes.push(RoughNode {
                start: *comma,
                end: comma + 1,
                kind: None,
            });
        }
        around.has_items = true;
        around.continues = true;
        around.items.push((self.nodes.len(), columns));
        self.nodes.push(RoughNode {
            start: at,
            end: at,
            kind: Some(Kind::Item),
        });
    }

    /// Ends the current item.
    fn end_item(&mut self, end: u32) {
        if let Some(around) = self.around.last_mut() {
            around.continues = false;
            if let Some((item, _)) = around.items.pop() {
                self.nodes[item].end = end;
            }
            if around.kind == Kind::List || !self.lines_end {
                around.items.clear();
            }
        }
    }

    /// Ends all items of the innermost group, and the group.
    fn end_container(&mut self, end: u32) {
        let items = self.around.pop().map(|around| around.items);
        for (item, _) in items.unwrap_or_default() {
            self.nodes[item].end = end;
        }
    }

    /// Returns whether a statement ends with a closing brace before the given tokens.
    fn ends_with_brace(&self, behind: &[Token]) -> bool {
        if !(self.around.last()).is_some_and(|around| around.kind.has_statements()) {
            return false;
        }
        let text = |nth: usize| {
            behind
                .get(nth)
                .map_or(&b""[..], |token| token.text(self.text))
        };
        match behind.first().map(|next| next.kind) {
            None => true,
            // A name may follow a brace, as in `struct s { … } name;`.
            Some(TokenKind::Word) if matches!(text(1), b";" | b"," | b"=" | b"[") => false,
            Some(TokenKind::Word) => !CONTINUING.contains(&text(0)),
            Some(_) => !matches!(
                text(0),
                b";" | b"," | b")" | b"." | b"(" | b"=" | b"[" | b"]" | b"}"
            ),
        }
    }

    /// Returns the columns of white space before the line of a token.
    fn columns_before(&self, at: u32) -> u32 {
        let before = self.text.get(..at as usize).unwrap_or_default();
        let line = before.iter().rposition(|&byte| byte == b'\n');
        let line = line.map_or(0, |at| at + 1);
        indent(self.text.get(line..).unwrap_or_default()).unwrap_or(0)
    }

    /// Ends all nodes. An item that is alone on its lines has these lines as a whole, and so does a
    /// group that is all of the item: the two are then removed by the same candidate.
    fn finish(mut self, end: u32) -> Vec<RoughNode> {
        while !self.around.is_empty() {
            self.end_container(end);
        }
        for at in 0..self.nodes.len() {
            let item = &self.nodes[at];
            if item.kind != Some(Kind::Item) {
                continue;
            }
            let span = (item.start, item.end);
            let lines = widen(self.text, Span::new(item.start, item.end));
            let within = self.nodes.iter_mut().skip(at);
            for node in within.take_while(|node| (node.start, node.end) == span) {
                (node.start, node.end) = (lines.start, lines.end);
            }
        }
        self.nodes
    }
}

/// Returns whether one line in twenty ends in a semicolon.
fn ends_lines_with_semicolons(text: &[u8]) -> bool {
    let lines = text.split(|&byte| byte == b'\n');
    let (lines, semicolons) = lines.fold((0, 0), |(lines, semicolons), line| {
        let ends = line.trim_ascii_end().ends_with(b";");
        (lines + 1, semicolons + usize::from(ends))
    });
    semicolons * 20 > lines
}
