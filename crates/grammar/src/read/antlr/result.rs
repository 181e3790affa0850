use crate::grammar::{Grammar, Unfinished};

/// A grammar that was read from ANTLR's notation, with notes about its ignored parts.
#[derive(Debug)]
pub struct Antlr {
    /// The grammar that was read.
    pub grammar: Grammar,
    /// Notes about the parts that have no effect in nubbin.
    pub notes: Vec<Note>,
    /// The symbols that are mentioned and that no file defines.
    pub undefined: Option<Unfinished>,
}

/// A note about a part of a grammar that has no effect in nubbin.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    /// The rule, if the part is in one.
    pub rule: Option<String>,
    /// A description of the part and of its treatment.
    pub what: String,
}
