//! Slices of C and C++ by the front end of Clang, in a process of its own: libclang may crash on a
//! text, or take all memory.

mod message;
mod process;
mod slicer;

pub use process::{PROCESS, run};
pub use slicer::{ClangSlicer, LARGEST, SMALLEST};
