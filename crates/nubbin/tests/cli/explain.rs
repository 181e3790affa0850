//! Explanations of failing inputs.

use crate::stage::Stage;
use std::path::Path;

const SUMS: &str = "<start> ::= <sum>\n<sum> ::= <item> \"+\" <sum> | <item>\n\
    <item> ::= <int> | \"(\" <sum> \")\"\n<int> ::= <digit> <int> | <digit>\n\
    <digit> ::= \"0\" | \"1\" | \"2\" | \"3\" | \"4\" | \"5\" | \"6\" | \"7\" | \"8\" | \"9\"\n";

fn sums() -> Stage {
    let stage = Stage::new();
    stage.file("sum.txt", "12+(3+4)+5\n");
    stage.file("sums.bnf", SUMS);
    stage.script("test.sh", "grep -q '(' sum.txt");
    stage
}

const BY_GRAMMAR: [&str; 6] = [
    "explain",
    "sum.txt",
    "--grammar",
    "sums.bnf",
    "--test",
    "./test.sh",
];

#[test]
fn replaceable_parts_are_in_angle_brackets() {
    let stage = sums();
    let ran = stage.run(BY_GRAMMAR).ended(0);
    assert_eq!(ran.stdout, "<item>+(<sum>)+<sum>\n");
    let ran = ran.said(&[
        "<item>: `12`, or ",
        "5 of 11 bytes matter; 3 parts can be anything",
    ]);
    assert!(!ran.stdout.contains('\x1b'));
    // The run writes no files and leaves none.
    assert_eq!(stage.names(), ["sum.txt", "sums.bnf", "test.sh"]);
    let quiet = stage.run(BY_GRAMMAR.iter().chain(&["--quiet"])).ended(0);
    assert_eq!((quiet.stdout, quiet.stderr.as_str()), (ran.stdout, ""));
}

