//! `nubbin grammar` and `nubbin generate grammar`.

use crate::stage::Stage;

const SUMS: &str = "<sum> ::= <number> | <sum> ' + ' <number>\n<number> ::= [0-9]+\n";

fn stage() -> Stage {
    let stage = Stage::new();
    stage.file("sums.bnf", SUMS);
    stage
}

#[test]
fn a_text_is_shown_as_a_tree() {
    let stage = stage();
    stage.file("in.txt", "1 + 23");
    let tree = |format: &str| {
        let args = [
            "grammar", "parse", "-g", "sums.bnf", "--format", format, "in.txt",
        ];
        stage.run(args).ended(0).stdout
    };
    assert!(
        tree("tree").starts_with("<sum>\n  <sum> › <number>"),
        "{}",
        tree("tree")
    );
    let dot = tree("dot");
    assert!(
        dot.starts_with("digraph") && dot.contains("n0 -> n1;"),
        "{dot}"
    );
    let svg = tree("svg");
    assert!(
        svg.starts_with("<svg ") && svg.contains("&lt;sum&gt;"),
        "{svg}"
    );
    assert!(svg.contains("prefers-color-scheme: dark") && svg.ends_with("</svg>\n"));
}

/// The counts and subtrees of the Fuzzing Book's `number_of_nodes`, `max_height`, and
/// `subtrees_with_symbol`.
#[test]
fn nodes_are_counted_and_subtrees_listed_as_in_the_book() {
    let stage = Stage::new();
    let grammar = "<start> ::= <expr>\n<expr> ::= <term> ' + ' <expr> | <term>\n\
        <term> ::= <factor> ' * ' <term> | <factor>\n\
        <factor> ::= '(' <expr> ')' | <integer>\n<integer> ::= <digit> <integer> | <digit>\n\
        <digit> ::= [0-9]\n";
    stage.file("expr.bnf", grammar);
    stage.file("in.txt", "1 + (2 * 3)");
    let parse = |more: &str| {
        let args = format!("grammar parse -g expr.bnf in.txt {more}");
        stage.run(args.split(' '))
    };
    assert_eq!(parse("--count").ended(0).stdout, "25 nodes on 12 levels\n");
    let rows = |more: &str| {
        let table = parse(more).ended(0).stdout;
        let rows = table.lines().skip(1);
        let words = rows.map(|row| row.split_whitespace().collect::<Vec<_>>().join(" "));
        words.collect::<Vec<String>>()
    };
    let all = ["5 5 2 1", "16 9 3 (2 * 3)", "11 6 6 2 * 3", "5 5 7 3"];
    assert_eq!(rows("--subtrees term"), all);
    assert_eq!(rows("--subtrees <term> --depth 2"), all[..1]);
    assert_eq!(rows("--subtrees term --depth 3"), all[1..2]);
    assert!(rows("--subtrees term --depth 1").is_empty());
    parse("--subtrees tern")
        .ended(2)
        .said(&["the grammar has no rule <tern>", "did you mean <term>?"]);
    // A rule without text has an empty leaf.
    stage.file("expr.bnf", "<s> ::= 'a' <e>\n<e> ::= '' | 'b'\n");
    stage.file("in.txt", "a");
    assert_eq!(parse("--count").ended(0).stdout, "4 nodes on 3 levels\n");
}

#[test]
fn a_syntax_error_is_shown_in_its_line() {
    let stage = stage();
    stage.file("in.txt", "1 + \n2");
    stage
        .run(["grammar", "parse", "-g", "sums.bnf", "in.txt"])
        .ended(5)
        .said(&[
            "`in.txt` does not fit <sum>",
            "line 1, column 5",
            "\"0\" to \"9\"",
            "^",
        ]);
    stage.file("in.txt", "1 + 2\n");
    stage
        .run(["grammar", "parse", "-g", "sums.bnf", "in.txt"])
        .ended(5)
        .said(&["hint: the input fits except for the line feed"]);
    stage
        .run(["grammar", "parse", "-g", "sums.bnf", "missing.txt"])
        .ended(5)
        .said(&["cannot read `missing.txt`"]);
    stage
        .run([
            "grammar", "parse", "-g", "sums.bnf", "--start", "numbre", "in.txt",
        ])
        .ended(5)
        .said(&["unknown rule `numbre`, did you mean `number`?"]);
}

