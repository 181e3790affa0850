//! The ANTLR 4 notation.
//!
//! A grammar is one file (combined), or a parser grammar and a lexer grammar, which the option
//! `tokenVocab` of the parser grammar names. Both files may import other grammars. [`head`] returns
//! the names of the grammars that a file needs. The whole notation is supported. Code of a
//! programming language has no effect: actions, arguments, and super classes are ignored.
//! Predicates count as true unless [`Options`] say otherwise.
//!
//! T. Parr: *The Definitive ANTLR 4 Reference*, 2013.

mod assemble;
mod ast;
mod chars;
mod files;
mod head;
mod options;
mod predicate;
mod quoted;
mod result;
mod source;

use super::ReadError;

pub use ast::GrammarKind;
pub use head::{Head, head};
pub use options::Options;
pub use result::{Antlr, Note};
pub(super) use source::is_grammar;

/// Reads an ANTLR 4 grammar. `load` returns the text of another grammar by its name.
///
/// The start symbol is the first rule of the parser that ends with `EOF` and that no other rule
/// mentions. If there is no such rule, it is the first rule that ends with `EOF`, or else the first
/// rule that no other rule mentions. A lexer grammar alone describes lists of its tokens.
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
    read_with(text, name, &Options::default(), load)
}

/// Reads an ANTLR 4 grammar like [`read`], with values for its predicates.
///
/// An alternative with a false predicate matches no text. Its tokens and literals are kept as
/// tokens, as in ANTLR. An alternative whose predicates are all true is not changed, and there is
/// no note about it.
///
/// ```
/// use nubbin_grammar::{parse::Parser, read::antlr};
/// use std::{collections::BTreeMap, sync::Arc};
///
/// let text = "grammar Print; s: {this.isVersion2()}? 'print' ID EOF | 'print' '(' ID ')' EOF;
///             ID: [a-z]+; WS: ' ' -> skip;";
/// let parser = |predicates: BTreeMap<String, bool>| {
///     let options = antlr::Options { predicates };
///     let read = antlr::read_with(text, "Print", &options, &mut |_| None)?;
///     Ok::<_, Box<dyn std::error::Error>>(Parser::new(Arc::new(read.grammar))?)
/// };
/// assert!(parser(BTreeMap::new())?.accepts(b"print x")?);
/// let version3 = parser([("isVersion2".to_owned(), false)].into())?;
/// assert!(!version3.accepts(b"print x")?);
/// assert!(version3.accepts(b"print(x)")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns the errors of [`read`], and an error if no predicate has one of the names.
pub fn read_with(
    text: &str,
    name: &str,
    options: &Options,
    load: &mut dyn FnMut(&str) -> Option<String>,
) -> Result<Antlr, ReadError> {
    let files = files::collect(text, name, options, load)?;
    assemble::assemble(&files, name)
}
