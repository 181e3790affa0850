//! Alignment of the children of a node with the rule of the node. Alignment finds the part of the
//! rule of which each child is an instance.
//!
//! The tree of a tree-sitter parser has the children of a node, but not the parts of the rule that
//! derived them. The [automaton](nubbin_grammar::automaton) of the rule describes the children that
//! the node can have, and the quantifiers around them. A path through the automaton that takes the
//! children is the alignment.
//!
//! The automaton is made deterministic on demand. A state of the deterministic automaton is a list
//! of possible positions, the preferred position first, as in a matcher of regular expressions (K.
//! Thompson, "Regular expression search algorithm", 1968; R. Cox, "Regular expression matching: the
//! virtual machine approach", 2009). A step from such a list with a child is stored in a table, so
//! that nearly every child costs one lookup. The step of each child is recorded in 4 bytes. A walk
//! back from the end over these records gives the path.
//!
//! A hidden rule is a call, so a position is a state with a return address.

use nubbin_grammar::automaton::Edge;
use nubbin_grammar::grammar::{Expr, ExprId, Grammar, SymbolId};
use nubbin_grammar::tree::NodeKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::sync::Arc;

/// The facts that the parser gives about a child: the symbol that it is shown as, and its possible
/// symbols without an alias.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) symbol: SymbolId,
    /// The possible rules and tokens; empty if they are not known.
    pub(crate) contents: Box<[SymbolId]>,
}

/// A kind of child, as returned by [`Aligner::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ChildKind(u32);

/// A step over the quantifiers before or after a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Open(NodeKind, ExprId),
    Close,
}

/// The events before a child with the mention of which it is an instance, or the events after the
/// last child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PathId(u32);

/// Aligns children with rules of one grammar, and caches the steps.
#[derive(Debug)]
pub(crate) struct Aligner {
    grammar: Arc<Grammar>,
    kinds: Vec<Shown>,
    calls: Calls,
    lists: Vec<Box<[Place]>>,
    list_ids: FxHashMap<Box<[Place]>, List>,
    starts: FxHashMap<SymbolId, Option<List>>,
    steps: FxHashMap<(List, ChildKind), Option<StepId>>,
    taken: Vec<Step>,
    ends: FxHashMap<List, Option<(u32, PathId)>>,
    paths: Vec<Path>,
    events: Vec<Event>,
}

/// The index of a call in [`Calls`], or [`OUTSIDE`] if there is none.
type Call = u32;
type List = u32;
type StepId = u32;

const OUTSIDE: Call = u32::MAX;

/// A place in an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    state: u32,
    call: Call,
}

/// A step from one list of places to the next.
#[derive(Debug)]
struct Step {
    to: List,
    /// For each place of the new list, the place before it and the path between them.
    from: Box<[(u32, PathId)]>,
}

#[derive(Debug)]
struct Path {
    events: Range<u32>,
    mention: Option<ExprId>,
}

/// The maximum size of the cache. Above it, the cache is emptied.
const MOST_STEPS: usize = 1 << 18;

/// The maximum length of a search for the next places. A longer search is given up, since the rules
/// call each other in a way that takes no child.
const MOST_VISITED: usize = 1 << 15;

/// The maximum number of times that a hidden rule which begins with itself is entered before the
/// first child. Each time allows one more part at its end to be aligned. Rust's conditions joined
/// by `&&` are such a rule.
const MOST_ENTERED: usize = 6;

const NONE: u32 = u32::MAX;

impl Aligner {
    pub(crate) fn new(grammar: Arc<Grammar>) -> Self {
        Aligner {
            grammar,
            kinds: vec![],
            calls: Calls::default(),
            lists: vec![],
            list_ids: FxHashMap::default(),
            starts: FxHashMap::default(),
            steps: FxHashMap::default(),
            taken: vec![],
            ends: FxHashMap::default(),
            paths: vec![],
            events: vec![],
        }
    }

    /// Registers a kind of child. Each call returns a new number, so call this once for each kind.
    pub(crate) fn kind(&mut self, shown: Shown) -> ChildKind {
        self.kinds.push(shown);
        ChildKind(self.kinds.len() as u32 - 1)
    }

