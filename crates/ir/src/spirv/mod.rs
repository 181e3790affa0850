//! SPIR-V, as words or as assembly.
//!
//! The reader knows from the grammar which operands of an instruction are ids, and takes the rest
//! as literals. An instruction of another version keeps its words. Source of the language: the
//! SPIR-V Specification of the Khronos Group.

mod binary;
mod code;
mod complete;
mod facts;
mod form;
mod kind;
mod layout;
mod lines;
mod opcode;
mod opcodes;
mod read;
mod text;
mod types;

pub(crate) use complete::complete;
pub(crate) use facts::Facts;
pub(crate) use read::read;
