//! Rules with operators, taken apart.

use crate::grammar::{Associativity, Expr, ExprId, Grammar, SymbolId};
use std::cmp::Reverse;

/// A rule of which every alternative has a precedence, and some begin with the rule itself.
///
/// Such a rule is lowered to the grammar of precedence climbing, as in ANTLR (T. Parr, S. Harwell,
/// K. Fisher, "Adaptive LL(*) Parsing", 2014): an operand, then any number of operators that bind
/// at least as tightly as the context asks for, each with an operand that binds tighter. As plain
/// productions that would be ambiguous, since `1 + 2 * 3` could also be a product. So the left
/// operand of an infix operator is not an expression with a looser infix operator; the right
/// operand of that one would have taken what follows. The left operand may be an expression with a
/// looser *suffix* operator, which has no right operand.
pub(super) struct Climb<'g> {
    pub(super) grammar: &'g Grammar,
    pub(super) symbol: SymbolId,
    pub(super) body: ExprId,
    /// The infix and suffix operators, tightest first.
    pub(super) operators: Vec<Alternative>,
    /// The other alternatives.
    pub(super) operands: Vec<Alternative>,
}

/// An alternative of the rule.
#[derive(Clone, Copy)]
pub(super) struct Alternative {
    pub(super) expr: ExprId,
    pub(super) index: u32,
    pub(super) level: i32,
    /// Whether the rule is at the end.
    pub(super) ends_with_rule: bool,
    pub(super) right: bool,
}

impl<'g> Climb<'g> {
    /// Returns the operators of a rule, if it has any.
    pub(super) fn of(grammar: &'g Grammar, symbol: SymbolId) -> Option<Self> {
        let body = grammar.body(symbol)?;
        let is_rule = |id: Option<&ExprId>| match id.map(|&id| grammar.expr(id)) {
            Some(Expr::Symbol { symbol: other, .. }) => other == symbol,
            _ => false,
        };
        let mut climb = Climb {
            grammar,
            symbol,
            body,
            operators: vec![],
            operands: vec![],
        };
        for (index, &id) in grammar.alternatives(&body).iter().enumerate() {
            let Expr::Precedence {
                level,
                associativity,
                body,
            } = grammar.expr(id)
            else {
                return None;
            };
            let members = grammar.members(&body);
            let alternative = Alternative {
                expr: body,
                index: index as u32,
                level,
                ends_with_rule: members.len() > 1 && is_rule(members.last()),
                right: associativity == Associativity::Right,
            };
            match is_rule(members.first()) {
                true => climb.operators.push(alternative),
                false => climb.operands.push(alternative),
            }
        }
        climb
            .operators
            .sort_by_key(|alternative| Reverse(alternative.level));
        (!climb.operators.is_empty()).then_some(climb)
    }
}
