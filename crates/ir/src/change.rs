use crate::Set;
use crate::module::Module;
use rustc_hash::FxHashMap;

/// A change of a [`Module`], without the changes that follow from it. [`Module::complete`] adds
/// these.
///
/// A change that contains another one removes at least as much.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// Instructions to remove. Their results become undefined, and stores to their results are
    /// removed.
    pub instructions: Set,
    /// Blocks to remove. A branch to a removed block leads to the first remaining block after it.
    pub blocks: Set,
    /// Terminators, each with the index of the one successor that it keeps, or [`Change::NO_EDGE`]
    /// for a return instead.
    pub edges: FxHashMap<u32, u32>,
    /// Items whose body or initializer is removed.
    pub bodies: Set,
    /// Items to remove. Their uses become undefined.
    pub items: Set,
    /// Values that are parameters to remove, with the arguments of all calls.
    pub parameters: Set,
    /// Functions that return nothing after the change.
    pub results: Set,
    /// Functions, each with another value of the function to return, which may be defined anywhere
    /// in it. Calls keep the type of the result that they name. Only LLVM IR without typed pointers
    /// supports this change.
    pub returned: FxHashMap<u32, u32>,
    /// Uses, each with its replacement.
    pub operands: FxHashMap<u32, Substitute>,
    /// Values to remove, each with the replacement of all its uses.
    pub values: FxHashMap<u32, Substitute>,
    /// Instructions that create local variables. Loads of such a variable become the stored values.
    /// If several stores reach a load, a new phi has their values.
    pub variables: Set,
    /// Functions in which a block is joined with the block before it, if only one jump leads to the
    /// block.
    pub merged: Set,
    /// Branches whose two sides are executed one after the other, if the sides meet and nothing
    /// else leads to them. Selections replace the phis after the branch. Only LLVM IR supports this
    /// change.
    pub straight: Set,
    /// Branches that are moved from the start of a loop to its end, if one jump leads back to the
    /// start. Uses after the loop have the values of its last iteration instead of phis. Only LLVM
    /// IR supports this change.
    pub turned: Set,
    /// Words to remove.
    pub words: Set,
    /// The text for values that are undefined.
    pub undefined: Undefined,
}

/// The text for a value that is no longer defined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undefined {
    /// Any value, which the compiler may choose.
    #[default]
    Undef,
    /// A value that must not be used.
    Poison,
    /// Zero, the null pointer, or an aggregate of zeros and null pointers.
    Zero,
}

impl Undefined {
    pub(crate) fn text(self) -> &'static [u8] {
        match self {
            Undefined::Undef => b"undef",
            Undefined::Poison => b"poison",
            Undefined::Zero => b"zeroinitializer",
        }
    }
}

/// The replacement of a use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Substitute {
    /// Another value of the function. It must be defined at every use of the replaced value.
    Value(u32),
    /// A constant, given by its text.
    Constant(&'static str),
    /// An item.
    Item(u32),
    /// A new parameter of the function, for which all calls get an undefined argument. This is only
    /// possible for values in LLVM IR with a known type, in functions that all calls name.
    /// Otherwise the replacement is an undefined value.
    Parameter,
}

impl Change {
    /// The successor number for a block that returns instead. Only LLVM IR supports it.
    pub const NO_EDGE: u32 = u32::MAX;

    /// Creates a change that changes nothing.
    pub fn new(module: &Module) -> Self {
        Change {
            instructions: Set::new(module.instructions.len()),
            ..Change::default()
        }
    }
}
