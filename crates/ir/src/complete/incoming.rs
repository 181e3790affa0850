use crate::module::Span;

/// The value of a phi for one edge.
#[derive(Clone, Debug)]
pub(super) enum Incoming {
    /// A value of the function.
    Value(u32),
    /// A constant, by its text in the module.
    Text(Span),
    /// A constant that the module need not contain.
    Constant(&'static str),
}

impl Incoming {
    /// No value.
    pub(super) const UNDEFINED: Incoming = Incoming::Text(0..0);
}

/// A new phi, which has the value of a variable at the start of a block, or a new selection at the
/// end of a block.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) block: usize,
    pub(super) ty: Span,
    /// The values, each with the predecessor of the block, or with the side of the branch.
    pub(super) entries: Vec<(usize, Incoming)>,
    /// The condition of a selection.
    pub(super) condition: Option<Incoming>,
    /// Whether the new value is needed.
    pub(super) is_live: bool,
}
