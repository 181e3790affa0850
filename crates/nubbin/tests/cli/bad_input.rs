use crate::stage::{Stage, haystack};

#[test]
fn a_missing_file_gets_a_suggestion() {
    let stage = Stage::with_crash("crash");
    stage
        .run("reduce --test ./test.sh input.tx".split(' '))
        .ended(5)
        .said(&["cannot read `input.tx`", "did you mean `input.txt`?"]);
}

#[test]
fn an_empty_file_has_nothing_to_reduce() {
    let stage = Stage::with_crash("");
    stage
        .run("reduce --test ./test.sh input.txt".split(' '))
        .ended(5)
        .said(&["is empty"]);
}

#[test]
fn an_original_that_does_not_fail_is_diagnosed() {
    let stage = Stage::with_crash("all is well");
    stage
        .run("reduce --test ./test.sh input.txt".split(' '))
        .ended(3)
        .said(&["does not fail", "exit code 1"]);
    assert!(!stage.path("input.min.txt").exists());
}

#[test]
fn a_missing_neighbor_file_gets_a_hint() {
    let stage = Stage::with_crash("crash");
    stage.file("helper.txt", "yes");
    stage.script(
        "test.sh",
        "grep -q yes helper.txt && grep -q crash input.txt",
    );
    stage
        .run("reduce --test ./test.sh input.txt".split(' '))
        .ended(3)
        .said(&["--with", "helper.txt"]);
}

#[test]
fn an_inverted_test_is_detected() {
    let stage = Stage::with_crash("crash");
    stage.script("test.sh", "! grep -q crash input.txt");
    stage
        .run("reduce --test ./test.sh input.txt".split(' '))
        .ended(3)
        .said(&["--exit 1"]);
}

#[test]
fn a_test_that_hangs_on_the_original_is_ended() {
    let stage = Stage::with_crash("crash");
    stage.script("test.sh", "sleep 1000");
    stage
        .run("reduce --timeout 0.2 --test ./test.sh input.txt".split(' '))
        .ended(3)
        .said(&["timed out"]);
}

#[test]
fn a_missing_or_unusable_test_is_an_error() {
    let stage = Stage::with_crash("crash");
    stage
        .run("reduce --test ./tset.sh input.txt".split(' '))
        .ended(4)
        .said(&["tset.sh"]);
    stage
        .run("reduce input.txt -- no-such-command {}".split(' '))
        .ended(4)
        .said(&["no-such-command"]);
    stage.file("plain", "exit 0");
    stage
        .run("reduce input.txt -- ./plain".split(' '))
        .ended(4)
        .said(&["chmod +x"]);
}

#[test]
fn no_test_at_all_is_a_usage_error() {
    let stage = Stage::with_crash("crash");
    stage.run(["reduce", "input.txt"]).ended(2);
    stage
        .run("reduce --test ./test.sh input.txt -- true".split(' '))
        .ended(2);
}

