//! The messages for a job of continuous integration: an annotation, and the summary of the job.

use crate::events::command_line;
use crate::output::Access;
use crate::print::print_text;
use crate::problem::{Problem, is_in_json};
use crate::shown::{fence, is_seen, say, visible, warn};
use nubbin_reduce::engine::Statistics;
use nubbin_reduce::input::Input;
use std::ffi::OsString;
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
            "cannot write the summary of the job: {error} (`GITHUB_STEP_SUMMARY`)"
        ));
    }
    Ok(())
}

/// Prints an annotation that the host shows with the job: a workflow command on GitHub Actions, and
/// plain text on other hosts. With `--json` it is printed to standard error, which hosts read as
/// well.
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
    if input.file_count() == 1 {
        summary += &in_markdown(input.bytes());
    }
    summary += &command_in_markdown();
    let mut file = Access::ALL.append(file.as_ref())?;
    file.write_all(summary.as_bytes())
}

/// Returns a short result as it is and, if a reader would miss a part of it, with escapes. Empty
/// for a longer one.
pub fn in_markdown(result: &[u8]) -> String {
    let mut text = String::new();
    if let Some(shown) = shown(result) {
        text += &fenced(shown.trim_end(), "");
    }
    if let Some(escaped) = with_escapes(result) {
        text += "\nWith escapes for invisible characters:\n";
        text += &fenced(&escaped, "");
    }
    text
}

/// Returns the command that repeats this run without a budget. Empty if it cannot be shown.
pub fn command_in_markdown() -> String {
    let command = command_line(std::env::args_os());
    let line = to_repeat(&command);
    line.map_or_else(String::new, |line| {
        format!("\nTo repeat the reduction:\n{}", fenced(&line, "sh"))
    })
}

/// Returns a block of Markdown. Its fence is longer than any in the text.
fn fenced(text: &str, language: &str) -> String {
    let fence = fence(text);
    format!("\n{fence}{language}\n{text}\n{fence}\n")
}

/// Returns the text of a short result.
fn shown(result: &[u8]) -> Option<String> {
    if result.len() > SHOWN {
        return None;
    }
    let text = std::str::from_utf8(result).ok()?;
    let is_text = |char: char| !char.is_control() || matches!(char, '\n' | '\t');
    text.chars().all(is_text).then(|| text.to_owned())
}

/// Returns a short result with escapes, if a reader would miss a part of it: spaces at an end of a
/// line, tabs, other characters without a shape, or bytes that are not text.
fn with_escapes(result: &[u8]) -> Option<String> {
    if result.len() > SHOWN {
        return None;
    }
    let Ok(text) = std::str::from_utf8(result) else {
        return Some(result.escape_ascii().to_string());
    };
    let is_odd =
        |char: char| char != ' ' && char != '\n' && (char.is_whitespace() || !is_seen(char));
    let has_blank_end = text.split('\n').any(|line| line.ends_with(' '));
    // One line end at the end of a text is usual.
    let has_empty_end = text.trim_start().is_empty() || text.ends_with("\n\n");
    if text.is_empty() || !(has_blank_end || has_empty_end || text.contains(is_odd)) {
        return None;
    }
    let lines = text.split_inclusive('\n').map(|line| {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\\n"),
            None => (line, ""),
        };
        let body = line.trim_end_matches(' ');
        let escaped = body.chars().map(|char| match char {
            '\\' => "\\\\".to_owned(),
            char if is_odd(char) => char.escape_default().to_string(),
            char => char.to_string(),
        });
        let blanks = "\\x20".repeat(line.len() - body.len());
        escaped.collect::<String>() + &blanks + end
    });
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// Returns the command line without its budget, and with the name of the program for its path, or
/// `None` if a word has a character that cannot be seen: with an escape it would be another word.
fn to_repeat(command: &[String]) -> Option<String> {
    let own = command.iter().position(|word| word == "--");
    let own = own.unwrap_or(command.len());
    let is_budget = |word: &str| word == "--ci" || word.starts_with("--ci=");
    let words = command.iter().enumerate().skip(1);
    let words = words.filter(|(at, word)| *at > own || !is_budget(word));
    let words: Vec<&str> = words.map(|(_, word)| word.as_str()).collect();
    let is_plain = |char: char| is_seen(char) || matches!(char, '\n' | '\t');
    if !words.iter().all(|word| word.chars().all(is_plain)) {
        return None;
    }
    let words = words.into_iter();
    shlex::try_join(std::iter::once("nubbin").chain(words)).ok()
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
        assert_eq!(shown(b"a\tb\n").as_deref(), Some("a\tb\n"));
        assert_eq!(shown(b"a\x1b[0m"), None);
        assert_eq!(shown(b"\xff"), None);
        assert_eq!(shown(&vec![b'a'; SHOWN + 1]), None);
    }

    #[test]
    fn characters_that_are_not_seen_have_escapes() {
        for (text, expected) in [
            (" ", "\\x20"),
            ("\n", "\\n"),
            ("a  \nb\n", "a\\x20\\x20\\n\nb\\n"),
            ("if\tx\\y", "if\\tx\\\\y"),
            ("a\u{a0}b\r\n", "a\\u{a0}b\\r\\n"),
            ("a\n\n", "a\\n\n\\n"),
        ] {
            assert_eq!(
                with_escapes(text.as_bytes()).as_deref(),
                Some(expected),
                "{text:?}"
            );
        }
        assert_eq!(with_escapes(b"\xffa\0").as_deref(), Some("\\xffa\\x00"));
        for text in ["", "crash", "a b\n  c\n", "\u{e4}\n"] {
            assert_eq!(with_escapes(text.as_bytes()), None, "{text:?}");
        }
    }

    #[test]
    fn the_command_to_repeat_has_no_budget() {
        let line = "/opt/nubbin reduce a.c --ci=5 --same-failure -- ./cc --ci {}";
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        assert_eq!(
            to_repeat(&words).unwrap(),
            "nubbin reduce a.c --same-failure -- ./cc --ci '{}'"
        );
    }
}
