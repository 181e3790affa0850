use super::{PackedSyntaxes, Syntaxes};
use crate::tree::tree_of;
use nubbin_edit::Input;
use nubbin_engine::Form;
use nubbin_grammar::syntax::Syntax;

/// A filter that counts the syntax errors of an input, by the syntax of each file.
///
/// A file without a syntax is always well formed.
#[derive(Clone)]
pub struct Forms {
    syntaxes: Syntaxes,
    packed: PackedSyntaxes,
}

impl Forms {
    /// Creates the filter from the syntaxes of the files, in the order of the files.
    pub fn new(syntaxes: Syntaxes) -> Self {
        Forms {
            syntaxes,
            packed: PackedSyntaxes::default(),
        }
    }

    /// Returns the filter with the syntaxes of texts that are packed in files.
    #[must_use]
    pub fn with_packed(mut self, packed: PackedSyntaxes) -> Self {
        self.packed = packed;
        self
    }
}

impl Form for Forms {
    fn misfits(&self, input: &Input) -> Option<usize> {
        let of_each = input.present().map(|file| {
            let syntax = self.syntaxes.get(file.number).and_then(Option::as_ref);
            match syntax {
                Some(syntax) => misfits(&**syntax, file.text),
                None => self.packed.misfits(&file),
            }
        });
        Some(of_each.sum())
    }
}

/// Returns the syntax errors of a text. White space at its end is judged as in its tree.
fn misfits(syntax: &dyn Syntax, text: &[u8]) -> usize {
    match syntax.is_tolerant() {
        true => syntax.misfits(text),
        false => usize::from(tree_of(syntax, text).is_err()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree_reducer::cases;
    use std::sync::Arc;

    #[test]
    fn counts_the_files_that_do_not_fit() {
        let syntax: Arc<dyn Syntax> = Arc::new(cases::parser("<s> ::= 'a'*\n"));
        let forms = Forms::new(Arc::new([Some(Arc::clone(&syntax)), None, Some(syntax)]));
        let files = |texts: [&str; 3]| {
            let names = ["0", "1", "2"];
            Input::files(names.into_iter().zip(texts.map(Vec::from))).unwrap()
        };
        assert_eq!(forms.misfits(&files(["aa", "b", ""])), Some(0));
        assert_eq!(forms.misfits(&files(["ab", "b", "b"])), Some(2));
        // As in a tree, white space at the end counts for nothing.
        assert_eq!(forms.misfits(&files(["aa\n", "b", "a \r\n\n"])), Some(0));
        assert_eq!(forms.misfits(&files(["ab\n", "b", "a\na"])), Some(2));
    }
}
