//! Grammars of ANTLR in several files, and their predicates.

use crate::stage::Stage;
use std::collections::BTreeSet;

const LEXER: &str = "lexer grammar L; A : 'a' ; B : 'b' ; WS : [ \\n] -> skip ;";
const PARSER: &str = "parser grammar P; options { tokenVocab = L; } s : A* B EOF ;";

/// Makes a stage with a lexer and a parser in different folders, and a text.
fn stage() -> Stage {
    let stage = Stage::new();
    stage.file("lexers/L.g4", LEXER);
    stage.file("P.g4", PARSER);
    stage.file("in.txt", "a a b\n");
    stage
}

#[test]
fn the_files_of_a_grammar_may_be_given_in_any_order() {
    let stage = stage();
    stage.run(["grammar", "check", "P.g4"]).ended(5).said(&[
        "cannot use the grammar `P.g4`",
        "the grammar `L` is needed and was not found",
        "hint: put `L.g4` next to `P.g4`, or give its path too",
    ]);
    let tree = |first: &str, second: &str| {
        let args = ["grammar", "parse", "-g", first, "-g", second, "in.txt"];
        stage.run(args).ended(0).stdout
    };
    let both = tree("P.g4", "lexers/L.g4");
    assert!(both.starts_with("<s>\n"), "{both}");
    assert_eq!(both, tree("lexers/L.g4", "P.g4"));
    let checked = stage.run(["grammar", "check", "lexers/L.g4", "P.g4"]);
    assert!(checked.ended(0).stdout.contains("1 rule from <s>"));
    // A given file counts before the one beside the main file, by either of its names.
    stage.file("L.g4", "lexer grammar L; A : 'x' ; B : 'y' ;");
    assert_eq!(both, tree("P.g4", "lexers/L.g4"));
    stage.file("lexers/L.g4", LEXER.replace("grammar L", "grammar Other"));
    assert_eq!(both, tree("P.g4", "lexers/L.g4"));
    stage.file("lexers/other.g4", LEXER);
    assert_eq!(both, tree("P.g4", "lexers/other.g4"));
}

#[test]
fn a_grammar_with_imports_is_the_main_one() {
    let stage = stage();
    stage.file("a/Main.g4", "grammar Main; import Rest; s : rest EOF ;");
    stage.file("b/Rest.g4", "grammar Rest; import Words; rest : WORD+ ;");
    stage.file(
        "c/Words.g4",
        "lexer grammar Words; WORD : [a-z] ; WS : [ \\n] -> skip ;",
    );
    let files = ["c/Words.g4", "b/Rest.g4", "a/Main.g4"];
    let ran = stage.run([&["grammar", "check"], &files[..]].concat());
    assert!(ran.ended(0).stdout.contains("from <s>"));
    stage.file("t.txt", "a b");
    let with = |files: &[&str]| {
        let grammars = files.iter().flat_map(|file| ["--grammar", file]);
        let args = ["reduce", "t.txt", "-o", "-", "--algorithm", "hdd"];
        let args = args.into_iter().chain(grammars);
        let test = ["--", "grep", "-q", "b", "t.txt"];
        stage.run(args.chain(test)).ended(0).stdout
    };
    // The tree reducer removes the tokens before, with or without the blank between them.
    let result = with(&files);
    assert_eq!(result.trim(), "b");
    assert_eq!(with(&["b/Rest.g4", "a/Main.g4", "c/Words.g4"]), result);
}

