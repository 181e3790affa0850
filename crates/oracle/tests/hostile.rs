//! Tests that misbehave: they hang, leave processes and files, or change their input.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "in a test the panic is the report")]
#![allow(clippy::disallowed_methods, reason = "tests make files of any kind")]

use nubbin_oracle::{
    CommandError, CommandOracle, Environment, Exit, Extra, Options, Predicate, PrivateFolder,
    TestCommand,
};
use nubbin_verdict::{Ask, Cancel, Candidate, File, Oracle, Unresolved, Verdict};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A script in a folder of the user.
struct Script {
    dir: tempfile::TempDir,
}

impl Script {
    fn new(body: &str) -> Self {
        let script = Script {
            dir: tempfile::tempdir().unwrap(),
        };
        script.add("test.sh", &format!("#!/bin/sh\n{body}\n"), 0o755);
        script
    }

    fn add(&self, name: &str, text: &str, mode: u32) {
        let path = self.dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    fn options(&self) -> Options {
        let words = vec!["./test.sh".into(), "{}".into()];
        let command = TestCommand::new(words, self.dir.path()).unwrap();
        Options {
            timeout: Some(Duration::from_secs(60)),
            ..Options::new(command, vec![PathBuf::from("input.txt")])
        }
    }

    fn oracle(&self) -> CommandOracle {
        CommandOracle::new(self.options()).unwrap()
    }
}

fn judge_named(oracle: &CommandOracle, name: &OsStr, bytes: &[u8]) -> Verdict {
    let file = [File {
        name: Path::new(name),
        bytes,
    }];
    oracle.judge(&Candidate::new(&file), &Ask::new(0)).unwrap()
}

fn judge(oracle: &CommandOracle, bytes: &[u8]) -> Verdict {
    judge_named(oracle, OsStr::new("input.txt"), bytes)
}

/// The running processes of the tests of this oracle, in any process group.
fn processes_of(oracle: &CommandOracle) -> Vec<String> {
    let root = oracle.folder().to_string_lossy().into_owned();
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let alive = entries.filter_map(|entry| {
        let environment = std::fs::read(entry.path().join("environ")).ok()?;
        let is_ours = String::from_utf8_lossy(&environment).contains(&root);
        is_ours.then(|| entry.file_name().to_string_lossy().into_owned())
    });
    alive.collect()
}

/// Asserts that no process of a test is left. Killed processes may take a moment to end.
fn assert_no_process_of(oracle: &CommandOracle) {
    let until = Instant::now() + Duration::from_secs(10);
    while !processes_of(oracle).is_empty() {
        assert!(
            Instant::now() < until,
            "still there: {:?}",
            processes_of(oracle)
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Runs a test of this file in a process of its own, whose children belong to this test alone.
/// `cargo test` runs all tests of a file in one process.
#[cfg(target_os = "linux")]
fn run_alone(name: &str, test: impl FnOnce()) {
    const IS_ALONE: &str = "NUBBIN_HOSTILE_TEST_ALONE";
    if std::env::var_os(IS_ALONE).is_some() {
        return test();
    }
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name])
        .env(IS_ALONE, "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    // A wrong name runs no test, which is a success.
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
}

/// Asserts that each child that this process has adopted has exited. Killed processes may take a
/// moment to exit. Needs [`run_alone`].
#[cfg(target_os = "linux")]
fn assert_no_child_lives() {
    let list = format!("/proc/self/task/{}/children", std::process::id());
    let lives = |pid: &str| {
        // A process that was reaped meanwhile may have given a child to this one.
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
        !stat.is_ok_and(|stat| stat.contains(") Z "))
    };
    let until = Instant::now() + Duration::from_secs(10);
    while std::fs::read_to_string(&list)
        .unwrap()
        .split(' ')
        .any(|pid| !pid.is_empty() && lives(pid))
    {
        assert!(Instant::now() < until, "a child of this process lives");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Asserts that each child that this process has adopted is reaped after some more tests at most.
/// Needs [`run_alone`].
#[cfg(target_os = "linux")]
fn assert_all_are_reaped() {
    let quiet = Script::new("exit 0");
    let oracle = quiet.oracle();
    let list = format!("/proc/self/task/{}/children", std::process::id());
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let left = std::fs::read_to_string(&list).unwrap();
        if left.is_empty() {
            return;
        }
        let state = |pid| std::fs::read_to_string(format!("/proc/{pid}/stat"));
        let states: Vec<_> = left.split_whitespace().map(state).collect();
        assert!(Instant::now() < until, "not reaped: {states:?}");
        judge(&oracle, b"x");
    }
}

#[test]
fn a_test_that_hangs_is_ended_at_the_limit_with_all_its_children() {
    let script = Script::new("trap '' TERM INT HUP; sleep 1000 & sleep 1000");
    let limit = Duration::from_millis(200);
    let options = Options {
        timeout: Some(limit),
        ..script.options()
    };
    let oracle = CommandOracle::new(options).unwrap();
    let begin = Instant::now();
    assert_eq!(
        judge(&oracle, b"x"),
        Verdict::Unresolved(Unresolved::TimedOut(limit))
    );
    assert!(begin.elapsed() < Duration::from_secs(30));
    assert_no_process_of(&oracle);
}

#[test]
fn a_limit_beyond_the_range_of_the_clock_is_no_limit() {
    let script = Script::new("sleep 0.05");
    let oracle = CommandOracle::new(Options {
        timeout: Some(Duration::MAX),
        predicate: Predicate::new().not_stdout("x").unwrap(),
        ..script.options()
    });
    assert_eq!(judge(&oracle.unwrap(), b"x"), Verdict::Fail);
}

#[test]
fn a_run_that_was_cut_short_shows_no_failure_and_the_limit_is_named() {
    let script = Script::new("echo \"thread 'main' panicked at a.rs:1:1:\" >&2; sleep 1000");
    let oracle = CommandOracle::new(Options {
        timeout: Some(Duration::from_millis(200)),
        ..script.options()
    });
    let oracle = oracle.unwrap();
    let files = [file("input.txt", b"x")];
    let run = oracle.observe(&Candidate::new(&files), 0).unwrap();
    let error = oracle.with_same_failure(&run).unwrap_err().to_string();
    assert!(error.contains("timed out after 200ms"), "{error}");
}

#[test]
fn a_timeout_can_be_the_failure() {
    let script = Script::new("grep -q hang \"$1\" && sleep 1000; exit 0");
    let oracle = CommandOracle::new(Options {
        timeout: Some(Duration::from_millis(300)),
        predicate: Predicate::new().timeout_fails(),
        ..script.options()
    });
    let oracle = oracle.unwrap();
    assert_eq!(judge(&oracle, b"hang"), Verdict::Fail);
    assert_eq!(judge(&oracle, b"not"), Verdict::Pass);
}

#[test]
fn children_left_in_the_background_are_ended() {
    let script = Script::new("sleep 1000 & sleep 1000 & exit 0");
    let oracle = script.oracle();
    assert_eq!(judge(&oracle, b"x"), Verdict::Fail);
    assert_no_process_of(&oracle);
}

#[test]
#[cfg(target_os = "linux")]
fn daemons_that_left_group_and_session_are_ended() {
    let script = Script::new("setsid sh -c 'setsid sleep 1000 & sleep 1000 & exit' & sleep 0.05");
    let oracle = script.oracle();
    for _ in 0..3 {
        assert_eq!(judge(&oracle, b"x"), Verdict::Fail);
        assert_no_process_of(&oracle);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_daemon_whose_number_changes_all_the_time_is_ended() {
    // Each process of the chain starts the next one and ends, so that every list of the children of
    // this process is old when it is read.
    let script = Script::new(
        "cat >chain.py <<'END'
import os
while True:
    if os.fork():
        os._exit(0)
    os.setsid()
END
        setsid python3 chain.py &
        sleep 0.1",
    );
    run_alone(
        "a_daemon_whose_number_changes_all_the_time_is_ended",
        || {
            let oracle = script.oracle();
            for _ in 0..10 {
                assert_eq!(judge(&oracle, b"x"), Verdict::Fail);
                assert_no_child_lives();
            }
            assert_all_are_reaped();
        },
    );
}

#[test]
#[cfg(target_os = "linux")]
fn fifty_children_some_of_them_daemons_are_ended_and_reaped() {
    let script = Script::new(
        "i=0; while [ $i -lt 50 ]; do (setsid sleep 1000 &) ; sleep 1000 & i=$((i+1)); done; exit 0",
    );
    run_alone(
        "fifty_children_some_of_them_daemons_are_ended_and_reaped",
        || {
            let oracle = script.oracle();
            assert_eq!(judge(&oracle, b"x"), Verdict::Fail);
            assert_no_process_of(&oracle);
            // Processes that ended too late to be reaped are reaped after a later test.
            assert_all_are_reaped();
        },
    );
}

#[test]
#[cfg(target_os = "linux")]
fn daemons_that_ended_by_themselves_are_reaped() {
    let script = Script::new("(setsid sh -c 'exit 0' &); sleep 0.1");
    run_alone("daemons_that_ended_by_themselves_are_reaped", || {
        judge(&script.oracle(), b"x");
        assert_all_are_reaped();
    });
}

#[test]
#[cfg(target_os = "linux")]
fn a_child_of_the_embedding_program_is_not_touched() {
    let mut own = std::process::Command::new("sleep")
        .arg("1000")
        .spawn()
        .unwrap();
    let mut dead = std::process::Command::new("sh")
        .args(["-c", "exit 7"])
        .spawn()
        .unwrap();
    let script = Script::new("(setsid sleep 1000 &)");
    let oracle = script.oracle();
    judge(&oracle, b"x");
    assert!(own.try_wait().unwrap().is_none(), "the child was killed");
    assert_eq!(dead.wait().unwrap().code(), Some(7), "the child was reaped");
    own.kill().unwrap();
    own.wait().unwrap();
}

#[test]
fn a_test_with_endless_output_is_ended() {
    let script = Script::new("yes");
    let options = Options {
        output_limit: 1 << 20,
        predicate: Predicate::new().stdout("never").unwrap(),
        ..script.options()
    };
    let oracle = CommandOracle::new(options).unwrap();
    let begin = Instant::now();
    assert_eq!(
        judge(&oracle, b"x"),
        Verdict::Unresolved(Unresolved::OutputLimit)
    );
    assert!(begin.elapsed() < Duration::from_secs(30));
    assert_no_process_of(&oracle);
}

#[test]
fn output_that_no_condition_reads_is_not_limited() {
    let script = Script::new("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2");
    let options = Options {
        output_limit: 1 << 20,
        ..script.options()
    };
    let oracle = CommandOracle::new(options).unwrap();
    assert_eq!(judge(&oracle, b"x"), Verdict::Fail);
}

#[test]
#[cfg(target_os = "linux")]
fn attributes_and_flags_of_a_test_do_not_stay() {
    // Names the attributes of a file by themselves, since few machines have a program for that.
    let script = Script::new(
        "python3 - <<'END' || exit 10
import os
for path in ['.', '..', '../..', '../tmp', 'input.txt']:
    if [name for name in os.listxattr(path) if name.startswith('user.')]:
        raise SystemExit(1)
for path in ['.', '..', '../..', '../tmp', 'input.txt']:
    try:
        os.setxattr(path, 'user.nubbin', b'seen')
    except OSError as error:
        if error.errno != 95:
            raise
END
        touch fixed; chattr +i fixed input.txt 2>/dev/null; exit 0",
    );
    let oracle = CommandOracle::new(Options {
        predicate: Predicate::new().exit("0").unwrap(),
        ..script.options()
    });
    let oracle = oracle.unwrap();
    for _ in 0..3 {
        assert_eq!(judge(&oracle, b"x"), Verdict::Fail);
    }
    let folder = oracle.folder().to_owned();
    drop(oracle);
    assert!(!folder.exists());
}

#[test]
fn a_file_in_the_folder_of_another_slot_is_not_seen_there() {
    let script = Script::new("[ ! -e left ] && touch ../../0/work/left ../../1/work/left; exit 0");
    let look = Script::new("[ ! -e left ]");
    let predicate = Predicate::new().exit("0").unwrap();
    let command = look.options().command;
    let oracle = CommandOracle::new(Options {
        predicate,
        jobs: 2,
        ..script.options()
    });
    let oracle = oracle.unwrap();
    let files = [file("input.txt", b"x")];
    let candidate = Candidate::new(&files);
    for slot in [0, 1, 0, 1, 1, 0] {
        oracle.observe(&candidate, 1 - slot).unwrap();
        let run = oracle.observe_other(&command, &candidate, slot, &Cancel::new());
        assert_eq!(run.unwrap().exit, Exit::Code(0));
    }
}

#[test]
fn the_next_test_finds_a_clean_folder_after_any_test() {
    // Each test first checks that the folder holds only the expected files and contents.
    let look = "[ \"$(ls -A)\" = \"$(printf 'input.txt\\nkept')\" ] || exit 10
        [ \"$(cat input.txt)\" = good ] || exit 11
        [ -f input.txt ] && [ ! -L input.txt ] && [ -r input.txt ] || exit 12
        [ \"$(cat kept/file)\" = kept ] || exit 13
        [ -z \"$(ls -A \"$TMPDIR\")\" ] || exit 14
        [ \"$(ls -A kept)\" = file ] || exit 15
        [ \"$(pwd)/input.txt\" = \"$1\" ] || exit 16
        [ \"$(stat -c %a input.txt)\" = 644 ] || exit 17
        [ \"$(ls -A ..)\" = \"$(printf 'tmp\\nwork')\" ] || exit 18
        [ \"$(ls -A ../..)\" = \"$(printf '0\\nowner')\" ] || exit 19
        [ \"$(stat -c %a . .. \"$TMPDIR\" | sort -u)\" = 700 ] || exit 20";
    // In the file system of the tests, since a file has no second name in another one.
    let beside = PrivateFolder::new(0).unwrap();
    let second_name = format!("ln input.txt {}/saved-$$", beside.path().display());
    for action in [
        "true",
        "rm input.txt",
        "rm -rf ../work",
        "rm -rf \"$TMPDIR\"",
        "rm -rf \"$PWD/../..\"/0",
        "rm input.txt; mkdir input.txt; touch input.txt/x",
        "rm input.txt; ln -s /etc/passwd input.txt",
        "rm input.txt; mkfifo input.txt",
        "echo changed >> input.txt",
        "echo bad > input.txt",
        "chmod 000 input.txt",
        "chmod +x input.txt",
        "chmod 000 .",
        "mkdir -p a/b; touch a/b/c; chmod 000 a/b; chmod 000 a",
        "touch -d 2001-09-09T01:46:40Z left .; touch left",
        "touch left .hidden",
        "touch passing; rm passing; touch other; mv other input.txt",
        "echo x > \"$TMPDIR/left\"",
        "echo tampered > kept/file",
        "printf 'kepT' > kept/file",
        "rm kept/file; rmdir kept; touch kept",
        "touch kept/more",
        "rm -r kept; ln -s /tmp kept",
        second_name.as_str(),
        "mv ../work ../elsewhere; mkdir ../work",
        "mv ../work ../elsewhere; ln -s / ../work",
        "mkdir -p ../out; cp input.txt ../out/app",
        "mkdir ../out; chmod 000 ../out",
        "touch ../../out ../../0.txt; mkdir -p ../../1/work ../../deep/er",
        "mv ../work ../../elsewhere; mkdir ../work",
        "ln -s / ../out; ln -s / ../../out; mkfifo ../pipe",
        "ln input.txt ../../second",
        "touch ../out; touch -d 2001-09-09T01:46:40Z ..",
        "chmod 777 .. \"$TMPDIR\"; chmod 1700 .",
        "chmod 000 ..",
        "ln -s \"$(dirname \"$0\")/victim\" ../../link; rm -rf ../../0; mv ../../link ../../0",
    ] {
        let script = Script::new(&format!("{look}\n{action}\nexit 0"));
        std::fs::create_dir_all(script.dir.path().join("victim/work")).unwrap();
        script.add("victim/work/file", "precious", 0o644);
        std::fs::create_dir(script.dir.path().join("kept")).unwrap();
        script.add("kept/file", "kept", 0o644);
        let options = Options {
            extras: vec![Extra::new(Path::new("kept"), script.dir.path()).unwrap()],
            predicate: Predicate::new().exit("0").unwrap(),
            modes: vec![0o644],
            ..script.options()
        };
        let oracle = CommandOracle::new(options).unwrap();
        for round in 0..4 {
            let run = oracle
                .observe(&Candidate::new(&[file("input.txt", b"good")]), 0)
                .unwrap();
            let stderr = String::from_utf8_lossy(run.stderr()).into_owned();
            assert_eq!(
                run.exit,
                Exit::Code(0),
                "after `{action}`, round {round}: {stderr}"
            );
        }
        let saved: Vec<PathBuf> = std::fs::read_dir(beside.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.to_string_lossy().contains("saved-"))
            .collect();
        assert!(saved.len() == 4 || action != second_name, "{action}");
        // A file that a test saved under a second name does not change.
        judge(&oracle, b"something else");
        for path in saved {
            assert_eq!(std::fs::read(path).unwrap(), b"good", "{action}");
        }
        let victim = script.dir.path().join("victim/work/file");
        assert_eq!(std::fs::read(victim).unwrap(), b"precious", "{action}");
        let folder = oracle.folder().to_owned();
        drop(oracle);
        assert!(!folder.exists(), "left after `{action}`");
        assert_eq!(
            std::fs::read(script.dir.path().join("kept/file")).unwrap(),
            b"kept"
        );
    }
}

fn file<'a>(name: &'a str, bytes: &'a [u8]) -> File<'a> {
    File {
        name: Path::new(name),
        bytes,
    }
}

#[test]
fn cancelling_from_another_thread_ends_a_test_promptly() {
    let script = Script::new("sleep 1000");
    let oracle = Options {
        timeout: None,
        ..script.options()
    };
    let oracle = CommandOracle::new(oracle).unwrap();
    let ask = Ask::new(0);
    let begin = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            ask.cancel.cancel();
        });
        let verdict = oracle
            .judge(&Candidate::new(&[file("input.txt", b"")]), &ask)
            .unwrap();
        assert_eq!(verdict, Verdict::Unresolved(Unresolved::Cancelled));
    });
    assert!(begin.elapsed() < Duration::from_secs(30));
    assert_no_process_of(&oracle);
    let verdict = oracle
        .judge(&Candidate::new(&[file("input.txt", b"")]), &ask)
        .unwrap();
    assert_eq!(
        verdict,
        Verdict::Unresolved(Unresolved::Cancelled),
        "canceled before it began"
    );
}

#[test]
fn a_test_that_was_canceled_is_not_started_and_the_next_one_finds_its_files() {
    let script =
        Script::new("ls >>\"$(dirname \"$0\")/seen\"; echo . >>\"$(dirname \"$0\")/seen\"");
    let oracle = script.oracle();
    let judge = |names: &[&str], ask: &Ask| {
        let files: Vec<File<'_>> = names.iter().map(|name| file(name, b"x")).collect();
        oracle.judge(&Candidate::new(&files), ask).unwrap()
    };
    let (canceled, ask) = (Ask::new(0), Ask::new(0));
    canceled.cancel.cancel();
    assert_eq!(judge(&["a", "b"], &ask), Verdict::Fail);
    let verdict = judge(&["b", "c", "d"], &canceled);
    assert_eq!(verdict, Verdict::Unresolved(Unresolved::Cancelled));
    assert_eq!(judge(&["b", "d"], &ask), Verdict::Fail);
    let seen = std::fs::read_to_string(script.dir.path().join("seen")).unwrap();
    assert_eq!(seen, "a\nb\n.\nb\nd\n.\n");
}

#[test]
fn any_file_name_and_any_content_reach_the_test_unchanged() {
    let script = Script::new("cmp \"$1\" \"$(dirname \"$0\")/expected\"");
    let content: Vec<u8> = (0..=255).cycle().take(10_000).collect();
    std::fs::write(script.dir.path().join("expected"), &content).unwrap();
    for name in [
        &b"with space.c"[..],
        "größe-日本.c".as_bytes(),
        b"bad-\xff-utf8.c",
        b"-rf",
        b"'q'",
    ] {
        let name = OsStr::from_bytes(name);
        let options = Options {
            names: vec![PathBuf::from(name)],
            ..script.options()
        };
        let oracle = CommandOracle::new(options).unwrap();
        assert_eq!(
            judge_named(&oracle, name, &content),
            Verdict::Fail,
            "{name:?}"
        );
        assert_eq!(
            judge_named(&oracle, name, &content[1..]),
            Verdict::Pass,
            "{name:?}"
        );
        assert_eq!(judge_named(&oracle, name, b""), Verdict::Pass, "{name:?}");
        assert_eq!(
            judge_named(&oracle, name, &content),
            Verdict::Fail,
            "{name:?}"
        );
    }
}

#[test]
fn several_files_come_and_go_with_their_folders() {
    let script = Script::new("find . -mindepth 1 | LC_ALL=C sort | tr '\\n' ' '");
    let names = ["a.c", "sub/deep/b.h", "sub/c.h"];
    let options = Options {
        names: names.map(PathBuf::from).to_vec(),
        ..script.options()
    };
    let oracle = CommandOracle::new(options).unwrap();
    let list = |names: &[&str]| {
        let files: Vec<_> = names.iter().map(|name| file(name, b"x")).collect();
        let run = oracle.observe(&Candidate::new(&files), 0).unwrap();
        String::from_utf8_lossy(run.stdout()).into_owned()
    };
    let all = "./a.c ./sub ./sub/c.h ./sub/deep ./sub/deep/b.h ";
    assert_eq!(list(&names), all);
    assert_eq!(list(&names[..1]), "./a.c ");
    assert_eq!(list(&["a.c", "sub/c.h"]), "./a.c ./sub ./sub/c.h ");
    assert_eq!(list(&[]), "");
    assert_eq!(list(&names), all);
}

#[test]
fn a_name_that_leads_out_of_the_folder_is_refused() {
    let script = Script::new("exit 0");
    for name in ["../up.c", "/etc/passwd", ""] {
        let options = Options {
            names: vec![name.into()],
            ..script.options()
        };
        assert!(CommandOracle::new(options).is_err(), "{name}");
    }
    let oracle = script.oracle();
    let files = [file("../up.c", b"")];
    let fault = oracle
        .judge(&Candidate::new(&files), &Ask::new(0))
        .unwrap_err();
    assert!(fault.to_string().contains("`../up.c`"), "{fault}");
}

#[test]
fn standard_input_is_the_candidate_on_request_and_empty_otherwise() {
    let script = Script::new("cat; cat");
    let big = vec![b'x'; 1 << 20];
    let observe = |stdin| {
        let oracle = CommandOracle::new(Options {
            stdin,
            ..script.options()
        })
        .unwrap();
        [&big[..], b"small", b""].map(|bytes| {
            let files = [file("input.txt", bytes)];
            oracle
                .observe(&Candidate::new(&files), 0)
                .unwrap()
                .stdout()
                .len()
        })
    };
    assert_eq!(observe(true), [1 << 20, 5, 0]);
    assert_eq!(observe(false), [0, 0, 0]);
}

#[test]
fn a_script_without_interpreter_line_is_run_by_the_shell() {
    let script = Script::new("");
    script.add(
        "test.sh",
        "[ \"$(cat \"$1\")\" = yes ] && echo \"at $1\"\n",
        0o755,
    );
    let options = Options {
        predicate: Predicate::new().stdout("^at /.*/input.txt$").unwrap(),
        stdin: true,
        ..script.options()
    };
    let oracle = CommandOracle::new(options).unwrap();
    for _ in 0..2 {
        assert_eq!(judge(&oracle, b"yes"), Verdict::Fail);
        assert_eq!(judge(&oracle, b"no"), Verdict::Pass);
    }
}

#[test]
fn a_binary_of_an_unknown_format_is_a_fault() {
    let script = Script::new("");
    script.add("test.sh", "\0\0\0nothing", 0o755);
    let files = [file("input.txt", b"")];
    let fault = script
        .oracle()
        .judge(&Candidate::new(&files), &Ask::new(0))
        .unwrap_err();
    assert!(
        fault.to_string().contains("cannot be run on this machine"),
        "{fault}"
    );
}

#[test]
fn a_missing_interpreter_and_a_removed_script_are_faults() {
    let script = Script::new("");
    script.add("test.sh", "#!/no/such/interpreter\n", 0o755);
    let oracle = script.oracle();
    let files = [file("input.txt", b"")];
    let fault = oracle
        .judge(&Candidate::new(&files), &Ask::new(0))
        .unwrap_err();
    assert!(
        fault.to_string().contains("interpreter in its first line"),
        "{fault}"
    );
    std::fs::remove_file(script.dir.path().join("test.sh")).unwrap();
    let fault = oracle
        .judge(&Candidate::new(&files), &Ask::new(0))
        .unwrap_err();
    assert!(
        fault.to_string().contains("existed when the run began"),
        "{fault}"
    );
}

#[test]
fn a_script_that_is_not_executable_is_an_error() {
    let script = Script::new("");
    script.add("plain.sh", "exit 0\n", 0o644);
    let words = vec![OsString::from("./plain.sh")];
    let error = TestCommand::new(words, script.dir.path()).unwrap_err();
    assert!(
        matches!(error, CommandError::NotExecutable { .. }),
        "{error}"
    );
}

#[test]
fn the_candidate_can_be_the_program() {
    let dir = tempfile::tempdir().unwrap();
    let command = TestCommand::new(vec!["./{}".into()], dir.path()).unwrap();
    let options = Options {
        modes: vec![0o755],
        jobs: 2,
        predicate: Predicate::new().exit("3").unwrap(),
        ..Options::new(command, vec!["input.txt".into()])
    };
    let oracle = CommandOracle::new(options).unwrap();
    std::thread::scope(|scope| {
        for slot in 0..2 {
            let oracle = &oracle;
            scope.spawn(move || {
                for (content, expected) in [
                    (&b"#!/bin/sh\nexit 3\n"[..], Verdict::Fail),
                    (b"exit 3\n", Verdict::Fail),
                    (b"#!/bin/sh\nexit 4\n", Verdict::Pass),
                    (b"#!/no/such/thing\nexit 3\n", Verdict::Pass),
                    (b"\x7fELF\0\0\0", Verdict::Pass),
                ]
                .iter()
                .cycle()
                .take(100)
                {
                    let files = [file("input.txt", content)];
                    let verdict = oracle.judge(&Candidate::new(&files), &Ask::new(slot));
                    assert_eq!(verdict.unwrap(), *expected);
                }
            });
        }
    });
}

#[test]
fn a_test_may_execute_the_candidate_while_another_one_is_being_written() {
    let script = Script::new("\"$1\"");
    let options = Options {
        modes: vec![0o755],
        jobs: 4,
        predicate: Predicate::new().exit("3").unwrap(),
        ..script.options()
    };
    let oracle = CommandOracle::new(options).unwrap();
    std::thread::scope(|scope| {
        for slot in 0..4 {
            let oracle = &oracle;
            scope.spawn(move || {
                for _ in 0..100 {
                    let files = [file("input.txt", b"#!/bin/sh\nexit 3\n")];
                    let run = oracle.observe(&Candidate::new(&files), slot).unwrap();
                    let stderr = String::from_utf8_lossy(run.stderr());
                    assert_eq!(run.exit, Exit::Code(3), "{stderr}");
                }
            });
        }
    });
}

#[test]
fn exit_codes_and_signals_are_distinguished() {
    let script =
        Script::new("case $(cat \"$1\") in segv) kill -SEGV $$;; esac; exit \"$(cat \"$1\")\"");
    let judge_with = |predicate: Predicate, bytes: &[u8]| {
        let options = Options {
            predicate,
            ..script.options()
        };
        judge(&CommandOracle::new(options).unwrap(), bytes)
    };
    let abstained = Verdict::Unresolved(Unresolved::Abstained);
    assert_eq!(judge_with(Predicate::new(), b"0"), Verdict::Fail);
    assert_eq!(judge_with(Predicate::new(), b"1"), Verdict::Pass);
    assert_eq!(judge_with(Predicate::new(), b"125"), abstained);
    assert_eq!(judge_with(Predicate::new(), b"segv"), Verdict::Pass);
    let segv = || Predicate::new().signal("SEGV").unwrap();
    assert_eq!(judge_with(segv(), b"segv"), Verdict::Fail);
    assert_eq!(judge_with(segv(), b"139"), Verdict::Fail);
    assert_eq!(judge_with(segv(), b"0"), Verdict::Pass);
}

#[test]
fn two_commands_are_compared_on_the_same_candidate() {
    // The first command changes the candidate, and the second must see it unchanged.
    let script = Script::new("wc -l < \"$1\"; echo > \"$1\"");
    let other = TestCommand::shell("grep -c '' {}").unwrap();
    let options = Options {
        predicate: Predicate::new().differs_from(other),
        ..script.options()
    };
    let oracle = CommandOracle::new(options).unwrap();
    assert_eq!(judge(&oracle, b"a\nb\n"), Verdict::Pass);
    assert_eq!(
        judge(&oracle, b"a\nb"),
        Verdict::Fail,
        "no newline at the end"
    );
}

#[test]
fn a_relative_command_to_compare_with_is_relative_to_the_users_folder() {
    let script = Script::new("cat \"$1\"");
    script.add("old.sh", "#!/bin/sh\ntr a b <\"$1\"\n", 0o755);
    let other = TestCommand::shell_in("./old.sh {}", script.dir.path()).unwrap();
    let judge_with = |other: TestCommand, bytes: &[u8]| {
        let options = Options {
            predicate: Predicate::new().differs_from(other),
            ..script.options()
        };
        judge(&CommandOracle::new(options).unwrap(), bytes)
    };
    assert_eq!(judge_with(other.clone(), b"a"), Verdict::Fail);
    assert_eq!(judge_with(other, b"x"), Verdict::Pass);
    let missing = TestCommand::shell_in("./none.sh {}", script.dir.path()).unwrap();
    assert_eq!(
        judge_with(missing, b"a"),
        Verdict::Unresolved(Unresolved::Abstained)
    );
}

#[test]
fn observing_a_run_can_be_cancelled() {
    let script = Script::new("sleep 1000");
    let oracle = script.oracle();
    let cancel = Cancel::new();
    let begin = Instant::now();
    let run = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            cancel.cancel();
        });
        let files = [file("input.txt", b"x")];
        oracle
            .observe_with(&Candidate::new(&files), 0, &cancel)
            .unwrap()
    });
    assert!(begin.elapsed() < Duration::from_secs(30));
    assert_eq!(run.cut_short, Some(Unresolved::Cancelled));
    assert_no_process_of(&oracle);
}

#[test]
fn an_extra_file_with_the_name_of_the_input_is_refused() {
    let script = Script::new("exit 0");
    script.add("input.txt", "x", 0o644);
    let mut options = script.options();
    options
        .extras
        .push(Extra::new(Path::new("input.txt"), script.dir.path()).unwrap());
    let error = CommandOracle::new(options).unwrap_err().to_string();
    assert!(error.contains("which is the name of the input"), "{error}");
}

#[test]
fn only_the_same_failure_counts_once_it_is_known() {
    let script = Script::new(
        "case $(cat \"$1\") in
        one*) echo \"t: lex.c:$(wc -c < \"$1\"): f: Assertion \\`x' failed.\" | sed s/:.:/:7:/ >&2; exit 134;;
        two) echo \"t: lex.c:9: f: Assertion \\`y' failed.\" >&2; exit 134;;
        esac",
    );
    let oracle = script.oracle();
    let files = [file("input.txt", b"one")];
    let run = oracle.observe(&Candidate::new(&files), 0).unwrap();
    let oracle = oracle.with_same_failure(&run).unwrap();
    assert_eq!(
        oracle.predicate().describe(),
        "the failure is assertion: `x` at lex.c:7"
    );
    assert_eq!(judge(&oracle, b"one"), Verdict::Fail);
    assert_eq!(judge(&oracle, b"one!"), Verdict::Fail);
    assert_eq!(judge(&oracle, b"two"), Verdict::Pass);
    assert_eq!(judge(&oracle, b"none"), Verdict::Pass);
    let files = [file("input.txt", b"none")];
    let run = oracle.observe(&Candidate::new(&files), 0).unwrap();
    let error = oracle.with_same_failure(&run).unwrap_err();
    assert!(
        error.to_string().contains("no failure to reproduce"),
        "{error}"
    );
}

#[test]
fn the_environment_is_that_of_the_user_with_a_private_temporary_folder() {
    let script = Script::new(
        "[ \"$NUBBIN\" = 1 ] && [ -n \"$HOME\" ] && [ -d \"$TMPDIR\" ] && [ \"$PWD\" = \"$(pwd -P)\" ]
        echo $? $TMPDIR",
    );
    let oracle = script.oracle();
    let files = [file("input.txt", b"")];
    let run = oracle.observe(&Candidate::new(&files), 0).unwrap();
    let stdout = String::from_utf8_lossy(run.stdout()).into_owned();
    assert_eq!(
        stdout,
        format!("0 {}\n", oracle.folder().join("0/tmp").display())
    );
}

#[test]
fn tests_in_different_slots_do_not_affect_each_other() {
    let script = Script::new("(setsid sleep 0.001 &); sleep 0.002; cat \"$1\"");
    let oracle = CommandOracle::new(Options {
        jobs: 4,
        ..script.options()
    })
    .unwrap();
    std::thread::scope(|scope| {
        for slot in 0..4 {
            let oracle = &oracle;
            scope.spawn(move || {
                for round in 0..25 {
                    let content = format!("{slot} {round}");
                    let files = [file("input.txt", content.as_bytes())];
                    let run = oracle.observe(&Candidate::new(&files), slot).unwrap();
                    assert_eq!(run.exit, Exit::Code(0));
                    assert_eq!(run.stdout(), content.as_bytes());
                }
            });
        }
    });
}

#[test]
#[cfg(target_os = "linux")]
fn memory_can_be_limited() {
    let script = Script::new("sleep 0.1; head -c 400000000 /dev/zero | tail -n 1 | wc -c");
    let run = |memory_limit| {
        let oracle = CommandOracle::new(Options {
            memory_limit,
            ..script.options()
        })
        .unwrap();
        let files = [file("input.txt", b"")];
        let run = oracle.observe(&Candidate::new(&files), 0).unwrap();
        String::from_utf8_lossy(run.stdout()).trim().to_owned()
    };
    assert_eq!(run(None), "400000000");
    assert_ne!(run(Some(200 << 20)), "400000000");
}

#[test]
fn an_adaptive_time_limit_grows_only_with_failing_runs() {
    let script = Script::new("sleep $(cat \"$1\"); grep -q 0 \"$1\"");
    let adaptive = |timeout| {
        let options = Options {
            timeout: Some(Duration::from_secs(timeout)),
            adaptive_timeout: true,
            ..script.options()
        };
        CommandOracle::new(options).unwrap()
    };
    let seconds = Duration::from_secs;
    let oracle = adaptive(100);
    assert_eq!(oracle.timeout_now(), Some(seconds(100)), "no runs");
    assert_eq!(judge(&oracle, b"1"), Verdict::Pass);
    assert_eq!(oracle.timeout_now(), Some(seconds(100)), "no failing run");
    assert_eq!(judge(&oracle, b"0"), Verdict::Fail);
    // The run may have taken longer on a busy machine.
    let least = oracle.timeout_now().unwrap();
    assert!((seconds(5)..seconds(100)).contains(&least), "{least:?}");
    assert_eq!(judge(&oracle, b"0.9"), Verdict::Fail);
    let grown = oracle.timeout_now().unwrap();
    assert!((seconds(9)..=seconds(100)).contains(&grown), "{grown:?}");
    assert_eq!(judge(&oracle, b"0"), Verdict::Fail);
    assert_eq!(oracle.timeout_now(), Some(grown), "it never shrinks");
    assert_eq!(oracle.timeout(), Some(seconds(100)));
    let oracle = adaptive(2);
    assert_eq!(judge(&oracle, b"0"), Verdict::Fail);
    assert_eq!(oracle.timeout_now(), Some(seconds(2)), "never above");
}

#[test]
#[cfg(target_os = "linux")]
fn an_endless_loop_is_ended_before_a_test_that_waits() {
    let script = Script::new(
        "case $(cat \"$1\") in
           loop) while :; do :; done;;
           wait) sleep 1;;
         esac",
    );
    let options = Options {
        timeout: Some(Duration::from_secs(100)),
        adaptive_timeout: true,
        ..script.options()
    };
    let oracle = CommandOracle::new(options).unwrap();
    assert_eq!(judge(&oracle, b"end"), Verdict::Fail);
    let busy = oracle.busy_timeout_now().unwrap();
    assert_eq!(
        judge(&oracle, b"loop"),
        Verdict::Unresolved(Unresolved::TimedOut(busy))
    );
    assert!(busy < oracle.timeout_now().unwrap());
    // It waits for longer than a busy test may take, unless the first run took long.
    assert_eq!(judge(&oracle, b"wait"), Verdict::Fail);
}

#[test]
#[cfg(target_os = "linux")]
fn a_loop_costs_the_processor_time_of_failing_runs_and_not_their_time() {
    // As on a busy machine, the failing run takes much longer than it computes.
    let script = Script::new(
        "case $(cat \"$1\") in
           loop) while :; do :; done;;
           slow) sleep 1.5;;
           many) for i in 1 2 3 4; do (while :; do :; done) & done; wait;;
         esac",
    );
    let options = Options {
        timeout: Some(Duration::from_secs(100)),
        adaptive_timeout: true,
        ..script.options()
    };
    let oracle = CommandOracle::new(options).unwrap();
    assert_eq!(judge(&oracle, b"slow"), Verdict::Fail);
    let busy = oracle.busy_timeout_now().unwrap();
    // Twenty times the time would be more than the limit on time.
    assert!(busy < oracle.timeout_now().unwrap(), "{busy:?}");
    for endless in [&b"loop"[..], b"many"] {
        assert_eq!(
            judge(&oracle, endless),
            Verdict::Unresolved(Unresolved::TimedOut(busy))
        );
    }
    assert_eq!(
        oracle.busy_timeout_now(),
        Some(busy),
        "loops do not raise it"
    );
    assert_eq!(
        judge(&oracle, b"slow"),
        Verdict::Fail,
        "a test that waits may go on"
    );
}

