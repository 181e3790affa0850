//! The computation of facts, in rounds over the symbols and expressions that depend on a change.

use super::dependents::{Dependents, Node};
use super::model::{ExprFacts, Facts, Least, SymbolFacts};
use super::shortest_text::Shortest;
use crate::byte_set::ByteSet;
use crate::grammar::{Expr, ExprId, Grammar, Scope, SymbolId, SymbolKind};
use crate::scc;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl ExprFacts {
    fn differs(&self, other: &Self) -> bool {
        (self.nullable, self.first, self.min) != (other.nullable, other.first, other.min)
    }
}

/// The number of direct parts of an expression, and one.
fn parts(grammar: &Grammar, id: ExprId) -> usize {
    match grammar.expr(id) {
        Expr::Sequence(list) | Expr::Choice(list) => 1 + grammar.list(list).len(),
        _ => 1,
    }
}

fn numbers(symbols: &[SymbolId]) -> Vec<u32> {
    symbols.iter().map(|symbol| symbol.0).collect()
}

impl Facts {
    pub(crate) fn of(grammar: &Grammar) -> Self {
        let mut facts = Facts {
            symbols: vec![SymbolFacts::default(); grammar.symbols().len()],
            exprs: vec![ExprFacts::default(); grammar.expr_count()],
            units: vec![],
            circular: vec![],
            work: 0,
        };
        facts.settle(grammar);
        facts.units = grammar
            .symbol_ids()
            .map(|id| {
                grammar
                    .body(id)
                    .map_or(vec![], |body| facts.alone(grammar, body))
            })
            .collect();
        let units: Vec<Vec<u32>> = facts.units.iter().map(|units| numbers(units)).collect();
        facts.circular = scc::on_cycles(&units, &scc::components(&units));
        facts.find_recursion(grammar);
        facts.find_reachable(grammar);
        facts
    }

    /// Computes the facts of all symbols and expressions.
    ///
    /// Only facts that depend on a change are computed again, in rounds: the last rule of a long
    /// chain changes one other rule in each round. A choice adopts the change of one alternative
    /// without examining the other alternatives.
    fn settle(&mut self, grammar: &Grammar) {
        let dependents = Dependents::of(grammar);
        for id in grammar.symbol_ids() {
            self.update_symbol(grammar, id);
        }
        // The parts of an expression come before it.
        for id in grammar.expr_ids() {
            self.exprs[id.index()] = self.expr(grammar, id);
            self.work += parts(grammar, id);
        }
        let mut changed: Vec<SymbolId> = grammar
            .symbol_ids()
            .filter(|&id| self.update_symbol(grammar, id))
            .collect();
        while !changed.is_empty() {
            changed = self.round(grammar, &dependents, &changed);
        }
    }

    /// Updates the expressions that depend on symbols that have changed. Returns the symbols that
    /// change by that.
    fn round(
        &mut self,
        grammar: &Grammar,
        dependents: &Dependents,
        changed: &[SymbolId],
    ) -> Vec<SymbolId> {
        // The queue has pairs of an expression and its changed part. Parts come first.
        let mut todo: BinaryHeap<Reverse<(ExprId, Option<ExprId>)>> = changed
            .iter()
            .flat_map(|&symbol| dependents.on(Node::Symbol(symbol)))
            .filter_map(|node| match node {
                Node::Expr(id) => Some(Reverse((id, None))),
                Node::Symbol(_) => None,
            })
            .collect();
        let mut bodies = vec![];
        let mut last = None;
        while let Some(Reverse((id, part))) = todo.pop() {
            let is_choice = matches!(grammar.expr(id), Expr::Choice(_));
            let new = match part {
                Some(part) if is_choice => {
                    self.work += 1;
                    or(self.exprs[id.index()], self.exprs[part.index()])
                }
                // The expression has already been computed with all of its parts.
                _ if last == Some(id) => continue,
                _ => {
                    self.work += parts(grammar, id);
                    self.expr(grammar, id)
                }
            };
            last = Some(id);
            if !self.exprs[id.index()].differs(&new) {
                continue;
            }
            self.exprs[id.index()] = new;
            for node in dependents.on(Node::Expr(id)) {
                match node {
                    Node::Expr(whole) => todo.push(Reverse((whole, Some(id)))),
                    Node::Symbol(symbol) => bodies.push(symbol),
                }
            }
        }
        bodies.sort_unstable();
        bodies.dedup();
        bodies.retain(|&symbol| self.update_symbol(grammar, symbol));
        bodies
    }

