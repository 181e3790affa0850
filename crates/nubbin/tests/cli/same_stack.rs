//! `--same-stack`, with a program in C that has two bugs and prints nothing about either.

use crate::skip::skipped;
use crate::stage::Stage;
use std::process::Command;

/// The words `alpha` and `b` crash it in two functions.
const PROGRAM: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define OWN __attribute__((noinline))
char *volatile null;
OWN static void first(char *text) { if (strstr(text, "alpha")) *null = 1; }
OWN static void second(char *text) { if (strstr(text, "b")) *null = 2; }
OWN static void parse(char *text) { first(text); second(text); *text = 0; }
static void ends(int signal) { _exit(3); }
int main(int count, char **words) {
    static char text[4096];
    FILE *file = fopen(words[1], "r");
    if (count > 2) signal(SIGSEGV, ends);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    parse(text);
    return 0;
}
"#;

const INPUT: &str = "one\nbravo\nalpha here\ntwo\n";

/// Builds the program in a stage with an input; `None` without a compiler, or where nothing can be
/// traced.
fn stage(flags: &[&str]) -> Option<Stage> {
    let stage = Stage::new();
    stage.file("program.c", PROGRAM);
    stage.file("in.txt", INPUT);
    let built = Command::new("gcc")
        .args(["-O1", "-w", "-o"])
        .args([stage.path("program"), stage.path("program.c")])
        .args(flags)
        .status();
    if !built.is_ok_and(|status| status.success()) {
        skipped("gcc");
        return None;
    }
    let traced = Command::new(env!("CARGO_BIN_EXE_nubbin"))
        .args(["--stack-process", "/dev/stdout", "true"])
        .status();
    if !traced.is_ok_and(|status| status.success()) {
        skipped("strace");
        return None;
    }
    Some(stage)
}

/// Returns the result of a reduction.
fn reduced(stage: &Stage, flags: &str, test: &[&str]) -> String {
    let words = format!("reduce in.txt --fresh --force -o out -j1 {flags} --");
    let words = words.split_whitespace().chain(test.iter().copied());
    stage.run(words).ended(0);
    stage.text("out")
}

#[test]
fn a_reduction_keeps_to_the_stack_of_the_original() {
    let Some(stage) = stage(&[]) else { return };
    let program = ["./program", "{}"];
    assert_eq!(reduced(&stage, "--signal SEGV", &program), "b");
    for flags in [
        "--signal SEGV --same-stack",
        "--same-stack",
        "--same-failure",
        "--same-stack --memory 1G",
    ] {
        assert_eq!(reduced(&stage, flags, &program), "alpha", "{flags}");
    }
}

#[test]
fn programs_without_symbols_have_stacks() {
    let Some(stage) = stage(&["-s"]) else { return };
    assert_eq!(
        reduced(&stage, "--same-stack", &["./program", "{}"]),
        "alpha"
    );
}

#[test]
fn the_crash_of_a_program_that_a_script_runs_counts() {
    let Some(stage) = stage(&[]) else { return };
    let script = "./program \"$1\" 2>/dev/null\n[ $? = 139 ]\n";
    stage.script("test.sh", script);
    let flags = "--same-stack --with program";
    assert_eq!(reduced(&stage, flags, &["./test.sh", "{}"]), "alpha");
}

#[test]
fn the_stack_behind_a_handler_that_exits_counts() {
    let Some(stage) = stage(&[]) else { return };
    let program = ["./program", "{}", "handle"];
    assert_eq!(reduced(&stage, "--exit 3", &program), "b");
    assert_eq!(reduced(&stage, "--exit 3 --same-stack", &program), "alpha");
}

#[test]
fn another_stack_is_another_failure() {
    let Some(stage) = stage(&[]) else { return };
    let flags = "--same-stack --other-failures others";
    assert_eq!(reduced(&stage, flags, &["./program", "{}"]), "alpha");
    let kept = std::fs::read_dir(stage.path("others")).unwrap();
    let names: Vec<String> = kept
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), 1, "{names:?}");
    assert!(
        names[0].starts_with("signal-SIGSEGV-in-second-parse"),
        "{names:?}"
    );
}

#[test]
fn an_original_that_does_not_crash_is_refused() {
    let Some(stage) = stage(&[]) else { return };
    stage.file("in.txt", "nothing");
    let words = "reduce in.txt --same-stack -- ./program {}";
    let ran = stage.run(words.split_whitespace()).ended(3);
    assert!(ran.stderr.contains("no stack to compare"), "{}", ran.stderr);
}
