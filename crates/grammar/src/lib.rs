//! Context-free grammars as data: readers, checks, a parser, trees, and writers.
//!
//! All notations and uses share one [representation](grammar). [Readers](read) create a grammar,
//! [writers](mod@write) turn it back into text, and the [parser](parse) uses it to build
//! [trees](tree). Other parsers can build such trees too. Quantifiers are kept, in the grammar and
//! in the trees, so that a tree reducer knows which parts are optional.
//!
//! ```
//! use nubbin_grammar::{parse::Parser, read};
//! use std::sync::Arc;
//!
//! let grammar = read::read(r#"{"<start>": ["<digit>", "<digit><start>"], "<digit>": ["0", "1"]}"#, None, "start")?;
//! let tree = Parser::new(Arc::new(grammar))?.parse(b"0110")?;
//! assert_eq!(tree.print(), b"0110");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Design
//!
//! * Terminals are symbols like rules, interned by content. Tree nodes, edges of the automaton, and
//!   the *may stand for* relation therefore use one type.
//! * A regular expression is stored as its source *and* as an expression over byte classes, so that
//!   only the reader handles regular expressions.
//! * The shortest text of a symbol is not stored, since it can be exponentially long. Its length is
//!   stored, and the text is computed on demand.
//! * A node of a tree names the *expression* of which it is an instance, not a state of the
//!   automaton. The state is computed from the children when it is needed, and trees of other
//!   parsers need none.
//! * Nodes are in the order of the text, each with the end of its subtree, so a subtree is a slice.
//! * A text is parsed as bytes, unless [lexer rules](grammar::Lexing) of the grammar divide it into
//!   [tokens](lex), or another lexer does so ([`Parser::for_tokens`](parse::Parser::for_tokens)).
//!   Texts between tokens are gaps of the tree.
//!
//! This crate does not depend on reduction, tests, processes, or files.

#![deny(missing_docs)]

pub mod automaton;
pub mod byte_set;
pub mod check;
pub mod conventions;
pub mod facts;
pub mod grammar;
pub mod lex;
pub mod parse;
pub mod places;
pub mod read;
pub mod sorts;
pub use nubbin_suggest as suggest;
pub mod syntax;
pub mod text;
pub mod tree;
pub mod write;

mod scc;