    /// Updates a symbol from its body. Returns whether it has changed.
    fn update_symbol(&mut self, grammar: &Grammar, id: SymbolId) -> bool {
        let new = match &grammar.symbol(id).kind {
            SymbolKind::Rule(body) => {
                let mut body = self.exprs[body.index()];
                if let Some(min) = &mut body.min {
                    min.depth = min.depth.saturating_add(1);
                    min.height = min.height.saturating_add(1);
                }
                body
            }
            SymbolKind::Pattern(body) => ExprFacts {
                min: self.exprs[body.index()].min.map(|min| Least {
                    depth: 0,
                    height: 0,
                    ..min
                }),
                ..self.exprs[body.index()]
            },
            SymbolKind::Literal(text) => ExprFacts {
                nullable: false,
                first: text.first().map_or(ByteSet::EMPTY, |&b| ByteSet::one(b)),
                min: Some(Least::terminal(text.len() as u64)),
            },
            SymbolKind::Class(set) => ExprFacts {
                nullable: false,
                first: *set,
                min: (!set.is_empty()).then_some(Least::terminal(1)),
            },
            SymbolKind::External => ExprFacts {
                nullable: true,
                first: ByteSet::ALL,
                min: Some(Least {
                    unknown: 1,
                    ..Least::terminal(0)
                }),
            },
        };
        let old = &mut self.symbols[id.index()];
        let is_new = (old.nullable, old.first, old.min) != (new.nullable, new.first, new.min);
        (old.nullable, old.first, old.min) = (new.nullable, new.first, new.min);
        is_new
    }

    fn expr(&self, grammar: &Grammar, id: ExprId) -> ExprFacts {
        const NOTHING: ExprFacts = ExprFacts {
            nullable: true,
            first: ByteSet::EMPTY,
            min: Some(Least::terminal(0)),
        };
        let of = |id: ExprId| self.exprs[id.index()];
        match grammar.expr(id) {
            Expr::Empty => NOTHING,
            Expr::Symbol { symbol, .. } => {
                let symbol = &self.symbols[symbol.index()];
                ExprFacts {
                    nullable: symbol.nullable,
                    first: symbol.first,
                    min: symbol.min,
                }
            }
            Expr::Sequence(list) => grammar
                .list(list)
                .iter()
                .fold(NOTHING, |sum, &next| then(sum, of(next))),
            Expr::Choice(list) => grammar
                .list(list)
                .iter()
                .map(|&member| of(member))
                .reduce(or)
                .unwrap_or(NOTHING),
            Expr::Optional(body) => or(of(body), NOTHING),
            Expr::Repeat(repeat) => {
                let body = of(repeat.body);
                let separator = repeat.separator.map_or(NOTHING, of);
                let again = then(then(body, separator), body);
                let once = ExprFacts {
                    first: again.first,
                    ..body
                };
                match repeat.min {
                    0 => or(once, NOTHING),
                    1 => once,
                    n => ExprFacts {
                        nullable: again.nullable,
                        min: body.min.zip(separator.min).map(|(body, between)| Least {
                            length: (body.length.saturating_mul(n.into()))
                                .saturating_add(between.length.saturating_mul(u64::from(n) - 1)),
                            unknown: (body.unknown.saturating_mul(n))
                                .saturating_add(between.unknown.saturating_mul(n - 1)),
                            height: body.height.max(between.height),
                            depth: body.depth.max(between.depth),
                        }),
                        ..once
                    },
                }
            }
            Expr::Precedence { body, .. } => of(body),
            Expr::Scoped { body, scope } => match scope {
                Scope::Uses {
                    otherwise: Some(otherwise),
                    ..
                } => or(of(body), of(otherwise)),
                _ => of(body),
            },
        }
    }

