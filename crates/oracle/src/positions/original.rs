use super::quoted::quoted;
use super::{Position, find};
use crate::oracle::CommandOracle;
use crate::run::Run;
use crate::run_error::RunError;
use nubbin_verdict::{Cancel, Candidate, Unresolved};
use std::collections::BTreeSet;

/// The parts of expressions that end with a letter and are no word.
const ESCAPES: [&str; 4] = ["\\b", "\\s", "\\w", "\\d"];

/// The minimum length in bytes of a word that distinguishes messages.
const SHORTEST_WORD: usize = 4;

impl CommandOracle {
    /// Returns the run of the original that is kept for its next test, or runs it now and keeps the
    /// run. So the original is run only once. The run has both outputs, unless it ran in a fork
    /// server.
    ///
    /// # Errors
    /// Returns [`RunError`] if the command could not be run.
    pub fn run_of_original(
        &self,
        original: &Candidate<'_>,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        if let Some(run) = self.remembered(original) {
            return Ok(run);
        }
        let run = self.observe_original(original, cancel)?;
        // The limit on an output that no condition reads does not apply to a test.
        let is_other =
            |reason: &Unresolved| matches!(reason, Unresolved::OutputLimit | Unresolved::Cancelled);
        if !run.cut_short.as_ref().is_some_and(is_other) {
            self.remember(original, &run);
        }
        Ok(run)
    }

    /// Returns the words of the messages that the test requires: words in the expressions for the
    /// outputs, and in the quoted texts of a script, without short words and names of files.
    pub fn wanted_words(&self) -> Vec<String> {
        let quoted = quoted(self.command());
        let wanted = self.predicate.wanted().chain(&quoted);
        let words = wanted.flat_map(|regex| {
            let text = ESCAPES
                .iter()
                .fold(regex.as_str().to_owned(), |text, escape| {
                    text.replace(escape, " ")
                });
            let is_gap = |letter: char| !(letter.is_alphanumeric() || letter == '_');
            let words = text.split(is_gap).map(str::to_owned);
            words.collect::<Vec<String>>()
        });
        let names: Vec<&str> = self
            .names()
            .iter()
            .filter_map(|name| name.to_str())
            .collect();
        let is_name = |word: &str| {
            names
                .iter()
                .any(|name| name.split('.').any(|it| it == word))
        };
        let words = words.filter(|word| word.len() >= SHORTEST_WORD && !is_name(word));
        let words: BTreeSet<String> = words.collect();
        words.into_iter().collect()
    }

    /// Returns the positions in a candidate that a run of the test on it printed. Positions on
    /// standard error come first. Files with arguments and variables of the test have no positions.
    ///
    /// If the run printed no positions, they are taken from the texts that the test has
    /// [written](Run::written) in its folder.
    ///
    /// If the conditions have expressions for the outputs, the messages that match these
    /// expressions are the errors. The texts in quotes of a script count as such expressions.
    pub fn positions(&self, run: &Run, candidate: &Candidate<'_>) -> Vec<Position> {
        let quoted = quoted(self.command());
        let wanted: Vec<_> = self.predicate.wanted().chain(&quoted).collect();
        let files = candidate.files();
        let is_own = |nth: &usize| !self.parameters().has(files[*nth].name);
        let own: Vec<usize> = (0..files.len()).filter(is_own).collect();
        let read = |texts: &[&[u8]]| {
            let mut all: Vec<Position> = vec![];
            for text in texts {
                for mut position in find(text, own.iter().map(|&nth| &files[nth]), &wanted) {
                    position.file = own[position.file];
                    if !all.contains(&position) {
                        all.push(position);
                    }
                }
            }
            all
        };
        let printed = read(&[run.stderr(), run.stdout()]);
        if !printed.is_empty() {
            return printed;
        }
        let written: Vec<&[u8]> = run.written.iter().map(Vec::as_slice).collect();
        read(&written)
    }
}