#[test]
fn the_environment_can_be_changed_and_replaced() {
    let script = Script::new("env");
    let seen = |environment: Environment| {
        let options = Options {
            environment,
            ..script.options()
        };
        let oracle = CommandOracle::new(options).unwrap();
        let files = [file("input.txt", b"")];
        let run = oracle.observe(&Candidate::new(&files), 0).unwrap();
        let text = String::from_utf8_lossy(run.stdout()).into_owned();
        let mut names: Vec<String> = text
            .lines()
            .filter_map(|line| Some(line.split_once('=')?.0.to_owned()))
            // The shell sets these.
            .filter(|name| !["_", "OLDPWD", "SHLVL"].contains(&name.as_str()))
            .collect();
        names.sort();
        (text, names)
    };
    let new = Environment::new;
    let (text, _) = seen(
        new()
            .set("COLOR=a b=c")
            .unwrap()
            .set("TMPDIR=/odd")
            .unwrap(),
    );
    assert!(
        text.contains("COLOR=a b=c\n") && text.contains("TMPDIR=/odd\n"),
        "{text}"
    );
    let (_, names) = seen(new().unset("HOME").unwrap().unset("NO_SUCH").unwrap());
    assert!(!names.contains(&"HOME".to_owned()) && names.contains(&"PATH".to_owned()));
    let (_, names) = seen(new().clean().set("MORE=1").unwrap());
    let may_be = [
        "HOME",
        "LANG",
        "MORE",
        "NUBBIN",
        "NUBBIN_TEST",
        "PATH",
        "PWD",
        "TMPDIR",
    ];
    assert!(
        names.iter().all(|name| may_be.contains(&name.as_str())),
        "{names:?}"
    );
    assert!(names.contains(&"MORE".to_owned()) && names.contains(&"TMPDIR".to_owned()));
}

