use nubbin_grammar::grammar::{Expr, ExprId, Grammar, Scope, SymbolId, SymbolKind};
use std::sync::Arc;

/// The maximum number of alternatives of one rule that are considered, since choices within choices
/// multiply.
pub const MOST_EXPANSIONS: usize = 64;

/// The depth to which hidden rules are replaced with their bodies, since they may be recursive.
const DEEPEST: usize = 8;

/// The shortest forms of each rule: its alternatives as rows of symbols, with the minimum of
/// iterations for each quantifier.
///
/// Optional parts are left out, and a repetition has as many iterations as it must have. Rules that
/// trees do not show are replaced with their bodies.
#[derive(Clone, Debug)]
pub struct Expansions {
    rules: Arc<[Vec<Row>]>,
}

type Row = Arc<[SymbolId]>;

impl Expansions {
    /// Computes the expansions of all rules of a grammar.
    pub fn of(grammar: &Grammar) -> Self {
        let rows = |id| match grammar.body(id) {
            Some(body) => {
                let mut rows = rows(grammar, body, DEEPEST);
                rows.sort_by_key(Vec::len);
                rows.dedup();
                rows.into_iter().map(Row::from).collect()
            }
            None => vec![],
        };
        Expansions {
            rules: grammar.symbol_ids().map(rows).collect(),
        }
    }

    /// Returns the alternatives of a rule. Alternatives with fewer symbols come first, and then the
    /// order of the grammar decides. The result is empty for a terminal.
    pub fn of_symbol(&self, symbol: SymbolId) -> &[Row] {
        &self.rules[symbol.index()]
    }
}

/// Recursion is over the nesting of one rule's body, which readers bound, and over at most
/// `deepest` hidden rules.
fn rows(grammar: &Grammar, id: ExprId, deepest: usize) -> Vec<Vec<SymbolId>> {
    match grammar.expr(id) {
        Expr::Empty | Expr::Optional(_) => vec![vec![]],
        Expr::Symbol { symbol, alias, .. } => {
            let shown = alias.unwrap_or(symbol);
            match grammar.symbol(shown).kind {
                SymbolKind::Rule(body) if !grammar.symbol(shown).visibility.is_shown() => {
                    match deepest.checked_sub(1) {
                        Some(deepest) => rows(grammar, body, deepest),
                        None => vec![],
                    }
                }
                _ => vec![vec![shown]],
            }
        }
        Expr::Sequence(list) => {
            let members = grammar.list(list).iter();
            members.fold(vec![vec![]], |sum, &member| {
                then(&sum, &rows(grammar, member, deepest))
            })
        }
        Expr::Choice(list) => {
            let members = grammar.list(list).iter();
            let all = members.flat_map(|&member| rows(grammar, member, deepest));
            all.take(MOST_EXPANSIONS).collect()
        }
        Expr::Repeat(repeat) => {
            let body = rows(grammar, repeat.body, deepest);
            let separator = repeat.separator.map(|id| rows(grammar, id, deepest));
            let mut sum = vec![vec![]];
            for done in 0..repeat.min {
                if done > 0
                    && let Some(separator) = &separator
                {
                    sum = then(&sum, separator);
                }
                sum = then(&sum, &body);
            }
            sum
        }
        Expr::Precedence { body, .. } => rows(grammar, body, deepest),
        Expr::Scoped { body, scope } => {
            let mut all = rows(grammar, body, deepest);
            if let Scope::Uses {
                otherwise: Some(otherwise),
                ..
            } = scope
            {
                all.extend(rows(grammar, otherwise, deepest));
            }
            all
        }
    }
}

fn then(before: &[Vec<SymbolId>], after: &[Vec<SymbolId>]) -> Vec<Vec<SymbolId>> {
    let pairs = before.iter().flat_map(|before| {
        after
            .iter()
            .map(move |after| [&before[..], &after[..]].concat())
    });
    pairs.take(MOST_EXPANSIONS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_grammar::read;

    #[test]
    fn quantifiers_are_at_their_least() {
        let text = "<a> ::= 'x' (<b> | <c>)? <b>+ | <c> (';' <c>)*\n<b> ::= 'b'\n<c> ::= 'c'\n";
        let grammar = read::read(text, None, "test").unwrap();
        let expansions = Expansions::of(&grammar);
        let names = |row: &Row| -> Vec<String> {
            row.iter()
                .map(|&id| grammar.symbol(id).name.to_string())
                .collect()
        };
        let a = expansions.of_symbol(grammar.rule("a").unwrap());
        let a: Vec<_> = a.iter().map(names).collect();
        assert_eq!(a, [vec!["c"], vec!["x", "b"]]);
    }
}
