//! `nubbin reduce-all`, from a folder of failing files to one result for each failure.

use crate::running::Running;
use crate::stage::{Ran, Stage};
use serde_json::Value;
use std::process::Stdio;

/// Fails by the words in its file: `boom` by a signal, `bang` with an assertion, `odd` with exit
/// code 9 and no message.
const PROGRAM: &str = "\
text=$(cat \"$1\")\n\
case $text in\n\
  *boom*) kill -SEGV $$ ;;\n\
  *bang*) echo \"prog: /src/a.c:12: f: Assertion \\`x' failed.\" >&2; kill -ABRT $$ ;;\n\
  *odd*) exit 9 ;;\n\
esac\n";

fn with_files(files: &[(&str, &str)]) -> Stage {
    let stage = Stage::new();
    std::fs::create_dir_all(stage.path("crashes/more")).unwrap();
    stage.file("prog.sh", PROGRAM);
    for (name, text) in files {
        stage.file(&format!("crashes/{name}"), text);
    }
    stage
}

fn reduce_all(stage: &Stage, flags: &str) -> Ran {
    let line = format!("reduce-all crashes {flags} -- sh prog.sh {{}}");
    stage.run(line.split_whitespace())
}

/// Returns the list of the results.
fn listed(stage: &Stage) -> Vec<Value> {
    let text = std::fs::read_to_string(stage.path("crashes.min/issues.jsonl")).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let mut all: Vec<Value> = lines.collect();
    all.sort_by_key(|issue| issue["identity"]["kind"].to_string());
    all
}

fn result(stage: &Stage, issue: &Value) -> String {
    let name = issue["file"].as_str().unwrap();
    std::fs::read_to_string(stage.path(&format!("crashes.min/{name}"))).unwrap()
}

#[test]
fn each_failure_of_a_folder_has_one_result() {
    let stage = with_files(&[
        ("1.txt", "some text\nwith boom in it\n"),
        ("2.txt", "here it goes boom\n"),
        ("more/3.txt", "(bang)\nand what follows\n"),
        ("4.txt", "all is well\n"),
        ("5.txt", "an odd one\n"),
    ]);
    let ran = reduce_all(&stage, "").ended(0);
    assert!(
        ran.stderr.contains("5 files: 3 fail\n2 failures"),
        "{}",
        ran.stderr
    );
    let all = listed(&stage);
    let texts: Vec<_> = all.iter().map(|issue| result(&stage, issue)).collect();
    assert_eq!(texts, ["bang", "boom"]);
    let seen: Vec<_> = all.iter().map(|issue| &issue["seen"]).collect();
    assert_eq!(seen, [1, 2]);
    assert!(all.iter().all(|issue| issue["done"] == true));
    // The tests keep the extension that all files have.
    assert!(all[0]["file"].as_str().unwrap().ends_with(".txt"));

    // What is done is not done again, and a new file is.
    let again = reduce_all(&stage, "").ended(0);
    assert!(again.stderr.contains("0 tests"), "{}", again.stderr);
    assert!(again.stderr.contains("5 files: 3 fail\n2 failures"));
    stage.file("crashes/6.txt", "one more boom");
    let again = reduce_all(&stage, "").ended(0);
    assert!(
        again.stderr.contains("6 files: 4 fail\n2 failures"),
        "{}",
        again.stderr
    );
    assert_eq!(listed(&stage)[1]["seen"], 3);
}

/// Returns the number of tests of reductions that a run tells of.
fn tests_of_reductions(said: &str) -> u32 {
    let lines = said.lines().filter(|line| line.contains(" was reduced "));
    let counts = lines.map(|line| {
        let (_, tests) = line.rsplit_once(", in ").unwrap();
        tests.split(' ').next().unwrap().parse::<u32>().unwrap()
    });
    counts.sum()
}

