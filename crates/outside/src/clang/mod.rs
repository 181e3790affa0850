//! Slices of C and C++ by Clang's front end, in a separate process, since libclang may crash
//! on a text or use all memory.

mod message;
mod process;
mod slicer;

pub use process::{PROCESS, run};
pub use slicer::{ClangSlicer, LARGEST, SMALLEST};
