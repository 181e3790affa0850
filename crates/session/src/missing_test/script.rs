//! Scripts among the inputs that may be the test.

use super::line::as_test;
use crate::exit::Exit;
use crate::habits::is_executable;
use crate::near;
use crate::problem::Problem;
use crate::typed::{Typed, is_same};
use nubbin_terminal::repeat::quoted;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Returns the problem of a script among several files that may be the test, and cannot be run
/// where it is.
pub(super) fn unusable(typed: &Typed, named: &[PathBuf]) -> Option<Problem> {
    let [first, .., last] = named else {
        return None;
    };
    let (inputs, is_many) = typed.inputs();
    if !is_many && named.len() != inputs + 1 {
        return None;
    }
    // A script in front of the inputs comes from other reducers, one behind them from a guess.
    let script = [first, last].into_iter().find(|path| is_script(path))?;
    let line = typed.line(&with_test(typed, script))?;
    let shown = script.display();
    if !script.exists() {
        let problem = Problem::new(Exit::Usage, format!("the test `{shown}` does not exist"));
        return Some(match near::neighbor(script) {
            Some(near) => {
                let line = typed.line(&moved(typed, script, &near))?;
                problem.hint(format!("did you mean `{}`? `{line}`", near.display()))
            }
            None => problem.hint(format!("create it, then `{line}`")),
        });
    }
    if is_executable(script) {
        // Some commands take no other words than inputs, and `reduce` understands the line.
        let problem = Problem::new(Exit::Usage, "no test is given");
        return (!is_many).then(|| problem.hint(format!("`{shown}` as the test: `{line}`")));
    }
    let problem = Problem::new(Exit::Usage, format!("the test `{shown}` is not executable"));
    let path = quoted(script.as_os_str());
    Some(problem.hint(format!("`chmod +x {path}`, then `{line}`")))
}

/// Returns the words with one of them as the test, and all others as they were typed.
fn with_test(typed: &Typed, script: &Path) -> Vec<OsString> {
    moved(typed, script, script)
}

fn moved(typed: &Typed, script: &Path, test: &Path) -> Vec<OsString> {
    let at = (typed.plain().into_iter()).find(|&at| is_same(&typed.words()[at], script));
    let mut others = typed.words().to_vec();
    if let Some(at) = at {
        others.remove(at);
    }
    as_test(typed, test, others)
}

/// Returns whether a path is that of a script: by its first bytes, or by its name if it is missing.
pub(super) fn is_script(path: &Path) -> bool {
    let has_name = || {
        let ending = path.extension().and_then(|ending| ending.to_str());
        matches!(ending, Some("sh" | "bash" | "zsh" | "py" | "pl" | "rb"))
    };
    match std::fs::File::open(path) {
        Ok(mut file) => {
            let mut begin = [0; 2];
            let is_read = std::io::Read::read_exact(&mut file, &mut begin).is_ok();
            is_read && begin == *b"#!" || path.extension().is_some_and(|ending| ending == "sh")
        }
        Err(_) => !path.exists() && has_name(),
    }
}

/// Returns whether a word is a path by its form.
pub(super) fn looks_like_path(word: &Path) -> bool {
    word.components().count() > 1 || is_script(word)
}
