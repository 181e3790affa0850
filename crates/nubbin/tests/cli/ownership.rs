//! Files of the user are not touched: nubbin replaces and removes only what it has written.

use crate::stage::{Ran, Stage, haystack};

const RUN: &str = "reduce -j 1 --test ./test.sh input.txt --stats stats.json";

fn stats(stage: &Stage) -> serde_json::Value {
    serde_json::from_slice(&stage.read("stats.json")).unwrap()
}

/// A folder with a file that the failure needs and one that it does not need.
fn project() -> Stage {
    let stage = Stage::new();
    stage.file("proj/needed.txt", haystack(20, "crash"));
    stage.file("proj/d/other.txt", haystack(20, "nothing"));
    stage.script("test.sh", "grep -q crash proj/needed.txt");
    stage
}

#[track_caller]
fn refused(ran: Ran) {
    ran.ended(6).said(&[
        "was not written by nubbin, or was modified afterwards",
        "--force",
    ]);
}

#[test]
fn a_file_made_by_hand_is_not_replaced() {
    let stage = Stage::with_crash(&haystack(30, "crash"));
    stage.file("input.min.txt", "mine");
    for flags in ["", " --resume", " --fresh", " -o ./input.min.txt"] {
        refused(stage.run(format!("{RUN}{flags}").split(' ')));
        assert_eq!(stage.text("input.min.txt"), "mine");
    }
    assert!(!stage.path(".nubbin").exists());
    stage.run(format!("{RUN} --force").split(' ')).ended(0);
    assert_eq!(stage.text("input.min.txt"), "crash");
}

#[test]
fn the_same_rule_holds_for_several_inputs() {
    let stage = Stage::with_crash(&haystack(30, "crash"));
    stage.file("more.txt", haystack(9, "more"));
    stage.file("out/more.txt", "mine");
    stage.file("more.min.txt", "mine");
    for flags in ["", " -o out"] {
        let args = format!("reduce --test ./test.sh input.txt more.txt{flags}");
        refused(stage.run(args.split(' ')));
    }
    for name in ["out/more.txt", "more.min.txt"] {
        assert_eq!(stage.text(name), "mine");
    }
    let args = "reduce --test ./test.sh input.txt more.txt -o new";
    for _ in 0..2 {
        stage.run(args.split(' ')).ended(0);
    }
    assert_eq!(stage.text("new/input.txt"), "crash");
    // Each result has a receipt of its own.
    let args = "reduce --test ./test.sh input.txt -o new/input.txt";
    stage.run(args.split(' ')).ended(0);
}

#[test]
fn the_last_input_that_parsed_replaces_nothing_of_the_user() {
    let stage = Stage::new();
    stage.file("input.json", "[1, {\"a\": [\"crash\", 2]}, 3]");
    stage.script("test.sh", "grep -q crash input.json");
    stage.file("input.min.parses.json", "mine");
    let args = "reduce --test ./test.sh input.json";
    refused(stage.run(args.split(' ')));
    assert_eq!(stage.text("input.min.parses.json"), "mine");
    stage.run(format!("{args} --force").split(' ')).ended(0);
    assert_ne!(stage.text("input.min.parses.json"), "mine");
    stage.run(args.split(' ')).ended(0);
}

#[test]
fn the_same_command_replaces_its_own_result_until_that_is_changed() {
    let stage = Stage::with_crash(&haystack(30, "crash"));
    for _ in 0..3 {
        stage.run(RUN.split(' ')).ended(0);
        assert_eq!(stage.text("input.min.txt"), "crash");
    }
    // Another test, and a run that was stopped.
    stage.script("test.sh", "grep -q 'line 3' input.txt");
    stage
        .run(format!("{RUN} --max-tests 20").split(' '))
        .ended(0);
    stage.run(RUN.split(' ')).ended(0);
    assert_eq!(stage.text("input.min.txt"), "line 3");
    stage.file("input.min.txt", "line 3, by hand");
    refused(stage.run(RUN.split(' ')));
    assert_eq!(stage.text("input.min.txt"), "line 3, by hand");
    // An empty file holds nothing, and a removed one can be made again.
    stage.file("input.min.txt", "");
    stage.run(RUN.split(' ')).ended(0);
    std::fs::remove_file(stage.path("input.min.txt")).unwrap();
    stage.run(RUN.split(' ')).ended(0);
    assert_eq!(stage.text("input.min.txt"), "line 3");
}

