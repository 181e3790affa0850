//! Reads the `grammar.json` of a tree-sitter parser.
//!
//! What it says is not what trees show: rules are hidden, substituted, renamed where they are used,
//! or turn out to be tokens. All of it follows from the file, by the rules of the parser generator,
//! and ends up in the grammar: a symbol knows whether it is shown, a mention has its alias. So the
//! children of a node are what the [automaton](nubbin_grammar::automaton) of its rule says.

mod error;
mod lexical;
mod source;
mod translate;

pub use error::GrammarJsonError;
pub use translate::{ERROR, name, read};
