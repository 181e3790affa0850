use crate::grammar::{ExprId, SymbolId};
use crate::tree::NodeKind;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The automata of all rules of a grammar, in one arena of states.
#[derive(Debug)]
pub struct Automata {
    pub(super) states: Vec<Vec<Edge>>,
    /// The first and the last state of each rule.
    pub(super) rules: Vec<Option<(StateId, StateId)>>,
    /// The number of copies of the expression that is being built.
    pub(super) copies: u64,
}

pub(super) type StateId = u32;

/// A transition of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Takes no child.
    Empty(StateId),
    /// Takes one child of this symbol, an instance of this mention.
    Child(SymbolId, ExprId, StateId),
    /// Takes the children that the body of a hidden symbol derives.
    Call(SymbolId, StateId),
    /// Begins a quantifier, or a part of a quantifier, that has a node in trees. Takes no child.
    Enter(NodeKind, ExprId, StateId),
    /// Ends the quantifier or part that was entered last.
    Exit(StateId),
}

impl Edge {
    /// Returns the state to which the edge leads. For a call, this is the state after the call.
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
    /// Returns the edges that leave a state.
    pub fn edges(&self, state: u32) -> &[Edge] {
        &self.states[state as usize]
    }

    /// Returns the first and the last state of a rule, or `None` for a terminal.
    pub fn ends(&self, rule: SymbolId) -> Option<(u32, u32)> {
        self.rules[rule.index()]
    }

    /// Returns whether a node of `rule` may have exactly the given children.
    ///
    /// The time is the number of children times the number of states that are possible at once,
    /// which is small unless hidden rules are ambiguous. Nested counts with a product above 4096
    /// are taken for *at least once*.
    pub fn accepts(&self, rule: SymbolId, children: &[SymbolId]) -> bool {
        let costs = vec![u32::MAX; children.len()];
        self.search(rule, children, &costs).is_some()
    }

    /// Returns the children that a node of `rule` may keep at the lowest cost: `true` for each
    /// child that is kept.
    ///
    /// `costs[i]` is the cost of removing child `i`; a child with the cost `u32::MAX` must stay.
    /// The result minimizes the total cost of the removed children. The result is `None` if no such
    /// subsequence is accepted. The algorithm is a shortest path over pairs of a state and a child.
    pub fn nearest(
        &self,
        rule: SymbolId,
        children: &[SymbolId],
        costs: &[u32],
    ) -> Option<Vec<bool>> {
        self.search(rule, children, costs)
    }

    /// Searches for the cheapest accepted subsequence, by deduction in the order of costs.
    ///
    /// An item is a state, the child at which its call began, and the current child.
    ///
    /// * *Source:* D. Knuth, "A generalization of Dijkstra's algorithm", 1977.
    fn search(&self, rule: SymbolId, children: &[SymbolId], costs: &[u32]) -> Option<Vec<bool>> {
        let (start, goal) = self.rules[rule.index()]?;
        let mut search = Search::default();
        search.offer(0, (start, 0, 0), Origin::Start);
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
                search.offer(cost, (state, origin, at + 1), Origin::Step(index));
            }
            for &edge in &self.states[state as usize] {
                match edge {
                    Edge::Empty(to) | Edge::Enter(_, _, to) | Edge::Exit(to) => {
                        search.offer(cost, (to, origin, at), Origin::Step(index));
                    }
                    Edge::Child(symbol, _, to) => {
                        if at < end && children[at as usize] == symbol {
                            search.offer(cost, (to, origin, at + 1), Origin::Child(index));
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
                        search.offer(0, (first, at, at), Origin::Start);
                        let finished = search.finished.get(&(last, at)).cloned();
                        for called in finished.unwrap_or_default() {
                            search.returned(index, to, called);
                        }
                    }
                }
            }
            // The last state of a rule has no edges. At the end of a call, the waiting items
            // continue.
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

/// The key of an item: a state, the child at which its call began, and the current child.
type Key = (StateId, u32, u32);

#[derive(Default)]
struct Search {
    items: Vec<SearchItem>,
    by_key: FxHashMap<Key, u32>,
    agenda: BinaryHeap<Reverse<(u64, u32)>>,
    /// The waiting items, by the last state of the called rule and the child at which it was
    /// called.
    waiting: FxHashMap<(StateId, u32), Vec<(u32, StateId)>>,
    finished: FxHashMap<(StateId, u32), Vec<u32>>,
}

#[derive(Clone, Copy)]
struct SearchItem {
    key: Key,
    cost: u64,
    from: Origin,
    done: bool,
}

#[derive(Clone, Copy)]
enum Origin {
    Start,
    Step(u32),
    Child(u32),
    Returned { waiter: u32, called: u32 },
}

impl Search {
    fn offer(&mut self, cost: u64, key: Key, from: Origin) {
        let next = self.items.len() as u32;
        let index = *self.by_key.entry(key).or_insert(next);
        let item = SearchItem {
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

    fn returned(&mut self, waiter: u32, to: StateId, called: u32) {
        let (before, inside) = (&self.items[waiter as usize], &self.items[called as usize]);
        let (_, origin, _) = before.key;
        let (_, _, at) = inside.key;
        let cost = before.cost + inside.cost;
        self.offer(cost, (to, origin, at), Origin::Returned { waiter, called });
    }

    /// Returns the children that the derivation of an item kept.
    fn kept(&self, index: u32, count: usize) -> Vec<bool> {
        let mut kept = vec![false; count];
        let mut todo = vec![index];
        while let Some(index) = todo.pop() {
            let item = &self.items[index as usize];
            match item.from {
                Origin::Start => {}
                Origin::Step(before) => todo.push(before),
                Origin::Child(before) => {
                    kept[item.key.2 as usize - 1] = true;
                    todo.push(before);
                }
                Origin::Returned { waiter, called } => todo.extend([waiter, called]),
            }
        }
        kept
    }
}