#[test]
fn a_run_that_is_killed_goes_on_with_what_it_had() {
    let lines: String = (0..40).map(|number| format!("line {number}\n")).collect();
    let text = |word: &str| format!("{lines}{word}\n{lines}");
    let (boom, bang) = (text("boom"), text("(bang)"));
    let files = [("1.txt", &*boom), ("2.txt", &*bang), ("3.txt", &*boom)];
    let whole = with_files(&files);
    let ran = reduce_all(&whole, "-j 1").ended(0);
    let all = tests_of_reductions(&ran.stderr);
    let results = |stage: &Stage| -> Vec<String> {
        let all = listed(stage);
        all.iter().map(|issue| result(stage, issue)).collect()
    };
    assert_eq!(results(&whole), ["bang", "boom"]);

    let killed = with_files(&files);
    // The tests are slow enough that the run is killed within a reduction.
    killed.file("prog.sh", format!("sleep 0.05\n{PROGRAM}"));
    let mut command = killed.nubbin("reduce-all crashes -j 1 -- sh prog.sh {}".split(' '));
    let said = std::fs::File::create(killed.path("said")).unwrap();
    let mut running = Running::start(command.stdout(Stdio::null()).stderr(said));
    running.until("a result", || killed.text("said").contains("was reduced"));
    running.kill();
    let before = tests_of_reductions(&killed.text("said"));
    let ran = reduce_all(&killed, "-j 1").ended(0);
    assert_eq!(results(&killed), results(&whole));
    let after = tests_of_reductions(&ran.stderr);
    assert!(before > 0 && after < all, "{all}, {before}, {after}");
    assert!(
        ran.stderr.contains("3 files: 3 fail\n2 failures"),
        "{}",
        ran.stderr
    );
}

#[test]
fn an_exit_code_without_a_message_is_a_failure_if_the_user_says_so() {
    let stage = with_files(&[("1", "an odd one\n"), ("2", "all is well\n")]);
    let ran = reduce_all(&stage, "").ended(3);
    assert!(
        ran.stderr.contains("no file makes the program fail"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("--exit"), "{}", ran.stderr);
    reduce_all(&stage, "-o other --exit 9").ended(0);
    let found = std::fs::read_dir(stage.path("other")).unwrap();
    let names = found.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let name = names
        .into_iter()
        .find(|name| name.starts_with("0001"))
        .unwrap();
    let text = std::fs::read_to_string(stage.path(&format!("other/{name}"))).unwrap();
    assert_eq!(text, "odd");
}

#[test]
fn results_of_another_command_are_not_replaced() {
    let stage = with_files(&[("1", "boom it is\n")]);
    reduce_all(&stage, "").ended(0);
    let other = reduce_all(&stage, "--exit 9").ended(6);
    assert!(
        other.stderr.contains("results of another command"),
        "{}",
        other.stderr
    );
    assert!(other.stderr.contains("-o DIR"), "{}", other.stderr);
    // Nor is a result that the user has changed.
    let name = listed(&stage)[0]["file"].as_str().unwrap().to_owned();
    stage.file(&format!("crashes.min/{name}"), "mine");
    stage.file("crashes/2", "boom");
    reduce_all(&stage, "").ended(6);
    assert_eq!(result(&stage, &listed(&stage)[0]), "mine");
}

#[test]
fn folders_that_cannot_be_used_are_refused() {
    let stage = with_files(&[("1", "boom\n")]);
    let within = reduce_all(&stage, "-o crashes/more").ended(2);
    assert!(
        within.stderr.contains("is in the folder of the files"),
        "{}",
        within.stderr
    );
    stage.file("full/mine", "text");
    reduce_all(&stage, "-o full").ended(6);
    let file = stage
        .run("reduce-all prog.sh -- sh prog.sh {}".split(' '))
        .ended(5);
    assert!(
        file.stderr.contains("nubbin reduce FILE"),
        "{}",
        file.stderr
    );
    std::fs::create_dir_all(stage.path("none")).unwrap();
    let none = stage
        .run("reduce-all none -- sh prog.sh {}".split(' '))
        .ended(5);
    assert!(none.stderr.contains("there is no file"), "{}", none.stderr);
    assert!(!stage.path("none.min").exists());
}
