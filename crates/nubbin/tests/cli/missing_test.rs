//! Command lines without a test, or with a test that cannot be run.

use crate::stage::Stage;

fn stage() -> Stage {
    let stage = Stage::with_crash("a crash b");
    stage.file("draft.sh", "#!/bin/sh\ngrep -q crash input.txt\n");
    stage
}

#[test]
fn a_script_that_cannot_be_run_is_named() {
    let stage = stage();
    for (args, words) in [
        (
            "reduce input.txt ./draft.sh",
            [
                "the test `./draft.sh` is not executable",
                "`chmod +x ./draft.sh`, then `nubbin reduce --test ./draft.sh input.txt`",
            ],
        ),
        (
            "reduce draft.sh input.txt",
            [
                "the test `draft.sh` is not executable",
                "`nubbin reduce --test draft.sh input.txt`",
            ],
        ),
        (
            "./draft.sh input.txt",
            [
                "the test `./draft.sh` is not executable",
                "`chmod +x ./draft.sh`",
            ],
        ),
        (
            "reduce input.txt ./missing.sh",
            [
                "the test `./missing.sh` does not exist",
                "`nubbin reduce --test ./missing.sh input.txt`",
            ],
        ),
        (
            "./missing.sh input.txt",
            ["the test `./missing.sh` does not exist", "create it"],
        ),
        (
            "reduce ./test.sh missing.c",
            ["`missing.c` does not exist", "is an input"],
        ),
    ] {
        let ran = stage.run(args.split(' ')).ended(2);
        let ran = ran.said(&words);
        assert!(
            !ran.stderr.contains("no test is given"),
            "{args}: {}",
            ran.stderr
        );
    }
    assert!(!stage.path("input.min.txt").exists());
}

#[test]
fn a_command_without_dashes_is_shown_with_them() {
    // The stage adds no flag of its own.
    let stage = Stage::confined();
    stage.file("input.txt", "a crash b");
    stage.script("test.sh", "grep -q crash input.txt");
    for (args, line) in [
        (
            "reduce input.txt grep -q crash input.txt",
            "nubbin reduce input.txt -- grep -q crash input.txt",
        ),
        (
            "reduce input.txt grep crash input.txt",
            "nubbin reduce input.txt -- grep crash input.txt",
        ),
        (
            "reduce input.txt --seed 3 grep -q crash input.txt",
            "nubbin reduce input.txt --seed 3 -- grep -q crash input.txt",
        ),
        (
            "grep -q crash input.txt",
            "nubbin reduce input.txt -- grep -q crash input.txt",
        ),
        (
            "reduce grep -q crash input.txt",
            "nubbin reduce input.txt -- grep -q crash input.txt",
        ),
        (
            "reduce input.txt ./test.sh --strict input.txt",
            "nubbin reduce input.txt -- ./test.sh --strict input.txt",
        ),
        (
            "reduce input.txt false",
            "nubbin reduce input.txt -- false '{}'",
        ),
    ] {
        let ran = stage.run(args.split(' ')).ended(2);
        ran.said(&["`--` is missing in front of", line]);
    }
    // Such a line works.
    let line = "reduce input.txt --seed 3 -- grep -q crash input.txt";
    stage.run(line.split(' ')).ended(0);
    // A word that is the value of a flag is not a program.
    let ran = stage
        .run("reduce input.txt --stderr grep".split(' '))
        .ended(2);
    ran.said(&["no test is given"]);
}
