//! Modules of intermediate languages: programs of values.
//!
//! In such a language, each value has one definition, a type, and uses. Instructions are in blocks,
//! blocks end in branches, and functions have parameters and calls. A deletion of text almost
//! always breaks this structure. A [`Change`] therefore states the parts to remove, such as some
//! instructions, an edge, and the body of a function. [`Module::complete`] adds the changes that
//! follow: uses of a removed value get another value, phis lose the entries of removed edges,
//! unreachable blocks are removed with the instructions that only they needed, and unnamed values
//! get new numbers.
//!
//! [`read`] returns the module of a text. Source of the idea that a reduction repairs the module:
//! `llvm-reduce` and `spirv-reduce`.

#![deny(missing_docs)]

mod by_need;
mod change;
mod complete;
mod dominators;
mod llvm;
mod locality;
mod mlir;
mod module;
mod outline;
mod repeated;
mod results;
mod set;
mod shapes;
mod spirv;
mod symbols;
mod variables;

pub use change::{Change, Substitute, Undefined};
pub use complete::Cut;
pub use module::{
    Block, Definition, Function, Instruction, Item, ItemKind, Module, Op, Span, Target, Use, Value,
    Word, WordKind,
};
pub use outline::Outline;
pub use repeated::Earlier;
pub use set::Set;
pub use symbols::Symbols;

/// Returns the module of a text, or `None` if the text is not in a known language.
///
/// A text counts as a module if one of its functions has a block that ends with a terminator. A
/// damaged module is read as far as it is sound. The rest of the text is in opaque items.
///
/// Cost: linear in the text.
pub fn read(text: &[u8]) -> Option<Module> {
    if u32::try_from(text.len()).is_err() {
        return None;
    }
    let module = match has_function(text) {
        true => llvm::read(text),
        false => spirv::read(text).or_else(|| mlir::read(text))?,
    };
    let is_block = |block: &Block| {
        let range = block.instructions.start as usize..block.instructions.end as usize;
        let last = module.instructions[range].last();
        last.is_some_and(|last| last.op.is_terminator())
    };
    module.blocks.iter().any(is_block).then_some(module)
}

/// Returns whether some line of a text begins an LLVM IR function, which is a quick check.
fn has_function(text: &[u8]) -> bool {
    let begins = |line: &[u8]| line.starts_with(b"define ") && line.contains(&b'@');
    text.split(|&byte| byte == b'\n').any(begins)
}
