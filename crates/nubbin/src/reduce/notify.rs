//! `--notify` and `--copy`: what happens after the end of a run.

use crate::problem::warn;
use crate::shown;
use nubbin_reduce::input::Input;
use std::path::Path;
use std::process::{Command, Stdio};

/// Tells the user that the run has ended: by the terminal, or by a shell command of the user's,
/// with the message in `NUBBIN_MESSAGE` and the path of the result in `NUBBIN_RESULT`.
pub(super) fn notify(command: &str, message: &str, result: Option<&Path>) {
    if command.is_empty() {
        return shown::notify(message);
    }
    let mut shell = Command::new("sh");
    // A stop at once ends it: only programs in the group of nubbin are left alone then.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    let ran = shell
        .args(["-c", command])
        .env("NUBBIN_MESSAGE", message)
        .env("NUBBIN_RESULT", result.unwrap_or(Path::new("")))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    match ran {
        Ok(status) if status.success() => {}
        Ok(status) => warn(&format!("`--notify {command}`: {status}")),
        Err(error) => warn(&format!("`--notify {command}`: {error}")),
    }
}

/// Puts the result into the clipboard of the terminal.
pub(super) fn copy(result: &Input) {
    let mut files = result.present();
    let copied = match (files.next(), files.next()) {
        (Some(file), None) => shown::copy(file.text),
        _ => Err("it is not one file".into()),
    };
    if let Err(why) = copied {
        warn(&format!("the result is not in the clipboard: {why}"));
    }
}
