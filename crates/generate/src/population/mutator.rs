use super::Member;
use crate::{Choices, MutationFuzzer};

/// A source of seeds and of mutants of members.
pub trait Mutator: Sync {
    /// Returns the seed with the given index, or `None` after the last seed.
    fn seed(&self, number: usize) -> Option<&[u8]>;

    /// Generates a mutant of the member with the given index.
    ///
    /// Members are never removed, so facts that a mutator stores about a member remain true.
    fn mutant(&mut self, members: &[Member], member: usize, choices: &mut Choices) -> Vec<u8>;

    /// Returns whether a text can be a member. Other texts of a reducer are not run.
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