#[test]
fn the_result_of_a_killed_run_can_be_replaced() {
    let stage = Stage::with_crash(&haystack(120, "crash"));
    let asked = stage.path("asked").display().to_string();
    let hangs = format!("echo >>{asked}; [ $(wc -l <{asked}) -lt 30 ] || sleep 1000");
    stage.script("test.sh", &format!("{hangs}; grep -q crash input.txt"));
    let mut run = stage.start(RUN.split(' '));
    run.until("the last test began", || {
        stage.path("asked").exists() && stage.text("asked").len() >= 30
    });
    run.kill();
    assert!(stage.text("input.min.txt").contains("crash"));
    stage.script("test.sh", "grep -q 'line 3' input.txt");
    stage.run(RUN.split(' ')).ended(0);
    assert_eq!(stage.text("input.min.txt"), "line 3");
}

#[test]
fn a_folder_keeps_the_files_of_the_user() {
    let stage = project();
    let args = "reduce -j 1 --test ./test.sh proj --fixed fix";
    stage.file("proj/fix", "one");
    stage.run(args.split(' ')).ended(0);
    assert_eq!(stage.text("proj.min/fix"), "one");
    // Files beside those of the result are kept, and the fixed ones are copied again.
    stage.file("proj.min/mine.txt", "mine");
    stage.file("proj/fix", "two");
    stage.run(args.split(' ')).ended(0);
    assert_eq!(stage.text("proj.min/mine.txt"), "mine");
    assert_eq!(stage.text("proj.min/fix"), "two");
    assert_eq!(stage.text("proj.min/needed.txt"), "crash");
    stage.file("proj.min/d/other.txt", "mine");
    refused(stage.run(args.split(' ')));
    stage.run(format!("{args} --force").split(' ')).ended(0);
    assert_eq!(stage.text("proj.min/d/other.txt"), "mine");
    stage.file("proj.min/needed.txt", "mine");
    refused(stage.run(args.split(' ')));
    assert_eq!(stage.text("proj.min/needed.txt"), "mine");
}

