//! `nubbin reduce` with a grammar.

use crate::stage::{Ran, Stage};

const SUMS: &str = "\
<sum> ::= <term> | <sum> ' + ' <term>
<term> ::= <factor> | <term> ' * ' <factor>
<factor> ::= '(' <sum> ')' | <number>
<number> ::= [0-9]+
";

/// A sum that fails while there is an 88 in it, and only if it is a sum.
fn stage() -> Stage {
    let stage = Stage::new();
    stage.file("sums.bnf", SUMS);
    stage.file(
        "in.txt",
        "1 + (2 * (33 + 4)) * 5 + (66 + 7 * (88 + 9)) * 10 + 11\n",
    );
    stage.script(
        "test.sh",
        "grep -q 88 in.txt && echo \"$(cat in.txt)\" >>\"$SEEN\"; grep -q 88 in.txt",
    );
    stage
}

fn reduce(stage: &Stage, more: &[&str]) -> Ran {
    let args = [
        "reduce",
        "in.txt",
        "--test",
        "./test.sh",
        "--plain",
        "-g",
        "sums.bnf",
    ];
    let seen = format!("SEEN={}", stage.path("seen.txt").display());
    stage.run(args.iter().chain(&["--env", &seen]).chain(more))
}

#[test]
fn every_walk_reduces_and_proposes_only_what_fits() {
    for (algorithm, expected) in [
        ("hdd", "0 + (0 + 0 * (88))\n"),
        ("hdd-star", "0 + (0 + 0 * (88))\n"),
        ("hddr", "0 + (0 + 0 * (88))\n"),
        ("hddr:dfs,backward,star", "0 + (0 + 0 * (88))\n"),
        ("hddr:coarse", "1 + (6 + 7 * (88))\n"),
        ("coarse-hdd", "1 + (6 + 7 * (88))\n"),
        ("coarse-hdd-star", "1 + (6 + 7 * (88))\n"),
    ] {
        let stage = stage();
        reduce(&stage, &["--algorithm", algorithm]).ended(0);
        assert_eq!(stage.text("in.min.txt"), expected, "{algorithm}");
        for line in stage.text("seen.txt").lines() {
            stage.file("line.txt", line);
            let args = ["grammar", "parse", "-g", "sums.bnf", "line.txt"];
            stage.run(args).ended(0);
        }
    }
}

#[test]
fn without_preparation_lists_stay_nested() {
    let stage = stage();
    let args = ["--algorithm", "coarse-hdd-star", "--prepare", "none"];
    reduce(&stage, &args).ended(0);
    // All that may go without a trace are further digits.
    let digits = "1 + (2 * (3 + 4)) * 5 + (6 + 7 * (88 + 9)) * 1 + 1\n";
    assert_eq!(stage.text("in.min.txt"), digits);
}

#[test]
fn the_default_plan_takes_whole_subtrees_first() {
    let stage = stage();
    let ran = reduce(&stage, &["--stats", "-"]).ended(0);
    assert_eq!(stage.text("in.min.txt").trim(), "88");
    assert!(ran.stdout.contains("subtrees"), "{}", ran.stdout);
    let without = ["--stats", "-", "--without", "subtrees"];
    let ran = reduce(&stage, &without).ended(0);
    assert!(!ran.stdout.contains("subtrees"), "{}", ran.stdout);
}

#[test]
fn list_algorithms_work_inside_a_walk() {
    let stage = stage();
    let args = ["--algorithm", "hdd-star", "--list-algorithm"];
    for list in ["sweep", "ddmin:combined", "probdd"] {
        reduce(&stage, &[&args[..], &[list]].concat()).ended(0);
        assert_eq!(stage.text("in.min.txt"), "0 + (0 + 0 * (88))\n", "{list}");
    }
    reduce(&stage, &[&args[..], &["ddmim"]].concat())
        .ended(2)
        .said(&["there is no list algorithm `ddmim`; did you mean `ddmin`?"]);
    reduce(&stage, &["--algorithm", "ddmin"])
        .ended(2)
        .said(&["has no use for a grammar", "--list-algorithm ddmin"]);
}

