use super::flow::{Exit, Flow, State};
use super::shape::{Merge, Shape};
use crate::module::Op;

/// Chooses the headers that keep their statements about constructs. Returns the headers of loops
/// that must keep their statements but no longer lead back.
///
/// Source of the rules: the SPIR-V Specification, section "Structured Control Flow".
pub(super) fn settle(flow: &mut Flow, shape: &Shape, successors: &[Vec<usize>]) -> Vec<usize> {
    let mut broken = vec![];
    // The headers of inner constructs come after the header of their outer construct.
    for header in (0..shape.blocks.len()).rev() {
        let Some(merge) = flow.merges[header].filter(|_| flow.states[header] != State::Gone) else {
            continue;
        };
        let of = Construct {
            flow: &*flow,
            successors,
            header,
            merge,
        };
        match merge.continues {
            None => {
                let Exit::Jump(to) = flow.exits[header] else {
                    continue;
                };
                if shape.blocks[header].op != Some(Op::Switch) || of.is_left_by_its_own_blocks() {
                    flow.merges[header] = None;
                } else {
                    // An inner construct may only be left towards the end of a switch.
                    let count = shape.blocks[header].successors.len();
                    let mut targets = vec![None; count];
                    targets[0] = Some(to);
                    flow.exits[header] = Exit::Other(targets);
                }
            }
            Some(continues) if !of.is_repeated() => {
                let choices = of.choices();
                match choices[..] {
                    [] if of.is_left_by_its_own_blocks() => flow.merges[header] = None,
                    [only] if of.can_move_to(only) => {
                        flow.merges[header] = None;
                        flow.merges[only] = Some(Merge {
                            continues: None,
                            ..merge
                        });
                    }
                    _ if flow.states[continues] != State::Gone => broken.push(header),
                    _ => {}
                }
            }
            Some(_) => {}
        }
    }
    broken
}

/// A construct: the blocks that a header dominates, without those after it.
struct Construct<'a> {
    flow: &'a Flow,
    successors: &'a [Vec<usize>],
    header: usize,
    merge: Merge,
}

impl Construct<'_> {
    /// Returns whether a block of the construct leads back to the header.
    fn is_repeated(&self) -> bool {
        let mut all = self.successors.iter().enumerate();
        all.any(|(block, to)| {
            to.contains(&self.header) && self.flow.dominators.has(self.header, block)
        })
    }

    /// Returns whether a construct has a block.
    fn has(&self, header: usize, merge: &Merge, block: usize) -> bool {
        let dominators = &self.flow.dominators;
        dominators.has(header, block) && !dominators.has(merge.behind, block)
    }

    /// Returns the constructs in this one, by their headers.
    fn inner(&self) -> impl Iterator<Item = (usize, &Merge)> {
        let all = self.flow.merges.iter().enumerate();
        let all = all.filter_map(|(header, merge)| Some((header, merge.as_ref()?)));
        all.filter(|&(header, _)| {
            header != self.header
                && self.flow.states[header] != State::Gone
                && self.has(self.header, &self.merge, header)
        })
    }

    /// Returns whether no block of an inner construct leads after this one.
    fn is_left_by_its_own_blocks(&self) -> bool {
        let leaves = |block: usize| self.successors[block].contains(&self.merge.behind);
        let leaving: Vec<usize> = (0..self.successors.len())
            .filter(|&block| leaves(block))
            .collect();
        self.inner()
            .all(|(header, merge)| !leaving.iter().any(|&block| self.has(header, merge, block)))
    }

    /// Returns the blocks with several successors and without a statement, which are in no inner
    /// loop.
    fn choices(&self) -> Vec<usize> {
        let is_choice = |block: &usize| {
            let is_header = *block != self.header && self.flow.merges[*block].is_some();
            self.successors[*block].len() > 1 && !is_header
        };
        let blocks = (0..self.successors.len()).filter(is_choice);
        let blocks = blocks.filter(|&block| self.has(self.header, &self.merge, block));
        let is_within = |block: usize| {
            let mut loops = self.inner().filter(|(_, merge)| merge.continues.is_some());
            loops.any(|(header, merge)| self.has(header, merge, block))
        };
        blocks.filter(|&block| !is_within(block)).collect()
    }

    /// Returns whether the statement of a loop that runs once can become one of a block in it.
    fn can_move_to(&self, block: usize) -> bool {
        let behind = self.merge.behind;
        let leads_behind = self.successors[block].contains(&behind);
        leads_behind
            && self.flow.dominators.has(block, behind)
            && self.is_left_by_its_own_blocks()
            && self
                .inner()
                .all(|(header, merge)| !self.has(header, merge, block))
    }
}
