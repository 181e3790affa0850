//! Tests of tree reducers over the files of a program.

use super::super::*;
use crate::tree::{Outline, Preparation};
use nubbin_edit::{Applied, Edit, Input};
use nubbin_engine::order::Order;
use nubbin_engine::work::{Lists, Work};
use std::sync::Arc;

/// Runs a tree reducer over all files of a program, and returns their texts. `fails` gets the texts
/// of all files one behind another.
fn left(
    reducer: &dyn TreeReducer,
    language: &str,
    files: &[(&str, &str)],
    fails: impl Fn(&str) -> bool,
) -> Vec<String> {
    let syntax = nubbin_languages::catalogue::named(language)
        .unwrap()
        .syntax()
        .unwrap();
    let files = files.iter().map(|&(name, text)| (name, text.into()));
    let mut input = Input::files(files).unwrap();
    let tree = |file: nubbin_edit::File<'_>| {
        let outline = Outline::of(&*syntax, file.text, file.span.start).unwrap();
        (file.number, Arc::new(Preparation::ALL.apply(outline)))
    };
    let trees: Vec<_> = input.present().map(tree).collect();
    let program = Program {
        input: &input,
        trees: &trees,
    };
    let lists = Lists::default();
    let Some(work) = reducer.open_all(&program, &lists) else {
        return texts(&input);
    };
    let mut machine = work.start(&lists);
    let mut applied = Applied::default();
    while let Some(edit) = machine.next() {
        let candidate = applied.rebase(&edit).map(|moved| input.apply(&moved));
        let better = candidate.ok().filter(|candidate| {
            Order::bytes().is_below(candidate, &input) && fails(&texts(candidate).concat())
        });
        machine.record(better.is_some());
        if let Some(candidate) = better {
            applied.apply(&edit).unwrap();
            input = candidate;
        }
    }
    texts(&input)
}

fn texts(input: &Input) -> Vec<String> {
    let text = |file: nubbin_edit::File<'_>| String::from_utf8(file.text.to_vec()).unwrap();
    input.present().map(text).collect()
}

#[test]
fn a_function_is_inlined_in_another_file_and_its_declaration_removed() {
    let files = [
        ("a.h", "int half(int a);\nint rest;\n"),
        ("a.c", "int half(int a) { return a / 2; }\nint other;\n"),
        ("b.c", "int user(void) { return half(7); }\n"),
    ];
    let result = left(&Inline, "c", &files, |text| text.contains('7'));
    let trimmed: Vec<&str> = result.iter().map(|text| text.trim()).collect();
    assert_eq!(
        trimmed,
        [
            "int rest;",
            "int other;",
            "int user(void) { return (7 / 2); }"
        ]
    );
}

#[test]
fn an_import_is_removed_with_the_definition() {
    let kept = |text: &str| !text.contains("limit");
    let files = [
        ("settings.py", "limit = 5\nother = 6\n"),
        ("main.py", "from settings import limit\nprint(limit)\n"),
    ];
    let result = left(&Inline, "python", &files, kept);
    assert_eq!(result[0].trim(), "other = 6");
    assert_eq!(result[1].trim(), "print(5)");
    let files = [
        (
            "settings.mjs",
            "export const limit = 5;\nexport let other;\n",
        ),
        (
            "main.mjs",
            "import { limit, other } from './settings.mjs';\nlog(limit, other);\n",
        ),
    ];
    let result = left(&Inline, "javascript", &files, kept);
    assert_eq!(result[0].trim(), "export let other;");
    assert_eq!(
        result[1].replace(' ', ""),
        "import{other}from'./settings.mjs';\nlog(5,other);\n"
    );
}

#[test]
fn the_module_before_a_name_is_replaced_with_it() {
    let files = [
        ("settings.py", "limit = 5\nother = 6\n"),
        ("main.py", "import settings\nprint(settings.limit)\n"),
    ];
    let result = left(&Inline, "python", &files, |text| !text.contains("limit"));
    assert_eq!(result[1], "import settings\nprint(5)\n");
    let files = [
        ("store.rs", "pub fn add(a: u8) -> u8 { a + 1 }\nfn b() {}\n"),
        (
            "main.rs",
            "mod store;\nfn main() { let c = store::add(7); }\n",
        ),
    ];
    let result = left(&Inline, "rust", &files, |text| !text.contains("add"));
    assert_eq!(result[0].trim(), "fn b() {}");
    assert_eq!(result[1], "mod store;\nfn main() { let c = (7 + 1); }\n");
}

#[test]
fn the_declaration_of_a_variable_is_removed_with_its_definition() {
    let files = [
        ("a.h", "extern int total;\nextern int other;\n"),
        ("a.c", "int total = 3;\n"),
        ("b.c", "int user(void) { return total; }\n"),
    ];
    let result = left(&Inline, "c", &files, |text| !text.contains("total"));
    let trimmed: Vec<&str> = result.iter().map(|text| text.trim()).collect();
    let expected = ["extern int other;", "", "int user(void) { return 3; }"];
    assert_eq!(trimmed, expected);
}

