//! Hostile tests. The search continues, and no processes or files of the tests remain.

use crate::skip::skipped;
use crate::stage::{Ran, Stage};
use std::process::Command;
use std::time::{Duration, Instant};

/// Makes a stage whose test does `deed` on every candidate without the needed line.
fn stage(deed: &str) -> Stage {
    let stage = Stage::new();
    stage.file("input.txt", "bad\ncrash\n");
    let body = format!("grep -q crash input.txt && exit 0\n{deed}\nexit 1");
    stage.script("test.sh", &body);
    stage
}

const REDUCE: &str = "reduce --algorithm ddmin -o out";

/// Reduces, and checks that the result is correct and that no files remain.
#[track_caller]
fn survives(deed: &str, flags: &str) -> Ran {
    let stage = stage(deed);
    let args = format!("{REDUCE} {flags} input.txt -- ./test.sh");
    let args: Vec<&str> = args.split_whitespace().collect();
    let ran = stage.run(&args);
    assert_eq!(ran.code, Some(0), "{deed}: {}", ran.stderr);
    assert_eq!(stage.text("out"), "crash\n", "{deed}");
    let names = [".nubbin", "input.txt", "out", "test.sh"];
    assert_eq!(stage.names(), names, "{deed}");
    assert_no_process(&stage, deed);
    ran
}