#[test]
fn all_trees_of_an_ambiguous_text_are_shown() {
    let stage = Stage::new();
    stage.file("g.bnf", "<s> ::= <s> <s> | 'a'\n");
    stage.file("in.txt", "aaa");
    let ran = stage
        .run(["grammar", "parse", "-g", "g.bnf", "--all", "in.txt"])
        .ended(0);
    assert!(
        ran.stdout.contains("tree 2 of 2") && ran.stderr.is_empty(),
        "{}",
        ran.stdout
    );
    stage.file("in.txt", "a".repeat(12));
    stage
        .run([
            "grammar",
            "parse",
            "-g",
            "g.bnf",
            "--all",
            "--max-trees",
            "3",
            "in.txt",
        ])
        .ended(0)
        .said(&["there may be more than 3 trees"]);
    stage.file("in.txt", "a".repeat(5000));
    stage
        .run([
            "grammar",
            "parse",
            "-g",
            "g.bnf",
            "--max-memory",
            "2",
            "in.txt",
        ])
        .ended(5)
        .said(&["too ambiguous", "more than 2 MiB", "--max-memory"]);
    stage
        .run([
            "grammar",
            "parse",
            "-g",
            "g.bnf",
            "--max-steps",
            "1000",
            "in.txt",
        ])
        .ended(5)
        .said(&["too ambiguous: 1000 steps", "of 5000", "--max-steps"]);
}

#[test]
fn a_grammar_is_checked() {
    let stage = stage();
    let ran = stage.run(["grammar", "check", "sums.bnf"]).ended(0);
    assert!(
        ran.stdout.contains("<sum> is left-recursive"),
        "{}",
        ran.stdout
    );
    stage.file("bad.bnf", "<sum> ::= <numbr> | 'x'\n<number> ::= 'y'\n");
    let ran = stage.run(["grammar", "check", "bad.bnf"]).ended(5);
    for word in [
        "error: <numbr> is not defined, did you mean <number>?",
        "<number> is not reachable from <sum>",
        "1 error",
    ] {
        assert!(ran.stdout.contains(word), "{word} in {}", ran.stdout);
    }
    let ran = stage
        .run(["grammar", "check", "--json", "bad.bnf"])
        .ended(5);
    let found: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(found[0]["kind"], "undefined");
    stage.file("bad.bnf", "<sum> ::= 'x\n");
    stage.run(["grammar", "check", "bad.bnf"]).ended(5).said(&[
        "cannot use the grammar `bad.bnf`",
        "line 1, column 11",
        "read as bnf",
    ]);
    stage.file("bad.bnf", b"\xff\xfe");
    stage
        .run(["grammar", "check", "bad.bnf"])
        .ended(5)
        .said(&["UTF-8"]);
}

#[test]
fn grammars_are_converted_between_notations() {
    let stage = stage();
    stage.file("in.txt", "1 + 23");
    for format in [
        "fuzzing-book",
        "fuzzing-book-lists",
        "bnf",
        "iso-ebnf",
        "w3c-ebnf",
    ] {
        let converted = stage
            .run(["grammar", "convert", "sums.bnf", "--to", format])
            .ended(0);
        stage.file("other", converted.stdout);
        stage
            .run(["grammar", "parse", "-g", "other", "in.txt"])
            .ended(0);
    }
    stage
        .run(["grammar", "convert", "sums.bnf", "--to", "bnff"])
        .ended(2)
        .said(&["did you mean `bnf`?"]);
}

