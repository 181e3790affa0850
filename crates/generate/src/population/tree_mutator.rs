use super::{Member, Mutator};
use crate::{Choices, TreeFuzzer};

/// A mutator of members by their syntax trees.
///
/// Mutants and members fit the grammar, even reduced members, unless the fuzzer has a creator that
/// does not [keep](crate::Creator::keeps_grammar) the grammar.
#[derive(Debug)]
pub struct TreeMutator {
    fuzzer: TreeFuzzer,
    seeds: Vec<Vec<u8>>,
    /// The parent of each member, if it fits the grammar.
    parents: Vec<Option<usize>>,
}

/// The number of attempts to generate a mutant before a member is run again.
const TRIES: u32 = 16;

impl TreeMutator {
    /// Creates a mutator from a fuzzer without parents. Members become parents of the fuzzer.
    pub fn new(fuzzer: TreeFuzzer, seeds: Vec<Vec<u8>>) -> Self {
        TreeMutator {
            fuzzer,
            seeds,
            parents: vec![],
        }
    }
}

impl Mutator for TreeMutator {
    fn seed(&self, number: usize) -> Option<&[u8]> {
        self.seeds.get(number).map(Vec::as_slice)
    }

    fn mutant(&mut self, members: &[Member], member: usize, choices: &mut Choices) -> Vec<u8> {
        for new in members.iter().skip(self.parents.len()) {
            let added = self.fuzzer.add(&new.text).is_ok();
            let parent = added.then(|| self.fuzzer.parents() - 1);
            self.parents.push(parent);
        }
        for _ in 0..TRIES {
            let made = match self.parents.get(member).copied().flatten() {
                Some(parent) => self.fuzzer.mutant_of(parent, choices),
                None => self.fuzzer.mutant(choices),
            };
            if let Some(made) = made {
                return made;
            }
        }
        members
            .get(member)
            .map_or_else(Vec::new, |member| member.text.clone())
    }

    fn admits(&self, text: &[u8]) -> bool {
        !self.fuzzer.keeps_grammar() || self.fuzzer.parser().accepts(text).unwrap_or(false)
    }
}
