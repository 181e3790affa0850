//! Real outputs of tools, in the folder `samples`, and the positions that they print.
//!
//! Each `NAME.txt` is the output of a tool of Debian 12 (or node 20, rustc 1.95, and tsc 5) for the
//! input of its row, in the locale C and in the folder `/tmp/test`.

use super::patterns::{WITH_PATH, WITHOUT_PATH, compiled};
use super::{PositionKind, find};
use nubbin_verdict::File;
use std::path::{Path, PathBuf};

/// The output, the input, and the positions: kind, line, and word.
type Sample = (&'static str, &'static str, &'static [&'static str]);

const SAMPLES: &[Sample] = &[
    (
        "g++",
        "gxx.cc",
        &[
            "error 12 keys",
            "warning 11 unused",
            "frame 6 (",
            "frame 10 (",
            "error 4 <",
        ],
    ),
    (
        "gcc",
        "c.c",
        &[
            "warning 3 \"",
            "error 4 used",
            "note 1 used",
            "warning 2 bad",
        ],
    ),
    (
        "gcc-stdin",
        "c.c",
        &["warning 3 \"", "error 4 used", "note 1 used"],
    ),
    ("gcc-markers", "inc.i", &["error 11 -"]),
    ("clang", "c.c", &["warning 3 x", "error 4 1", "note 1 used"]),
    (
        "clang++",
        "gxx.cc",
        &[
            "error 12 keys",
            "error 4 <",
            "frame 6 less",
            "frame 10 sort_all",
        ],
    ),
    ("clang-crash", "crash.c", &["frame 3 pragma", "frame 2 {"]),
    ("gfortran", "f.f90", &["error 3 \""]),
    ("rustc", "r.rs", &["error 4 &", "warning 7 unused"]),
    ("rust-panic", "panic.rs", &["error 2 values"]),
    ("go", "g.go", &["error 3 unused", "error 3 \""]),
    (
        "go-panic",
        "gp.go",
        &[
            "frame 3 func inner(values []int) int { return values[3] }",
            "frame 6 println(inner(nil))",
        ],
    ),
    (
        "javac",
        "J.java",
        &["error 3 static int broken() { return \"text\"; }"],
    ),
    (
        "java",
        "K.java",
        &[
            "frame 2 static int inner(String text) { return text.length(); }",
            "frame 3 public static void main(String[] args) { System.out.println(inner(null)); }",
        ],
    ),
    ("tsc", "t.ts", &["error 3 age", "error 5 name"]),
    (
        "tsc-pretty",
        "t.ts",
        &["error 3 age", "error 5 name", "note 1 name"],
    ),
    (
        "node",
        "n.js",
        &[
            "error 2 return value.missing.name;",
            "frame 2 name",
            "frame 4 inner",
        ],
    ),
    (
        "node-syntax",
        "ns.js",
        &["error 3 static read(other) { return other.#missing }"],
    ),
    ("node-module", "Esm.mjs", &["frame 1 new", "frame 2 inner"]),
    (
        "python",
        "p.py",
        &[
            "frame 7 outer()",
            "frame 5 return inner({})",
            "frame 2 return values[\"missing\"]",
        ],
    ),
    ("python-syntax", "ps.py", &["frame 2 nonlocal missing"]),
    (
        "python-warning",
        "w.py",
        &["warning 2 warnings.warn(\"old\", DeprecationWarning, stacklevel=1)"],
    ),
    (
        "php",
        "h.php",
        &[
            "warning 5 echo $undefined;",
            "error 3 return $x->missing();",
            "frame 6 inner(null);",
        ],
    ),
    (
        "php-lint",
        "hs.php",
        &["error 2 class A extends A { final abstract function f(); }"],
    ),
    (
        "ruby",
        "b.rb",
        &["error 2 x.missing", "frame 5 inner(nil)", "frame 7 outer"],
    ),
    ("ruby-syntax", "bs.rb", &["error 2 A = 1"]),
    ("perl", "l.pl", &["error 4 print $undeclared;"]),
    (
        "perl-confess",
        "lr.pl",
        &[
            "error 2 sub inner { Carp::confess(\"lost\") }",
            "frame 3 sub outer { inner(1) }",
            "frame 4 outer();",
        ],
    ),
    (
        "lua",
        "u.lua",
        &[
            "error 2 return x.missing",
            "frame 2 return x.missing",
            "frame 4 inner(nil)",
        ],
    ),
    ("luac", "us.lua", &["error 1 local x = = 1"]),
    ("sqlite3", "q.sql", &["error 3 SELECT missing FROM a;"]),
    ("z3", "z.smt2", &["error 2 missing"]),
    (
        "nasm",
        "m.asm",
        &["error 3 mov eax, [missing", "error 4 bogus eax"],
    ),
    ("yasm", "m.asm", &["error 3 mov eax, [missing"]),
    ("iverilog", "v.v", &["error 4 inner one(.a(x), .c(y));"]),
    ("latex", "x.tex", &["error 4 \\missing"]),
    ("latex-file-line", "x.tex", &["error 4 \\missing"]),
    ("json-python", "j.json", &["error 2 ,"]),
    ("json-jq", "j.json", &["error 2 ,"]),
    ("xmllint", "x.xml", &["error 2 <b></c>"]),
    ("xml-python", "x.xml", &["error 2 /"]),
    ("tclsh", "t.tcl", &["error 4 inner 1"]),
    ("bash", "e.sh", &["error 3 }"]),
    ("dash", "e.sh", &["error 3 }"]),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/positions/samples")
}

