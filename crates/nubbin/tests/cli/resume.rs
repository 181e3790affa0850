use crate::stage::{Stage, haystack};
use std::collections::HashMap;

/// Makes a stage whose test records the content of every candidate. If the file `hold` exists,
/// tests hang after the number of tests in it have begun.
fn noting(text: &str) -> Stage {
    let stage = Stage::with_crash(text);
    let notes = stage.path("asked").display().to_string();
    let hold = stage.path("hold").display().to_string();
    stage.script(
        "test.sh",
        &format!(
            "cksum <input.txt >>{notes}
             while [ -e {hold} ] && [ $(wc -l <{notes}) -ge $(cat {hold}) ]; do sleep 0.01; done
             grep -q crash input.txt && grep -q 'line 7' input.txt"
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

/// Returns the candidates of one test before a stop that were tested again after it. Each run tests
/// the original at its start, the best so far at its end, and some of the best in between, to see
/// whether the test is flaky: all but the original have several tests in the first run already.
fn tested_again(stage: &Stage, before: &HashMap<String, usize>) -> Vec<String> {
    let original = stage.text("asked").lines().next().map(str::to_owned);
    let asked = asked(stage).into_iter();
    let again = asked.filter(|(content, times)| *times > 1 && before.get(content) == Some(&1));
    let again = again.map(|(content, _)| content);
    again
        .filter(|content| Some(content) != original.as_ref())
        .collect()
}

fn stats(stage: &Stage) -> serde_json::Value {
    serde_json::from_slice(&stage.read("stats.json")).unwrap()
}

const ARGS: &str = "reduce -q -j 2 --test ./test.sh input.txt --stats stats.json";

#[test]
fn a_killed_run_resumes_and_ends_like_an_uninterrupted_one() {
    let text = haystack(120, "crash");
    // The time limit is longer than a test is held.
    let args = format!("{ARGS} --timeout 600");
    let whole = noting(&text);
    whole.run(args.split(' ')).ended(0);
    for killed_after in [3, 20, 60] {
        let stage = noting(&text);
        stage.file("hold", killed_after.to_string());
        let mut run = stage.start(args.split(' '));
        run.until("the last test before the kill began", || {
            stage.path("asked").exists() && stage.text("asked").lines().count() >= killed_after
        });
        run.kill();
        std::fs::remove_file(stage.path("hold")).unwrap();
        stage.run(format!("{args} --resume").split(' ')).ended(0);
        assert_eq!(stage.text("input.min.txt"), whole.text("input.min.txt"));
        let counts = |stats: &serde_json::Value| {
            ["tests", "tests_failing", "cache_hits", "bytes_after"].map(|name| stats[name].clone())
        };
        assert_eq!(
            counts(&stats(&stage)),
            counts(&stats(&whole)),
            "killed after {killed_after}"
        );
        assert!(stage.journals("input.min.txt").is_empty());
    }
}

#[test]
fn candidates_tested_before_a_clean_stop_are_not_tested_again() {
    let stage = noting(&haystack(120, "crash"));
    // The run has one worker, because several workers cancel tests, which must be repeated.
    let args = ARGS.replace("-j 2", "-j 1");
    stage
        .run(format!("{args} --max-tests 40").split(' '))
        .ended(0);
    let before = asked(&stage);
    assert_eq!(stage.journals("input.min.txt").len(), 1);
    stage.run(format!("{args} --resume").split(' ')).ended(0);
    let twice = tested_again(&stage, &before);
    assert!(twice.is_empty(), "{twice:?}");
    assert!(stats(&stage)["tests_started"].as_u64() < stats(&stage)["tests"].as_u64());
}

#[test]
fn a_test_may_become_stricter_before_a_resume() {
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
    let stage = noting(&haystack(60, "crash"));
    stage.file("hold", "10");
    let mut first = stage.start("reduce -q --timeout 600 --test ./test.sh input.txt".split(' '));
    first.until("the tenth test began", || {
        stage.path("asked").exists() && stage.text("asked").lines().count() >= 10
    });
    let second = stage.start("reduce --test ./test.sh input.txt".split(' '));
    second.wait().ended(6).said(&["another run"]);
    std::fs::remove_file(stage.path("hold")).unwrap();
    first.wait().ended(0);
    stage.assert_clean();
}

#[test]
fn resume_without_a_journal_starts_a_run() {
    let stage = Stage::with_crash("a crash");
    let ran = stage
        .run("reduce --resume --test ./test.sh input.txt".split(' '))
        .ended(0);
    ran.said(&["nothing to resume"]);
    assert_eq!(stage.text("input.min.txt"), "crash");
}

#[test]
fn a_short_resume_keeps_the_result() {
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

#[test]
fn the_same_command_resumes_a_stopped_run_and_says_so() {
    let stage = noting(&haystack(120, "crash"));
    let args = ARGS.replace("-q -j 2", "-j 1");
    let whole = noting(&haystack(120, "crash"));
    whole.run(args.split(' ')).ended(0);
    stage
        .run(format!("{args} --max-tests 40").split(' '))
        .ended(0)
        .said(&["the same command continues from here"]);
    let before = asked(&stage);
    stage.run(args.split(' ')).ended(0).said(&[
        "resuming: ",
        "verdicts of a run that was stopped",
        "--fresh",
    ]);
    assert_eq!(stage.text("input.min.txt"), whole.text("input.min.txt"));
    assert_eq!(stats(&stage)["tests"], stats(&whole)["tests"]);
    let twice = tested_again(&stage, &before);
    assert!(twice.is_empty(), "{twice:?}");
    // After the end there is nothing to resume.
    let again = stage.run(args.split(' ')).ended(0);
    assert!(!again.stderr.contains("resuming"), "{}", again.stderr);
}

#[test]
fn fresh_starts_over() {
    let stage = noting(&haystack(60, "crash"));
    let args = ARGS.replace("-q ", "");
    stage
        .run(format!("{args} --max-tests 20").split(' '))
        .ended(0);
    stage
        .run(format!("{args} --fresh").split(' '))
        .ended(0)
        .said(&["starting over", "earlier verdicts are kept"]);
    let counts = stats(&stage);
    assert!(counts["tests_started"].as_u64() >= counts["tests"].as_u64());
    assert!(stage.journals("input.min.txt").is_empty());
    stage
        .run(format!("{args} --fresh --resume").split(' '))
        .ended(2);
}

#[test]
fn verdicts_stay_until_a_run_with_another_test_has_a_success() {
    let stage = noting(&haystack(60, "crash"));
    let args = ARGS.replace("-q -j 2", "-j 1");
    stage
        .run(format!("{args} --max-tests 20").split(' '))
        .ended(0);
    let journal = stage.journals("input.min.txt");
    let test = stage.text("test.sh");
    // Neither a mistake in the test nor a run that is stopped at once loses them.
    stage.script("test.sh", "exit 1");
    stage.run(args.split(' ')).ended(3);
    assert_eq!(stage.journals("input.min.txt"), journal);
    stage.script(
        "test.sh",
        "grep -q crash input.txt && grep -q 'line 9' input.txt",
    );
    stage
        .run(format!("{args} --max-tests 1").split(' '))
        .said(&["the test changed", "are kept until"]);
    assert_eq!(stage.journals("input.min.txt").len(), 2);
    std::fs::write(stage.path("test.sh"), test).unwrap();
    let ran = stage
        .run(format!("{args} --max-tests 1").split(' '))
        .said(&["resuming: "]);
    assert!(!ran.stderr.contains("starting over"));
    stage.script("test.sh", "grep -q crash input.txt");
    stage
        .run(format!("{args} --stop-at 50%").split(' '))
        .ended(0)
        .said(&["are kept until"]);
    let left = stage.journals("input.min.txt");
    assert!(left.len() == 1 && left != journal, "{left:?}");
}

#[test]
fn a_run_does_not_resume_by_itself_if_anything_has_changed() {
    let change = |what: &str| {
        let stage = noting(&haystack(60, "crash"));
        stage.file("lib/words", "one");
        stage.script("tool", "grep -q crash input.txt");
        let args = "reduce -j 1 --with lib input.txt";
        let test = format!("{} && grep -q 7 input.txt", stage.path("tool").display());
        let run = |flags: &str| {
            let args = format!("{args}{flags}");
            let words = args.split(' ').chain(["--", "sh", "-c", &test]);
            stage.run(words)
        };
        run(" --max-tests 20").ended(0);
        let mut flags = "";
        match what {
            "input" => stage.file("input.txt", haystack(61, "crash")),
            "extra file" => stage.file("lib/words", "two"),
            "program" => stage.script("tool", "grep -q 'crash' input.txt"),
            flag => flags = flag,
        }
        let ran = run(flags);
        ran.stderr
    };
    for what in [
        "input",
        "extra file",
        "program",
        " --env A=1",
        " --stdin",
        " --build true",
    ] {
        let said = change(what);
        assert!(said.contains("changed, so starting over"), "{what}: {said}");
    }
    let said = change(" --seed 3");
    assert!(said.contains("resuming: "), "{said}");
}

#[test]
fn the_same_command_never_makes_a_complete_result_worse() {
    let stage = noting(&haystack(120, "crash"));
    let args = ARGS.replace("-q -j 2", "-j 1");
    stage.run(args.split(' ')).ended(0);
    let result = stage.text("input.min.txt");
    let before = asked(&stage).values().sum::<usize>();
    for limit in [
        "--max-tests 6",
        "--max-tests 6",
        "--max-time 600 --stop-at 50%",
    ] {
        let ran = stage.run(format!("{args} {limit}").split(' ')).ended(0);
        ran.said(&["starting from the result of an earlier run, `input.min.txt`"]);
        assert_eq!(stage.text("input.min.txt"), result, "{limit}");
        let stats = stats(&stage);
        assert_eq!(stats["bytes_before"], haystack(120, "crash").len());
        assert_eq!(stats["bytes_after"], result.len());
        assert_eq!(stats["result"], serde_json::json!(["input.min.txt"]));
    }
    // All passes find nothing more in it, in far fewer tests.
    let ran = stage.run(args.split(' ')).ended(0);
    ran.said(&["finished: nothing more can be removed"]);
    assert!(asked(&stage).values().sum::<usize>() < 2 * before + 60);
    // From the original on, the run is the first one again, and what a limit leaves is its own.
    stage
        .run(format!("{args} --fresh --max-tests 6").split(' '))
        .ended(0);
    assert!(stage.text("input.min.txt").len() > result.len());
    let ran = stage.run(args.split(' ')).ended(0).said(&["resuming: "]);
    assert!(!ran.stderr.contains("starting from"), "{}", ran.stderr);
    assert_eq!(stage.text("input.min.txt"), result);
}

#[test]
fn an_earlier_result_counts_only_for_the_same_test_and_only_if_it_fails() {
    let stage = noting(&haystack(120, "crash"));
    let args = ARGS.replace("-q -j 2", "-j 1");
    let run = |more: &str| {
        let line = format!("{args}{more}");
        let ran = stage.run(line.split(' ')).ended(0);
        ran.stderr.contains("starting from the result")
    };
    assert!(!run(""));
    let result = stage.text("input.min.txt");
    assert!(!run(" --seed 7"), "another search");
    assert!(run(" --seed 7"));
    // A test outside of the command has changed, so that the result fails no more.
    stage.file("asked-for", "");
    let wanted = stage.path("asked-for").display().to_string();
    let test = stage
        .text("test.sh")
        .replace("'line 7'", &format!("\"line $(cat {wanted})7\""));
    stage.script("test.sh", &test);
    assert!(!run(" --seed 7"), "another test");
    stage.file("asked-for", "1");
    assert!(!run(" --seed 7"), "the result does not fail now");
    assert_ne!(stage.text("input.min.txt"), result);
    // A result of the user is none.
    stage.file("input.min.txt", "crash line 17");
    assert!(!run(" --seed 7 --force"), "not the result of nubbin");
}

#[test]
fn a_resumed_run_tells_the_time_of_all_runs() {
    let stage = noting(&haystack(120, "crash"));
    let args = ARGS.replace("-q -j 2", "-j 1");
    stage
        .run(format!("{args} --max-tests 40").split(' '))
        .ended(0);
    let first = stats(&stage);
    assert_eq!(first["wall_s_resumed"], serde_json::Value::Null);
    let ran = stage.run(args.split(' ')).ended(0);
    ran.said(&["s with the run that was resumed"]);
    let before = stats(&stage)["wall_s_resumed"].as_f64().unwrap();
    assert!(
        before >= 0.5 * first["wall_s"].as_f64().unwrap(),
        "{before}"
    );
}
