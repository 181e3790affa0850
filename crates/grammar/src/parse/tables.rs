//! The flat tables that the chart reads at every byte.

use super::productions::{Lowered, Step};
use crate::byte_set::ByteSet;
use crate::grammar::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};

/// A dotted production. The dot advances by adding one.
pub(super) type State = u32;

/// The symbol after the dot of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Terminal,
    Nonterminal(u32),
    /// No symbol. The value is the nonterminal that is complete.
    Complete(u32),
}

/// Tables of a lowered grammar.
///
/// Bytes that no terminal distinguishes form one class. For each class of the next byte, `look` has
/// the states that can lead to a parse: the class is in the first set of the part after the dot, or
/// that part can be empty and the class can follow the whole. Most items of a plain chart parser
/// fail this test.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) lowered: Lowered,
    pub(super) next: Vec<Next>,
    /// The production of each state.
    pub(super) production: Vec<u32>,
    /// The first state of each production.
    pub(super) base: Vec<State>,
    /// The rank of each production among the productions of its nonterminal. A lower rank is
    /// preferred.
    pub(super) rank: Vec<u32>,
    /// The states after a nonterminal that alone can derive the left-hand side again.
    pub(super) cyclic: Vec<bool>,
    /// The nonterminals that are at the end of a right-recursive production.
    pub(super) ends_right: Vec<bool>,
    pub(super) nullable: Vec<bool>,
    /// For each nullable nonterminal, the production by which it derives the empty text.
    pub(super) null: Vec<u32>,
    /// For each nonterminal, the productions that it may begin: the state after it, and the
    /// left-hand side.
    pub(super) leads: Vec<Vec<(State, u32)>>,
    /// For each nonterminal, the terminals with which it may begin: the state after, and the
    /// terminal.
    pub(super) shifts: Vec<Vec<(State, u32)>>,
    /// The classes of each terminal, as bits.
    terminals: Vec<Bits>,
    pub(super) classes: Classes,
    /// The states in `look[class * look_words ..]`.
    look: Vec<u64>,
    look_words: usize,
    /// For each nonterminal, the nonterminals with which it can begin (itself among them), for any
    /// next byte.
    corners: Vec<Bits>,
    /// The first sets of nonterminals, over classes.
    first: Vec<Bits>,
    /// The rank of each nonterminal that can be an island. A lower rank is preferred.
    pub(super) islands: Vec<Option<u32>>,
    /// Whether an ambiguity is resolved by the first difference.
    pub(super) leftmost: bool,
}

pub(super) type Bits = Box<[u64]>;

pub(super) fn bits(count: usize) -> Bits {
    vec![0; count.div_ceil(64)].into()
}

pub(super) fn set_bit(bits: &mut [u64], index: usize) {
    bits[index / 64] |= 1 << (index % 64);
}

pub(super) fn has_bit(bits: &[u64], index: usize) -> bool {
    bits[index / 64] & (1 << (index % 64)) != 0
}

/// Adds `from`. Returns whether an element was new.
pub(super) fn add_bits(to: &mut [u64], from: &[u64]) -> bool {
    let mut new = 0;
    for (to, from) in to.iter_mut().zip(from) {
        new |= from & !*to;
        *to |= from;
    }
    new != 0
}

pub(super) fn each_bit(bits: &[u64]) -> impl Iterator<Item = usize> + '_ {
    bits.iter().enumerate().flat_map(|(i, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros() as usize;
            (bit < 64).then(|| {
                rest &= rest - 1;
                i * 64 + bit
            })
        })
    })
}

/// The classes of bytes or tokens that no terminal distinguishes.
#[derive(Debug)]
pub(super) struct Classes {
    by_byte: Vec<u16>,
    by_token: FxHashMap<SymbolId, u16>,
    /// The class of the end of the text, which is the number of the other classes.
    pub(super) end: u16,
}