#[test]
fn files_that_make_no_grammar_are_refused() {
    let stage = stage();
    let check = |files: &[&str], said: &[&str]| {
        stage
            .run([&["grammar", "check"], files].concat())
            .ended(2)
            .said(said);
    };
    stage.file("Q.g4", "grammar Q; t : 'q' EOF ;");
    let said = [
        "`P.g4`, `Q.g4` are parser grammars, and only one of them can be the main one",
        "hint: leave out `Q.g4`: `P.g4` asks for another file that was given",
    ];
    check(&["Q.g4", "P.g4", "lexers/L.g4"], &said);
    check(&["P.g4", "lexers/L.g4", "Q.g4"], &said);
    stage.file("R.g4", "grammar R; t : 'r' EOF ;");
    check(
        &["Q.g4", "R.g4"],
        &["hint: leave out all but one of `Q.g4`, `R.g4`"],
    );
    stage.file("M.g4", "lexer grammar M; C : 'c' ;");
    check(
        &["P.g4", "lexers/L.g4", "M.g4"],
        &[
            "no grammar uses `M.g4`, which declares `M`",
            "hint: `P.g4` and its imports ask for `L`",
        ],
    );
    check(
        &["Q.g4", "M.g4"],
        &[
            "no grammar uses `M.g4`",
            "hint: `Q.g4` asks for no other grammar",
        ],
    );
    check(
        &["lexers/L.g4", "M.g4"],
        &["`M.g4`, `lexers/L.g4` are lexer grammars, and only one"],
    );
    stage.file("more/L.g4", LEXER);
    check(
        &["P.g4", "lexers/L.g4", "more/L.g4"],
        &["`lexers/L.g4` and `more/L.g4` both declare the grammar `L`"],
    );
    stage.file("s.bnf", "<s> ::= 'a'\n");
    check(
        &["P.g4", "s.bnf"],
        &["`s.bnf` is one of several files of a grammar, but was read as bnf"],
    );
    stage.file("lexers/L.g4", "lexer grammar L; A : ( ;");
    stage
        .run(["grammar", "check", "P.g4", "lexers/L.g4"])
        .ended(5)
        .said(&["cannot use the grammar `lexers/L.g4`", "line 1, column 22"]);
}

#[test]
fn a_run_depends_on_all_files_of_the_grammar_that_candidates_must_fit() {
    let given = " --valid-for P.g4 --valid-for lexers/L.g4";
    let beside = " --valid-for P.g4";
    // The files of the second run, after a change of one.
    let said = |first: &str, changed: Option<&str>, second: &str| {
        let stage = stage();
        stage.file("L.g4", LEXER);
        stage.file("in.txt", "a\n".repeat(60) + "b");
        let run = |files: &str| {
            let args = format!("reduce -j 1 --max-tests 5 in.txt{files} -- grep -q a in.txt");
            stage.run(args.split(' ')).stderr
        };
        run(first);
        if let Some(path) = changed {
            stage.file(path, LEXER.replace("'a'", "'a'+"));
        }
        run(second)
    };
    let any_order = " --valid-for lexers/L.g4 --valid-for P.g4";
    for (first, changed, second, expected) in [
        (given, None, any_order, "resuming: "),
        (given, Some("L.g4"), given, "resuming: "),
        (
            given,
            Some("lexers/L.g4"),
            given,
            "the test changed, so starting over",
        ),
        (beside, None, beside, "resuming: "),
        (
            beside,
            Some("L.g4"),
            beside,
            "the test changed, so starting over",
        ),
    ] {
        let said = said(first, changed, second);
        assert!(said.contains(expected), "{first} {changed:?}: {said}");
    }
}