    /// Returns the symbols that an expression may derive alone.
    pub(crate) fn alone(&self, grammar: &Grammar, id: ExprId) -> Vec<SymbolId> {
        let mut found = vec![];
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            match grammar.expr(id) {
                Expr::Symbol { symbol, alias, .. } => found.push(alias.unwrap_or(symbol)),
                Expr::Sequence(list) => {
                    let members = grammar.list(list);
                    let needed = |id: &&ExprId| !self.exprs[id.index()].nullable;
                    match members.iter().filter(needed).count() {
                        0 => todo.extend(members),
                        1 => todo.extend(members.iter().filter(needed)),
                        _ => {}
                    }
                }
                Expr::Repeat(repeat)
                    if repeat.min > 1 && !self.exprs[repeat.body.index()].nullable => {}
                Expr::Repeat(repeat) => todo.push(repeat.body),
                _ => grammar.each_part(id, |part| todo.push(part)),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn find_recursion(&mut self, grammar: &Grammar) {
        let count = grammar.symbols().len();
        let (mut uses, mut left) = (vec![vec![]; count], vec![vec![]; count]);
        for (rule, body) in grammar.rules() {
            grammar.each_symbol(body, |symbol| uses[rule.index()].push(symbol.0));
            left[rule.index()] = self.left_corners(grammar, body);
        }
        let recursive = scc::on_cycles(&uses, &scc::components(&uses));
        let left_recursive = scc::on_cycles(&left, &scc::components(&left));
        for (i, symbol) in self.symbols.iter_mut().enumerate() {
            symbol.recursive = recursive[i];
            symbol.left_recursive = left_recursive[i];
        }
    }

    /// Returns a token with a pattern that may begin with the token itself, if there is one.
    pub(crate) fn left_recursive_token(&self, grammar: &Grammar) -> Option<SymbolId> {
        let corners = grammar.symbols().iter().map(|symbol| match symbol.kind {
            SymbolKind::Pattern(body) => self.left_corners(grammar, body),
            _ => vec![],
        });
        let left: Vec<Vec<u32>> = corners.collect();
        let cycles = scc::on_cycles(&left, &scc::components(&left));
        grammar.symbol_ids().find(|id| cycles[id.index()])
    }

    /// Returns the symbols with which an expression may begin.
    fn left_corners(&self, grammar: &Grammar, id: ExprId) -> Vec<u32> {
        let mut found = vec![];
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            match grammar.expr(id) {
                Expr::Symbol { symbol, .. } => found.push(symbol.0),
                Expr::Sequence(list) => {
                    let members = grammar.list(list);
                    let nulls = members
                        .iter()
                        .take_while(|id| self.exprs[id.index()].nullable)
                        .count();
                    todo.extend(members.iter().take(nulls + 1));
                }
                Expr::Repeat(repeat) if !self.exprs[repeat.body.index()].nullable => {
                    todo.push(repeat.body);
                }
                _ => grammar.each_part(id, |part| todo.push(part)),
            }
        }
        found
    }

    fn find_reachable(&mut self, grammar: &Grammar) {
        let mut todo = vec![grammar.start()];
        todo.extend(grammar.extras());
        while let Some(id) = todo.pop() {
            if std::mem::replace(&mut self.symbols[id.index()].reachable, true) {
                continue;
            }
            if let Some(body) = grammar.body(id) {
                grammar.each_symbol(body, |symbol| todo.push(symbol));
            }
        }
    }

    /// Returns the shortest text of a symbol; if several texts are shortest, the text of the first
    /// alternatives. Alternatives that need a token of an external scanner are skipped.
    ///
    /// The result is `None` if the symbol derives no text, if the text needs a token whose text is
    /// not known, or if the text is longer than `limit` bytes. A shortest text can be exponentially
    /// long in the size of the grammar. If the grammar has extras, spaces separate words; they do
    /// not count.
    pub fn min_yield(&self, grammar: &Grammar, symbol: SymbolId, limit: u64) -> Option<Vec<u8>> {
        let least = self.symbols[symbol.index()].min?;
        self.shortest_text(grammar, Shortest::Symbol(symbol), least, limit)
    }

    /// Returns the shortest text of an expression; see [`Facts::min_yield`].
    pub fn min_yield_of(&self, grammar: &Grammar, expr: ExprId, limit: u64) -> Option<Vec<u8>> {
        let least = self.exprs[expr.index()].min?;
        self.shortest_text(grammar, Shortest::Expr(expr), least, limit)
    }
}

fn then(a: ExprFacts, b: ExprFacts) -> ExprFacts {
    ExprFacts {
        nullable: a.nullable && b.nullable,
        first: if a.nullable {
            a.first.union(b.first)
        } else {
            a.first
        },
        min: a.min.zip(b.min).map(|(a, b)| Least {
            length: a.length.saturating_add(b.length),
            unknown: a.unknown.saturating_add(b.unknown),
            height: a.height.max(b.height),
            depth: a.depth.max(b.depth),
        }),
    }
}

/// Combines two alternatives, each measure separately, since the shortest text may not belong to
/// the flattest tree.
fn or(a: ExprFacts, b: ExprFacts) -> ExprFacts {
    let min = match (a.min, b.min) {
        (Some(a), Some(b)) => {
            let shorter = std::cmp::min_by_key(a, b, Least::shortest);
            Some(Least {
                depth: a.depth.min(b.depth),
                ..shorter
            })
        }
        (a, b) => a.or(b),
    };
    ExprFacts {
        nullable: a.nullable || b.nullable,
        first: a.first.union(b.first),
        min,
    }
}

#[cfg(test)]
mod tests {
    use crate::grammar::Builder;

