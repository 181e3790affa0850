//! MLIR, in the generic and in the usual forms.
//!
//! The reader knows the nesting of operations, regions, and blocks, and which value each name
//! means. The text that the printer of a dialect chooses is opaque to it, but for the types of
//! results where the common dialects print them. Source of the language: "MLIR Language Reference",
//! LLVM Project.

mod complete;
mod dictionary;
mod facts;
mod form;
mod infer;
mod item;
mod op;
mod open;
mod read;
mod scope;
mod token;
mod ty;

pub(crate) use complete::complete;
pub(crate) use facts::Facts;
pub(crate) use read::read;
