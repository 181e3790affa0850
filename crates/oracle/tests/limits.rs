//! Tests that exceed their limits.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "in a test the panic is the report")]
#![allow(clippy::disallowed_methods, reason = "tests make files of any kind")]

use nubbin_oracle::{CommandOracle, Extra, Options, Predicate, TestCommand};
use nubbin_verdict::{Ask, Candidate, File, Limit, Oracle, Unresolved, Verdict};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

/// Held while many processes are started: the system may refuse those of other tests meanwhile.
static STARTS: RwLock<()> = RwLock::new(());

/// A test that runs `action` if the input contains "bad", and always ends with *fail*.
fn options(action: &str) -> Options {
    let line = format!("if grep -q bad input.txt; then {action}\nfi; exit 0");
    let command = TestCommand::shell(line).unwrap();
    Options {
        timeout: Some(Duration::from_secs(60)),
        ..Options::new(command, vec![PathBuf::from("input.txt")])
    }
}

fn judge(oracle: &CommandOracle, bytes: &[u8]) -> Verdict {
    let name = Path::new("input.txt");
    oracle
        .judge(&Candidate::new(&[File { name, bytes }]), &Ask::new(0))
        .unwrap()
}

/// Asserts that the bad input hits the limit each time, and that other tests are not affected.
#[track_caller]
fn assert_over(options: Options, limit: Limit) {
    let oracle = CommandOracle::new(options).unwrap();
    for _ in 0..2 {
        assert_eq!(judge(&oracle, b"good"), Verdict::Fail);
        let over = Verdict::Unresolved(Unresolved::OverLimit(limit));
        assert_eq!(judge(&oracle, b"bad"), over);
        assert_clean(&oracle);
    }
    assert_eq!(judge(&oracle, b"good"), Verdict::Fail);
}

/// Asserts that no process of a test runs, and that the folder holds no other file than the input.
#[track_caller]
fn assert_clean(oracle: &CommandOracle) {
    let root = oracle.folder().to_string_lossy().into_owned();
    let is_ours = |entry: &std::fs::DirEntry| {
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(&root)
    };
    let until = Instant::now() + Duration::from_secs(20);
    while std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .any(|entry| is_ours(&entry))
    {
        assert!(Instant::now() < until, "processes are left");
        std::thread::sleep(Duration::from_millis(10));
    }
    let left = std::fs::read_dir(oracle.folder().join("0/work")).unwrap();
    let left: Vec<_> = left.flatten().map(|entry| entry.file_name()).collect();
    assert!(left.len() <= 1, "{left:?}");
}

#[test]
fn a_fork_bomb_is_stopped() {
    let _alone = STARTS.write().unwrap_or_else(PoisonError::into_inner);
    let options = Options {
        process_limit: Some(100),
        ..options("bomb() { bomb | bomb & sleep 1000; }; bomb")
    };
    assert_over(options, Limit::Processes);
}

#[test]
fn five_hundred_processes_at_once_exceed_a_limit_of_four_hundred() {
    let _alone = STARTS.write().unwrap_or_else(PoisonError::into_inner);
    let burst = "i=0; while [ $i -lt 500 ]; do sleep 1000 & i=$((i+1)); done; wait";
    let options = Options {
        process_limit: Some(400),
        ..options(burst)
    };
    assert_over(options, Limit::Processes);
}

#[test]
fn processes_that_left_the_group_count() {
    let _alone = STARTS.write().unwrap_or_else(PoisonError::into_inner);
    let burst = "i=0; while [ $i -lt 60 ]; do (setsid sleep 1000 &); i=$((i+1)); done; sleep 1000";
    let options = Options {
        process_limit: Some(50),
        ..options(burst)
    };
    assert_over(options, Limit::Processes);
}

#[test]
fn memory_counts_over_all_processes() {
    let _shared = STARTS.read().unwrap_or_else(PoisonError::into_inner);
    // Each process is well below the limit.
    let hog = "head -c 60000000 /dev/zero | tail -n 1 | sleep 1000 &";
    let options = Options {
        memory_limit: Some(100 << 20),
        ..options(&format!("{hog}\n{hog}\nsleep 1000"))
    };
    assert_over(options, Limit::Memory);
}

#[test]
fn reserved_memory_does_not_count() {
    let _shared = STARTS.read().unwrap_or_else(PoisonError::into_inner);
    let reserve = "python3 -c 'import mmap; mmap.mmap(-1, 1 << 36)' || true";
    let options = Options {
        memory_limit: Some(200 << 20),
        ..options(reserve)
    };
    let oracle = CommandOracle::new(options).unwrap();
    assert_eq!(judge(&oracle, b"bad"), Verdict::Fail);
}

#[test]
fn processor_time_counts_over_all_processes() {
    let _shared = STARTS.read().unwrap_or_else(PoisonError::into_inner);
    let options = Options {
        cpu_limit: Some(Duration::from_millis(300)),
        ..options("(while :; do :; done) & while :; do :; done")
    };
    assert_over(options, Limit::Cpu);
}

#[test]
fn a_file_over_the_limit_ends_the_test_whatever_its_exit_code() {
    let _shared = STARTS.read().unwrap_or_else(PoisonError::into_inner);
    for action in [
        "exec head -c 3000000 /dev/zero > big",
        "head -c 3000000 /dev/zero > big",
        "head -c 3000000 /dev/zero > big; exit 1",
        // Outside the folders only the limit of the system works, which is set just after the
        // start.
        "sleep 0.5; exec head -c 3000000 /dev/zero > ../../big",
    ] {
        let options = Options {
            file_size_limit: Some(1 << 20),
            ..options(action)
        };
        assert_over(options, Limit::FileSize);
    }
}

#[test]
fn a_folder_that_fills_up_ends_the_test() {
    let _shared = STARTS.read().unwrap_or_else(PoisonError::into_inner);
    for action in [
        "head -c 30000000 /dev/zero > big",
        "cat /dev/zero > \"$TMPDIR/big\"",
        "i=0; while :; do head -c 100000 /dev/zero > $i; i=$((i+1)); done",
        "mkdir -p a/b/c; cat /dev/zero > a/b/c/big; exit 1",
    ] {
        let options = Options {
            disk_limit: Some(20_000_000),
            ..options(action)
        };
        assert_over(options, Limit::Disk);
    }
}

#[test]
fn given_files_do_not_count_as_written() {
    let _shared = STARTS.read().unwrap_or_else(PoisonError::into_inner);
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("large"), vec![1; 5_000_000]).unwrap();
    let options = Options {
        disk_limit: Some(1_000_000),
        file_size_limit: Some(2_000_000),
        extras: vec![Extra::new(Path::new("large"), dir.path()).unwrap()],
        ..options("sleep 0.1")
    };
    let oracle = CommandOracle::new(options).unwrap();
    assert_eq!(judge(&oracle, b"bad"), Verdict::Fail);
    assert_eq!(judge(&oracle, &vec![b' '; 3_000_000]), Verdict::Fail);
}

#[test]
fn a_busy_test_stays_within_the_default_limits() {
    let _shared = STARTS.read().unwrap_or_else(PoisonError::into_inner);
    let busy = "i=0; while [ $i -lt 100 ]; do sleep 0.3 & i=$((i+1)); done
        head -c 50000000 /dev/zero > object; head -c 50000000 /dev/zero; wait";
    let oracle = CommandOracle::new(Options {
        predicate: Predicate::new().exit("0").unwrap().not_stdout("x").unwrap(),
        ..options(busy)
    });
    assert_eq!(judge(&oracle.unwrap(), b"bad"), Verdict::Fail);
}
