//! The search for a text of each token that the lexer accepts.

use super::spell::Spelling;
use super::tokens::{Maker, Mode, Tokens};
use super::{Generator, limit};
use crate::choices::Choices;
use nubbin_grammar::grammar::{Command, Expr, ExprId, Grammar, Lexing, SymbolKind};
use nubbin_grammar::lex::{LexedText, Lexer, Match};
use std::sync::Arc;

/// The number of texts of an alternative that are tried before it counts as one that no text has.
const TRIES: u64 = 50;

/// The texts that are preferred between tokens.
const BLANKS: [&[u8]; 4] = [b" ", b"\n", b"\t", b"\r\n"];

impl Tokens {
    /// Returns the tokens of a grammar with lexer rules. `generator` need not know any token.
    pub(super) fn of(generator: &Generator, grammar: &Arc<Grammar>) -> Option<Self> {
        let lexing = grammar.lexing()?;
        let mut tokens = Tokens {
            lexer: Lexer::of(grammar)?,
            modes: vec![],
            end: lexing.end,
            spelling: Spelling::of(grammar),
        };
        let modes = 0..lexing.modes.len() as u32;
        tokens.modes = modes
            .map(|mode| tokens.mode(generator, lexing, mode))
            .collect();
        Some(tokens)
    }

    fn mode(&self, generator: &Generator, lexing: &Lexing, mode: u32) -> Mode {
        let mut text = LexedText::new(&self.lexer);
        let mut found = Mode::default();
        for blank in BLANKS {
            if hides(&mut text, mode, blank) {
                found.between.push(blank.into());
            }
        }
        for (rule, each) in (0..).zip(&lexing.modes[mode as usize].rules) {
            for (alternative, (body, commands)) in (0..).zip(&each.alternatives) {
                let makes = Match::of(each.symbol, commands);
                let Some(usual) = self.usual(generator, &mut text, mode, *body, makes) else {
                    continue;
                };
                let turns = commands.iter().any(is_turn);
                let maker = Maker {
                    body: *body,
                    makes,
                    rule,
                    alternative,
                    usual,
                    is_fixed: is_fixed(&generator.grammar, *body),
                };
                match makes {
                    Match { more: true, .. } => found.more.push(maker),
                    Match { hidden: false, .. } => {
                        found.makers.entry(makes.symbol).or_default().push(maker);
                    }
                    _ if turns => found.leaving.push(maker),
                    _ if found.between.contains(&maker.usual) => {}
                    _ => found.between.push(maker.usual),
                }
            }
        }
        found
    }

    /// Returns a text for which the lexer uses a given alternative.
    fn usual(
        &self,
        generator: &Generator,
        text: &mut LexedText<'_>,
        mode: u32,
        body: ExprId,
        makes: Match,
    ) -> Option<Box<[u8]>> {
        let simplest = std::iter::once(Choices::replay(vec![]));
        let drawn = (0..TRIES).map(Choices::seeded);
        let mut piece = vec![];
        for mut choices in simplest.chain(drawn) {
            piece.clear();
            limit::spell(generator, &self.spelling, body, &mut choices, &mut piece);
            text.clear(mode);
            if text.append(&piece) == Some(makes) {
                return Some(piece.into());
            }
        }
        None
    }
}

/// Returns whether an expression of lexer rules is a literal, or several in a row.
fn is_fixed(grammar: &Grammar, body: ExprId) -> bool {
    let literal = |id: &ExprId| match grammar.expr(*id) {
        Expr::Symbol { symbol, .. } => {
            matches!(grammar.symbol(symbol).kind, SymbolKind::Literal(_))
        }
        _ => false,
    };
    grammar.members(&body).iter().all(literal)
}

fn is_turn(command: &Command) -> bool {
    matches!(command, Command::Mode(_) | Command::Push(_) | Command::Pop)
}

/// Returns whether a whole text is hidden and does not change the mode.
fn hides(text: &mut LexedText<'_>, mode: u32, piece: &[u8]) -> bool {
    text.clear(mode);
    let before = text.modes();
    text.append(piece)
        .is_some_and(|found| found.hidden && !found.more)
        && text.modes() == before
}

/// Returns the tokens of the parser that no text has, by symbol.
pub(super) fn missing(grammar: &Grammar, tokens: &Tokens) -> Vec<bool> {
    let mut missing = vec![false; grammar.symbols().len()];
    for (_, body) in grammar.rules() {
        grammar.each_symbol(body, |symbol| {
            let is_token = !matches!(grammar.symbol(symbol).kind, SymbolKind::Rule(_));
            missing[symbol.index()] = is_token;
        });
    }
    for symbol in tokens.made().chain(tokens.end) {
        missing[symbol.index()] = false;
    }
    missing
}