const VERSIONS: &str = "grammar V;
s : (print ';')* EOF ;
print : {this.isVersion2()}? 'print' ID | 'print' '(' ID ')' | {!isVersion2()}? 'say' ID ;
ID : {letters(\"[)]\")}? [a-z]+ | [A-Z]+ ;
N : {x > 1}? [0-9]+ ;
WS : [ \\n] -> skip ;
";

#[test]
fn predicates_are_set_by_their_names() {
    let stage = Stage::new();
    stage.file("V.g4", VERSIONS);
    let ran = stage.run(["grammar", "check", "V.g4"]).ended(0);
    for note in [
        "note: <print>: the predicate `isVersion2` is taken as true; `--predicate isVersion2=false`",
        "note: <print>: the predicate `!isVersion2` is taken as true; `--predicate isVersion2=true`",
        "note: <ID>: the predicate `letters` is taken as true",
        "note: <N>: a predicate is taken as true; `--predicate` sets one that is a name or a call",
    ] {
        assert!(ran.stdout.contains(note), "no {note:?} in:\n{}", ran.stdout);
    }
    let args = [
        "grammar",
        "check",
        "V.g4",
        "--predicate",
        "isVersion2=false",
    ];
    let ran = stage.run(args).ended(0);
    assert!(!ran.stdout.contains("isVersion2"), "{}", ran.stdout);
    let fits = |text: &str, predicates: &[&str]| {
        stage.file("t.txt", text);
        let predicates = predicates.iter().flat_map(|value| ["--predicate", value]);
        let args = ["grammar", "parse", "-g", "V.g4", "t.txt"];
        stage.run(args.into_iter().chain(predicates)).code == Some(0)
    };
    let cases = [
        ("print x; print(x); say x;", &[][..], true),
        ("print x; print(x);", &["isVersion2=true"], true),
        ("say x;", &["isVersion2=true"], false),
        ("print(x); say x;", &["isVersion2=false"], true),
        ("print x;", &["isVersion2=false"], false),
        ("print x;", &["letters=false"], false),
        ("print X;", &["letters=false", "isVersion2=true"], true),
        ("print X;", &["letters=false", "isVersion2=false"], false),
    ];
    for (text, predicates, expected) in cases {
        assert_eq!(fits(text, predicates), expected, "{text} {predicates:?}");
    }
}

#[test]
fn predicates_that_cannot_be_set_are_refused() {
    let stage = Stage::new();
    stage.file("V.g4", VERSIONS);
    stage.file("s.bnf", "<s> ::= 'a'\n");
    let check = |grammar: &str, predicates: &[&str], code: i32, said: &[&str]| {
        let predicates = predicates.iter().flat_map(|value| ["--predicate", value]);
        let args = ["grammar", "check", grammar].into_iter().chain(predicates);
        stage.run(args).ended(code).said(said);
    };
    let known = "the grammar has `isVersion2`, `letters`";
    let cases: [(&str, &[&str], i32, &[&str]); 5] = [
        (
            "V.g4",
            &["isVersoin2=true"],
            5,
            &[
                "unknown predicate `isVersoin2`, did you mean `isVersion2`?",
                known,
            ],
        ),
        (
            "V.g4",
            &["other=true"],
            5,
            &["unknown predicate `other`: ", known],
        ),
        (
            "V.g4",
            &["letters"],
            2,
            &["expected `NAME=true` or `NAME=false`"],
        ),
        (
            "V.g4",
            &["letters=true", "letters=false"],
            2,
            &["the predicate `letters` cannot be both true and false"],
        ),
        (
            "s.bnf",
            &["a=true"],
            2,
            &["`--predicate` is for ANTLR grammars, and `s.bnf` was read as bnf"],
        ),
    ];
    for (grammar, predicates, code, said) in cases {
        check(grammar, predicates, code, said);
    }
    let args = [
        "reduce",
        "s.bnf",
        "--algorithm",
        "ddmin",
        "--predicate",
        "a=true",
    ];
    stage
        .run(args.into_iter().chain(["--", "grep", "-q", "a", "s.bnf"]))
        .ended(2)
        .said(&["`--predicate` has no effect without a grammar"]);
}

#[test]
fn words_are_learned_from_samples_but_not_recorded() {
    let stage = Stage::new();
    stage.file("W.g4", "grammar W; s : WORD EOF ; WORD : [a-z]+ ;");
    stage.file("samples/1", "pear");
    let generate = ["generate", "grammar", "-g", "W.g4", "-n", "50"];
    let learn = generate.iter().chain(&["--learn", "samples"]);
    let texts = stage.run(learn.clone()).ended(0).stdout;
    assert!(texts.lines().any(|line| line == "pear"), "{texts}");
    stage
        .run(learn.chain(&["--record", "choices.jsonl"]))
        .ended(2)
        .said(&[
            "choices among learned words cannot be recorded",
            "hint: leave out `--learn` or `--record`",
        ]);
    assert!(!stage.path("choices.jsonl").exists());
}

const LISTS: &str = "grammar Lists; list : '[' (item (',' item)*)? ']' EOF ;
item : NUMBER | '[' (item (',' item)*)? ']' ; NUMBER : [0-9]+ ; WS : [ \\n]+ -> skip ;";

#[test]
fn mutants_by_syntax_trees_fit_the_grammar() {
    let stage = Stage::new();
    stage.file("Lists.g4", LISTS);
    stage.file("seeds/1.txt", "[1, 2,\n 3]\n");
    stage.file("seeds/2.txt", "[[4], 5]\n");
    stage.file("seeds/3.txt", "[6\n");
    let mutate = |more: &str| {
        let args = format!("generate mutate seeds -g Lists.g4 {more}");
        stage.run(args.split(' '))
    };
    let ran = mutate("-n 100 -o out --seed 5").ended(0);
    ran.said(&["1 of 3 files do not fit the grammar and are left out, `seeds/3.txt` first"]);
    // The files come first, then mutants of them.
    assert_eq!(stage.text("out/0001.txt"), "[1, 2,\n 3]\n");
    assert_eq!(stage.text("out/0002.txt"), "[[4], 5]\n");
    let mut texts = BTreeSet::new();
    for number in 1..=100 {
        let name = format!("out/{number:04}.txt");
        texts.insert(stage.text(&name));
        if number % 10 == 0 {
            stage
                .run(["grammar", "parse", "-g", "Lists.g4", &name])
                .ended(0);
        }
    }
    assert!(texts.len() > 40, "{texts:?}");
    let only = mutate("-n 100 --creator hoist_rule,delete-quantified").ended(0);
    assert!(only.stdout.contains("[1, 2]"), "{}", only.stdout);
    // Each of the two can only take something away.
    assert!(
        only.stdout.split('\n').all(|line| line.len() <= 9),
        "{}",
        only.stdout
    );
    let ran = mutate("-n 100 --creator unrestricted-delete").ended(0);
    assert!(
        ran.stdout.contains("[1,\n 3]") || ran.stdout.contains("[,"),
        "{}",
        ran.stdout
    );
    stage.file("seeds/1.txt", "[]");
    stage.file("seeds/2.txt", "[]");
    mutate("-n 9 --creator hoist-rule")
        .ended(0)
        .said(&["only 2 inputs were generated: none of the creators can change the files further"]);
}

#[test]
fn mutation_by_syntax_trees_refuses_unusable_inputs() {
    let stage = Stage::new();
    stage.file("Lists.g4", LISTS);
    stage.file("1.txt", "[");
    let cases: [(&str, i32, &[&str]); 6] = [
        (
            "-g Lists.g4",
            5,
            &[
                "cannot mutate `1.txt`",
                "none of the files fits the grammar",
            ],
        ),
        (
            "-g Lists.g4 --creator delete",
            2,
            &["unknown creator `delete`"],
        ),
        ("-g Lists.g4 --max-mutations 3", 2, &["--max-mutations"]),
        ("-g Lists.g4 --dictionary 1.txt", 2, &["--dictionary"]),
        ("--creator generate", 2, &["--grammar"]),
        (
            "--start list",
            2,
            &[
                "`--start` applies to a grammar, but no grammar is given",
                "hint: give one with `--grammar`",
            ],
        ),
    ];
    for (flags, code, said) in cases {
        let args = format!("generate mutate 1.txt {flags}");
        stage.run(args.split(' ')).ended(code).said(said);
    }
}

#[test]
fn a_population_with_a_grammar_fits_it() {
    let stage = Stage::new();
    stage.file("Lists.g4", LISTS);
    stage.file("1.txt", "[1, [22], 3]\n");
    // A text that is not a list would crash it.
    stage.script(
        "target.sh",
        "text=$(cat \"$1\")
        case $text in '['*']') ;; *) kill -SEGV $$ ;; esac
        case $text in *'[['*) echo nested ;; esac >\"$NUBBIN_COVERAGE\"
        case $text in *'[]'*) echo empty ;; esac >>\"$NUBBIN_COVERAGE\"
        case $text in *,*) echo several ;; esac >>\"$NUBBIN_COVERAGE\"",
    );
    let args = "generate population 1.txt -g Lists.g4 -o out --seed 1 --max-tests 200 \
                -- ./target.sh {}";
    let ran = stage.run(args.split_whitespace()).ended(0);
    ran.said(&[
        "3 parts of the program covered",
        "3 inputs of 11 bytes, 1 outcome",
    ]);
    let files = std::fs::read_dir(stage.path("out")).unwrap();
    let mut found: Vec<String> = files
        .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
        .collect();
    found.sort();
    assert_eq!(found, ["[0,0]", "[[]]", "[]"]);
}

