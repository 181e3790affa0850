//! The rules of all modes as one automaton with calls.

use crate::byte_set::ByteSet;
use crate::grammar::{Expr, ExprId, Grammar, Lexing, SymbolId, SymbolKind};
use rustc_hash::FxHashMap;

/// A state of the automaton.
pub(super) type State = u32;

/// The way on from a state.
#[derive(Clone, Debug)]
pub(super) enum Edge {
    /// One byte of a set.
    Byte(ByteSet, State),
    /// One byte of one of these sets. No two sets have a common byte.
    Bytes(Box<[(ByteSet, State)]>),
    /// The end of the text.
    End(State),
    /// Each of these states without reading, the preferred state first.
    Split(Box<[State]>),
    /// Each of these states without reading, the preferred state first. Reaching the end of a rule
    /// excludes less preferred states.
    Lazy(Box<[State]>),
    /// The definition of a symbol, and the state after it.
    Call(State, State),
    /// The end of a definition.
    Return,
}

/// Rules as states. The definition of a symbol is shared by all its mentions, which call it, so
/// that rules may be recursive.
#[derive(Debug)]
pub(super) struct Automaton {
    pub(super) edges: Vec<Edge>,
    /// For each mode, the first state of each alternative, with its rule and its number in the
    /// rule.
    pub(super) modes: Vec<Vec<(State, u32, u32)>>,
}

impl Automaton {
    pub(super) fn of(grammar: &Grammar, lexing: &Lexing) -> Self {
        let mut compiling = Compiling {
            grammar,
            lexing,
            edges: vec![],
            symbols: FxHashMap::default(),
            todo: vec![],
        };
        let mut modes = vec![];
        for mode in &lexing.modes {
            let mut starts = vec![];
            for (rule, each) in mode.rules.iter().enumerate() {
                for (number, (body, _)) in each.alternatives.iter().enumerate() {
                    let end = compiling.push(Edge::Return);
                    let start = compiling.expr(*body, end);
                    starts.push((start, rule as u32, number as u32));
                }
            }
            modes.push(starts);
        }
        while let Some((symbol, at)) = compiling.todo.pop() {
            let end = compiling.push(Edge::Return);
            let start = compiling.definition(symbol, end);
            compiling.edges[at as usize] = Edge::Split([start].into());
        }
        Automaton {
            edges: compiling.edges,
            modes,
        }
    }
}

struct Compiling<'g> {
    grammar: &'g Grammar,
    lexing: &'g Lexing,
    edges: Vec<Edge>,
    /// The first state of the definition of each symbol.
    symbols: FxHashMap<SymbolId, State>,
    /// The symbols whose definition is missing, with their first state.
    todo: Vec<(SymbolId, State)>,
}

