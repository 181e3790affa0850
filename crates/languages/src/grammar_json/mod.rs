//! A reader for the `grammar.json` of a tree-sitter parser.
//!
//! The rules in the file differ from the nodes in trees: rules are hidden, substituted, renamed
//! where they are used, or tokens. These facts follow from the file by the rules of the parser
//! generator. The grammar includes them: a symbol has a visibility, and a mention has an alias. The
//! children of a node therefore fit the [automaton](nubbin_grammar::automaton) of its rule.

mod error;
mod lexical;
mod source;
mod translate;

pub use error::GrammarJsonError;
pub use translate::{ERROR, name, read};
