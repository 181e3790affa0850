//! Grammars as data: read, checked, parsed with, shown, converted.
//!
//! One [representation](grammar) for all notations and all uses. [Readers](read) make it,
//! [writers](mod@write) turn it back into text, the [parser](parse) makes [trees](tree) with it, and
//! others can make such trees from elsewhere. Quantifiers stay quantifiers, in the grammar and in the
//! trees, so that who reduces a tree knows what may go.
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
//! # Where this differs from the first sketch, and why
//!
//! * Terminals are symbols like rules, interned by content: one kind of thing for tree nodes, edges of
//!   the automaton and *may stand for*.
//! * A regular expression is kept as its source *and* as an expression over byte classes, so only the
//!   reader knows regular expressions.
//! * The shortest text of a symbol is not stored but written down when asked for: it can be
//!   exponentially long. Stored are its length and which alternative has it.
//! * Nodes of a tree name the *expression* they are an instance of, not a state of the automaton: the
//!   state is found again from the children when it is needed, and trees from elsewhere need none.
//! * Nodes lie in the order of the text with the end of their subtree, without child ranges: a subtree
//!   is a slice.
//! * There is no lexing mode yet: bytes, or tokens that somebody else made
//!   ([`Parser::for_tokens`](parse::Parser::for_tokens)).
//!
//! Nothing here knows of reducing, tests, processes or files.

#![deny(missing_docs)]

pub mod automaton;
pub mod byte_set;
pub mod check;
pub mod conventions;
pub mod facts;
pub mod grammar;
pub mod parse;
pub mod places;
pub mod read;
pub mod sorts;
pub mod suggest;
pub mod syntax;
pub mod text;
pub mod tree;
pub mod write;

mod scc;
