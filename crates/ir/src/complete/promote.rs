use super::body::Body;
use super::flow::Flow;
use super::incoming::{Incoming, Placed};
use crate::module::Span;
use crate::variables::{Access, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

impl Body<'_, '_> {
    /// Replaces the variables of the change with values.
    ///
    /// A load has the value of the store before it. Where edges with different values meet before a
    /// load, a new phi has these values. A phi of one value is replaced with that value.
    ///
    /// Source: R. Cytron, J. Ferrante, B. K. Rosen, M. N. Wegman, F. K. Zadeck, "Efficiently
    /// Computing Static Single Assignment Form and the Control Dependence Graph", 1991, for phis
    /// where the variable is live; M. Braun, S. Buchwald, S. Hack, R. Leißa, C. Mallon, A. Zwinkau,
    /// "Simple and Efficient Construction of Static Single Assignment Form", 2013, for the removal
    /// of those of one value, in the place of dominance frontiers.
    pub(super) fn promote(&mut self) {
        let module = self.all.module;
        let change = self.all.change;
        let instructions = self.instructions();
        let mut wanted = change.variables.iter();
        if self.function.is_rigid || !wanted.any(|at| instructions.contains(&at)) {
            return;
        }
        let variables: Vec<(u32, Variable)> = module
            .variables_of(self.index)
            .into_iter()
            .filter(|(at, _)| change.variables.contains(*at))
            .collect();
        for (at, variable) in &variables {
            self.promote_variable(variable);
            let accesses = variable.accesses.iter().map(|access| access.at);
            let statements = variable.statements.iter().copied();
            for at in accesses.chain(statements).chain([*at]) {
                self.all.removed.insert(at);
            }
        }
        self.shorten_chains();
        self.remove_trivial();
        self.shorten_chains();
    }

    /// Replaces each value in a chain of replacements with the last value of its chain, since a
    /// value may pass through any number of variables. Values that replace each other in a cycle
    /// become undefined.
    fn shorten_chains(&mut self) {
        let starts: Vec<u32> = self.phis.keys().copied().collect();
        for start in starts {
            let mut chain = vec![start];
            let mut seen: FxHashSet<u32> = chain.iter().copied().collect();
            let last = loop {
                let at = chain[chain.len() - 1];
                match self.phis.get(&at) {
                    Some(Incoming::Value(next)) if !self.phis.contains_key(next) => {
                        break Incoming::Value(*next);
                    }
                    Some(Incoming::Value(next)) if seen.insert(*next) => chain.push(*next),
                    Some(Incoming::Value(_)) | None => break Incoming::UNDEFINED,
                    Some(text) => break text.clone(),
                }
            };
            for at in chain {
                self.phis.insert(at, last.clone());
            }
        }
    }

    /// Gives the loads of a variable their values.
    fn promote_variable(&mut self, variable: &Variable) {
        let module = self.all.module;
        let change = self.all.change;
        // For each block, the remaining accesses of the variable.
        let mut blocks: FxHashMap<usize, Vec<&Access>> = FxHashMap::default();
        for access in &variable.accesses {
            let block = self.local(module.instructions[access.at as usize].block);
            if self.flow.is_kept[block] && !change.instructions.contains(access.at) {
                blocks.entry(block).or_default().push(access);
            }
        }
        let mut reaching = Reaching::default();
        // The loads that read the value at the start of their block.
        let mut first: Vec<(usize, u32)> = vec![];
        for (&block, accesses) in &blocks {
            let mut value: Option<Incoming> = None;
            for access in accesses {
                let result = module.instructions[access.at as usize].result;
                match (&access.stored, &value, result) {
                    (Some(text), ..) => value = Some(self.stored(access.at, text)),
                    (None, Some(value), Some(result)) => {
                        self.phis.insert(result, value.clone());
                    }
                    (None, None, Some(result)) => first.push((block, result)),
                    _ => {}
                }
            }
            reaching.last.extend(value.map(|value| (block, value)));
        }
        first.sort_unstable();
        self.place_phis(&variable.ty, &mut reaching, &first);
        for (block, result) in first {
            let value = reaching.at_start(&self.flow, block);
            self.phis.insert(result, value);
        }
        let placed: Vec<u32> = reaching.placed.values().copied().collect();
        for value in placed {
            let Some(phi) = self.placed(value) else {
                continue;
            };
            let before = before(&self.flow, self.placed[phi].block).into_iter();
            let entries = before.map(|from| (from, reaching.at_end(&self.flow, from)));
            self.placed[phi].entries = entries.collect();
        }
    }

    /// Places phis where edges meet before some blocks, and after the last store.
    fn place_phis(&mut self, ty: &Span, reaching: &mut Reaching, needed: &[(usize, u32)]) {
        let mut is_live: FxHashSet<usize> = needed.iter().map(|(block, _)| *block).collect();
        let mut todo: Vec<usize> = is_live.iter().copied().collect();
        let mut meets = vec![];
        while let Some(block) = todo.pop() {
            let before = before(&self.flow, block);
            if before.len() > 1 {
                meets.push(block);
            }
            for from in before {
                if !reaching.last.contains_key(&from) && is_live.insert(from) {
                    todo.push(from);
                }
            }
        }
        meets.sort_unstable();
        for block in meets {
            let value = (self.all.module.values.len() + self.placed.len()) as u32;
            reaching.placed.insert(block, value);
            self.placed_at.entry(block).or_default().push(value);
            self.placed.push(Placed {
                block,
                ty: ty.clone(),
                entries: vec![],
                condition: None,
                is_live: false,
            });
        }
    }

    /// Returns the value that a store stores, whose text this is.
    fn stored(&mut self, at: u32, text: &Span) -> Incoming {
        let value = self.incoming_of(at, text);
        if let Incoming::Text(text) = &value {
            self.keep_uses(text);
        }
        value
    }

    /// Keeps the items that a text names.
    pub(super) fn keep_uses(&mut self, text: &Span) {
        let uses = &self.all.module.uses;
        let first = uses.partition_point(|used| used.span.start < text.start);
        let last = uses.partition_point(|used| used.span.start < text.end);
        self.all.kept_uses.extend(first as u32..last as u32);
    }

    /// Replaces phis of one value with that value, until there are none.
    fn remove_trivial(&mut self) {
        let count = self.all.module.values.len() as u32;
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for value in count..count + self.placed.len() as u32 {
                if self.phis.contains_key(&value) {
                    continue;
                }
                if let Some(only) = self.only_value(value) {
                    self.phis.insert(value, only);
                    is_changed = true;
                }
            }
        }
    }

    /// Returns the only value of a new phi other than the phi itself, if there is just one.
    fn only_value(&self, value: u32) -> Option<Incoming> {
        let phi = self.placed(value)?;
        let mut only: Option<Incoming> = None;
        for (_, incoming) in &self.placed[phi].entries {
            let incoming = self.origin(incoming);
            match (&incoming, &only) {
                (Incoming::Value(other), _) if *other == value => {}
                (one, Some(other)) if self.is_same(one, other) => {}
                (_, Some(_)) => return None,
                (_, None) => only = Some(incoming),
            }
        }
        Some(only.unwrap_or(Incoming::UNDEFINED))
    }

    /// Returns the value that replaces other values.
    fn origin(&self, incoming: &Incoming) -> Incoming {
        let mut at = incoming;
        for _ in 0..=self.phis.len() {
            match at {
                Incoming::Value(value) => match self.phis.get(value) {
                    Some(next) => at = next,
                    None => return at.clone(),
                },
                Incoming::Text(_) | Incoming::Constant(_) => return at.clone(),
            }
        }
        Incoming::UNDEFINED
    }

    /// Returns the index of the new phi if the value is a new phi.
    pub(super) fn placed(&self, value: u32) -> Option<usize> {
        let phi = (value as usize).checked_sub(self.all.module.values.len())?;
        (phi < self.placed.len()).then_some(phi)
    }

    /// Returns the values of a new phi.
    pub(super) fn values_of_placed(&self, phi: usize) -> Vec<u32> {
        let placed = &self.placed[phi];
        let entries = placed.entries.iter().map(|(_, incoming)| incoming);
        let values = entries.chain(&placed.condition);
        let values = values.filter_map(|incoming| self.resolved_incoming(incoming));
        values.collect()
    }

    /// Removes the new phis that are not needed.
    pub(super) fn keep_placed(&mut self, is_needed: &[bool]) {
        for (phi, is_needed) in is_needed.iter().enumerate() {
            self.placed[phi].is_live = *is_needed;
            if *is_needed {
                self.keep_uses(&self.placed[phi].ty.clone());
            }
        }
    }

    /// Returns the new phis of a block.
    pub(super) fn placed_in(&self, block: usize) -> Vec<u32> {
        self.live_of(self.placed_at.get(&block))
    }

    /// Returns the new selections at the end of a block.
    pub(super) fn selected_in(&self, block: usize) -> Vec<u32> {
        self.live_of(self.selected_at.get(&block))
    }

    fn live_of(&self, values: Option<&Vec<u32>>) -> Vec<u32> {
        let values = values.into_iter().flatten().copied();
        let is_live = |value: &u32| {
            self.placed(*value)
                .is_some_and(|phi| self.placed[phi].is_live)
        };
        values.filter(is_live).collect()
    }

    /// Returns the lines of the new phis of a block.
    pub(super) fn placed_lines(&self, block: usize) -> Vec<u8> {
        let mut lines = vec![];
        for value in self.placed_in(block) {
            let placed = &self.placed[value as usize - self.all.module.values.len()];
            let ty = self.all.module.bytes(&placed.ty);
            lines.extend_from_slice(&[b"  ", &self.name(value)[..], b" = phi ", ty].concat());
            let mut separator: &[u8] = b" [ ";
            for entry in &self.flow.entries[block] {
                let entries = &placed.entries;
                // The entries are sorted by their blocks.
                let nth = entries.binary_search_by_key(&entry.from, |(from, _)| *from);
                let text = nth.map_or(vec![], |nth| self.incoming_text(&entries[nth].1));
                let name = self.block_name(entry.from);
                lines.extend_from_slice(&[separator, &text, b", ", &name, b" ]"].concat());
                separator = b", [ ";
            }
            lines.push(b'\n');
        }
        lines
    }
}