#[test]
fn generated_texts_fit_the_grammar() {
    let stage = stage();
    let generate = [
        "generate", "grammar", "-g", "sums.bnf", "-n", "12", "--unique", "-o", "out",
    ];
    for options in [
        vec!["--max-nonterminals", "5"],
        vec!["--algorithm", "limit-fuzzer", "--max-depth", "5"],
        vec!["--size", "100"],
    ] {
        stage.run(generate.iter().chain(&options)).ended(0);
        for i in 1..=12 {
            let name = format!("out/{i:04}.txt");
            stage
                .run(["grammar", "parse", "-g", "sums.bnf", &name])
                .ended(0);
        }
        // Existing files are not overwritten.
        stage
            .run(generate)
            .ended(6)
            .said(&["cannot write `out/0001.txt`", "never overwritten"]);
        std::fs::remove_dir_all(stage.path("out")).unwrap();
    }
}

#[test]
fn a_recording_replays_and_seeds_repeat() {
    let stage = stage();
    let generate = ["generate", "grammar", "-g", "sums.bnf", "--size", "40"];
    let more = ["-n", "3", "--seed", "7", "--record", "choices.jsonl"];
    let first = stage.run(generate.iter().chain(&more)).ended(0).stdout;
    let again = ["-n", "3", "--seed", "7"];
    assert_eq!(
        stage.run(generate.iter().chain(&again)).ended(0).stdout,
        first
    );
    let other = ["-n", "3", "--seed", "8"];
    assert_ne!(
        stage.run(generate.iter().chain(&other)).ended(0).stdout,
        first
    );
    let replay = ["--replay", "choices.jsonl"];
    assert_eq!(
        stage.run(generate.iter().chain(&replay)).ended(0).stdout,
        first
    );
    stage.file("choices.jsonl", "{\"choices\": [1, 2]}\nnonsense\n");
    stage
        .run(generate.iter().chain(&replay))
        .ended(5)
        .said(&["line 2 of `choices.jsonl` is not a recording"]);
}

#[test]
fn weights_are_given_or_learned() {
    let stage = Stage::new();
    stage.file("g.bnf", "<s> ::= 'a' | 'b' | 'c'\n");
    stage.file("weights.json", "{\"<s>\": [0, 1, 0]}");
    let generate = ["generate", "grammar", "-g", "g.bnf", "-n", "5"];
    let weighted = ["--weights", "weights.json"];
    assert_eq!(
        stage.run(generate.iter().chain(&weighted)).ended(0).stdout,
        "b\n".repeat(5)
    );
    stage.file("samples/1", "c");
    let learned = ["--learn", "samples"];
    assert_eq!(
        stage.run(generate.iter().chain(&learned)).ended(0).stdout,
        "c\n".repeat(5)
    );
    stage.file("samples/2", "d");
    let ran = stage.run(generate.iter().chain(&learned)).ended(0);
    let said = "1 of 2 files do not fit the grammar and are left out, `samples/2` first";
    assert_eq!(ran.said(&[said]).stdout, "c\n".repeat(5));
    stage.file("samples/1", "dd");
    stage.run(generate.iter().chain(&learned)).ended(5).said(&[
        "cannot learn from `samples/1`",
        "hint: none of the files fits",
    ]);
    stage.file("weights.json", "{\"<s>\": [1]}");
    stage
        .run(generate.iter().chain(&weighted))
        .ended(5)
        .said(&["`<s>` has 3 alternatives, but 1 weights are given"]);
}

#[test]
fn a_grammar_without_further_texts_is_reported() {
    let stage = Stage::new();
    stage.file("g.bnf", "<s> ::= 'a' | 'b'\n");
    let ran = stage
        .run(["generate", "grammar", "-g", "g.bnf", "-n", "5", "--unique"])
        .ended(0)
        .said(&["only 2 different inputs"]);
    assert_eq!(ran.stdout.len(), 4);
    stage.file("g.bnf", "<s> ::= 'a' <s>\n");
    stage
        .run(["generate", "grammar", "-g", "g.bnf"])
        .ended(5)
        .said(&["derives no text: none of its expansions ends"]);
}

