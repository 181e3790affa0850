//! Flags and commands of other tools.

use crate::stage::Stage;

#[test]
fn flags_of_other_tools_are_answered_with_those_of_nubbin() {
    let stage = Stage::with_crash("a crash b");
    for (args, words) in [
        (
            "reduce --tidy ./test.sh input.txt",
            &["`--tidy` of C-Reduce and C-Vise: not needed"][..],
        ),
        (
            "--tidy ./test.sh input.txt",
            &["`nubbin reduce` has no flag `--tidy`"],
        ),
        (
            "reduce --sllooww --timing --not-c ./test.sh input.txt",
            &[
                "has no flag `--sllooww`, `--timing` or `--not-c`",
                "`--sllooww` of C-Reduce and C-Vise: `--slow`",
                "`--json-events FILE` has all times",
                "`--language` names it",
                "docs/src/migrating.md",
            ],
        ),
        (
            "reduce ./test.sh --tidy input.txt",
            &["`--tidy` of C-Reduce and C-Vise: not needed"],
        ),
        (
            "reduce --start-with-pass=lines ./test.sh input.txt",
            &["`--passes P,…`"],
        ),
        (
            "reduce --input-type=stdin --parallelism=3 ./test.sh input.txt",
            &["`--parallelism` of Shrink Ray: `-j 8`", "`--stdin`"],
        ),
        (
            "reduce --test=./test.sh --test-arg=a input.txt",
            &["`--test-arg` of llvm-reduce: the words of the command"],
        ),
        (
            "reduce input.txt --match-err x -- ./test.sh",
            &["`--match-err` of ddSMT: `--stderr TEXT`"],
        ),
        (
            "reduce --noverify ./test.sh input.txt",
            &["`--noverify` of halfempty: not needed"],
        ),
        (
            "reduce -i input.txt -o out -- ./test.sh",
            &[
                "has no flag `-i`",
                "the input is named anywhere before `--`",
            ],
        ),
        (
            "cmin -i in -o out -- ./test.sh",
            &["`nubbin cmin` has no flag `-i`"],
        ),
        (
            "reduce -merge=1 in",
            &["`-merge` of libFuzzer: `nubbin cmin`"],
        ),
    ] {
        let ran = stage.run(args.split(' ')).ended(2);
        let ran = ran.said(words);
        assert!(
            !ran.stderr.contains("a similar argument"),
            "{args}: {}",
            ran.stderr
        );
    }
    // The flags of a program are its own.
    let ran = stage
        .run("isolate input.txt input.txt grep -c a".split(' '))
        .ended(2);
    assert!(!ran.stderr.contains("C-Vise"), "{}", ran.stderr);
    // A flag of nubbin has its usual answer, and a word of the test is not a flag.
    let ran = stage.run("reduce --jbos 3 input.txt".split(' ')).ended(2);
    ran.said(&["a similar argument exists: '--jobs'"]);
    let ran = stage.run("reduce input.txt --jbos -- ./test.sh --tidy".split(' '));
    assert!(!ran.ended(2).stderr.contains("C-Vise"));
    let ran = stage
        .run("reduce --json --tidy input.txt".split(' '))
        .ended(2);
    let error: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(error["error"], "`nubbin reduce` has no flag `--tidy`");
}

#[test]
fn flags_in_front_of_the_command_are_answered_with_a_line() {
    let stage = Stage::with_crash("a crash b");
    for flags in ["--n 1", "--seed 3", "-j 1"] {
        let ran = stage.run(format!("{flags} ./test.sh input.txt").split(' '));
        let line = format!("nubbin reduce {flags} ./test.sh input.txt");
        ran.ended(2).said(&["is in front of the command", &line]);
        // The line works.
        let line = line.strip_prefix("nubbin ").unwrap();
        stage.run(line.split(' ')).ended(0);
        std::fs::remove_file(stage.path("input.min.txt")).unwrap();
    }
}

#[test]
fn words_of_other_tools_are_answered_with_commands() {
    let stage = Stage::new();
    for (args, words) in [
        (
            "campaign list x",
            [
                "`nubbin campaign` has no command `list`",
                "`nubbin campaign issues`",
            ],
        ),
        (
            "campaign crashes",
            ["has no command `crashes`", "`nubbin campaign issues`"],
        ),
        (
            "campaign start",
            ["has no command `start`", "`nubbin campaign run`"],
        ),
        ("campaign stop", ["has no command `stop`", "Ctrl-C"]),
        (
            "minimize x.c",
            ["`nubbin` has no command `minimize`", "`nubbin reduce`"],
        ),
        ("tmin", ["has no command `tmin`", "`--same-coverage`"]),
        ("merge a b", ["has no command `merge`", "`nubbin cmin`"]),
        (
            "fuzz run",
            [
                "`nubbin fuzz` has no command `run`",
                "`nubbin campaign run`",
            ],
        ),
        (
            "grammar validate x",
            ["has no command `validate`", "`nubbin grammar check`"],
        ),
    ] {
        stage.run(args.split(' ')).ended(2).said(&words);
    }
    let ran = stage.run("campaign statsu".split(' ')).ended(2);
    ran.said(&["a similar subcommand exists: 'status'"]);
}
