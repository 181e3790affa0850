//! The messages of a capture.

use super::captured::Captured;
use super::command::Ran;
use super::copies::Copied;
use super::words::{named, quoted};
use crate::flags::CaptureFlags;
use crate::problem::{say, warn};
use crate::shown::count;
use indicatif::{HumanBytes, HumanCount};
use nubbin_oracle::Message;
use std::path::{Path, PathBuf};

pub(super) fn tell_files(captured: &Captured, copied: &Copied, flags: &CaptureFlags) {
    let seen = &captured.seen;
    say(&format!(
        "captured {} of the project ({}), {}; left out: {} of the system, {} elsewhere, {} \
         generated",
        count(copied.files as u64, "file"),
        HumanBytes(copied.bytes),
        captured.by,
        HumanCount(seen.system.len() as u64),
        HumanCount(seen.elsewhere.difference(&copied.followed).count() as u64),
        HumanCount(seen.generated.len() as u64),
    ));
    let listed = flags.output.join("files.txt");
    say(&format!("`{}` lists them", listed.display()));
    if !seen.version_control.is_empty() {
        say(&format!("left out: {}", named(&seen.version_control)));
    }
    let elsewhere = seen
        .elsewhere
        .difference(&copied.followed)
        .cloned()
        .collect();
    for (paths, what) in [
        (
            &elsewhere,
            "the command reads files outside of the project, which the test reads there",
        ),
        (
            &copied.leading_out,
            "left out, since these links lead out of the project (`--follow-links` copies files)",
        ),
        (
            &copied.naming,
            "these files name the project by its absolute path, so a test that follows it reads the \
             original",
        ),
        (
            &seen.changed,
            "the command read and then changed these files: the copies have the new content",
        ),
        (
            &seen.removed,
            "the command read and then removed these files: they are missing",
        ),
    ] {
        if !paths.is_empty() {
            warn(&format!("{what}: {}", named(paths)));
        }
    }
}

pub(super) fn tell_failure(ran: &Ran, message: Option<&Message>, flags: &CaptureFlags) {
    let shown = message.map_or(String::new(), |message| {
        format!(": `{}`", message.line().trim())
    });
    let output = flags.output.join("output.txt");
    say(&format!("the command ended with {}{shown}", ran.end));
    say(&format!("`{}` has its output", output.display()));
    if ran.end == nubbin_oracle::Exit::Code(0) {
        warn("the command did not fail: describe the failure in the test");
    }
}

/// Says which files look like the program under test, which a reduction of the input should keep.
pub(super) fn tell_programs(programs: &[PathBuf]) {
    let what = match programs {
        [] => return,
        [_] => "looks like the program under test, and `--fixed` keeps it as it is",
        _ => "look like the program under test, and `--fixed` keeps them as they are",
    };
    let named = named(&programs.iter().cloned().collect());
    say(&format!(
        "{named} {what}; without it, the program is reduced as well, and the result may be a \
         program that is broken"
    ));
}

/// Returns the command that reduces the capture. `fixed` has the flags that keep the program.
pub(super) fn next(input: &Path, test: &Path, fixed: &str) -> String {
    let (input, test) = (quoted(input.as_os_str()), quoted(test.as_os_str()));
    let space = if fixed.is_empty() { "" } else { " " };
    format!("nubbin reduce {input}{space}{fixed} --test {test}")
}
