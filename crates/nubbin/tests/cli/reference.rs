//! The guide's page of all algorithms, generated from the documentation of their types.
//!
//! `NUBBIN_WRITE_REFERENCE=1 cargo test -p nubbin --test cli reference` writes it again.

use crate::stage::Stage;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

const HEAD: &str = "\
# All algorithms

<!-- Written by the test `reference` from what `nubbin algorithms` lists and from the documentation of \
the types in crates/minimize, crates/trees, and crates/published. Change that, and say NUBBIN_WRITE_REFERENCE=1. -->

What `--algorithm` and `--list-algorithm` take, as `nubbin algorithms` lists them. Options stand after a \
colon: `ddmin:backward,skip-subsets`.
";

const GROUPS: [(&str, [&str; 2], &str, &str); 2] = [
    (
        "list",
        ["minimize/src", "published/src/list"],
        "Over lists",
        "How many elements of a list to leave out at once, and which: lines, tokens, bytes, nodes of a \
         tree. *1-minimal* means that no single element of the result can go.",
    ),
    (
        "tree",
        ["trees/src/tree_reducer", "published/src/tree"],
        "Over trees",
        "Which lists of a tree in which order, and what may stand for what.",
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the file of an algorithm. Its name consists of consecutive words of the id. The other
/// words may name a constant of the type: `coarse-hdd` is `Hdd::COARSE`.
fn module(folders: &[PathBuf], id: &str) -> (PathBuf, String, String) {
    let words: Vec<&str> = id.split('-').collect();
    let ranges = (1..=words.len())
        .rev()
        .flat_map(|count| (0..=words.len() - count).map(move |first| first..first + count));
    let stem = |range: &Range<usize>| words[range.clone()].join("_");
    let path = |range: &Range<usize>| {
        let mut paths = folders
            .iter()
            .map(|folder| folder.join(stem(range) + ".rs"));
        paths.find(|path| path.is_file())
    };
    let (range, path) = ranges
        .into_iter()
        .find_map(|range| Some((range.clone(), path(&range)?)))
        .unwrap_or_else(|| panic!("no file for `{id}` in {folders:?}"));
    let rest = [&words[..range.start], &words[range.end..]].concat();
    let constant = rest.join("_").to_uppercase();
    let declared = format!("    pub const {constant}: {}", type_name(&stem(&range)));
    let text = std::fs::read_to_string(&path).unwrap();
    let is_constant = !rest.is_empty() && text.contains(&declared);
    let constant = if is_constant { constant } else { String::new() };
    (path, stem(&range), constant)
}

/// Returns the name of a type: `DdminBook` for `ddmin_book`.
fn type_name(stem: &str) -> String {
    let word = |word: &str| word[..1].to_uppercase() + &word[1..];
    stem.split('_').map(word).collect()
}

/// Returns the documentation of a type or of its constant, without examples.
fn documentation(path: &Path, stem: &str, constant: &str) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let name = type_name(stem);
    let declared = match constant {
        "" => [" {", ";", "<", "("]
            .map(|end| format!("pub struct {name}{end}"))
            .to_vec(),
        _ => vec![format!("pub const {constant}: {name}")],
    };
    let lines = text.lines();
    let lines: Vec<&str> = match constant {
        "" => lines.collect(),
        _ => lines.map(str::trim_start).collect(),
    };
    let at = lines
        .iter()
        .position(|line| declared.iter().any(|start| line.starts_with(start)))
        .unwrap_or_else(|| panic!("no `{name}` in {}", path.display()));
    let before = lines[..at].iter().rev();
    let mut essay: Vec<&str> = before
        .skip_while(|line| line.starts_with("#[") || line.starts_with(['}', ')', ' ']))
        .map_while(|line| line.strip_prefix("///"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    essay.reverse();
    let mut out = String::new();
    let mut code = false;
    for line in essay {
        if line.starts_with("```") {
            code = !code;
        } else if !code {
            out += line;
            out.push('\n');
        }
    }
    assert!(!out.trim().is_empty(), "{name} is not documented");
    out.trim().to_owned()
}

/// Returns the text between two delimiters, and the rest.
fn between<'t>(text: &'t str, open: &str, close: &str) -> Option<(&'t str, &'t str)> {
    text.strip_prefix(open)?.split_once(close)
}

/// Turns links to types into links within the page, or into plain names for types that are not on
/// it.
fn relink(text: &str, ids: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("[`") {
        out += &rest[..at];
        rest = &rest[at..];
        let Some((name, after)) = between(rest, "[`", "`]") else {
            break;
        };
        let (target, after) = between(after, "(", ")").unwrap_or((name, after));
        let last = target.rsplit("::").next().unwrap_or(target);
        let constant = target.rsplitn(3, "::").take(2).collect::<Vec<_>>();
        let constant = constant.into_iter().rev().collect::<Vec<_>>().join("::");
        match ids.get(&constant).or_else(|| ids.get(last)) {
            Some(id) => {
                let _ = write!(out, "[`{id}`](#{id})");
            }
            None => {
                let _ = write!(out, "`{name}`");
            }
        }
        rest = after;
    }
    // Links with a text, as [list minimizers](crate::list_minimizer::parse).
    let mut text = out + rest;
    while let Some((at, end)) = rust_path(&text) {
        text.replace_range(at..end, "");
        let open = text[..at - 1].rfind('[').unwrap();
        text.remove(at - 1);
        text.remove(open);
    }
    text
}

/// Returns the span of a link's target if it is a Rust path, from its parenthesis on.
fn rust_path(text: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    while let Some(at) = text[from..].find("](").map(|at| from + at + 1) {
        let end = at + text[at..].find(')')? + 1;
        let target = &text[at + 1..end - 1];
        if !target.contains(['.', '/', '#']) {
            return Some((at, end));
        }
        from = end;
    }
    None
}

fn page() -> String {
    let json = Stage::new().run(["algorithms", "--json"]).ended(0).stdout;
    let listed: Vec<Value> = serde_json::from_str(&json).unwrap();
    let mut page = HEAD.to_owned();
    for (group, folders, title, about) in GROUPS {
        let folders = folders.map(|folder| root().join("crates").join(folder));
        // A type with several names is described once, under all of them.
        let mut types: Vec<(PathBuf, String, String, Vec<&Value>)> = vec![];
        for entry in listed.iter().filter(|entry| entry["group"] == group) {
            let (path, stem, constant) = module(&folders, entry["id"].as_str().unwrap());
            let is_known =
                |(other, _, another, _): &&mut (PathBuf, String, String, Vec<&Value>)| {
                    *other == path && *another == constant
                };
            match types.iter_mut().find(is_known) {
                Some((.., entries)) => entries.push(entry),
                None => types.push((path, stem, constant, vec![entry])),
            }
        }
        assert!(types.len() > 10, "{group}");
        let ids: BTreeMap<String, String> = types
            .iter()
            .map(|(_, stem, constant, entries)| {
                let name = match &**constant {
                    "" => type_name(stem),
                    _ => format!("{}::{constant}", type_name(stem)),
                };
                (name, entries[0]["id"].as_str().unwrap().to_owned())
            })
            .collect();
        let _ = write!(page, "\n## {title}\n\n{about}\n");
        for (path, stem, constant, entries) in &types {
            for entry in entries {
                let (id, about) = (
                    entry["id"].as_str().unwrap(),
                    entry["about"].as_str().unwrap(),
                );
                let _ = write!(page, "\n### {id}\n\n*{about}*\n");
                match entry["preparation"].as_str() {
                    None => {}
                    Some("none") => {
                        page += "\nTrees as they are parsed, unless `--prepare` says otherwise.\n"
                    }
                    Some(steps) => {
                        let _ = write!(page, "\nTrees prepared by `--prepare {steps}`.\n");
                    }
                }
            }
            let _ = write!(
                page,
                "\n{}\n",
                relink(&documentation(path, stem, constant), &ids)
            );
            for entry in entries {
                let Some(options) = entry["options"].as_array() else {
                    continue;
                };
                let _ = write!(
                    page,
                    "\n| `{}:` | |\n|---|---|\n",
                    entry["id"].as_str().unwrap()
                );
                for option in options {
                    let (name, what) = (option[0].as_str().unwrap(), option[1].as_str().unwrap());
                    let _ = writeln!(page, "| `{name}` | {what} |");
                }
            }
        }
    }
    page
}

#[test]
fn the_page_of_all_algorithms_matches_the_documentation_of_their_types() {
    let path = root().join("docs/src/all-algorithms.md");
    let page = page();
    if std::env::var_os("NUBBIN_WRITE_REFERENCE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = page
        .lines()
        .zip(written.lines())
        .find(|(now, then)| now != then);
    assert!(
        page == written,
        "docs/src/all-algorithms.md is not what the documentation of the types says, from {differs:?} on: \
         NUBBIN_WRITE_REFERENCE=1 cargo test -p nubbin --test cli reference"
    );
}

#[test]
fn links_stay_within_the_page() {
    let ids = BTreeMap::from([("Cdd".to_owned(), "cdd".to_owned())]);
    for (text, linked) in [
        ("as [`Cdd`](super::Cdd) does", "as [`cdd`](#cdd) does"),
        ("as [`Cdd`] does", "as [`cdd`](#cdd) does"),
        (
            "see [`Other`](crate::Other), [`Cdd::sizes`]",
            "see `Other`, `Cdd::sizes`",
        ),
        (
            "[list algorithms](crate::list_minimizer::parse) all",
            "list algorithms all",
        ),
        ("a [prepared](Preparation) tree", "a prepared tree"),
        (
            "a [page](https://example.org) and a list[0]",
            "a [page](https://example.org) and a list[0]",
        ),
    ] {
        assert_eq!(relink(text, &ids), linked);
    }
}
