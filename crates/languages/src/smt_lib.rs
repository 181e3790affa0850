//! SMT-LIB, with a grammar of this crate.
//!
//! A script is a list of commands in parentheses. The script is divided into commands first, and
//! each command is parsed alone, so that time and memory of the parser depend on the longest
//! command only. A command that does not fit, or whose parentheses do not match, is an
//! [`Error`](nubbin_grammar::tree::NodeKind::Error) node, with such a node for each inner pair of
//! parentheses.

use crate::hints;
use crate::language::LanguageError;
use nubbin_grammar::grammar::{ExprId, Grammar, SymbolId, SymbolKind};
use nubbin_grammar::parse::{Lexeme, ParseError, Parser};
use nubbin_grammar::read::{self, Format};
use nubbin_grammar::syntax::Syntax;
use nubbin_grammar::tree::{Node, NodeId, NodeKind, Tree, TreeBuilder, TreeError};
use rustc_hash::FxHashMap;
use std::sync::Arc;

const GRAMMAR: &str = include_str!("../grammars/smt-lib.ebnf");

/// SMT-LIB, the language of solvers for satisfiability modulo theories.
#[derive(Debug)]
pub struct SmtLib {
    grammar: Arc<Grammar>,
    /// The parser of one command, over tokens.
    command: Parser,
    /// The repetition of commands, which is the body of a script.
    commands: ExprId,
    mention: ExprId,
    error: SymbolId,
    comment: SymbolId,
    words: FxHashMap<Box<[u8]>, SymbolId>,
    terminals: [SymbolId; 8],
}

/// The maximum size of a parse in bytes. A command whose parse exceeds it becomes an error node,
/// since [`SmtLib::parse`] treats every error alike.
const MEMORY: usize = 1 << 30;

/// The tokens that are not keywords, in the order of [`SmtLib`]'s `terminals`.
const TOKENS: [&str; 8] = [
    "word",
    "quoted",
    "keyword",
    "numeral",
    "decimal",
    "hexadecimal",
    "binary",
    "string",
];

/// A token with its start and end.
#[derive(Clone, Copy, Debug)]
struct Token {
    /// The symbol, or `None` for text that is not a token.
    symbol: Option<SymbolId>,
    start: u32,
    end: u32,
}

impl SmtLib {
    /// Reads the built-in SMT-LIB grammar.
    ///
    /// # Errors
    ///
    /// Returns an error only if the built-in grammar is damaged.
    pub fn new() -> Result<Self, LanguageError> {
        let read = || read::read(GRAMMAR, Some(Format::Iso), "smt-lib");
        let damaged = || LanguageError::Damaged("smt-lib");
        let grammar = read()?.with_conventions(&hints::CONVENTIONS);
        let rule = |name: &str| grammar.rule(name).ok_or_else(damaged);
        let body = |rule| grammar.body(rule).ok_or_else(damaged);
        let (script, command) = (rule("script")?, rule("command")?);
        let comment = rule("comment")?;
        let commands = body(script)?;
        let nubbin_grammar::grammar::Expr::Repeat(repeat) = grammar.expr(commands) else {
            return Err(damaged());
        };
        let mut terminals = [script; TOKENS.len()];
        for (terminal, name) in terminals.iter_mut().zip(TOKENS) {
            grammar.each_symbol(body(rule(name)?)?, |symbol| *terminal = symbol);
        }
        let literals = grammar
            .symbol_ids()
            .filter_map(|id| match &grammar.symbol(id).kind {
                SymbolKind::Literal(text) => Some((text.clone(), id)),
                _ => None,
            });
        let words = literals.collect();
        let error = rule(crate::grammar_json::ERROR)?;
        Ok(SmtLib {
            words,
            terminals,
            commands,
            mention: repeat.body,
            error,
            comment,
            command: Parser::for_tokens(Arc::new(read()?.with_start(command)))?
                .memory_limit(MEMORY),
            grammar: Arc::new(grammar.with_extras(vec![comment])),
        })
    }

