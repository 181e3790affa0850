use super::SymbolId;

/// An expression of one [`Grammar`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub(crate) u32);

/// A name given to a child, or to a set of names in scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(pub(crate) u32);

impl ExprId {
    /// Its place in the arena. Parts of an expression come before it.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl NameId {
    /// Its place among the names of the grammar.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Expressions in a row, in the order of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExprList {
    pub(super) start: u32,
    pub(super) len: u32,
}

/// An expression: what the body of a rule is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// Nothing.
    Empty,
    /// A symbol, perhaps under another name, perhaps with a field name for the child.
    Symbol {
        /// Which.
        symbol: SymbolId,
        /// What a tree calls it here instead.
        alias: Option<SymbolId>,
        /// The role of the child.
        field: Option<NameId>,
    },
    /// One after the other; at least two.
    Sequence(ExprList),
    /// One of these, the first preferred; at least two.
    Choice(ExprList),
    /// Once or not at all. Not the same as a choice with [`Expr::Empty`]: trees have a node for it.
    Optional(ExprId),
    /// Several times.
    Repeat(Repeat),
    /// The body, with a say in which derivation is preferred.
    Precedence {
        /// Binds tighter the higher it is: of several derivations, the one whose *outermost* choice
        /// has the lowest level wins. 0 where nothing is said.
        level: i32,
        /// To which side equal ones group.
        associativity: Associativity,
        /// What it is about.
        body: ExprId,
    },
    /// The body, whose text has to do with names in scope.
    Scoped {
        /// What it is about.
        body: ExprId,
        /// What happens to the names.
        scope: Scope,
    },
}

/// A repetition: `body (separator body)*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repeat {
    /// What is repeated.
    pub body: ExprId,
    /// At least this often.
    pub min: u32,
    /// At most this often.
    pub max: Option<u32>,
    /// What stands between two iterations.
    pub separator: Option<ExprId>,
}

/// To which side operators of the same level group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Associativity {
    /// To the left, as everything does where nothing is said.
    #[default]
    Left,
    /// To the right.
    Right,
}

/// Names that must be defined before they are used: the context-sensitive part.
///
/// A parser does not check it (except that the text of `otherwise` is allowed); a generator obeys
/// it. Names pass from pending to usable, so that `a = a` does not use what it defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The text becomes a name, pending until the next [`Scope::Commits`].
    Defines(NameId),
    /// The text must be a usable name.
    Uses {
        /// Of which kind of names.
        name: NameId,
        /// What stands there while there is no such name; without it, anything goes.
        otherwise: Option<ExprId>,
    },
    /// What is pending becomes usable, after the body.
    Commits(NameId),
}