    /// Finds the preferred path through a rule that takes the given children. Appends one path per
    /// child, and one for the end, to `way`. Returns `false` and appends nothing if there is no
    /// path.
    pub(crate) fn align(
        &mut self,
        rule: SymbolId,
        children: &[ChildKind],
        way: &mut Vec<PathId>,
    ) -> bool {
        if self.taken.len() > MOST_STEPS {
            self.forget();
        }
        let Some(start) = self.start(rule) else {
            return false;
        };
        let base = way.len();
        let mut list = start;
        for &child in children {
            let Some(step) = self.step(list, child) else {
                way.truncate(base);
                return false;
            };
            // The step is stored at the position at which the path will be.
            way.push(PathId(step));
            list = self.taken[step as usize].to;
        }
        let Some((mut at, last)) = self.end(list) else {
            way.truncate(base);
            return false;
        };
        for note in way[base..].iter_mut().rev() {
            let (before, path) = self.taken[note.0 as usize].from[at as usize];
            *note = path;
            at = before;
        }
        way.push(last);
        true
    }

    /// Returns the events of a path, in order.
    pub(crate) fn events(&self, path: PathId) -> &[Event] {
        let range = &self.paths[path.0 as usize].events;
        &self.events[range.start as usize..range.end as usize]
    }

    /// Returns the mention of the child at the end of a path.
    pub(crate) fn mention(&self, path: PathId) -> Option<ExprId> {
        self.paths[path.0 as usize].mention
    }

    fn forget(&mut self) {
        self.calls = Calls::default();
        self.lists.clear();
        self.list_ids.clear();
        self.starts.clear();
        self.steps.clear();
        self.taken.clear();
        self.ends.clear();
        self.paths.clear();
        self.events.clear();
    }

    fn start(&mut self, rule: SymbolId) -> Option<List> {
        if let Some(&known) = self.starts.get(&rule) {
            return known;
        }
        let ends = self.grammar.automata().ends(rule);
        let list = ends.map(|(state, _)| {
            let call = OUTSIDE;
            self.list(vec![Place { state, call }])
        });
        self.starts.insert(rule, list);
        list
    }

    fn list(&mut self, places: Vec<Place>) -> List {
        let places = places.into_boxed_slice();
        if let Some(&known) = self.list_ids.get(&places) {
            return known;
        }
        let id = self.lists.len() as List;
        self.lists.push(places.clone());
        self.list_ids.insert(places, id);
        id
    }

    fn step(&mut self, list: List, child: ChildKind) -> Option<StepId> {
        if let Some(&known) = self.steps.get(&(list, child)) {
            return known;
        }
        let mut next: Vec<Place> = vec![];
        let mut from = vec![];
        let mut reached = FxHashSet::default();
        let mut search = Search::default();
        for (i, &place) in self.lists[list as usize].clone().iter().enumerate() {
            search.begin(place);
            while let Some(found) = search.next(&self.grammar, &mut self.calls) {
                let Found::Child(at, symbol, mention, state) = found else {
                    continue;
                };
                let call = search.visits[at as usize].place.call;
                let place = Place { state, call };
                if self.fits(child, symbol, mention) && reached.insert(place) {
                    next.push(place);
                    let path = self.path(&search, at, Some(mention));
                    from.push((i as u32, path));
                }
            }
        }
        let step = (!next.is_empty()).then(|| {
            let to = self.list(next);
            let from = from.into_boxed_slice();
            self.taken.push(Step { to, from });
            self.taken.len() as StepId - 1
        });
        self.steps.insert((list, child), step);
        step
    }

    /// Returns the preferred place in a list from which the end is reached without another child.
    fn end(&mut self, list: List) -> Option<(u32, PathId)> {
        if let Some(&known) = self.ends.get(&list) {
            return known;
        }
        let mut end = None;
        let mut search = Search::default();
        'found: for (i, &place) in self.lists[list as usize].clone().iter().enumerate() {
            search.begin(place);
            while let Some(found) = search.next(&self.grammar, &mut self.calls) {
                if let Found::End(at) = found {
                    end = Some((i as u32, self.path(&search, at, None)));
                    break 'found;
                }
            }
        }
        self.ends.insert(list, end);
        end
    }

    fn fits(&self, child: ChildKind, symbol: SymbolId, mention: ExprId) -> bool {
        let shown = &self.kinds[child.0 as usize];
        shown.symbol == symbol
            && (shown.contents.is_empty()
                || match self.grammar.expr(mention) {
                    Expr::Symbol { symbol, .. } => shown.contents.contains(&symbol),
                    _ => true,
                })
    }

    fn path(&mut self, search: &Search, at: u32, mention: Option<ExprId>) -> PathId {
        let start = self.events.len();
        let mut next = at;
        while next != NONE {
            let visit = &search.visits[next as usize];
            self.events.extend(visit.event);
            next = visit.before;
        }
        self.events[start..].reverse();
        let events = start as u32..self.events.len() as u32;
        self.paths.push(Path { events, mention });
        PathId(self.paths.len() as u32 - 1)
    }
}

