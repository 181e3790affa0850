use crate::module::Use;

/// An operation that is being read.
#[derive(Debug, Default)]
pub(super) struct Open {
    /// The first token, and the token of the name.
    pub(super) first: usize,
    pub(super) name: usize,
    /// The operation, if it is in a block.
    pub(super) instruction: Option<u32>,
    /// The number of brackets around the next token, without brackets of regions.
    pub(super) depth: u32,
    /// The tokens since the last region that name values, symbols, and blocks.
    pub(super) names: Vec<usize>,
    /// The tokens of the uses before the last region.
    pub(super) uses: Vec<Use>,
    /// The unresolved uses, as pairs of an index in `uses` and a token.
    pub(super) waiting: Vec<(usize, usize)>,
    pub(super) labels: Vec<usize>,
    pub(super) dictionaries: Vec<usize>,
    pub(super) regions: u32,
    /// The brace of the first region.
    pub(super) brace: Option<usize>,
    pub(super) is_alias: bool,
    /// The function whose body the operation is, if it is an item.
    pub(super) function: Option<u32>,
}
