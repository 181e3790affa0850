//! Command lines without a test, or with a test that cannot be run.

use crate::stage::Stage;

/// A stage that adds no flag of its own.
fn stage() -> Stage {
    let stage = Stage::confined();
    stage.file("input.txt", "a crash b");
    stage.script("test.sh", "grep -q crash input.txt");
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

#[test]
fn every_flag_that_was_typed_is_in_the_line_of_a_hint() {
    let stage = stage();
    stage.file("in.json", "{}");
    stage.file("crashes/1", "a");
    stage.file("crashes/2", "a");
    for (args, line) in [
        (
            "reduce in.json draft.sh --must-parse --jobs 1",
            "nubbin reduce --test draft.sh in.json --must-parse --jobs 1`",
        ),
        (
            "reduce draft.sh in.json --must-parse",
            "nubbin reduce --test draft.sh in.json --must-parse`",
        ),
        (
            "reduce in.json --seed 3 --must-parse ./missing.sh",
            "nubbin reduce --test ./missing.sh in.json --seed 3 --must-parse`",
        ),
        (
            "reduce in.json --must-parse",
            "nubbin reduce in.json --must-parse --test ./test.sh",
        ),
        (
            "reduce in.json --stderr boom",
            "nubbin reduce in.json --stderr boom -- PROGRAM {}",
        ),
        (
            "reduce in.json cat --same-failure --must-parse",
            "nubbin reduce in.json --same-failure --must-parse -- cat '{}'",
        ),
    ] {
        stage.run(args.split(' ')).ended(2).said(&[line]);
    }
    // Variables may be secret.
    let ran = stage
        .run("reduce in.json draft.sh --env KEY=hidden".split(' '))
        .ended(2);
    assert!(!ran.stderr.contains("hidden"), "{}", ran.stderr);
}

#[test]
fn each_command_with_a_test_shows_the_line_with_it() {
    let stage = stage();
    stage.file("good.txt", "a b");
    stage.file("calc.py", "");
    stage.file("crashes/1", "a");
    stage.file("crashes/2", "a");
    for (args, lines) in [
        (
            "isolate good.txt input.txt python3 calc.py {}",
            &[
                "`--` is missing",
                "nubbin isolate good.txt input.txt --with calc.py -- python3 calc.py '{}'",
            ][..],
        ),
        (
            "isolate good.txt input.txt ./draft.sh",
            &[
                "is not executable",
                "`nubbin isolate --test ./draft.sh good.txt input.txt`",
            ],
        ),
        (
            "isolate good.txt input.txt ./test.sh",
            &["`nubbin isolate --test ./test.sh good.txt input.txt`"],
        ),
        (
            "isolate good.txt input.txt",
            &[
                "no test is given",
                "nubbin isolate good.txt input.txt --exit 1 -- PROGRAM {}",
            ],
        ),
        (
            "explain input.txt python3 calc.py",
            &["nubbin explain input.txt --with calc.py -- python3 calc.py '{}'"],
        ),
        (
            "explain input.txt ./draft.sh",
            &["`nubbin explain --test ./draft.sh input.txt`"],
        ),
        (
            "explain input.txt",
            &["nubbin explain input.txt --test ./test.sh"],
        ),
        (
            "reduce-all crashes python3 calc.py",
            &["nubbin reduce-all crashes --with calc.py -- python3 calc.py '{}'"],
        ),
        (
            "reduce-all crashes ./draft.sh",
            &["`nubbin reduce-all crashes -- ./draft.sh '{}'`"],
        ),
        (
            "reduce-all crashes",
            &["no program", "`nubbin reduce-all crashes -- PROGRAM {}`"],
        ),
        (
            "reduce-all crashes --stdin",
            &["`nubbin reduce-all crashes --stdin -- PROGRAM`"],
        ),
        (
            "reduce-all crashes --test ./test.sh",
            &["`nubbin reduce-all crashes --each --exit 0 -- ./test.sh '{}'`"],
        ),
        (
            "cmin crashes ./draft.sh",
            &["`nubbin cmin crashes -o small -- ./draft.sh '{}'`"],
        ),
        (
            "cmin crashes",
            &["`nubbin cmin crashes -o small -- PROGRAM {}`"],
        ),
        (
            "cmin crashes -- ./test.sh @@",
            &["`nubbin cmin crashes -o small -- ./test.sh @@`"],
        ),
        (
            "reduce crashes/",
            &[
                "`nubbin reduce-all crashes/ -- PROGRAM {}`",
                "nubbin reduce crashes/ --test ./test.sh",
            ],
        ),
    ] {
        stage.run(args.split(' ')).ended(2).said(lines);
    }
    // Such lines work.
    let line = "reduce-all crashes --each --exit 0 -- ./has.sh {}";
    stage.script("has.sh", "grep -q a \"$1\"");
    stage
        .run(line.split(' '))
        .ended(0)
        .said(&["2 files: 2 fail"]);
}

#[test]
fn words_of_the_test_that_name_nothing_are_refused_before_a_run() {
    let stage = Stage::confined();
    stage.file("input.txt", "a crash b");
    stage.file("good.txt", "a b");
    stage.file("calc.py", "");
    stage.file("crashes/1", "a");
    stage.file("app/main.js", "throw 1");
    for start in [
        "reduce input.txt",
        "explain input.txt",
        "isolate good.txt input.txt",
        "reduce-all crashes",
        "cmin crashes -o out",
        "campaign new camp",
    ] {
        for place in [
            "FILE", "{file}", "{input}", "$1", "%s", "<file>", "$FILE", "INPUT", "{0}",
        ] {
            let args = format!("{start} -- cat {place}");
            let ran = stage.run(args.split_whitespace()).ended(2);
            let line = format!("`nubbin {start} -- cat '{{}}'`");
            ran.said(&[
                &format!("the test names a file `{place}`, which does not exist"),
                &line,
            ]);
        }
        let args = format!("{start} -- python3 clac.py {{}}");
        let ran = stage.run(args.split_whitespace()).ended(2);
        let ran = ran.said(&[
            "`clac.py` does not exist",
            "did you mean `calc.py`?",
            "python3 calc.py '{}'`",
        ]);
        assert!(!ran.stderr.contains("keeping"), "{}", ran.stderr);
    }
    let ran = stage.run("reduce-all crashes -- cat".split(' ')).ended(2);
    ran.said(&[
        "`nubbin reduce-all crashes -- cat '{}'`",
        "`nubbin reduce-all crashes --stdin -- cat`",
    ]);
    let ran = stage
        .run("reduce app --same-failure -- node main.mjs".split(' '))
        .ended(2);
    ran.said(&["`main.mjs` does not exist", "did you mean `app/main.js`?"]);
    let ran = stage
        .run("reduce app --same-failure -- node main.js".split(' '))
        .ended(2);
    ran.said(&[
        "-- node app/main.js`",
        "`nubbin reduce app --same-failure --inside -- node main.js`",
    ]);
    let ran = stage
        .run("reduce input.txt --with clac.py -- cat {}".split(' '))
        .ended(5);
    ran.said(&["did you mean `calc.py`?"]);
}
