//! Runs every command of the user guide, of the README, and of the examples, and compares the
//! output that they show.
//!
//! Comments before a fenced block give its purpose:
//!
//! - `file: NAME` and `script: NAME` write the text of the block to the reader's folder. The line
//!   below the comment names the file to the reader.
//! - `needs: PROGRAM` skips the commands of the block if that program is not installed.
//! - `not run: REASON` skips the commands of the block.
//! - `example: PATH` says where the code of the block is, so that a test runs it.
//! - `unchecked: REASON` allows commands of nubbin with no output that is compared.
//!
//! A block of language `console` contains commands after `$ `. The lines below a command are its
//! output as a terminal shows it. `…` stands for any text in a line, and a line of `…` alone for
//! any number of lines. If a command has no lines below it, only its exit code is checked. But a
//! lesson shows what it teaches: after each command of nubbin, its own output or that of another
//! command is compared, for example the content of the result.

use crate::stage::Stage;
use regex::Regex;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) struct Block {
    /// The purposes and their arguments, from the comments before the block.
    notes: Vec<(String, String)>,
    pub(crate) language: String,
    pub(crate) text: String,
}

impl Block {
    pub(crate) fn note(&self, kind: &str) -> Option<&str> {
        let note = self.notes.iter().find(|note| note.0 == kind)?;
        Some(&note.1)
    }
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = std::fs::read_dir(repository().join("docs/src"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect();
    pages.sort();
    pages
}

/// Returns the pages whose commands run in the root of the repository.
fn pages_at_the_root() -> Vec<PathBuf> {
    [
        "README.md",
        "examples/generators/README.md",
        "examples/proposers/README.md",
    ]
    .map(|page| repository().join(page))
    .to_vec()
}

/// Returns the name of a page for messages.
fn name(page: &Path) -> String {
    let name = page.strip_prefix(repository()).unwrap_or(page);
    name.display().to_string()
}

pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = vec![];
    let mut notes = vec![];
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(comment) = line
            .strip_prefix("<!-- ")
            .and_then(|line| line.strip_suffix(" -->"))
        {
            let note = comment.split_once(": ");
            notes.extend(note.map(|(kind, of)| (kind.to_owned(), of.to_owned())));
        } else if let Some(language) = line.strip_prefix("```") {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push(Block {
                notes: std::mem::take(&mut notes),
                language: language.to_owned(),
                text: text.join("\n") + "\n",
            });
        }
    }
    blocks
}

/// Returns the commands of a console block, each with the output that the guide shows for it.
fn commands(block: &str) -> Vec<(&str, String)> {
    let mut commands: Vec<(&str, String)> = vec![];
    for line in block.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            commands.push((command, String::new()));
        } else {
            let (_, shown) = commands.last_mut().expect("output without a command");
            *shown += line;
            *shown += "\n";
        }
    }
    commands
}

/// Returns whether an output is the one that the guide shows.
fn is_as_shown(output: &str, shown: &str) -> bool {
    let line = |line: &str| {
        if line == "…" {
            return "(?:[^\n]*\n)*".to_owned();
        }
        let parts: Vec<String> = line.split('…').map(regex::escape).collect();
        parts.join("[^\n]*") + "\n"
    };
    let pattern: String = shown.trim_end().lines().map(line).collect();
    let pattern = Regex::new(&format!("^{pattern}$")).unwrap();
    pattern.is_match(&format!("{}\n", output.trim_end()))
}

/// Returns whether the shown output of a command says anything that can be wrong.
fn is_checked(shown: &str) -> bool {
    shown.lines().any(|line| line != "…" && !line.is_empty())
}

/// Beginnings of commands that a reader types, and that no test runs where they are not in a block
/// of language `console`.
const PROGRAMS: [&str; 4] = ["nubbin ", "cargo ", "pip ", "scripts/"];

/// Returns the commands of nubbin in a page with no output that is compared, and those that are
/// not run for no given reason.
fn lessons_without_a_check(page: &str) -> Vec<String> {
    let mut found = vec![];
    for block in blocks(page) {
        let is_file = block.note("file").or(block.note("script")).is_some();
        if is_file || block.note("not run").is_some() {
            continue;
        }
        if block.language != "console" {
            let is_command = |line: &&str| {
                let line = line.trim_start();
                PROGRAMS.iter().any(|program| line.starts_with(program))
            };
            found.extend(block.text.lines().filter(is_command).map(str::to_owned));
            continue;
        }
        if block.note("unchecked").is_some() {
            continue;
        }
        let mut open = None;
        for (command, shown) in commands(&block.text) {
            if command.starts_with("nubbin ") {
                found.extend(open.replace(command.to_owned()));
            }
            if is_checked(&shown) {
                open = None;
            }
        }
        found.extend(open);
    }
    found
}

fn is_there(program: &str) -> bool {
    let found = Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .output();
    found.is_ok_and(|output| output.status.success())
}

