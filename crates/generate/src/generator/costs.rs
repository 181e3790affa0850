use nubbin_grammar::grammar::{Expr, ExprId, Grammar, Scope, SymbolId, SymbolKind};
use rustc_hash::FxHashSet;
use std::sync::OnceLock;

/// The alternatives of each choice that are extreme in the cost of their expansion.
#[derive(Debug)]
pub(super) struct Costs {
    /// For each choice, the alternatives with the flattest trees.
    flattest: Vec<Box<[u32]>>,
    /// For each choice, the alternatives with the fewest expansions.
    fewest: Vec<Box<[u32]>>,
    /// For each choice, the alternatives by which a text grows, found on demand.
    most: OnceLock<Vec<Box<[u32]>>>,
    /// For each choice, the alternatives that reach no recursion, found on demand.
    bounded: OnceLock<Vec<Box<[u32]>>>,
    /// The minimum number of expansions of each expression.
    all: Vec<u64>,
    /// Whether every expression derives a text. Most grammars then need no check for each
    /// expression.
    all_usable: bool,
    unusable: Unusable,
}

/// The symbols and expressions that a generator must not write.
#[derive(Clone, Debug, Default)]
pub(super) struct Unusable {
    /// The tokens that no text has, by symbol. Empty if there are none.
    pub(super) symbols: Vec<bool>,
    /// The mentions of the end of the text after which text can follow.
    pub(super) exprs: FxHashSet<ExprId>,
}

impl Unusable {
    fn symbol(&self, symbol: SymbolId) -> bool {
        self.symbols.get(symbol.index()) == Some(&true)
    }
}

/// The cost of an expression that derives no text.
const ENDLESS: u64 = u64::MAX;

impl Costs {
    pub(super) fn of(grammar: &Grammar, unusable: Unusable) -> Self {
        let all = sizes(grammar, None, &unusable);
        let depths = depths(grammar, &unusable);
        let depth = |id: ExprId| depths[id.index()];
        let extremes = |key: &dyn Fn(ExprId) -> (u64, u64)| {
            let ids = grammar.expr_ids();
            ids.map(|id| extreme(grammar, id, key)).collect()
        };
        Costs {
            flattest: extremes(&|id| (0, depth(id))),
            // Of the alternatives with the fewest expansions, the flattest leads out of every
            // cycle.
            fewest: extremes(&|id| (all[id.index()], depth(id))),
            most: OnceLock::new(),
            bounded: OnceLock::new(),
            all_usable: all.iter().all(|&size| size != ENDLESS),
            all,
            unusable,
        }
    }

    /// Returns the minimum number of expansions of an expression.
    pub(super) fn least(&self, id: ExprId) -> u64 {
        self.all[id.index()]
    }

    pub(super) fn flattest(&self, choice: ExprId) -> &[u32] {
        &self.flattest[choice.index()]
    }

    pub(super) fn fewest(&self, choice: ExprId) -> &[u32] {
        &self.fewest[choice.index()]
    }

    pub(super) fn most(&self, grammar: &Grammar, choice: ExprId) -> &[u32] {
        let most = self.most.get_or_init(|| match grammar.lexing() {
            None => self.most_costly(grammar),
            Some(_) => self.growing(grammar),
        });
        &most[choice.index()]
    }

    /// Returns the alternatives of a choice that derive a text and reach no recursive rule.
    /// Whatever is taken in these, the text ends.
    pub(super) fn bounded(&self, grammar: &Grammar, choice: ExprId) -> &[u32] {
        let bounded = self.bounded.get_or_init(|| {
            let recurs = spread(
                grammar,
                |_| true,
                |id| match grammar.expr(id) {
                    Expr::Symbol { symbol, .. } => grammar.facts().recursive(symbol),
                    _ => false,
                },
            );
            let of = |id: ExprId| {
                let numbered = (0..).zip(grammar.alternatives(&id));
                let ends = numbered.filter(|(_, id)| self.usable(**id) && !recurs[id.index()]);
                ends.map(|(i, _)| i).collect()
            };
            grammar.expr_ids().map(of).collect()
        });
        &bounded[choice.index()]
    }

    /// Returns whether every expression derives a text.
    pub(super) fn all_usable(&self) -> bool {
        self.all_usable
    }

    /// Returns whether an expression derives a text.
    pub(super) fn usable(&self, id: ExprId) -> bool {
        self.all[id.index()] != ENDLESS
    }

    /// Returns the alternatives of each choice that can become longer without end, or all
    /// alternatives if there are none.
    ///
    /// Grammars with lexer rules use repetitions where other grammars use recursion, and a
    /// repetition costs nothing: by its cost, an element of HTML with any content would be the
    /// cheapest alternative.
    fn growing(&self, grammar: &Grammar) -> Vec<Box<[u32]>> {
        let usable = |id| self.usable(id);
        let grows = spread(grammar, usable, |id| match grammar.expr(id) {
            Expr::Repeat(repeat) => repeat.max.is_none() && self.usable(repeat.body),
            Expr::Symbol { symbol, .. } => {
                grammar.body(symbol).is_some() && grammar.facts().recursive(symbol)
            }
            _ => false,
        });
        let ids = grammar.expr_ids();
        ids.map(|id| extreme(grammar, id, |id| (!self.usable(id), !grows[id.index()])))
            .collect()
    }

