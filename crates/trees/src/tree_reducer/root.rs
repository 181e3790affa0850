use nubbin_edit::Span;

/// A part of an input to which the failure refers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root {
    /// The span of the part in the input.
    pub span: Span,
    /// The relation of the part to the failure.
    pub kind: RootKind,
}

/// The relation of a part of an input to the failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RootKind {
    /// The failure is at this part.
    Failure,
    /// The part is a step on the way to the failure, such as a call or an instantiation.
    Step,
    /// A note on the failure refers to the part.
    Note,
}
