use nubbin_grammar::grammar::{Expr, ExprId, Grammar, Scope, SymbolId, SymbolKind};

/// The alternatives of each choice that are extreme in the cost of their expansion.
#[derive(Debug)]
pub(super) struct Costs {
    /// For each choice, the alternatives with the flattest trees.
    flattest: Vec<Box<[u32]>>,
    /// For each choice, the alternatives with the fewest expansions.
    fewest: Vec<Box<[u32]>>,
    /// For each choice, the most costly alternatives: those that need the enclosing rule again, if
    /// there are any.
    most: Vec<Box<[u32]>>,
    /// Whether every expression derives a text. Most grammars then need no check for each
    /// expression.
    pub(super) all_usable: bool,
}

/// The cost of an expression that derives no text.
const ENDLESS: u64 = u64::MAX;

impl Costs {
    pub(super) fn of(grammar: &Grammar) -> Self {
        let facts = grammar.facts();
        let all = sizes(grammar, None);
        let mut costs = Costs {
            flattest: vec![[].into(); grammar.expr_count()],
            fewest: vec![[].into(); grammar.expr_count()],
            most: vec![[].into(); grammar.expr_count()],
            all_usable: all.iter().all(|&size| size != ENDLESS),
        };
        for id in grammar.expr_ids() {
            let depth = |id: ExprId| facts.expr_min_depth(id).map_or(ENDLESS, u64::from);
            costs.flattest[id.index()] = extreme(grammar, id, |id| (0, depth(id)));
            // Of the alternatives with the fewest expansions, the flattest leads out of every
            // cycle.
            let few = |id: ExprId| (all[id.index()], depth(id));
            costs.fewest[id.index()] = extreme(grammar, id, few);
        }
        for (rule, body) in grammar.rules() {
            let without = sizes(grammar, Some(rule));
            let mut todo = vec![body];
            while let Some(id) = todo.pop() {
                let dear = |id: ExprId| match all[id.index()] {
                    // An alternative that derives no text must not be taken at any cost.
                    ENDLESS => (1, 0),
                    _ => (0, ENDLESS - without[id.index()]),
                };
                costs.most[id.index()] = extreme(grammar, id, dear);
                grammar.each_part(id, |part| todo.push(part));
            }
        }
        // Choices within patterns belong to no rule.
        for (most, fewest) in costs.most.iter_mut().zip(&costs.fewest) {
            if most.is_empty() {
                most.clone_from(fewest);
            }
        }
        costs
    }

    pub(super) fn flattest(&self, choice: ExprId) -> &[u32] {
        &self.flattest[choice.index()]
    }

    pub(super) fn fewest(&self, choice: ExprId) -> &[u32] {
        &self.fewest[choice.index()]
    }

    pub(super) fn most(&self, choice: ExprId) -> &[u32] {
        &self.most[choice.index()]
    }
}

/// Returns the alternatives of a choice for which `key` is lowest.
fn extreme<K: Ord>(grammar: &Grammar, id: ExprId, key: impl Fn(ExprId) -> K) -> Box<[u32]> {
    let Expr::Choice(list) = grammar.expr(id) else {
        return [].into();
    };
    let members = grammar.list(list);
    let least = members.iter().map(|&id| key(id)).min();
    let is_least = |(_, id): &(u32, &ExprId)| Some(key(**id)) == least;
    let numbered = (0..).zip(members).filter(is_least);
    numbered.map(|(i, _)| i).collect()
}

/// Returns the minimum number of expansions of each expression if the rule `banned` is not
/// expanded.
fn sizes(grammar: &Grammar, banned: Option<SymbolId>) -> Vec<u64> {
    let mut exprs = vec![ENDLESS; grammar.expr_count()];
    let mut symbols = vec![ENDLESS; grammar.symbols().len()];
    loop {
        for id in grammar.expr_ids() {
            let of = |id: ExprId| exprs[id.index()];
            exprs[id.index()] = match grammar.expr(id) {
                Expr::Empty | Expr::Optional(_) => 0,
                Expr::Symbol { symbol, .. } => symbols[symbol.index()],
                Expr::Sequence(list) => {
                    let members = grammar.list(list).iter();
                    members.fold(0, |sum, &id| sum.saturating_add(of(id)))
                }
                Expr::Choice(list) => {
                    let members = grammar.list(list).iter();
                    members.map(|&id| of(id)).min().unwrap_or(ENDLESS)
                }
                Expr::Repeat(repeat) => of(repeat.body)
                    .saturating_add(repeat.separator.filter(|_| repeat.min > 1).map_or(0, of))
                    .saturating_mul(repeat.min.into()),
                Expr::Precedence { body, .. } => of(body),
                Expr::Scoped { body, scope } => match scope {
                    Scope::Uses {
                        otherwise: Some(otherwise),
                        ..
                    } => of(body).min(of(otherwise)),
                    _ => of(body),
                },
            };
        }
        let mut changed = false;
        for id in grammar.symbol_ids() {
            let new = match grammar.symbol(id).kind {
                _ if Some(id) == banned => ENDLESS,
                SymbolKind::Rule(body) => exprs[body.index()].saturating_add(1),
                SymbolKind::Class(set) if set.is_empty() => ENDLESS,
                _ => 0,
            };
            changed |= symbols[id.index()] != new;
            symbols[id.index()] = new;
        }
        if !changed {
            return exprs;
        }
    }
}
