use std::ops::Range;

/// The facts about a module that exist only in MLIR, in which operations nest and have several
/// results.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    pub(super) regions: Vec<Region>,
    /// For each block, its region.
    pub(super) block_regions: Vec<u32>,
    /// The operations.
    pub(super) operations: Vec<Operation>,
    /// The types of the values. A value with several parts has several types. The list of types is
    /// empty if they are unknown.
    pub(super) types: Vec<Vec<Range<u32>>>,
    /// The arguments of blocks.
    pub(super) arguments: Vec<Arguments>,
    /// The dictionaries of attributes, in the order of the text.
    pub(super) dictionaries: Vec<Dictionary>,
    /// A number that is not the name of any value.
    pub(super) next_number: u32,
    /// Whether there is an operation of the dialect `arith`.
    pub(super) has_arith: bool,
}

/// A region.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// The text between the braces.
    pub(super) span: Range<u32>,
    /// The operation that contains the region, unless the region is the body of an item.
    pub(super) owner: Option<u32>,
    pub(super) blocks: Range<u32>,
}

/// The facts about an operation that an instruction does not hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Operation {
    /// The name of the operation, without quotes.
    pub(super) name: Range<u32>,
    /// Whether the operation is in the generic form.
    pub(super) is_generic: bool,
    pub(super) function: u32,
    /// The values that the operation defines, each with its parts.
    pub(super) results: Range<u32>,
    /// The end of the operations within the operation.
    pub(super) end: u32,
    pub(super) successors: Vec<Successor>,
}

/// A block to which a terminator leads, with the operands for its arguments.
#[derive(Clone, Debug)]
pub(super) struct Successor {
    /// The text of the block and of the operands.
    pub(super) span: Range<u32>,
    /// The value of the block.
    pub(super) label: u32,
    /// The operands, each by its text; `None` in the generic form, in which they are unknown.
    pub(super) operands: Option<Vec<Range<u32>>>,
}

/// The arguments of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Arguments {
    pub(super) values: Range<u32>,
    /// The text between the parentheses.
    pub(super) list: Option<Range<u32>>,
    /// The text of each argument.
    pub(super) spans: Vec<Range<u32>>,
}

/// A dictionary of attributes.
#[derive(Clone, Debug)]
pub(super) struct Dictionary {
    /// The span of the dictionary, with its braces and the text before it.
    pub(super) span: Range<u32>,
    /// The text between the braces.
    pub(super) inner: Range<u32>,
    /// The entries that can be removed, as words.
    pub(super) words: Range<u32>,
    /// All entries.
    pub(super) entries: Vec<Range<u32>>,
}
