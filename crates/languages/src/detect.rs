//! Detection of the language of a text, by its file name, its first line, and its content.

use crate::catalogue::{self, Entry};

/// The number of bytes of a text that are examined.
const LOOKED_AT: usize = 1 << 16;

/// Returns the language of a text, or `None` if it is not clear or the file is not a
/// text.
///
/// The name of the file is tried first, then the first line, then the content. By its content, JSON
/// is recognized by its syntax, and another language by lines that only this language has. The
/// content is not used if the extension (`a.pl`) or the first line (`#!/usr/bin/perl`)
/// names a language that is not built in: the trees of a similar language would cost tests without
/// a gain. The text is not parsed.
pub fn detect(name: Option<&str>, text: &[u8]) -> Option<&'static Entry> {
    let head = &text[..text.len().min(LOOKED_AT)];
    let head = String::from_utf8_lossy(head);
    let head = head.trim_start_matches('\u{feff}');
    if is_binary(head) {
        return None;
    }
    let named = name.and_then(by_name);
    match named {
        // A header counts as C, unless its content is in another language.
        Some(entry) if entry.id == "c" && name.is_some_and(is_header) => {
            let cpp = catalogue::named("cpp");
            cpp.filter(|_| is_cpp(head)).or(named)
        }
        Some(_) => named,
        None => match by_first_line(head) {
            Some(named) => named,
            None if name.is_some_and(is_of_another) => by_syntax(head),
            None => by_syntax(head).or_else(|| by_lines(head)),
        },
    }
}

/// Extensions that may follow the name of a file of any language, as in `a.c.orig`.
const BEHIND: [&str; 6] = ["in", "orig", "bak", "old", "reduced", "txt"];

/// Further extensions that say nothing about the language of a file.
const NEUTRAL: [&str; 17] = [
    "bin", "case", "crash", "dat", "data", "fuzz", "input", "log", "min", "out", "poc", "raw",
    "repro", "sample", "seed", "test", "testcase",
];

/// Returns whether a name that no language has ends with the extension of some other language.
fn is_of_another(name: &str) -> bool {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return false;
    };
    // The number of a run or of a manual page is not an extension.
    !stem.is_empty()
        && extension.starts_with(|c: char| c.is_ascii_alphabetic())
        && extension.len() <= 10
        && extension.chars().all(|c| c.is_ascii_alphanumeric())
        && !BEHIND
            .iter()
            .chain(&NEUTRAL)
            .any(|word| extension.eq_ignore_ascii_case(word))
}

/// Returns whether more than one character in ten is a control character or was no UTF-8.
///
/// A few of them do not make a source file binary. A parser takes many times as long for a file
/// that has nothing of its language as for source code, and its tree says nothing.
fn is_binary(head: &str) -> bool {
    let is_odd = |c: &char| {
        *c == char::REPLACEMENT_CHARACTER || c.is_control() && !"\n\r\t\x0c".contains(*c)
    };
    head.chars().filter(is_odd).count() * 10 > head.chars().count()
}

/// Returns the language for a file name.
///
/// If no pattern matches, the case of letters is ignored. If there is still no match, an extension
/// such as `.in`, `.orig`, or `.bak` is removed.
pub fn by_name(name: &str) -> Option<&'static Entry> {
    let mut name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    loop {
        let find = |fits: &dyn Fn(&str) -> bool| {
            catalogue::all().find(|entry| entry.files.iter().any(|pattern| fits(pattern)))
        };
        let exact = find(&|pattern| match pattern.strip_prefix('*') {
            Some(end) => name.len() > end.len() && name.ends_with(end),
            None => name == pattern,
        });
        let found = exact.or_else(|| {
            let lower = name.to_ascii_lowercase();
            find(&|pattern| match pattern.strip_prefix('*') {
                Some(end) => lower.len() > end.len() && lower.ends_with(end),
                None => name.eq_ignore_ascii_case(pattern),
            })
        });
        if found.is_some() {
            return found;
        }
        let without = |end: &&str| name.strip_suffix(end)?.strip_suffix('.');
        name = name
            .strip_suffix('~')
            .or_else(|| BEHIND.iter().find_map(without))?;
    }
}

fn is_header(name: &str) -> bool {
    name.ends_with(".h") || name.ends_with(".H")
}

/// Returns whether a header cannot be one of C.
fn is_cpp(text: &str) -> bool {
    let words = [
        "class ",
        "namespace ",
        "template",
        "public:",
        "private:",
        "protected:",
        "using ",
    ];
    text.contains("-*- C++ -*-")
        || text.lines().map(str::trim_start).any(|line| {
            let found = words.iter().find(|word| line.starts_with(**word));
            found.is_some() && !line.contains('*')
        })
}

