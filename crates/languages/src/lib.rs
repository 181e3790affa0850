//! Source code of real languages as trees that know their grammar.
//!
//! A tree-sitter parser makes trees fast, of any text, but it forgets the grammar: its trees do not say
//! what is optional, what is one of several, what else could stand there. Here its trees are
//! matched against the grammar that it was made from, and become
//! [trees](nubbin_grammar::tree::Tree) of that [grammar](nubbin_grammar::grammar::Grammar).
//!
//! ```
//! use nubbin_grammar::syntax::Syntax;
//! use nubbin_languages::catalogue;
//!
//! let c = catalogue::named("c").ok_or("no C")?.syntax()?;
//! let tree = c.tree(b"int f(int a, int b);")?;
//! assert_eq!(tree.print(), b"int f(int a, int b);");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here knows of reducing, tests, processes or files.

#![deny(missing_docs)]

pub mod catalogue;
pub mod detect;
pub mod grammar_json;
pub mod hints;
pub mod language;
pub mod smt_lib;

mod align;
mod names;
mod tree;

pub use language::{Language, LanguageError};
pub use tree::Alignment;
