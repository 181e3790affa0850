use crate::stage::{Stage, haystack};

/// A build that needs the word `base`, and that finds no file of an earlier build.
const BUILD: &str = "test ! -e built && grep -q base x && tr a-z A-Z <x >built";

#[test]
fn a_candidate_that_does_not_build_is_counted_apart() {
    let stage = Stage::new();
    stage.file("x", haystack(30, "base").replace("line 3\n", "a crash\n"));
    let args = ["reduce", "x", "-o", "out", "--stats", "stats", "--build"];
    let test = ["--", "grep", "-q", "CRASH", "built"];
    let ran = stage.run(args.into_iter().chain([BUILD]).chain(test));
    ran.ended(0).said(&["candidates did not build"]);
    let mut left: Vec<String> = stage
        .text("out")
        .split_whitespace()
        .map(Into::into)
        .collect();
    left.sort();
    assert!(
        left == ["base", "crash"] || left == ["basecrash"] || left == ["crashbase"],
        "{left:?}"
    );
    let stats: serde_json::Value = serde_json::from_str(&stage.text("stats")).unwrap();
    let count = |name: &str| stats[name].as_u64().unwrap();
    assert!(count("tests_not_built") > 0, "{stats}");
    assert_eq!(count("tests_not_built"), count("tests_unresolved"));
}

#[test]
fn an_original_that_does_not_build_is_told_apart_from_one_that_passes() {
    let stage = Stage::with_crash("a crash\n");
    for (build, words) in [
        (
            "echo no rule for it >&2; exit 2",
            &[
                "the build fails",
                "exit code 2",
                "no rule for it",
                "make the build the test",
            ][..],
        ),
        ("no-such-compiler x", &["exit code 127", "no-such-compiler"]),
        ("cat missing.h", &["missing.h", "--with FILE"]),
    ] {
        for same in [&[][..], &["--same-failure"]] {
            let args = [
                "reduce",
                "input.txt",
                "--build",
                build,
                "--test",
                "./test.sh",
            ];
            let ran = stage.run(args.iter().chain(same)).ended(3);
            ran.said(&["the original does not build"]).said(words);
        }
    }
}

#[test]
fn a_build_that_does_not_end_is_not_the_failure_of_a_test_that_does_not_end() {
    let stage = Stage::new();
    stage.file("x", "slow\n");
    let args = ["reduce", "x", "--timeout", "0.3", "--timeout-fails"];
    let ran = stage.run(
        args.into_iter()
            .chain(["--build", "sleep 100", "--", "true"]),
    );
    ran.ended(3)
        .said(&["the original does not build", "300ms", "--timeout"]);
}

#[test]
fn both_commands_of_a_comparison_are_built() {
    let stage = Stage::new();
    stage.file("x", haystack(20, "BASE base"));
    let args = ["reduce", "x", "-q", "-o", "out", "--build", BUILD];
    let compare = ["--differs-from", "tr -d b <x; cat built >/dev/null"];
    let test = ["--", "sh", "-c", "cat x; cat built >/dev/null"];
    stage
        .run(args.into_iter().chain(compare).chain(test))
        .ended(0);
    assert_eq!(stage.text("out").trim(), "base");
}

#[test]
fn a_build_is_refused_where_no_program_is_started() {
    let stage = Stage::with_crash("a crash\n");
    let args = ["reduce", "input.txt", "--build", "true", "--persistent"];
    let ran = stage.run(args.into_iter().chain(["--test", "./test.sh"]));
    ran.ended(2).said(&["--build", "--persistent"]);
}

#[test]
fn isolate_builds_as_well() {
    let stage = Stage::new();
    stage.file("good", "base\none\ntwo\n");
    stage.file("bad", "base\none\ncrash\ntwo\n");
    let build = "grep -q base bad && cp bad built";
    let args = ["isolate", "good", "bad", "--build", build];
    stage
        .run(
            args.into_iter()
                .chain(["--", "grep", "-q", "crash", "built"]),
        )
        .ended(0);
}

#[test]
fn a_file_of_the_input_that_the_build_writes_is_named() {
    let stage = Stage::new();
    stage.file("proj/main", "base\na crash\n");
    stage.file("proj/made", "old\n");
    let build = "grep -q base proj/main && cp proj/main proj/made";
    let args = ["reduce", "proj", "-f", "--build", build];
    let test = ["--", "grep", "-q", "crash", "proj/made"];
    let run = |flags: &[&str]| stage.run(args.iter().chain(flags).chain(&test)).ended(0);
    run(&[]).said(&[
        "the build writes `proj/made` of the input",
        "--exclude 'made'",
    ]);
    let ran = run(&["--exclude", "made"]);
    assert!(!ran.stderr.contains("the build writes"), "{}", ran.stderr);
}

#[test]
fn a_build_that_the_sandbox_stops_is_permitted_its_needs_and_the_run_says_so() {
    let stage = Stage::confined();
    stage.file("x", "a crash\n");
    let build = format!(
        "echo built >'{}' && cp x built",
        stage.path("log").display()
    );
    let args = ["reduce", "x", "--build", &build, "-o", "out"];
    let test = ["--", "grep", "-q", "crash", "built"];
    let run = |flags: &[&str]| stage.run(args.iter().chain(flags).chain(&test));
    let refused = run(&["--sandbox", "on"]).ended(3);
    refused.said(&[
        "the original does not build",
        "the test ran in a sandbox",
        "--writable",
    ]);
    run(&[])
        .ended(0)
        .said(&["fails only with more permissions", "--writable"]);
    assert_eq!(stage.text("out"), "crash");
}
