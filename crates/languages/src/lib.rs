//! Syntax trees of real languages, with the grammar of each language.
//!
//! A tree-sitter parser builds trees fast and for any text, but its trees lose facts of the
//! grammar: they do not show which parts are optional, which are iterations, and which symbols
//! could replace them. This crate matches such a tree with the grammar of its parser. The result is
//! a [tree](nubbin_grammar::tree::Tree) of that [grammar](nubbin_grammar::grammar::Grammar).
//!
//! ```
//! use nubbin_grammar::syntax::Syntax;
//! use nubbin_languages::catalogue;
//!
//! # #[cfg(feature = "common-languages")]
//! # {
//! let c = catalogue::named("c").ok_or("no C")?.syntax()?;
//! let tree = c.tree(b"int f(int a, int b);")?;
//! assert_eq!(tree.print(), b"int f(int a, int b);");
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! * `common-languages` (default): the parsers of the most common languages.
//! * `all-languages`: all parsers.
//!
//! Without these features, only SMT-LIB is built in. A [`Language`] can still be created from any
//! tree-sitter parser and its grammar.
//!
//! This crate does not depend on reduction, tests, processes, or files.

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