#[test]
fn a_page_shows_the_parts_and_replaces_nothing_of_the_users() {
    let stage = sums();
    let page = ["--report", "parts.html"];
    let ran = stage.run(BY_GRAMMAR.iter().chain(&page)).ended(0);
    ran.said(&["wrote `parts.html`"]);
    let text = stage.text("parts.html");
    for part in [
        "5 of 11 bytes matter",
        "<span class=\"any\" title=\"&lt;item&gt;\">12</span>+(<span",
        "<span class=\"any\">&lt;item&gt;</span>+(",
        "--test ./test.sh --report parts.html",
        "Failure: <code>exit code 0</code>",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // A page of nubbin is replaced, and no other file.
    stage.run(BY_GRAMMAR.iter().chain(&page)).ended(0);
    stage.file("mine.html", "mine\n");
    let mine = ["--report", "mine.html"];
    stage.run(BY_GRAMMAR.iter().chain(&mine)).ended(6);
    assert_eq!(stage.text("mine.html"), "mine\n");
    stage
        .run(BY_GRAMMAR.iter().chain(&["--report", "sum.txt", "--force"]))
        .ended(2)
        .said(&["sum.txt"]);
    assert_eq!(stage.text("sum.txt"), "12+(3+4)+5\n");
    stage
        .run(BY_GRAMMAR.iter().chain(&mine).chain(&["--force"]))
        .ended(0);
    assert!(stage.text("mine.html").contains("bytes matter"));
}

#[test]
fn json_is_complete_and_the_same_for_a_seed_and_any_number_of_jobs() {
    let stage = sums();
    let run = |more: &[&str]| -> serde_json::Value {
        let ran = stage
            .run(BY_GRAMMAR.iter().chain(&["--json"]).chain(more))
            .ended(0);
        serde_json::from_str(&ran.stdout).unwrap()
    };
    let one = run(&["-j", "1"]);
    assert_eq!(one["pattern"], "<item>+(<sum>)+<sum>\n");
    assert_eq!(one["pieces"][1], serde_json::json!({"text": "+("}));
    assert_eq!(one["pieces"][0]["kind"], "item");
    assert_eq!(one["abstract"][0]["samples"], 10);
    assert_eq!(one["abstract"][0]["own"], "12");
    assert_eq!(one["ended"], "complete");
    assert!(one["examples"][0].as_str().unwrap().contains("("));
    assert_eq!(one, run(&["-j", "3"]));
    assert_ne!(one["abstract"], run(&["--seed", "1"])["abstract"]);
    let few = run(&["--max-tests", "3", "-n", "2"]);
    assert_eq!(
        (&few["ended"], &few["tests"]),
        (&"max-tests".into(), &3.into())
    );
}

#[test]
fn words_numbers_and_strings_are_parts_without_a_grammar() {
    let stage = Stage::new();
    stage.file("note.txt", "load file 17; show file, crash 3\n");
    let body = "n=$(sed -n 's/^load \\([a-z0-9_]*\\) .*/\\1/p' note.txt)\n\
        grep -q \"show $n, crash\" note.txt";
    stage.script("test.sh", body);
    let ran = stage
        .run(["explain", "note.txt", "--test", "./test.sh"])
        .ended(0);
    assert_eq!(
        ran.stdout,
        "load <name-1> <int>; show <name-1>, crash <int>\n"
    );
}

#[test]
#[cfg_attr(not(feature = "languages"), ignore = "needs a language")]
fn replacements_of_a_language_can_be_parsed_and_come_from_other_files_as_well() {
    let stage = Stage::new();
    stage.file("a.json", "{\"size\": [1, 2], \"deep\": {\"x\": null}}\n");
    stage.file("more.json", "[true, \"s\", {\"y\": 1.5}, 3, [4, 5], {}]\n");
    // The program rejects input that is not JSON.
    stage.script("test.sh", "grep -q '\"deep\": *{' a.json");
    let args = [
        "explain",
        "a.json",
        "--from",
        "more.json",
        "--test",
        "./test.sh",
        "--json",
    ];
    let ran = stage.run(args).ended(0);
    let found: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let pattern = found["pattern"].as_str().unwrap();
    assert!(pattern.contains("\"deep\": {"), "{pattern}");
    assert!(
        pattern.contains('<') && !pattern.contains("null"),
        "{pattern}"
    );
    for example in found["examples"].as_array().unwrap() {
        let parsed = serde_json::from_str::<serde_json::Value>(example.as_str().unwrap());
        assert!(parsed.is_ok(), "{example}");
    }
}

#[test]
fn replaceable_choices_are_listed() {
    let stage = Stage::new();
    let grammar =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/grammars/expressions.json");
    let grammar = grammar.to_str().unwrap();
    let generate = [
        "generate",
        "grammar",
        "-g",
        grammar,
        "--seed",
        "3",
        "--record",
        "run.choices",
    ];
    let text = stage.run(generate).ended(0).stdout;
    let wanted = text.trim().chars().next().unwrap();
    stage.script("test.sh", &format!("grep -q '^[{wanted}]' \"$1\""));
    let args = [
        "explain",
        "--choices",
        "run.choices",
        "--grammar",
        grammar,
        "--",
        "./test.sh",
        "{}",
    ];
    let ran = stage.run(args).ended(0).said(&["choices matter", "text: "]);
    assert!(
        ran.stdout.lines().any(|line| line.contains("any ")),
        "{}",
        ran.stdout
    );
    let json = stage.run(["--json"].iter().fold(args.to_vec(), |mut args, flag| {
        args.insert(1, flag);
        args
    }));
    let found: serde_json::Value = serde_json::from_str(&json.ended(0).stdout).unwrap();
    assert_eq!(
        found["parts"].as_u64().unwrap() as usize,
        ran.stdout.lines().count()
    );
    assert!(found.get("pattern").is_none());
}

#[test]
fn inputs_without_an_explanation_are_refused() {
    let stage = sums();
    stage.script("passes.sh", "exit 1");
    stage.file("dots.txt", "...\n");
    stage.file("empty.txt", "");
    let cases: [(&[&str], i32, &str); 7] = [
        (
            &["sum.txt", "--test", "./passes.sh"],
            3,
            "the original input does not fail",
        ),
        (&["missing.txt", "--test", "./test.sh"], 5, "missing.txt"),
        (
            &["dots.txt", "--test", "./test.sh"],
            5,
            "has a replacement of its kind",
        ),
        (
            &["dots.txt", "-g", "sums.bnf", "--test", "./test.sh"],
            5,
            "does not fit the grammar",
        ),
        (
            &["sum.txt", "--language", "klingon", "--test", "./test.sh"],
            2,
            "klingon",
        ),
        (
            &["sum.txt", "--from", "dots.txt", "--test", "./test.sh"],
            2,
            "needs a language",
        ),
        (&["--test", "./test.sh"], 2, "INPUT"),
    ];
    for (args, code, what) in cases {
        let all = ["explain"].iter().chain(args);
        stage.run(all).ended(code).said(&[what]);
    }
}

#[test]
fn a_run_that_was_stopped_says_that_parts_were_not_tested() {
    let stage = sums();
    stage.script("test.sh", "sleep 0.1; grep -q '(' sum.txt");
    let ran = stage
        .run(BY_GRAMMAR.iter().chain(&["--max-tests", "2"]))
        .ended(0);
    let ran = ran.said(&[
        "stopped at the test limit: 30 parts",
        "the one part that was tested cannot be replaced",
    ]);
    assert!(
        !ran.stderr.contains("no part can be replaced"),
        "{}",
        ran.stderr
    );
    // The original was run in the sandbox before, and its time is that of this run.
    let took = ran
        .stderr
        .split("the original's test took ")
        .nth(1)
        .unwrap();
    let millis: Option<u32> = took.split(' ').next().and_then(|it| it.parse().ok());
    let is_long = millis.is_none_or(|millis| millis >= 100) && !took.starts_with("under");
    assert!(is_long, "{}", ran.stderr);
}