    /// Returns the next token at or after `at`, without the white space and comments before it.
    fn token(&self, text: &[u8], mut at: usize) -> Option<Token> {
        let end_of = |from: usize, more: &dyn Fn(u8) -> bool| {
            let rest = text[from..].iter();
            from + rest.take_while(|byte| more(**byte)).count()
        };
        loop {
            match text.get(at)? {
                b if is_blank(*b) => at += 1,
                b';' => at = end_of(at, &|byte| !matches!(byte, b'\r' | b'\n')),
                _ => break,
            }
        }
        let (start, first) = (at, text[at]);
        let [
            word,
            quoted,
            keyword,
            numeral,
            decimal,
            hexadecimal,
            binary,
            string,
        ] = self.terminals;
        let (symbol, end) = match first {
            b'(' | b')' => (self.words.get(&text[at..=at]).copied(), at + 1),
            b'"' => {
                // Two quotes in a row are one quote in the string.
                let mut end = at + 1;
                loop {
                    end = end_of(end, &|byte| byte != b'"');
                    match (text.get(end), text.get(end + 1)) {
                        (Some(_), Some(b'"')) => end += 2,
                        (Some(_), _) => break (Some(string), end + 1),
                        (None, _) => break (None, end),
                    }
                }
            }
            b'|' => {
                let end = end_of(at + 1, &|byte| byte != b'|' && byte != b'\\');
                match text.get(end) {
                    Some(b'|') => (Some(quoted), end + 1),
                    _ => (None, at + 1),
                }
            }
            b'#' => {
                let end = end_of(at + 1, &in_word);
                let digits = text.get(at + 2..end).unwrap_or_default();
                let all = |is: fn(&u8) -> bool| !digits.is_empty() && digits.iter().all(is);
                match text.get(at + 1) {
                    Some(b'x') if all(u8::is_ascii_hexdigit) => (Some(hexadecimal), end),
                    Some(b'b') if all(|byte| matches!(byte, b'0' | b'1')) => (Some(binary), end),
                    _ => (None, end),
                }
            }
            b'0'..=b'9' => {
                let end = end_of(at, &in_word);
                let (whole, part) = match text[at..end].iter().position(|byte| *byte == b'.') {
                    Some(dot) => (&text[at..at + dot], Some(&text[at + dot + 1..end])),
                    None => (&text[at..end], None),
                };
                let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
                match part {
                    None if digits(whole) => (Some(numeral), end),
                    Some(part) if digits(whole) && digits(part) && !part.is_empty() => {
                        (Some(decimal), end)
                    }
                    _ => (None, end),
                }
            }
            _ => {
                let end = end_of(at, &in_word);
                let known = self.words.get(&text[at..end]).copied();
                let symbol = if first == b':' { keyword } else { word };
                (Some(known.unwrap_or(symbol)), end)
            }
        };
        Some(Token {
            symbol: symbol.filter(|_| first != b':' || end > at + 1),
            start: start as u32,
            end: end as u32,
        })
    }

    /// Returns the tree of one command over its tokens. Each token includes the white space before
    /// it.
    fn parse(&self, text: &[u8], tokens: &[Token]) -> Option<Tree> {
        let first = tokens.first()?.start;
        let mut before = 0;
        let lexemes: Option<Vec<Lexeme>> = tokens
            .iter()
            .map(|token| {
                let start = std::mem::replace(&mut before, token.end - first);
                let end = token.end - first;
                token.symbol.map(|symbol| Lexeme { symbol, start, end })
            })
            .collect();
        let end = tokens.last()?.end;
        let text = &text[first as usize..end as usize];
        self.command.parse_tokens(text, &lexemes?).ok()
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0c)
}

fn in_word(byte: u8) -> bool {
    !is_blank(byte) && !matches!(byte, b'(' | b')' | b'"' | b';' | b'|')
}

impl Syntax for SmtLib {
    fn name(&self) -> &str {
        "smt-lib"
    }

    fn grammar(&self) -> &Arc<Grammar> {
        &self.grammar
    }

