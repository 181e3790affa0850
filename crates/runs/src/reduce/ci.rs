//! The messages for a job of continuous integration: a line, and its summary.

use crate::output::Access;
use crate::print::print_text;
use crate::problem::{Problem, is_in_json};
use crate::shown::{say, visible, warn};
use nubbin_reduce::engine::Statistics;
use nubbin_reduce::input::Input;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write as _;

/// The length in bytes of the longest result that the summary of a job shows.
const SHOWN: usize = 4 << 10;

/// Tells of a result: in the log, and in the summary of the job where the host has one.
pub(super) fn announce(
    statistics: &Statistics,
    result: &[String],
    input: &Input,
) -> Result<(), Problem> {
    let paths = match result {
        [] => "standard output".to_owned(),
        paths => paths.join(", "),
    };
    let text = format!(
        "{} bytes to {} in {} tests: {paths}",
        statistics.bytes_before, statistics.bytes_now, statistics.tests
    );
    annotate("notice", &text)?;
    if let Some(file) = std::env::var_os("GITHUB_STEP_SUMMARY")
        && let Err(error) = summarize(&file, &text, input)
    {
        warn(&format!(
            "the summary of the job is not written: {error} (`GITHUB_STEP_SUMMARY`)"
        ));
    }
    Ok(())
}

/// Prints a line that the host shows beside the job: a workflow command of GitHub Actions, plain
/// text elsewhere. With `--json` it is on standard error, which hosts read as well.
pub fn annotate(level: &str, text: &str) -> Result<(), Problem> {
    let text = visible(text);
    let is_github = std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true");
    let line = match is_github {
        true => format!("::{level} title=nubbin::{}\n", escaped(&text)),
        false => format!("nubbin: {level}: {text}\n"),
    };
    if is_in_json() {
        say(line.trim_end());
        return Ok(());
    }
    print_text(&line).map(drop)
}

/// Writes a text as data of a workflow command.
fn escaped(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn summarize(file: &OsString, text: &str, input: &Input) -> std::io::Result<()> {
    let mut summary = format!("### nubbin\n\n{}\n", visible(text));
    if let Some(shown) = shown(input) {
        // A fence that is longer than any in the text.
        let mut fence = "```".to_owned();
        while shown.contains(&fence) {
            fence.push('`');
        }
        let _ = write!(summary, "\n{fence}\n{}\n{fence}\n", shown.trim_end());
    }
    let mut file = Access::ALL.append(file.as_ref())?;
    file.write_all(summary.as_bytes())
}

/// Returns the text of a short result in a single file.
fn shown(input: &Input) -> Option<String> {
    if input.file_count() != 1 || input.bytes().len() > SHOWN {
        return None;
    }
    let text = std::str::from_utf8(input.bytes()).ok()?;
    let is_text = |char: char| !char.is_control() || matches!(char, '\n' | '\t');
    text.chars().all(is_text).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workflow_command_has_one_line() {
        assert_eq!(escaped("100 %\r\nend"), "100 %25%0D%0Aend");
    }

    #[test]
    fn only_a_short_text_is_shown() {
        let single = |bytes: &[u8]| Input::single("a", bytes.to_vec()).unwrap();
        assert_eq!(shown(&single(b"a\tb\n")).as_deref(), Some("a\tb\n"));
        assert_eq!(shown(&single(b"a\x1b[0m")), None);
        assert_eq!(shown(&single(b"\xff")), None);
        assert_eq!(shown(&single(&vec![b'a'; SHOWN + 1])), None);
    }
}
