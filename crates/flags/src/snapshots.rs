//! Snapshots of the help of all commands, so that a change of a flag is seen in a review.
//!
//! `UPDATE_EXPECT=1 cargo test -p nubbin-flags snapshots` writes them.

use super::CommandLine;
use clap::{Command, CommandFactory as _};
use expect_test::expect_file;
use std::collections::BTreeSet;
use std::path::Path;

/// The folder of the snapshots.
fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/help"))
}

/// Compares the help of a command and of all commands in it. Adds their files to `names`.
fn check(command: &Command, names: &mut BTreeSet<String>) {
    let id = command.get_display_name().unwrap_or("nubbin").to_owned();
    let mut short = command.clone();
    let help = format!(
        "{}\n---- --help ----\n\n{}",
        short.render_help(),
        short.render_long_help()
    );
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    let name = format!("{id}.txt");
    expect_file![folder().join(&name)].assert_eq(&(lines.join("\n") + "\n"));
    names.insert(name);
    for inner in command.get_subcommands() {
        check(inner, names);
    }
}

#[test]
fn the_help_of_every_command_is_as_before() {
    let mut whole = CommandLine::command()
        .term_width(100)
        .disable_help_subcommand(true);
    whole.build();
    let mut names = BTreeSet::new();
    check(&whole, &mut names);
    let entries = std::fs::read_dir(folder()).unwrap();
    let found: BTreeSet<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(found, names, "a snapshot without a command");
}
