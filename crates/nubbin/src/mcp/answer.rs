//! The state and the result of a job: a short text for people and models, and data.

use super::job::{End, Job, Progress};
use super::wording::in_arguments;
use crate::exit::Exit;
use crate::shown;
use nubbin_session::nearly_empty;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// The maximum size in bytes of a result that is part of a response. Longer ones are files only.
const SHOWN: u64 = 2000;

/// Parts of documents that are long, and of interest to those who work on nubbin.
const LEFT_OUT: [&str; 2] = ["passes", "tests_over_limit"];

/// Parts of the document of a check about its result, which is discarded, so that a path in them
/// leads nowhere.
const LEFT_OUT_OF_CHECKS: [&str; 3] = ["result", "renamed", "bytes_after"];

/// Returns the answer of a job that has ended, and the state of another one.
pub(super) fn of(job: &Job) -> CallToolResult {
    let progress = job.progress();
    match &progress.end {
        Some(end) => ended(job, end),
        None => running(job, &progress),
    }
}

/// Returns the numbers of a run: `134 tests, 252 bytes to 34`.
pub(super) fn short(progress: &Progress) -> String {
    let tests = shown::tests(progress.tests);
    match (progress.before, progress.best) {
        (Some(before), Some(best)) => format!("{tests}, {before} bytes to {best}"),
        _ => tests,
    }
}

fn running(job: &Job, progress: &Progress) -> CallToolResult {
    let (number, tool, seconds) = (job.number, job.tool, seconds(job));
    let mut text = format!("job {number} ({tool}) is running: {}", short(progress));
    // No result exists before the first success.
    let best = job
        .result
        .as_deref()
        .filter(|_| progress.best < progress.before);
    if let Some(best) = best {
        let _ = write!(text, "\nbest so far: {}", best.display());
    }
    text.push_str("\n`state` waits for its end, `stop` ends it");
    let data = json!({
        "job": number, "tool": tool, "state": "running", "seconds": seconds,
        "tests": progress.tests, "bytes_before": progress.before, "bytes": progress.best,
        "best": best,
    });
    told(CallToolResult::structured(data), text)
}

fn ended(job: &Job, end: &End) -> CallToolResult {
    let (number, tool, seconds) = (job.number, job.tool, seconds(job));
    let mut data = json!({
        "job": number, "tool": tool, "state": "ended", "seconds": seconds, "exit": end.exit,
    });
    let Value::Object(document) = &end.answer else {
        let text = match end.exit {
            Some(code) => {
                format!("job {number} ({tool}) exited with code {code} and gave no answer")
            }
            None => format!("job {number} ({tool}) was stopped before it had an answer"),
        };
        data["error"] = json!(text);
        let best = job.result.as_ref().filter(|path| path.exists());
        let best = best.map_or(String::new(), |path| {
            data["result"] = json!(path);
            format!("\nthe best so far is in {}", path.display())
        });
        let text = format!("{text}{best}\n{}", end.errors)
            .trim_end()
            .to_owned();
        return told(CallToolResult::structured_error(data), text);
    };
    data["answer"] = Value::Object(brief(tool, document));
    if let Some(error) = document.get("error").and_then(Value::as_str) {
        let text = in_arguments(&error_text(error, document));
        return told(CallToolResult::structured_error(data), text);
    }
    if is_refused(end.exit) {
        let text = in_arguments(end.errors.trim());
        data["error"] = json!(text);
        return told(CallToolResult::structured_error(data), text);
    }
    let text = format!("job {number} ({tool}) {}", summary(tool, document));
    told(CallToolResult::structured(data), text)
}

/// Returns whether a run has an answer that is worth nothing: the test is flaky, or an empty input
/// fails as well.
fn is_refused(exit: Option<i32>) -> bool {
    let fine = [Exit::Done, Exit::Stopped, Exit::NoResult];
    exit.is_some_and(|code| fine.iter().all(|fine| code != *fine as i32))
}

fn seconds(job: &Job) -> f64 {
    (job.time().as_secs_f64() * 10.0).round() / 10.0
}

fn told(mut result: CallToolResult, text: String) -> CallToolResult {
    result.content = vec![ContentBlock::text(text)];
    result
}

