//! The shortest text of a symbol or of an expression.

use super::model::{Facts, Least};
use crate::byte_set::ByteSet;
use crate::grammar::{Expr, ExprId, Grammar, Scope, SymbolId, SymbolKind};

impl Facts {
    pub(crate) fn shortest_text(
        &self,
        grammar: &Grammar,
        of: Shortest,
        least: Least,
        limit: u64,
    ) -> Option<Vec<u8>> {
        if least.unknown > 0 || least.length > limit {
            return None;
        }
        let mut text = Vec::with_capacity(least.length as usize);
        let spaced = !grammar.extras().is_empty();
        // The number of open patterns, and whether a token has begun that is still empty.
        let (mut inside, mut begins) = (0, false);
        let mut todo = vec![of];
        while let Some(next) = todo.pop() {
            match next {
                Shortest::Symbol(symbol) => {
                    let kind = &grammar.symbol(symbol).kind;
                    begins |= inside == 0 && !matches!(kind, SymbolKind::Rule(_));
                    let one;
                    let bytes = match kind {
                        SymbolKind::Rule(body) => {
                            todo.push(Shortest::Expr(*body));
                            continue;
                        }
                        SymbolKind::Pattern(body) => {
                            inside += 1;
                            todo.extend([Shortest::Over, Shortest::Expr(*body)]);
                            continue;
                        }
                        SymbolKind::Literal(bytes) => bytes,
                        SymbolKind::Class(set) => {
                            one = readable(*set);
                            one.as_slice()
                        }
                        SymbolKind::External => return None,
                    };
                    if spaced && begins && text.last().zip(bytes.first()).is_some_and(run_together)
                    {
                        text.push(b' ');
                    }
                    begins &= bytes.is_empty();
                    text.extend_from_slice(bytes);
                }
                Shortest::Over => inside -= 1,
                // An expression with an empty shortest text is skipped, which avoids cycles.
                Shortest::Expr(id) if self.exprs[id.index()].min?.length == 0 => {}
                Shortest::Expr(id) => match grammar.expr(id) {
                    Expr::Symbol { symbol, .. } => todo.push(Shortest::Symbol(symbol)),
                    Expr::Sequence(list) => {
                        let members = grammar.list(list).iter().rev();
                        todo.extend(members.map(|&id| Shortest::Expr(id)));
                    }
                    Expr::Choice(_) => todo.push(Shortest::Expr(self.shortest(grammar, id)?)),
                    Expr::Repeat(repeat) => {
                        for i in (0..repeat.min).rev() {
                            todo.push(Shortest::Expr(repeat.body));
                            if i > 0 {
                                todo.extend(repeat.separator.map(Shortest::Expr));
                            }
                        }
                    }
                    Expr::Precedence { body, .. } => todo.push(Shortest::Expr(body)),
                    Expr::Scoped { body, scope } => {
                        let other = match scope {
                            Scope::Uses { otherwise, .. } => otherwise,
                            _ => None,
                        };
                        let key = |id: ExprId| self.exprs[id.index()].min.map(|min| min.shortest());
                        let shorter = other.filter(|&other| match (key(other), key(body)) {
                            (Some(other), Some(body)) => other < body,
                            (other, _) => other.is_some(),
                        });
                        todo.push(Shortest::Expr(shorter.unwrap_or(body)));
                    }
                    Expr::Empty | Expr::Optional(_) => {}
                },
            }
        }
        Some(text)
    }

    /// Returns the alternative with the shortest text.
    fn shortest(&self, grammar: &Grammar, choice: ExprId) -> Option<ExprId> {
        let alternatives = grammar.alternatives(&choice).iter();
        alternatives
            .filter_map(|&id| Some((self.exprs[id.index()].min?.shortest(), id)))
            .min_by_key(|&(key, _)| key)
            .map(|(_, id)| id)
    }
}

/// Returns whether two tokens with the given bytes at their border would become one.
fn run_together((before, after): (&u8, &u8)) -> bool {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    word(before) && word(after)
}

pub(crate) enum Shortest {
    Symbol(SymbolId),
    /// The end of a pattern.
    Over,
    Expr(ExprId),
}

/// Returns the most readable byte of a set: a digit, a letter, a printable byte, or any byte.
fn readable(set: ByteSet) -> Option<u8> {
    let nice: [fn(&u8) -> bool; 4] = [
        u8::is_ascii_digit,
        u8::is_ascii_lowercase,
        u8::is_ascii_graphic,
        |_| true,
    ];
    nice.iter().find_map(|nice| set.iter().find(nice))
}
