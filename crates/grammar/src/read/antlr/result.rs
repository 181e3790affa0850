use crate::grammar::{Grammar, Unfinished};

/// A grammar of ANTLR, with the parts that were left out.
#[derive(Debug)]
pub struct Antlr {
    /// The grammar.
    pub grammar: Grammar,
    /// The parts that have no effect here.
    pub notes: Vec<Note>,
    /// The mentions that no file defines.
    pub undefined: Option<Unfinished>,
}

/// A part of a grammar that has no effect here.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    /// The rule, if the part is in one.
    pub rule: Option<String>,
    /// The description of the part and of what was done with it.
    pub what: String,
}
