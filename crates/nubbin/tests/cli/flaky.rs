//! Tests that do not always say the same, as a user meets them.

use crate::stage::{Stage, haystack};

/// Counts its runs, and shows the failure in all of them but every `miss`th.
fn unreliable(stage: &Stage, miss: u32) {
    let count = stage.path("count").display().to_string();
    stage.script(
        "test.sh",
        &format!(
            "echo >>{count}; grep -q crash input.txt && [ $(( $(wc -l <{count}) % {miss} )) -ne 0 ]"
        ),
    );
}

#[test]
fn an_unreliable_test_is_found_out_and_the_result_fails_as_often() {
    let stage = Stage::with_crash(&haystack(20, "crash"));
    unreliable(&stage, 3);
    let args = "reduce -j 1 --atom line --plain --stats stats.json --test ./test.sh input.txt";
    stage.run(args.split(' ')).ended(0).said(&[
        "the test is flaky",
        "candidates are judged by several",
        "the result failed in",
    ]);
    assert!(stage.text("input.min.txt").contains("crash"));
    let stats: serde_json::Value = serde_json::from_slice(&stage.read("stats.json")).unwrap();
    let rate = |of: &str| {
        let number = |what: &str| stats[of][what].as_f64().unwrap();
        number("failures") / number("runs")
    };
    assert!((0.6..0.75).contains(&rate("original")), "{stats}");
    assert!(rate("reproduction") >= 0.8 * rate("original"), "{stats}");
}

#[test]
fn a_failure_that_is_rare_is_reduced_when_that_is_said() {
    let stage = Stage::with_crash(&haystack(10, "crash"));
    let count = stage.path("count").display().to_string();
    // One run in five, so the first one says that there is no failure.
    stage.script(
        "test.sh",
        &format!(
            "echo >>{count}; grep -q crash input.txt && [ $(( $(wc -l <{count}) % 5 )) -eq 0 ]"
        ),
    );
    let args = "reduce -j 1 --atom line --flaky on --test ./test.sh input.txt";
    stage
        .run(args.split(' '))
        .ended(0)
        .said(&["the result failed in"]);
    assert!(stage.text("input.min.txt").contains("crash"));
    assert!(stage.read("input.min.txt").len() < stage.read("input.txt").len());
}

#[test]
fn a_test_that_is_said_to_be_reliable_is_not_asked_again() {
    let stage = Stage::with_crash("crash");
    let count = stage.path("count").display().to_string();
    stage.script(
        "test.sh",
        &format!("echo >>{count}; grep -q crash input.txt"),
    );
    let runs = |flaky: &str| {
        let _ = std::fs::remove_file(stage.path("count"));
        let args = ["reduce", "-j", "1", "--atom", "line", "--flaky", flaky];
        let test = ["--test", "./test.sh", "input.txt"];
        stage.run(args.iter().chain(&test)).ended(0);
        stage.read("count").len()
    };
    // The original and the result, and three times each more to make sure.
    assert_eq!(runs("off"), 2);
    assert_eq!(runs("auto"), 2 + 3 + 3);
}