/// Checks the example files of the repository against the program.
#[test]
fn the_examples_work_and_their_diagram_is_current() {
    let stage = Stage::new();
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/grammars");
    for name in [
        "expressions.json",
        "assignments.json",
        "numbers.bnf",
        "json.ebnf",
    ] {
        let path = format!("{examples}/{name}");
        let checked = stage.run(["grammar", "check", &path]).ended(0).stdout;
        assert!(checked.contains("0 warnings"), "{name}: {checked}");
        stage
            .run(["generate", "grammar", "-g", &path, "-n", "3", "-o", "out"])
            .ended(0);
        for i in 1..=3 {
            let made = format!("out/{i:04}.txt");
            stage.run(["grammar", "parse", "-g", &path, &made]).ended(0);
        }
        std::fs::remove_dir_all(stage.path("out")).unwrap();
    }
    let grammar = format!("{examples}/expressions.json");
    let text = format!("{examples}/expression.txt");
    let args = ["grammar", "parse", "-g", &grammar, "--format", "svg", &text];
    let picture = stage.run(args).ended(0).stdout;
    let kept = std::fs::read_to_string(format!("{examples}/expression.svg")).unwrap();
    assert_eq!(
        picture, kept,
        "run the command again and look at the picture"
    );
}

#[test]
#[cfg_attr(not(feature = "languages"), ignore = "needs a language")]
fn the_language_of_a_file_is_detected() {
    let stage = Stage::new();
    stage.file("a.c", "int f(int a, int b);\n");
    let ran = stage.run(["grammar", "parse", "a.c"]).ended(0);
    assert!(ran.stderr.is_empty(), "{}", ran.stderr);
    let line = "· › <parameter_declaration>";
    assert_eq!(ran.stdout.matches(line).count(), 2, "{}", ran.stdout);
    let expected = "(…)? › <identifier> \"b\"";
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
    for (format, start) in [("dot", "digraph tree"), ("svg", "<svg ")] {
        let ran = stage.run(["grammar", "parse", "--format", format, "a.c"]);
        assert!(ran.ended(0).stdout.starts_with(start));
    }
    stage.file("script", "#!/usr/bin/env python3\nprint(1)\n");
    let ran = stage.run(["grammar", "parse", "script"]).ended(0);
    assert!(ran.stdout.starts_with("<module>"), "{}", ran.stdout);
}

#[test]
#[cfg_attr(not(feature = "languages"), ignore = "needs a language")]
fn a_language_can_be_named() {
    let stage = Stage::new();
    stage.file("a.c", "const x = 1;\n");
    let args = ["grammar", "parse", "--language", "JS", "a.c"];
    let ran = stage.run(args).ended(0);
    assert!(ran.stdout.starts_with("<program>"), "{}", ran.stdout);
    stage
        .run(["grammar", "parse", "--language", "pyhton", "a.c"])
        .ended(2)
        .said(&[
            "unknown language `pyhton`, did you mean `python`?",
            "nubbin grammar list",
        ]);
    stage.file("notes", "hello\n");
    stage
        .run(["grammar", "parse", "notes"])
        .ended(2)
        .said(&["cannot detect the language of `notes`", "--language"]);
    stage
        .run([
            "grammar",
            "parse",
            "--language",
            "c",
            "--grammar",
            "g.bnf",
            "a.c",
        ])
        .ended(2)
        .said(&["cannot be used with"]);
}

#[test]
#[cfg_attr(not(feature = "languages"), ignore = "needs a language")]
fn text_that_does_not_fit_a_language_is_reported_and_marked() {
    let stage = Stage::new();
    stage.file("a.py", "x = (1,\ny = 2\n\0\n");
    let ran = stage.run(["grammar", "parse", "a.py"]).ended(0);
    assert!(
        ran.stderr.contains("`a.py` does not fit python at"),
        "{}",
        ran.stderr
    );
    assert!(ran.stdout.contains("error"), "{}", ran.stdout);
}

