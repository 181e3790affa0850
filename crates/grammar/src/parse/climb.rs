//! Rules with operators, as plain productions.

use super::ParserError;
use super::lower::{Draft, Lowering, Makes, Step};
use crate::grammar::{Associativity, Expr, ExprId, Grammar, SymbolId};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// A rule of which every alternative has a precedence, and some begin with the rule itself.
///
/// Such a rule is lowered to the grammar of precedence climbing, as in ANTLR (T. Parr, S. Harwell,
/// K. Fisher, "Adaptive LL(*) Parsing", 2014): an operand, then any number of operators that bind
/// at least as tightly as the context asks for, each with an operand that binds tighter. As plain
/// productions that would be ambiguous, since `1 + 2 * 3` could also be a product. So the left
/// operand of an infix operator is no expression with a looser infix operator; the right operand of
/// that one would have taken what follows. It may be one with a looser *suffix* operator, which has
/// no right operand.
pub(super) struct Climb<'g> {
    grammar: &'g Grammar,
    symbol: SymbolId,
    body: ExprId,
    /// The infix and suffix operators, the tightest first.
    operators: Vec<Alternative>,
    /// The other alternatives.
    operands: Vec<Alternative>,
}

/// An alternative of the rule.
#[derive(Clone, Copy)]
struct Alternative {
    expr: ExprId,
    index: u32,
    level: i32,
    /// Whether the rule is at the end.
    ends_with_rule: bool,
    right: bool,
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

    /// Adds the productions of the rule, which `outer` stands for.
    pub(super) fn lower(self, lowering: &mut Lowering<'_>, outer: u32) -> Result<(), ParserError> {
        let operand = lowering.nonterminal(Makes::Level);
        let mut lowered = Lowered {
            operand,
            levels: FxHashMap::default(),
            todo: vec![],
        };
        let all = self.level(lowering, &mut lowered, self.operators.len());
        lowering.pass(outer, all, self.body);
        for alternative in &self.operands {
            let looser = |operator: &Alternative| operator.level < alternative.level;
            let right = match alternative.ends_with_rule {
                true => {
                    let at = self.operators.iter().position(looser);
                    let count = at.unwrap_or(self.operators.len());
                    Some(self.level(lowering, &mut lowered, count))
                }
                false => None,
            };
            let node = self.node(lowering, alternative, (None, right))?;
            lowering.pass(operand, node, self.body);
        }
        while let Some((family, at, within)) = lowered.todo.pop() {
            let operator = &self.operators[at];
            let is_right = operator.ends_with_rule && operator.right;
            let (left, right) = if is_right { (at, at + 1) } else { (at + 1, at) };
            let left = self.within(lowering, &mut lowered, family, left);
            let right = match operator.ends_with_rule {
                true => Some(self.level(lowering, &mut lowered, right)),
                false => None,
            };
            let node = self.node(lowering, operator, (Some(left), right))?;
            lowering.pass(within, node, self.body);
        }
        Ok(())
    }

    /// Returns the nonterminal of the expressions with the `count` tightest operators.
    fn level(&self, lowering: &mut Lowering<'_>, lowered: &mut Lowered, count: usize) -> u32 {
        let tightest = self.operators[..count].iter();
        let suffixes = tightest.filter(|operator| !operator.ends_with_rule).count();
        self.within(lowering, lowered, suffixes, count)
    }

    /// Returns the nonterminal of the expressions with the tightest suffix operators, as many as
    /// `family` says, and the infix operators among the `count` tightest operators.
    fn within(
        &self,
        lowering: &mut Lowering<'_>,
        lowered: &mut Lowered,
        family: usize,
        count: usize,
    ) -> u32 {
        let infixes = self.operators[..count].iter().enumerate();
        let infix = infixes.filter(|(_, operator)| operator.ends_with_rule);
        let places: Vec<usize> = infix.map(|(at, _)| at).collect();
        let mut now = match lowered.levels.get(&(family, None)) {
            Some(&known) => known,
            None => {
                let new = lowering.nonterminal(Makes::Level);
                lowered.levels.insert((family, None), new);
                lowering.pass(new, lowered.operand, self.body);
                let suffixes = (0..self.operators.len())
                    .filter(|&at| !self.operators[at].ends_with_rule)
                    .take(family);
                lowered.todo.extend(suffixes.map(|at| (family, at, new)));
                new
            }
        };
        for at in places {
            let tighter = now;
            now = *lowered.levels.entry((family, Some(at))).or_insert_with(|| {
                let new = lowering.nonterminal(Makes::Level);
                lowering.pass(new, tighter, self.body);
                lowered.todo.push((family, at, new));
                new
            });
        }
        now
    }

    /// Adds the nonterminal of the instances of an alternative with these operands.
    fn node(
        &self,
        lowering: &mut Lowering<'_>,
        alternative: &Alternative,
        (left, right): (Option<u32>, Option<u32>),
    ) -> Result<u32, ParserError> {
        let members = self.grammar.members(&alternative.expr);
        let mut draft = Draft::default();
        for (at, &member) in members.iter().enumerate() {
            let operand = match at {
                0 => left,
                _ if at + 1 == members.len() => right,
                _ => None,
            };
            match operand {
                Some(symbol) => draft.rhs.push(Step::Nonterminal {
                    symbol,
                    expr: member,
                }),
                None => lowering.expr(member, &mut draft)?,
            }
        }
        let node = lowering.nonterminal(Makes::Rule(self.symbol));
        let count = self.operators.len() + self.operands.len();
        let decision = (count > 1).then_some((self.body, alternative.index));
        lowering.alternative(node, draft, Default::default(), decision);
        if left.is_some() {
            lowering.goes_on(false);
        }
        Ok(node)
    }
}

/// The nonterminals of a rule that were made so far.
struct Lowered {
    /// An alternative that is no operator.
    operand: u32,
    /// By the number of suffix operators, and the place of the loosest infix operator.
    levels: FxHashMap<(usize, Option<usize>), u32>,
    /// The operators that have to be added: the number of suffix operators, the place of the
    /// operator, and the nonterminal.
    todo: Vec<(usize, usize, u32)>,
}

impl Lowering<'_> {
    /// Lets one nonterminal derive another alone.
    fn pass(&mut self, from: u32, to: u32, expr: ExprId) {
        let mut draft = Draft::default();
        draft.rhs.push(Step::Nonterminal { symbol: to, expr });
        self.production(from, draft, Default::default());
    }
}
