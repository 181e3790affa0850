use std::ops::Range;

/// The facts about a module in MLIR that others do not have: operations nest, and have several
/// results.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    pub(super) regions: Vec<Region>,
    /// The regions of the blocks.
    pub(super) block_regions: Vec<u32>,
    /// The operations.
    pub(super) operations: Vec<Operation>,
    /// The types of the values: a value with several parts has as many. Empty if they are unknown.
    pub(super) types: Vec<Vec<Range<u32>>>,
    /// The arguments of blocks.
    pub(super) arguments: Vec<Arguments>,
    /// The dictionaries of attributes, in the order of the text.
    pub(super) dictionaries: Vec<Dictionary>,
    /// A number that no value has as its name.
    pub(super) next_number: u32,
    /// Whether some operation is of the dialect `arith`.
    pub(super) has_arith: bool,
}

/// A region.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// The text between the braces.
    pub(super) span: Range<u32>,
    /// The operation, unless it is the body of an item.
    pub(super) owner: Option<u32>,
    pub(super) blocks: Range<u32>,
}

/// An operation, beside what an instruction says of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Operation {
    /// The name, without quotes.
    pub(super) name: Range<u32>,
    /// Whether it is in the generic form.
    pub(super) is_generic: bool,
    pub(super) function: u32,
    /// The values that it defines, each with its parts.
    pub(super) results: Range<u32>,
    /// The end of the operations within it.
    pub(super) end: u32,
    pub(super) successors: Vec<Successor>,
}

/// A block that a terminator leads to, with the operands for its arguments.
#[derive(Clone, Debug)]
pub(super) struct Successor {
    /// The text of the block and of the operands.
    pub(super) span: Range<u32>,
    /// The value of the block.
    pub(super) label: u32,
    /// The operands, each by its text; unknown in the generic form.
    pub(super) operands: Option<Vec<Range<u32>>>,
}

/// The arguments of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Arguments {
    pub(super) values: Range<u32>,
    /// The text in parentheses, without them.
    pub(super) list: Option<Range<u32>>,
    /// The text of each argument.
    pub(super) spans: Vec<Range<u32>>,
}

/// A dictionary of attributes.
#[derive(Clone, Debug)]
pub(super) struct Dictionary {
    /// The text, with its braces and what stands before it.
    pub(super) span: Range<u32>,
    /// The text between the braces.
    pub(super) inner: Range<u32>,
    /// The entries that can be removed: words.
    pub(super) words: Range<u32>,
    /// All entries.
    pub(super) entries: Vec<Range<u32>>,
}