impl Classes {
    fn of(lowered: &Lowered) -> Self {
        let mut by_byte = vec![0u16; 256];
        let mut by_token = FxHashMap::default();
        let mut count = 1;
        let mut sets: Vec<ByteSet> = vec![];
        for step in lowered.productions.iter().flat_map(|p| &p.rhs) {
            match step {
                Step::Byte { set, .. } => sets.push(*set),
                Step::Token { symbol, .. } => {
                    by_token.entry(*symbol).or_insert_with(|| {
                        count += 1;
                        count - 1
                    });
                }
                Step::Nonterminal { .. } => {}
            }
        }
        sets.sort_unstable();
        sets.dedup();
        for set in sets {
            // Each class with bytes both inside and outside the set is split in two.
            let mut split: FxHashMap<u16, u16> = FxHashMap::default();
            let outside = set.complement();
            for byte in set.iter() {
                let class = by_byte[usize::from(byte)];
                if !outside.iter().any(|b| by_byte[usize::from(b)] == class) {
                    continue;
                }
                split.entry(class).or_insert_with(|| {
                    count += 1;
                    count - 1
                });
            }
            for byte in set.iter() {
                if let Some(&new) = split.get(&by_byte[usize::from(byte)]) {
                    by_byte[usize::from(byte)] = new;
                }
            }
        }
        Classes {
            by_byte,
            by_token,
            end: count,
        }
    }

    pub(super) fn of_byte(&self, byte: u8) -> u16 {
        self.by_byte[usize::from(byte)]
    }

    /// Returns the class of a token. A token that the grammar does not know has a class that no
    /// terminal contains.
    pub(super) fn of_token(&self, symbol: SymbolId) -> u16 {
        self.by_token.get(&symbol).copied().unwrap_or(0)
    }

    fn of_step(&self, step: &Step) -> Bits {
        let mut found = bits(usize::from(self.end) + 1);
        match step {
            Step::Byte { set, .. } => set
                .iter()
                .for_each(|byte| set_bit(&mut found, self.of_byte(byte).into())),
            Step::Token { symbol, .. } => set_bit(&mut found, self.of_token(*symbol).into()),
            Step::Nonterminal { .. } => {}
        }
        found
    }
}

impl Tables {
    pub(super) fn of(lowered: Lowered) -> Self {
        let count = lowered.nonterminals.len();
        let classes = Classes::of(&lowered);
        let width = usize::from(classes.end) + 1;
        let nullable = nullable(&lowered);
        let component = lowered.unit_components(&nullable);
        let null = null_productions(&lowered, &nullable);
        let right = right_recursive(&lowered);

        let mut tables = Tables {
            next: vec![],
            production: vec![],
            base: vec![],
            rank: vec![0; lowered.productions.len()],
            cyclic: vec![],
            ends_right: vec![false; count],
            null,
            leads: vec![vec![]; count],
            shifts: vec![vec![]; count],
            terminals: vec![],
            look: vec![],
            look_words: 0,
            corners: vec![bits(count); count],
            first: vec![bits(width); count],
            nullable,
            islands: vec![None; count],
            classes,
            lowered,
            leftmost: false,
        };
        for (rank, &island) in tables.lowered.islands.iter().enumerate() {
            tables.islands[island as usize] = Some(rank as u32);
        }
        for nonterminal in &tables.lowered.nonterminals {
            for (rank, &production) in nonterminal.productions.iter().enumerate() {
                tables.rank[production as usize] = rank as u32;
            }
        }
        for (index, production) in tables.lowered.productions.iter().enumerate() {
            tables.base.push(tables.next.len() as State);
            let mut leading = true;
            let solid = |step: &&Step| !is_null(&tables.nullable, step);
            let solid = production.rhs.iter().filter(solid).count();
            tables.cyclic.push(false);
            for step in &production.rhs {
                let after = tables.next.len() as State + 1;
                match step {
                    Step::Nonterminal { symbol, .. } => {
                        let x = *symbol as usize;
                        tables.next.push(Next::Nonterminal(*symbol));
                        let others = solid - usize::from(!tables.nullable[x]);
                        let same = component[x] == component[production.lhs as usize];
                        tables.cyclic.push(same && others == 0);
                        if leading {
                            tables.leads[x].push((after, production.lhs));
                        }
                        leading &= tables.nullable[x];
                    }
                    step => {
                        let terminal = tables.terminals.len() as u32;
                        tables.terminals.push(tables.classes.of_step(step));
                        tables.next.push(Next::Terminal);
                        tables.cyclic.push(false);
                        if leading {
                            tables.shifts[production.lhs as usize].push((after, terminal));
                        }
                        leading = false;
                    }
                }
                tables.production.push(index as u32);
            }
            tables.next.push(Next::Complete(production.lhs));
            tables.production.push(index as u32);
            if right[index]
                && let Some(Step::Nonterminal { symbol, .. }) = production.rhs.last()
            {
                tables.ends_right[*symbol as usize] = true;
            }
        }
        tables.find_corners();
        tables.find_look();
        tables
    }

