//! Flags of tests on a farm, without a farm: `scripts/remote` has one.

use crate::stage::Stage;

fn refused(args: &[&str]) -> (Option<i32>, String) {
    let stage = Stage::with_crash("a crash\nb\n");
    let mut all = vec!["reduce", "input.txt"];
    all.extend(args);
    all.extend(["--test", "./test.sh"]);
    let ran = stage.run(all);
    assert!(!stage.names().contains(&"input.min.txt".to_owned()) || ran.code != Some(0));
    (ran.code, ran.stderr)
}

#[test]
fn an_address_that_is_none_is_refused() {
    let (code, stderr) = refused(&["--remote", "farm.example.com"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("write `grpcs://HOST`"), "{stderr}");
}

#[test]
fn a_farm_that_does_not_answer_is_named_with_the_reason() {
    // Nothing listens at this port of the loopback.
    let (code, stderr) = refused(&["--remote", "grpc://127.0.0.1:1"]);
    assert_ne!(code, Some(0), "{stderr}");
    let expected = "cannot reach the farm at `grpc://127.0.0.1:1`";
    assert!(
        stderr.contains(expected) && stderr.contains("refused"),
        "{stderr}"
    );
    assert!(stderr.contains("hint:"), "{stderr}");
}

#[test]
fn flags_of_a_farm_need_a_farm() {
    for args in [
        &["--remote-input", "x"][..],
        &["--remote-platform", "a=b"],
        &["--remote-token-file", "x"],
        &["--jobs", "local:1,remote:2"],
    ] {
        let (code, stderr) = refused(args);
        assert_eq!(code, Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains("--remote"), "{args:?}: {stderr}");
    }
}

#[test]
fn limits_that_hold_here_only_are_refused() {
    let (code, stderr) = refused(&["--remote", "grpc://127.0.0.1:1", "--memory", "1G"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(
        stderr.contains("`--memory` has no effect on the workers"),
        "{stderr}"
    );
}

#[test]
fn a_comparison_of_two_commands_is_refused() {
    let (code, stderr) = refused(&["--remote", "grpc://127.0.0.1:1", "--differs-from", "cat {}"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(
        stderr.contains("`--differs-from` compares two runs"),
        "{stderr}"
    );
}

#[test]
fn local_slots_may_be_written_out() {
    let stage = Stage::with_crash("a crash\nb\n");
    let ran = stage.run([
        "reduce",
        "input.txt",
        "--jobs",
        "local:2",
        "--test",
        "./test.sh",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(stage.text("input.min.txt"), "crash");
}
