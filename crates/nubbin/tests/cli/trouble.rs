//! External problems of a run: killed tests, a read-only folder, a full disk. No result is lost.
//! `scripts/torture` does the same for longer, and at random.

use crate::skip::skipped;
use crate::stage::{Ran, Stage, haystack};
use std::process::Command;

/// The runs of the test are counted, so that none compares it with the user's folder.
const ARGS: &str = "reduce --plain -j 1 --flaky off --writable . --private-failure \
                    --test ./test.sh input.txt -o out/result.txt";

/// Makes a stage whose test runs a command before its verdict. The command can use the number of
/// the run, `$n`, and the folder of the result, `$out`.
fn stage(before: &str) -> Stage {
    let stage = Stage::with_crash(&haystack(60, "crash"));
    let notes = stage.path("runs").display().to_string();
    let out = stage.path("out").display().to_string();
    stage.script(
        "test.sh",
        &format!(
            "notes='{notes}'; out='{out}'; echo >>\"$notes\"; n=$(wc -l <\"$notes\")\n{before}\n\
             grep -q crash input.txt && grep -q 'line 7' input.txt && grep -q 'line 9' input.txt"
        ),
    );
    stage
}

/// Returns the result of an undisturbed run.
fn undisturbed() -> String {
    let stage = stage("");
    stage.run(ARGS.split(' ')).ended(0);
    assert!(
        stage.text("runs").len() > 60,
        "too few tests to disturb a run"
    );
    stage.text("out/result.txt")
}