    fn tree(&self, text: &[u8]) -> Result<Tree, ParseError> {
        if u32::try_from(text.len()).is_err() {
            return Err(TreeError::TooLarge.into());
        }
        let mut writing = Writing {
            language: self,
            text,
            at: 0,
            out: TreeBuilder::new(Arc::clone(&self.grammar), text.into()),
        };
        let start = self.grammar.start();
        writing.out.open(NodeKind::Rule, start, None);
        writing
            .out
            .open(NodeKind::Repeat, start, Some(self.commands));
        let mut tokens: Vec<Token> = vec![];
        let (mut depth, mut at) = (0usize, 0);
        while let Some(token) = self.token(text, at) {
            at = token.end as usize;
            match text[token.start as usize] {
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            tokens.push(token);
            if depth == 0 {
                writing.command(&tokens);
                tokens.clear();
            }
        }
        if !tokens.is_empty() {
            writing.error(&tokens);
        }
        writing.out.close();
        writing.gap(text.len() as u32, start);
        writing.out.close();
        Ok(writing.out.finish()?)
    }

    fn is_tolerant(&self) -> bool {
        true
    }
}

struct Writing<'t> {
    language: &'t SmtLib,
    text: &'t [u8],
    at: u32,
    out: TreeBuilder,
}

impl Writing<'_> {
    fn command(&mut self, tokens: &[Token]) {
        let Some(tree) = self.language.parse(self.text, tokens) else {
            self.error(tokens);
            return;
        };
        let start = self.language.grammar.start();
        let (commands, mention) = (self.language.commands, self.language.mention);
        self.gap(tokens[0].start, start);
        self.out.open(NodeKind::Iteration, start, Some(commands));
        let mut tokens = tokens.iter().peekable();
        let mut open: Vec<NodeId> = vec![];
        for (id, node) in tree.nodes() {
            while open.pop_if(|open| !tree.covers(*open, id)).is_some() {
                self.out.close();
            }
            let Node { kind, symbol, .. } = *node;
            let expr = if open.is_empty() {
                Some(mention)
            } else {
                node.expr
            };
            // A gap between two tokens is a child of the node outside of all nodes that begin with
            // the second token.
            if let Some(next) = tokens.peek()
                && !node.span().is_empty()
            {
                let around = tree
                    .parent(id)
                    .map_or(symbol, |parent| tree.node(parent).symbol);
                self.gap(next.start, around);
            }
            match kind {
                NodeKind::Token => {
                    if let Some(token) = tokens.next() {
                        self.leaf(kind, symbol, expr, token.end);
                    }
                }
                _ => {
                    self.out.open(kind, symbol, expr);
                    open.push(id);
                }
            }
        }
        open.iter().for_each(|_| self.out.close());
        self.out.close();
    }

    /// Adds an error node for tokens that are not a command, with an error node for each pair of
    /// parentheses.
    fn error(&mut self, tokens: &[Token]) {
        let error = self.language.error;
        self.gap(tokens[0].start, self.language.grammar.start());
        self.out.open(NodeKind::Error, error, None);
        let mut depth = 0usize;
        for token in tokens {
            self.gap(token.start, error);
            let first = self.text[token.start as usize];
            if first == b'(' {
                self.out.open(NodeKind::Error, error, None);
                depth += 1;
            }
            match token.symbol {
                Some(symbol) => self.leaf(NodeKind::Token, symbol, None, token.end),
                None => self.leaf(NodeKind::Gap, error, None, token.end),
            }
            if first == b')' && depth > 0 {
                self.out.close();
                depth -= 1;
            }
        }
        for _ in 0..=depth {
            self.out.close();
        }
    }

    fn leaf(&mut self, kind: NodeKind, symbol: SymbolId, expr: Option<ExprId>, end: u32) {
        self.out.leaf(kind, symbol, expr, (end - self.at) as usize);
        self.at = end;
    }

    /// Adds the white space and comments before a token.
    fn gap(&mut self, to: u32, symbol: SymbolId) {
        while self.at < to {
            let rest = &self.text[self.at as usize..to as usize];
            let (symbol, len) = if rest[0] == b';' {
                let line = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
                (self.language.comment, line.unwrap_or(rest.len()))
            } else {
                let comment = rest.iter().position(|byte| *byte == b';');
                (symbol, comment.unwrap_or(rest.len()))
            };
            self.leaf(NodeKind::Gap, symbol, None, self.at + len as u32);
        }
    }
}
