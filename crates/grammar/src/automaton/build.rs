//! The construction of the automata of a grammar.

use super::model::{Automata, Edge, StateId};
use crate::grammar::{Expr, ExprId, Grammar, Repeat, Scope, SymbolKind};
use crate::tree::NodeKind;

/// The maximum number of copies of one expression.
///
/// Counts of nested repetitions multiply. Above this number, a count becomes *at least once*, and
/// the automaton accepts more than the rule does.
const MAX_COPIES: u64 = 4096;

impl Automata {
    pub(crate) fn of(grammar: &Grammar) -> Self {
        let mut automata = Automata {
            states: vec![],
            rules: vec![None; grammar.symbols().len()],
            copies: 1,
        };
        for (rule, body) in grammar.rules() {
            let (start, end) = (automata.state(), automata.state());
            automata.expr(grammar, body, start, end);
            automata.rules[rule.index()] = Some((start, end));
        }
        automata
    }

    fn state(&mut self) -> StateId {
        self.states.push(vec![]);
        self.states.len() as StateId - 1
    }

    fn edge(&mut self, from: StateId, edge: Edge) {
        self.states[from as usize].push(edge);
    }

    /// Adds the edges of an expression between two states.
    ///
    /// The recursion is over the nesting of one rule's body, which readers bound.
    fn expr(&mut self, grammar: &Grammar, id: ExprId, from: StateId, to: StateId) {
        match grammar.expr(id) {
            Expr::Empty => self.edge(from, Edge::Empty(to)),
            Expr::Symbol { symbol, alias, .. } => {
                let called = grammar.symbol(symbol);
                let edge = match alias {
                    Some(alias) => Edge::Child(alias, id, to),
                    None if called.visibility.is_shown() => Edge::Child(symbol, id, to),
                    None if matches!(called.kind, SymbolKind::Rule(_)) => Edge::Call(symbol, to),
                    None => Edge::Empty(to),
                };
                self.edge(from, edge);
            }
            Expr::Sequence(list) => {
                let members = grammar.list(list);
                let mut at = from;
                for (i, &member) in members.iter().enumerate() {
                    let next = if i + 1 == members.len() {
                        to
                    } else {
                        self.state()
                    };
                    self.expr(grammar, member, at, next);
                    at = next;
                }
            }
            Expr::Choice(list) => {
                for &member in grammar.list(list) {
                    self.expr(grammar, member, from, to);
                }
            }
            Expr::Optional(body) => {
                let (start, end) = (self.state(), self.state());
                self.edge(from, Edge::Enter(NodeKind::Optional, id, start));
                self.edge(end, Edge::Exit(to));
                self.expr(grammar, body, start, end);
                self.edge(start, Edge::Empty(end));
            }
            Expr::Repeat(repeat) => self.repeat(grammar, id, repeat, from, to),
            Expr::Precedence { body, .. } => self.expr(grammar, body, from, to),
            Expr::Scoped { body, scope } => {
                self.expr(grammar, body, from, to);
                if let Scope::Uses {
                    otherwise: Some(otherwise),
                    ..
                } = scope
                {
                    self.expr(grammar, otherwise, from, to);
                }
            }
        }
    }

    /// Adds the edges of a repetition between two states.
    fn repeat(
        &mut self,
        grammar: &Grammar,
        id: ExprId,
        mut repeat: Repeat,
        from: StateId,
        to: StateId,
    ) {
        let outside = self.copies;
        self.copies *= u64::from(repeat.max.unwrap_or(repeat.min).max(1));
        if self.copies > MAX_COPIES {
            self.copies = outside;
            repeat.min = repeat.min.min(1);
            repeat.max = None;
        }
        let (mut at, end) = (self.state(), self.state());
        self.edge(from, Edge::Enter(NodeKind::Repeat, id, at));
        self.edge(end, Edge::Exit(to));
        let part = |automata: &mut Self, kind, body, from| {
            let (start, end, after) = (automata.state(), automata.state(), automata.state());
            automata.edge(from, Edge::Enter(kind, id, start));
            automata.expr(grammar, body, start, end);
            automata.edge(end, Edge::Exit(after));
            after
        };
        let once = |automata: &mut Self, mut at, done| {
            if let Some(separator) = repeat.separator.filter(|_| done > 0) {
                at = part(automata, NodeKind::Separator, separator, at);
            }
            part(automata, NodeKind::Iteration, repeat.body, at)
        };
        // With a separator, the first iteration differs from later ones.
        let unrolled = match repeat.max {
            Some(max) => max,
            None => repeat.min.max(u32::from(repeat.separator.is_some())),
        };
        // One more iteration comes before the end, so that the first match is greedy.
        for done in 0..unrolled {
            let before = at;
            at = once(self, at, done);
            if done >= repeat.min {
                self.edge(before, Edge::Empty(end));
            }
        }
        if repeat.max.is_none() {
            let again = once(self, at, unrolled);
            self.edge(again, Edge::Empty(at));
        }
        self.copies = outside;
        self.edge(at, Edge::Empty(end));
    }
}
