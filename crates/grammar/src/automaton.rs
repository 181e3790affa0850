//! The child-sequence automaton: which children a node of a rule may have.
//!
//! A rule's body as a nondeterministic automaton over child symbols. Symbols that trees do not show
//! are calls into the automaton of their own rule, so recursive hidden rules work; tokens that trees
//! do not show take no child. This is the oracle for changes to trees: a node may have these children
//! ([`Automata::accepts`]), or, if not, could have most of them ([`Automata::nearest`]). Whoever has
//! only the children finds the quantifiers around them again by walking its [edges](Edge).

use crate::grammar::{Expr, ExprId, Grammar, SymbolId, SymbolKind};
use crate::tree::NodeKind;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The automata of all rules of a grammar, in one arena of states.
#[derive(Debug)]
pub struct Automata {
    states: Vec<Vec<Edge>>,
    /// First and last state of each rule.
    rules: Vec<Option<(State, State)>>,
    /// While building: how many copies are made of what is being built.
    copies: u64,
}

/// Counted parts of counted parts multiply. Beyond so many copies of one expression, *so many times*
/// becomes *at least once*, and the automaton accepts more than the rule does.
const MOST_COPIES: u64 = 4096;

type State = u32;

/// A step of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// No child.
    Empty(State),
    /// One child of this symbol, by the mention of it.
    Child(SymbolId, ExprId, State),
    /// Children that the body of a hidden symbol makes.
    Call(SymbolId, State),
    /// A quantifier begins, or a part of one: what a tree has a node for, and its expression. Takes
    /// no child.
    Enter(NodeKind, ExprId, State),
    /// What was entered last ends.
    Exit(State),
}

impl Edge {
    /// The state it leads to; of a call, once that is over.
    pub fn to(self) -> u32 {
        match self {
            Edge::Empty(to)
            | Edge::Child(_, _, to)
            | Edge::Call(_, to)
            | Edge::Enter(_, _, to)
            | Edge::Exit(to) => to,
        }
    }
}

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

    fn state(&mut self) -> State {
        self.states.push(vec![]);
        self.states.len() as State - 1
    }

    fn edge(&mut self, from: State, edge: Edge) {
        self.states[from as usize].push(edge);
    }

    /// Recursion is over the nesting of one rule's body, which readers bound.
    fn expr(&mut self, grammar: &Grammar, id: ExprId, from: State, to: State) {
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
            Expr::Repeat(mut repeat) => {
                let outside = self.copies;
                self.copies *= u64::from(repeat.max.unwrap_or(repeat.min).max(1));
                if self.copies > MOST_COPIES {
                    self.copies = outside;
                    repeat.min = repeat.min.min(1);
                    repeat.max = None;
                }
                let (mut at, end) = (self.state(), self.state());
                self.edge(from, Edge::Enter(NodeKind::Repeat, id, at));
                self.edge(end, Edge::Exit(to));
                let part = |automata: &mut Self, kind, body, from| {
                    let (start, end, after) =
                        (automata.state(), automata.state(), automata.state());
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
                // A separator makes the first iteration special.
                let unrolled = match repeat.max {
                    Some(max) => max,
                    None => repeat.min.max(u32::from(repeat.separator.is_some())),
                };
                // Going on comes before ending: who takes the first way that fits is greedy.
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
            Expr::Precedence { body, .. } => self.expr(grammar, body, from, to),
            Expr::Scoped { body, scope } => {
                self.expr(grammar, body, from, to);
                if let crate::grammar::Scope::Uses {
                    otherwise: Some(otherwise),
                    ..
                } = scope
                {
                    self.expr(grammar, otherwise, from, to);
                }
            }
        }
    }

    /// The steps from a state.
    pub fn edges(&self, state: u32) -> &[Edge] {
        &self.states[state as usize]
    }

    /// The first and the last state of a rule.
    pub fn ends(&self, rule: SymbolId) -> Option<(u32, u32)> {
        self.rules[rule.index()]
    }

    /// Whether a node of `rule` may have exactly these children.
    ///
    /// Time in the number of children times the states that are possible at once: a handful, unless
    /// hidden rules are ambiguous. Counts of counts that multiply beyond 4096 are taken for *at least
    /// once*.
    pub fn accepts(&self, rule: SymbolId, children: &[SymbolId]) -> bool {
        let costs = vec![u32::MAX; children.len()];
        self.search(rule, children, &costs).is_some()
    }

    /// The largest part of `children` that a node of `rule` may have, as marks: `true` stays.
    ///
    /// `costs[i]` is what it costs to leave child `i` out, `u32::MAX` says that it must stay; the
    /// sum of what is left out is as small as can be. `None` if no such part is accepted. A shortest
    /// path over pairs of state and child.
    pub fn nearest(
        &self,
        rule: SymbolId,
        children: &[SymbolId],
        costs: &[u32],
    ) -> Option<Vec<bool>> {
        self.search(rule, children, costs)
    }

    /// Deduction by cost (D. Knuth, "A generalization of Dijkstra's algorithm", 1977) over items
    /// *this state of a call that began at that child, now at this one*.
    fn search(&self, rule: SymbolId, children: &[SymbolId], costs: &[u32]) -> Option<Vec<bool>> {
        let (start, goal) = self.rules[rule.index()]?;
        let mut search = Search::default();
        search.offer(0, (start, 0, 0), From::Start);
        let end = children.len() as u32;
        while let Some(Reverse((cost, index))) = search.agenda.pop() {
            let item = search.items[index as usize];
            if item.done || item.cost != cost {
                continue;
            }
            search.items[index as usize].done = true;
            let (state, origin, at) = item.key;
            if (state, origin, at) == (goal, 0, end) {
                return Some(search.kept(index, children.len()));
            }
            if at < end && costs[at as usize] != u32::MAX {
                let cost = cost + u64::from(costs[at as usize]);
                search.offer(cost, (state, origin, at + 1), From::Step(index));
            }
            for &edge in &self.states[state as usize] {
                match edge {
                    Edge::Empty(to) | Edge::Enter(_, _, to) | Edge::Exit(to) => {
                        search.offer(cost, (to, origin, at), From::Step(index));
                    }
                    Edge::Child(symbol, _, to) => {
                        if at < end && children[at as usize] == symbol {
                            search.offer(cost, (to, origin, at + 1), From::Child(index));
                        }
                    }
                    Edge::Call(symbol, to) => {
                        let Some((first, last)) = self.rules[symbol.index()] else {
                            continue;
                        };
                        search
                            .waiting
                            .entry((last, at))
                            .or_default()
                            .push((index, to));
                        search.offer(0, (first, at, at), From::Start);
                        let finished = search.finished.get(&(last, at)).cloned();
                        for called in finished.unwrap_or_default() {
                            search.returned(index, to, called);
                        }
                    }
                }
            }
            // The end of a call: those who wait for it go on. The last state of a rule has no edges.
            if self.states[state as usize].is_empty() {
                search
                    .finished
                    .entry((state, origin))
                    .or_default()
                    .push(index);
                let waiting = search.waiting.get(&(state, origin)).cloned();
                for (waiter, to) in waiting.unwrap_or_default() {
                    search.returned(waiter, to, index);
                }
            }
        }
        None
    }
}

