//! Issues in the Static Analysis Results Interchange Format (SARIF 2.1.0, OASIS 2020), which hosts
//! of code and editors show next to the source.
//!
//! A result is an issue, and its rule is the kind of the failure. The location of a result is the
//! line of source that the output names for the innermost function; an issue without one is located
//! in its smallest test, since some readers refuse a result without a file.

use crate::exit::Exit;
use crate::output::{Access, Destination};
use crate::problem::Problem;
use crate::report;
use crate::shown::count;
use crate::template::instant;
use crate::title::{source_line, title};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nubbin_campaign::{Issue, IssueState, Severity};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const PAGE: &str = "https://github.com/nubbin/nubbin";

/// The maximum number of bytes of a test that the log has in itself.
const MAX_EMBEDDED: usize = 64 * 1024;

/// An issue, and the name of the file with its smallest test.
pub(crate) struct Entry<'a> {
    pub(crate) issue: &'a Issue,
    pub(crate) test: String,
    /// The files that show the issue, where they are known.
    pub(crate) files: &'a [String],
}

/// Takes the file of the log. A file that nubbin did not write is refused.
pub(crate) fn claim(path: &Path, force: bool) -> Result<Destination, Problem> {
    report::claim(path, "log", Access::OWNER, force)
}

/// Writes the issues as the log of one run.
pub(crate) fn write(file: &Destination, entries: &[Entry<'_>]) -> Result<(), Problem> {
    let text = serde_json::to_string_pretty(&log(entries)).map_err(|error| {
        let what = format!("cannot write `{}`", file.path().display());
        Problem::new(Exit::Output, what).because(&error)
    })?;
    file.write((text + "\n").as_bytes())
}

fn log(entries: &[Entry<'_>]) -> Value {
    let mut kinds: Vec<&str> = entries.iter().map(|it| &*it.issue.identity.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let rules: Vec<Value> = kinds.iter().map(|kind| rule(kind)).collect();
    let results = entries.iter().enumerate().map(|(at, entry)| {
        let kind = &*entry.issue.identity.kind;
        result(entry, at, kinds.binary_search(&kind).unwrap_or(0))
    });
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "nubbin",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": PAGE,
                "rules": rules,
            }},
            "artifacts": entries.iter().map(artifact).collect::<Vec<_>>(),
            "results": results.collect::<Vec<_>>(),
        }],
    })
}

/// Returns the rule of a kind of failure.
fn rule(kind: &str) -> Value {
    let text = match kind {
        "sanitizer" => "A sanitizer reports a fault.",
        "internal error" => "The program reports an internal error.",
        "assertion" => "An assertion fails.",
        "panic" => "The program panics.",
        "exception" => "An exception is not caught.",
        "signal" => "A signal kills the program.",
        "exit" => "The program ends with an exit code that counts as a failure.",
        "hang" => "The program does not end within its time limit.",
        "difference" => "Two builds of the program behave differently.",
        _ => "The program fails.",
    };
    json!({ "id": kind, "shortDescription": { "text": text } })
}

fn result(entry: &Entry<'_>, artifact: usize, rule: usize) -> Value {
    let issue = entry.issue;
    let test = json!({ "uri": uri(&entry.test), "index": artifact });
    let mut result = json!({
        "ruleId": issue.identity.kind,
        "ruleIndex": rule,
        "kind": "fail",
        "level": level(issue.severity),
        "message": { "text": message(entry) },
        "locations": [location(entry, &test)],
        "partialFingerprints": { "nubbinIdentity/v1": format!("{}: {}", issue.program, issue.identity) },
        "occurrenceCount": issue.seen.max(1),
        "attachments": [{
            "description": { "text": "the smallest test" },
            "artifactLocation": test,
        }],
        "provenance": {
            "firstDetectionTimeUtc": instant(issue.first_seen),
            "lastDetectionTimeUtc": instant(issue.last_seen),
        },
        "properties": {
            "issue": issue.id,
            "program": issue.program,
            "severity": issue.severity,
            "cluster": issue.cluster,
            "firstVersion": issue.first_version,
            "lastVersion": issue.last_version,
            "files": entry.files,
        },
    });
    if !issue.identity.frames.is_empty() {
        result["stacks"] = json!([{ "frames": frames(issue) }]);
    }
    if issue.state == IssueState::Ignored {
        let note = Some(&issue.note).filter(|note| !note.is_empty());
        result["suppressions"] = json!([{
            "kind": "external",
            "status": "accepted",
            "justification": note.map_or("ignored by the user", |note| note),
        }]);
    }
    result
}

/// Returns the text of a result: a sentence about the failure, and its size.
fn message(entry: &Entry<'_>) -> String {
    let issue = entry.issue;
    let mut text = format!("{}: {}.", issue.program, title(issue));
    let bytes = count(issue.smallest().len() as u64, "byte");
    let _ = write!(text, " A test of {bytes} shows it.");
    text
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low => "note",
    }
}