    /// A chain of rules from first to last, and from last to first, a choice of all rules, a cycle,
    /// and rules that derive each other alone.
    #[test]
    fn the_work_is_linear_in_the_grammar() {
        let count = 20_000;
        let rule = |nth: usize, what: String| format!("<r{nth}> ::= {what}\n");
        let shapes: [(&str, &dyn Fn(usize) -> String); 6] = [
            ("down", &|nth| rule(nth, format!("'a' <r{}>", nth + 1))),
            ("up", &|nth| rule(nth + 1, format!("'a' <r{nth}>"))),
            ("alone", &|nth| rule(nth, format!("<r{}> | 'b'", nth + 1))),
            ("cycle", &|nth| {
                rule(nth, format!("<r{}>", (nth + 1) % (count + 1)))
            }),
            ("deep", &|nth| {
                rule(nth, format!("<r{}> <r{}>?", nth + 1, nth + 1))
            }),
            ("all", &|nth| rule(nth, format!("<s> <r{}>", nth + 1))),
        ];
        for (name, shape) in shapes {
            let all: Vec<String> = (0..=count).map(|nth| format!("<r{nth}>")).collect();
            let first = format!("<s> ::= {}\n", all.join(" | "));
            let rules: String = (0..count).map(shape).collect();
            let last = if name == "up" { 0 } else { count };
            let text = format!("{first}{rules}<r{last}> ::= 'c'\n");
            let grammar = crate::read::read(&text, None, "test").unwrap();
            let (facts, size) = (grammar.facts(), grammar.expr_count());
            assert!(facts.work < 40 * size, "{name}: {} of {size}", facts.work);
        }
    }

    #[test]
    fn a_known_text_is_preferred_to_a_token_of_an_external_scanner() {
        let mut builder = Builder::new("statements");
        let end = builder.rule("end");
        builder.external(end);
        let (external, semicolon) = (builder.symbol(end), builder.literal(b";"));
        let body = builder.choice(vec![external, semicolon]);
        let either = builder.rule("either");
        builder.define(either, body);
        let grammar = builder.finish(either).unwrap();
        let facts = grammar.facts();
        assert_eq!(facts.min_yield(&grammar, either, 10), Some(b";".to_vec()));
        assert_eq!(facts.min_yield(&grammar, end, 10), None);
        assert_eq!(facts.min_length(end), Some(0));
    }
}