/// The values of a variable.
#[derive(Default)]
struct Reaching {
    /// The values at the end of blocks that store the variable.
    last: FxHashMap<usize, Incoming>,
    /// The values at the start of blocks with a new phi.
    placed: FxHashMap<usize, u32>,
    /// The values at the start of blocks that were requested, and of blocks on the way to them.
    known: FxHashMap<usize, Incoming>,
}

impl Reaching {
    /// Returns the value at the beginning of a block.
    fn at_start(&mut self, flow: &Flow, block: usize) -> Incoming {
        let mut passed = vec![block];
        let value = loop {
            let block = passed[passed.len() - 1];
            if let Some(value) = self.placed.get(&block) {
                break Incoming::Value(*value);
            }
            if let Some(value) = self.known.get(&block) {
                break value.clone();
            }
            let [from] = before(flow, block)[..] else {
                break Incoming::UNDEFINED;
            };
            if let Some(value) = self.last.get(&from) {
                break value.clone();
            }
            // The walk has reached a cycle of blocks that is not reachable.
            if passed.len() > flow.entries.len() {
                break Incoming::UNDEFINED;
            }
            passed.push(from);
        };
        let passed = passed.into_iter().map(|block| (block, value.clone()));
        self.known.extend(passed);
        value
    }

    /// Returns the value at the end of a block.
    fn at_end(&mut self, flow: &Flow, block: usize) -> Incoming {
        match self.last.get(&block) {
            Some(value) => value.clone(),
            None => self.at_start(flow, block),
        }
    }
}

/// Returns the blocks that lead to a block, each once.
fn before(flow: &Flow, block: usize) -> Vec<usize> {
    let mut before: Vec<usize> = flow.entries[block].iter().map(|entry| entry.from).collect();
    before.sort_unstable();
    before.dedup();
    before
}
