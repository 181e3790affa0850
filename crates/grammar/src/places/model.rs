use crate::grammar::{ExprId, SymbolId};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex};

/// A table of the symbols that may take the place of each mention of a symbol in a grammar.
///
/// A child of a node is an instance of a mention ([`Node::expr`](crate::tree::Node::expr)). The
/// same position may have any symbol that the alternatives around that mention derive alone, and
/// any symbol that these symbols derive alone, by
/// [`Facts::stands_for`](crate::facts::Facts::stands_for). If the mention is a whole alternative of
/// a rule that trees do not show, the other alternatives of that rule count, wherever the rule is
/// used. C's `_expression` is such a rule.
///
/// The first lookup of a mention computes its symbols; later lookups read a table.
#[derive(Debug)]
pub struct Places {
    /// The expression around each expression; `None` for the body of a rule.
    pub(super) around: Vec<Option<ExprId>>,
    /// The rule of each body.
    pub(super) body_of: FxHashMap<ExprId, SymbolId>,
    /// The mentions that have been looked up.
    pub(super) known: Mutex<FxHashMap<ExprId, Arc<[SymbolId]>>>,
}
