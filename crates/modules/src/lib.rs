//! Passes over modules of intermediate languages: programs of values.
//!
//! Each pass proposes changes of a [`Module`](nubbin_ir::Module), which completes them. A candidate
//! is therefore as valid as the module was.

#![deny(missing_docs)]

mod branches;
mod completed;
mod ir_annotations;
mod ir_blocks;
mod ir_bodies;
mod ir_edges;
mod ir_headers;
mod ir_instructions;
mod ir_items;
mod ir_joints;
mod ir_kinds;
mod ir_loops;
mod ir_operands;
mod ir_parameters;
mod ir_returns;
mod ir_selections;
mod ir_variables;
mod ir_words;
mod read;
mod size;
mod step;

pub use ir_annotations::IrAnnotations;
pub use ir_blocks::IrBlocks;
pub use ir_bodies::IrBodies;
pub use ir_edges::IrEdges;
pub use ir_headers::IrHeaders;
pub use ir_instructions::IrInstructions;
pub use ir_items::IrItems;
pub use ir_joints::IrJoints;
pub use ir_kinds::IrKinds;
pub use ir_loops::IrLoops;
pub use ir_operands::IrOperands;
pub use ir_parameters::IrParameters;
pub use ir_returns::IrReturns;
pub use ir_selections::IrSelections;
pub use ir_variables::IrVariables;
pub use ir_words::IrWords;
pub use size::size;

/// Returns whether a module is binary and all its parts are understood, so that passes over bytes
/// would find nothing more in it. Returns `None` if the file is not a module.
///
/// The function reads the whole module.
pub fn is_whole_binary(text: &[u8]) -> Option<bool> {
    nubbin_ir::read(text).map(|module| module.is_whole_binary())
}

/// The example of the front page, which is a test of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;
