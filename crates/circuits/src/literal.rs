/// A variable or its negation. Variable 0 is the constant false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal(u32);

impl Literal {
    /// The constant false.
    pub const FALSE: Literal = Literal(0);

    /// The constant true.
    pub const TRUE: Literal = Literal(1);

    /// Returns the literal of a variable that is not negated.
    pub const fn positive(variable: u32) -> Self {
        Literal(variable << 1)
    }

    /// Returns the literal with the given number in AIGER: twice the variable, plus one if the
    /// literal is negated.
    pub const fn from_code(code: u32) -> Self {
        Literal(code)
    }

    /// Returns the number of the literal in AIGER.
    pub const fn code(self) -> u32 {
        self.0
    }

    /// Returns the variable.
    pub const fn variable(self) -> u32 {
        self.0 >> 1
    }

    /// Returns whether the variable is negated.
    pub const fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Returns the literal, negated if `negate` is `true`.
    #[must_use]
    pub const fn negated_if(self, negate: bool) -> Self {
        Literal(self.0 ^ negate as u32)
    }
}