/// State, child at which its call began, child it is at.
type Key = (State, u32, u32);

#[derive(Default)]
struct Search {
    items: Vec<Item>,
    by_key: FxHashMap<Key, u32>,
    agenda: BinaryHeap<Reverse<(u64, u32)>>,
    /// By last state of the called rule and where it was called.
    waiting: FxHashMap<(State, u32), Vec<(u32, State)>>,
    finished: FxHashMap<(State, u32), Vec<u32>>,
}

#[derive(Clone, Copy)]
struct Item {
    key: Key,
    cost: u64,
    from: From,
    done: bool,
}

#[derive(Clone, Copy)]
enum From {
    Start,
    Step(u32),
    Child(u32),
    Returned { waiter: u32, called: u32 },
}

impl Search {
    fn offer(&mut self, cost: u64, key: Key, from: From) {
        let next = self.items.len() as u32;
        let index = *self.by_key.entry(key).or_insert(next);
        let item = Item {
            key,
            cost,
            from,
            done: false,
        };
        if index == next {
            self.items.push(item);
        } else {
            let old = &mut self.items[index as usize];
            if old.done || old.cost <= cost {
                return;
            }
            *old = item;
        }
        self.agenda.push(Reverse((cost, index)));
    }

    fn returned(&mut self, waiter: u32, to: State, called: u32) {
        let (before, inside) = (&self.items[waiter as usize], &self.items[called as usize]);
        let (_, origin, _) = before.key;
        let (_, _, at) = inside.key;
        let cost = before.cost + inside.cost;
        self.offer(cost, (to, origin, at), From::Returned { waiter, called });
    }

    /// Which children the way to an item took.
    fn kept(&self, index: u32, count: usize) -> Vec<bool> {
        let mut kept = vec![false; count];
        let mut todo = vec![index];
        while let Some(index) = todo.pop() {
            let item = &self.items[index as usize];
            match item.from {
                From::Start => {}
                From::Step(before) => todo.push(before),
                From::Child(before) => {
                    kept[item.key.2 as usize - 1] = true;
                    todo.push(before);
                }
                From::Returned { waiter, called } => todo.extend([waiter, called]),
            }
        }
        kept
    }
}