#[test]
#[cfg_attr(not(feature = "languages"), ignore = "needs a language")]
fn languages_are_listed() {
    let stage = Stage::new();
    let ran = stage.run(["grammar", "list"]).ended(0);
    for word in ["cpp", "*.hpp", "tree-sitter-cpp", "also: py", "PKGBUILD"] {
        assert!(ran.stdout.contains(word), "{word} in {}", ran.stdout);
    }
    let ran = stage.run(["grammar", "list", "--json"]).ended(0);
    let listed: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let python = listed
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["language"] == "python");
    assert_eq!(python.unwrap()["aliases"][0], "py");
}

/// Returns the source folder of a parser that nubbin is built with.
fn parser_folder(name: &str) -> std::path::PathBuf {
    let cargo = |args: &[&str]| {
        let output = std::process::Command::new(env!("CARGO"))
            .args(args)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        let says = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{says}");
        String::from_utf8(output.stdout).unwrap()
    };
    let version = cargo(&["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    // The sources of built parsers are on this machine, unlike other packages of the lock file.
    let metadata = "metadata --format-version 1 --offline --locked --filter-platform";
    let args: Vec<&str> = metadata.split(' ').chain(host).collect();
    let metadata: serde_json::Value = serde_json::from_str(&cargo(&args)).unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let mut manifests = packages.filter(|package| package["name"] == name);
    let manifest = manifests.next().unwrap()["manifest_path"].as_str().unwrap();
    std::path::Path::new(manifest).parent().unwrap().join("src")
}

/// Makes a stage with a JSON parser as a library, its grammar, and a JSON file without the usual
/// extension.
fn stage_with_parser() -> Stage {
    let stage = Stage::new();
    let source = parser_folder("tree-sitter-json");
    let made = std::process::Command::new("cc")
        .args(["-shared", "-fPIC", "-O0", "-o"])
        .arg(stage.path("json.so"))
        .arg("-I")
        .arg(&source)
        .arg(source.join("parser.c"))
        .status()
        .unwrap();
    assert!(made.success());
    let grammar = std::fs::read(source.join("grammar.json")).unwrap();
    stage.file("grammar.json", grammar);
    stage.file("data.x", "[1, 2]");
    stage
}

#[test]
fn a_parser_can_be_loaded() {
    let stage = stage_with_parser();
    let args = |parser: &'static str, json: &'static str| {
        [
            "grammar",
            "parse",
            "--parser",
            parser,
            "--grammar-json",
            json,
            "data.x",
        ]
    };
    let ran = stage.run(args("json.so", "grammar.json")).ended(0);
    assert!(ran.stdout.starts_with("<document>"), "{}", ran.stdout);
    // The grammar of another parser, a file that is not a library, and a missing grammar are
    // errors.
    let other = std::fs::read(parser_folder("tree-sitter-c").join("grammar.json")).unwrap();
    let other =
        String::from_utf8(other)
            .unwrap()
            .replacen("\"name\": \"c\"", "\"name\": \"json\"", 1);
    stage.file("c.json", other);
    stage.run(args("json.so", "c.json")).ended(5).said(&[
        "cannot use `json.so` with `c.json`",
        "parser and grammar are of different versions",
    ]);
    stage
        .run(args("data.x", "grammar.json"))
        .ended(5)
        .said(&["cannot load the parser `data.x`", "cc -shared"]);
    stage
        .run(args("json.so", "data.x"))
        .ended(5)
        .said(&["cannot use the grammar `data.x`"]);
}

#[test]
fn a_loaded_parser_reduces() {
    let stage = stage_with_parser();
    let text = "[1, {\"a\": [2, 3], \"b\": {\"c\": [4, 88, 5]}}, 6]";
    stage.file("data.x", text);
    stage.script("test.sh", "grep -q 88 data.x");
    let reduce = |more: &[&'static str]| {
        let args = ["reduce", "data.x", "--test", "./test.sh", "--plain"];
        stage.run(args.iter().chain(more))
    };
    let parser = ["--parser", "json.so", "--grammar-json", "grammar.json"];
    let with = |more: &[&'static str]| reduce(&[&parser[..], more].concat());
    with(&["--algorithm", "coarse-hdd", "--stats", "stats.json"]).ended(0);
    assert_eq!(stage.text("data.min.x"), "[{\"b\":{\"c\":[88]}}]");
    let stats: serde_json::Value = serde_json::from_str(&stage.text("stats.json")).unwrap();
    let count = |name: &str| stats[name].as_u64().unwrap();
    // The tests of the original and of the result are not proposals.
    assert!(count("tests") - 2 < count("configurations"), "{stats}");
    with(&[]).ended(0);
    assert_eq!(stage.text("data.min.x"), "88");

    // Contradictory and missing flags are errors.
    reduce(&["--parser", "json.so"])
        .ended(2)
        .said(&["--grammar-json"]);
    with(&["--language", "c"])
        .ended(2)
        .said(&["cannot be used with"]);
    with(&["--algorithm", "ddmin"])
        .ended(2)
        .said(&["does not use a grammar"]);
    with(&["-o", "grammar.json"])
        .ended(2)
        .said(&["the result would overwrite the grammar `grammar.json`"]);
    reduce(&["--parser", "data.x", "--grammar-json", "grammar.json"])
        .ended(5)
        .said(&["cannot load the parser `data.x`", "cc -shared"]);
    reduce(&["--algorithm", "hdd", "--language", "none"])
        .ended(2)
        .said(&["`--parser LIBRARY` a tree-sitter parser"]);
    stage.file("data.x", "int main(void) { return 88; }");
    with(&[])
        .ended(0)
        .said(&["of `data.x` does not fit json: is that the parser for it?"]);
}

#[test]
fn regions_of_a_binary_file_are_listed() {
    let stage = Stage::new();
    stage.file("in.wav", b"RIFF\x16\0\0\0WAVEabcd\x01\0\0\0x\0data\0\0\0\0");
    let listed = stage.run(["grammar", "parse", "in.wav"]).ended(0).stdout;
    let rows: Vec<&str> = listed.lines().map(str::trim).collect();
    assert_eq!(rows[0], "RIFF, 30 bytes");
    assert!(rows.contains(&"12     10    chunk"), "{listed}");
    assert!(rows.contains(&"16      4      length 1"), "{listed}");
    let parse = |format| stage.run(["grammar", "parse", "in.wav", "--format", format]);
    let picture = parse("svg").ended(0).stdout;
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    assert!(
        picture.contains(">RIFF, 30 bytes</text>") && picture.contains(">length 1</text>"),
        "{picture}"
    );
    // The bar of the first chunk is 10 of 30 bytes of 280 pixels.
    assert!(picture.contains("width=\"93.3\""), "{picture}");
    parse("dot")
        .ended(2)
        .said(&["`in.wav` has regions, but no tree", "--format svg"]);
}

#[test]
fn a_grammar_in_python_is_answered_with_the_command_that_converts_it() {
    let stage = stage();
    stage.file(
        "book.py",
        "def opts(**kwargs):\n    return kwargs\n\nSUMS = {\n    \"<start>\": [\"<d>+<start>\", (\"<d>\", opts(prob=0.5))],\n    \
         # digits\n    \"<d>\": [str(d) for d in range(10)],\n}\n",
    );
    let ran = stage.run(["grammar", "check", "book.py"]).ended(5);
    let ran = ran.said(&[
        "`book.py` is a program of Python",
        "nubbin reads fuzzing-book (JSON), fuzzing-book-lists (JSON), bnf, iso-ebnf, w3c-ebnf, antlr4",
    ]);
    // The command of the hint works.
    let line = ran.stderr.lines().find(|line| line.contains("python3 -c"));
    let line = line.unwrap().trim();
    stage.shell(line, None).ended(0);
    stage.file("in.txt", "1+2");
    let args = ["grammar", "parse", "-g", "book.json", "in.txt"];
    stage.run(args).ended(0);
    // Other grammars with an error are answered with all notations.
    stage.file("bad", "a = {");
    let ran = stage.run(["grammar", "check", "bad"]).ended(5);
    ran.said(&["read as iso-ebnf", "fuzzing-book (JSON)", "antlr4"]);
}
