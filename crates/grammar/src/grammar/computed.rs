//! The facts, automata, and places of a grammar, each computed on the first call.

use super::Grammar;
use crate::automaton::Automata;
use crate::facts::Facts;
use crate::places::Places;

impl Grammar {
    /// Returns the facts that follow from the grammar. The facts are computed on the first call.
    pub fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| Facts::of(self))
    }

    /// Returns the child-sequence automata. The automata are computed on the first call.
    pub fn automata(&self) -> &Automata {
        self.automata.get_or_init(|| Automata::of(self))
    }

    /// Returns the table of symbols that may occur at each mention. An entry is computed on its
    /// first lookup.
    pub fn places(&self) -> &Places {
        self.places.get_or_init(|| Places::of(self))
    }
}
