//! Command lines of other reducers.

use crate::exit::Exit;
use crate::problem::Problem;
use std::ffi::OsString;
use std::path::Path;

/// Returns what to type in place of a command line with the test first and then the inputs, as
/// C-Vise and Shrink Ray have it. `args` begins with the name of the program.
pub(crate) fn test_before_inputs(args: &[OsString]) -> Option<Problem> {
    if args.iter().any(|arg| arg == "--" || arg == "--test") {
        return None;
    }
    let words = args.iter().skip(1).filter_map(|arg| arg.to_str());
    let words: Vec<&str> = words.filter(|word| Path::new(word).is_file()).collect();
    let (test, inputs) = words.split_first()?;
    if inputs.is_empty() || !is_executable(Path::new(test)) {
        return None;
    }
    let inputs = shlex::try_join(inputs.iter().copied()).ok()?;
    let test = shlex::try_quote(test).ok()?;
    let what = format!("`{test}` is in the place of an input");
    Some(
        Problem::new(Exit::Usage, what)
            .hint(format!("type `nubbin reduce --test {test} {inputs}`"))
            .hint("the original stays as it is; `--in-place` replaces it"),
    )
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata()
        .is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    let endings = ["bat", "cmd", "exe", "ps1", "py", "sh"];
    path.extension()
        .is_some_and(|ending| endings.iter().any(|one| ending == *one))
}
