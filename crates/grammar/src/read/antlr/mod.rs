//! The notation of ANTLR 4.
//!
//! A grammar is one file (combined), or a parser grammar and a lexer grammar, which its option
//! `tokenVocab` names. Both may import others. [`head`] says of a file which others it needs.
//! Everything of the notation is read. What is code of a programming language has no effect:
//! actions, arguments, and super classes are ignored, and predicates are taken as true.
//!
//! T. Parr: *The Definitive ANTLR 4 Reference*, 2013.

mod assemble;
mod ast;
mod chars;
mod files;
mod head;
mod source;

use super::ReadError;
use crate::grammar::{Grammar, Unfinished};

pub use ast::GrammarKind;
pub use head::{Head, head};
pub(super) use source::is_grammar;

/// A grammar of ANTLR, with what was left out of it.
#[derive(Debug)]
pub struct Antlr {
    /// The grammar.
    pub grammar: Grammar,
    /// The parts that have no effect here.
    pub notes: Vec<Note>,
    /// The mentions that no file defines.
    pub undefined: Option<Unfinished>,
}

/// A part of a grammar that has no effect here.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    /// The rule, if the part is in one.
    pub rule: Option<String>,
    /// The description of the part and of what was done with it.
    pub what: String,
}

/// Reads a grammar of ANTLR 4. `load` returns the text of another grammar by its name.
///
/// The start symbol is the first rule of the parser that ends with `EOF` and that no other rule
/// mentions; where there is none, the first one that ends so, or the first one that is not
/// mentioned. A lexer grammar alone describes lists of its tokens.
///
/// ```
/// use nubbin_grammar::{parse::Parser, read::antlr};
/// use std::sync::Arc;
///
/// let text = "grammar Sum; sum: sum '*' sum | sum '+' sum | INT; INT: [0-9]+; WS: ' ' -> skip;";
/// let read = antlr::read(text, "Sum", &mut |_| None)?;
/// let tree = Parser::new(Arc::new(read.grammar))?.parse(b"1 + 20*3")?;
/// assert_eq!(tree.print(), b"1 + 20*3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error if a text does not follow the notation, or if another grammar is missing.
pub fn read(
    text: &str,
    name: &str,
    load: &mut dyn FnMut(&str) -> Option<String>,
) -> Result<Antlr, ReadError> {
    let files = files::collect(text, name, load)?;
    assemble::assemble(&files, name)
}
