//! What else may stand where something stands.

use crate::grammar::{Expr, ExprId, Grammar, SymbolId, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// For each mention of a symbol in a grammar, the symbols that may stand in its place.
///
/// A child of a node is an instance of a mention ([`Node::expr`](crate::tree::Node::expr)). Whatever
/// else the alternatives around that mention offer, all by itself, may stand there too; so may what
/// the symbol can be, by [`Facts::stands_for`](crate::facts::Facts::stands_for). Where the mention
/// is all there is to an alternative of a rule that trees do not show, the alternatives of that rule
/// count, wherever it is used: C's `_expression` is such a rule.
///
/// Equal expressions are one expression, so a mention may be in several rules, and in several
/// places of one. What may stand there is what may stand in all of them that come into question.
///
/// Looking one up is one look into a table after the first time.
#[derive(Debug)]
pub struct Places {
    /// What each is directly part of.
    around: Vec<Vec<ExprId>>,
    /// Which are bodies of rules.
    bodies: FxHashSet<ExprId>,
    /// What has been asked for.
    known: Mutex<FxHashMap<Place, Arc<[SymbolId]>>>,
}

/// A mention, and what it is within, where that is known.
type Place = (ExprId, Option<ExprId>);

impl Places {
    pub(crate) fn of(grammar: &Grammar) -> Self {
        let mut around = vec![vec![]; grammar.expr_count()];
        for id in grammar.expr_ids() {
            grammar.each_part(id, |part| around[part.index()].push(id));
        }
        Places {
            around,
            bodies: grammar.rules().map(|(_, body)| body).collect(),
            known: Mutex::default(),
        }
    }

    /// The symbols that may stand where `mention` stands, in order, each once, its own among them:
    /// wherever that is.
    pub fn at(&self, grammar: &Grammar, mention: ExprId) -> Arc<[SymbolId]> {
        self.look_up(mention, None, || {
            let mut seen = FxHashSet::default();
            let mut tops = vec![];
            let mut todo = vec![mention];
            while let Some(id) = todo.pop() {
                if !seen.insert(id) {
                    continue;
                }
                let (through, ends): (Vec<ExprId>, Vec<ExprId>) = self.around[id.index()]
                    .iter()
                    .partition(|&&around| is_choice_like(grammar, around));
                if !ends.is_empty() || self.bodies.contains(&id) {
                    tops.push(id);
                }
                todo.extend(through);
            }
            found(grammar, mention, &tops)
        })
    }

    /// The same for a mention that is somewhere in `within`, not in a quantifier of it: the body of the
    /// rule that the node around is an instance of, or of the quantifier.
    pub fn within(&self, grammar: &Grammar, within: ExprId, mention: ExprId) -> Arc<[SymbolId]> {
        let mut tops = vec![];
        let mut todo = vec![(within, within)];
        while let Some((id, top)) = todo.pop() {
            if id == mention {
                tops.push(top);
            }
            match grammar.expr(id) {
                Expr::Sequence(_) => grammar.each_part(id, |part| todo.push((part, part))),
                _ if is_choice_like(grammar, id) => {
                    grammar.each_part(id, |part| todo.push((part, top)));
                }
                _ => {}
            }
        }
        if tops.is_empty() {
            return self.at(grammar, mention);
        }
        self.look_up(mention, Some(within), || found(grammar, mention, &tops))
    }

    fn look_up(
        &self,
        mention: ExprId,
        within: Option<ExprId>,
        find: impl FnOnce() -> Vec<SymbolId>,
    ) -> Arc<[SymbolId]> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known
            .entry((mention, within))
            .or_insert_with(|| find().into());
        Arc::clone(found)
    }
}

fn is_choice_like(grammar: &Grammar, id: ExprId) -> bool {
    matches!(
        grammar.expr(id),
        Expr::Choice(_) | Expr::Precedence { .. } | Expr::Scoped { .. }
    )
}

/// What all of these may be, all by themselves. Each is the whole of a place where the mention is one
/// of what may stand there.
fn found(grammar: &Grammar, mention: ExprId, tops: &[ExprId]) -> Vec<SymbolId> {
    let facts = grammar.facts();
    let shown = |id: &SymbolId| {
        grammar.symbol(*id).visibility.is_shown()
            || !matches!(grammar.symbol(*id).kind, SymbolKind::Rule(_))
    };
    let closed = |top: ExprId| {
        let direct = facts.alone(grammar, top);
        let mut all = direct.clone();
        all.extend(direct.into_iter().flat_map(|id| facts.stands_for(id)));
        all.retain(shown);
        all.sort_unstable();
        all.dedup();
        all
    };
    let sets = tops.iter().map(|&top| closed(top));
    sets.reduce(|mut all, other| {
        all.retain(|id| other.binary_search(id).is_ok());
        all
    })
    .unwrap_or_else(|| closed(mention))
}

#[cfg(test)]
mod tests {
    use crate::grammar::{Expr, Grammar, SymbolId};
    use crate::read;

    /// What may stand at the `n`-th mention in the body of a rule.
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
    fn what_a_symbol_can_be_may_stand_for_it() {
        let text =
            "<e> ::= <t> '+' <e> | <t>  <t> ::= <f> '*' <t> | <f>  <f> ::= '(' <e> ')' | '1'";
        let grammar = read::read(&text.replace("  ", "\n"), None, "sums").unwrap();
        assert_eq!(at(&grammar, "t", 0), ["1", "f"]);
        assert_eq!(at(&grammar, "f", 1), ["1", "e", "f", "t"]);
        assert_eq!(at(&grammar, "f", 0), ["("]);
    }

    #[test]
    fn a_mention_in_several_places_is_told_apart_by_what_is_around() {
        let text = "<s> ::= <c> ';' | '{' <a> '}'\n<a> ::= <c> | 'x'\n<c> ::= '(' <a> ')'\n";
        let grammar = read::read(text, None, "calls").unwrap();
        let names = |symbols: &[SymbolId]| -> Vec<String> {
            let names = symbols
                .iter()
                .map(|&id| grammar.symbol(id).name.to_string());
            names.collect()
        };
        let body = |rule: &str| grammar.body(grammar.rule(rule).unwrap()).unwrap();
        let mention = grammar.alternatives(&body("a"))[0];
        let places = grammar.places();
        assert_eq!(names(&places.within(&grammar, body("s"), mention)), ["c"]);
        assert_eq!(
            names(&places.within(&grammar, body("a"), mention)),
            ["c", "x"]
        );
        assert_eq!(names(&places.at(&grammar, mention)), ["c"]);
    }
}
