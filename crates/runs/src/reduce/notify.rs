//! `--notify` and `--copy`: the actions after the end of a run.

use crate::problem::warn;
use crate::shown;
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The longest time that a command for the user takes.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// The time that it has after a signal.
const GRACE: Duration = Duration::from_secs(3);

/// The time in which all that it has started is killed then.
const KILLING: Duration = Duration::from_secs(2);

/// The interval at which a running command is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Tells the user that the run has ended: by the terminal, or by a shell command of the user's,
/// with the message in `NUBBIN_MESSAGE` and the path of the result in `NUBBIN_RESULT`.
///
/// A signal leaves a command that has begun some time, and no command is waited for without end. A
/// command that does not end in time is killed with all that it has started.
pub(super) fn notify(command: &str, message: &str, result: Option<&Path>, stop: &Stop) {
    if command.is_empty() {
        return shown::notify(message);
    }
    nubbin_oracle::adopt_orphans();
    let mut shell = Command::new("sh");
    // Ctrl-C is for nubbin only, so the command is in another group. A stop at once also ends the
    // command, since it leaves only programs in nubbin's group running.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    let started = shell
        .args(["-c", command])
        .env("NUBBIN_MESSAGE", message)
        .env("NUBBIN_RESULT", result.unwrap_or(Path::new("")))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn();
    match started.and_then(|mut child| wait(&mut child, stop)) {
        Ok(Some(status)) if status.success() => {}
        Ok(Some(status)) => warn(&format!("`--notify {command}`: {status}")),
        Ok(None) => warn(&format!(
            "`--notify {command}`: the command took too long and was killed"
        )),
        Err(error) => warn(&format!("`--notify {command}`: {error}")),
    }
}

/// Waits for the end of a command. Returns `None` if it did not end in time.
fn wait(child: &mut Child, stop: &Stop) -> io::Result<Option<ExitStatus>> {
    let mut until = Instant::now() + TIME_LIMIT;
    let mut is_stopped = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if stop.is_requested() && !is_stopped {
            is_stopped = true;
            until = until.min(Instant::now() + GRACE);
        }
        if Instant::now() > until {
            end(child);
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Kills a command with its process group, and with the processes that have left the group.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id())
        .ok()
        .and_then(rustix::process::Pid::from_raw)
    {
        // The command may have ended by itself.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    nubbin_oracle::end_children(KILLING);
}

/// Puts the result into the terminal's clipboard.
pub(super) fn copy(result: &Input) {
    let mut files = result.present();
    let copied = match (files.next(), files.next()) {
        (Some(file), None) => shown::copy(file.text),
        _ => Err("the result is not one file".into()),
    };
    if let Err(why) = copied {
        warn(&format!("the result is not in the clipboard: {why}"));
    }
}
