use nubbin_edit::Span;

/// A part of an input that the failure is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root {
    /// The bytes of the input.
    pub span: Span,
    /// The distance to the failure.
    pub kind: RootKind,
}

/// The distance of a part of an input to the failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RootKind {
    /// The failure is there.
    Failure,
    /// It is a step on the way to the failure, such as a call or an instantiation.
    Step,
    /// A note on the failure is about it.
    Note,
}
