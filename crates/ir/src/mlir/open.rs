use crate::module::Use;

/// An operation that is being read.
#[derive(Debug, Default)]
pub(super) struct Open {
    /// The first token, and that of the name.
    pub(super) first: usize,
    pub(super) name: usize,
    /// The operation, if it is in a block.
    pub(super) instruction: Option<u32>,
    /// The brackets around the next token, without those of regions.
    pub(super) depth: u32,
    /// The tokens since the last region that name values, symbols, and blocks.
    pub(super) names: Vec<usize>,
    /// The tokens of the uses before the last region.
    pub(super) uses: Vec<Use>,
    /// The uses that are to be resolved: the place in `uses`, and the token.
    pub(super) waiting: Vec<(usize, usize)>,
    pub(super) labels: Vec<usize>,
    pub(super) dictionaries: Vec<usize>,
    pub(super) regions: u32,
    /// The brace of the first region.
    pub(super) brace: Option<usize>,
    pub(super) is_alias: bool,
    /// The function of the body of an item.
    pub(super) function: Option<u32>,
}
