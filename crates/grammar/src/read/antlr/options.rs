use std::collections::BTreeMap;

/// The meaning of the code in an ANTLR grammar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The values of predicates by their names. Other predicates count as true, with a note.
    ///
    /// A predicate has a name if its code is a name or a call: any number of `!`, which negate, a
    /// path such as `this.p`, `this->p`, `Base::p`, or `$p`, and arguments or none. The name is the
    /// last component of the path. Predicates that differ in their receiver or arguments share a
    /// name.
    pub predicates: BTreeMap<String, bool>,
}