fn brief(tool: &str, document: &Map<String, Value>) -> Map<String, Value> {
    let of_checks = LEFT_OUT_OF_CHECKS.iter().filter(|_| tool == "check");
    let left_out: Vec<&str> = LEFT_OUT.iter().chain(of_checks).copied().collect();
    let kept = document
        .iter()
        .filter(|(key, _)| !left_out.contains(&key.as_str()));
    kept.map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

fn error_text(error: &str, document: &Map<String, Value>) -> String {
    let mut text = error.to_owned();
    let details = document.get("details").and_then(Value::as_array);
    for detail in details.into_iter().flatten().filter_map(Value::as_str) {
        let _ = write!(text, "\n{detail}");
    }
    if let Some(hint) = document.get("hint").and_then(Value::as_str) {
        let _ = write!(text, "\nhint: {hint}");
    }
    text
}

/// Returns a warning if a result shows another failure than the original.
fn changed_failure(document: &Map<String, Value>) -> String {
    let Some(changed) = document.get("changed_failure").and_then(Value::as_object) else {
        return String::new();
    };
    let of = |key: &str| changed.get(key).and_then(Value::as_str).unwrap_or_default();
    format!(
        "\nwarning: the conditions also accept another failure: the original shows `{}`, and a smaller \
         input `{}`; set `test.same_failure`, or a `test.stderr` that only the first one matches",
        of("original"),
        of("result")
    )
}

/// Returns a note on the parts that an explanation has not tested, which may be of any kind.
fn untested(document: &Map<String, Value>) -> String {
    let number = |key: &str| document.get(key).and_then(Value::as_u64);
    let (Some(parts), Some(settled)) = (number("parts"), number("parts_settled")) else {
        return String::new();
    };
    match parts.saturating_sub(settled) {
        0 => String::new(),
        left => format!(
            "\nthis is partial: {left} of {parts} parts were not tested to their end, and are shown as \
             they are; a larger `budget` tests them"
        ),
    }
}

/// Returns a note on the captured files that look like the program under test.
fn programs(document: &Map<String, Value>) -> String {
    let fixed = document.get("fixed").and_then(Value::as_array);
    match fixed.filter(|fixed| !fixed.is_empty()) {
        None => String::new(),
        Some(fixed) => format!(
            "\nfixed: {}\nthese files look like the program under test: give them to `reduce` as \
             `fixed`, as it would reduce the program as well",
            Value::Array(fixed.clone())
        ),
    }
}

/// Returns a document as text, with the facts that a client needs to decide about its next step.
fn summary(tool: &str, document: &Map<String, Value>) -> String {
    let word = |key: &str| document.get(key).and_then(Value::as_str);
    let number = |key: &str| document.get(key).and_then(Value::as_u64);
    let why = word("ended").map_or_else(String::new, |why| format!(" ({why})"));
    let tests =
        number("tests").map_or_else(String::new, |tests| format!(", {}", shown::tests(tests)));
    match tool {
        "check" => {
            let failure = word("failure").unwrap_or("as stated");
            let time = document.get("first_test_s").and_then(Value::as_f64);
            let time =
                time.map_or_else(String::new, |time| format!("; one test takes {time:.2} s"));
            let changed = changed_failure(document);
            return format!("has ended: the input fails ({failure}){time}{changed}");
        }
        "explain" => {
            let pattern = word("pattern").unwrap_or_default();
            let mut text = format!("has ended{why}{tests}; ");
            let is_partial = !untested(document).is_empty();
            text += match pattern.contains('<') {
                true => "parts in <> may be anything of their kind:",
                false if is_partial => "no part was found that may be anything else of its kind:",
                false => "no part may be anything else of its kind:",
            };
            let _ = write!(text, "\n{pattern}");
            text += &untested(document);
            if needs_nothing(document) {
                text.push_str(
                    "\nwarning: no part of the input is needed, so the test may fail for any \
                     input: state the failure more narrowly",
                );
            }
            return text;
        }
        "capture" => {
            let mut text = "has ended".to_owned();
            for key in ["input", "test", "command"] {
                let _ = write!(text, "\n{key}: {}", word(key).unwrap_or_default());
            }
            text += &programs(document);
            return text;
        }
        _ => {}
    }
    let mut text = format!("has ended{why}{tests}");
    if let (Some(before), Some(after)) = (number("bytes_before"), number("bytes_after")) {
        let _ = write!(text, ", {before} bytes to {after}");
    }
    if document.get("verified") == Some(&Value::Bool(false)) {
        text.push_str("\nthe result did not fail again: the test is flaky");
    }
    text += &changed_failure(document);
    let paths = document.get("result").and_then(Value::as_array);
    let paths: Vec<&str> = paths
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if paths.is_empty() {
        text.push_str("\nno smaller input was found");
    }
    for path in &paths {
        let _ = write!(text, "\nresult: {path}");
    }
    if let [path] = &paths[..]
        && let Some(content) = short_file(Path::new(path))
    {
        let before = number("bytes_before").unwrap_or(0) as usize;
        let content = match content.is_empty() {
            true => "(the result is empty)".to_owned(),
            false => content,
        };
        let _ = write!(text, "\n\n{content}");
        if let Some(note) = note(before, Path::new(path)) {
            let _ = write!(text, "\nwarning: {note}");
        }
    }
    text
}

/// Returns the note on a result that is nearly empty.
fn note(bytes_before: usize, result: &Path) -> Option<String> {
    nearly_empty::note(bytes_before, &std::fs::read(result).ok()?)
}

/// Returns whether the pattern of an explanation has nothing that an input must have.
fn needs_nothing(document: &Map<String, Value>) -> bool {
    let pieces = document.get("pieces").and_then(Value::as_array);
    let is_space = |piece: &Value| piece["text"].as_str().is_none_or(|it| it.trim().is_empty());
    pieces.is_some_and(|pieces| pieces.iter().all(is_space))
}

/// Returns the text of a file that is short and UTF-8.
fn short_file(path: &Path) -> Option<String> {
    let length = path.metadata().ok().filter(|it| it.is_file())?.len();
    let bytes = (length <= SHOWN).then(|| std::fs::read(path).ok())??;
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(tool: &str, document: Value) -> String {
        summary(tool, document.as_object().unwrap())
    }

    #[test]
    fn a_reduction_is_told_with_its_files() {
        let document = json!({
            "ended": "max-tests", "tests": 9, "bytes_before": 50, "bytes_after": 7,
            "result": ["/a/b", "/a/c"], "verified": false,
        });
        assert_eq!(
            text("reduce", document),
            "has ended (max-tests), 9 tests, 50 bytes to 7\n\
             the result did not fail again: the test is flaky\nresult: /a/b\nresult: /a/c"
        );
        let none = json!({ "ended": "max-time", "tests": 1, "result": [] });
        assert_eq!(
            text("reduce", none),
            "has ended (max-time), 1 test\nno smaller input was found"
        );
    }

    #[test]
    fn a_result_that_says_little_has_a_warning() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let told = |result: &str| {
            std::fs::write(&path, result).unwrap();
            let document = json!({ "bytes_before": 90, "bytes_after": 1, "result": [path] });
            text("reduce", document)
        };
        assert!(told("\n").contains("warning: the result has 1 byte"));
        assert!(told("").contains("(the result is empty)\nwarning: "));
        assert!(!told("boom").contains("warning"));
        let of = |piece: &str| {
            let any = json!({ "kind": "name", "same": null, "part": 0, "start": 0, "end": 1 });
            let pieces = json!([any, { "text": piece }]);
            text("explain", json!({ "pattern": "<name>", "pieces": pieces }))
        };
        assert!(of("\n").contains("warning: no part of the input is needed"));
        assert!(!of("boom").contains("warning"));
    }

    #[test]
    fn an_explanation_that_ended_early_is_partial() {
        let of = |settled: u64| {
            let document = json!({ "pattern": "a", "parts": 9, "parts_settled": settled });
            text("explain", document)
        };
        assert!(of(2).contains("no part was found that may be"), "{}", of(2));
        assert!(of(2).contains("this is partial: 7 of 9 parts"), "{}", of(2));
        assert!(!of(9).contains("partial") && of(9).contains("no part may be"));
    }

    #[test]
    fn a_capture_names_the_files_of_the_program() {
        let of = |fixed: Value| text("capture", json!({ "input": "i", "fixed": fixed }));
        let expected = "fixed: [\"a.py\"]\nthese files look like";
        assert!(of(json!(["a.py"])).contains(expected));
        assert!(!of(json!([])).contains("fixed"));
    }

    #[test]
    fn only_short_texts_are_part_of_an_answer() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            short_file(&path)
        };
        assert_eq!(file("short", b"{}"), Some("{}".to_owned()));
        assert_eq!(file("long", &[b'a'; 2001]), None);
        assert_eq!(file("binary", &[0xff]), None);
        assert_eq!(short_file(folder.path()), None);
    }

    #[test]
    fn an_error_has_its_details_and_the_hint() {
        let error = json!({ "error": "e", "details": ["d"], "hint": "h", "exit": 3 });
        let document = error.as_object().unwrap();
        assert_eq!(error_text("e", document), "e\nd\nhint: h");
    }
}
