use crate::Symbols;
use std::ops::Range;
use std::sync::Arc;

/// A range of bytes of the text.
pub type Span = Range<u32>;

/// A program of values: functions with blocks of instructions, and other items.
///
/// Everything is in flat arrays, in the order of the text, and known by its index in them. The
/// items tile the text up to its last bytes, so that a text that no reader understands is in some
/// item as well.
///
/// ```
/// use nubbin_ir::{Change, Op, read};
///
/// let text = "define i32 @f(i32 %0) {\n  %2 = add i32 %0, 1\n  %3 = mul i32 %2, %2\n  ret i32 %3\n}\n";
/// let module = read(text.as_bytes()).unwrap();
/// assert_eq!(module.functions.len(), 1);
/// assert_eq!(module.instructions[2].op, Op::Return);
///
/// // Without the addition, the product has another number, and its operands are undefined.
/// let mut change = Change::new(&module);
/// change.instructions.insert(0);
/// let text = module.render(&change);
/// let wanted = "define i32 @f(i32 %0) {\n  %2 = mul i32 undef, undef\n  ret i32 %2\n}\n";
/// assert_eq!(String::from_utf8(text).unwrap(), wanted);
/// ```
#[derive(Clone, Debug)]
pub struct Module {
    /// The text of the module.
    pub text: Arc<[u8]>,
    /// All items. The items cover the text without gaps.
    pub items: Vec<Item>,
    /// The functions that have a body.
    pub functions: Vec<Function>,
    /// The blocks of all functions.
    pub blocks: Vec<Block>,
    /// The instructions of all blocks, including records for debuggers.
    pub instructions: Vec<Instruction>,
    /// The values: parameters, blocks, and results of instructions.
    pub values: Vec<Value>,
    /// The uses of values and of items, in the order of the text.
    pub uses: Vec<Use>,
    /// The names of items.
    pub symbols: Symbols,
    /// The words that a program can do without: flags, attributes, alignments, and metadata.
    pub words: Vec<Word>,
    /// Whether the types of pointers are opaque: they do not state the type to which they point.
    pub has_untyped_pointers: bool,
    /// The facts that exist only for modules in SPIR-V.
    pub(crate) spirv: Option<Arc<crate::spirv::Facts>>,
    /// The facts that exist only for modules in MLIR.
    pub(crate) mlir: Option<Arc<crate::mlir::Facts>>,
}

/// A part of a module at its top level, such as a function, a global variable, or a type.
#[derive(Clone, Debug)]
pub struct Item {
    /// The span of the item, including the comments before it.
    pub span: Span,
    /// The span of the item, without the comments before it and the line break after it.
    pub core: Span,
    /// The kind of the item.
    pub kind: ItemKind,
    /// The number of the item's name in [`Module::symbols`], if it has a name. The name includes
    /// its sigil.
    pub name: Option<u32>,
    /// The text of the name.
    pub name_span: Span,
    /// The uses in the item, including uses in the body of a function.
    pub uses: Range<u32>,
    /// The words in the item that can be removed.
    pub words: Range<u32>,
    /// Whether the item is not visible outside the module, so that it is removed with its last use.
    pub is_local: bool,
    /// Whether the item must be defined, because other items name it in a way for which a
    /// declaration is not enough.
    pub is_frozen: bool,
    /// Whether the item is used in other ways than in calls by its name.
    pub is_addressed: bool,
    /// The text that a declaration does not have: the initializer of a global.
    pub initializer: Option<Span>,
    /// The type of the values that a function returns, or the type of a global.
    pub ty: Option<Span>,
    /// The span of a function's parameters, in parentheses.
    pub parameters: Option<Span>,
}

/// The kind of an [`Item`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A function with a body, by its index in [`Module::functions`].
    Function(u32),
    /// A function without a body.
    Declaration,
    /// A global variable.
    Global,
    /// An alias: another name of an item.
    Alias,
    /// A type.
    Type,
    /// A group of attributes.
    Attributes,
    /// A comdat: a group of items of which a linker keeps one.
    Comdat,
    /// A node of metadata, which is only kept for its uses.
    Metadata,
    /// A named list of metadata.
    NamedMetadata,
    /// A property of the module, such as the target.
    Property,
    /// A constant.
    Constant,
    /// An entry point of the program.
    EntryPoint,
    /// A note for readers and debuggers, such as the name of something.
    Note,
    /// A statement about another item that a compiler needs.
    Decoration,
    /// Any other item.
    Opaque,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// The item of the function.
    pub item: u32,
    /// The span of the body, without its brackets.
    pub body: Span,
    /// The parameters, as values.
    pub parameters: Range<u32>,
    /// The spans of the parameters in the head.
    pub parameter_spans: Vec<Span>,
    /// The blocks. The first block is the entry.
    pub blocks: Range<u32>,
    /// Whether the edges between the blocks must not change, since the reader does not understand
    /// them.
    pub is_rigid: bool,
}

