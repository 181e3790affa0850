//! Advice: the flags that help if a test cannot be run, or does not fail.
//!
//! The test runner knows no flags. Its errors and findings are types. This module has the flags for
//! them.

use crate::expression::pattern;
use crate::repeat::quoted;
use crate::with_flags::with_flags;
use nubbin_oracle::{CommandError, Condition, FailureMessage, Finding};
use nubbin_oracle::{FolderError, OracleError};
use nubbin_oracle::{PredicateError, RunError};
use nubbin_verdict::{Limit, Unresolved};
use std::error::Error;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::Path;

/// Returns the flag that sets a limit, without the dashes.
pub fn limit_flag(limit: Limit) -> &'static str {
    match limit {
        Limit::Memory => "memory",
        Limit::Cpu => "cpu",
        Limit::Processes => "processes",
        Limit::FileSize => "file-size",
        Limit::Disk => "disk",
    }
}

/// Returns the flag that gives a condition.
fn condition_flag(condition: Condition) -> &'static str {
    match condition {
        Condition::ExitCode => "--exit",
        Condition::Signal => "--signal",
        Condition::Timeout => "--timeout-fails",
        Condition::Difference => "--differs-from",
        Condition::SameFailure => "--same-failure",
        Condition::SameStack => "--same-stack",
        Condition::SameCoverage => "--same-coverage",
    }
}

/// Describes an error in the conditions, in terms of flags.
pub fn wrong_condition(error: &OracleError) -> String {
    match error {
        OracleError::Predicate(PredicateError::Conflict { one, other }) => format!(
            "`{}` and `{}` cannot both hold: leave one of them out",
            condition_flag(*one),
            condition_flag(*other)
        ),
        error => error.to_string(),
    }
}

/// Returns advice about an error of the test runner, if a flag helps.
pub fn for_error(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(CommandError::Empty) = error.downcast_ref() {
        let advice =
            "put the test command after `--`, for example `nubbin reduce FILE -- ./test.sh`";
        return Some(advice.to_owned());
    }
    if let Some(OracleError::NoInput) = error.downcast_ref() {
        return Some("name at least one file before `--`".to_owned());
    }
    if let Some(FolderError::Extra { .. }) = error.downcast_ref() {
        return Some("check the path after `--with`".to_owned());
    }
    if let Some(FolderError::SameName { .. }) = error.downcast_ref() {
        return Some("`--with` also takes a folder".to_owned());
    }
    if let Some(RunError::Start { source, .. }) = error.downcast_ref()
        && matches!(
            source.kind(),
            ErrorKind::WouldBlock | ErrorKind::OutOfMemory
        )
    {
        return Some("use fewer workers (`--jobs`)".to_owned());
    }
    if let Some(PredicateError::CutShort { reason }) = error.downcast_ref() {
        return for_cut_short(reason);
    }
    None
}

fn for_cut_short(reason: &Unresolved) -> Option<String> {
    let flag = match reason {
        Unresolved::TimedOut(_) => {
            let advice = "raise the limit with `--timeout`, or use `--timeout-fails` instead of \
                          `--same-failure` if not ending is the failure";
            return Some(advice.to_owned());
        }
        Unresolved::OutputLimit => "output-limit",
        Unresolved::OverLimit(limit) => limit_flag(*limit),
        _ => return None,
    };
    Some(format!("raise the limit with `--{flag}`"))
}

