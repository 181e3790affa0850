//! The destinations of results, and their writing.

mod claim;
mod layout;
#[cfg(test)]
pub(in crate::output) mod testing;
mod write;
mod written;

#[cfg(unix)]
pub use claim::files_in;
pub use layout::Targets;
pub use written::Written;
