use super::id::{ExprId, NameId, SymbolId};

/// A list of expressions of one [`Grammar`](super::Grammar), in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExprList {
    pub(super) start: u32,
    pub(super) len: u32,
}

/// An expression: the body of a rule, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// The empty text.
    Empty,
    /// A mention of a symbol.
    Symbol {
        /// The symbol that is mentioned.
        symbol: SymbolId,
        /// The symbol under which a tree shows this mention, if it differs from the mentioned
        /// symbol.
        alias: Option<SymbolId>,
        /// The name of the field of the child.
        field: Option<NameId>,
    },
    /// A sequence of at least two expressions.
    Sequence(ExprList),
    /// A choice of at least two alternatives; the first one is preferred.
    Choice(ExprList),
    /// An optional part. Unlike a choice with [`Expr::Empty`], it has a node in trees.
    Optional(ExprId),
    /// A repetition.
    Repeat(Repeat),
    /// A body with a precedence, which decides which derivation is preferred.
    Precedence {
        /// The level of precedence. A higher level binds tighter. Among several derivations, the
        /// derivation whose *outermost* choice has the lowest level wins. The default is 0.
        level: i32,
        /// The side to which operators of the same level group.
        associativity: Associativity,
        /// The expression inside.
        body: ExprId,
    },
    /// A body whose text defines, uses, or commits names in scope.
    Scoped {
        /// The expression inside.
        body: ExprId,
        /// The effect on the names.
        scope: Scope,
    },
}

/// A repetition: `body (separator body)*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repeat {
    /// The body of each iteration.
    pub body: ExprId,
    /// The minimum number of iterations.
    pub min: u32,
    /// The maximum number of iterations, or `None` if there is no limit.
    pub max: Option<u32>,
    /// The expression between two iterations.
    pub separator: Option<ExprId>,
}

/// The side to which operators of the same level group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Associativity {
    /// The left side.
    #[default]
    Left,
    /// The right side.
    Right,
}

/// The effect of a part on names that must be defined before they are used.
///
/// A generator obeys scopes. A parser ignores them, except that it allows the text of `otherwise`.
/// A name is first pending and then usable, so that `a = a` does not use the name it defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The text becomes a name of this kind, pending until the next [`Scope::Commits`].
    Defines(NameId),
    /// The text must be a usable name.
    Uses {
        /// The kind of names to which the text must belong.
        name: NameId,
        /// The expression that is used if there is no usable name. If it is `None`, the body is
        /// used.
        otherwise: Option<ExprId>,
    },
    /// The pending names of this kind become usable after the body.
    Commits(NameId),
}
