//! The first tests of a run, which keep what the failing run's messages point at.

use crate::skip::skipped;
use crate::stage::Stage;
use serde_json::Value;
use std::process::Command;

fn has(program: &str) -> bool {
    let has = Command::new(program).arg("--version").output().is_ok();
    if !has {
        skipped(program);
    }
    has
}

/// Forty functions, each with a caller, of which `f20` has a mistake.
fn c() -> String {
    let function = |nth: usize| {
        let inner = if nth == 20 { "s->wrong" } else { "s->right" };
        format!(
            "int f{nth}(struct s{nth} *s) {{ return {inner}; }}\nint g{nth}(void) {{ return f{nth}(0); }}\n"
        )
    };
    let types = (0..40).map(|nth| format!("struct s{nth} {{ int right; }};\n"));
    types.chain((0..40).map(function)).collect()
}

fn python() -> String {
    let function = |nth: usize| {
        let inner = if nth == 20 {
            "values['lost']"
        } else {
            "len(values)"
        };
        format!(
            "def f{nth}(values):\n    return {inner}\n\ndef g{nth}():\n    return f{nth}({{}})\n\n"
        )
    };
    (0..40).map(function).collect::<String>() + "g20()\n"
}

/// The items that the mistake of `f20` needs; nothing names the member.
const NEEDED: &str = "struct s20 { }; int f20(struct s20 *s) { return s->wrong; }";

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn stats(stage: &Stage) -> Value {
    serde_json::from_slice(&stage.read("stats.json")).unwrap()
}

/// Returns the tests of the pass over positions, and how often it was adopted.
fn counts(stats: &Value) -> Option<(u64, u64)> {
    let passes = stats["passes"].as_array()?;
    let pass = passes.iter().find(|pass| pass["pass"] == "positions")?;
    Some((pass["tests"].as_u64()?, pass["adopted"].as_u64()?))
}

#[test]
fn the_first_test_keeps_the_target_of_a_compilers_message() {
    if !has("gcc") {
        return;
    }
    let stage = Stage::new();
    stage.file("x.c", c());
    let line = "reduce x.c -j1 --max-tests 3 --stats stats.json --stderr no.member -o out.c --";
    let args = line.split(' ').chain(["gcc", "-fsyntax-only", "{}"]);
    stage.run(args).ended(0);
    assert_eq!(words(&stage.text("out.c")), NEEDED);
    let stats = stats(&stage);
    assert_eq!(counts(&stats), Some((1, 1)));
    assert_eq!(stats["positions"], 1);
}

#[test]
fn a_script_says_by_its_quotes_which_message_it_wants() {
    if !has("gcc") {
        return;
    }
    let stage = Stage::new();
    stage.file("x.c", format!("int noise = missing;\n{}", c()));
    let test = "gcc -fsyntax-only x.c 2>log; cat log; grep -q 'has no member' log";
    stage.script("test.sh", test);
    let line = "reduce x.c -j1 --max-tests 3 --stats stats.json -o out.c --test ./test.sh";
    stage.run(line.split(' ')).ended(0);
    assert_eq!(words(&stage.text("out.c")), NEEDED);
}

#[test]
fn the_lines_of_a_traceback_stay() {
    if !has("python3") {
        return;
    }
    let stage = Stage::new();
    stage.file("x.py", python());
    let line = "reduce x.py -j1 --max-tests 3 --stats stats.json --same-failure -o out.py --";
    let args = line.split(' ').chain(["python3", "{}"]);
    stage.run(args).ended(0);
    let left = stage.text("out.py");
    let defined = left.lines().filter(|line| line.starts_with("def ")).count();
    assert_eq!(defined, 2, "{left}");
    let stats = stats(&stage);
    assert_eq!(counts(&stats), Some((1, 1)));
    assert_eq!(stats["positions"], 3);
}

#[test]
fn a_silent_test_of_a_large_program_is_told_of() {
    let stage = Stage::new();
    stage.file("x.c", c().repeat(8));
    stage.script("test.sh", "grep -q wrong x.c");
    let line = "reduce x.c -j1 --max-tests 3 --stats stats.json -o out.c --test ./test.sh";
    let said = "the test prints nothing";
    let ran = stage.run(line.split(' ')).said(&[said]);
    assert_eq!(ran.stderr.matches(said).count(), 1);
    assert_eq!(counts(&stats(&stage)), None);
    // A small one is soon reduced.
    stage.file("y.c", c());
    stage.script("test.sh", "grep -q wrong y.c");
    let line = "reduce y.c -j1 --max-tests 3 -o out2.c --test ./test.sh";
    let ran = stage.run(line.split(' '));
    assert!(!ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn the_pass_can_be_left_out() {
    let stage = Stage::new();
    stage.file("x.c", c());
    stage.script("tell.sh", "grep -q wrong x.c && echo 'x.c:81:1: error: no'");
    let line = |more: &str| {
        format!(
            "reduce x.c -j1 --fresh --max-tests 3 --stats stats.json -o out.c --test ./tell.sh{more}"
        )
    };
    stage.run(line("").split(' ')).ended(0);
    assert!(counts(&stats(&stage)).is_some());
    stage.run(line(" --without positions").split(' '));
    assert_eq!(counts(&stats(&stage)), None);
}