fn found(name: &str, output: &[u8], text: &[u8], wanted: &[&regex::bytes::Regex]) -> Vec<String> {
    let name = Path::new(name);
    let file = File { name, bytes: text };
    let positions = find(output, [&file], wanted);
    let shown = positions.iter().map(|position| {
        let line = text[..position.range.start]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count()
            + 1;
        let kind = match position.kind {
            PositionKind::Error => "error",
            PositionKind::Frame => "frame",
            PositionKind::Warning => "warning",
            PositionKind::Note => "note",
        };
        format!(
            "{kind} {line} {}",
            String::from_utf8_lossy(&text[position.range.clone()])
        )
    });
    shown.collect()
}

#[test]
fn every_form_is_a_regular_expression() {
    for row in WITH_PATH.iter().chain(WITHOUT_PATH) {
        assert!(compiled(row).is_some(), "{}", row.tools);
    }
}

#[test]
fn positions_in_the_outputs_of_tools_are_found() {
    let mut wrong = String::new();
    for (output, input, expected) in SAMPLES {
        let text = std::fs::read(folder().join(input)).unwrap();
        let printed = std::fs::read(folder().join(format!("{output}.txt"))).unwrap();
        let found = found(input, &printed, &text, &[]);
        if found != *expected {
            wrong += &format!("    (\"{output}\", \"{input}\", &{found:?}),\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn the_path_may_be_relative_absolute_or_of_a_copy() {
    let text = b"int a;\nint b;\n";
    let print = |path: &str| format!("{path}:2:5: error: no\n");
    for path in [
        "src/a.c",
        "./src/a.c",
        "/tmp/slot/0/src/a.c",
        "/tmp/copy/a.c",
        "<stdin>",
        "-",
    ] {
        let found = found("src/a.c", print(path).as_bytes(), text, &[]);
        assert_eq!(found, ["error 2 b"], "{path}");
    }
    assert!(found("src/a.c", print("src/other.c").as_bytes(), text, &[]).is_empty());
    assert!(
        found(
            "src/a.c",
            b"src/a.c:3:1: error: behind the end\n",
            text,
            &[]
        )
        .is_empty()
    );
}

#[test]
fn of_two_files_with_one_name_the_path_says_which() {
    let files = ["a/x.c", "b/x.c"].map(|name| File {
        name: Path::new(name),
        bytes: b"int a;\n",
    });
    let of = |output: &str| find(output.as_bytes(), &files, &[]);
    let found = of("/tmp/0/b/x.c:1:5: error: no\n");
    assert_eq!(
        found
            .iter()
            .map(|position| position.file)
            .collect::<Vec<_>>(),
        [1]
    );
    assert!(of("/tmp/x.c:1:5: error: no\n").is_empty());
    assert!(of("<stdin>:1:5: error: no\n").is_empty());
}

#[test]
fn messages_that_a_condition_asks_for_are_the_errors() {
    let text = b"int a;\nint b;\nint c;\n";
    let output = "x.c:1:5: error: one\nx.c:2:5: warning: two [-Wx]\nx.c:3:5: note: three\n";
    let regex = regex::bytes::Regex::new("two .-Wx").unwrap();
    let with = found("x.c", output.as_bytes(), text, &[&regex]);
    assert_eq!(with, ["error 2 b", "note 3 c"]);
    // A word that no message has, or that all have, changes nothing.
    for other in ["nowhere", "x.c"] {
        let other = regex::bytes::Regex::new(other).unwrap();
        let without = found("x.c", output.as_bytes(), text, &[&other]);
        assert_eq!(without, ["error 1 a", "warning 2 b", "note 3 c"]);
        let both = found("x.c", output.as_bytes(), text, &[&other, &regex]);
        assert_eq!(both, with);
    }
}

#[test]
fn steps_belong_to_all_errors_in_one_place() {
    let text = b"int a;\nint b;\nint c;\nint d;\n";
    let steps = "x.c: In instantiation of 'f':\nx.c:4:5:   required from here\n";
    let errors = "x.c:1:5: error: one\nx.c:2:5: error: two\n";
    let regex = regex::bytes::Regex::new("two").unwrap();
    let output = format!("{steps}{errors}");
    let with = found("x.c", output.as_bytes(), text, &[&regex]);
    assert_eq!(with, ["frame 4 d", "error 2 b"]);
    let output = format!("{steps}x.c:3:5: error: other\nx.c: In function 'g':\n{errors}");
    let without = found("x.c", output.as_bytes(), text, &[&regex]);
    assert_eq!(without, ["error 2 b"]);
}

#[test]
fn positions_without_a_path_count_where_no_message_has_one() {
    let text = b"{\"a\":\n 1,}\n";
    let output = b"x.json:1:2: error: no\nparse error at line 2, column 4\n";
    assert_eq!(found("x.json", output, text, &[]), ["error 1 \""]);
    assert_eq!(
        found("x.json", b"error at offset 8", text, &[]),
        ["error 2 ,"]
    );
    assert_eq!(found("x.json", b"error at offset 99", text, &[]), [""; 0]);
}

#[test]
fn a_crash_in_a_pass_is_where_the_function_is() {
    let text = b"static int f(int a) { return a; }\nint other(int f) { return f; }\n\
                 int g(void) { return f (1); }\nint last;\n";
    for quotes in [["'", "'"], ["\u{2018}", "\u{2019}"]] {
        let [open, close] = quotes;
        let output = format!(
            "during GIMPLE pass: ssa\nx.c: In function {open}f{close}:\n\
             x.c:4:1: internal compiler error: Segmentation fault\n"
        );
        let found = found("x.c", output.as_bytes(), text, &[]);
        assert_eq!(found, ["error 1 f", "error 3 f", "error 4 int"]);
    }
}