impl Compiling<'_> {
    fn push(&mut self, edge: Edge) -> State {
        self.edges.push(edge);
        self.edges.len() as State - 1
    }

    /// Compiles the text of a symbol, which leads to `next`.
    fn definition(&mut self, symbol: SymbolId, next: State) -> State {
        let grammar = self.grammar;
        match &grammar.symbol(symbol).kind {
            SymbolKind::Rule(body) | SymbolKind::Pattern(body) => self.expr(*body, next),
            SymbolKind::Literal(text) => text.iter().rev().fold(next, |next, &byte| {
                self.push(Edge::Byte(ByteSet::one(byte), next))
            }),
            SymbolKind::Class(set) => self.push(Edge::Byte(*set, next)),
            // The text of an external token is unknown.
            SymbolKind::External => self.push(Edge::Byte(ByteSet::EMPTY, next)),
        }
    }

    /// Compiles a choice of characters to as many states as their bytes need. Returns `None` if an
    /// alternative is something else.
    ///
    /// A class of Unicode has hundreds of sequences of bytes, and some grammars list its ranges one
    /// by one. As alternatives, each would be a position of every set that leads to the class.
    fn characters(&mut self, choice: ExprId, next: State) -> Option<State> {
        let mut sequences = vec![];
        self.add_sequences(choice, &mut sequences)?;
        let rests = sequences.iter().map(|sequence| &sequence[..]).collect();
        self.trie(rests, next, &mut FxHashMap::default())
    }

    /// Adds the sequences of bytes that an expression stands for, if it is a choice of such.
    fn add_sequences(&self, id: ExprId, sequences: &mut Vec<Vec<ByteSet>>) -> Option<()> {
        /// The maximum number of expressions, which a recursive rule exceeds.
        const MAX_EXPRESSIONS: usize = 10_000;
        let grammar = self.grammar;
        let mut todo = vec![id];
        let mut seen = 0;
        while let Some(id) = todo.pop() {
            seen += 1;
            match grammar.expr(id) {
                _ if seen > MAX_EXPRESSIONS => return None,
                Expr::Choice(list) => {
                    todo.extend(grammar.list(list));
                    continue;
                }
                Expr::Symbol { symbol, .. } if Some(symbol) != self.lexing.end => {
                    if let SymbolKind::Pattern(body) = grammar.symbol(symbol).kind {
                        todo.push(body);
                        continue;
                    }
                }
                _ => {}
            }
            let mut sequence = vec![];
            for &member in grammar.members(&id) {
                let Expr::Symbol { symbol, .. } = grammar.expr(member) else {
                    return None;
                };
                match &grammar.symbol(symbol).kind {
                    SymbolKind::Class(set) => sequence.push(*set),
                    SymbolKind::Literal(text) => {
                        sequence.extend(text.iter().copied().map(ByteSet::one));
                    }
                    _ => return None,
                }
            }
            sequences.push(sequence);
        }
        Some(())
    }

    /// Compiles sequences of bytes of which none begins with another. Equal rests share their
    /// states. The depth of the recursion is the length of the longest sequence.
    fn trie<'s>(
        &mut self,
        rests: Vec<&'s [ByteSet]>,
        next: State,
        known: &mut FxHashMap<Vec<&'s [ByteSet]>, State>,
    ) -> Option<State> {
        /// The longest sequence of UTF-8.
        const LONGEST: usize = 4;
        if rests.iter().all(|rest| rest.is_empty()) {
            return Some(next);
        }
        if rests
            .iter()
            .any(|rest| rest.is_empty() || rest.len() > LONGEST)
        {
            return None;
        }
        if let Some(&state) = known.get(&rests) {
            return Some(state);
        }
        let mut groups: FxHashMap<Vec<&[ByteSet]>, ByteSet> = FxHashMap::default();
        let mut order = vec![];
        for byte in 0..=u8::MAX {
            let firsts = rests.iter().filter(|rest| rest[0].contains(byte));
            let mut after: Vec<&[ByteSet]> = firsts.map(|rest| &rest[1..]).collect();
            after.sort_unstable();
            after.dedup();
            if after.is_empty() {
                continue;
            }
            match groups.get_mut(&after) {
                Some(set) => set.insert(byte),
                None => {
                    groups.insert(after.clone(), ByteSet::one(byte));
                    order.push(after);
                }
            }
        }
        let mut edges = vec![];
        for after in order {
            let set = groups[&after];
            edges.push((set, self.trie(after, next, known)?));
        }
        let state = match edges[..] {
            [(set, next)] => self.push(Edge::Byte(set, next)),
            _ => self.push(Edge::Bytes(edges.into())),
        };
        known.insert(rests, state);
        Some(state)
    }

    fn split(&mut self, whole: ExprId, states: Vec<State>) -> State {
        let edge = match self.lexing.lazy.contains(&whole) {
            true => Edge::Lazy(states.into_iter().rev().collect()),
            false => Edge::Split(states.into()),
        };
        self.push(edge)
    }

    fn expr(&mut self, id: ExprId, next: State) -> State {
        let grammar = self.grammar;
        match grammar.expr(id) {
            Expr::Empty => next,
            Expr::Symbol { symbol, .. } => match grammar.symbol(symbol).kind {
                _ if self.lexing.end == Some(symbol) => self.push(Edge::End(next)),
                SymbolKind::Rule(_) | SymbolKind::Pattern(_) => {
                    let start = match self.symbols.get(&symbol) {
                        Some(&known) => known,
                        None => {
                            let start = self.push(Edge::Return);
                            self.symbols.insert(symbol, start);
                            self.todo.push((symbol, start));
                            start
                        }
                    };
                    self.push(Edge::Call(start, next))
                }
                _ => self.definition(symbol, next),
            },
            Expr::Sequence(list) => {
                let members = grammar.list(list).iter().rev();
                members.fold(next, |next, &member| self.expr(member, next))
            }
            Expr::Choice(list) => {
                if let Some(state) = self.characters(id, next) {
                    return state;
                }
                let members = grammar.list(list).iter();
                let states = members
                    .map(|&member| self.expr(member, next))
                    .collect::<Vec<_>>();
                self.push(Edge::Split(states.into()))
            }
            Expr::Optional(body) => {
                let body = self.expr(body, next);
                self.split(id, vec![body, next])
            }
            Expr::Repeat(repeat) => {
                // A loop starts at its end, or with its body. The notation has neither counts nor
                // separators.
                let again = self.push(Edge::Return);
                let body = self.expr(repeat.body, again);
                let edge = self.split(id, vec![body, next]);
                self.edges[again as usize] = Edge::Split([edge].into());
                match repeat.min {
                    0 => again,
                    _ => body,
                }
            }
            Expr::Precedence { body, .. } | Expr::Scoped { body, .. } => self.expr(body, next),
        }
    }
}
