//! No text from outside reaches a terminal as anything but text: names of files, outputs of tests,
//! words of proposers and generators, grammars, and inputs.

use crate::stage::{Ran, Stage};
use crate::view::Screen;

/// Sets the title, clears the screen by the second set of control characters, and turns text
/// around.
const EVIL: &str = "\x1b]0;title\x07\u{9b}2J\r\u{202e}\x08evil";
/// The form in which a message shows it.
const SHOWN: &str = "\\x1b]0;title\\x07\\x9b2J\\r\\u{202e}\\x08evil";

fn is_harmless(char: char) -> bool {
    matches!(char, '\n' | '\t') || !char.is_control() && !('\u{202a}'..='\u{202e}').contains(&char)
}

/// Checks that the messages are harmless, and that they show what they would have done.
#[track_caller]
fn assert_shown(ran: &Ran) {
    assert!(ran.stderr.chars().all(is_harmless), "{:?}", ran.stderr);
    assert!(ran.stderr.contains(SHOWN), "{:?}", ran.stderr);
}

/// Writes a shell word that prints the escapes.
fn printf() -> String {
    let bytes: String = EVIL.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    format!("printf '{bytes}\\n'")
}

#[test]
fn names_of_files_are_shown_without_control_sequences() {
    let stage = Stage::with_crash("a crash");
    let name = format!("{EVIL}.txt");
    stage.file(&name, "a crash\nb\n");
    stage.script("test", "grep -q crash \"$1\"");
    let (stats, page) = (format!("{EVIL}.stats"), format!("{EVIL}.html"));
    let test = ["--", "./test", "{}"];
    let run = |args: &[&str]| stage.run(args.iter().chain(&test));
    let ran = run(&["reduce", &name, "--stats", &stats, "--report", &page, "-v"]).ended(0);
    assert_shown(&ran);
    assert_shown(&run(&["reduce", &format!("{name}.none")]).ended(5));
    assert_shown(&run(&["reduce", &name, "-o", &name]).ended(2));
    assert_shown(&run(&["reduce", &name, "--with", &format!("{EVIL}/none")]));
    assert_shown(&run(&["isolate", &name, &name]).ended(2));
    assert_shown(&run(&["explain", &format!("{name}.none")]).ended(5));
    assert_shown(&stage.run(["report", &name]).ended(5));
    assert_shown(&stage.run(["grammar", "check", &name]));
    // A pattern of the shell gives what looks like a flag.
    let flag = format!("--{EVIL}");
    let ran = stage.run(["reduce", &flag, "--", "./test"]).ended(2);
    assert!(ran.stderr.chars().all(is_harmless), "{:?}", ran.stderr);
    // A folder.
    stage.file(&format!("d{EVIL}/{name}"), "crash\n");
    let folder = format!("d{EVIL}");
    let ran = stage.run(["reduce", &folder, "--", "grep", "-rq", "crash", "{}"]);
    assert_shown(&ran.ended(0));
}

#[test]
fn outputs_of_programs_are_shown_without_control_sequences() {
    let stage = Stage::with_crash("a crash");
    let print = printf();
    // A diagnosis shows what the test wrote.
    stage.script("fails", &format!("{print}; {print} >&2; exit 1"));
    let ran = stage.run("reduce input.txt -- ./fails".split(' ')).ended(3);
    assert!(ran.stderr.chars().all(is_harmless), "{:?}", ran.stderr);
    // A failure has a name.
    let assertion = format!("prog: a.c:1: f: Assertion `{EVIL}' failed.\n");
    stage.file("assertion", assertion);
    stage.script("asserts", "cat \"$STAGE/assertion\" >&2; exit 134");
    let line = format!(
        "export STAGE='{}'; exec nubbin reduce input.txt --same-failure --stdout never -- ./asserts",
        stage.folder().display()
    );
    let ran = stage.shell(&line, None).ended(3);
    assert!(ran.stderr.chars().all(is_harmless), "{:?}", ran.stderr);
    for proposer in [
        format!("{print} >&2; exit 3"),
        format!("read line; {print}"),
        "read line; cat assertion >&2; cat assertion".to_owned(),
    ] {
        stage.script("propose", &proposer);
        let args = "reduce input.txt --test ./test.sh --passes trivial --proposer ./propose";
        assert_shown(&stage.run(args.split(' ')).ended(0));
    }
    stage.script("generate", &format!("read line; {print}"));
    let args = "generate choices --count 1 -- ./generate";
    assert_shown(&stage.run(args.split(' ')).ended(4));
}

