//! Help on topics, manual pages, and completions.

use crate::guide::repository;
use crate::stage::Stage;

fn printed(args: &[&str]) -> String {
    Stage::new().run(args).ended(0).stdout
}

#[test]
fn exit_codes_and_farms_are_described_in_one_place() {
    assert!(printed(&["help", "exit-codes"]).contains("  130  stopped"));
    assert!(printed(&["help", "farm"]).contains("--remote-token-file <FILE>"));
    for command in ["reduce", "reduce-all", "isolate", "explain"] {
        for flag in ["-h", "--help"] {
            let help = printed(&[command, flag]);
            assert!(!help.contains("--remote-"), "{help}");
            assert!(!help.contains("  130  stopped"), "{help}");
            assert!(help.contains("`nubbin help exit-codes`"), "{help}");
        }
    }
}

#[test]
fn the_help_of_a_command_is_a_topic_as_well() {
    for words in ["reduce", "campaign run"] {
        let words: Vec<&str> = words.split(' ').collect();
        let by_flag = printed(&[&words[..], &["--help"]].concat());
        assert_eq!(printed(&[&["help"], &words[..]].concat()), by_flag);
    }
    Stage::new().run(["help", "nothing"]).ended(2);
}

#[test]
fn the_synopsis_of_a_manual_page_is_one_line() {
    for (command, usage) in [
        (
            "reduce",
            "nubbin reduce [OPTIONS] [INPUT]... [\\-\\- <COMMAND>...]",
        ),
        ("campaign", "nubbin campaign <COMMAND>"),
    ] {
        let page = printed(&["man", command]);
        let (_, after) = page.split_once(".SH SYNOPSIS\n").unwrap();
        let (synopsis, _) = after.split_once("\n.SH ").unwrap();
        // Each section begins with requests that have nothing to do with the one before.
        let lines: Vec<&str> = synopsis.lines().filter(|it| !it.starts_with('.')).collect();
        assert_eq!(lines, [format!("\\fB{usage}\\fR")]);
    }
    // Also flags that the short help leaves out have their texts.
    let page = printed(&["man", "reduce"]);
    assert!(page.contains("Copy the result to the clipboard"), "{page}");
}

#[test]
fn each_shell_has_a_script_with_the_flags_of_commands() {
    for shell in ["bash", "elvish", "fish", "nushell", "powershell", "zsh"] {
        let script = printed(&["completions", shell]);
        for word in ["reduce-all", "same-failure"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

/// The file in the repository that coding agents read.
fn agents() -> String {
    std::fs::read_to_string(repository().join("AGENTS.md")).unwrap()
}

#[test]
fn the_page_for_agents_is_that_of_the_repository_and_short() {
    let page = printed(&["help", "agent"]);
    assert_eq!(page, agents());
    assert!(page.lines().count() <= 60, "{}", page.lines().count());
    assert_eq!(page.lines().find(|line| line.chars().count() > 80), None);
}

/// Runs every command of the page, each in a folder that has what it names.
#[test]
fn the_commands_of_the_page_for_agents_work() {
    let page = agents();
    let mut ran = 0;
    let is_command = |line: &&str| line.starts_with("    nubbin ");
    for line in page.lines().filter(is_command).map(str::trim) {
        let stage = Stage::new();
        stage.file(
            "in.json",
            r#"{"a": [1, 2, 3], "b": {"c": "d", "e": [4, 5]}}"#,
        );
        if line.contains("explain") {
            stage.file("in.min.json", r#"{"b"}"#);
        }
        stage.file("good.json", r#"{"a": [1, 2, 3]}"#);
        stage.file("crashes/one.json", r#"{"b": 1}"#);
        stage.file("crashes/two.json", r#"{"a": 1, "b": 1}"#);
        stage.file(
            "app.py",
            "import sys\nif '\"b\"' in open(sys.argv[1]).read():\n    raise KeyError('b')\n",
        );
        stage.script("test.sh", "grep -q '\"b\"' *.json");
        stage.script("app", "! grep -q '\"b\"' \"$1\" || kill -SEGV $$");
        stage.file("Makefile", "all:\n\tpython3 app.py in.json\n");
        let ended = stage.shell(line, None);
        assert_eq!(
            ended.code,
            Some(0),
            "{line}\n{}{}",
            ended.stdout,
            ended.stderr
        );
        if line.contains("--json") {
            let answer: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
            assert!(answer.get("error").is_none(), "{line}\n{answer}");
        }
        ran += 1;
    }
    assert!(ran >= 8, "{ran}");
}

#[test]
fn the_fields_that_the_page_for_agents_names_exist() {
    let stage = Stage::with_crash("a crash b");
    let args = ["reduce", "input.txt", "--json", "--test", "./test.sh"];
    let answer = stage.run(args).ended(0).stdout;
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    let page = agents();
    for field in [
        "result",
        "bytes_before",
        "bytes_after",
        "tests",
        "wall_s",
        "ended",
        "verified",
    ] {
        assert!(page.contains(field) && !answer[field].is_null(), "{field}");
    }
    // Only a result with another failure has it.
    assert!(page.contains("changed_failure"));
}

#[cfg(not(feature = "remote"))]
#[test]
fn a_program_without_farms_says_how_to_get_one_with_them() {
    let stage = Stage::with_crash("a crash b");
    let farm = ["--remote", "grpc://localhost:1", "--test", "./test.sh"];
    let ran = stage
        .run(["reduce", "input.txt"].iter().chain(&farm))
        .ended(2);
    ran.said(&["without tests on a farm", "--features remote"]);
    assert!(printed(&["help", "farm"]).contains("--features remote"));
}

#[cfg(not(feature = "mcp"))]
#[test]
fn a_program_without_the_server_for_agents_says_how_to_get_one_with_it() {
    let ran = Stage::new().run(["mcp"]).ended(2);
    ran.said(&[
        "without the server of the Model Context Protocol",
        "--features mcp",
    ]);
}