/// Returns the folder of the Python interpreter. The `python3` in `PATH` may be a script of a
/// version manager, which takes ten times as long to start.
fn python() -> Option<PathBuf> {
    let told = Command::new("python3")
        .args(["-c", "import sys; print(sys.executable)"])
        .output();
    let path = String::from_utf8(told.ok()?.stdout).ok()?;
    Some(Path::new(path.trim()).parent()?.to_owned())
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Counts of one page.
#[derive(Default)]
struct Checked {
    commands: usize,
    outputs: usize,
}

/// Runs the commands of a page.
fn follow(page: &Path, first: Option<&Path>) -> Checked {
    let text = std::fs::read_to_string(page).unwrap();
    let stage = Stage::new();
    if pages_at_the_root().iter().any(|other| other == page) {
        copy_folder(&repository().join("examples"), &stage.path("examples"));
        std::fs::create_dir(stage.path("target")).unwrap();
    }
    let mut checked = Checked::default();
    for block in blocks(&text) {
        if let Some(name) = block.note("file") {
            stage.file(name, &block.text);
        } else if let Some(name) = block.note("script") {
            stage.script(name, block.text.trim_start_matches("#!/bin/sh\n"));
        }
        let is_possible = block.note("needs").is_none_or(is_there);
        if block.language != "console" || block.note("not run").is_some() || !is_possible {
            continue;
        }
        for (command, shown) in commands(&block.text) {
            // Both outputs in one pipe, in their order.
            let ran = stage.shell(&format!("{{ {command}\n}} 2>&1"), first);
            let page = name(page);
            let output = ran.stdout;
            assert_eq!(ran.code, Some(0), "{page}: {command}\n{output}");
            checked.commands += 1;
            if !shown.is_empty() {
                assert!(
                    is_as_shown(&output, &shown),
                    "{page}: {command}\nthe page shows:\n{shown}\nthe output is:\n{output}"
                );
                checked.outputs += usize::from(is_checked(&shown));
            }
        }
    }
    checked
}

#[test]
#[cfg_attr(not(feature = "languages"), ignore = "needs a language")]
fn every_command_of_the_guide_works_and_prints_the_shown_output() {
    let mut pages = pages();
    assert!(pages.len() > 9);
    pages.extend(pages_at_the_root());
    let python = python();
    // nubbin itself runs a test on each core, so only two pages at a time.
    let next = AtomicUsize::new(0);
    let follow_pages = || {
        let mut checked = vec![];
        while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            checked.push(follow(page, python.as_deref()));
        }
        checked
    };
    let checked: Vec<Checked> = std::thread::scope(|scope| {
        let threads = [(); 2].map(|()| scope.spawn(follow_pages));
        let checked = threads.map(|thread| thread.join().unwrap());
        checked.into_iter().flatten().collect()
    });
    let commands: usize = checked.iter().map(|page| page.commands).sum();
    let outputs: usize = checked.iter().map(|page| page.outputs).sum();
    assert!(commands > 100, "{commands}");
    assert!(outputs > 80, "{outputs}");
}

#[test]
fn every_lesson_of_the_guide_shows_its_point() {
    let mut pages = pages();
    pages.extend(pages_at_the_root());
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        let found = lessons_without_a_check(&text);
        assert!(
            found.is_empty(),
            "{}: show what these commands print or write, or say why not in a comment \
             (`not run: REASON`, `unchecked: REASON`): {found:#?}",
            name(&page)
        );
    }
}

#[test]
fn a_lesson_without_a_check_is_found() {
    let found = |text: &str| lessons_without_a_check(text).len();
    let console = |text: &str| format!("```console\n{text}```\n");
    assert_eq!(found(&console("$ nubbin a\n")), 1);
    assert_eq!(found(&console("$ nubbin a\n…\n")), 1);
    assert_eq!(found(&console("$ nubbin a\n…\nshown\n")), 0);
    assert_eq!(found(&console("$ nubbin a\n$ cat b\nshown\n")), 0);
    assert_eq!(found(&console("$ nubbin a\n$ nubbin b\nshown\n")), 1);
    assert_eq!(found(&console("$ nubbin a\nshown\n$ nubbin b\n")), 1);
    assert_eq!(found(&console("$ cat b\n")), 0);
    let reason = |kind: &str| format!("<!-- {kind}: why -->\n{}", console("$ nubbin a\n"));
    assert_eq!(found(&reason("unchecked")), 0);
    assert_eq!(found(&reason("not run")), 0);
    assert_eq!(found(&reason("needs")), 1);
    assert_eq!(found("```sh\nnubbin a\nnubbin b\n```\n"), 2);
    assert_eq!(found("```sh\ncargo install a\n```\n"), 1);
    assert_eq!(found("<!-- not run: why -->\n```sh\nnubbin a\n```\n"), 0);
    assert_eq!(found("<!-- script: a.sh -->\n```sh\nnubbin a\n```\n"), 0);
}

/// Commands outside of fenced blocks would not run.
#[test]
fn examples_name_commands_only_where_they_are_checked() {
    for kind in ["generators", "proposers"] {
        let folder = repository().join("examples").join(kind);
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let command = text.lines().find(|line| {
                let line = line.trim_start_matches([' ', '*', '#', '/']);
                line.starts_with("nubbin ") && line.contains(" -")
            });
            assert_eq!(command, None, "{}", path.display());
        }
    }
}

