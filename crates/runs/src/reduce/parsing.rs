//! Results that do not parse. With `--must-parse` they are rejected. Without it there is a warning
//! and a copy of the last text that parsed.

use super::trees::Trees;
use crate::output::write;
use crate::output::{OwnFile, Targets};
use crate::problem::{Problem, warn};
use nubbin_reduce::engine::{Event, Form, SyntaxFilter};
use nubbin_reduce::input::Input;
use nubbin_reduce::tree_reducer::Forms;
use std::path::{Path, PathBuf};

/// Larger inputs are not parsed on the way down, which would take too long.
const LARGEST: usize = 64 << 10;

/// Larger originals and results are not parsed at all. Such an original counts as one without
/// errors.
const LARGEST_OF_ALL: usize = 512 << 10;

/// The rules by which the form of candidates is judged.
pub(super) struct Parsing {
    forms: Forms,
    /// Names of the languages or grammars.
    names: String,
    must: bool,
    /// Whether the run may learn that candidates which do not parse never fail.
    may_learn: bool,
}

impl Parsing {
    pub(super) fn new(trees: &Trees, must: bool, may_learn: bool) -> Self {
        Parsing {
            forms: trees.forms(),
            names: trees.names(),
            must,
            may_learn,
        }
    }

    pub(super) fn filter(&self) -> SyntaxFilter<'_> {
        match (self.must, self.may_learn) {
            (true, _) => SyntaxFilter::Require(&self.forms),
            (false, true) => SyntaxFilter::Learn(vec![&self.forms]),
            (false, false) => SyntaxFilter::Off,
        }
    }

    fn misfits(&self, input: &Input) -> usize {
        match input.size() <= LARGEST_OF_ALL {
            true => self.forms.misfits(input).unwrap_or(0),
            false => 0,
        }
    }
}

/// The last input on the way down that parsed as well as the original.
#[derive(Default)]
pub(super) struct LastParsing {
    /// Syntax errors of the original; `None` before the run.
    original: Option<usize>,
    found: Option<Input>,
}

impl LastParsing {
    pub(super) fn observe(&mut self, parsing: &Parsing, event: &Event<'_>) {
        match (event, self.original) {
            _ if parsing.must => {}
            (Event::Started { input, .. }, _) => self.original = Some(parsing.misfits(input)),
            (Event::Adopted { input, .. } | Event::RolledBack { input, .. }, Some(original))
                if input.size() <= LARGEST && parsing.misfits(input) <= original =>
            {
                self.found = Some(Input::clone(input));
            }
            // The rolled-back input turned out not to fail.
            (Event::RolledBack { .. }, _) => self.found = None,
            _ => {}
        }
    }

    /// Prints a warning about a result that does not parse, and keeps the last input that parsed
    /// next to the result.
    pub(super) fn conclude(
        &self,
        parsing: &Parsing,
        result: &Input,
        beside: Option<&OwnFile>,
        quiet: bool,
    ) -> Result<(), Problem> {
        let misfits = parsing.misfits(result);
        if self.original.is_none_or(|original| misfits <= original) {
            return Ok(());
        }
        let mut what = format!("the result does not parse as {}", parsing.names);
        let kept = self.found.as_ref().zip(beside);
        if let Some((input, file)) = kept {
            file.write(input.bytes())
                .map_err(|error| write::cannot_write(file.path(), &error))?;
            what += &format!(
                "; the last candidate that parsed, of {} bytes, is in `{}`",
                input.size(),
                file.path().display()
            );
        }
        if !quiet {
            warn(&format!(
                "{what}\n  use `--must-parse` to accept only candidates that parse"
            ));
        }
        Ok(())
    }
}

/// Returns the path of the last input that parsed: `bug.min.parses.c` next to `bug.min.c`, or
/// `None` if there are several results.
pub(super) fn path(targets: &Targets) -> Option<PathBuf> {
    let mut paths = targets.paths();
    let (Some(only), None) = (paths.next(), paths.next()) else {
        return None;
    };
    targets.folders().next().is_none().then(|| beside(only))
}

fn beside(result: &Path) -> PathBuf {
    match result.extension() {
        Some(extension) => {
            let mut new = std::ffi::OsString::from("parses.");
            new.push(extension);
            result.with_extension(new)
        }
        None => result.with_extension("parses"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_stays() {
        assert_eq!(
            beside(Path::new("a/bug.min.c")),
            Path::new("a/bug.min.parses.c")
        );
        assert_eq!(beside(Path::new("bug")), Path::new("bug.parses"));
    }
}