#[test]
fn a_limit_of_tokens_closes_texts() {
    let stage = Stage::new();
    stage.file("Lists.g4", LISTS);
    let longest = |more: &str| {
        let args = "generate grammar -g Lists.g4 -n 200 --algorithm limit-fuzzer --max-depth 30";
        let args = args.split(' ').chain(more.split_whitespace());
        let texts = stage.run(args).ended(0).stdout;
        let brackets = texts.lines().map(|line| line.matches('[').count());
        brackets.max().unwrap_or(0)
    };
    // A list that has begun gets no item at the limit, but one that a comma asks for.
    assert!(longest("--max-tokens 10") <= 10);
    assert!(longest("") > 10);
}

const BLOCKS: &str = "grammar Blocks;
file : decl* EOF ;
decl : 'class' ID '{' decl* '}' | 'def' ID '(' (ID (',' ID)*)? ')' block ;
block : '{' stmt* '}' ;
stmt : block | ID '=' e ';' | 'if' '(' e ')' stmt ;
e : e '*' e | e '+' e | '(' e ')' | ID ;
ID : [a-z]+ ;
WS : [ \\n]+ -> skip ;
";

/// A bracket is missing in the second function, and after it the end of the class.
fn broken() -> Stage {
    let stage = Stage::new();
    stage.file("Blocks.g4", BLOCKS);
    let other = "  def other(p, q) { p = q * (p + q); if (p) { q = p; } }\n".repeat(20);
    let broken = "  def broken(a) { b = a; if (crash + a { b = c; } c = b; }\n";
    stage.file("in.txt", format!("class big {{\n{other}{broken}{other}"));
    stage
}