/// The number of times that the test was run.
fn runs(script: &Script) -> usize {
    let notes = std::fs::read_to_string(script.dir.path().join("runs"));
    notes.unwrap_or_default().lines().count()
}

#[test]
fn a_test_that_was_killed_from_outside_is_repeated_once() {
    for kill in [
        "kill -KILL $$",
        "sh -c 'kill -KILL $$'; exit $?",
        "exit 137",
    ] {
        let script = Script::new("");
        let notes = script.dir.path().join("runs");
        let notes = notes.display();
        let body = format!(
            "#!/bin/sh\necho >>'{notes}'\n[ $(wc -l <'{notes}') = 2 ] || {{ {kill}; }}\nexit 0\n"
        );
        script.add("test.sh", &body, 0o755);
        assert!(judge(&script.oracle(), b"x").is_fail(), "{kill}");
        assert_eq!(runs(&script), 2, "{kill}");
    }
}

#[test]
fn a_test_that_kills_itself_every_time_is_not_repeated_forever() {
    let script = Script::new("");
    let notes = script.dir.path().join("runs");
    let body = format!("#!/bin/sh\necho >>'{}'\nkill -KILL $$\n", notes.display());
    script.add("test.sh", &body, 0o755);
    let oracle = script.oracle();
    for _ in 0..10 {
        assert_eq!(judge(&oracle, b"x"), Verdict::Pass);
    }
    assert_eq!(runs(&script), 14);
}

#[test]
fn a_run_that_the_oracle_ended_is_not_repeated() {
    let script = Script::new("");
    let notes = script.dir.path().join("runs");
    let body = format!("#!/bin/sh\necho >>'{}'\nsleep 1000\n", notes.display());
    script.add("test.sh", &body, 0o755);
    let mut oracle = script.oracle();
    oracle.set_timeout(Some(Duration::from_millis(300)));
    let verdict = judge(&oracle, b"x");
    assert!(matches!(
        verdict,
        Verdict::Unresolved(Unresolved::TimedOut(_))
    ));
    assert_eq!(runs(&script), 1);
}