fn location(entry: &Entry<'_>, test: &Value) -> Value {
    let issue = entry.issue;
    let function = issue.identity.frames.first();
    let place = function.and_then(|function| source_line(&issue.output, function));
    let mut location = match place {
        Some(place) => json!({ "physicalLocation": {
            "artifactLocation": { "uri": uri(&place.path) },
            "region": { "startLine": place.line },
        }}),
        None => json!({ "physicalLocation": { "artifactLocation": test } }),
    };
    if let Some(function) = function {
        location["logicalLocations"] = json!([logical(function)]);
    }
    location
}

fn logical(function: &str) -> Value {
    json!({ "fullyQualifiedName": function, "kind": "function" })
}

/// Returns the frames of the stack, innermost first, as the format requires.
fn frames(issue: &Issue) -> Vec<Value> {
    let frame = |function: &String| {
        let mut location = json!({ "logicalLocations": [logical(function)] });
        if let Some(place) = source_line(&issue.output, function) {
            location["physicalLocation"] = json!({
                "artifactLocation": { "uri": uri(&place.path) },
                "region": { "startLine": place.line },
            });
        }
        json!({ "location": location })
    };
    issue.identity.frames.iter().map(frame).collect()
}

/// Returns the smallest test as a file of the log.
fn artifact(entry: &Entry<'_>) -> Value {
    let bytes = entry.issue.smallest();
    let mut artifact = json!({
        "location": { "uri": uri(&entry.test) },
        "length": bytes.len(),
        "roles": ["attachment"],
    });
    if bytes.len() <= MAX_EMBEDDED {
        artifact["contents"] = match std::str::from_utf8(bytes) {
            Ok(text) => json!({ "text": text }),
            Err(_) => json!({ "binary": STANDARD.encode(bytes) }),
        };
    }
    artifact
}

/// Returns a path as a reference of RFC 3986.
fn uri(path: &str) -> String {
    let mut text = match path.starts_with('/') {
        true => "file://".to_owned(),
        false => String::new(),
    };
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                text.push(char::from(byte));
            }
            _ => {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_campaign::{Found, Identity, IssueFilter, JobKind, Store, Test};

    const REPORT: &[u8] = b"    #0 0x55 in parse /src/a b.c:12:9\n    #1 0x56 in main /src/m.c:7\n";

    fn issues(folder: &Path) -> Vec<Issue> {
        let mut store = Store::create(folder).unwrap();
        for (frames, test, output) in [
            (
                vec!["parse".to_owned(), "main".to_owned()],
                &b"((\xff"[..],
                REPORT,
            ),
            (vec![], b"))", b""),
        ] {
            let found = Found {
                identity: Identity::new("signal", "SIGSEGV", frames),
                severity: Severity::Medium,
                test: Test::new(test),
                exit: "SIGSEGV".into(),
                output: output.to_vec(),
                seen: 3,
                inputs: vec![],
            };
            store
                .record_found("p", "g", "1", &found, JobKind::Validate)
                .unwrap();
        }
        store.set_state(2, IssueState::Ignored).unwrap();
        let mut issues = store.issues(&IssueFilter::default()).unwrap();
        issues.reverse();
        issues
    }

    #[test]
    fn a_result_is_at_the_line_of_its_function_or_in_its_test() {
        let folder = tempfile::tempdir().unwrap();
        let issues = issues(folder.path());
        let entries: Vec<Entry<'_>> = issues
            .iter()
            .map(|issue| Entry {
                issue,
                test: format!("issue-{}.test", issue.id),
                files: &[],
            })
            .collect();
        let run = &log(&entries)["runs"][0];
        let place = |at: usize| &run["results"][at]["locations"][0]["physicalLocation"];
        // A space ends a path in the output of a sanitizer.
        assert_eq!(place(0)["artifactLocation"]["uri"], "b.c");
        assert_eq!(place(0)["region"]["startLine"], 12);
        assert_eq!(place(1)["artifactLocation"]["uri"], "issue-2.test");
        assert_eq!(place(1)["artifactLocation"]["index"], 1);
        let frames = &run["results"][0]["stacks"][0]["frames"];
        assert_eq!(
            frames[1]["location"]["physicalLocation"]["artifactLocation"]["uri"],
            "file:///src/m.c"
        );
        assert_eq!(run["results"][0]["occurrenceCount"], 3);
        assert_eq!(run["artifacts"][0]["contents"]["binary"], "KCj/");
        assert_eq!(run["artifacts"][1]["contents"]["text"], "))");
        assert!(run["results"][0].get("suppressions").is_none());
        assert_eq!(run["results"][1]["suppressions"][0]["status"], "accepted");
        assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "signal");
    }

    #[test]
    fn a_path_is_a_reference() {
        assert_eq!(uri("/a b/c:1"), "file:///a%20b/c%3A1");
        assert_eq!(uri("crashes.min/ä"), "crashes.min/%C3%A4");
    }
}