/// The calls by number, and the numbers by call.
#[derive(Debug, Default)]
struct Calls {
    /// The state to return to, and the enclosing call.
    all: Vec<(u32, Call)>,
    ids: FxHashMap<(u32, Call), Call>,
}

impl Calls {
    fn id(&mut self, to: u32, around: Call) -> Call {
        let next = self.all.len() as Call;
        let id = *self.ids.entry((to, around)).or_insert(next);
        if id == next {
            self.all.push((to, around));
        }
        id
    }
}

/// The search for every place that can be reached without a child, in the order of preference.
#[derive(Debug, Default)]
struct Search {
    visits: Vec<Visit>,
    seen: FxHashSet<Place>,
    todo: Vec<Todo>,
}

#[derive(Debug)]
struct Visit {
    place: Place,
    /// The visit before this one, or [`NONE`].
    before: u32,
    event: Option<Event>,
}

#[derive(Debug)]
enum Todo {
    Visit(Visit),
    /// A possible child after a visit.
    Child(u32, SymbolId, ExprId, u32),
}

enum Found {
    /// After a visit, one child of this symbol by this mention leads to this state.
    Child(u32, SymbolId, ExprId, u32),
    /// A visit is at the end of the whole rule.
    End(u32),
}

impl Search {
    /// Returns the number of times that a state is on the path to a visit.
    fn entered(&self, visit: u32, state: u32) -> usize {
        let mut next = visit;
        let mut count = 0;
        while next != NONE {
            let visit = &self.visits[next as usize];
            count += usize::from(visit.place.state == state);
            next = visit.before;
        }
        count
    }

    fn begin(&mut self, place: Place) {
        self.todo.clear();
        self.todo.push(Todo::Visit(Visit {
            place,
            before: NONE,
            event: None,
        }));
    }

    fn next(&mut self, grammar: &Grammar, calls: &mut Calls) -> Option<Found> {
        let automata = grammar.automata();
        loop {
            let visit = match self.todo.pop()? {
                Todo::Child(at, symbol, mention, to) => {
                    return Some(Found::Child(at, symbol, mention, to));
                }
                Todo::Visit(visit) => visit,
            };
            let place = visit.place;
            if self.visits.len() >= MOST_VISITED || !self.seen.insert(place) {
                continue;
            }
            let at = self.visits.len() as u32;
            self.visits.push(visit);
            let go = |state, call, event| {
                Todo::Visit(Visit {
                    place: Place { state, call },
                    before: at,
                    event,
                })
            };
            let edges = automata.edges(place.state);
            // Only the last state of a rule has no edges.
            if edges.is_empty() {
                let Some(&(to, around)) = calls.all.get(place.call as usize) else {
                    return Some(Found::End(at));
                };
                self.todo.push(go(to, around, None));
            }
            // The first edge is preferred, so it is pushed last.
            for &edge in edges.iter().rev() {
                self.todo.push(match edge {
                    Edge::Child(symbol, mention, to) => Todo::Child(at, symbol, mention, to),
                    Edge::Call(symbol, to) => match automata.ends(symbol) {
                        Some((first, _)) if self.entered(at, first) < MOST_ENTERED => {
                            go(first, calls.id(to, place.call), None)
                        }
                        _ => continue,
                    },
                    Edge::Empty(to) => go(to, place.call, None),
                    Edge::Enter(kind, expr, to) => {
                        go(to, place.call, Some(Event::Open(kind, expr)))
                    }
                    Edge::Exit(to) => go(to, place.call, Some(Event::Close)),
                });
            }
        }
    }
}
