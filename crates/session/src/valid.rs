//! `--valid-for`: candidates that do not fit a grammar are not tested.

use crate::exit::Exit;
use crate::flags::NotationFlags;
use crate::grammar;
use crate::problem::Problem;
use nubbin_grammar::parse::Parser;
use nubbin_oracle::Validity;
use nubbin_reduce::input::Input;
use nubbin_verdict::Candidate;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// A validity check that accepts candidates whose files all fit a grammar.
pub struct ValidFor(Parser);

impl ValidFor {
    /// Reads the grammar. It is an error if the original does not fit it.
    pub fn open(paths: &[PathBuf], original: &Input) -> Result<Arc<Self>, Problem> {
        let grammar = grammar::complete(paths, &NotationFlags::default())?;
        let parser = Parser::new(Arc::new(grammar))
            .map_err(|error| grammar::wrong_grammar(paths, &error))?;
        for file in original.present() {
            parser.parse(file.text).map_err(|error| {
                let (name, grammar) = (file.name.display(), grammar::named(paths));
                let what = format!("`{name}` does not fit the grammar {grammar} of `--valid-for`");
                Problem::new(Exit::NotFailing, what).because(&error)
            })?;
        }
        Ok(Arc::new(ValidFor(parser)))
    }
}

impl Validity for ValidFor {
    fn is_valid(&self, candidate: &Candidate<'_>) -> bool {
        let mut files = candidate.files().iter();
        // A text that exceeds a limit of the parser cannot be judged.
        files.all(|file| self.0.accepts(file.bytes).unwrap_or(false))
    }
}

impl fmt::Debug for ValidFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValidFor").finish_non_exhaustive()
    }
}