#[test]
fn grammars_and_inputs_are_shown_without_control_sequences() {
    let stage = Stage::new();
    let rule = format!("<{EVIL}>");
    let grammar = serde_json::json!({"<start>": [rule, "crash"], "<unused>": [rule]});
    stage.file("g.json", grammar.to_string());
    let ran = stage.run("grammar check g.json".split(' '));
    assert!(ran.stdout.chars().all(is_harmless), "{:?}", ran.stdout);
    assert!(ran.stdout.contains(SHOWN), "{:?}", ran.stdout);
    let grammar = serde_json::json!({"<start>": [rule], rule.as_str(): [EVIL, "crash"]});
    stage.file("g.json", grammar.to_string());
    stage.file("text", EVIL);
    let ran = stage
        .run("grammar parse -g g.json text".split(' '))
        .ended(0);
    assert!(ran.stdout.chars().all(is_harmless), "{:?}", ran.stdout);
    stage.file("other", format!("{EVIL}x"));
    let ran = stage
        .run("grammar parse -g g.json other".split(' '))
        .ended(5);
    assert!(ran.stderr.chars().all(is_harmless), "{:?}", ran.stderr);
    stage.file("evil.txt", format!("\"{EVIL}\" crash 12345 {EVIL}\n"));
    let ran = stage.run("explain evil.txt -n 2 -- grep -q crash {}".split(' '));
    assert!(ran.stderr.chars().all(is_harmless), "{:?}", ran.stderr);
    // What a program reads is as it was.
    let ran = stage.run("explain evil.txt -q -n 2 -- grep -qP \\x1b]0;title {}".split(' '));
    assert!(ran.ended(0).stdout.contains("\x1b]0;title"));
}

#[test]
fn a_terminal_gets_styles_of_nubbin_and_no_others() {
    let stage = Stage::new();
    let name = format!("{EVIL}\x1b[8m.txt");
    stage.file(&name, format!("crash {EVIL}\n\x1b[8mhidden\n").repeat(5));
    stage.script("test", "grep -q crash \"$1\"");
    stage.script("propose", &format!("{} >&2; exit 3", printf()));
    // Stopped early, so that the input is still there to be shown.
    for more in [
        "--progress line",
        "--progress view",
        "--progress plain --verbose",
    ] {
        let mut screen = Screen::new();
        let mut args = vec![
            "reduce",
            &name,
            "--proposer",
            "./propose",
            "--max-tests",
            "30",
        ];
        args.extend(more.split(' '));
        args.extend(["--", "./test", "{}"]);
        screen.run(&stage, &args);
        screen.wait_for("the proposer `proposer-1` failed");
        screen.wait_for("tests in");
        let seen = screen.seen();
        for bad in ["\x1b]", "\u{9b}", "\u{202e}", "\x1b[8m", "\x08", "\x07"] {
            assert!(!seen.contains(bad), "{bad:?} in {seen:?}");
        }
        assert!(seen.contains("\x1b[33mwarning:\x1b[0m"), "{seen:?}");
    }
    let mut screen = Screen::new();
    screen.run(&stage, &["explain", &name, "-n", "2", "--", "./test", "{}"]);
    screen.wait_for("bytes matter");
    assert!(!screen.seen().contains("\x1b]"), "{:?}", screen.seen());
    assert!(screen.seen().contains("\\x1b]"), "{:?}", screen.seen());
}