    fn find_corners(&mut self) {
        let mut begins = vec![vec![]; self.corners.len()];
        for (x, leads) in (0..).zip(&self.leads) {
            for &(_, lhs) in leads {
                begins[lhs as usize].push(x);
            }
        }
        // Nonterminals that begin with each other have the same corners, and the components with
        // which they begin come first.
        let component = crate::scc::components(&begins);
        let mut order: Vec<usize> = (0..begins.len()).collect();
        order.sort_unstable_by_key(|&x| component[x]);
        for members in order.chunk_by(|&x, &y| component[x] == component[y]) {
            let mut corners = bits(begins.len());
            for &x in members {
                set_bit(&mut corners, x);
                for &y in &begins[x] {
                    add_bits(&mut corners, &self.corners[y as usize]);
                }
            }
            for &x in members {
                self.corners[x].clone_from(&corners);
            }
        }
        // The first set consists of the terminals that the corners can shift.
        for x in 0..self.corners.len() {
            for corner in each_bit(&self.corners[x]) {
                for &(_, terminal) in &self.shifts[corner] {
                    add_bits(&mut self.first[x], &self.terminals[terminal as usize]);
                }
            }
        }
    }

    /// Replaces the bytes that can come after a nonterminal with the bytes with which the
    /// nonterminal and its continuation can begin.
    fn step_over(&self, symbol: u32, ahead: &mut Bits) {
        let x = symbol as usize;
        if self.nullable[x] {
            add_bits(ahead, &self.first[x]);
        } else {
            ahead.clone_from(&self.first[x]);
        }
    }

    /// Returns the bytes that can come after each nonterminal.
    fn follow(&self) -> Vec<Bits> {
        let width = usize::from(self.classes.end) + 1;
        let mut follow = vec![bits(width); self.nullable.len()];
        // For each nonterminal, the nonterminals that can be followed by the same bytes.
        let mut passed: Vec<Vec<u32>> = vec![vec![]; self.nullable.len()];
        for production in &self.lowered.productions {
            let mut ahead = bits(width);
            let mut is_end = true;
            for step in production.rhs.iter().rev() {
                let Step::Nonterminal { symbol, .. } = step else {
                    ahead = self.classes.of_step(step);
                    is_end = false;
                    continue;
                };
                add_bits(&mut follow[*symbol as usize], &ahead);
                if is_end && *symbol != production.lhs {
                    passed[production.lhs as usize].push(*symbol);
                }
                is_end &= self.nullable[*symbol as usize];
                self.step_over(*symbol, &mut ahead);
            }
        }
        set_bit(
            &mut follow[self.lowered.start as usize],
            self.classes.end.into(),
        );
        // Nonterminals in one component can be followed by the same bytes. Components pass these
        // bytes only to components with lower numbers.
        let component = crate::scc::components(&passed);
        let mut order: Vec<usize> = (0..passed.len()).collect();
        order.sort_unstable_by_key(|&x| std::cmp::Reverse(component[x]));
        for members in order.chunk_by(|&x, &y| component[x] == component[y]) {
            let mut all = bits(width);
            members.iter().for_each(|&x| {
                add_bits(&mut all, &follow[x]);
            });
            for &x in members {
                follow[x].clone_from(&all);
                for &y in &passed[x] {
                    add_bits(&mut follow[y as usize], &all);
                }
            }
        }
        follow
    }

