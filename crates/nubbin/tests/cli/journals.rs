//! The files that nubbin keeps beside a result, and what happens to them and to other files of
//! such names.

use crate::skip::skipped;
use crate::stage::{Stage, haystack};
use std::path::Path;

const ARGS: &str = "reduce -j 1 --test ./test.sh input.txt --stats stats.json";

/// Makes a stage with a run that was stopped after some tests. Its journal is named in `ARGS`.
fn stopped() -> Stage {
    let stage = Stage::with_crash(&haystack(16, "crash"));
    stage
        .run(format!("{ARGS} --max-tests 20").split(' '))
        .ended(0);
    stage
}

fn stats(stage: &Stage) -> serde_json::Value {
    serde_json::from_slice(&stage.read("stats.json")).unwrap()
}

/// A pseudo-random sequence that is the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1);
        (self.0 >> 33) as usize % count
    }
}

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len());
    match random.below(5) {
        0 => bytes.truncate(at),
        1 => bytes[at] ^= 1 << random.below(8),
        2 => bytes[at..].iter_mut().for_each(|byte| *byte = 0),
        3 => {
            let end = (at + 1 + random.below(40)).min(bytes.len());
            (at..end).for_each(|at| bytes[at] = random.below(256) as u8);
        }
        _ => {
            let length = random.below(3000);
            *bytes = (0..length).map(|_| random.below(256) as u8).collect();
        }
    }
}

#[test]
fn two_hundred_damaged_journals_change_no_result() {
    const ARGS: &str =
        "reduce -j 1 input.txt --stats stats.json --max-tests 99 -- grep -q crash {}";
    let whole = Stage::with_crash(&haystack(12, "crash"));
    whole.run(ARGS.split(' ')).ended(0);
    let stage = Stage::with_crash(&haystack(12, "crash"));
    stage.run(ARGS.replace("99", "20").split(' ')).ended(0);
    let journal = stage.journals("input.min.txt").remove(0);
    let bytes = std::fs::read(&journal).unwrap();
    let best = stage.read("input.min.txt");
    let receipt = stage.read(".nubbin/input.min.txt.written");
    let mut random = Random(7);
    for round in 0..200 {
        let mut damaged = bytes.clone();
        damage(&mut damaged, &mut random);
        std::fs::create_dir_all(journal.parent().unwrap()).unwrap();
        std::fs::write(&journal, damaged).unwrap();
        stage.file("input.min.txt", &best);
        stage.file(".nubbin/input.min.txt.written", &receipt);
        let args = ARGS.replace("reduce", "reduce --resume");
        let ran = stage.run(args.split(' ')).ended(0);
        assert!(!ran.stderr.contains("panic"), "{round}: {}", ran.stderr);
        assert_eq!(
            stage.text("input.min.txt"),
            whole.text("input.min.txt"),
            "{round}: {}",
            ran.stderr
        );
        assert_eq!(stats(&stage)["tests"], stats(&whole)["tests"], "{round}");
    }
}

#[test]
fn a_damaged_journal_is_kept_aside_and_blocks_no_run() {
    for flags in ["", " --resume"] {
        let stage = stopped();
        let journal = stage.journals("input.min.txt").remove(0);
        std::fs::write(&journal, "something else").unwrap();
        stage
            .run(format!("{ARGS}{flags}").split(' '))
            .ended(0)
            .said(&["cannot be used", "it is now `"]);
        let entries = std::fs::read_dir(stage.path(".nubbin")).unwrap().flatten();
        let kept: Vec<_> = entries
            .filter(|entry| std::fs::read(entry.path()).unwrap() == b"something else")
            .collect();
        assert_eq!(kept.len(), 1);
        assert!(!journal.exists());
    }
}

#[test]
fn a_journal_with_a_damaged_end_is_used_up_to_there() {
    let stage = stopped();
    let journal = stage.journals("input.min.txt").remove(0);
    let bytes = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, &bytes[..bytes.len() - 5]).unwrap();
    stage
        .run(format!("{ARGS} --resume").split(' '))
        .ended(0)
        .said(&["the end of the journal", "damaged", "resuming"]);
    let stats = stats(&stage);
    assert!(stats["tests_started"].as_u64() < stats["tests"].as_u64());
}

