use crate::Set;
use crate::module::Module;
use rustc_hash::FxHashMap;

/// A change of a [`Module`], stated once. All that follows from it is left to
/// [`Module::complete`].
///
/// A change that contains another one removes at least as much.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// Instructions to remove. Their results become undefined, and stores to them are removed.
    pub instructions: Set,
    /// Blocks to take out. A branch to one leads to the first block behind it that is left.
    pub blocks: Set,
    /// Terminators with the index of the one successor that they keep, or [`Change::NO_EDGE`] for a
    /// return in their place.
    pub edges: FxHashMap<u32, u32>,
    /// Items whose body or initializer is removed.
    pub bodies: Set,
    /// Items to remove. Their uses become undefined.
    pub items: Set,
    /// Values that are parameters to remove, with the arguments of all calls.
    pub parameters: Set,
    /// Functions that return nothing any more.
    pub results: Set,
    /// Functions that return another value: one of theirs, wherever it is defined at the end. Calls
    /// keep the type of the result that they name. Only for LLVM IR without typed pointers.
    pub returned: FxHashMap<u32, u32>,
    /// Uses that become uses of something else.
    pub operands: FxHashMap<u32, Substitute>,
    /// Values that are removed, all of whose uses become uses of something else.
    pub values: FxHashMap<u32, Substitute>,
    /// Instructions that make local variables, whose loads become the values that were stored.
    /// Where several stores reach a load, a new phi has their values.
    pub variables: Set,
    /// Functions in which a block that only one jump leads to is joined with the block before it.
    pub merged: Set,
    /// Words to remove.
    pub words: Set,
    /// The text for values that are undefined.
    pub undefined: Undefined,
}

/// The text for a value that is not defined any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undefined {
    /// Any value, of the choice of the compiler.
    #[default]
    Undef,
    /// A value that must not be needed.
    Poison,
    /// Zero, the null pointer, or an aggregate of them.
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
    /// Another value of the function, which must be defined wherever the replaced one is used.
    Value(u32),
    /// A constant, by its text.
    Constant(&'static str),
    /// An item.
    Item(u32),
    /// A new parameter of the function, for which all calls have an undefined argument. It stands
    /// only for values in LLVM IR; for others, and where the type is not known or a call does not
    /// name the function, it is an undefined value.
    Parameter,
}

impl Change {
    /// No successor: the block returns. Only for LLVM IR.
    pub const NO_EDGE: u32 = u32::MAX;

    /// Makes a change that changes nothing.
    pub fn new(module: &Module) -> Self {
        Change {
            instructions: Set::new(module.instructions.len()),
            ..Change::default()
        }
    }
}