    fn find_look(&mut self) {
        let width = usize::from(self.classes.end) + 1;
        let follow = self.follow();
        // From right to left, this loop computes the bytes that can come after each step, given the
        // bytes after the whole production.
        let mut per_state = vec![bits(0); self.next.len()];
        let mut terminal = self.terminals.len();
        for (index, production) in self.lowered.productions.iter().enumerate().rev() {
            let base = self.base[index] as usize;
            let mut ahead = follow[production.lhs as usize].clone();
            per_state[base + production.rhs.len()] = ahead.clone();
            for (dot, step) in production.rhs.iter().enumerate().rev() {
                match step {
                    Step::Nonterminal { symbol, .. } => self.step_over(*symbol, &mut ahead),
                    _ => {
                        terminal -= 1;
                        ahead.clone_from(&self.terminals[terminal]);
                    }
                }
                per_state[base + dot].clone_from(&ahead);
            }
        }
        self.look_words = self.next.len().div_ceil(64);
        self.look = vec![0; self.look_words * width];
        for (state, classes) in per_state.iter().enumerate() {
            for class in each_bit(classes) {
                let row = &mut self.look[class * self.look_words..][..self.look_words];
                set_bit(row, state);
            }
        }
    }

    /// Returns the states that can lead to a parse if the next byte is of the given class.
    pub(super) fn look(&self, class: u16) -> &[u64] {
        &self.look[usize::from(class) * self.look_words..][..self.look_words]
    }

    /// Returns the nonterminals with which `x` can begin and that can begin with the given class.
    pub(super) fn predict(&self, x: u32, class: u16) -> Bits {
        let mut found = bits(self.nullable.len());
        for corner in each_bit(&self.corners[x as usize]) {
            if has_bit(&self.first[corner], class.into()) {
                set_bit(&mut found, corner);
            }
        }
        found
    }

    /// Returns the nonterminals with which an island can begin and that can begin with the given
    /// class.
    pub(super) fn predict_islands(&self, class: u16) -> Bits {
        let mut found = bits(self.nullable.len());
        for &island in &self.lowered.islands {
            if has_bit(&self.first[island as usize], class.into()) {
                add_bits(&mut found, &self.corners[island as usize]);
            }
        }
        for corner in 0..self.first.len() {
            if has_bit(&found, corner) && !has_bit(&self.first[corner], class.into()) {
                found[corner / 64] &= !(1 << (corner % 64));
            }
        }
        found
    }

    /// Returns all nonterminals with which `x` can begin.
    pub(super) fn corners(&self, x: u32) -> &[u64] {
        &self.corners[x as usize]
    }

    /// Returns the states after a byte of the given class, for predicted nonterminals.
    pub(super) fn shifts(&self, predicted: &[u64], class: u16) -> Box<[State]> {
        let mut found = vec![];
        for x in each_bit(predicted) {
            for &(state, terminal) in &self.shifts[x] {
                if has_bit(&self.terminals[terminal as usize], class.into()) {
                    found.push(state);
                }
            }
        }
        found.into()
    }

    /// Returns the step before the dot.
    pub(super) fn step_before(&self, state: State) -> Step {
        let production = self.production[state as usize];
        let dot = state - self.base[production as usize];
        self.lowered.productions[production as usize].rhs[dot as usize - 1]
    }
}

/// Returns an upper bound of the size of the tables in bytes.
pub(super) fn size(lowered: &Lowered) -> usize {
    let mut tokens = FxHashSet::default();
    let (mut states, mut terminals) = (0usize, 0usize);
    for production in &lowered.productions {
        states += production.rhs.len() + 1;
        for step in &production.rhs {
            if let Step::Token { symbol, .. } = step {
                tokens.insert(*symbol);
            }
            terminals += usize::from(!matches!(step, Step::Nonterminal { .. }));
        }
    }
    let count = lowered.nonterminals.len();
    // There are at most as many classes of bytes as byte values.
    let width = tokens.len() + usize::from(u8::MAX) + 2;
    // The rows are the first sets and the follow sets. Each state counts twice while its rows are
    // built.
    let rows = (2 * count + 2 * states + terminals).saturating_mul(width);
    count.saturating_mul(count).saturating_add(rows) / 8
}

