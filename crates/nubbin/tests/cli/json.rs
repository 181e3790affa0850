//! Answers and errors as JSON.

use crate::stage::{Stage, haystack};
use serde_json::{Value, json};

fn document(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_reduction_prints_its_statistics_and_nothing_else() {
    let stage = Stage::with_crash(&haystack(30, "crash"));
    let ran = stage
        .run(["reduce", "input.txt", "--json", "--test", "./test.sh"])
        .ended(0);
    let answer = document(&ran.stdout);
    assert_eq!(answer["bytes_after"], 5);
    assert_eq!(answer["result"], json!(["input.min.txt"]));
    assert_eq!(ran.stderr, "");
}

#[test]
fn an_isolation_prints_its_statistics() {
    let stage = Stage::with_crash("a crash b");
    stage.file("calm.txt", "a b");
    let args = ["isolate", "calm.txt", "input.txt", "--json", "--", "grep"];
    let ran = stage
        .run(args.iter().chain(&["-q", "crash", "{}"]))
        .ended(0);
    let answer = document(&ran.stdout);
    assert_eq!(answer["ended"], "complete");
    assert_eq!(ran.stderr, "");
}

#[test]
fn an_error_has_its_hint_and_the_exit_code() {
    let stage = Stage::with_crash("calm");
    for (args, code, error) in [
        (
            "reduce input.txt --json --test ./test.sh",
            3,
            "does not fail",
        ),
        (
            "explain input.txt --json --test ./test.sh",
            3,
            "does not fail",
        ),
        ("reduce none.txt --json -- true", 5, "none.txt"),
        ("reduce input.txt --json --such -- true", 2, "--such"),
        ("reduce input.txt --json", 2, "no test is given"),
        ("passes --json --such", 2, "--such"),
        ("campaign status --json none", 5, "none"),
    ] {
        let ran = stage.run(args.split(' ')).ended(code);
        let answer = document(&ran.stdout);
        assert_eq!(answer["exit"], code, "{args}");
        let text = answer["error"].as_str().unwrap();
        assert!(text.contains(error) && !text.starts_with("error"), "{text}");
        assert!(answer.get("hint").is_some(), "{answer}");
        assert_eq!(ran.stderr, "", "{args}");
    }
}

#[test]
fn words_behind_the_dashes_ask_for_nothing() {
    let stage = Stage::with_crash("calm");
    let ran = stage
        .run(["reduce", "none.txt", "--", "prog", "--json"])
        .ended(5);
    assert_eq!(ran.stdout, "");
    ran.said(&["none.txt"]);
}

#[test]
fn an_error_after_an_answer_is_no_second_document() {
    let stage = Stage::with_crash("a crash b");
    let ran = stage
        .run(["reduce", "input.txt", "--json", "--", "true"])
        .ended(9);
    assert_eq!(document(&ran.stdout)["ended"], "empty");
    ran.said(&["also fails on an empty input", "hint: "]);
}