#[test]
fn a_journal_from_elsewhere_removes_nothing() {
    let elsewhere = project();
    let args = "reduce -j 1 --test ./test.sh proj";
    elsewhere
        .run(format!("{args} --max-tests 12").split(' '))
        .ended(0);
    let names = |stage: &Stage| {
        let entries = std::fs::read_dir(stage.path(".nubbin")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect::<Vec<_>>()
    };
    for with_receipt in [false, true] {
        let stage = project();
        stage.file("proj.min/needed.txt", "mine");
        stage.file("proj.min/d/other.txt", "mine");
        for name in names(&elsewhere) {
            if with_receipt || name.ends_with(".journal") {
                let bytes = elsewhere.read(&format!(".nubbin/{name}"));
                stage.file(&format!(".nubbin/{name}"), bytes);
            }
        }
        for flags in ["", " --resume", " --fresh"] {
            stage.run(format!("{args}{flags}").split(' ')).ended(6);
            assert_eq!(stage.text("proj.min/needed.txt"), "mine");
            assert_eq!(stage.text("proj.min/d/other.txt"), "mine");
        }
        stage
            .run(format!("{args} --resume --force").split(' '))
            .ended(0);
        assert_eq!(stage.text("proj.min/needed.txt"), "crash");
        assert_eq!(stage.text("proj.min/d/other.txt"), "mine");
    }
}

#[test]
fn a_run_that_stops_before_its_first_success_does_not_claim_an_earlier_result() {
    let stage = Stage::with_crash(&haystack(60, "crash"));
    stage.run(RUN.split(' ')).ended(0);
    stage.script(
        "test.sh",
        "[ $(grep -c line input.txt) -ge 59 ] && grep -q crash input.txt",
    );
    stage
        .run(format!("{RUN} --max-tests 2").split(' '))
        .ended(8)
        .said(&[
            "this run has no result",
            "`input.min.txt` is from before it",
        ]);
    assert_eq!(stage.text("input.min.txt"), "crash");
    assert_eq!(stats(&stage)["result"], serde_json::json!([]));
    assert_eq!(stats(&stage)["bytes_after"], stats(&stage)["bytes_before"]);
    // Without an earlier result, the original is the best of the run.
    std::fs::remove_file(stage.path("input.min.txt")).unwrap();
    stage
        .run(format!("{RUN} --fresh --max-tests 2").split(' '))
        .ended(0);
    assert_eq!(stage.text("input.min.txt"), stage.text("input.txt"));
    assert_eq!(
        stats(&stage)["result"],
        serde_json::json!(["input.min.txt"])
    );
}

#[test]
fn a_signal_before_the_first_success_does_not_claim_an_earlier_result() {
    let stage = Stage::with_crash(&haystack(60, "crash"));
    stage.run(RUN.split(' ')).ended(0);
    let begun = stage.path("begun").display().to_string();
    stage.script(
        "test.sh",
        &format!("[ $(grep -c line input.txt) -ge 59 ] || {{ touch {begun}; sleep 1000; }}"),
    );
    let mut run = stage.start(RUN.split(' '));
    run.until("a candidate is tested", || stage.path("begun").exists());
    run.signal(rustix::process::Signal::TERM);
    run.wait().ended(130).said(&["this run has no result"]);
    assert_eq!(stats(&stage)["result"], serde_json::json!([]));
    assert_eq!(stage.text("input.min.txt"), "crash");
}

#[test]
fn a_short_resumed_run_reports_the_result_on_disk() {
    let stage = Stage::with_crash(&haystack(120, "crash"));
    stage
        .run(format!("{RUN} --stop-at 50%").split(' '))
        .ended(0);
    let before = stage.text("input.min.txt");
    stage
        .run(format!("{RUN} --max-tests 3 --json-events events.jsonl").split(' '))
        .ended(0)
        .said(&[
            "resuming: ",
            "the result is that of the run that was resumed",
        ]);
    assert_eq!(stage.text("input.min.txt"), before);
    assert_eq!(stats(&stage)["bytes_after"], before.len());
    let events = stage.text("events.jsonl");
    let ended = events
        .lines()
        .find(|line| line.contains(r#""event":"ended""#))
        .unwrap();
    let ended: serde_json::Value = serde_json::from_str(ended).unwrap();
    assert_eq!(
        (&ended["bytes"], &ended["best"]),
        (&before.len().into(), &before.len().into())
    );
    assert_eq!(
        stats(&stage)["result"],
        serde_json::json!(["input.min.txt"])
    );
}

#[test]
fn results_have_the_mode_of_the_input() {
    use std::os::unix::fs::PermissionsExt;
    let stage = Stage::new();
    stage.file("input.json", "[1, {\"a\": [\"crash\", 2]}, 3]");
    stage.script("test.sh", "grep -q crash input.json");
    for mode in [0o600, 0o640, 0o755] {
        let permissions = PermissionsExt::from_mode(mode);
        std::fs::set_permissions(stage.path("input.json"), permissions).unwrap();
        stage
            .run("reduce --test ./test.sh input.json".split(' '))
            .ended(0);
        for name in ["input.min.json", "input.min.parses.json"] {
            let there = std::fs::metadata(stage.path(name)).unwrap();
            assert_eq!(there.permissions().mode() & 0o777, mode, "{name}");
        }
    }
}

#[test]
fn isolated_results_follow_the_same_rule() {
    let stage = Stage::new();
    stage.file("good.txt", "one\ntwo\n");
    stage.file("bad.txt", "one\ncrash\ntwo\n");
    let args = "isolate good.txt bad.txt -- grep -q crash {}";
    for _ in 0..2 {
        stage.run(args.split(' ')).ended(0);
    }
    stage.file("bad.pass.txt", "mine");
    refused(stage.run(args.split(' ')));
    assert_eq!(stage.text("bad.pass.txt"), "mine");
    let args = args.replace("isolate", "isolate --force");
    stage.run(args.split(' ')).ended(0);
    assert_ne!(stage.text("bad.pass.txt"), "mine");
}

#[test]
fn the_files_of_nubbin_are_no_part_of_a_folder() {
    let stage = project();
    stage
        .run("reduce proj/needed.txt -- grep -q crash {}".split(' '))
        .ended(0);
    assert!(stage.path("proj/.nubbin").exists());
    stage.script(
        "test.sh",
        "test ! -e proj/.nubbin && grep -q crash proj/needed.txt",
    );
    stage
        .run("reduce --test ./test.sh proj".split(' '))
        .ended(0);
    assert!(!stage.path("proj.min/.nubbin").exists());
}
