//! Every command of the user guide, as it stands there.
//!
//! In the pages, a comment before a fenced block says what it is for: `file: NAME` and `script: NAME`
//! put its text into the reader's folder, and the line below says NAME to the reader; `needs: PROGRAM`
//! leaves its commands out where that program is not installed. Blocks of `console` are run line by line.

use crate::stage::Stage;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Block {
    /// What the comment before it says.
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

fn is_there(program: &str) -> bool {
    let found = Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .output();
    found.is_ok_and(|output| output.status.success())
}

/// The folder of the interpreter itself: what is on the path may be a script of a version manager that
/// takes ten times as long to start.
fn python() -> Option<PathBuf> {
    let told = Command::new("python3")
        .args(["-c", "import sys; print(sys.executable)"])
        .output();
    let path = String::from_utf8(told.ok()?.stdout).ok()?;
    Some(Path::new(path.trim()).parent()?.to_owned())
}

/// How many commands were run.
fn follow(page: &Path, first: Option<&Path>) -> usize {
    let text = std::fs::read_to_string(page).unwrap();
    let stage = Stage::new();
    let mut run = 0;
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
        for command in block
            .text
            .lines()
            .filter_map(|line| line.strip_prefix("$ "))
        {
            let ran = stage.shell(command, first);
            let page = page.file_name().unwrap().display();
            assert_eq!(
                ran.code,
                Some(0),
                "{page}: {command}\n{}{}",
                ran.stdout,
                ran.stderr
            );
            run += 1;
        }
    }
    run
}

#[test]
fn every_command_of_the_guide_works() {
    let pages = pages();
    assert!(pages.len() > 9);
    let python = python();
    let python = &python;
    let run: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = pages
            .iter()
            .map(|page| scope.spawn(|| follow(page, python.as_deref())))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .sum()
    });
    assert!(run > 20, "{run}");
}

#[test]
fn readers_see_what_files_are_called() {
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
