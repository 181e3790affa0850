use super::Member;
use crate::{Choices, MutationFuzzer};

/// A source of seeds and of mutants of members.
pub trait Mutator: Sync {
    /// Returns the seed with an index, or `None` after the last one.
    fn seed(&self, number: usize) -> Option<&[u8]>;

    /// Makes a mutant of the member with an index.
    ///
    /// Members are never removed, so the facts that a mutator knows about one remain true.
    fn mutant(&mut self, members: &[Member], member: usize, choices: &mut Choices) -> Vec<u8>;

    /// Returns whether a text can be a member. A reducer's texts that cannot are not run.
    fn admits(&self, _text: &[u8]) -> bool {
        true
    }
}

impl Mutator for MutationFuzzer {
    fn seed(&self, number: usize) -> Option<&[u8]> {
        MutationFuzzer::seed(self, number)
    }

    fn mutant(&mut self, members: &[Member], member: usize, choices: &mut Choices) -> Vec<u8> {
        let text = members.get(member).map_or(&[][..], |member| &member.text);
        self.mutant_of(text, choices)
    }
}

impl<M: Mutator + ?Sized> Mutator for Box<M> {
    fn seed(&self, number: usize) -> Option<&[u8]> {
        (**self).seed(number)
    }

    fn mutant(&mut self, members: &[Member], member: usize, choices: &mut Choices) -> Vec<u8> {
        (**self).mutant(members, member, choices)
    }

    fn admits(&self, text: &[u8]) -> bool {
        (**self).admits(text)
    }
}
