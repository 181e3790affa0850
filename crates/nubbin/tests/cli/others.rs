//! Other failures than the original one.

use crate::stage::Stage;
use serde_json::Value;

/// A program with two bugs. The first one needs `one`. The second one needs `two` without `one`.
const PROGRAM: &str = r#"
text=$(cat "$1")
case "$text" in
*one*) echo "prog: a.c:1: f: Assertion \`one' failed." >&2; exit 134 ;;
*two*) echo "prog: a.c:2: g: Assertion \`two' failed." >&2; exit 134 ;;
*) echo "not valid" >&2; exit 1 ;;
esac"#;

fn stage() -> Stage {
    let stage = Stage::new();
    stage.script("prog", PROGRAM);
    stage.file("x.txt", "two\nalpha\nbeta\none\n");
    stage
}

#[test]
fn another_failure_is_kept_with_its_smallest_input_and_listed() {
    let stage = stage();
    let args = "reduce x.txt --algorithm ddmin -o out --stats s.json --same-failure --other-failures others -j 1 -- ./prog {}";
    stage
        .run(args.split(' '))
        .ended(0)
        .said(&["1 other failure turned up", "others"]);
    assert_eq!(stage.text("out"), "one\n");
    let stats: Value = serde_json::from_slice(&stage.read("s.json")).unwrap();
    let met = &stats["other_failures"][0];
    assert_eq!(met["signature"], "assertion: `two` at a.c:2");
    assert_eq!(met["exit"], "exit code 134 (SIGABRT)");
    let folder = met["folder"].as_str().unwrap();
    let witness = stage.text(&format!("{folder}/x.txt"));
    assert!(
        witness.contains("two") && !witness.contains("one"),
        "{witness}"
    );
    assert_eq!(met["bytes"], witness.len());
    let report = stage.text(&format!("{folder}/failure.txt"));
    for words in [
        "assertion: `two` at a.c:2",
        "SIGABRT",
        "failed.",
        "nubbin reduce",
    ] {
        assert!(report.contains(words), "{words} in {report}");
    }
    // The command in the report reproduces the failure.
    let line = report.lines().find(|line| line.contains("cd '")).unwrap();
    let shown = std::process::Command::new("sh")
        .args(["-c", line])
        .output()
        .unwrap();
    assert!(
        String::from_utf8_lossy(&shown.stderr).contains("`two'"),
        "{line}"
    );
}

#[test]
fn other_failures_are_counted_without_the_flag_if_outputs_are_read() {
    let stage = stage();
    let args = "reduce x.txt --algorithm ddmin -o out --stats s.json --same-failure -- ./prog {}";
    stage
        .run(args.split(' '))
        .ended(0)
        .said(&["1 other failure turned up", "--other-failures DIR"]);
    let stats: Value = serde_json::from_slice(&stage.read("s.json")).unwrap();
    assert!(stats["other_failures"][0]["folder"].is_null());
    let args = "reduce x.txt --algorithm ddmin -o out --exit 134 -- ./prog {}";
    let ran = stage.run(args.split(' ')).ended(0);
    assert!(!ran.stderr.contains("turned up"), "{}", ran.stderr);
    // It is not counted, but the result shows it.
    let ran = ran.said(&["the result shows another failure"]);
    assert!(!ran.stderr.contains("--other-failures"), "{}", ran.stderr);
    assert_eq!(stage.names(), [".nubbin", "out", "prog", "s.json", "x.txt"]);
}

#[test]
fn a_failing_test_with_another_failure_is_reported() {
    let stage = stage();
    let args =
        "reduce x.txt --algorithm ddmin -o out --exit 134 --other-failures others -- ./prog {}";
    stage
        .run(args.split(' '))
        .ended(0)
        .said(&["1 other failure turned up"]);
}

#[test]
fn the_folder_of_other_failures_is_made_only_if_needed() {
    let stage = Stage::with_crash("a crash");
    let run = |flags: &str| {
        let args = format!("reduce --test ./test.sh input.txt {flags}");
        stage.run(args.split(' '))
    };
    run("--other-failures input.txt").ended(2);
    run("--other-failures out -o out").ended(2);
    stage.file("file", "");
    run("--other-failures file")
        .ended(6)
        .said(&["is not a folder"]);
    run("--other-failures others").ended(0);
    assert_eq!(
        stage.names(),
        [".nubbin", "file", "input.min.txt", "input.txt", "test.sh"]
    );
}