/// Returns the language that a `#!` line, an editor's mode line, or a typical beginning names, or
/// `None` if the text has none of these. The inner value is `None` if the language is not built in.
fn by_first_line(text: &str) -> Option<Option<&'static Entry>> {
    let line = text.lines().next().unwrap_or_default();
    if let Some(command) = line.strip_prefix("#!") {
        let mut words = command.split_whitespace();
        let mut program = words.next()?.rsplit('/').next()?;
        if program == "env" {
            // Options and assignments come before the program.
            program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
            program = program.rsplit('/').next()?;
        }
        let bare = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        return Some(catalogue::all().find(|entry| {
            let mut programs = entry.programs.iter();
            programs.any(|known| *known == program || *known == bare)
        }));
    }
    if let Some((_, rest)) = line.split_once("-*-")
        && let Some((mode, _)) = rest.split_once("-*-")
    {
        let mode = mode.split(';').find_map(|part| match part.split_once(':') {
            Some((key, value)) => (key.trim().eq_ignore_ascii_case("mode")).then(|| value.trim()),
            None => Some(part.trim()),
        });
        if let Some(mode) = mode {
            return Some(catalogue::named(mode));
        }
    }
    let start = text.trim_start();
    let begins = |word: &str| {
        let head = start.get(..word.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(word))
    };
    let beginnings = [
        ("<?xml", "xml"),
        ("<svg", "xml"),
        ("<!doctype html", "html"),
        ("<html", "html"),
        ("<?php", "php"),
        ("(set-logic", "smt-lib"),
        ("(set-info", "smt-lib"),
        ("(set-option", "smt-lib"),
        ("(declare-", "smt-lib"),
        ("<!doctype", "xml"),
    ];
    let (_, id) = beginnings.iter().find(|(word, _)| begins(word))?;
    // XHTML is both XML and HTML. Browsers and web tools read it as HTML.
    let page = *id == "xml" && start.lines().take(10).any(|line| line.contains("<html"));
    Some(catalogue::named(if page { "html" } else { id }))
}

/// The beginnings of lines that are common in one language and rare in most others.
const LINES: &[(&str, &[&str])] = &[
    (
        "c",
        &[
            "#include",
            "#define",
            "#ifdef",
            "#ifndef",
            "#endif",
            "int main(",
            "void ",
            "static ",
            "struct ",
            "typedef ",
            "unsigned ",
            "extern ",
            "char ",
            "int ",
            "goto ",
        ],
    ),
    (
        "cpp",
        &[
            "#include",
            "#define",
            "#ifndef",
            "#endif",
            "using namespace",
            "namespace ",
            "template",
            "class ",
            "public:",
            "private:",
            "std::",
            "int main(",
            "virtual ",
            "auto ",
            "static ",
            "struct ",
            "constexpr ",
            "using ",
            "inline ",
            "typename ",
            "void ",
            "bool ",
        ],
    ),
    (
        "rust",
        &[
            "fn ",
            "pub fn ",
            "use ",
            "impl",
            "let ",
            "let mut ",
            "pub struct ",
            "#[",
            "#![",
            "mod ",
            "pub mod ",
            "match ",
            "//!",
            "///",
            "unsafe ",
            "pub(",
            "pub use ",
            "macro_rules!",
            "} else",
            "struct ",
            "enum ",
        ],
    ),
    (
        "javascript",
        &[
            "function ",
            "var ",
            "let ",
            "const ",
            "module.exports",
            "export ",
            "'use strict'",
            "\"use strict\"",
            "console.",
            "import ",
            "async ",
            "});",
            "require(",
            "(function",
            "} else",
            "exports.",
            "return ",
            "});",
            "/**",
            "if (",
            "await ",
            "this.",
        ],
    ),
    (
        "typescript",
        &[
            "interface ",
            "export interface ",
            "export type ",
            "type ",
            "export declare ",
            "declare ",
            "import type ",
            "export enum ",
            "enum ",
            "readonly ",
            "namespace ",
            "export const ",
            "export ",
            "import ",
            "const ",
            "private ",
            "public ",
            "return ",
            "abstract ",
            "});",
            "export default ",
            "/**",
            "if (",
            "this.",
        ],
    ),
    (
        "tsx",
        &[
            "import ",
            "export const ",
            "export default ",
            "const ",
            "type ",
            "interface ",
            "return (",
            "<",
            "</",
            "/>",
            "{/*",
            ") : (",
            "export type ",
            "export ",
            "if (",
            "});",
            "/**",
            "onPress=",
            "onClick=",
            "style=",
            "className=",
        ],
    ),
    (
        "python",
        &[
            "def ",
            "import ",
            "from ",
            "class ",
            "if __name__",
            "elif ",
            "except",
            "try:",
            "else:",
            "\"\"\"",
            "self.",
            "@",
            "print(",
            "with ",
            "async def ",
            "# ",
            "return ",
            "pass",
        ],
    ),
    (
        "java",
        &[
            "package ",
            "import java",
            "public class ",
            "public ",
            "private ",
            "protected ",
            "@Override",
            "final ",
            "class ",
            "throw new ",
            "import static ",
            "public static ",
            "} else",
            "return ",
            "/**",
            "* @",
            "if (",
        ],
    ),
    (
        "go",
        &[
            "package ",
            "func ",
            "import (",
            "import \"",
            "type ",
            "defer ",
            "go func",
            "var ",
            "if err ",
            "return nil",
            "switch ",
            "//go:build",
            "} else",
            "for ",
            "case ",
            "return ",
        ],
    ),
    (
        "lua",
        &[
            "local ",
            "function ",
            "local function ",
            "end",
            "elseif ",
            "then",
            "--[[",
            "-- ",
            "until ",
            "require",
            "return ",
            "if ",
            "for ",
            "while ",
            "repeat",
        ],
    ),
    (
        "sql",
        &[
            "select ",
            "create table ",
            "insert into ",
            "drop table ",
            "alter table ",
            "create ",
            "from ",
            "where ",
            "delete from ",
            "update ",
            "begin;",
            "commit;",
            "-- ",
            "with ",
            "returns ",
            "language ",
            "grant ",
            "as $",
            "create function ",
            "set ",
            "drop ",
            "alter ",
        ],
    ),
    (
        "bash",
        &[
            "fi",
            "done",
            "esac",
            "export ",
            "echo ",
            "if [",
            "local ",
            "then",
            "case ",
            "exit ",
            "for ",
            "while ",
            "set -",
            "# ",
            "function ",
        ],
    ),
    (
        "css",
        &[
            "@media",
            "@import",
            ".",
            "#",
            "body",
            "color:",
            "margin",
            "padding",
            "font-",
            "background",
            "width:",
            "height:",
            "border",
            "display:",
        ],
    ),
    (
        "smt-lib",
        &[
            "(assert",
            "(declare-fun",
            "(declare-const",
            "(check-sat)",
            "(define-fun",
            "(push",
            "(pop",
            "(exit)",
            "(declare-datatypes",
            "(get-model)",
            "; ",
        ],
    ),
    (
        "html",
        &[
            "<div", "<head", "<body", "<p", "<a ", "<script", "<table", "</div", "<br", "<ul",
        ],
    ),
];

