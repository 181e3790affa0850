//! The sets of positions to which a text leads, computed on demand.

use super::automaton::{Automaton, Edge, State};
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of positions.
pub(super) type SetId = u32;

/// The set from which no text leads on.
pub(super) const DEAD: SetId = 0;
const UNKNOWN: SetId = u32::MAX;

/// The index of the end of the text among the edges of a set, after the edges of all bytes.
pub(super) const END: usize = 256;

/// A position in an alternative of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Position {
    rule: u32,
    alternative: u32,
    state: State,
    /// The calls that are not over.
    calls: u32,
    /// Whether a quantifier that prefers the shortest text has been passed.
    lazy: bool,
}

/// No open call.
const OUTSIDE: u32 = 0;

/// An open call: the state after it, and the call around it.
#[derive(Clone, Copy, Debug)]
struct Call {
    after: State,
    around: u32,
}

/// A set of positions, in order of preference.
#[derive(Debug)]
struct Set {
    positions: Box<[Position]>,
    /// The rule and alternative that ends here.
    ends: Option<(u32, u32)>,
    /// Whether everything has ended here, so that no text leads on.
    over: bool,
}

/// The sets that were reached so far, with the edges between them.
///
/// The sets follow the simulation of ANTLR's lexer (T. Parr, S. Harwell, K. Fisher, "Adaptive LL(*)
/// Parsing: The Power of Dynamic Analysis", 2014, and its program): positions are ordered by
/// preference, and where a rule ends after a lazy quantifier, the less preferred positions of the
/// same rule are left out.
#[derive(Debug)]
pub(super) struct Sets {
    sets: Vec<Set>,
    edges: Vec<[SetId; END + 1]>,
    by_positions: FxHashMap<Box<[Position]>, SetId>,
    calls: Vec<Call>,
    /// The number of calls that were open when the others were forgotten.
    needed_calls: usize,
    by_call: FxHashMap<(State, u32), u32>,
    starts: Vec<SetId>,
    /// The number of positions in all sets.
    positions: usize,
}

/// The set under construction.
#[derive(Default)]
struct Reached {
    positions: Vec<Position>,
    seen: FxHashSet<Position>,
}

impl Sets {
    /// The number of sets, or of their positions, after which all are forgotten.
    const MAX_SETS: usize = 10_000;
    const MOST_POSITIONS: usize = 1 << 20;
    /// The maximum number of positions in a set, above which the least preferred are left out. A
    /// recursive rule with several alternatives of the same beginning has twice as many for each
    /// depth.
    const LARGEST: usize = 1 << 14;

    pub(super) fn new(modes: usize) -> Self {
        Sets {
            sets: vec![Set {
                positions: [].into(),
                ends: None,
                over: true,
            }],
            edges: vec![[DEAD; END + 1]],
            by_positions: FxHashMap::default(),
            calls: vec![Call {
                after: 0,
                around: OUTSIDE,
            }],
            positions: 0,
            needed_calls: 0,
            by_call: FxHashMap::default(),
            starts: vec![UNKNOWN; modes],
        }
    }

    /// Forgets all sets if there are too many.
    pub(super) fn trim(&mut self) {
        if self.is_full() || self.calls.len() > Self::MOST_POSITIONS {
            *self = Sets::new(self.starts.len());
        }
    }

    /// Forgets all sets but one if there are too many, in the middle of a token. Returns the one.
    pub(super) fn trim_to(&mut self, automaton: &Automaton, set: SetId) -> SetId {
        // A deep nesting may need all its calls, so the next check of them has to wait.
        let calls = self.calls.len() > Self::MOST_POSITIONS.max(2 * self.needed_calls);
        if !self.is_full() && !calls {
            return set;
        }
        let mut positions = std::mem::take(&mut self.sets[set as usize].positions).into_vec();
        let calls = std::mem::take(&mut self.calls);
        *self = Sets::new(self.starts.len());
        self.keep_calls(&calls, &mut positions);
        self.intern(automaton, positions)
    }

    fn is_full(&self) -> bool {
        self.sets.len() > Self::MAX_SETS || self.positions > Self::MOST_POSITIONS
    }

    /// Copies the calls that are open at some positions, under new numbers.
    fn keep_calls(&mut self, calls: &[Call], positions: &mut [Position]) {
        let mut new = vec![UNKNOWN; calls.len()];
        new[OUTSIDE as usize] = OUTSIDE;
        let mut needed = vec![];
        for position in positions.iter() {
            let mut call = position.calls;
            while new[call as usize] == UNKNOWN {
                // Any known number is correct.
                new[call as usize] = OUTSIDE;
                needed.push(call);
                call = calls[call as usize].around;
            }
        }
        // A call has a larger number than the call around it.
        needed.sort_unstable();
        self.needed_calls = needed.len();
        for call in needed {
            let Call { after, around } = calls[call as usize];
            new[call as usize] = self.call(after, new[around as usize]);
        }
        for position in positions {
            position.calls = new[position.calls as usize];
        }
    }

