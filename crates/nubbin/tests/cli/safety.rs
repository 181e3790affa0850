//! The safety of the user's files.

use crate::stage::{Stage, haystack};

#[test]
fn no_input_is_written() {
    let text = haystack(30, "crash");
    let stage = Stage::with_crash(&text);
    stage.file("extra.txt", "extra");
    let script = stage.text("test.sh");
    let run = |flags: &str| {
        let args = format!("reduce --test ./test.sh --with extra.txt input.txt {flags}");
        stage
            .run(args.split(' '))
            .ended(2)
            .said(&["would overwrite"]);
    };
    run("-o input.txt");
    run("-o test.sh");
    run("-o extra.txt");
    run("--stats input.txt");
    run("--json-events ./input.txt");
    run("--json-events test.sh");
    assert_eq!(stage.text("input.txt"), text);
    assert_eq!(stage.text("test.sh"), script);
    assert_eq!(stage.names(), ["extra.txt", "input.txt", "test.sh"]);
}

#[test]
fn outputs_must_differ() {
    let stage = Stage::with_crash(&haystack(30, "crash"));
    for flags in [
        "-o out --stats out",
        "-o out --json-events ./out",
        "--stats a --json-events a",
    ] {
        let args = format!("reduce --test ./test.sh input.txt {flags}");
        stage
            .run(args.split(' '))
            .ended(2)
            .said(&["would both be written"]);
    }
}

#[test]
fn one_file_under_two_names_is_refused() {
    let stage = Stage::with_crash(&haystack(30, "crash"));
    let absolute = stage.path("input.txt").display().to_string();
    stage
        .run(["reduce", "--test", "./test.sh", "input.txt", &absolute])
        .ended(2)
        .said(&["one file"]);
}

#[test]
fn a_folder_may_be_named_with_a_slash() {
    let stage = Stage::with_crash("a crash");
    stage
        .run("reduce --test ./test.sh input.txt -o new/".split(' '))
        .ended(0);
    assert_eq!(stage.text("new/input.txt"), "crash");
}

#[test]
fn unusable_paths_of_a_result_are_refused_at_once() {
    let stage = Stage::with_crash("a crash");
    let long = "x".repeat(300);
    stage
        .run(["reduce", "--test", "./test.sh", "input.txt", "-o", &long])
        .ended(6);
    // The test uses no device of the machine, because root can replace it by a file.
    let made = std::process::Command::new("mkfifo")
        .arg(stage.path("pipe"))
        .status();
    assert!(made.unwrap().success());
    stage
        .run("reduce --test ./test.sh input.txt -o pipe".split(' '))
        .ended(6)
        .said(&["plain file"]);
    stage
        .run("reduce --test ./test.sh input.txt --stats no/such/folder".split(' '))
        .ended(6);
    assert_eq!(stage.names(), ["input.txt", "pipe", "test.sh"]);
}

#[test]
fn a_result_is_as_private_and_as_executable_as_its_input() {
    use std::os::unix::fs::PermissionsExt;
    let stage = Stage::with_crash("a crash");
    for mode in [0o600, 0o755] {
        let permissions = PermissionsExt::from_mode(mode);
        std::fs::set_permissions(stage.path("input.txt"), permissions).unwrap();
        stage
            .run("reduce --test ./test.sh input.txt".split(' '))
            .ended(0);
        let result = std::fs::metadata(stage.path("input.min.txt")).unwrap();
        assert_eq!(result.permissions().mode() & 0o777, mode);
    }
}

#[test]
fn a_link_stays_a_link() {
    let stage = Stage::with_crash("a crash");
    stage.file("real", "old");
    std::os::unix::fs::symlink(stage.path("real"), stage.path("link")).unwrap();
    stage
        .run("reduce --force --test ./test.sh input.txt -o link".split(' '))
        .ended(0);
    assert!(stage.path("link").is_symlink());
    assert_eq!(stage.text("real"), "crash");
}

#[test]
fn a_test_that_removes_the_folder_of_the_result_cannot_lose_it() {
    let stage = Stage::with_crash("a crash");
    let gone = stage.path("gone").display().to_string();
    stage.script(
        "test.sh",
        &format!("rm -rf '{gone}'; grep -q crash input.txt"),
    );
    let args = "reduce --sandbox off --test ./test.sh input.txt -o gone/out";
    stage.run(args.split(' '));
    assert_eq!(stage.text("gone/out"), "crash");
}

#[test]
fn a_diagnosis_does_not_change_the_original() {
    let text = haystack(10, "nothing");
    let stage = Stage::with_crash(&text);
    stage
        .run([
            "reduce",
            "input.txt",
            "--",
            "sh",
            "-c",
            "echo gone >input.txt; exit 1",
        ])
        .ended(3);
    stage
        .run([
            "reduce",
            "input.txt",
            "--",
            "sh",
            "-c",
            "echo gone >{}; exit 1",
        ])
        .ended(3);
    assert_eq!(stage.text("input.txt"), text);
}

#[test]
fn two_programs_with_equal_outputs_do_not_differ() {
    let stage = Stage::with_crash("a crash");
    stage.script("old", "cat \"$1\"");
    stage.script("new", "cat \"$1\"");
    stage.script("other", "sed s/crash/smash/ \"$1\"");
    stage
        .run([
            "reduce",
            "input.txt",
            "--differs-from",
            "./old {}",
            "--",
            "./new",
            "{}",
        ])
        .ended(3);
    stage
        .run([
            "reduce",
            "input.txt",
            "--differs-from",
            "./nope {}",
            "--",
            "./new",
            "{}",
        ])
        .ended(3);
    stage
        .run([
            "reduce",
            "input.txt",
            "--differs-from",
            "./other {}",
            "--",
            "./new",
            "{}",
        ])
        .ended(0);
    assert_eq!(stage.text("input.min.txt"), "crash");
}

#[test]
fn a_signal_before_the_search_has_begun_leaves_nothing() {
    let stage = Stage::with_crash("a crash");
    let begun = stage.path("begun").display().to_string();
    let test = format!("touch '{begun}'; sleep 997; exit 1");
    let tests = [
        vec![
            "reduce",
            "input.txt",
            "--same-failure",
            "--",
            "sh",
            "-c",
            &test,
        ],
        vec!["reduce", "input.txt", "--", "sh", "-c", &test],
    ];
    for args in tests {
        let mut run = stage.start(args);
        run.until("the first test began", || stage.path("begun").exists());
        run.signal(rustix::process::Signal::TERM);
        run.wait().ended(130);
        stage.assert_clean();
        std::fs::remove_file(stage.path("begun")).unwrap();
    }
}
