//! The expressions and symbols whose facts depend on the facts of another expression or symbol.

use crate::grammar::{Expr, ExprId, Grammar, SymbolId, SymbolKind};

/// The dependents of each expression and symbol: the expressions around an expression, the symbols
/// with that body, and the mentions of a symbol.
pub(crate) struct Dependents {
    exprs: usize,
    /// The first dependent of each expression, and then of each symbol, in `all`.
    starts: Vec<u32>,
    all: Vec<u32>,
}

/// An expression or a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Expr(ExprId),
    Symbol(SymbolId),
}

impl Dependents {
    pub(crate) fn of(grammar: &Grammar) -> Self {
        let exprs = grammar.expr_count();
        let count = exprs + grammar.symbols().len();
        let mut dependents = Dependents {
            exprs,
            starts: vec![0; count + 1],
            all: vec![],
        };
        // The counts come first, since they determine the offset of each list.
        let mut counts = vec![0; count];
        dependents.each_pair(grammar, |of, _| counts[of] += 1);
        let mut total = 0;
        for (start, count) in dependents.starts.iter_mut().zip(&counts) {
            *start = total;
            total += count;
        }
        dependents.starts[count] = total;
        let mut next = dependents.starts.clone();
        let mut all = vec![0; total as usize];
        dependents.each_pair(grammar, |of, dependent| {
            all[next[of] as usize] = dependent;
            next[of] += 1;
        });
        dependents.all = all;
        dependents
    }

    /// Calls `visit` with the index of each node and the index of each of its dependents.
    fn each_pair(&self, grammar: &Grammar, mut visit: impl FnMut(usize, u32)) {
        for id in grammar.expr_ids() {
            if let Expr::Symbol { symbol, .. } = grammar.expr(id) {
                visit(self.exprs + symbol.index(), id.0);
            }
            grammar.each_part(id, |part| visit(part.index(), id.0));
        }
        for id in grammar.symbol_ids() {
            if let SymbolKind::Rule(body) | SymbolKind::Pattern(body) = grammar.symbol(id).kind {
                visit(body.index(), (self.exprs + id.index()) as u32);
            }
        }
    }

    /// Returns the direct dependents of a node.
    pub(crate) fn on(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let at = match node {
            Node::Expr(id) => id.index(),
            Node::Symbol(id) => self.exprs + id.index(),
        };
        let range = self.starts[at] as usize..self.starts[at + 1] as usize;
        let node = |&index: &u32| match (index as usize).checked_sub(self.exprs) {
            None => Node::Expr(ExprId(index)),
            Some(symbol) => Node::Symbol(SymbolId(symbol as u32)),
        };
        self.all[range].iter().map(node)
    }
}
