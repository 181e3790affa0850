//! The start of the command of a test.

use crate::command::TestCommand;
use crate::process::{self, Command};
use crate::run_error::RunError;
use crate::sandbox::Cage;
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

/// The number of attempts to start a command while the system lacks resources.
const START_TRIES: u32 = 6;
/// The pause after the first attempt; later pauses are longer.
const START_PAUSE: Duration = Duration::from_millis(50);

/// Starts the command, in a sandbox if there is one, and tries again if the system lacks resources.
pub(crate) fn with_retries(
    command: &mut Command,
    cage: Option<&Cage>,
) -> io::Result<process::Process> {
    #[cfg(unix)]
    if is_foreign_binary(Path::new(command.get_program())) {
        let no_exec = rustix::io::Errno::NOEXEC.raw_os_error();
        return Err(io::Error::from_raw_os_error(no_exec));
    }
    let mut tries = 1;
    loop {
        let started = match cage {
            Some(cage) => cage.start(|| process::start(command)),
            None => process::start(command),
        };
        let error = match started {
            Ok(process) => return Ok(process),
            Err(error) => error,
        };
        let is_passing = matches!(
            error.kind(),
            io::ErrorKind::WouldBlock
                | io::ErrorKind::OutOfMemory
                | io::ErrorKind::ExecutableFileBusy
        );
        if !is_passing || tries >= START_TRIES {
            return Err(error);
        }
        std::thread::sleep(START_PAUSE * tries);
        tries += 1;
    }
}

/// Returns whether a file is binary and not a program in a format of this family of systems.
///
/// The system reports that too. But some C libraries pass such a file to the shell, and the exit
/// code of the shell would become a verdict.
#[cfg(unix)]
fn is_foreign_binary(program: &Path) -> bool {
    const NATIVE: [&[u8]; 4] = [b"#!", b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"];
    let is_native = |head: &[u8]| NATIVE.iter().any(|magic| head.starts_with(magic));
    looks_binary(program, |head| !is_native(head))
}

pub(crate) fn lost(test: &TestCommand, source: io::Error) -> RunError {
    RunError::Lost {
        command: test.program().to_owned(),
        source,
    }
}

pub(crate) fn hint(error: &io::Error, program: &Path, work: &Path) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound if !work.is_dir() => ": the folder of the test was removed",
        io::ErrorKind::NotFound if has_carriage_return(program) => {
            ": its first line (`#!…`) ends in a carriage return, as in Windows files; remove it, \
             for example with `sed -i 's/\\r$//' FILE`"
        }
        io::ErrorKind::NotFound if program.exists() => {
            ": the interpreter in its first line (`#!…`) does not exist"
        }
        io::ErrorKind::NotFound => ": it existed when the run began",
        io::ErrorKind::PermissionDenied => ": check that it may be executed (`chmod +x`)",
        io::ErrorKind::WouldBlock => ": too many processes",
        io::ErrorKind::OutOfMemory => ": too little memory",
        io::ErrorKind::ArgumentListTooLong => ": the arguments and the environment are too long",
        _ => "",
    }
}

/// Returns whether a script begins with a `#!` line that ends in a carriage return. The system
/// takes it for a part of the interpreter's name.
fn has_carriage_return(program: &Path) -> bool {
    use std::io::Read as _;
    let mut head = [0; 256];
    let read = File::open(program).and_then(|mut file| file.read(&mut head));
    let head = read.map_or(&[][..], |length| &head[..length]);
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    line.starts_with(b"#!") && line.ends_with(b"\r")
}

/// Returns whether the error means that the system does not know the format of an executable file.
pub(crate) fn has_unknown_format(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error())
    }
    #[cfg(not(unix))]
    {
        const BAD_EXE_FORMAT: i32 = 193;
        error.raw_os_error() == Some(BAD_EXE_FORMAT)
    }
}

pub(crate) fn is_refusal(error: &io::Error) -> bool {
    has_unknown_format(error) || error.kind() == io::ErrorKind::PermissionDenied
}

pub(crate) fn is_binary(path: &Path) -> bool {
    looks_binary(path, |_| true)
}

/// Returns whether the beginning of a file contains a zero byte and passes a check.
fn looks_binary(path: &Path, check: impl Fn(&[u8]) -> bool) -> bool {
    use std::io::Read as _;
    let mut head = [0; 80];
    let read = File::open(path).and_then(|mut file| file.read(&mut head));
    read.is_ok_and(|length| head[..length].contains(&0) && check(&head[..length]))
}