/// Returns the end of the text of a finding, which names the flags that help. The original is in
/// `folder`.
pub fn for_finding(finding: &Finding, folder: &Path) -> String {
    match finding {
        Finding::TimedOut { .. } => {
            ": raise the limit with `--timeout`, or use `--timeout-fails` if not ending is the \
             failure"
                .to_owned()
        }
        Finding::OutputLimit => {
            ": raise the limit with `--output-limit`, or let no condition read the output"
                .to_owned()
        }
        Finding::NotBuilt { limit: Some(_), .. } => ": raise the limit with `--timeout`".to_owned(),
        Finding::NotBuilt { line: Some(_), .. } => {
            "; give it what it needs with `--with FILE`".to_owned()
        }
        Finding::OverLimit { limit } => format!(": raise it with `--{}`", limit_flag(*limit)),
        Finding::NeedsFolder { files } if files.is_empty() => {
            "; give them with `--with FILE`, or all with `--with-siblings`".to_owned()
        }
        Finding::NeedsFolder { files } => format!(": add `{}`", with_flags(files, folder)),
        Finding::StartsInside { .. } => ": add `--inside`".to_owned(),
        Finding::InputNotUsed {
            is_folder: true,
            wants_argument: false,
            ..
        } => ", or `--inside` to start it in that folder".to_owned(),
        Finding::InputNotUsed {
            wants_argument: false,
            ..
        } => ", or `--stdin`".to_owned(),
        Finding::Inverted {
            code,
            message: Some(message),
        } => format!(
            ", or use `{}`, the message of the failure: `--exit {code}` alone holds for each other \
             failure with this exit code, such as a syntax error",
            message_flag(message)
        ),
        Finding::Inverted {
            code,
            message: None,
        } => format!(", or use `--exit {code}`"),
        Finding::Crashed { name } => {
            format!(": if that is the failure, use `--signal {name}` or `--same-failure`")
        }
        Finding::OwnFailure { .. } => ": add `--same-failure` to keep it".to_owned(),
        Finding::Abstained => ": use `--exit 125` if that is the failure".to_owned(),
        _ => String::new(),
    }
}

/// Returns the condition that requires a message.
pub fn message_flag(message: &FailureMessage) -> String {
    let parts = message.parts.iter().map(|part| pattern(part.trim()));
    let expression = parts.collect::<Vec<_>>().join(".*");
    let flag = match message.is_stderr {
        true => "--stderr",
        false => "--stdout",
    };
    format!("{flag} {}", quoted(OsStr::new(&expression)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_conflict_names_both_flags() {
        let error = PredicateError::Conflict {
            one: Condition::Timeout,
            other: Condition::ExitCode,
        };
        assert!(wrong_condition(&error.into()).contains("`--timeout-fails` and `--exit`"));
    }

    #[test]
    fn a_run_that_was_cut_short_is_answered_with_the_flags_for_its_limit() {
        let reason = Unresolved::TimedOut(Duration::from_millis(200));
        let advice = for_error(&PredicateError::CutShort { reason }).unwrap();
        for word in ["`--timeout`", "`--timeout-fails`"] {
            assert!(advice.contains(word), "{advice}");
        }
        let reason = Unresolved::OverLimit(Limit::FileSize);
        let advice = for_error(&PredicateError::CutShort { reason });
        assert_eq!(
            advice.as_deref(),
            Some("raise the limit with `--file-size`")
        );
    }

    #[test]
    fn findings_are_answered_with_flags() {
        let files = vec!["expected.txt".into(), "b".into()];
        let needs = Finding::NeedsFolder { files };
        assert_eq!(
            for_finding(&needs, Path::new(".")),
            ": add `--with expected.txt --with b`"
        );
        let message = FailureMessage {
            parts: vec!["error: ".into(), "no such table: x".into()],
            is_stderr: true,
        };
        let inverted = Finding::Inverted {
            code: 1,
            message: Some(message),
        };
        let advice = for_finding(&inverted, Path::new("."));
        let expected = "`--stderr 'error:.*no such table: x'`";
        assert!(advice.contains(expected), "{advice}");
        let inverted = Finding::Inverted {
            code: 1,
            message: None,
        };
        assert_eq!(
            for_finding(&inverted, Path::new(".")),
            ", or use `--exit 1`"
        );
    }

    #[test]
    fn an_error_without_a_flag_for_it_is_left_alone() {
        assert_eq!(for_error(&std::io::Error::other("broken")), None);
    }
}
