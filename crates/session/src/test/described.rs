//! Describes a test for the first line of a run.

use crate::grammar;
use crate::settings::FailureSettings;
use crate::shown::test_time;
use nubbin_oracle::CommandOracle;
use std::time::Duration;

/// Returns a description of the failure that is kept.
pub fn failure(flags: &FailureSettings, oracle: &CommandOracle) -> String {
    let mut failure = oracle.predicate().describe();
    if !flags.valid_for.is_empty() {
        failure += &format!(", fits {}", grammar::named(&flags.valid_for));
    }
    failure
}

/// Returns the first line of a run: the failure that is kept, the language of the input, and the
/// time of the original's test, as far as they are known.
pub fn first_line(failure: &str, language: Option<&str>, first_test: Option<Duration>) -> String {
    let mut line = format!("keeping: {failure}");
    if let Some(language) = language {
        line += &format!(" · language: {language}");
    }
    if let Some(time) = first_test {
        line += &format!(" · the original's test took {}", test_time(time));
    }
    line
}