/// Waits for the end of killed processes.
#[track_caller]
pub(crate) fn assert_no_process(stage: &Stage, deed: &str) {
    let temp = stage.temp().to_string_lossy().into_owned();
    let lives = || {
        let mut processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes.any(|entry| {
            // A process without an environment is found by its arguments.
            ["environ", "cmdline"].iter().any(|name| {
                let text = std::fs::read(entry.path().join(name)).unwrap_or_default();
                String::from_utf8_lossy(&text).contains(&temp)
            })
        })
    };
    let until = Instant::now() + Duration::from_secs(30);
    while lives() {
        assert!(Instant::now() < until, "processes are left after `{deed}`");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn deeds_that_end_by_themselves_change_nothing() {
    for deed in [
        // Processes.
        "sleep 1000 & sleep 1000 &",
        "(setsid sh -c 'setsid sleep 1000 & sleep 1000' &); sleep 0.05",
        "i=0; while [ $i -lt 100 ]; do sleep 1000 & i=$((i+1)); done",
        "(env -i setsid sh -c \"sleep 1000; : $TMPDIR\" &); sleep 0.05",
        "(env -i setsid sh -c \"(setsid sleep 1000 &) ; sleep 1000; : $TMPDIR\" &); sleep 0.05",
        // Folders and files.
        "rm -rf \"$PWD\"",
        "rm -rf \"$PWD/..\" \"$TMPDIR\"",
        "rm input.txt; mkdir input.txt",
        "echo crash > input.txt",
        "echo crash > input.txt; chmod 000 input.txt .",
        "i=0; while [ $i -lt 300 ]; do echo x > $i; i=$((i+1)); done",
        "mkfifo pipe; ln -s / root; ln -s . loop",
        "ulimit -f unlimited; umask 777; echo x > left",
        // Outputs.
        "exec >&- 2>&- <&-",
        "echo crash; echo crash >&2",
        "dd if=/dev/zero bs=1M count=10000 status=none",
        // The test process.
        "kill -KILL $$",
        "kill -SEGV $$",
        "kill -TERM 0",
        "kill -KILL 0",
        "trap '' TERM INT HUP QUIT; kill -TERM 0",
    ] {
        survives(deed, "");
    }
}

#[test]
fn deeds_that_never_end_are_ended_at_the_time_limit() {
    let deeds = [
        "sleep 1000",
        "trap '' TERM INT HUP QUIT; while :; do sleep 1; done",
        "exec >&- 2>&- <&-; sleep 1000",
        "setsid sleep 1000 & wait",
    ];
    // The limit is long enough for the failing test on a busy machine. All tests wait at the same
    // time.
    std::thread::scope(|scope| {
        for deed in deeds {
            scope.spawn(move || {
                let ran = survives(deed, "--timeout 3");
                ran.said(&["took longer than 3.0 s", "--timeout TIME"]);
            });
        }
    });
}

#[test]
#[cfg(target_os = "linux")]
fn a_test_that_is_stopped_is_ended_and_reported_as_stopped() {
    let deeds = [
        // A program that counts processes may wake this one.
        "while :; do kill -STOP $$; done",
        "(kill -STOP $$) & while :; do :; done",
        "sh -c 'kill -STOP $$; exit'",
    ];
    std::thread::scope(|scope| {
        for deed in deeds {
            scope.spawn(move || {
                let ran = survives(deed, "--timeout 3");
                let ran = ran.said(&["took longer than 3.0 s", "stopped by a signal"]);
                assert!(!ran.stderr.contains("--timeout TIME"), "{}", ran.stderr);
            });
        }
    });
}

#[test]
#[cfg(target_os = "linux")]
fn an_original_whose_test_is_stopped_is_diagnosed() {
    let stage = Stage::with_crash("a crash");
    stage.script("test.sh", "sh -c 'kill -STOP $$'; exit 0");
    let ran = stage
        .run("reduce --timeout 1 input.txt -- ./test.sh".split(' '))
        .ended(3)
        .said(&["was stopped by a signal", "more time does not help"]);
    assert!(!ran.stderr.contains("--timeout"), "{}", ran.stderr);
}

#[test]
fn a_hanging_test_is_ended_soon_by_the_default_limit() {
    // The failing test takes no time, so the smallest limit applies.
    let begin = Instant::now();
    survives("sleep 1000", "").said(&["1 test took longer than 5.0 s"]);
    assert!(begin.elapsed() < Duration::from_secs(100));
}

#[test]
#[cfg(target_os = "linux")]
fn deeds_over_a_limit_are_ended_and_reported() {
    let burst = "i=0; while [ $i -lt 500 ]; do sleep 1000 & i=$((i+1)); done; wait";
    for (deed, flags, limit) in [
        (burst, "--processes 300", "--processes"),
        (
            "f() { f | f & sleep 1000; }; f",
            "--processes 50",
            "--processes",
        ),
        (
            "head -c 10G /dev/zero | tail -n 1",
            "--memory 100M",
            "--memory",
        ),
        ("while :; do :; done", "--cpu 0.3", "--cpu"),
        ("cat /dev/zero > big", "--disk 50M", "--disk"),
        ("cat /dev/zero > \"$TMPDIR/big\"", "--disk 50M", "--disk"),
        (
            "head -c 10G /dev/zero > big; exit 0",
            "--file-size 20M",
            "--file-size",
        ),
        (
            "head -c 10G /dev/zero; exit 0",
            "--exit 0 --not-stdout never",
            "--output-limit",
        ),
        (
            "head -c 10G /dev/zero >&2; exit 0",
            "--exit 0 --not-stderr never --output-limit 1M",
            "--output-limit",
        ),
    ] {
        // On a busy machine the test needs some time to reach the limit.
        let flags = format!("{flags} --timeout 300");
        survives(deed, &flags).said(&[&format!("hit the limit `{limit}`")]);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn tests_at_a_limit_are_counted_separately() {
    let stage = stage("cat /dev/zero > big; exit 0");
    let args = format!("{REDUCE} --disk 5M --stats s.json input.txt -- ./test.sh");
    stage.run(args.split(' ')).ended(0);
    let stats: serde_json::Value = serde_json::from_slice(&stage.read("s.json")).unwrap();
    assert!(
        stats["tests_over_limit"]["disk"].as_u64() > Some(0),
        "{stats}"
    );
    assert!(stats["tests_unresolved"].as_u64() > Some(0), "{stats}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_original_that_hits_a_limit_gets_a_hint() {
    let stage = Stage::new();
    stage.file("input.txt", "x");
    stage.script("test.sh", "head -c 5000000 /dev/zero > big; exit 0");
    stage
        .run("reduce --disk 1M input.txt -- ./test.sh".split(' '))
        .ended(3)
        .said(&["exceeded its limit on disk", "raise it with `--disk`"]);
    stage
        .run("reduce --disk 10M --allow-empty input.txt -- ./test.sh".split(' '))
        .ended(0);
}

#[test]
#[cfg(target_os = "linux")]
fn a_test_that_uses_the_terminal_does_not_block() {
    for (deed, flags) in [
        ("echo from the test > /dev/tty", ""),
        ("stty -echo < /dev/tty", "--timeout 3"),
        ("read line < /dev/tty", "--timeout 3"),
        ("cat /dev/tty; cat /dev/tty", "--timeout 3"),
    ] {
        let stage = stage(deed);
        let binary = env!("CARGO_BIN_EXE_nubbin");
        let line = format!("'{binary}' {REDUCE} {flags} input.txt -- ./test.sh; echo ended $?");
        // The run has its own terminal.
        let ran = Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .current_dir(stage.folder())
            .env("TMPDIR", stage.temp())
            .output();
        let Ok(ran) = ran else {
            return skipped("script");
        };
        let shown = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(shown.contains("ended 0"), "{deed}: {shown}");
        assert_eq!(stage.text("out"), "crash\n", "{deed}");
        stage.assert_clean();
        assert_no_process(&stage, deed);
    }
}

/// In the session of nubbin, the test could read from the terminal, or would be stopped there.
#[test]
#[cfg(target_os = "linux")]
fn no_program_that_nubbin_starts_has_a_terminal() {
    let stage = Stage::with_crash("a\ncrash\nb\n");
    let refused = "if (: </dev/tty) 2>/dev/null; then echo terminal >>\"$SEEN\"; exit 1; fi";
    stage.script("test.sh", &format!("{refused}\ngrep -q crash input.txt"));
    stage.script(
        "propose.sh",
        &format!("{refused}\nread line; echo '\"done\"'"),
    );
    let binary = env!("CARGO_BIN_EXE_nubbin");
    let line = format!(
        "'{binary}' {REDUCE} --proposer ./propose.sh input.txt -- ./test.sh; echo ended $?"
    );
    let ran = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .current_dir(stage.folder())
        .env("TMPDIR", stage.temp())
        .env("SEEN", stage.path("seen"))
        .output();
    let Ok(ran) = ran else {
        return skipped("script");
    };
    let shown = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(shown.contains("ended 0"), "{shown}");
    assert!(!stage.path("seen").exists(), "{shown}");
    assert_eq!(stage.text("out"), "crash\n");
}

/// Runs nubbin with a temporary folder of at most `size`. Returns `None` if this user may not mount
/// one.
#[cfg(target_os = "linux")]
fn with_small_disk(stage: &Stage, size: &str, args: &str) -> Option<Ran> {
    let mount = format!("mount -t tmpfs -o size={size} none \"$TMPDIR\"");
    let isolated = |line: &str| {
        let mut command = Command::new("unshare");
        command
            .args(["-rm", "sh", "-c", line])
            .current_dir(stage.folder())
            .env("TMPDIR", stage.temp());
        command
    };
    if !isolated(&mount).output().ok()?.status.success() {
        return None;
    }
    let binary = env!("CARGO_BIN_EXE_nubbin");
    let line = format!("{mount} && '{binary}' {args}");
    Some(Ran::from(isolated(&line).output().unwrap()))
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_for_the_candidate_is_a_fault_and_no_verdict() {
    let stage = Stage::with_crash(&format!("a crash\n{}", "line\n".repeat(500_000)));
    let args = "reduce --test ./test.sh -j 1 input.txt -o out";
    let Some(ran) = with_small_disk(&stage, "1m", args) else {
        return skipped("mount");
    };
    let ran = ran.ended(4);
    ran.said(&["cannot write", "make room there", "TMPDIR"]);
    assert_eq!(stage.names(), ["input.txt", "test.sh"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_test_that_fills_the_disk_is_unresolved() {
    for (deed, flags) in [
        ("cat /dev/zero > big; exit 0", ""),
        (
            "head -c 20M /dev/zero; exit 0",
            "--exit 0 --not-stdout never",
        ),
    ] {
        let stage = stage(deed);
        // The disk is smaller than the limit.
        let args = format!("{REDUCE} -j 1 --disk 1G {flags} input.txt -- ./test.sh");
        let Some(ran) = with_small_disk(&stage, "5m", &args) else {
            return skipped("mount");
        };
        ran.ended(0).said(&["hit the limit `--disk`"]);
        assert_eq!(stage.text("out"), "crash\n", "{deed}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_filled_by_another_program_is_a_fault() {
    // The file is outside of nubbin's folders.
    let stage = stage("cat /dev/zero > \"$TMPDIR/../../../full\"; exit 0");
    let args = format!("{REDUCE} -j 1 --disk 1G --sandbox off input.txt -- ./test.sh");
    let Some(ran) = with_small_disk(&stage, "5m", &args) else {
        return skipped("mount");
    };
    ran.ended(4)
        .said(&["cannot write", "make room there", "the best so far"]);
}
