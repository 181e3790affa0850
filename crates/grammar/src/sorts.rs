//! Rules for the sorts of terms in a language of s-expressions, as data.
//!
//! A reducer that knows the sort of each term can replace a term with a constant of its sort. The
//! types are here; the rules of a language are data of the crate that knows it.

/// Words of a language.
pub type Words = &'static [&'static str];

/// Rules by which the sorts of a script's terms can be guessed.
#[derive(Clone, Copy, Debug)]
pub struct SortRules {
    /// Commands that only this language has: every script has one of them.
    pub commands: Words,
    /// Commands that have a term, with the place of the term among the parts of the command.
    pub terms: &'static [(&'static str, usize)],
    /// First words of lists whose parts are not terms.
    pub no_terms: Words,
    /// Further words that a reducer should not declare, since a solver has a meaning for them.
    pub reserved: Words,
    /// Commands that declare or define a name, which is their second part.
    pub declarations: &'static [Declaration],
    /// Commands that declare datatypes with their constructors and selectors.
    pub datatypes: Words,
    /// The beginning of the name of a function that tests for a constructor, whose name follows.
    pub tester: &'static str,
    /// Commands whose term is a condition.
    pub asserts: Words,
    /// The sort of conditions.
    pub truth: &'static str,
    /// Lists of names that are bound.
    pub binders: &'static [Binder],
    /// First words of lists that annotate their second part, a term.
    pub annotations: Words,
    /// Operators whose value some arguments decide.
    pub connectives: &'static [Connective],
    /// The operator that is false for a true argument, with the literals for true and false.
    pub negation: (&'static str, &'static str, &'static str),
    /// The operator that is true if all its arguments are true.
    pub conjunction: &'static str,
    /// The operator that is true if its arguments are equal.
    pub equality: &'static str,
    /// The operator whose last argument follows from the others.
    pub implication: &'static str,
    /// The operator whose first argument chooses among the others.
    pub conditional: &'static str,
    /// Commands that may replace other commands with more parts.
    pub plain: &'static [(&'static str, &'static str)],
    /// Pairs of commands that open and close a scope.
    pub scopes: &'static [(&'static str, &'static str)],
    /// Literals with their sorts. The first entry that fits counts.
    pub literals: &'static [(Literal, LiteralSort)],
    /// Operators with the sorts that they give. The first entry that fits counts.
    pub operators: &'static [(Operator, Gives)],
    /// The first word of a head that states the sort that an application has, as its third part.
    pub ascription: &'static str,
    /// Operators with numbers in their heads, by the second part of the head.
    pub indexed: &'static [(Words, Indexed)],
    /// The simplest terms of a sort, best first.
    pub least: &'static [(&'static str, Words)],
    /// Further simple terms of some sorts, which are tried after all others.
    pub next_least: &'static [(&'static str, &'static str)],
    /// The spelling of sorts and literals of bit vectors.
    pub vectors: Vectors,
}

/// An operator of which one argument may be left out, or decides about the value.
#[derive(Clone, Copy, Debug)]
pub struct Connective {
    /// The operators.
    pub operators: Words,
    /// The arguments that do not change the value.
    pub neutral: Words,
    /// The arguments that are the value, for any other arguments.
    pub absorbing: Words,
}

/// A command that declares or defines a name.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// The first word of the command.
    pub command: &'static str,
    /// The index of the list of parameters. A constant has no such list.
    pub parameters: Option<usize>,
    /// The index of the sort. A command that declares a sort has no such index.
    pub sort: Option<usize>,
    /// Whether the last part of the command is the term for which the name stands.
    pub has_body: bool,
}

/// A list of bound names, each in a list with its sort or its term.
#[derive(Clone, Copy, Debug)]
pub struct Binder {
    /// The first word of the enclosing list.
    pub head: &'static str,
    /// The index of the list of bound names in the enclosing list.
    pub at: usize,
    /// The meaning of the part next to each name.
    pub to: BoundTo,
    /// Whether the last part is a term in which the names are bound, which may occur without the
    /// binder.
    pub may_go: bool,
}

/// The meaning of the part next to a bound name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundTo {
    /// The term for which the name stands.
    Term,
    /// The sort of the name.
    Sort,
}

/// The form of a literal.
#[derive(Clone, Copy, Debug)]
pub enum Literal {
    /// One of these words.
    Is(Words),
    /// A word with one of these beginnings.
    Begins(&'static str),
    /// A number with a point.
    Decimal,
    /// A number without a point.
    Numeral,
}

/// The sort of a literal.
#[derive(Clone, Copy, Debug)]
pub enum LiteralSort {
    /// This sort.
    Sort(&'static str),
    /// A bit vector, with this many bits for each character after the beginning.
    Bits(usize),
}

/// A rule that matches names of operators.
#[derive(Clone, Copy, Debug)]
pub enum Operator {
    /// One of these names.
    Is(Words),
    /// All names with one of these beginnings.
    Begins(Words),
}

/// The sort that an operator gives.
#[derive(Clone, Copy, Debug)]
pub enum Gives {
    /// This sort.
    Sort(&'static str),
    /// The sort of the first of these arguments whose sort is known.
    Argument(&'static [usize]),
    /// The sort of the first argument whose sort is known.
    AnyArgument,
    /// The part at this place of the first argument's sort, such as the sort of the elements of an
    /// array.
    PartOfSort(usize),
    /// A bit vector as wide as all arguments together.
    WidthsTogether,
    /// The sort of an indexed literal and not of an operator: the first argument is the literal of
    /// a bit vector, and the second is its width.
    VectorLiteral,
}

/// The sort that an operator with numbers gives. The numbers are the third and fourth part of the
/// head.
#[derive(Clone, Copy, Debug)]
pub enum Indexed {
    /// This sort.
    Sort(&'static str),
    /// The sort of the argument.
    Argument,
    /// A bit vector from the first number down to the second.
    Range,
    /// A bit vector wider than the argument by the first number.
    Wider,
    /// A bit vector whose width is the argument's width times the first number.
    Times,
    /// A bit vector as wide as the first number.
    Width,
    /// A sort with both numbers, which is written with this before and after them.
    Numbers(&'static str, &'static str),
}

/// The spelling of bit vectors.
#[derive(Clone, Copy, Debug)]
pub struct Vectors {
    /// The text before the width in a sort.
    pub sort_before: &'static str,
    /// The text after the width in a sort.
    pub sort_behind: &'static str,
    /// The beginning of a literal of bits.
    pub binary: &'static str,
    /// The beginning of a literal of hexadecimal digits.
    pub hexadecimal: &'static str,
    /// The first word of an indexed literal or sort.
    pub index: &'static str,
    /// The text before the number in an indexed literal.
    pub number: &'static str,
}
