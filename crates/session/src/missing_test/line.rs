//! Lines of commands with a script as the test.

use crate::typed::Typed;
use std::ffi::OsString;
use std::path::Path;

/// Returns the flags of `--test` for a script, or the command behind `--` where a command has no
/// such flag.
pub(super) fn as_test(typed: &Typed, script: &Path, others: Vec<OsString>) -> Vec<OsString> {
    let script = script.as_os_str().to_owned();
    if typed.has_flag("test") {
        return [OsString::from("--test"), script]
            .into_iter()
            .chain(others)
            .collect();
    }
    let script = match Path::new(&script).components().count() {
        1 => Path::new(".").join(&script).into_os_string(),
        _ => script,
    };
    let mut line = completed(typed, others);
    line.extend(["--".into(), script]);
    if !typed.is_typed("stdin") {
        line.push("{}".into());
    }
    line
}

/// Adds what a command requires besides a test.
pub(super) fn completed(typed: &Typed, mut words: Vec<OsString>) -> Vec<OsString> {
    let is_required =
        |argument: &clap::Arg| argument.is_required_set() && argument.get_long() == Some("output");
    let is_given = |word: &OsString| {
        let word = word.to_string_lossy();
        word.starts_with("--output") || word.starts_with("-o")
    };
    let is_required = typed.command().get_arguments().any(is_required);
    if is_required && !words.iter().any(is_given) {
        words.extend(["-o".into(), "small".into()]);
    }
    words
}
