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
    ran.said(&[
        "`nubbin reduce` has no flag `--jbos`",
        "did you mean `--jobs`?",
    ]);
    let ran = stage.run("reduce input.txt --jbos -- ./test.sh --tidy".split(' '));
    assert!(!ran.ended(2).stderr.contains("C-Vise"));
    let ran = stage
        .run("reduce --json --tidy input.txt".split(' '))
        .ended(2);
    let error: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(error["error"], "`nubbin reduce` has no flag `--tidy`");
}

#[test]
fn flags_in_front_of_the_command_are_those_of_the_command() {
    let stage = Stage::with_crash("a crash b");
    for args in [
        "--n 1 ./test.sh input.txt",
        "-n 1 ./test.sh input.txt",
        "--seed 3 reduce --test ./test.sh input.txt",
        "-j 1 input.txt -- ./test.sh",
    ] {
        stage.run(args.split(' ')).ended(0);
        assert_eq!(stage.text("input.min.txt"), "crash", "{args}");
        std::fs::remove_file(stage.path("input.min.txt")).unwrap();
    }
    // The same answer reports the other faults of the line.
    stage.file("draft.sh", "#!/bin/sh\n");
    let ran = stage.run("--n 4 ./draft.sh input.txt".split(' ')).ended(2);
    ran.said(&["`nubbin reduce --test ./draft.sh --n 4 input.txt`"]);
    let ran = stage.run("--xyzzy reduce input.txt".split(' ')).ended(2);
    assert!(!ran.stderr.contains("tip:"), "{}", ran.stderr);
}

#[test]
fn only_flags_that_are_similar_are_suggested() {
    let stage = Stage::with_crash("a crash b");
    stage.file("crashes/1", "a");
    let test = ["--", "./test.sh", "{}"];
    for (args, words) in [
        (
            "reduce-all crashes --signal SEGV",
            &["has no flag `--signal`", "`--exit N`", "`--stderr RE`"][..],
        ),
        (
            "reduce-all crashes --not-idempotent",
            &["has no flag `--not-idempotent`", "`nubbin help reduce-all`"],
        ),
        (
            "reduce input.txt --not-idempotent",
            &["`nubbin reduce FILE --stdin --differs-from 'fmt | fmt' -- fmt`"],
        ),
        ("reduce input.txt --xyzzy", &["`nubbin help reduce`"]),
        (
            "reduce input.txt --same",
            &["did you mean `--same-failure`, `--same-stack` or `--same-coverage`?"],
        ),
        (
            "reduce-all crashes --must-parse",
            &["`--must-parse` is a flag of `nubbin reduce`"],
        ),
        (
            "cmin crashes -o out --stderr x",
            &["has no flag `--stderr`", "`nubbin reduce-all`"],
        ),
        ("isolate input.txt input.txt --exit-code 1", &["`--exit N`"]),
        (
            "generate --grammar json",
            &["`nubbin generate grammar -g json`"],
        ),
        (
            "generate --grammar=json",
            &["`nubbin generate grammar -g FILE`"],
        ),
        ("generate --count 3", &["`nubbin generate grammar`"]),
        ("campaign --jobs 3", &["`nubbin campaign run`"]),
    ] {
        let runs_test = !args.starts_with("generate") && !args.starts_with("campaign");
        let test = test.iter().filter(|_| runs_test).copied();
        let ran = stage.run(args.split(' ').chain(test)).ended(2).said(words);
        for word in ["tip:", "similar", "--stdin'", "--remote-input"] {
            assert!(!ran.stderr.contains(word), "{args}: {}", ran.stderr);
        }
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
    ran.said(&["did you mean `nubbin campaign status`?"]);
}