#[test]
fn an_output_must_match_the_shown_one_from_start_to_end() {
    assert!(is_as_shown("a (b)\n", "a (b)\n"));
    assert!(is_as_shown(
        "one\ntwo\nthree in 0.3 s",
        "one\n…\nthree in … s\n"
    ));
    assert!(is_as_shown("one\nthree\n", "…\none\n…\nthree\n…\n"));
    assert!(!is_as_shown(" ", "{}\n"));
    assert!(!is_as_shown("a b c", "a b\n"));
    assert!(!is_as_shown("a b c", "…b\n"));
    assert!(!is_as_shown("a\nb\n", "a…\n"));
    assert!(!is_as_shown("two\none\n", "…\none\n…\ntwo\n"));
}

#[test]
fn the_guide_names_each_file() {
    let mut seen = 0;
    for page in pages().into_iter().chain(pages_at_the_root()) {
        let text = std::fs::read_to_string(&page).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2) {
            let name = ["<!-- file: ", "<!-- script: "]
                .iter()
                .find_map(|kind| pair[0].strip_prefix(kind)?.strip_suffix(" -->"));
            if let Some(name) = name {
                assert_eq!(pair[1], format!("`{name}`:"), "{}", page.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn every_page_of_the_guide_is_in_its_table_of_contents() {
    let summary = repository().join("docs/src/SUMMARY.md");
    let summary = std::fs::read_to_string(summary).unwrap();
    for page in pages() {
        let name = page.file_name().unwrap().to_str().unwrap();
        assert!(
            name == "SUMMARY.md" || summary.contains(&format!("]({name})")),
            "{name}"
        );
    }
}

/// Scripts, packages, tests, and examples that CONTRIBUTING tells to run, and their flags.
#[test]
fn the_commands_of_contributing_exist() {
    let text = std::fs::read_to_string(repository().join("CONTRIBUTING.md")).unwrap();
    let quoted = Regex::new("`([^`]+)`").unwrap();
    let mut lines: Vec<String> = blocks(&text).into_iter().map(|block| block.text).collect();
    let prose = text.replace('\n', " ");
    lines.extend(
        quoted
            .captures_iter(&prose)
            .map(|found| found[1].to_owned()),
    );
    let mut seen = 0;
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        let after = |flag: &str| {
            let at = words.iter().position(|word| *word == flag)?;
            words.get(at + 1).copied()
        };
        let flags = words.iter().filter(|word| word.starts_with("--"));
        if words[0].starts_with("scripts/") || words[0] == ".ci/run" {
            let path = repository().join(words[0]);
            if path.is_dir() {
                continue;
            }
            let script = std::fs::read_to_string(path).expect(words[0]);
            for flag in flags {
                assert!(script.contains(&format!("\"{flag}\"")), "{line}");
            }
            seen += 1;
        } else if words.contains(&"cargo") {
            let package = after("-p").map(|name| name.strip_prefix("nubbin-").unwrap_or(name));
            let package = package.map(|name| repository().join("crates").join(name));
            if let Some(package) = &package {
                assert!(package.is_dir(), "{line}");
            }
            if let (Some(package), Some(example)) = (&package, after("--example")) {
                assert!(
                    package.join(format!("examples/{example}.rs")).is_file(),
                    "{line}"
                );
            }
            if let (Some(package), Some(test)) = (&package, after("--test")) {
                let module = after(test).map(|module| format!("{module}.rs"));
                let folder = package.join("tests").join(test);
                assert!(folder.join(module.unwrap_or_default()).exists(), "{line}");
            }
            if let Some(command) = after("--") {
                let help = Stage::new().run([command, "--help"]).ended(0).stdout;
                let own = words.iter().skip_while(|word| **word != "--").skip(1);
                for flag in own.filter(|word| word.starts_with("--")) {
                    assert!(help.contains(flag), "{line}");
                }
            }
            seen += 1;
        }
    }
    assert!(seen > 7, "{seen}");
}

/// The tests of `nubbin-reduce` run the examples, and those of its documentation its front page.
#[test]
fn code_of_the_guide_is_that_of_the_examples() {
    let mut found = 0;
    for page in pages().into_iter().chain(pages_at_the_root()) {
        let text = std::fs::read_to_string(&page).unwrap();
        for block in blocks(&text) {
            let is_other = block.note("file").or(block.note("not run")).is_some();
            if block.language != "rust" || is_other {
                continue;
            }
            let file = block.note("example");
            let file = file.unwrap_or_else(|| panic!("{}: code of no example", name(&page)));
            let example = std::fs::read_to_string(repository().join(file)).unwrap();
            let is_same = match file.strip_suffix(".md") {
                Some(_) => example.contains(&format!("```rust\n{}```\n", block.text)),
                None => example == block.text,
            };
            assert!(
                is_same,
                "{} has not the text of {file}: copy it",
                name(&page)
            );
            found += 1;
        }
    }
    assert!(found > 4, "{found}");
}
