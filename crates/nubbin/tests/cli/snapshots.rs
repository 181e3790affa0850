//! Snapshots of texts that people and programs read, so that a change is seen in a review.
//!
//! `UPDATE_EXPECT=1 cargo test -p nubbin --test cli snapshots` writes them.

use crate::stage::{Ran, Stage, haystack};
use expect_test::{ExpectFile, expect_file};
use regex::Regex;

/// Compares what two catalogues say to programs: one line for each value.
fn check_catalogue(command: &str, expected: &ExpectFile) {
    let listed = Stage::new().run([command, "--json"]).ended(0).stdout;
    let entries: serde_json::Value = serde_json::from_str(&listed).unwrap();
    expected.assert_eq(&(serde_json::to_string_pretty(&entries).unwrap() + "\n"));
}

#[test]
fn the_passes_are_as_before() {
    check_catalogue("passes", &expect_file!["../snapshots/passes.json"]);
}

#[test]
fn the_algorithms_are_as_before() {
    check_catalogue("algorithms", &expect_file!["../snapshots/algorithms.json"]);
}

/// Returns the messages of a run, without lines of progress, which come in time, and with words for
/// times and temporary folders.
fn messages(stage: &Stage, ran: &Ran) -> String {
    let folder = stage.folder().canonicalize().unwrap();
    let temp = stage.temp().canonicalize().unwrap();
    let said = ran.stderr.replace(folder.to_str().unwrap(), "FOLDER");
    let mut said = said.replace(temp.to_str().unwrap(), "TEMP");
    for (pattern, word) in [
        (r"(?m)^[0-9,]* bytes.* · [0-9,]*.* tests?, .*\n", ""),
        (r"(?m)^.*running for [0-9.]+ s.*\n", ""),
        (r"nubbin-[A-Za-z0-9]{6}/", "PRIVATE/"),
        (r"/[a-z/]*bin/grep", "BIN/grep"),
        (r"\b[0-9][0-9.]*( ?ms\b| s\b| seconds?| minutes?)", "TIME"),
        (r"\([0-9.]+ a second\)", "(N a second)"),
    ] {
        let pattern = Regex::new(pattern).unwrap();
        said = pattern.replace_all(&said, word).into_owned();
    }
    said
}

/// Runs nubbin, and returns the command, its messages, and its output.
fn told(stage: &Stage, line: &str, code: i32) -> String {
    let words = shlex::split(line).unwrap();
    let ran = stage.run(words).ended(code);
    let said = messages(stage, &ran);
    let output = ran
        .stdout
        .replace(stage.folder().to_str().unwrap(), "FOLDER");
    format!("$ nubbin {line}\n{said}{output}[exit code {code}]\n\n")
}

#[test]
fn the_messages_of_runs_are_as_before() {
    let stage = Stage::with_crash(&haystack(30, "crash(1, two)"));
    stage.file("passes.txt", haystack(30, "works(1, two)"));
    stage.file("d/one.txt", "one\na crash\n");
    stage.file("d/two.txt", "two\nwell\n");
    stage.script("prog", "! grep -q crash \"$1\"");
    let all = [
        ("reduce -j1 input.txt -o a.txt --test ./test.sh", 0),
        ("reduce -j1 input.txt -o a.txt --test ./test.sh", 0),
        (
            "reduce -j1 -v input.txt -o b.txt --max-tests 12 --test ./test.sh",
            0,
        ),
        (
            "reduce -j1 --plain --algorithm ddmin input.txt -o c.txt --test ./test.sh",
            0,
        ),
        ("reduce -j1 -q input.txt -o e.txt --test ./test.sh", 0),
        ("reduce -j1 input.txt -o g.txt -- grep -q absent {}", 3),
        ("isolate -j1 passes.txt input.txt -o i -- ./test.sh", 0),
        ("explain -j1 a.txt -- grep -q crash {}", 0),
        ("reduce-all -j1 d -o r --exit 1 -- ./prog {}", 0),
        ("reduce input.txt", 2),
        ("reduce none.txt -- true", 5),
    ];
    let shown: String = (all.iter().map(|(line, code)| told(&stage, line, *code))).collect();
    expect_file!["../snapshots/messages.txt"].assert_eq(&shown);
}