/// Returns the language of a text that fits the syntax of JSON.
fn by_syntax(text: &str) -> Option<&'static Entry> {
    let start = text.trim_start();
    let fits = start.starts_with(['{', '[']) && is_json(start);
    fits.then(|| catalogue::named("json")).flatten()
}

/// Returns the language with the largest number of kinds of typical lines, if it has at least two
/// and more than any other.
fn by_lines(text: &str) -> Option<&'static Entry> {
    let start = text.trim_start();
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let mut scores: Vec<(usize, usize, &str)> = LINES
        .iter()
        .filter(|(id, _)| catalogue::named(id).is_some())
        .map(|(id, beginnings)| {
            let ignore_case = *id == "sql";
            let begins = |line: &str, word: &str| match line.get(..word.len()) {
                Some(head) if ignore_case => head.eq_ignore_ascii_case(word),
                Some(head) => head == word,
                None => false,
            };
            let count = |word: &&str| lines.iter().filter(|line| begins(line, word)).count();
            let counts = beginnings.iter().map(count);
            let (kinds, all) = counts.fold((0, 0), |(kinds, all), count| {
                (kinds + usize::from(count > 0), all + count)
            });
            (kinds, all, *id)
        })
        .collect();
    scores.sort_unstable_by(|a, b| b.cmp(a));
    match scores[..] {
        [(kinds, all, id), (next, next_all, _), ..]
            if kinds >= 2 && (kinds, all) > (next, next_all) =>
        {
            catalogue::named(id)
        }
        _ if start.starts_with('<') && start.trim_end().ends_with('>') => catalogue::named("xml"),
        _ => None,
    }
}

/// Returns whether the examined part of a text is JSON.
fn is_json(text: &str) -> bool {
    let read = serde_json::from_str::<serde::de::IgnoredAny>(text);
    let cut = text.len() + 64 >= LOOKED_AT;
    match read {
        Ok(_) => true,
        // The text has several values, as in JSON Lines, or the examined part ends here.
        Err(error) => {
            (error.is_eof() && cut) || error.to_string().starts_with("trailing characters")
        }
    }
}

#[cfg(all(test, feature = "common-languages"))]
mod tests {
    use super::*;

