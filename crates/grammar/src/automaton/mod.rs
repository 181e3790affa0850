//! The child-sequence automaton, which describes the children that a node of a rule may have.
//!
//! The automaton of a rule is its body as a nondeterministic automaton over child symbols. A symbol
//! that trees do not show is a call of the automaton of its own rule, so that recursive hidden
//! rules work. A token that trees do not show takes no child. The automaton decides about changes
//! of trees: whether a node may have given children ([`Automata::accepts`]), and which of these
//! children it may keep ([`Automata::nearest`]). The quantifiers around given children are found by
//! walking its [edges](Edge).

mod build;
mod model;

pub use model::{Automata, Edge};
