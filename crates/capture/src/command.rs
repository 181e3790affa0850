//! The command of the user, run once in its own folder.

use crate::exit::Exit;
use crate::output::Access;
use crate::problem::Problem;
use crate::signals::stopped;
use nubbin_oracle::Exit as End;
use nubbin_reduce::engine::Stop;
use rustix::process::{Pid, Signal, kill_process_group};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The interval at which a running command is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The time that a command gets to end on request.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time in which all that it has started is killed then.
const KILLING: Duration = Duration::from_secs(2);

/// The exit of the command, and its output: both streams in the order in which they were written.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) end: End,
    pub(super) output: Vec<u8>,
}

/// Runs a command line in a folder, in its own process group, so that a stop of nubbin kills all
/// its processes. `path` replaces `PATH`. The output is written to the file `output`.
pub(super) fn run(
    words: &[OsString],
    folder: &Path,
    path: Option<OsString>,
    output: &Path,
    stop: &Stop,
) -> Result<Ran, Problem> {
    let program = words.first().map_or(OsStr::new(""), OsString::as_os_str);
    let cannot = |error: io::Error| {
        let what = format!("cannot run `{}`", Path::new(program).display());
        Problem::new(Exit::Test, what).because(&error)
    };
    let file = Access::OWNER.create(output).map_err(cannot)?;
    nubbin_oracle::adopt_orphans();
    let mut child = Command::new(program)
        .args(words.iter().skip(1))
        .envs(path.map(|path| ("PATH", path)))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(file.try_clone().map_err(cannot)?)
        .stderr(file)
        .process_group(0)
        .spawn()
        .map_err(cannot)?;
    let status = wait(&mut child, stop).map_err(cannot)?;
    let Some(status) = status else {
        return Err(stopped().saying("stopped while the command ran: nothing was captured"));
    };
    Ok(Ran {
        end: end_of(status),
        output: std::fs::read(output).map_err(cannot)?,
    })
}

/// Waits for the end. Returns `None` if it was stopped.
fn wait(child: &mut Child, stop: &Stop) -> io::Result<Option<ExitStatus>> {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let mut asked: Option<Instant> = None;
    loop {
        if let Some(status) = child.try_wait()? {
            if asked.is_some() {
                // Children of the process may still be running, some in groups and sessions of
                // their own.
                end(group, Signal::KILL);
                nubbin_oracle::end_children(KILLING);
                return Ok(None);
            }
            return Ok(Some(status));
        }
        match asked {
            None if stop.is_requested() => {
                end(group, Signal::TERM);
                asked = Some(Instant::now());
            }
            Some(since) if since.elapsed() > PATIENCE => end(group, Signal::KILL),
            _ => {}
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

fn end(group: Option<Pid>, signal: Signal) {
    if let Some(group) = group {
        // The process may have ended by itself.
        let _ = kill_process_group(group, signal);
    }
}

fn end_of(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Code(code),
        (None, Some(signal)) => End::Signal(signal),
        (None, None) => End::Code(-1),
    }
}
