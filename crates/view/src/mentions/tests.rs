use super::*;

fn input(files: &[(&str, &str)]) -> Input {
    let files = files.iter().map(|&(name, text)| (name, text.into()));
    Input::files(files).unwrap()
}

/// The names of the files that the first file names, and the texts to remove with each.
fn named(files: &[(&str, &str)]) -> Vec<(String, Vec<String>)> {
    let input = input(files);
    let mentions = Mentions::of(&input);
    let first = mentions.pairs().filter(|(file, _)| *file == 0);
    let text = |span: &Span| String::from_utf8_lossy(&input.bytes()[span.range()]).into_owned();
    first
        .map(|(_, target)| {
            let name = input.file(target).unwrap().name;
            let spans = mentions.without(&input, |file| file == target);
            (
                name.to_str().unwrap().into(),
                spans.iter().map(text).collect(),
            )
        })
        .collect()
}

fn is(found: &[(String, Vec<String>)], expected: &[(&str, &[&str])]) {
    let found: Vec<(&str, Vec<&str>)> = found
        .iter()
        .map(|(name, texts)| (name.as_str(), texts.iter().map(String::as_str).collect()))
        .collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|(name, texts)| (*name, texts.to_vec()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn imports_of_many_languages_name_files() {
    let c = "#include \"../lib/a.h\"\n#include <stdio.h>\nint x;\n";
    is(
        &named(&[("src/main.c", c), ("lib/a.h", ""), ("other/b.h", "")]),
        &[("lib/a.h", &["#include \"../lib/a.h\"\n"])],
    );
    let python = "import os\nfrom app.part import one, two\nfrom .beside import Thing\nx\n";
    let files = [
        ("app/main.py", python),
        ("app/part/__init__.py", ""),
        ("app/part/one.py", ""),
        ("app/part/two.py", ""),
        ("app/beside.py", ""),
    ];
    is(
        &named(&files),
        &[
            ("app/part/one.py", &["one, "]),
            ("app/part/two.py", &[", two"]),
            ("app/beside.py", &["from .beside import Thing\n"]),
        ],
    );
    let script =
        "import {\n  A,\n} from './lib/a';\nexport * from \"../b\";\nconst c = require('./c');\n";
    is(
        &named(&[
            ("src/x.ts", script),
            ("src/lib/a.ts", ""),
            ("b.ts", ""),
            ("src/c.js", ""),
        ]),
        &[
            ("src/lib/a.ts", &["import {\n  A,\n} from './lib/a';\n"]),
            ("b.ts", &["export * from \"../b\";\n"]),
            ("src/c.js", &["const c = require('./c');\n"]),
        ],
    );
    let rust = "mod a;\npub mod b;\nuse crate::c::{Thing, Other};\nfn main() {}\n";
    is(
        &named(&[
            ("src/main.rs", rust),
            ("src/a.rs", ""),
            ("src/b/mod.rs", ""),
            ("src/c.rs", ""),
        ]),
        &[
            ("src/a.rs", &["mod a;\n"]),
            ("src/b/mod.rs", &["pub mod b;\n"]),
            ("src/c.rs", &["use crate::c::{Thing, Other};\n"]),
        ],
    );
    let java = "package p;\nimport q.r.Thing;\nclass A {}\n";
    is(
        &named(&[("p/A.java", java), ("q/r/Thing.java", "")]),
        &[("q/r/Thing.java", &["import q.r.Thing;\n"])],
    );
}

#[test]
fn an_entry_of_a_build_goes_with_its_file() {
    let database = "[\n  {\"file\": \"src/a.c\", \"command\": \"cc src/a.c\"},\n  {\"file\": \"src/b.c\"}\n]\n";
    is(
        &named(&[
            ("compile_commands.json", database),
            ("src/a.c", ""),
            ("src/b.c", ""),
        ])[..1],
        &[(
            "src/a.c",
            &["{\"file\": \"src/a.c\", \"command\": \"cc src/a.c\"},\n  "],
        )],
    );
    let make =
        "OBJS = a.o b.o \\\n  c.o\nall: $(OBJS)\na.o: a.c a.h\n\tcc -c a.c\n\techo\nclean:\n";
    let found = named(&[
        ("Makefile", make),
        ("a.c", ""),
        ("b.c", ""),
        ("a.h", ""),
        ("c.c", ""),
    ]);
    assert_eq!(
        found[0].1[..2],
        [" a.o", "a.o: a.c a.h\n\tcc -c a.c\n\techo\n"]
    );
    assert_eq!(found[1], ("b.c".into(), vec![" b.o".to_owned()]));
    assert_eq!(found[2], ("c.c".into(), vec!["  c.o".to_owned()]));
    let cargo = "[workspace]\nmembers = [\"one\", \"two\"]\n";
    is(
        &named(&[
            ("Cargo.toml", cargo),
            ("one/Cargo.toml", ""),
            ("two/Cargo.toml", ""),
        ]),
        &[
            ("one/Cargo.toml", &["\"one\", "]),
            ("two/Cargo.toml", &[", \"two\""]),
        ],
    );
    let package = "{\"dependencies\": {\n  \"one\": \"^1.0\",\n  \"@a/two\": \"2\"\n}}";
    is(
        &named(&[
            ("package.json", package),
            ("node_modules/one/package.json", ""),
            ("node_modules/@a/two/package.json", ""),
            ("node_modules/two/package.json", ""),
        ]),
        &[
            ("node_modules/one/package.json", &["\"one\": \"^1.0\",\n  "]),
            (
                "node_modules/@a/two/package.json",
                &[",\n  \"@a/two\": \"2\""],
            ),
        ],
    );
    let cargo = "[features]\nx = [\"y\", \"dep:one\", \"two/z\"]\n[dependencies]\none = \"1\"\ntwo = { version = \"2\" }\n";
    is(
        &named(&[
            ("app/Cargo.toml", cargo),
            ("vendor/one/Cargo.toml", ""),
            ("vendor/two/Cargo.toml", ""),
            ("vendor/two/package.json", ""),
        ])[..2],
        &[
            ("vendor/one/Cargo.toml", &["\"dep:one\", ", "one = \"1\"\n"]),
            (
                "vendor/two/Cargo.toml",
                &[", \"two/z\"", "two = { version = \"2\" }\n"],
            ),
        ],
    );
    let page = "<p>\n<script src=\"a.js\"></script>\n<p>a long line about a.js and more\n";
    is(
        &named(&[("index.html", page), ("a.js", "")])[..1],
        &[("a.js", &["<script src=\"a.js\"></script>\n", " a.js"])],
    );
}

#[test]
fn an_ambiguous_or_foreign_name_names_no_file() {
    is(
        &named(&[
            ("c/y.tex", "\\input{part.tex}"),
            ("a/part.tex", ""),
            ("b/part.tex", ""),
        ]),
        &[],
    );
    is(
        &named(&[("x.py", "import self\nimport numpy\n"), ("y.py", "")]),
        &[],
    );
    is(
        &named(&[("a.c", "a.c\n#include \"a.c\"\n"), ("b.c", "")]),
        &[],
    );
}

#[test]
fn any_bytes_are_searched() {
    let odd = "\u{0}\u{ff}/./../a.h: \\\n\t{[\"a.h\",]} import . from";
    let files = [
        ("a.h", odd),
        ("b/Makefile", odd),
        ("c.json", odd),
        ("d", "\n\n"),
    ];
    let input = input(&files);
    let mentions = Mentions::of(&input);
    for span in mentions.without(&input, |_| true) {
        assert!(!span.is_empty() && span.end as usize <= input.bytes().len());
    }
}