#[test]
fn a_test_that_always_fails_ends_the_run_unless_an_empty_result_is_wanted() {
    let stage = Stage::with_crash(&haystack(20, "crash"));
    let args = "reduce --stats s.json --json-events e.jsonl input.txt";
    for quiet in ["", " -q"] {
        let line = format!("{args}{quiet} -- true");
        stage.run(line.split(' ')).ended(9).said(&[
            "also fails on an empty input",
            "the test does not name the input",
            "--allow-empty",
        ]);
    }
    let stats: serde_json::Value = serde_json::from_slice(&stage.read("s.json")).unwrap();
    assert_eq!(
        (&stats["ended"], &stats["bytes_after"]),
        (&"empty".into(), &0.into())
    );
    let events = stage.text("e.jsonl");
    assert!(
        events.contains(r#""event":"ended","why":"empty","bytes":0"#),
        "{events}"
    );
    // Nothing is left to resume.
    assert!(stage.journals("input.min.txt").is_empty());
    stage
        .run("reduce --allow-empty input.txt -- true".split(' '))
        .ended(0)
        .said(&["also fails on an empty input"]);
    assert_eq!(stage.text("input.min.txt"), "");
}

#[test]
fn a_test_that_reads_the_original_is_named_with_its_path() {
    let stage = Stage::with_crash(&haystack(20, "crash"));
    let original = stage.path("input.txt").canonicalize().unwrap();
    let original = original.display().to_string();
    stage.script("test.sh", &format!("grep -q crash {original}"));
    let ran = stage
        .run("reduce -q --test ./test.sh input.txt".split(' '))
        .ended(9);
    ran.said(&[&format!(
        "the test reads `{original}`, which is always the original"
    )]);
    assert_eq!(stage.text("input.txt"), haystack(20, "crash"));
}

#[test]
fn a_condition_that_holds_for_everything_is_named() {
    let stage = Stage::with_crash(&haystack(20, "crash"));
    let args = "reduce -q --exit 0,1 input.txt -- ./test.sh";
    stage
        .run(args.split(' '))
        .ended(9)
        .said(&["`exit code 0 or 1` holds for more"]);
}

#[test]
fn a_flaky_test_of_an_empty_input_does_not_end_the_run() {
    let stage = Stage::with_crash("crash");
    let count = stage.path("count").display().to_string();
    // The empty input fails once.
    stage.script(
        "test.sh",
        &format!("grep -q crash input.txt || {{ [ ! -s input.txt ] && [ ! -e {count} ] && echo >{count}; }}"),
    );
    let ran = stage.run("reduce -j 1 --flaky off --test ./test.sh input.txt".split(' '));
    assert_ne!(ran.code, Some(9), "{}", ran.stderr);
}

#[test]
fn a_program_that_a_flag_names_is_missed_before_the_first_test() {
    let stage = Stage::with_crash(&haystack(20, "crash"));
    for flag in [
        "--format=no-such-program {}",
        "--notify=no-such-program",
        "--proposer=no-such-program",
    ] {
        let args = ["reduce", "--test", "./test.sh", "input.txt", flag];
        stage
            .run(args)
            .ended(2)
            .said(&["no program `no-such-program`"]);
        assert!(!stage.path("input.min.txt").exists());
    }
}

#[test]
fn a_test_that_never_fails_again_leaves_the_original() {
    let text = haystack(20, "crash");
    let stage = Stage::with_crash(&text);
    stage.file("reference", &text);
    stage.script("test.sh", "cmp -s input.txt reference");
    let args = "reduce --with reference --test ./test.sh input.txt";
    stage.run(args.split(' ')).ended(0);
    assert_eq!(stage.text("input.min.txt"), text);
}

#[test]
fn a_flaky_test_is_detected_at_the_end() {
    // After the detection, each candidate is tested 120 times, so that the input has few of them.
    let stage = Stage::with_crash(&haystack(2, "crash"));
    let count = stage.path("count").display().to_string();
    // The original fails, and so do candidates down to one line.
    stage.script(
        "test.sh",
        &format!("echo >>{count}; [ $(wc -l <{count}) -lt 4 ]"),
    );
    stage
        .run("reduce -j 1 --private-failure --atom line --test ./test.sh input.txt".split(' '))
        .ended(7)
        .said(&["the test is flaky", "rolled back to 18 bytes"]);
    assert_eq!(stage.text("input.min.txt"), stage.text("input.txt"));
}

#[test]
fn unknown_names_get_a_suggestion() {
    let stage = Stage::with_crash("crash");
    let run = |flags: &str| {
        let args = format!("reduce --test ./test.sh input.txt {flags}");
        stage.run(args.split(' ')).ended(2)
    };
    run("--algorithm ddmni").said(&["ddmin", "nubbin algorithms"]);
    run("--algorithm ddmin:sideways").said(&["sideways"]);
    run("--passes line").said(&["`line`, did you mean `lines`?", "nubbin passes"]);
    run("--without nothing").said(&["`nothing`"]);
    run("--passes lines --without lines").said(&["no pass is left"]);
    run("--jobs 0").said(&["0"]);
    run("--timeout never").said(&["never"]);
    run("--timeout-fails").said(&["--timeout <TIME>"]);
    run("--memory lots").said(&["`lots` is not a size", "512M"]);
    run("--processes 0").said(&["0"]);
    run("--env NAME").said(&["--env", "`NAME` is not of the form NAME=VALUE"]);
    run("--unset-env NUBBIN_TEST").said(&["`NUBBIN_TEST` cannot be changed"]);
}

#[test]
fn hostile_tests_do_no_harm() {
    let bodies = [
        "rm -rf \"$PWD\"; exit 1",
        "sleep 1000 & exit 1",
        "setsid sleep 1000 & exit 1",
        "for i in 1 2 3 4 5 6 7 8 9; do sleep 1000 & done; exit 1",
        "chmod 000 .; exit 1",
        "rm input.txt; mkdir input.txt; exit 1",
        "ln -sf /dev/null input.txt; exit 1",
        "head -c 300000 /dev/zero >junk; exit 1",
        "head -c 300000 /dev/zero; exit 1",
        "echo crash >input.txt; exit 1",
    ];
    for body in bodies {
        let text = haystack(20, "crash");
        let stage = Stage::with_crash(&text);
        // The first run fails as expected. Later runs are hostile.
        stage.script(
            "test.sh",
            &format!("grep -q crash input.txt && exit 0; {body}"),
        );
        stage
            .run("reduce -q --timeout 10 --test ./test.sh input.txt".split(' '))
            .ended(0);
        assert_eq!(stage.text("input.min.txt"), "crash", "{body}");
        assert_eq!(stage.text("input.txt"), text, "{body}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn endless_files_are_refused_at_once() {
    let stage = Stage::with_crash("a crash");
    let fifo = std::process::Command::new("mkfifo")
        .arg(stage.path("pipe"))
        .status();
    assert!(fifo.unwrap().success());
    let _socket = std::os::unix::net::UnixListener::bind(stage.path("socket")).unwrap();
    for (path, kind, hint) in [
        ("/dev/zero", "a device", "head -c 1M /dev/zero > input"),
        ("pipe", "a pipe", "cat pipe > input"),
        ("socket", "a socket", "name a file instead"),
    ] {
        for line in [
            "reduce -o out FILE -- ./test.sh",
            "reduce -o out input.txt FILE -- ./test.sh",
            "reduce -o out --with FILE input.txt -- ./test.sh",
            "reduce -o out --grammar FILE input.txt -- ./test.sh",
            "reduce -o out --language c --algorithm gtr-learned --learn FILE input.txt -- ./test.sh",
            "reduce -o out --choices FILE --generator ./test.sh -- ./test.sh",
            "isolate FILE input.txt -- ./test.sh",
            "isolate input.txt FILE -- ./test.sh",
            "explain FILE -- ./test.sh",
            "generate grammar --grammar FILE",
            "generate mutate FILE",
            "grammar check FILE",
            "report FILE",
        ] {
            let line = line.replace("FILE", path);
            stage
                .run(line.split(' '))
                .ended(5)
                .said(&[&format!("cannot read `{path}`: it is {kind}"), hint]);
        }
    }
    assert_eq!(stage.names(), ["input.txt", "pipe", "socket", "test.sh"]);
}

#[test]
fn an_empty_standard_input_is_named() {
    let stage = Stage::new();
    let ran = stage.shell("nubbin reduce - -- grep -q crash {} </dev/null", None);
    let _ = ran.said(&["standard input (`-`) is empty: there is nothing to reduce"]);
}

#[test]
fn a_permission_without_a_sandbox_is_a_conflict() {
    let stage = Stage::confined();
    stage.file("input.txt", "a crash\n");
    stage.script("test.sh", "grep -q crash input.txt");
    for (flag, value) in [("--network", None), ("--writable", Some("/tmp"))] {
        let mut args = vec!["reduce", "input.txt", "--sandbox", "off", flag];
        args.extend(value);
        args.extend(["--test", "./test.sh"]);
        let said = format!("`--sandbox off` and `{flag}` exclude each other");
        stage.run(args).ended(2).said(&[&said]);
    }
}

#[test]
fn carriage_returns_in_a_test_script_are_named() {
    let stage = Stage::with_crash("a crash\n");
    let run = |first: &str| {
        stage.script("crlf.sh", "");
        stage.file("crlf.sh", format!("{first}\r\ngrep -q crash input.txt\r\n"));
        stage.run("reduce input.txt --test ./crlf.sh".split(' '))
    };
    for first in ["#!/bin/sh", "#!/usr/bin/env sh"] {
        let ran = run(first);
        assert_ne!(ran.code, Some(0), "{first}");
        ran.said(&["carriage return", "sed -i"]);
    }
    stage.file("crlf.sh", "#!/bin/sh\r\ngrep -q crash input.txt\r\n");
    let ran = stage.run("reduce input.txt --with crlf.sh -- sh crlf.sh".split(' '));
    assert_ne!(ran.code, Some(0));
    ran.said(&["carriage return"]);
}

#[test]
fn a_formatter_that_runs_without_a_sandbox_is_told() {
    let stage = Stage::confined();
    stage.file("input.txt", "a crash\n");
    // A file that each run makes and removes in a project is never permitted by itself.
    let project = stage.path("project");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    stage.script(
        "project.sh",
        "touch \"$PROJECT/x\" && rm \"$PROJECT/x\" && grep -q crash input.txt",
    );
    let env = format!("PROJECT={}", project.display());
    let reduce = |sandbox: &str| {
        let args =
            format!("reduce input.txt -o out --force --format cat --sandbox {sandbox} --env");
        let args = args
            .split_whitespace()
            .chain([&*env, "--test", "./project.sh"]);
        stage.run(args).ended(0)
    };
    let told = "the formatter runs without a sandbox";
    // Where there is no sandbox at all, the formatter has none either.
    reduce("auto").said(&[told]);
    assert!(!reduce("off").stderr.contains(told));
}
