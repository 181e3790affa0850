use super::structure::each_text;
use nubbin_edit::File;
use nubbin_grammar::syntax::Syntax;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The syntaxes of texts that are packed in archives and compressed files.
///
/// Syntaxes are found by the name of the text, so that a text keeps its syntax while its content
/// and the archive around it shrink. A text whose name was removed has the syntax of all other
/// texts in its file, if they share one syntax.
#[derive(Clone, Default)]
pub struct PackedSyntaxes {
    of_texts: Vec<PackedSyntax>,
    /// The numbers of the files whose packed texts all have a syntax.
    covered: Vec<usize>,
}

#[derive(Clone)]
struct PackedSyntax {
    /// The number of the file in which the text is packed.
    file: usize,
    name: PathBuf,
    syntax: Arc<dyn Syntax>,
}

impl PackedSyntaxes {
    /// Adds the syntax of each text that is packed in a file, found by the name and the content of
    /// the text.
    ///
    /// # Errors
    ///
    /// Returns the first error of `find`.
    pub fn add<E>(
        &mut self,
        file: &File<'_>,
        mut find: impl FnMut(&Path, &[u8]) -> Result<Option<Arc<dyn Syntax>>, E>,
    ) -> Result<(), E> {
        let (mut texts, known) = (0, self.of_texts.len());
        each_text(file, |text| {
            texts += 1;
            if let Some(syntax) = find(text.name, text.text)? {
                self.of_texts.push(PackedSyntax {
                    file: text.number,
                    name: text.name.to_path_buf(),
                    syntax,
                });
            }
            Ok(())
        })?;
        if texts > 0 && self.of_texts.len() - known == texts {
            self.covered.push(file.number);
        }
        Ok(())
    }

    /// Returns whether a file has packed texts, all of which have a syntax.
    pub(super) fn covers(&self, file: usize) -> bool {
        self.covered.contains(&file)
    }

    /// Returns whether no packed text has a syntax.
    pub fn is_empty(&self) -> bool {
        self.of_texts.is_empty()
    }

    /// Returns all syntaxes.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Syntax>> {
        self.of_texts.iter().map(|text| &text.syntax)
    }

    /// Returns the syntax of a packed text.
    pub(super) fn of(&self, text: &File<'_>) -> Option<&Arc<dyn Syntax>> {
        let of_file = || {
            self.of_texts
                .iter()
                .filter(|known| known.file == text.number)
        };
        if let Some(known) = of_file().find(|known| known.name == text.name) {
            return Some(&known.syntax);
        }
        let misfits = |known: &&PackedSyntax| known.syntax.misfits(text.text);
        of_file().min_by_key(misfits).map(|known| &known.syntax)
    }

    /// Returns the number of syntax errors in the texts that are packed in a file.
    pub(super) fn misfits(&self, file: &File<'_>) -> usize {
        let mut misfits = 0;
        if self.of_texts.iter().all(|known| known.file != file.number) {
            return 0;
        }
        let counted = each_text(file, |text| {
            misfits += self.of(text).map_or(0, |syntax| syntax.misfits(text.text));
            Ok::<(), Infallible>(())
        });
        match counted {
            Ok(()) => misfits,
        }
    }
}
