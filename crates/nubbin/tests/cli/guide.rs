//! Runs every command of the user guide and compares the output that the guide shows.
//!
//! A comment before a fenced block gives its purpose: `file: NAME` and `script: NAME` write the
//! text of the block to the reader's folder, and the line below the comment names the file to the
//! reader. `needs: PROGRAM` skips the commands of the block if that program is not installed.
//!
//! A block of language `console` contains commands after `$ `. The lines below a command are its
//! standard output, followed by its standard error. `…` stands for any text. If a command has no
//! lines below it, the guide does not show its output, and only its exit code is checked.

use crate::stage::Stage;
use regex::Regex;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Block {
    /// The purpose and its argument, from the comment before the block.
    note: Option<(String, String)>,
    language: String,
    text: String,
}

fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let mut pages: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect();
    pages.sort();
    pages
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = vec![];
    let mut note = None;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(comment) = line
            .strip_prefix("<!-- ")
            .and_then(|line| line.strip_suffix(" -->"))
        {
            note = comment
                .split_once(": ")
                .map(|(kind, name)| (kind.to_owned(), name.to_owned()));
        } else if let Some(language) = line.strip_prefix("```") {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push(Block {
                note: note.take(),
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
    let parts: Vec<String> = shown.trim_end().split('…').map(regex::escape).collect();
    let pattern = format!("(?s)^{}$", parts.join(".*"));
    Regex::new(&pattern).unwrap().is_match(output.trim_end())
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
    let mut checked = Checked::default();
    for block in blocks(&text) {
        match &block.note {
            Some((kind, name)) if kind == "file" => stage.file(name, &block.text),
            Some((kind, name)) if kind == "script" => {
                stage.script(name, block.text.trim_start_matches("#!/bin/sh\n"));
            }
            Some((kind, program)) if kind == "needs" && !is_there(program) => {
                continue;
            }
            _ => {}
        }
        if block.language != "console" {
            continue;
        }
        for (command, shown) in commands(&block.text) {
            let ran = stage.shell(command, first);
            let page = page.file_name().unwrap().display();
            let output = format!("{}{}", ran.stdout, ran.stderr);
            assert_eq!(ran.code, Some(0), "{page}: {command}\n{output}");
            checked.commands += 1;
            if !shown.is_empty() {
                assert!(
                    is_as_shown(&output, &shown),
                    "{page}: {command}\nthe guide shows:\n{shown}\nthe output is:\n{output}"
                );
                checked.outputs += 1;
            }
        }
    }
    checked
}

#[test]
#[cfg_attr(not(feature = "languages"), ignore = "needs a language")]
fn every_command_of_the_guide_works_and_prints_the_shown_output() {
    let pages = pages();
    assert!(pages.len() > 9);
    let python = python();
    let python = &python;
    let checked: Vec<Checked> = std::thread::scope(|scope| {
        let threads: Vec<_> = pages
            .iter()
            .map(|page| scope.spawn(|| follow(page, python.as_deref())))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let commands: usize = checked.iter().map(|page| page.commands).sum();
    let outputs: usize = checked.iter().map(|page| page.outputs).sum();
    assert!(commands > 40, "{commands}");
    assert!(outputs > 15, "{outputs}");
}

#[test]
fn an_output_must_match_the_shown_one_from_start_to_end() {
    assert!(is_as_shown("a (b)\n", "a (b)\n"));
    assert!(is_as_shown(
        "one\ntwo\nthree in 0.3 s",
        "one\n…\nthree in … s\n"
    ));
    assert!(!is_as_shown(" ", "{}\n"));
    assert!(!is_as_shown("a b c", "a b\n"));
    assert!(!is_as_shown("a b c", "…b\n"));
}

#[test]
fn the_guide_names_each_file() {
    let mut seen = 0;
    for page in pages() {
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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let summary = std::fs::read_to_string(folder.join("SUMMARY.md")).unwrap();
    for page in pages() {
        let name = page.file_name().unwrap().to_str().unwrap();
        assert!(
            name == "SUMMARY.md" || summary.contains(&format!("]({name})")),
            "{name}"
        );
    }
}
