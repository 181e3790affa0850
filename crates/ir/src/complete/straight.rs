use super::body::Body;
use super::flow::{Entry, Exit, Flow, Straight, Ways};
use super::incoming::{Incoming, Placed};
use super::statement::Operand;
use crate::module::Op;
use rustc_hash::FxHashMap;

/// A side of a branch: blocks of which each leads only to the next one.
struct Side {
    /// The first block, if there is one.
    first: Option<usize>,
    /// The last block, or the block of the branch.
    last: usize,
    /// The block after the side.
    meet: usize,
}

impl Flow {
    /// Executes both sides of the wanted branches, one after the other, if nothing else leads to
    /// the sides and both sides lead to the same block. A side may contain such a branch.
    pub(super) fn straighten(&mut self, ways: &Ways<'_>, is_wanted: impl Fn(usize) -> bool) {
        let mut todo: Vec<usize> = (0..self.exits.len())
            .filter(|&block| self.is_kept[block] && is_wanted(block))
            .collect();
        loop {
            let count = todo.len();
            // Inner branches usually have higher numbers.
            todo = todo
                .into_iter()
                .rev()
                .filter(|&block| !self.straighten_one(ways, block))
                .collect();
            todo.reverse();
            if todo.len() == count {
                break;
            }
        }
    }

    fn straighten_one(&mut self, ways: &Ways<'_>, branch: usize) -> bool {
        let Some(targets) = self.targets(ways, branch) else {
            return false;
        };
        let [Some(yes), Some(no)] = targets.map(|first| self.side(ways, branch, first)) else {
            return false;
        };
        if yes.meet != no.meet {
            return false;
        }
        let meet = yes.meet;
        let mut sides = [0; 2];
        for (side, last) in sides.iter_mut().zip([yes.last, no.last]) {
            let entries = &mut self.entries[meet];
            let Some(nth) = entries.iter().position(|entry| entry.from == last) else {
                return false;
            };
            *side = entries.remove(nth).via;
        }
        let last = no.first.map_or(yes.last, |_| no.last);
        self.entries[meet].push(Entry {
            from: last,
            via: self.exits.len() + self.straight.len(),
        });
        self.straight.push(Straight {
            branch,
            sides,
            last,
            meet,
        });
        let first = yes.first.or(no.first).unwrap_or(meet);
        self.exits[branch] = Exit::Jump(first);
        if let (Some(_), Some(second)) = (yes.first, no.first) {
            self.exits[yes.last] = Exit::Jump(second);
            for entry in &mut self.entries[second] {
                entry.from = yes.last;
            }
        }
        true
    }

    /// Follows a side of a branch up to the first block to which something else leads as well.
    fn side(&self, ways: &Ways<'_>, branch: usize, first: usize) -> Option<Side> {
        let (mut last, mut at) = (branch, first);
        for _ in 0..=self.exits.len() {
            if self.entries[at].len() > 1 {
                return Some(Side {
                    first: (last != branch).then_some(first),
                    last,
                    meet: at,
                });
            }
            last = at;
            at = self.jump(ways, at)?;
        }
        None
    }

    /// Returns the index in [`Flow::straight`] that the number of an entry means, if it means one.
    pub(super) fn straight_at(&self, via: usize) -> Option<usize> {
        via.checked_sub(self.exits.len())
    }

    /// Returns the blocks that end with a branch whose sides follow each other.
    pub(super) fn straight_branches(&self) -> impl Iterator<Item = usize> {
        self.straight.iter().map(|of| of.branch)
    }
}

impl Body<'_, '_> {
    /// Places selections for the phis of each block in which the sides of a branch meet, if the
    /// sides now follow each other.
    pub(super) fn place_selections(&mut self) {
        // Many branches may have sides that meet in the same block.
        let mut known: FxHashMap<u32, FxHashMap<usize, Operand>> = FxHashMap::default();
        for nth in 0..self.flow.straight.len() {
            let of = self.flow.straight[nth];
            let meet = self.function.blocks.start as usize + of.meet;
            let condition = self.condition(of.branch);
            for at in self.all.module.blocks[meet].instructions.clone() {
                let instruction = &self.all.module.instructions[at as usize];
                let (Op::Phi, Some(result)) = (instruction.op, instruction.result) else {
                    break;
                };
                let ty = self.all.module.values[result as usize].ty.clone();
                let operands = known.entry(at).or_insert_with(|| self.operands(at));
                let values = of.sides.map(|via| self.value_of_edge(at, operands, via));
                let is_same = self.is_same(&values[0], &values[1]);
                let [yes, no] = values;
                let value = match ty {
                    Some(ty) if !is_same => {
                        let value = (self.all.module.values.len() + self.placed.len()) as u32;
                        self.selected_at.entry(of.last).or_default().push(value);
                        self.placed.push(Placed {
                            block: of.last,
                            ty,
                            entries: vec![(of.sides[0], yes), (of.sides[1], no)],
                            condition: Some(condition.clone()),
                            is_live: false,
                        });
                        Incoming::Value(value)
                    }
                    _ => yes,
                };
                self.selected.insert((at, nth), value);
            }
        }
    }

    /// Returns the value of a phi for the edge that `via` identifies.
    pub(super) fn phi_value(&self, at: u32, via: usize) -> Incoming {
        self.value_of_edge(at, &self.operands(at), via)
    }

    /// Returns the selections that are values of a phi.
    pub(super) fn selected_by(&self, at: u32) -> Vec<u32> {
        let block = self.local(self.all.module.instructions[at as usize].block);
        let entries = self.flow.entries[block].iter();
        let values = entries.filter_map(|entry| {
            let nth = self.flow.straight_at(entry.via)?;
            self.resolved_incoming(self.selected.get(&(at, nth))?)
        });
        values.collect()
    }

    /// Returns the lines of the selections at the end of a block.
    pub(super) fn selection_lines(&self, block: usize) -> Vec<u8> {
        let mut lines = vec![];
        for value in self.selected_in(block) {
            let placed = &self.placed[value as usize - self.all.module.values.len()];
            let ty = self.all.module.bytes(&placed.ty);
            let condition = placed.condition.as_ref();
            let condition = condition.map_or(vec![], |of| self.incoming_text(of));
            lines.extend_from_slice(&[b"  ", &self.name(value)[..], b" = select i1 "].concat());
            lines.extend_from_slice(&condition);
            for (_, incoming) in &placed.entries {
                let text = self.incoming_text(incoming);
                lines.extend_from_slice(&[b", ", ty, b" ", &text[..]].concat());
            }
            lines.push(b'\n');
        }
        lines
    }
}
