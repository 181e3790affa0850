use crate::stage::{Stage, haystack};
use std::collections::HashMap;
use std::process::Stdio;
use std::time::Duration;

/// A stage whose test notes the content of every candidate it is asked about.
fn noting(text: &str) -> Stage {
    let stage = Stage::with_crash(text);
    let notes = stage.path("asked").display().to_string();
    stage.script(
        "test.sh",
        &format!(
            "cksum <input.txt >>{notes}; grep -q crash input.txt && grep -q 'line 7' input.txt"
        ),
    );
    stage
}

fn asked(stage: &Stage) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for line in stage.text("asked").lines() {
        *counts.entry(line.to_owned()).or_insert(0) += 1;
    }
    counts
}

fn stats(stage: &Stage) -> serde_json::Value {
    serde_json::from_slice(&stage.read("stats.json")).unwrap()
}

const ARGS: &str = "reduce -q -j 2 --test ./test.sh input.txt --stats stats.json";

#[test]
fn a_run_that_was_killed_goes_on_and_ends_like_one_that_was_not() {
    let text = haystack(120, "crash");
    let whole = noting(&text);
    whole.run(ARGS.split(' ')).ended(0);
    for killed_after in [3, 20, 60] {
        let stage = noting(&text);
        let mut child = stage
            .nubbin(ARGS.split(' '))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut waited = 0;
        while !stage.path("asked").exists() || asked(&stage).len() < killed_after {
            std::thread::sleep(Duration::from_millis(2));
            waited += 1;
            assert!(waited < 30_000, "only {} were asked", asked(&stage).len());
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // Tests that were being run when it was killed may still write a line.
        std::thread::sleep(Duration::from_millis(200));
        stage.run(format!("{ARGS} --resume").split(' ')).ended(0);
        assert_eq!(stage.text("input.min.txt"), whole.text("input.min.txt"));
        let counts = |stats: &serde_json::Value| {
            ["tests", "tests_failing", "cache_hits", "bytes_after"].map(|name| stats[name].clone())
        };
        assert_eq!(
            counts(&stats(&stage)),
            counts(&stats(&whole)),
            "killed after {killed_after}"
        );
        assert!(!stage.path("input.min.txt.journal").exists());
    }
}

#[test]
fn what_was_tested_before_a_clean_stop_is_not_tested_again() {
    let stage = noting(&haystack(120, "crash"));
    // One worker: several are called off in the middle of a test, which then is to be repeated.
    let args = ARGS.replace("-j 2", "-j 1");
    stage
        .run(format!("{args} --max-tests 40").split(' '))
        .ended(0);
    let before = asked(&stage);
    assert!(stage.path("input.min.txt.journal").exists());
    stage.run(format!("{args} --resume").split(' ')).ended(0);
    let original_and_result = 2;
    let twice: Vec<_> = asked(&stage)
        .into_iter()
        .filter(|(content, times)| *times > 1 && before.contains_key(content))
        .collect();
    // The original is looked at when a run begins, and what is best when one ends.
    assert!(twice.len() <= original_and_result, "{twice:?}");
    assert!(stats(&stage)["tests_started"].as_u64() < stats(&stage)["tests"].as_u64());
}

#[test]
fn a_test_may_be_made_stricter_before_going_on() {
    let stage = noting(&haystack(60, "crash"));
    stage
        .run(format!("{ARGS} --max-tests 25").split(' '))
        .ended(0);
    stage.script(
        "test.sh",
        "grep -q crash input.txt && grep -q 'line 7' input.txt && grep -q 'line 9' input.txt",
    );
    let args = format!("{} --resume", ARGS.replace("-q ", ""));
    stage
        .run(args.split(' '))
        .ended(0)
        .said(&["not the same as before"]);
    let result = stage.text("input.min.txt");
    assert!(
        ["crash", "line 7", "line 9"]
            .iter()
            .all(|word| result.contains(word)),
        "{result}"
    );
    assert!(result.len() < 30, "{result}");
}

#[test]
fn two_runs_on_one_output_refuse_each_other() {
    let stage = Stage::with_crash(&haystack(60, "crash"));
    stage.script("test.sh", "grep -q crash input.txt && sleep 0.1");
    let mut first = stage
        .nubbin("reduce -q --test ./test.sh input.txt".split(' '))
        .spawn()
        .unwrap();
    while !stage.path("input.min.txt").exists() {
        std::thread::sleep(Duration::from_millis(5));
        assert!(first.try_wait().unwrap().is_none(), "ended early");
    }
    let second = stage
        .nubbin("reduce --test ./test.sh input.txt".split(' '))
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(6));
    assert!(String::from_utf8_lossy(&second.stderr).contains("another run"));
    assert!(first.wait().unwrap().success());
    stage.assert_clean();
}

#[test]
fn resuming_nothing_is_beginning() {
    let stage = Stage::with_crash("a crash");
    let ran = stage
        .run("reduce --resume --test ./test.sh input.txt".split(' '))
        .ended(0);
    ran.said(&["nothing to resume"]);
    assert_eq!(stage.text("input.min.txt"), "crash");
}

#[test]
fn going_on_for_a_moment_loses_nothing_of_the_result() {
    let stage = noting(&haystack(120, "crash"));
    stage
        .run(format!("{ARGS} --max-tests 60").split(' '))
        .ended(0);
    let before = stage.text("input.min.txt");
    stage
        .run(format!("{ARGS} --resume --max-tests 12").split(' '))
        .ended(0);
    assert_eq!(stage.text("input.min.txt"), before);
}

#[test]
fn another_environment_or_limit_is_another_test() {
    for flags in [
        "--env A=1",
        "--clean-env",
        "--unset-env A",
        "--memory 4G",
        "--timeout 77",
    ] {
        let stage = noting(&haystack(120, "crash"));
        stage
            .run(format!("{ARGS} --max-tests 20").split(' '))
            .ended(0);
        let args = format!("{ARGS} --resume {flags}").replace("-q ", "");
        stage.run(args.split(' ')).said(&["not the same as before"]);
    }
}
