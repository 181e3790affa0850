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
fn a_scheme_that_no_farm_has_is_named() {
    let (code, stderr) = refused(&["--remote", "http://127.0.0.1:1"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(
        stderr.contains("`http://` is the scheme of a web server"),
        "{stderr}"
    );
}

#[test]
fn credentials_in_an_address_are_refused_and_not_shown() {
    let (code, stderr) = refused(&["--remote", "grpcs://me:hunter2@farm.example.com"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(
        stderr.contains("--remote-token-file") && !stderr.contains("hunter2"),
        "{stderr}"
    );
    let address = "address = \"grpc://me:hunter2@127.0.0.1:1\"";
    let stage = campaign(PROGRAM, &format!("[remote]\n{address}\n"));
    let ran = stage.run(["campaign", "run", "c"]).ended(2);
    assert!(!ran.stderr.contains("hunter2"), "{}", ran.stderr);
}

#[test]
fn a_file_with_the_token_that_others_may_read_is_told() {
    use std::os::unix::fs::PermissionsExt as _;
    let stage = Stage::with_crash("a crash\nb\n");
    stage.file("token", "a-token\n");
    let run = |mode: u32| {
        let rights = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(stage.path("token"), rights).unwrap();
        let line = "reduce input.txt --test ./test.sh --remote grpc://127.0.0.1:1 \
                    --remote-token-file token";
        stage.run(line.split_whitespace()).stderr
    };
    let told = run(0o644);
    assert!(
        told.contains("`token` can be read by other users"),
        "{told}"
    );
    assert!(!told.contains("a-token"), "{told}");
    let told = run(0o600);
    assert!(!told.contains("can be read by other users"), "{told}");
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

/// A campaign `c` of a program that accepts everything, with more lines in its file.
fn campaign(program: &str, more: &str) -> Stage {
    let stage = Stage::new();
    std::fs::create_dir_all(stage.path("c/tests")).unwrap();
    stage.file("c/tests/1", "a test");
    stage.file(
        "c/campaign.toml",
        format!("[program.p]\n{program}\n[generator.files]\nfolder = \"tests\"\n{more}"),
    );
    stage
}

const PROGRAM: &str = "command = [\"cat\", \"{}\"]";

#[test]
fn a_campaign_has_its_farm_in_its_file_or_on_the_command_line() {
    let expected = "cannot reach the farm at `grpc://127.0.0.1:1`";
    let stage = campaign(
        PROGRAM,
        "[remote]\naddress = \"grpc://127.0.0.1:1\"\nslots = 2\n",
    );
    for command in ["run", "check"] {
        let ran = stage.run(["campaign", command, "c"]);
        assert_ne!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    // Without slots on it, the farm is left out.
    stage
        .run(["campaign", "run", "c", "--jobs", "local:1"])
        .ended(0);
    let stage = campaign(PROGRAM, "");
    let line = ["campaign", "run", "c", "--remote", "grpc://127.0.0.1:1"];
    let ran = stage.run(line);
    assert_ne!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}

#[test]
fn mistakes_in_the_farm_of_a_campaign_are_named_with_their_place() {
    for (more, expected) in [
        (
            "[remote]\nslots = 2\ninput = \"x\"\n",
            "c/campaign.toml:7:9: `[remote]` needs an `address`",
        ),
        ("[remote]\nplace = \"x\"\n", "unknown field `place`"),
        (
            "[remote]\naddress = { a = [] }\n",
            "c/campaign.toml:6:11: this key cannot have this value",
        ),
        (
            "[remote]\naddress = \"grpc://x\"\ncert = \"x\"\n",
            "in `[remote]`, `cert` requires `key`",
        ),
        (
            "[remote]\naddress = \"x\"\n",
            "`x` is not the address of a farm",
        ),
    ] {
        let ran = campaign(PROGRAM, more).run(["campaign", "run", "c"]);
        assert_ne!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{more}: {}", ran.stderr);
    }
    let ran = campaign(PROGRAM, "").run(["campaign", "run", "c", "--jobs", "remote:2"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("`--jobs remote:N` is for a farm"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_campaign_says_which_programs_stay_on_this_machine() {
    for (program, why) in [
        (
            "command = \"cat\"\npersistent = \"done\"",
            "a persistent program runs many",
        ),
        (
            "command = [\"cat\", \"{}\"]\nmemory = \"1G\"",
            "`memory` has no effect on the workers",
        ),
        (
            "command = [\"cat\", \"{}\"]\nuntil = \"x\"",
            "`until` has no effect on the workers",
        ),
    ] {
        let stage = campaign(program, "");
        let line = ["campaign", "run", "c", "--remote", "grpc://127.0.0.1:1"];
        let ran = stage.run(line);
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        let said = format!("tests of p run on this machine: {why}");
        assert!(ran.stderr.contains(&said), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("no program of this campaign can run"),
            "{}",
            ran.stderr
        );
    }
}
