//! Flaky tests.

use crate::stage::{Stage, haystack};

/// Makes a test that counts its runs and fails in all of them except each `miss`th.
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
fn a_flaky_test_is_detected_and_the_result_fails_as_often() {
    let stage = Stage::with_crash(&haystack(20, "crash"));
    unreliable(&stage, 3);
    let args = "reduce -j 1 --atom line --plain --stats stats.json --test ./test.sh input.txt";
    stage.run(args.split(' ')).ended(0).said(&[
        "the test is flaky",
        "each candidate is tested several times",
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

/// Makes a test that fails with `crash` in the runs whose numbers are in a list for `case`.
fn fails_in_runs(stage: &Stage, runs: &str) {
    let count = stage.path("count").display().to_string();
    stage.script(
        "test.sh",
        &format!(
            "grep -q crash input.txt || exit 1; echo >>{count}; case $(wc -l <{count}) in \
             {runs}) exit 0 ;; esac; exit 1"
        ),
    );
}

#[test]
fn a_result_that_does_not_fail_again_is_searched_on_as_with_flaky_on() {
    let stage = Stage::with_crash(&haystack(60, "crash"));
    // All runs that check the test fail by chance, up to the last test of the result; from there on
    // every second run fails.
    let args = "reduce -j 1 --atom line --sandbox off --plain --test ./test.sh input.txt";
    fails_in_runs(&stage, "*");
    stage.run(args.split(' ')).ended(0);
    let last = stage.text("count").lines().count();
    std::fs::remove_file(stage.path("count")).unwrap();
    std::fs::remove_file(stage.path("input.min.txt")).unwrap();
    let runs: Vec<String> = (1..last).map(|run| run.to_string()).collect();
    let others = if last.is_multiple_of(2) {
        "*[13579]"
    } else {
        "*[02468]"
    };
    fails_in_runs(&stage, &format!("{}|{others}", runs.join("|")));
    stage
        .run(args.split(' ').chain(["--fresh"]))
        .ended(0)
        .said(&["the test is flaky", "the result failed in"]);
    assert_eq!(stage.text("input.min.txt").trim(), "the crash!");
}

#[test]
fn an_original_that_fails_in_some_runs_only_is_reduced() {
    let stage = Stage::with_crash(&haystack(20, "crash"));
    fails_in_runs(&stage, "[1-7]) exit 1 ;; *[02468]");
    let args = "reduce -j 1 --atom line --sandbox off --plain --test ./test.sh input.txt";
    stage
        .run(args.split(' '))
        .ended(0)
        .said(&["the test is flaky: the original failed in"]);
    assert_eq!(stage.text("input.min.txt").trim(), "the crash!");
}

#[test]
fn a_failure_that_is_too_rare_to_be_seen_is_answered_with_the_flag_for_it() {
    let stage = Stage::with_crash(&haystack(5, "crash"));
    fails_in_runs(&stage, "*000");
    let args = "reduce -j 1 --sandbox off --test ./test.sh input.txt";
    stage
        .run(args.split(' '))
        .ended(3)
        .said(&["some runs only", "`--flaky on`"]);
    let ran = stage.run(args.split(' ').chain(["--flaky", "on"])).ended(3);
    assert!(!ran.stderr.contains("`--flaky on`"), "{}", ran.stderr);
}

#[test]
fn a_rare_failure_is_reduced_if_its_rate_is_given() {
    let stage = Stage::with_crash(&haystack(10, "crash"));
    let count = stage.path("count").display().to_string();
    // One run in five fails, and the first one passes.
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
fn with_flaky_off_no_test_is_repeated() {
    let stage = Stage::with_crash("crash");
    let count = stage.path("count").display().to_string();
    stage.script(
        "test.sh",
        &format!("echo >>{count}; grep -q crash input.txt"),
    );
    let runs = |flaky: &str| {
        let _ = std::fs::remove_file(stage.path("count"));
        let args = ["reduce", "-j", "1", "--atom", "line", "--flaky", flaky];
        // Without a comparison with the user's folder, which is a run of its own.
        let test = ["--private-failure", "--test", "./test.sh", "input.txt"];
        stage.run(args.iter().chain(&test)).ended(0);
        stage.read("count").len()
    };
    // The original and the result are each tested once, and the result three times again.
    assert_eq!(runs("off"), 2);
    assert_eq!(runs("auto"), 2 + 3);
}

#[test]
fn of_several_conditions_the_one_that_does_not_hold_is_named() {
    let stage = Stage::with_crash("crash");
    let run = |conditions: &[&str]| {
        let test = ["--", "sh", "-c", "cat input.txt >&2; exit 1"];
        let args = ["reduce", "input.txt"]
            .iter()
            .chain(conditions)
            .chain(&test);
        stage.run(args).ended(3)
    };
    run(&["--exit", "1", "--stderr", "boom"])
        .said(&["stderr matches `boom` does not hold", "exit code 1 holds"]);
    run(&["--exit", "2", "--stderr", "crash", "--not-stdout", "x"]).said(&[
        "exit code 2 does not hold",
        "stderr matches `crash` holds",
        "stdout does not match `x` holds",
    ]);
}