/// A block of instructions.
#[derive(Clone, Debug)]
pub struct Block {
    /// The value by which branches name the block.
    pub value: u32,
    /// The line of the label and the space before it. The span is empty for a block without a
    /// label.
    pub label: Span,
    /// The instructions. The last instruction is the terminator.
    pub instructions: Range<u32>,
}

/// An instruction, or a record for debuggers.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// The lines of the instruction if nothing else is on them, and otherwise its text.
    pub span: Span,
    /// The text of the instruction.
    pub core: Span,
    /// The kind of the instruction.
    pub op: Op,
    /// The value that the instruction defines.
    pub result: Option<u32>,
    /// The uses in the instruction.
    pub uses: Range<u32>,
    /// The words in the instruction that can be removed.
    pub words: Range<u32>,
    /// The block that contains the instruction.
    pub block: u32,
}

/// The kind of an [`Instruction`], as far as changes depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// A value that depends on the edge through which its block is entered.
    Phi,
    /// An instruction without effects. It is not needed if its result is not needed.
    Pure,
    /// A store. Its last operand is the address.
    Store,
    /// A call, which may have effects.
    Call,
    /// The start of a block that is entered by an exception.
    Pad,
    /// Any other instruction that may have effects.
    Effect,
    /// A statement about a value for debuggers.
    Debug,
    /// A statement of a block about the blocks to which it leads.
    Merge,
    /// The end of a block with one successor.
    Jump,
    /// The end of a block with two successors.
    Branch,
    /// The end of a block with a successor for each of several values. The first successor is the
    /// default.
    Switch,
    /// A call with a successor for exceptions, which is the second successor.
    Invoke,
    /// The end of a block without successors that returns from the function.
    Return,
    /// Another end of a block without successors.
    End,
    /// An end of a block that the reader does not understand.
    Rigid,
}

impl Op {
    /// Returns whether the instruction ends a block.
    pub fn is_terminator(self) -> bool {
        use Op::{Branch, End, Invoke, Jump, Return, Rigid, Switch};
        matches!(self, Jump | Branch | Switch | Invoke | Return | End | Rigid)
    }
}

/// A value that has one definition.
#[derive(Clone, Debug)]
pub struct Value {
    /// The name in the definition, including its sigil unless it is a label. The span is empty if
    /// the name is not written.
    pub name: Span,
    /// The definition of the value.
    pub definition: Definition,
    /// The number of the value, if it has no name.
    pub number: Option<u32>,
    /// The type of the value, if it is written in the definition.
    pub ty: Option<Span>,
}

/// The definition of a [`Value`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition {
    /// A parameter of a function, by the index of the function in [`Module::functions`].
    Parameter(u32),
    /// A block.
    Block(u32),
    /// The result of an instruction.
    Instruction(u32),
}

/// A use of a value or of an item.
#[derive(Clone, Debug)]
pub struct Use {
    /// The span of the use.
    pub span: Span,
    /// The value or item that is used.
    pub target: Target,
}

/// The value or item that a [`Use`] names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A value of the same function.
    Value(u32),
    /// An item, by its name.
    Symbol(u32),
}

/// A text that a program can do without.
#[derive(Clone, Debug)]
pub struct Word {
    /// The span of the text, including the space or comma before it.
    pub span: Span,
    /// The kind of the word.
    pub kind: WordKind,
}

/// The kind of a [`Word`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WordKind {
    /// The location of an instruction or a function in the source.
    Debug,
    /// Other metadata of an instruction or item.
    Metadata,
    /// A group of attributes.
    Attributes,
    /// An alignment.
    Alignment,
    /// A flag, attribute, or linkage: one word.
    Flag,
    /// A comment.
    Comment,
}