#[test]
fn a_name_that_is_imported_under_another_one_is_replaced_by_its_value() {
    let limit = "export const limit = 5;\nexport let rest;\n";
    let main = "import { limit as most, rest } from './settings.mjs';\nlog(most, rest);\n";
    let files = [("settings.mjs", limit), ("main.mjs", main)];
    let result = left(&Inline, "javascript", &files, |text| {
        !text.contains("limit")
    });
    assert_eq!(result[0].trim(), "export let rest;");
    assert_eq!(
        result[1].replace(' ', ""),
        "import{rest}from'./settings.mjs';\nlog(5,rest);\n"
    );
    let files = [
        ("settings.py", "limit = 5\nother = 6\n"),
        (
            "main.py",
            "from settings import limit as most, other\nprint(most)\n",
        ),
    ];
    let result = left(&Inline, "python", &files, |text| !text.contains("limit"));
    assert_eq!(result[1], "from settings import  other\nprint(5)\n");
    let files = [
        ("store.rs", "pub fn add(a: u8) -> u8 { a + 1 }\n"),
        (
            "main.rs",
            "mod store;\nuse store::add as plus;\nfn main() { let c = plus(7); }\n",
        ),
    ];
    let result = left(&Inline, "rust", &files, |text| !text.contains("add"));
    assert_eq!(
        result[1].replace("\n", ""),
        "mod store;fn main() { let c = (7 + 1); }"
    );
}

#[test]
fn a_name_that_a_file_exports_again_is_replaced_by_its_value() {
    let files = [
        (
            "settings.mjs",
            "export const limit = 5;\nexport let rest;\n",
        ),
        (
            "index.mjs",
            "export { limit, rest } from './settings.mjs';\n",
        ),
        (
            "main.mjs",
            "import { limit } from './index.mjs';\nlog(limit);\n",
        ),
    ];
    let result = left(&Inline, "javascript", &files, |text| {
        !text.contains("limit")
    });
    let spaceless: Vec<String> = result.iter().map(|text| text.replace(' ', "")).collect();
    assert_eq!(spaceless[1], "export{rest}from'./settings.mjs';\n");
    assert_eq!(spaceless[2].trim(), "import{}from'./index.mjs';\nlog(5);");
}

/// No new name is the name of a type of C.
#[test]
fn the_types_of_c_are_not_renamed() {
    let files = [
        ("a.c", "int alpha(int a);\n"),
        ("b.c", "int beta(int b) { return alpha(b); }\n"),
    ];
    let result = left(&ScopedNames, "c", &files, |_| true);
    assert_eq!(result[0], "int c(int a);\n");
}

#[test]
fn a_name_that_two_files_define_is_inlined_in_each() {
    let text = "static int a = 1; int b() { return a; }\n";
    let result = left(&Inline, "c", &[("a.c", text), ("b.c", text)], |_| true);
    assert_eq!(
        result.concat().matches("int b() { return 1; }").count(),
        2,
        "{result:?}"
    );
}

#[test]
fn a_type_parameter_is_removed_in_the_file_that_gives_its_argument() {
    let files = [
        (
            "a.hpp",
            "template <typename T, int N> struct a { T b[N]; };\n",
        ),
        ("a.cpp", "a<int, 3> c;\n"),
    ];
    let fails = |text: &str| text.contains("typename T") && text.contains("a<int");
    let result = left(&TypeParameters, "cpp", &files, fails);
    assert_eq!(
        result,
        [
            "template <typename T> struct a { T b[3]; };\n",
            "a<int> c;\n"
        ]
    );
    let result = left(
        &TypeParameters,
        "cpp",
        &[files[0], ("b.cpp", "a<int, 3> c;\n")],
        |text| text.matches("int").count() == 1 || text.contains("a<int>"),
    );
    assert!(result[1].starts_with('a'), "{result:?}");
}

#[test]
fn a_name_of_several_files_is_renamed_in_all_of_them() {
    let files = [
        ("model.rs", "pub struct Record { pub title: u8 }\n"),
        (
            "main.rs",
            "mod model;\nuse model::Record;\nfn f(a: Record) {}\n",
        ),
    ];
    let result = left(&ScopedNames, "rust", &files, |text| {
        text.matches("Record").count() % 3 == 0
    });
    assert!(!result.concat().contains("Record"), "{result:?}");
}

/// The candidates for a program of one file are those for its tree.
#[test]
fn a_program_of_one_file_is_its_tree() {
    let programs = [
        (
            "c",
            "int f(int a, int b); int f(int a, int b) { return a; } int c = 3; int g(void) { return f(c, 1); }",
        ),
        (
            "cpp",
            "template <class T, int N> struct a { T b[N]; }; a<int, 3> c; int d(a<int, 3> e) { return c; }",
        ),
        (
            "python",
            "import x\ndef f(a, b):\n    return a\nc = 1\nprint(f(c, x.c))\n",
        ),
    ];
    let lists = Lists::default();
    for (language, text) in programs {
        let syntax = nubbin_languages::catalogue::named(language).unwrap();
        let outline = Outline::of(&*syntax.syntax().unwrap(), text.as_bytes(), 0).unwrap();
        let outline = Arc::new(Preparation::ALL.apply(outline));
        let program = Program {
            input: &Input::single("input", text).unwrap(),
            trees: &[(0, Arc::clone(&outline))],
        };
        for reducer in catalogue() {
            for every in [1, 2, 3] {
                let of = |work: Option<Work>| candidates(work, &lists, every);
                let of_tree = of(reducer.open(&outline, &lists));
                assert_eq!(
                    of(reducer.open_all(&program, &lists)),
                    of_tree,
                    "{}",
                    reducer.id()
                );
            }
        }
    }
}

/// Returns the first candidates of a work, of which one in `every` is adopted.
fn candidates(work: Option<Work>, lists: &Lists, every: usize) -> Vec<Edit> {
    let mut asked: Vec<Edit> = vec![];
    let Some(work) = work else { return asked };
    let mut machine = work.start(lists);
    while let Some(edit) = machine.next().filter(|_| asked.len() < 60) {
        asked.push(edit);
        machine.record(asked.len().is_multiple_of(every));
    }
    asked
}