#[test]
fn a_text_with_a_syntax_error_is_reduced_by_its_islands() {
    let stage = broken();
    let run = |more: &str| {
        let args = format!("reduce in.txt -o out.txt -j 1 -g Blocks.g4 {more} --test ./fails");
        stage.run(args.split(' '))
    };
    stage.script("fails", "tr -d ' \\n' < in.txt | grep -qF '(crash+a{'");
    run("--algorithm hdd").ended(5).said(&[
        "`in.txt` does not fit <file>",
        "line 22, column 40",
        "hint: `--island` keeps what does not fit as deletable text",
    ]);
    run("--algorithm auto --max-tests 10")
        .said(&["it is reduced without its tree", "`--island` keeps"]);
    let without = |text: String| text.replace([' ', '\n'], "");
    for algorithm in ["hdd", "hdd-star", "perses", "pardis", "gtr"] {
        run(&format!("--island --algorithm {algorithm}"))
            .ended(0)
            .said(&["`in.txt` does not fit <file>, so 25 of its 2,351 bytes are outside islands"]);
        assert_eq!(without(stage.text("out.txt")), "(crash+a{}", "{algorithm}");
    }
    // What fits is reduced as without the flag.
    stage.file("in.txt", "class a { def f(x) { x = crash; } } class b { }");
    stage.script("fails", "grep -q crash in.txt");
    run("--algorithm hdd").ended(0);
    let expected = stage.text("out.txt");
    let ran = run("--algorithm hdd --island").ended(0);
    assert_eq!(stage.text("out.txt"), expected);
    assert!(!ran.stderr.contains("does not fit"), "{}", ran.stderr);
}

#[test]
fn the_tree_of_a_text_with_a_syntax_error_is_shown() {
    let stage = broken();
    let parse = ["grammar", "parse", "-g", "Blocks.g4", "in.txt"];
    let hint = "hint: `--island` keeps what does not fit as deletable text";
    stage.run(parse).ended(5).said(&[hint]);
    let said = "`in.txt` does not fit <file>, so 25 of its 2,351 bytes are outside islands";
    let ran = stage.run(parse.iter().chain(&["--island"])).ended(0);
    let ran = ran.said(&[said]);
    let errors = ran.stdout.matches("error").count();
    // The file, its class, the function, its body, and the condition.
    assert_eq!(errors, 5, "{}", ran.stdout);
    stage
        .run(["grammar", "parse", "--island", "in.txt"])
        .ended(2)
        .said(&["--grammar"]);
    stage
        .run(parse.iter().chain(&["--island", "--all"]))
        .ended(2)
        .said(&["cannot be used with"]);
}

#[test]
fn a_run_resumes_with_islands() {
    let stage = broken();
    let run = |more: &str| {
        let args = format!(
            "reduce in.txt -j 1 --max-tests 12 -g Blocks.g4{more} --algorithm auto -- grep -q crash in.txt"
        );
        stage.run(args.split(' ')).stderr
    };
    run("");
    // The trees decide what is tested, and verdicts do not depend on them.
    let said = run(" --island");
    assert!(said.contains("resuming: "), "{said}");
}