    /// Returns the most costly alternatives of each choice. These are the alternatives that need
    /// the enclosing rule again, if there are any. The cost is one pass over the grammar for each
    /// rule.
    fn most_costly(&self, grammar: &Grammar) -> Vec<Box<[u32]>> {
        let all = &self.all;
        let mut most = vec![Box::from([]); grammar.expr_count()];
        for (rule, body) in grammar.rules() {
            let without = sizes(grammar, Some(rule), &self.unusable);
            let mut todo = vec![body];
            while let Some(id) = todo.pop() {
                let dear = |id: ExprId| match all[id.index()] {
                    // An alternative that derives no text must not be taken at any cost.
                    ENDLESS => (1, 0),
                    _ => (0, ENDLESS - without[id.index()]),
                };
                most[id.index()] = extreme(grammar, id, dear);
                grammar.each_part(id, |part| todo.push(part));
            }
        }
        // Choices within patterns belong to no rule.
        for (most, fewest) in most.iter_mut().zip(&self.fewest) {
            if most.is_empty() {
                most.clone_from(fewest);
            }
        }
        most
    }
}

/// Returns the expressions with a property, and those that reach one with it through their parts
/// and rules, all among those that `may` have it.
fn spread(
    grammar: &Grammar,
    may: impl Fn(ExprId) -> bool,
    has: impl Fn(ExprId) -> bool,
) -> Vec<bool> {
    let mut found: Vec<bool> = grammar.expr_ids().map(|id| may(id) && has(id)).collect();
    loop {
        let mut changed = false;
        for id in grammar.expr_ids().filter(|&id| may(id)) {
            if found[id.index()] {
                continue;
            }
            let mut new = match grammar.expr(id) {
                Expr::Symbol { symbol, .. } => {
                    grammar.body(symbol).is_some_and(|body| found[body.index()])
                }
                _ => false,
            };
            grammar.each_part(id, |part| new |= found[part.index()]);
            found[id.index()] = new;
            changed |= new;
        }
        if !changed {
            return found;
        }
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
fn sizes(grammar: &Grammar, banned: Option<SymbolId>, unusable: &Unusable) -> Vec<u64> {
    let mut exprs = vec![ENDLESS; grammar.expr_count()];
    let mut symbols = vec![ENDLESS; grammar.symbols().len()];
    loop {
        for id in grammar.expr_ids() {
            let of = |id: ExprId| exprs[id.index()];
            exprs[id.index()] = match grammar.expr(id) {
                _ if unusable.exprs.contains(&id) => ENDLESS,
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
                _ if Some(id) == banned || unusable.symbol(id) => ENDLESS,
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

/// Returns the number of levels of rules in the flattest tree of each expression.
fn depths(grammar: &Grammar, unusable: &Unusable) -> Vec<u64> {
    if grammar.lexing().is_none() {
        let facts = grammar.facts();
        let depth = |id| facts.expr_min_depth(id).map_or(ENDLESS, u64::from);
        return grammar.expr_ids().map(depth).collect();
    }
    let mut exprs = vec![ENDLESS; grammar.expr_count()];
    let mut symbols = vec![ENDLESS; grammar.symbols().len()];
    loop {
        for id in grammar.expr_ids() {
            let of = |id: ExprId| exprs[id.index()];
            exprs[id.index()] = match grammar.expr(id) {
                _ if unusable.exprs.contains(&id) => ENDLESS,
                Expr::Empty | Expr::Optional(_) => 0,
                Expr::Symbol { symbol, .. } => symbols[symbol.index()],
                Expr::Sequence(list) => {
                    let members = grammar.list(list).iter();
                    members.map(|&id| of(id)).max().unwrap_or(0)
                }
                Expr::Choice(list) => {
                    let members = grammar.list(list).iter();
                    members.map(|&id| of(id)).min().unwrap_or(ENDLESS)
                }
                Expr::Repeat(repeat) if repeat.min == 0 => 0,
                Expr::Repeat(repeat) => {
                    let separator = repeat.separator.filter(|_| repeat.min > 1);
                    of(repeat.body).max(separator.map_or(0, of))
                }
                Expr::Precedence { body, .. } | Expr::Scoped { body, .. } => of(body),
            };
        }
        let mut changed = false;
        for id in grammar.symbol_ids() {
            let new = match grammar.symbol(id).kind {
                _ if unusable.symbol(id) => ENDLESS,
                // Lexer rules may be recursive too.
                SymbolKind::Rule(body) | SymbolKind::Pattern(body) => {
                    exprs[body.index()].saturating_add(1)
                }
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

/// Returns the mentions of the end of the text after which text can follow.
///
/// Real grammars have them: a JavaScript statement ends with `;` or with the end of the text.
pub(super) fn early_ends(grammar: &Grammar, end: SymbolId) -> FxHashSet<ExprId> {
    // The rules that occur only at the end of a text.
    let mut last = vec![true; grammar.symbols().len()];
    loop {
        let mut early = FxHashSet::default();
        let mut changed = false;
        for (rule, body) in grammar.rules() {
            if !grammar.facts().reachable(rule) {
                continue;
            }
            let mut todo = vec![(body, last[rule.index()])];
            while let Some((id, is_last)) = todo.pop() {
                match grammar.expr(id) {
                    Expr::Symbol { symbol, .. } if !is_last => {
                        if symbol == end {
                            early.insert(id);
                        }
                        changed |= std::mem::replace(&mut last[symbol.index()], false);
                    }
                    Expr::Sequence(list) => {
                        let members = grammar.list(list);
                        let is_end = |i: usize| is_last && i + 1 == members.len();
                        todo.extend((0..).zip(members).map(|(i, &id)| (id, is_end(i))));
                    }
                    Expr::Repeat(_) => grammar.each_part(id, |part| todo.push((part, false))),
                    _ => grammar.each_part(id, |part| todo.push((part, is_last))),
                }
            }
        }
        if !changed {
            return early;
        }
    }
}