#[track_caller]
fn assert_only_result(stage: &Stage) {
    let names = |folder: &str| {
        let entries = std::fs::read_dir(stage.path(folder)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names("out"), [".nubbin", "result.txt"]);
    assert_eq!(names("out/.nubbin"), [".gitignore", "result.txt.written"]);
}

#[test]
fn a_killed_test_gives_no_wrong_verdict() {
    let result = undisturbed();
    for kill in [
        "kill -KILL $$",
        "sh -c 'kill -KILL $$'; c=$?; [ $c = 137 ] && exit $c",
    ] {
        // The first run of each failing candidate is killed.
        let stage = stage(&format!(
            "grep -q crash input.txt && mkdir \"$notes.$(cksum <input.txt | tr ' ' .)\" 2>/dev/null \
             && {{ {kill}; }}"
        ));
        stage.run(ARGS.split(' ')).ended(0);
        assert_eq!(stage.text("out/result.txt"), result, "{kill}");
    }
}

#[test]
fn a_run_killed_while_creating_its_journal_can_be_resumed() {
    let stage = stage("");
    stage
        .run(format!("{ARGS} --max-tests 5").split(' '))
        .ended(0);
    std::fs::write(&stage.journals("out/result.txt")[0], "").unwrap();
    stage
        .run(format!("{ARGS} --resume").split(' '))
        .ended(0)
        .said(&["nothing to resume"]);
    assert_only_result(&stage);
}

/// The folder is moved away, because root ignores permissions.
const AWAY: &str = "{ mv \"$out\" \"$out.away\"; touch \"$out\"; }";
const BACK: &str = "{ rm \"$out\"; mv \"$out.away\" \"$out\"; }";

#[test]
fn a_temporarily_unwritable_folder_has_the_result_at_the_end() {
    let stage = stage(&format!("[ $n = 12 ] && {AWAY}; [ $n = 40 ] && {BACK}"));
    stage.run(ARGS.split(' ')).ended(0).said(&[
        "warning:",
        "cannot write `out/result.txt`",
        "trying again",
    ]);
    assert_eq!(stage.text("out/result.txt"), undisturbed());
    assert_only_result(&stage);
}

#[test]
fn a_result_that_cannot_be_written_is_rescued_and_the_run_can_be_resumed() {
    let stage = stage(&format!("[ $n = 12 ] && {AWAY}"));
    let ran = Ran::from(stage.nubbin(ARGS.split(' ')).output().unwrap()).ended(6);
    let (_, place) = ran.stderr.rsplit_once("the result is in `").unwrap();
    let place = std::path::Path::new(place.trim().trim_end_matches('`'));
    let result = undisturbed();
    assert_eq!(
        std::fs::read_to_string(place.join("result.txt")).unwrap(),
        result
    );
    std::fs::remove_dir_all(place).unwrap();
    stage.assert_clean();

    std::fs::remove_file(stage.path("out")).unwrap();
    std::fs::rename(stage.path("out.away"), stage.path("out")).unwrap();
    let before = stage.text("out/result.txt");
    assert!(before.contains("crash") && before.contains("line 7") && before.contains("line 9"));
    let runs = stage.text("runs").len();
    stage.run(format!("{ARGS} --resume").split(' ')).ended(0);
    assert_eq!(stage.text("out/result.txt"), result);
    assert_only_result(&stage);
    // The tests are those of the original and of the result.
    assert!(stage.text("runs").len() <= runs + 2, "asked again");
}

/// Runs shell commands with the folder of the result on a temporary disk. Returns `None` if this
/// user may not mount one.
#[cfg(target_os = "linux")]
fn on_small_disk(stage: &Stage, lines: &str) -> Option<Ran> {
    std::fs::create_dir(stage.path("out")).unwrap();
    let mount = "mount -t tmpfs -o size=6m none out";
    let isolated = |line: &str| {
        let mut command = Command::new("unshare");
        command
            .args(["-rm", "sh", "-c", line])
            .current_dir(stage.folder())
            .env("TMPDIR", stage.temp())
            .env("LC_ALL", "C")
            .env("NUBBIN_BINARY", env!("CARGO_BIN_EXE_nubbin"));
        command
    };
    if !isolated(mount).output().ok()?.status.success() {
        return None;
    }
    let all = format!("{mount} || exit 99\nrun() {{ \"$NUBBIN_BINARY\" {ARGS} \"$@\"; }}\n{lines}");
    Some(Ran::from(isolated(&all).output().unwrap()))
}

/// The result and its receipt, as `ls` lists them.
#[cfg(target_os = "linux")]
const LEFT: &str = "out:\n.nubbin\nresult.txt\n\nout/.nubbin:\n.gitignore\nresult.txt.written\n";

#[cfg(target_os = "linux")]
const FILL: &str = "cat /dev/zero >\"$out/filler\" 2>/dev/null";

#[test]
#[cfg(target_os = "linux")]
fn a_temporarily_full_disk_does_not_change_the_result() {
    let stage = stage(&format!(
        "[ $n = 12 ] && {FILL}; [ $n = 40 ] && rm \"$out/filler\""
    ));
    let lines = "run; code=$?; ls -A out out/.nubbin >names; cp out/result.txt result; exit $code";
    let Some(ran) = on_small_disk(&stage, lines) else {
        return skipped("mount");
    };
    ran.ended(0).said(&["warning:", "No space left"]);
    assert_eq!(stage.text("names"), LEFT);
    assert_eq!(stage.text("result"), undisturbed());
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_leaves_the_best_so_far_and_a_run_that_can_be_resumed() {
    let stage = stage(&format!("[ $n = 12 ] && {FILL}"));
    let lines = "run; first=$?; cp out/result.txt before; rm out/filler; run --resume
                 second=$?; ls -A out out/.nubbin >names; cp out/result.txt result
                 exit $first$second";
    let Some(ran) = on_small_disk(&stage, lines) else {
        return skipped("mount");
    };
    ran.ended(60)
        .said(&["No space left", "make room there", "the result is in"]);
    assert_eq!(stage.text("names"), LEFT);
    let result = undisturbed();
    assert_eq!(stage.text("result"), result);
    let before = stage.text("before");
    assert!(before.len() > result.len() && before.contains("crash"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_that_is_full_at_the_start_is_reported_at_once() {
    let stage = stage("");
    let lines = "out=out; cat /dev/zero >out/filler 2>/dev/null; run; first=$?; rm out/filler
                 ls -A out >left; run --resume; second=$?; ls -A out out/.nubbin >names
                 exit $first$second";
    let Some(ran) = on_small_disk(&stage, lines) else {
        return skipped("mount");
    };
    ran.ended(60).said(&["make room there"]);
    assert_eq!(stage.text("left"), "");
    assert_eq!(stage.text("names"), LEFT);
}
