//! The texts of tokens.

use crate::choices::Choices;
use nubbin_grammar::grammar::{Expr, ExprId, Grammar, SymbolId, SymbolKind};

/// The choice of the text of a token.
///
/// Most sets of characters in lexer rules are large: any character, or all but a quote. Of these,
/// printable characters of ASCII are chosen 15 times of 16, since other characters show the same
/// failure over and over: that they are not allowed there.
#[derive(Debug)]
pub(super) struct Spelling {
    /// The bytes of each class, simplest first, by symbol.
    classes: Vec<Box<[u8]>>,
    /// The places of the printable bytes in each class: they come first.
    printable: Vec<Box<[u32]>>,
    /// The alternatives of each choice that begin with ASCII, if others do not, by expression.
    ascii: Vec<Box<[u32]>>,
}

impl Spelling {
    pub(super) fn of(grammar: &Grammar) -> Self {
        let mut spelling = Spelling {
            classes: vec![],
            printable: vec![],
            ascii: vec![],
        };
        for symbol in grammar.symbols() {
            let mut bytes = match &symbol.kind {
                SymbolKind::Class(set) => set.iter().collect(),
                _ => vec![],
            };
            bytes.sort_by_key(|&byte| (rank(byte), byte));
            let printable = |byte: &&u8| matches!(byte, 0x20..=0x7e);
            let count = bytes.iter().filter(printable).count() as u32;
            spelling.printable.push((0..count).collect());
            spelling.classes.push(bytes.into());
        }
        let is_ascii = begin_with_ascii(grammar);
        for id in grammar.expr_ids() {
            let Expr::Choice(list) = grammar.expr(id) else {
                spelling.ascii.push([].into());
                continue;
            };
            let members = (0..).zip(grammar.list(list));
            let ascii = members.filter(|(_, member)| is_ascii[member.index()]);
            let ascii: Box<[u32]> = ascii.map(|(at, _)| at).collect();
            let all = ascii.len() == grammar.list(list).len();
            spelling.ascii.push(if all { [].into() } else { ascii });
        }
        spelling
    }

    /// Chooses a byte of a class.
    pub(super) fn byte(&self, class: SymbolId, choices: &mut Choices) -> Option<u8> {
        let bytes = &self.classes[class.index()];
        let at = choices.choose_favoring(bytes.len(), &self.printable[class.index()]);
        bytes.get(at).copied()
    }

    /// Returns the alternatives of a choice that begin with ASCII, if others do not.
    pub(super) fn ascii(&self, choice: ExprId) -> &[u32] {
        &self.ascii[choice.index()]
    }
}

/// Returns which expressions can begin with a character of ASCII.
fn begin_with_ascii(grammar: &Grammar) -> Vec<bool> {
    let mut found = vec![false; grammar.expr_count()];
    loop {
        let mut changed = false;
        for id in grammar.expr_ids() {
            let begins = match grammar.expr(id) {
                Expr::Symbol { symbol, .. } => match &grammar.symbol(symbol).kind {
                    SymbolKind::Class(set) => set.iter().next().is_some_and(|byte| byte < 0x80),
                    SymbolKind::Literal(text) => text.first().is_some_and(|byte| *byte < 0x80),
                    SymbolKind::Rule(body) | SymbolKind::Pattern(body) => found[body.index()],
                    SymbolKind::External => false,
                },
                Expr::Choice(list) => grammar.list(list).iter().any(|id| found[id.index()]),
                _ => {
                    let mut first = None;
                    grammar.each_part(id, |part| first = first.or(Some(part)));
                    first.is_some_and(|part| found[part.index()])
                }
            };
            changed |= begins && !std::mem::replace(&mut found[id.index()], begins);
        }
        if !changed {
            return found;
        }
    }
}

/// Returns the place of a byte among others, simplest first.
fn rank(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => 0,
        b'0'..=b'9' => 1,
        b'A'..=b'Z' => 2,
        b' ' => 4,
        0x21..=0x7e => 3,
        b'\n' => 5,
        _ => 6,
    }
}