fn is_null(nullable: &[bool], step: &Step) -> bool {
    matches!(step, Step::Nonterminal { symbol, .. } if nullable[*symbol as usize])
}

fn nullable(lowered: &Lowered) -> Vec<bool> {
    let mut nullable = vec![false; lowered.nonterminals.len()];
    // For each nonterminal, the productions of only nonterminals that mention it. For each
    // production, the number of steps that are not known to be nullable.
    let mut mentions = vec![vec![]; lowered.nonterminals.len()];
    let mut left = vec![0u32; lowered.productions.len()];
    let mut todo = vec![];
    for (index, production) in (0u32..).zip(&lowered.productions) {
        let symbols = production.rhs.iter().map_while(|step| match step {
            Step::Nonterminal { symbol, .. } => Some(*symbol),
            _ => None,
        });
        let symbols: Vec<u32> = symbols.collect();
        if symbols.len() < production.rhs.len() {
            continue;
        }
        left[index as usize] = symbols.len() as u32;
        if symbols.is_empty() {
            todo.push(production.lhs);
        }
        symbols
            .into_iter()
            .for_each(|symbol| mentions[symbol as usize].push(index));
    }
    while let Some(symbol) = todo.pop() {
        if std::mem::replace(&mut nullable[symbol as usize], true) {
            continue;
        }
        for &index in &mentions[symbol as usize] {
            left[index as usize] -= 1;
            if left[index as usize] == 0 {
                todo.push(lowered.productions[index as usize].lhs);
            }
        }
    }
    nullable
}

/// Returns for each nullable nonterminal the first production that derives the empty text without a
/// cycle.
fn null_productions(lowered: &Lowered, nullable: &[bool]) -> Vec<u32> {
    let all_null = |index: u32| {
        let rhs = &lowered.productions[index as usize].rhs;
        rhs.iter().all(|step| is_null(nullable, step))
    };
    let symbols = |index: u32| {
        let rhs = lowered.productions[index as usize].rhs.iter();
        rhs.filter_map(|step| match step {
            Step::Nonterminal { symbol, .. } => Some(*symbol),
            _ => None,
        })
    };
    let edges: Vec<Vec<u32>> = lowered
        .nonterminals
        .iter()
        .map(|nonterminal| {
            let null = nonterminal.productions.iter().filter(|&&p| all_null(p));
            null.flat_map(|&p| symbols(p)).collect()
        })
        .collect();
    let component = crate::scc::components(&edges);
    let mut chosen: Vec<Option<u32>> = lowered
        .nonterminals
        .iter()
        .enumerate()
        .map(|(x, nonterminal)| {
            let straight =
                |&p: &u32| all_null(p) && symbols(p).all(|y| component[y as usize] != component[x]);
            nonterminal.productions.iter().copied().find(straight)
        })
        .collect();
    // Each remaining production leads through its own cycle. The first one that is settled leads
    // out of the cycle.
    let mut changed = true;
    while changed {
        changed = false;
        for (x, nonterminal) in lowered.nonterminals.iter().enumerate() {
            if chosen[x].is_none() && nullable[x] {
                let settled =
                    |&p: &u32| all_null(p) && symbols(p).all(|y| chosen[y as usize].is_some());
                chosen[x] = nonterminal.productions.iter().copied().find(settled);
                changed |= chosen[x].is_some();
            }
        }
    }
    chosen.into_iter().map(|p| p.unwrap_or(u32::MAX)).collect()
}

/// Returns the productions whose last nonterminal can end with the left-hand side.
fn right_recursive(lowered: &Lowered) -> Vec<bool> {
    let mut edges = vec![vec![]; lowered.nonterminals.len()];
    let last = |production: &super::productions::Production| match production.rhs.last() {
        Some(Step::Nonterminal { symbol, .. }) => Some(*symbol),
        _ => None,
    };
    for production in &lowered.productions {
        edges[production.lhs as usize].extend(last(production));
    }
    let component = crate::scc::components(&edges);
    let productions = lowered.productions.iter();
    productions
        .map(|production| {
            last(production)
                .is_some_and(|x| component[x as usize] == component[production.lhs as usize])
        })
        .collect()
}
