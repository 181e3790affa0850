//! The facts by which the other files of a grammar refer to a file.

use super::ast::GrammarKind;
use super::{Options, source};
use crate::read::ReadError;

/// The kind and the name of an ANTLR grammar, and the names of the grammars that it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The kind of the grammar.
    pub kind: GrammarKind,
    /// The declared name: `Sum` of `grammar Sum;`.
    pub name: String,
    /// The names in `import`, then the name in `tokenVocab`.
    pub needs: Vec<String>,
}

impl Head {
    /// Returns whether the grammar has rules for a parser.
    pub fn has_parser(&self) -> bool {
        self.kind != GrammarKind::Lexer
    }
}

/// Reads the kind and the names of a file, so that the main file among several files can be found.
///
/// * *Cost:* the whole file is read, without its imports.
///
/// ```
/// use nubbin_grammar::read::antlr::{self, GrammarKind};
///
/// let head = antlr::head("parser grammar P; options { tokenVocab = L; } import Q; s : A ;")?;
/// assert_eq!((head.kind, &*head.name), (GrammarKind::Parser, "P"));
/// assert_eq!(head.needs, ["Q", "L"]);
/// # Ok::<(), nubbin_grammar::read::ReadError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the text does not follow the notation.
pub fn head(text: &str) -> Result<Head, ReadError> {
    let (file, _) = source::file(text, &Options::default())?;
    let needs = file.imports.into_iter().chain(file.token_vocab);
    Ok(Head {
        kind: file.kind,
        name: file.name,
        needs: needs.map(|name| name.text).collect(),
    })
}