#[test]
fn more_workers_make_no_difference() {
    for walk in ["hdd-star", "hddr:star", "coarse-hdd-star"] {
        let tests = ["1", "4"].map(|jobs| {
            let stage = stage();
            let args = ["--algorithm", walk, "--jobs", jobs, "--stats", "-"];
            let ran = reduce(&stage, &args).ended(0);
            let stats: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
            (
                stage.text("in.min.txt"),
                stats["tests"].clone(),
                stats["cache_hits"].clone(),
            )
        });
        assert!(tests[0].1.as_u64() > Some(10), "{tests:?}");
        assert_eq!(tests[0], tests[1], "{walk}");
    }
}

#[test]
fn several_files_have_a_tree_each() {
    let stage = stage();
    stage.file("other.txt", "4 + (5 * 6)");
    stage.file("notes.md", "88 and 5, in words");
    stage.script("test.sh", "grep -q 88 in.txt && grep -q 5 other.txt");
    let files = [
        "other.txt",
        "notes.md",
        "-o",
        "out",
        "--algorithm",
        "hdd-star",
    ];
    reduce(&stage, &files)
        .ended(0)
        .said(&["`notes.md` does not fit <sum>, so its tree is not used"]);
    assert_eq!(stage.text("out/in.txt"), "0 + (0 + 0 * (88))\n");
    assert_eq!(stage.text("out/other.txt"), "0 + (5)");
}

#[test]
fn input_that_does_not_fit_is_refused_by_a_walk_and_no_obstacle_otherwise() {
    let stage = stage();
    stage.file("in.txt", "1 + + 88");
    reduce(&stage, &["--algorithm", "hdd"]).ended(5).said(&[
        "`in.txt` does not fit <sum>",
        "line 1, column 5",
        "hint: `--start` says",
        "hint: `--algorithm auto` goes on without a tree",
    ]);
    reduce(&stage, &[])
        .ended(0)
        .said(&["warning: `in.txt` does not fit <sum>, so it is reduced without its tree"]);
    assert_eq!(stage.text("in.min.txt"), "88");
}

#[test]
fn what_is_missing_or_misspelt_is_said() {
    let stage = stage();
    for (args, words) in [
        (&["--start", "summ"][..], "did you mean `sum`?"),
        (&["--algorithm", "hddd"], "did you mean the walk `hdd`?"),
        (&["--algorithm", "hddr:deep"], "has no option `deep`"),
        (
            &["--algorithm", "hdd", "--atom", "line"],
            "no use for `--atom`",
        ),
        (&["--prepare", "sqeeze"], "did you mean `squeeze`?"),
    ] {
        let ran = reduce(&stage, args).said(&[words]);
        assert!(matches!(ran.code, Some(2 | 5)), "{args:?}");
    }
    let bare = ["reduce", "in.txt", "--test", "./test.sh"];
    for (args, words) in [
        (["--algorithm", "hdd"], "hint: `--grammar FILE`"),
        (["--passes", "hdd"], "hint: `--grammar FILE`"),
        (
            ["--start", "sum"],
            "`--start` says nothing without a grammar",
        ),
    ] {
        stage.run(bare.iter().chain(&args)).ended(2).said(&[words]);
    }
}

#[test]
fn a_smallest_text_that_is_huge_is_replaced_by_one_of_the_file() {
    let stage = stage();
    let long = "x".repeat(300);
    let grammar = format!("<list> ::= <item> (',' <item>)*\n<item> ::= '{long}' [0-9]+\n");
    stage.file("sums.bnf", grammar);
    stage.file("in.txt", format!("{long}123,{long}88,{long}5"));
    reduce(&stage, &["--algorithm", "hdd-star"]).ended(0);
    assert_eq!(stage.text("in.min.txt"), format!("{long}5,{long}88"));
}
