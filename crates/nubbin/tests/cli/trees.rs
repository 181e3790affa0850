//! `nubbin reduce` with a grammar.

use crate::stage::{Ran, Stage};

const SUMS: &str = "\
<sum> ::= <term> | <sum> ' + ' <term>
<term> ::= <factor> | <term> ' * ' <factor>
<factor> ::= '(' <sum> ')' | <number>
<number> ::= [0-9]+
";

/// Makes a stage with a sum. The test fails for sums that contain 88.
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
fn every_tree_reducer_proposes_only_valid_candidates() {
    // Published without lists of recursion, HDD cannot remove operands.
    let (nested, flat) = ("0 + (0 + 0 * (88 + 0)) * 0 + 0\n", "0 + (0 + 0 * (88))\n");
    let coarse = "1 + (6 + 7 * (88))\n";
    for (algorithm, prepare, expected) in [
        ("hdd", None, nested),
        ("hdd-star", None, nested),
        ("hddr", None, nested),
        ("hdd", Some("all"), flat),
        ("hdd-star", Some("all"), flat),
        ("hddr", Some("all"), flat),
        ("hddr:dfs,backward,star", Some("flatten"), flat),
        ("hddr:coarse", None, coarse),
        ("coarse-hdd", None, coarse),
        ("coarse-hdd-star", None, coarse),
    ] {
        let stage = stage();
        let prepare = prepare.map(|steps| ["--prepare", steps]);
        let mut args = vec!["--algorithm", algorithm];
        args.extend(prepare.iter().flatten());
        reduce(&stage, &args).ended(0);
        assert_eq!(stage.text("in.min.txt"), expected, "{args:?}");
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
    // Only further digits can be removed without a replacement.
    let digits = "1 + (2 * (3 + 4)) * 5 + (6 + 7 * (88 + 9)) * 1 + 1\n";
    assert_eq!(stage.text("in.min.txt"), digits);
}

#[test]
fn the_default_plan_removes_whole_subtrees_first() {
    let stage = stage();
    let ran = reduce(&stage, &["--stats", "-"]).ended(0);
    assert_eq!(stage.text("in.min.txt").trim(), "88");
    assert!(ran.stdout.contains("subtrees"), "{}", ran.stdout);
    let without = ["--stats", "-", "--without", "subtrees"];
    let ran = reduce(&stage, &without).ended(0);
    assert!(!ran.stdout.contains("subtrees"), "{}", ran.stdout);
}

#[test]
fn list_minimizers_work_inside_a_tree_reducer() {
    let stage = stage();
    let args = [
        "--algorithm",
        "hdd-star",
        "--prepare",
        "all",
        "--list-algorithm",
    ];
    for list in ["sweep", "ddmin:complements-first", "probdd"] {
        reduce(&stage, &[&args[..], &[list]].concat()).ended(0);
        assert_eq!(stage.text("in.min.txt"), "0 + (0 + 0 * (88))\n", "{list}");
    }
    reduce(&stage, &[&args[..], &["ddmim"]].concat())
        .ended(2)
        .said(&["unknown list minimizer `ddmim`, did you mean `ddmin`?"]);
    reduce(&stage, &["--algorithm", "ddmin"])
        .ended(2)
        .said(&["does not use a grammar", "--list-algorithm ddmin"]);
}

#[test]
fn the_result_is_the_same_for_any_number_of_jobs() {
    for reducer in ["hdd-star", "hddr:star", "coarse-hdd-star"] {
        let tests = ["1", "4"].map(|jobs| {
            let stage = stage();
            let args = ["--algorithm", reducer, "--jobs", jobs, "--stats", "-"];
            let ran = reduce(&stage, &args).ended(0);
            let stats: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
            (
                stage.text("in.min.txt"),
                stats["tests"].clone(),
                stats["cache_hits"].clone(),
            )
        });
        assert!(tests[0].1.as_u64() > Some(10), "{tests:?}");
        assert_eq!(tests[0], tests[1], "{reducer}");
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
        "--prepare",
        "all",
    ];
    reduce(&stage, &files)
        .ended(0)
        .said(&["`notes.md` does not fit <sum>, so its tree is not used"]);
    assert_eq!(stage.text("out/in.txt"), "0 + (0 + 0 * (88))\n");
    assert_eq!(stage.text("out/other.txt"), "0 + (5)");
}

#[test]
fn input_that_does_not_fit_is_refused_only_by_a_tree_reducer() {
    let stage = stage();
    stage.file("in.txt", "1 + + 88");
    reduce(&stage, &["--algorithm", "hdd"]).ended(5).said(&[
        "`in.txt` does not fit <sum>",
        "line 1, column 5",
        "hint: `--start` sets the rule",
        "hint: `--algorithm auto` continues without a tree",
    ]);
    reduce(&stage, &[])
        .ended(0)
        .said(&["warning: `in.txt` does not fit <sum>, so it is reduced without its tree"]);
    assert_eq!(stage.text("in.min.txt"), "88");
}

#[test]
fn a_binary_file_is_a_tree_without_a_grammar() {
    let stage = Stage::new();
    let chunk = |tag: &[u8], data: &[u8]| [tag, &(data.len() as u32).to_le_bytes(), data].concat();
    let chunks = [
        chunk(b"aaaa", b"1234"),
        chunk(b"keep", b"56"),
        chunk(b"bbbb", b""),
    ]
    .concat();
    let wave = |chunks: &[u8]| chunk(b"RIFF", &[b"WAVE", chunks].concat());
    stage.file("in.wav", wave(&chunks));
    stage.script("test.sh", "grep -q keep in.wav");
    let reduce = |more: &[&str]| {
        let args = ["reduce", "in.wav", "--test", "./test.sh", "--plain"];
        stage.run(args.iter().chain(more))
    };
    for flag in ["--algorithm", "--passes"] {
        reduce(&[flag, "hdd"]).ended(0);
        assert_eq!(stage.read("in.min.wav"), wave(&chunk(b"keep", b"")));
    }
    for more in [["--language", "none"], ["--must-parse", "--quick"]] {
        let args = [&["--algorithm", "hdd"], &more[..]].concat();
        reduce(&args).ended(2).said(&["grammar"]);
    }
}

#[test]
fn missing_and_misspelled_arguments_are_errors() {
    let stage = stage();
    for (args, words) in [
        (&["--start", "summ"][..], "did you mean `sum`?"),
        (
            &["--algorithm", "hddd"],
            "did you mean the tree reducer `hdd`?",
        ),
        (&["--algorithm", "hddr:deep"], "has no option `deep`"),
        (
            &["--algorithm", "hdd", "--atom", "line"],
            "does not use `--atom`",
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
            "`--start` has no effect without a grammar",
        ),
    ] {
        stage.run(bare.iter().chain(&args)).ended(2).said(&[words]);
    }
}

#[test]
fn a_huge_smallest_text_is_replaced_by_one_of_the_file() {
    let stage = stage();
    let long = "x".repeat(300);
    let grammar = format!("<list> ::= <item> (',' <item>)*\n<item> ::= '{long}' [0-9]+\n");
    stage.file("sums.bnf", grammar);
    stage.file("in.txt", format!("{long}123,{long}88,{long}5"));
    reduce(&stage, &["--algorithm", "hdd-star"]).ended(0);
    assert_eq!(stage.text("in.min.txt"), format!("{long}5,{long}88"));
}

#[test]
fn examples_show_optional_parts() {
    let stage = Stage::new();
    stage.file(
        "pairs.bnf",
        "<p> ::= <c>+\n<c> ::= '(' <x> <y> ')' | '(' <x> ')'\n<x> ::= 'a'\n<y> ::= 'b'\n",
    );
    stage.file("in.txt", "(ab)(ab)");
    stage.script("test.sh", "grep -q '(a.*)' in.txt");
    let learned = |more: &[&'static str]| {
        let args = "reduce in.txt --test ./test.sh --plain --algorithm gtr-learned -g pairs.bnf";
        stage.run(args.split_whitespace().chain(more.iter().copied()))
    };
    learned(&[]).ended(0);
    assert_eq!(stage.text("in.min.txt"), "(ab)", "only pairs were seen");
    stage.file("more/a/one.txt", "(a)");
    stage.file("more/other.txt", "no example");
    stage.file("two.txt", "(a)(ab)");
    for learn in ["more", "two.txt"] {
        learned(&["--learn", learn])
            .ended(0)
            .said(&["learned from 1 example"]);
        assert_eq!(stage.text("in.min.txt"), "(a)", "{learn}");
    }
    learned(&["--learn", "more/other.txt"]).ended(5).said(&[
        "nothing can be learned from `more/other.txt`",
        "line 1, column 1",
    ]);
    learned(&["--learn", "nowhere"])
        .ended(5)
        .said(&["cannot read `nowhere`"]);
    stage.file("none/other.txt", "no example");
    learned(&["--learn", "none"])
        .ended(0)
        .said(&["warning: there is nothing to learn from"]);
    let other = "reduce in.txt --test ./test.sh -g pairs.bnf --algorithm gtr --learn two.txt";
    stage.run(other.split_whitespace()).ended(2).said(&[
        "only `gtr-learned` learns from examples",
        "hint: `--algorithm gtr-learned`",
    ]);
}

#[test]
#[cfg_attr(not(feature = "languages"), ignore = "needs a language")]
fn examples_have_the_language_of_the_input() {
    let stage = Stage::new();
    stage.file("in.json", "[{\"a\": 88, \"b\": [1]}]");
    stage.file("corpus/small.json", "[]");
    stage.file("corpus/other.c", "int x;");
    let args = "reduce in.json --plain --algorithm gtr-learned --learn corpus";
    let test = ["--", "grep", "-q", "88", "in.json"];
    let ran = stage.run(args.split_whitespace().chain(test));
    ran.ended(0).said(&["learned from 1 example"]);
    let args = "reduce in.json --plain --algorithm gtr-learned --learn corpus/other.c";
    let ran = stage.run(args.split_whitespace().chain(test));
    ran.ended(5)
        .said(&["`corpus/other.c` is in another language than the input"]);
}

#[test]
fn known_failures_are_counted() {
    let stage = stage();
    let ran = reduce(
        &stage,
        &["--algorithm", "hdd-star", "--stats", "stats.json"],
    )
    .ended(0);
    let stats: serde_json::Value = serde_json::from_str(&stage.text("stats.json")).unwrap();
    let count = |name: &str| stats[name].as_u64().unwrap();
    let (tests, hits) = (count("tests"), count("cache_hits"));
    assert!(hits > 0);
    // The tests of the original and of the result are not proposals.
    assert!(count("proposals") >= tests - 2 + hits);
    // Configurations with the present text are not proposals.
    assert!(count("configurations") > count("proposals"), "{stats}");
    ran.said(&[&format!("; {hits} more from the cache")]);
    // A tree without any node that can be removed: 0, and not absent.
    stage.file("one.bnf", "<s> ::= <d> '+' <d>\n<d> ::= [0-9]\n");
    stage.file("one.txt", "1+2");
    let args = "reduce one.txt -g one.bnf --algorithm coarse-hdd --stats one.json -- grep -q 1 {}";
    stage.run(args.split(' ')).ended(0);
    let stats: serde_json::Value = serde_json::from_str(&stage.text("one.json")).unwrap();
    assert_eq!(stats["configurations"], 0);
    reduce(&stage, &["--stats", "stats.json"]).ended(0);
    let stats: serde_json::Value = serde_json::from_str(&stage.text("stats.json")).unwrap();
    assert!(stats["configurations"].is_null());
}

/// The smallest text of a statement is the one of the file, in which names and numbers can shrink.
#[test]
fn texts_of_the_file_shrink_further_and_never_come_back() {
    for (algorithm, least) in [
        ("hdd", "a(a+0&0);"),
        ("hdd-star", "a(a+0&0);"),
        ("hddr:star", "a(a+0&0);"),
        ("hdd-star --prepare all", "a(a+a*0);"),
    ] {
        let stage = Stage::new();
        stage.file("in.js", "f(abc + other * 12345);");
        let line = format!("reduce in.js -o out.js --algorithm {algorithm} -- grep -q '(.*+' {{}}");
        stage.run(shlex::split(&line).unwrap()).ended(0);
        assert_eq!(stage.text("out.js"), least, "{algorithm}");
    }
}

#[test]
fn a_sort_of_smt_lib_keeps_its_arity_where_the_result_must_parse() {
    let stage = Stage::new();
    let text = "(declare-sort Elem 0)\n(declare-fun size (Elem) Int)\n(check-sat)\n";
    stage.file("z.smt2", text);
    let test = ["--", "grep", "-q", "declare-sort [A-Za-z]", "z.smt2"];
    let args = [
        &["reduce", "-q", "-j1", "z.smt2", "--must-parse"],
        &test[..],
    ]
    .concat();
    stage.run(args).ended(0);
    let left = stage.text("z.min.smt2");
    let arity = left
        .strip_prefix("(declare-sort ")
        .and_then(|rest| rest.strip_suffix(')'))
        .and_then(|rest| rest.split_once(' '))
        .map(|(_, arity)| arity);
    assert!(
        arity.is_some_and(|arity| arity.parse::<u32>().is_ok()),
        "{left}"
    );
}

#[test]
fn candidates_must_parse_only_if_the_original_does() {
    let stage = Stage::new();
    stage.file(
        "g.g4",
        "grammar G;\nfile : '[' NUM (',' NUM)* ']' ;\nNUM : [0-9]+ ;\n",
    );
    let run = |text: &str| {
        stage.file("in.txt", text);
        let args =
            "reduce in.txt -o out -j 1 --force --must-parse --grammar g.g4 -- grep -q 77 in.txt";
        stage.run(args.split(' '))
    };
    // White space at the end, which editors write, is not a reason to accept any text.
    for end in ["", "\n", "\r\n", " \n\n"] {
        run(&format!("[1,77,2]{end}")).ended(0);
        assert_eq!(stage.text("out").trim_end(), "[77]", "{end:?}");
    }
    for text in ["[1,x,77]", "[1,77"] {
        std::fs::remove_file(stage.path("out")).ok();
        run(text).ended(5).said(&[
            "error: `in.txt` does not fit <file>",
            "line 1, column ",
            "without `--must-parse`",
        ]);
        assert!(!stage.path("out").exists());
    }
}
