use super::Places;
use crate::grammar::{Expr, ExprId, Grammar, SymbolId, SymbolKind};
use std::sync::{Arc, Mutex, PoisonError};

impl Places {
    pub(crate) fn of(grammar: &Grammar) -> Self {
        let mut around = vec![None; grammar.expr_count()];
        for id in grammar.expr_ids() {
            grammar.each_part(id, |part| around[part.index()] = Some(id));
        }
        Places {
            around,
            body_of: grammar.rules().map(|(rule, body)| (body, rule)).collect(),
            known: Mutex::default(),
        }
    }

    /// Returns the symbols that may occur at `mention`, including its own symbol, sorted and
    /// without duplicates.
    pub fn at(&self, grammar: &Grammar, mention: ExprId) -> Arc<[SymbolId]> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known
            .entry(mention)
            .or_insert_with(|| self.find(grammar, mention).into());
        Arc::clone(found)
    }

    fn find(&self, grammar: &Grammar, mention: ExprId) -> Vec<SymbolId> {
        let facts = grammar.facts();
        let mut outermost = mention;
        while let Some(around) = self.around[outermost.index()] {
            match grammar.expr(around) {
                Expr::Choice(_) | Expr::Precedence { .. } | Expr::Scoped { .. } => {
                    outermost = around;
                }
                _ => break,
            }
        }
        let mut found = facts.alone(grammar, outermost);
        let hidden = self
            .body_of
            .get(&outermost)
            .filter(|rule| !grammar.symbol(**rule).visibility.is_shown());
        found.extend(hidden);
        let direct = found.clone();
        found.extend(direct.into_iter().flat_map(|id| facts.stands_for(id)));
        found.retain(|&id| {
            grammar.symbol(id).visibility.is_shown()
                || !matches!(grammar.symbol(id).kind, SymbolKind::Rule(_))
        });
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use crate::grammar::{Expr, Grammar};
    use crate::read;

    /// Returns the names of the symbols that may stand at the `n`-th mention in the body of a rule.
    fn at(grammar: &Grammar, rule: &str, n: usize) -> Vec<String> {
        let body = grammar.body(grammar.rule(rule).unwrap()).unwrap();
        let mut mentions = vec![];
        let mut todo = vec![body];
        while let Some(id) = todo.pop() {
            if let Expr::Symbol { .. } = grammar.expr(id) {
                mentions.push(id);
            }
            let from = todo.len();
            grammar.each_part(id, |part| todo.push(part));
            todo[from..].reverse();
        }
        let places = grammar.places().at(grammar, mentions[n]);
        let names = places.iter().map(|&id| grammar.symbol(id).name.to_string());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn symbols_that_a_symbol_derives_alone_may_stand_for_it() {
        let text =
            "<e> ::= <t> '+' <e> | <t>  <t> ::= <f> '*' <t> | <f>  <f> ::= '(' <e> ')' | '1'";
        let grammar = read::read(&text.replace("  ", "\n"), None, "sums").unwrap();
        assert_eq!(at(&grammar, "t", 0), ["1", "f"]);
        assert_eq!(at(&grammar, "f", 1), ["1", "e", "f", "t"]);
        assert_eq!(at(&grammar, "f", 0), ["("]);
    }
}
