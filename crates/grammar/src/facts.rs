//! Facts that follow from a grammar, computed once: shortest texts, first bytes, recursion.

use crate::byte_set::ByteSet;
use crate::grammar::{Expr, ExprId, Grammar, Scope, SymbolId, SymbolKind};
use crate::scc;

/// The facts that follow from a [`Grammar`] about each symbol and expression.
///
/// They are computed by iteration over the expressions, parts first, until nothing changes. The
/// time is the size of the grammar times the depth of its smallest derivations.
#[derive(Debug)]
pub struct Facts {
    symbols: Vec<SymbolFacts>,
    exprs: Vec<ExprFacts>,
    /// For each symbol, the symbols that its body may derive alone.
    units: Vec<Vec<SymbolId>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct SymbolFacts {
    nullable: bool,
    first: ByteSet,
    min: Option<Least>,
    reachable: bool,
    recursive: bool,
    left_recursive: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct ExprFacts {
    nullable: bool,
    first: ByteSet,
    min: Option<Least>,
}

/// The minimum of each measure over all derivations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Least {
    /// The length of the shortest text in bytes; saturates.
    length: u64,
    /// The number of external tokens in the shortest text; saturates.
    unknown: u32,
    /// The number of levels of rules above the shortest text. It is strictly less in every part of
    /// that text, so that its construction ends.
    height: u32,
    /// The number of levels of rules in the flattest tree, which may differ from that of the
    /// shortest text.
    depth: u32,
}

impl Least {
    const fn terminal(length: u64) -> Self {
        Least {
            length,
            unknown: 0,
            height: 0,
            depth: 0,
        }
    }

    /// The key by which derivations compare. A text that is known comes first: the length of an
    /// external token is unknown as well, and counts as 0.
    ///
    /// A part with a smaller key makes a whole with a smaller key, so that the iteration ends.
    fn shortest(&self) -> (u32, u64, u32) {
        (self.unknown, self.length, self.height)
    }
}

impl Facts {
    pub(crate) fn of(grammar: &Grammar) -> Self {
        let mut facts = Facts {
            symbols: vec![SymbolFacts::default(); grammar.symbols().len()],
            exprs: vec![ExprFacts::default(); grammar.expr_count()],
            units: vec![],
        };
        while facts.round(grammar) {}
        facts.units = grammar
            .symbol_ids()
            .map(|id| {
                grammar
                    .body(id)
                    .map_or(vec![], |body| facts.alone(grammar, body))
            })
            .collect();
        facts.find_recursion(grammar);
        facts.find_reachable(grammar);
        facts
    }

    /// Updates every expression and symbol once. Returns whether a symbol changed.
    fn round(&mut self, grammar: &Grammar) -> bool {
        for id in grammar.expr_ids() {
            self.exprs[id.index()] = self.expr(grammar, id);
        }
        let mut changed = false;
        for id in grammar.symbol_ids() {
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
            if (old.nullable, old.first, old.min) != (new.nullable, new.first, new.min) {
                (old.nullable, old.first, old.min) = (new.nullable, new.first, new.min);
                changed = true;
            }
        }
        changed
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

    /// Returns whether a symbol derives the empty text.
    pub fn nullable(&self, symbol: SymbolId) -> bool {
        self.symbols[symbol.index()].nullable
    }

    /// Returns whether an expression derives the empty text.
    pub fn expr_nullable(&self, expr: ExprId) -> bool {
        self.exprs[expr.index()].nullable
    }

    /// Returns the bytes with which the texts of a symbol can begin.
    pub fn first(&self, symbol: SymbolId) -> ByteSet {
        self.symbols[symbol.index()].first
    }

    /// Returns the length of the shortest text of a symbol in bytes, or `None` if it derives no
    /// text. Texts with tokens of an external scanner are considered only if there are no others,
    /// those with the fewest of them first; such a token counts as 0 bytes.
    pub fn min_length(&self, symbol: SymbolId) -> Option<u64> {
        self.symbols[symbol.index()].min.map(|min| min.length)
    }

    /// Returns the length of the shortest text of an expression in bytes, or `None` if it derives
    /// no text.
    pub fn expr_min_length(&self, expr: ExprId) -> Option<u64> {
        self.exprs[expr.index()].min.map(|min| min.length)
    }

    /// Returns the number of levels of rules in the flattest tree of a symbol; 0 for a terminal.
    pub fn min_depth(&self, symbol: SymbolId) -> Option<u32> {
        self.symbols[symbol.index()].min.map(|min| min.depth)
    }

    /// Returns the number of levels of rules in the flattest tree of an expression.
    pub fn expr_min_depth(&self, expr: ExprId) -> Option<u32> {
        self.exprs[expr.index()].min.map(|min| min.depth)
    }

    /// Returns whether a symbol derives a text.
    pub fn productive(&self, symbol: SymbolId) -> bool {
        self.symbols[symbol.index()].min.is_some()
    }

    /// Returns whether the start symbol or an extra leads to a symbol.
    pub fn reachable(&self, symbol: SymbolId) -> bool {
        self.symbols[symbol.index()].reachable
    }

    /// Returns whether a symbol can contain itself.
    pub fn recursive(&self, symbol: SymbolId) -> bool {
        self.symbols[symbol.index()].recursive
    }

    /// Returns whether a symbol can begin with itself.
    pub fn left_recursive(&self, symbol: SymbolId) -> bool {
        self.symbols[symbol.index()].left_recursive
    }

    /// Returns the symbols that `symbol` can derive alone. Each of them can stand where `symbol`
    /// stands. The symbol itself is among them only if it derives itself.
    pub fn stands_for(&self, symbol: SymbolId) -> Vec<SymbolId> {
        let mut seen = vec![false; self.symbols.len()];
        let mut todo = self.units[symbol.index()].clone();
        let mut found = vec![];
        while let Some(id) = todo.pop() {
            if !std::mem::replace(&mut seen[id.index()], true) {
                found.push(id);
                todo.extend(&self.units[id.index()]);
            }
        }
        found.sort_unstable();
        found
    }

    /// Returns the shortest text of a symbol; of several shortest texts, that of the first
    /// alternatives. Alternatives that need a token of an external scanner are passed over.
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

    fn shortest_text(
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

/// Returns whether two tokens with these bytes at their border would become one.
fn run_together((before, after): (&u8, &u8)) -> bool {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    word(before) && word(after)
}

enum Shortest {
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

/// Combines two alternatives, each measure by itself, since the shortest text may not be that of
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