#[test]
fn a_file_of_the_user_with_the_name_of_a_journal_stays() {
    let stage = Stage::with_crash(&haystack(16, "crash"));
    stage.file("books.journal", "of the user");
    stage.file("input.min.txt.journal", "of the user");
    for output in ["books", "input.min.txt"] {
        for flags in [" --max-tests 3", "", " --resume"] {
            let args = format!("{ARGS} -o {output}{flags}");
            stage.run(args.split(' ')).ended(0);
        }
    }
    stage.script("test.sh", "exit 1");
    stage.run(format!("{ARGS} -o books").split(' ')).ended(3);
    for name in ["books.journal", "input.min.txt.journal"] {
        assert_eq!(stage.text(name), "of the user");
    }
}

#[test]
fn the_files_beside_a_result_are_private_and_leave_nothing_without_a_result() {
    use std::os::unix::fs::PermissionsExt;
    let stage = stopped();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&stage.path(".nubbin")), 0o700);
    for entry in std::fs::read_dir(stage.path(".nubbin")).unwrap().flatten() {
        assert_eq!(mode(&entry.path()), 0o600, "{:?}", entry.path());
    }
    let stage = Stage::with_crash("nothing");
    stage.run(ARGS.split(' ')).ended(3);
    assert_eq!(stage.names(), ["input.txt", "test.sh"]);
}

#[test]
fn links_in_the_place_of_a_journal_are_not_followed() {
    let stage = stopped();
    let journal = stage.journals("input.min.txt").remove(0);
    stage.file("precious", "of the user");
    std::fs::remove_file(&journal).unwrap();
    std::os::unix::fs::symlink(stage.path("precious"), &journal).unwrap();
    stage.run(format!("{ARGS} --resume").split(' ')).ended(0);
    stage
        .run(format!("{ARGS} --fresh --max-tests 1").split(' '))
        .ended(8);
    assert_eq!(stage.text("precious"), "of the user");

    let stage = Stage::with_crash("a crash");
    stage.file("mine/file", "of the user");
    std::os::unix::fs::symlink("mine", stage.path(".nubbin")).unwrap();
    stage.run(ARGS.split(' ')).ended(6).said(&["is a link"]);
    assert_eq!(
        std::fs::read_dir(stage.path("mine")).unwrap().count(),
        1,
        "written through the link"
    );
}

#[test]
fn no_pipe_in_the_place_of_a_journal_is_waited_for() {
    let stage = stopped();
    let journal = stage.journals("input.min.txt").remove(0);
    std::fs::remove_file(&journal).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&journal).status();
    assert!(made.unwrap().success());
    stage
        .run(format!("{ARGS} --resume").split(' '))
        .ended(0)
        .said(&["not a plain file", "nothing to resume"]);
    assert_eq!(stage.text("input.min.txt"), "crash");
}

#[test]
fn a_folder_of_verdicts_that_others_may_write_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let stage = stopped();
    let folder = stage.path(".nubbin");
    for (mode, code) in [(0o777, 6), (0o770, 6), (0o755, 0)] {
        std::fs::set_permissions(&folder, PermissionsExt::from_mode(mode)).unwrap();
        let ran = stage.run(ARGS.split(' ')).ended(code);
        if code == 6 {
            ran.said(&[".nubbin` may be written by other users"]);
        }
    }
}

#[test]
fn a_file_system_without_locks_is_told_and_the_run_goes_on() {
    let stage = Stage::with_crash("a crash b");
    stage.file(
        "locks.c",
        "#include <errno.h>\nint flock(int f, int o) { errno = ENOLCK; return -1; }\n",
    );
    let made = std::process::Command::new("cc")
        .args(["-shared", "-fPIC", "-o", "locks.so", "locks.c"])
        .current_dir(stage.path(""))
        .status();
    if !made.is_ok_and(|status| status.success()) || !cfg!(target_os = "linux") {
        skipped("cc");
        return;
    }
    let mut command = stage.nubbin("reduce -j1 input.txt --test ./test.sh".split(' '));
    command.env("LD_PRELOAD", stage.path("locks.so"));
    let ran = command.output().unwrap();
    let said = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(0), "{said}");
    assert!(said.contains("has no locks"), "{said}");
    assert!(said.contains("`-o PATH` can name one"), "{said}");
    assert_eq!(stage.text("input.min.txt"), "crash");
}

#[test]
fn a_name_that_is_too_long_is_told_before_the_first_test() {
    let stage = Stage::new();
    // The result has a name that fits, and the last result that parses has none.
    let name = format!("{}.json", "a".repeat(243));
    stage.file(&name, "{\"a\": [1, \"crash\"]}");
    let ran = stage.run(["reduce", &name, "--", "grep", "-q", "crash", "{}"]);
    let ran = ran
        .ended(6)
        .said(&[".min.parses.json`", "File name too long"]);
    assert!(!ran.stderr.contains("keeping:"), "{}", ran.stderr);
}
