use super::references::{Needs, References};
use nubbin_edit::fingerprint;
use std::ops::Range;

/// Statements to remove: disjoint ranges, each with all statements within it.
pub(in crate::tree_reducer) type Slice = Box<[Range<u32>]>;

/// Returns the statements of a slice that are not inside another statement of the slice.
pub(in crate::tree_reducer) fn outermost<'a>(
    slice: &'a [Range<u32>],
    references: &'a References,
) -> impl Iterator<Item = u32> + 'a {
    let mut end = 0;
    slice.iter().flat_map(Clone::clone).filter(move |&at| {
        let is_outer = at >= end;
        end = end.max(references.statements[at as usize].end);
        is_outer
    })
}

pub(in crate::tree_reducer) fn print(slice: &[Range<u32>]) -> u128 {
    let bytes: Vec<u8> = slice
        .iter()
        .flat_map(|range| [range.start, range.end])
        .flat_map(u32::to_le_bytes)
        .collect();
    fingerprint(&bytes).0
}

/// Computes slices.
pub(in crate::tree_reducer) struct Slicer<'a> {
    references: &'a References,
    gone: &'a [bool],
    /// The number of the last slice that took each statement.
    seen: Vec<u32>,
    /// The number of the last slice that dropped each entity.
    dropped: Vec<u32>,
    /// The users of each entity that are in the slice with this number.
    lost: Vec<(u32, u32)>,
    /// The remaining users of each entity.
    users: Vec<u32>,
    slice: u32,
    /// The number of statements and users looked at so far.
    pub(in crate::tree_reducer) steps: usize,
}

impl<'a> Slicer<'a> {
    pub(in crate::tree_reducer) fn new(references: &'a References, gone: &'a [bool]) -> Self {
        Slicer {
            seen: vec![0; references.statements.len()],
            dropped: vec![0; references.entities.len()],
            lost: vec![(0, 0); references.entities.len()],
            users: (references.entities.iter())
                .map(|entity| {
                    entity
                        .users
                        .iter()
                        .filter(|&&at| !gone[at as usize])
                        .count() as u32
                })
                .collect(),
            references,
            gone,
            slice: 0,
            steps: 0,
        }
    }

    /// Returns a set of statements with all statements that have to be removed with them.
    pub(in crate::tree_reducer) fn slice(&mut self, seed: &[u32]) -> Slice {
        self.slice += 1;
        let References {
            statements,
            entities,
            ..
        } = self.references;
        let is_left = |at: &&u32| !self.gone[**at as usize];
        let mut todo: Vec<u32> = seed.to_vec();
        let mut taken: Vec<u32> = vec![];
        while let Some(outer) = todo.pop() {
            for at in outer..statements[outer as usize].end {
                self.steps += 1;
                if self.gone[at as usize] || self.seen[at as usize] == self.slice {
                    continue;
                }
                self.seen[at as usize] = self.slice;
                taken.push(at);
                let statement = &statements[at as usize];
                for &entity in &statement.defines {
                    let entity_of = &entities[entity as usize];
                    let definitions = || entity_of.definitions.iter().filter(is_left);
                    let seen = |at: &u32| self.seen[*at as usize] == self.slice;
                    let goes = match entity_of.needs {
                        Needs::All => true,
                        Needs::First => definitions().next().is_some_and(seen),
                    };
                    if goes && self.dropped[entity as usize] != self.slice {
                        self.dropped[entity as usize] = self.slice;
                        self.steps += entity_of.users.len();
                        todo.extend(definitions());
                        todo.extend(entity_of.users.iter().filter(is_left));
                    }
                }
                for &entity in &statement.uses {
                    let lost = &mut self.lost[entity as usize];
                    if lost.0 != self.slice {
                        *lost = (self.slice, 0);
                    }
                    lost.1 += 1;
                    if lost.1 == self.users[entity as usize] {
                        let definitions = &entities[entity as usize].definitions;
                        todo.extend(definitions.iter().filter(is_left));
                    }
                }
            }
        }
        taken.sort_unstable();
        ranges(&taken)
    }
}

/// Returns sorted numbers as ranges.
pub(in crate::tree_reducer) fn ranges(sorted: &[u32]) -> Slice {
    let mut found: Vec<Range<u32>> = vec![];
    for &at in sorted {
        match found.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => found.push(at..at + 1),
        }
    }
    found.into()
}