    /// Returns the rule and the alternative that ends in a set.
    pub(super) fn ends(&self, set: SetId) -> Option<(u32, u32)> {
        self.sets[set as usize].ends
    }

    /// Returns whether more text can lead on from a set.
    pub(super) fn leads_on(&self, set: SetId) -> bool {
        !self.sets[set as usize].over
    }

    /// Returns the set in which a mode begins.
    pub(super) fn start(&mut self, automaton: &Automaton, mode: usize) -> SetId {
        if self.starts[mode] == UNKNOWN {
            let mut reached = Reached::default();
            for &(state, rule, alternative) in &automaton.modes[mode] {
                let position = Position {
                    rule,
                    alternative,
                    state,
                    calls: OUTSIDE,
                    lazy: false,
                };
                self.close(automaton, position, &mut reached, false, false);
            }
            self.starts[mode] = self.intern(automaton, reached.positions);
        }
        self.starts[mode]
    }

    /// Returns the set after a byte, or after the [`END`] of the text.
    pub(super) fn next(&mut self, automaton: &Automaton, set: SetId, input: usize) -> SetId {
        let known = self.edges[set as usize][input];
        if known != UNKNOWN {
            return known;
        }
        let positions = self.sets[set as usize].positions.clone();
        let at_end = input == END;
        let mut reached = Reached::default();
        let mut over = None;
        for position in &positions {
            let ended = over == Some(position.rule);
            if ended && position.lazy {
                continue;
            }
            let target = match &automaton.edges[position.state as usize] {
                Edge::Byte(set, next) if !at_end && set.contains(input as u8) => *next,
                Edge::Bytes(edges) if !at_end => {
                    match edges.iter().find(|(set, _)| set.contains(input as u8)) {
                        Some((_, next)) => *next,
                        None => continue,
                    }
                }
                Edge::End(next) if at_end => *next,
                _ => continue,
            };
            let moved = Position {
                state: target,
                ..*position
            };
            if self.close(automaton, moved, &mut reached, ended, at_end) {
                over = Some(position.rule);
            }
        }
        let next = self.intern(automaton, reached.positions);
        self.edges[set as usize][input] = next;
        next
    }

    /// Adds all positions that a position leads to without reading. Returns whether the rule has
    /// ended, of which `ended` says whether it did before.
    fn close(
        &mut self,
        automaton: &Automaton,
        from: Position,
        reached: &mut Reached,
        mut ended: bool,
        at_end: bool,
    ) -> bool {
        let mut todo = vec![from];
        while let Some(mut position) = todo.pop() {
            if reached.seen.len() > Self::LARGEST {
                break;
            }
            let edge = &automaton.edges[position.state as usize];
            position.lazy |= matches!(edge, Edge::Lazy(_));
            match edge {
                Edge::Byte(..) | Edge::Bytes(_) | Edge::End(_) => {
                    if !(ended && position.lazy) && reached.seen.insert(position) {
                        reached.positions.push(position);
                    }
                    if let (Edge::End(next), true) = (edge, at_end) {
                        todo.push(Position {
                            state: *next,
                            ..position
                        });
                    }
                }
                Edge::Split(states) | Edge::Lazy(states) => {
                    if reached.seen.insert(position) {
                        let states = states.iter().rev();
                        todo.extend(states.map(|&state| Position { state, ..position }));
                    }
                }
                &Edge::Call(start, after) => {
                    todo.push(Position {
                        state: start,
                        calls: self.call(after, position.calls),
                        ..position
                    });
                }
                Edge::Return if position.calls == OUTSIDE => {
                    if reached.seen.insert(position) {
                        reached.positions.push(position);
                    }
                    ended = true;
                }
                Edge::Return => {
                    let Call { after, around, .. } = self.calls[position.calls as usize];
                    todo.push(Position {
                        state: after,
                        calls: around,
                        ..position
                    });
                }
            }
        }
        ended
    }

    fn call(&mut self, after: State, around: u32) -> u32 {
        let new = self.calls.len() as u32;
        let known = *self.by_call.entry((after, around)).or_insert(new);
        if known == new {
            self.calls.push(Call { after, around });
        }
        known
    }

    fn intern(&mut self, automaton: &Automaton, positions: Vec<Position>) -> SetId {
        if positions.is_empty() {
            return DEAD;
        }
        let positions: Box<[Position]> = positions.into();
        if let Some(&known) = self.by_positions.get(&positions) {
            return known;
        }
        let is_end = |position: &&Position| {
            let edge = &automaton.edges[position.state as usize];
            position.calls == OUTSIDE && matches!(edge, Edge::Return)
        };
        let end = positions.iter().find(is_end);
        let ends = end.map(|position| (position.rule, position.alternative));
        let over = positions.iter().all(|position| is_end(&position));
        let edges = if over { DEAD } else { UNKNOWN };
        self.positions += positions.len();
        self.sets.push(Set {
            positions: positions.clone(),
            ends,
            over,
        });
        self.edges.push([edges; END + 1]);
        let new = self.sets.len() as SetId - 1;
        self.by_positions.insert(positions, new);
        new
    }
}