    fn found(name: Option<&str>, text: &str) -> Option<&'static str> {
        detect(name, text.as_bytes()).map(|entry| entry.id)
    }

    #[test]
    fn file_names_decide_the_language() {
        let cases = [
            ("a.c", Some("c")),
            ("src/a.C", Some("cpp")),
            ("A.CPP", Some("cpp")),
            ("A.PY", Some("python")),
            ("x.d.ts", Some("typescript")),
            ("x.tsx", Some("tsx")),
            ("PKGBUILD", Some("bash")),
            ("config.json.in", Some("json")),
            ("case.rs.orig", Some("rust")),
            ("C:\\src\\a.java", Some("java")),
            (".c", None),
            ("noteson", None),
            ("a.txt", None),
        ];
        for (name, expected) in cases {
            assert_eq!(by_name(name).map(|entry| entry.id), expected, "{name}");
        }
    }

    #[test]
    fn headers_are_distinguished_by_their_content() {
        assert_eq!(found(Some("a.h"), "struct s { int x; };\n"), Some("c"));
        let cpp = "namespace n {\nclass c {\n public:\n  c();\n};\n}\n";
        assert_eq!(found(Some("a.h"), cpp), Some("cpp"));
        assert_eq!(found(Some("a.h"), "// class \n/* class * */\n"), Some("c"));
    }

    #[test]
    fn first_lines_decide_the_language() {
        let cases = [
            ("#!/usr/bin/env python3\n", Some("python")),
            ("#!/usr/bin/env -S A=1 node --x\n", Some("javascript")),
            ("#! /bin/sh -e\n", Some("bash")),
            ("#!/usr/bin/python2.7\n", Some("python")),
            ("#!/usr/bin/awk -f\n", None),
            ("#!/usr/bin/awk -f\nimport os\ndef f(x):\n  pass\n", None),
            (
                "# -*- mode: snobol -*-\nimport os\ndef f(x):\n  pass\n",
                None,
            ),
            (
                "# -*- coding: utf-8 -*-\nimport os\ndef f(x):\n  pass\n",
                Some("python"),
            ),
            ("#!", None),
            ("\u{feff}<?xml version='1.0'?>\n", Some("xml")),
            ("\n<!DOCTYPE HTML>", Some("html")),
            ("/* -*- mode: c++; x: y -*- */\n", Some("cpp")),
            ("# -*- Python -*-\n", Some("python")),
        ];
        for (text, expected) in cases {
            assert_eq!(found(None, text), expected, "{text}");
        }
    }

    #[test]
    fn a_file_that_is_no_text_has_no_language() {
        let mut random = 1_u32;
        let noise: Vec<u8> = std::iter::repeat_with(|| {
            random = random.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            (random >> 16) as u8
        })
        .take(1 << 17)
        .collect();
        assert!(detect(None, &noise).is_none());
        assert!(detect(Some("a.css"), &noise).is_none());
        // A stray byte does not matter.
        let css = detect(Some("a.css"), b"a { color: red } \x00 b { color: \xff }");
        assert_eq!(css.map(|entry| entry.id), Some("css"));
    }

    #[test]
    fn lines_do_not_decide_where_the_extension_is_of_another_language() {
        let python = "def f(x):\n  return x\nimport os\nclass C:\n  pass\n";
        let names = [
            (None, Some("python")),
            (Some("crash-1a2b"), Some("python")),
            (Some("id:000000,sig:06"), Some("python")),
            (Some("found.min"), Some("python")),
            (Some("found.7"), Some("python")),
            (Some("a.txt.orig"), Some("python")),
            (Some("a.gd"), None),
            (Some("dir.d/a.pl"), None),
            (Some("dir.d/a"), Some("python")),
        ];
        for (name, expected) in names {
            assert_eq!(found(name, python), expected, "{name:?}");
        }
        // The first line and a strict syntax outweigh the extension.
        assert_eq!(found(Some("a.cgi"), "#!/usr/bin/python3\n"), Some("python"));
        assert_eq!(found(Some("a.model"), "{\"a\": [1]}"), Some("json"));
    }

    #[test]
    fn clear_content_decides_the_language() {
        let cases = [
            ("{\"a\": [1, 2, {}]}\n", Some("json")),
            ("{\"a\": 1}\n{\"a\": 2}\n", Some("json")),
            (
                "def f(x):\n  return x\nimport os\nclass C:\n  pass\n",
                Some("python"),
            ),
            (
                "package main\nimport \"fmt\"\nfunc main() {\n  defer f()\n}\n",
                Some("go"),
            ),
            (
                "create table t (a int);\ninsert into t values (1);\nSELECT a\nFROM t\n",
                Some("sql"),
            ),
            ("", None),
            ("hello world\n", None),
            ("{ not json", None),
        ];
        for (text, expected) in cases {
            assert_eq!(found(None, text), expected, "{text}");
        }
    }
}
