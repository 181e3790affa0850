//! Rules with operators, as plain productions.

use super::climb::{Alternative, Climb};
use super::error::ParserError;
use super::lowering::{Draft, Lowering};
use super::productions::{Makes, Step};
use crate::grammar::ExprId;
use rustc_hash::FxHashMap;

impl Climb<'_> {
    /// Adds the productions of the rule. `outer` is the nonterminal of the rule.
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

    /// Adds the nonterminal of the instances of an alternative with the given operands.
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
    /// An alternative that is not an operator.
    operand: u32,
    /// By the number of suffix operators, and the place of the loosest infix operator.
    levels: FxHashMap<(usize, Option<usize>), u32>,
    /// The operators that have to be added: the number of suffix operators, the place of the
    /// operator, and the nonterminal.
    todo: Vec<(usize, usize, u32)>,
}

impl Lowering<'_> {
    /// Adds a production by which one nonterminal derives another alone.
    fn pass(&mut self, from: u32, to: u32, expr: ExprId) {
        let mut draft = Draft::default();
        draft.rhs.push(Step::Nonterminal { symbol: to, expr });
        self.production(from, draft, Default::default());
    }
}
