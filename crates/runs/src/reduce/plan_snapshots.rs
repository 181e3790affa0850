//! A snapshot of the plan of each kind of input with each flag that changes it.
//!
//! `UPDATE_EXPECT=1 cargo test -p nubbin-runs --features languages plan_snapshots` writes it.

use super::{plan, syntax};
use crate::flags::{Command, CommandLine};
use crate::parameters::ParameterFiles;
use crate::settings::ReduceSettings;
use clap::Parser as _;
use nubbin_reduce::auto;
use nubbin_reduce::input::Input;
use nubbin_reduce::plan::Plan;
use std::fmt::Write as _;

const PYTHON: &str = "def f(a):\n    return a + 1\n\n\nprint(f(2))\n";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01";
const GRAMMAR: &str = "<start> ::= <word> | <word> \" \" <start>\n<word> ::= \"a\" | \"b\"\n";

/// The name of a file and its text.
type NamedText = (&'static str, &'static [u8]);

/// Returns the inputs: a title for the snapshot, and the files.
fn inputs() -> Vec<(&'static str, Vec<NamedText>)> {
    vec![
        ("a text", vec![("x.unknown", b"some (words)\nand more\n")]),
        ("a program", vec![("x.py", PYTHON.as_bytes())]),
        ("an indented text", vec![("x", b"a\n  b\n    c\n  d\n")]),
        ("an image", vec![("x.png", PNG)]),
        ("bytes", vec![("x", b"\0\x01\x02\xff\xfe")]),
        (
            "two programs",
            vec![("x.py", b"import y\n"), ("y.py", b"a = 1\n")],
        ),
        (
            "a text and an image",
            vec![("x", b"some text\n"), ("y.png", PNG)],
        ),
    ]
}

/// The flags, each for the first two inputs: a text without a tree, and one with a tree.
const FLAGS: &[&str] = &[
    "--quick",
    "--slow",
    "--order tokens",
    "--without tokens,names,subtrees",
    "--passes lines,tokens",
    "--atom token",
    "--algorithm ddmin",
    "--algorithm probdd --atom char",
    "--language none",
    "--algorithm hddr",
    "--algorithm perses --list-algorithm ddmin",
    "--passes perses,lines --prepare none",
];

fn flags(line: &str) -> ReduceSettings {
    let words = ["nubbin", "reduce", "x"].into_iter();
    let words = words.chain(line.split_whitespace()).chain(["--", "test"]);
    match CommandLine::try_parse_from(words).unwrap().command {
        Command::Reduce(flags) => (*flags).into(),
        other => panic!("{other:?}"),
    }
}

/// Returns the plan of `nubbin reduce` with the given flags.
fn plan_of(input: &Input, line: &str) -> Result<Plan, String> {
    let flags = flags(line);
    let parameters = ParameterFiles::default();
    let named = plan::named(&flags.search.algorithm).unwrap();
    let trees = syntax::trees(&flags, &named, input, &parameters);
    let trees = trees.map_err(|problem| problem.what().to_owned())?;
    let made = plan::plan(&named, &flags.search, input, trees.as_ref());
    made.map_err(|problem| problem.what().to_owned())
}

/// Writes all settings of a plan.
fn write(shown: &mut String, title: &str, plan: Result<&Plan, &String>) {
    let _ = writeln!(shown, "# {title}");
    match plan {
        Err(said) => {
            let _ = writeln!(shown, "error: {said}");
        }
        Ok(plan) => {
            let Plan {
                name,
                algorithm,
                thorough,
                order,
                facts,
                tiers,
                ..
            } = plan;
            let _ = writeln!(
                shown,
                "{name}: {}, thorough {thorough}, {} facts, {order:?}",
                algorithm.as_ref().map_or("-".into(), ToString::to_string),
                facts.len()
            );
            for tier in tiers {
                let ids: Vec<&str> = tier.passes.iter().map(|pass| pass.id()).collect();
                let _ = writeln!(
                    shown,
                    "{} ({:?}): {}",
                    tier.name,
                    tier.repeat,
                    ids.join(" ")
                );
            }
        }
    }
    shown.push('\n');
}

#[test]
#[cfg_attr(not(feature = "languages"), ignore = "needs a language")]
fn the_plan_of_each_kind_of_input_is_as_before() {
    let mut shown = String::new();
    let inputs = inputs();
    for (title, files) in &inputs {
        let files = files.iter().map(|(name, text)| (*name, text.to_vec()));
        let input = Input::files(files).unwrap();
        write(&mut shown, title, plan_of(&input, "").as_ref());
    }
    for (title, files) in &inputs[..2] {
        let files = files.iter().map(|(name, text)| (*name, text.to_vec()));
        let input = Input::files(files).unwrap();
        for line in FLAGS {
            let made = plan_of(&input, line);
            write(&mut shown, &format!("{title}, {line}"), made.as_ref());
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let grammar = folder.path().join("words.bnf");
    std::fs::write(&grammar, GRAMMAR).unwrap();
    let input = Input::single("x", "a b a".to_owned()).unwrap();
    let made = plan_of(&input, &format!("--grammar {}", grammar.display()));
    write(&mut shown, "a text with a grammar", made.as_ref());
    let files = [
        ("x", b"some text\n".to_vec()),
        ("{args}", b"-O2\n-g\n".to_vec()),
    ];
    let input = Input::files(files).unwrap().keep_files([0]);
    let parameters = auto::Parameters {
        arguments: vec![1],
        variables: vec![],
    };
    let made = auto::with_parameters(auto::plan(&input), &parameters);
    write(&mut shown, "a text and arguments", Ok(&made));
    let path = "../../snapshots/plans.txt";
    expect_test::expect_file![path].assert_eq(&shown);
}
