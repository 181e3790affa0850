//! Ways to run a tree reducer: as a pass of a plan, or by itself.

mod drive;
mod forms;
mod packed_syntaxes;
mod structure;
mod trace;
mod tree_pass;
mod tree_view;
mod trees;

pub use drive::{Driven, drive};
pub use forms::Forms;
pub use packed_syntaxes::PackedSyntaxes;
pub use trace::{Trace, trace, trace_with};
pub use tree_pass::{Syntaxes, TreePass};
pub use trees::Trees;
