//! Slices and errors of C and C++ by the front end of Clang, in a separate process, since libclang
//! may crash on a text or use all memory.

mod form;
mod message;
mod process;
mod request;
mod slicer;

pub use form::{ClangForm, text_of};
pub use process::{PROCESS, run};
pub use slicer::{ClangSlicer, LARGEST, SMALLEST};
