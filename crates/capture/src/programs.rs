//! The files of a capture that look like the program under test.

use super::draft::Draft;
use super::seen::Seen;
use nubbin_oracle::programs_called;
use std::path::{Path, PathBuf};

/// The length in bytes of the longest script that is searched for calls.
const SCRIPT: u64 = 64 << 10;

/// Returns the captured files that look like the program under test: those that were run, the
/// scripts that an interpreter runs, and what they load. Returns nothing if no other file is left,
/// as the program itself is the input then.
pub(super) fn of(draft: &Draft<'_>, seen: &Seen) -> Vec<PathBuf> {
    let names: Vec<PathBuf> = seen.files.iter().cloned().collect();
    let mut text = draft.line();
    for program in &seen.programs {
        if let Some(script) = shell_script(&draft.root.join(program)) {
            text.push('\n');
            text.push_str(&script);
        }
    }
    let called = programs_called(&text, &names);
    let is_program = |name: &&PathBuf| called.contains(name) || seen.programs.contains(*name);
    let found: Vec<PathBuf> = names.iter().filter(is_program).cloned().collect();
    match found.len() < names.len() {
        true => found,
        false => Vec::new(),
    }
}

/// Returns the text of a short script of a shell.
fn shell_script(path: &Path) -> Option<String> {
    let is_short = path.metadata().is_ok_and(|found| found.len() <= SCRIPT);
    let bytes = is_short.then(|| std::fs::read(path).ok()).flatten()?;
    let text = String::from_utf8(bytes).ok()?;
    let first = text.lines().next().filter(|line| line.starts_with("#!"))?;
    first.trim_end().ends_with("sh").then_some(text)
}
