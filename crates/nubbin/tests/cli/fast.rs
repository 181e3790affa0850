//! `--fast`: nobody waits, and the seed does not decide the result.

use crate::stage::{Stage, haystack};

fn stage() -> Stage {
    let stage = Stage::new();
    stage.file("input.txt", haystack(150, "crash"));
    stage.script(
        "test.sh",
        "grep -q crash input.txt && grep -q 'line 7' input.txt",
    );
    stage
}

const ARGS: &str = "reduce --plain --passes lines --test ./test.sh input.txt --stats stats";

fn stats(stage: &Stage) -> serde_json::Value {
    serde_json::from_str(&stage.text("stats")).unwrap()
}

/// Lines left that the test looks for, whichever of them.
fn is_minimal(text: &str) -> bool {
    let both = |line: &str| line.contains("crash") && line.contains("line 7");
    match text.lines().collect::<Vec<_>>()[..] {
        [one] => both(one),
        [one, two] => !both(one) && !both(two) && text.contains("crash") && text.contains("line 7"),
        _ => false,
    }
}

#[test]
fn the_result_is_minimal_and_it_is_said_that_another_run_may_find_another() {
    let stage = stage();
    let ran = stage.run(format!("{ARGS} -j 4 --fast").split(' '));
    ran.ended(0).said(&["found with `--fast`"]);
    assert!(is_minimal(&stage.text("input.min.txt")));
    assert_eq!(stats(&stage)["fast"], true);
    assert_eq!(stats(&stage)["ended"], "complete");
}

#[test]
fn with_one_worker_there_is_nothing_to_say() {
    let stage = stage();
    let ran = stage.run(format!("{ARGS} -j 1 --fast").split(' ')).ended(0);
    assert!(!ran.stderr.contains("--fast"), "{}", ran.stderr);
    assert_eq!(stats(&stage)["fast"], false);
}

#[test]
fn a_run_that_was_stopped_goes_on() {
    for most in [3, 12, 40] {
        let stage = stage();
        let args = format!("{ARGS} -j 4 --fast");
        stage
            .run(format!("{args} --max-tests {most}").split(' '))
            .ended(0);
        let before = stage.text("input.min.txt").len();
        stage.run(format!("{args} --resume").split(' ')).ended(0);
        let after = stage.text("input.min.txt");
        assert!(is_minimal(&after), "{most}: {after}");
        assert!(after.len() <= before);
    }
}
