use nubbin_edit::Span;

/// A part of a file that names other files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The number of the file that it is in.
    pub file: usize,
    /// The part of the input that is removed once all files that it names are removed.
    pub span: Span,
    /// The kind.
    pub kind: StatementKind,
    /// The files that it names, in its order.
    pub names: Vec<Named>,
}

/// The kind of a statement that names files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// An import, or a short line: whole lines that do nothing but name files.
    Lines,
    /// The rule of a build, which is removed with its target, the first name.
    Rule,
    /// An element of a list, with commas or spaces around it.
    Element,
}

/// The name of a file in a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The number of the file.
    pub target: usize,
    /// The part that is removed with this file while other files are left.
    pub span: Span,
}
