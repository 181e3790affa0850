//! Tests that need something that this machine lacks. The tests of the command line use this file
//! as well.
//!
//! A skipped test passes, so it must be seen: the line is written past the capture of the test
//! harness. Two variables are for runs that nobody watches, such as that of `.ci/run`:
//!
//! - `NUBBIN_SKIPPED` names a file to which each skipped test adds a line, so that they can be
//!   counted.
//! - `NUBBIN_MAY_SKIP` has the needs, separated by blanks, for which a test may be skipped. A test
//!   that is skipped for another need then fails. If the variable is not set, all may be skipped.
//!
//! The needs are `sandbox` (Landlock, namespaces, filters of system calls), `mount` (`unshare -rm`
//! with file systems of its own), `script`, `python3`, `cc` (with `LD_PRELOAD`), `gcc`,
//! `sanitizers` (those of gcc), `clang` (with its sanitizers), `libclang`, `make`, `strace` (which
//! may trace), `ipcmk`, and `sockets` (all kinds that the tests open).

use std::io::Write as _;

/// Says that a test is skipped, since this machine does not meet a need. The test returns then.
#[track_caller]
pub(crate) fn skipped(need: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    let line = format!("SKIPPED {test}: this machine has no `{need}`\n");
    // Unlike `eprintln`, this is not captured.
    let _ = std::io::stderr().write_all(line.as_bytes());
    if let Some(path) = std::env::var_os("NUBBIN_SKIPPED") {
        let file = std::fs::File::options()
            .create(true)
            .append(true)
            .open(path);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        assert!(
            written.is_ok(),
            "cannot write the file that `NUBBIN_SKIPPED` names: {written:?}"
        );
    }
    if let Ok(allowed) = std::env::var("NUBBIN_MAY_SKIP") {
        assert!(
            allowed.split_whitespace().any(|it| it == need),
            "`{need}` is missing, and not in `NUBBIN_MAY_SKIP`"
        );
    }
}
