//! A program that starts nothing but tests. This file has only one test, since others would start
//! other processes.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "in a test the panic is the report")]

use nubbin_oracle::{CommandOracle, Options, TestCommand};
use nubbin_verdict::{Ask, Candidate, File, Oracle, Verdict};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The number of processes with these words in their arguments.
fn count(words: &str) -> usize {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let has = |entry: &std::fs::DirEntry| {
        let text = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&text).contains(words)
    };
    entries.filter(has).count()
}

#[test]
fn a_process_without_group_and_environment_is_ended_unless_its_test_runs() {
    // With `need`, the test waits for its own such process, which writes a file at its end.
    let line = "case $(cat input.txt) in
        leave) (env -i setsid sh -c \"sleep 1000; : $PWD\" &); sleep 0.02 ;;
        need) (env -i setsid sh -c \"sleep 0.3; echo done > $PWD/done\" &)
            i=0; until [ -s done ]; do sleep 0.01; i=$((i+1)); [ $i -lt 2000 ] || exit 1; done ;;
        esac";
    let oracle = CommandOracle::new(Options {
        owns_children: true,
        jobs: 3,
        ..Options::new(
            TestCommand::shell(line).unwrap(),
            vec![PathBuf::from("input.txt")],
        )
    })
    .unwrap();
    let root = oracle.folder().to_string_lossy().into_owned();
    let judge = |slot, bytes: &[u8]| {
        let name = Path::new("input.txt");
        let file = [File { name, bytes }];
        let verdict = oracle.judge(&Candidate::new(&file), &Ask::new(slot));
        assert_eq!(verdict.unwrap(), Verdict::Fail, "slot {slot}");
    };
    // On a busy machine, the orphans of a killed process may appear only after its test.
    let assert_gone = |when: &str| {
        let until = Instant::now() + Duration::from_secs(20);
        while count(&root) > 0 {
            assert!(Instant::now() < until, "{when}");
            judge(0, b"none");
        }
    };
    judge(0, b"leave");
    assert_gone("no other test runs");
    std::thread::scope(|scope| {
        for slot in 0..3 {
            let judge = &judge;
            scope.spawn(move || {
                for round in 0..8 {
                    judge(
                        slot,
                        if (slot + round) % 2 == 0 {
                            b"need"
                        } else {
                            b"leave"
                        },
                    );
                }
            });
        }
    });
    assert_gone("all others have ended");
}
