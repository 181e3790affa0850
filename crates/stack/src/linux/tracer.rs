//! Runs a command under `ptrace`, with everything that it starts.

use super::memory::Memory;
use super::modules::Modules;
use super::registers::{Registers, WORDS};
use super::unwind::{Point, walk};
use crate::{Crash, Frame, Traced};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// The signals by which programs crash.
const CRASHES: [i32; 7] = [
    libc::SIGSEGV,
    libc::SIGABRT,
    libc::SIGBUS,
    libc::SIGILL,
    libc::SIGFPE,
    libc::SIGTRAP,
    libc::SIGSYS,
];

const OPTIONS: libc::c_int = libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEEXEC
    | libc::PTRACE_O_TRACEEXIT
    | libc::PTRACE_O_EXITKILL;

pub(crate) fn trace(command: &mut Command) -> io::Result<Traced> {
    // SAFETY: `ptrace` is a single system call, which is allowed between fork and exec.
    #[expect(unsafe_code, reason = "the system has no other interface")]
    unsafe {
        command.pre_exec(|| ask(libc::PTRACE_TRACEME, 0, 0).map(drop));
    }
    // The new program is stopped before its first instruction.
    let child = command.spawn()?;
    let first = i32::try_from(child.id()).map_err(io::Error::other)?;
    let mut tracer = Tracer {
        known: BTreeSet::from([first]),
        hit: BTreeMap::new(),
        crash: None,
        has_options: false,
    };
    loop {
        let (pid, status) = wait_for_any()?;
        if libc::WIFSTOPPED(status) {
            tracer.stopped(pid, status);
        } else if pid == first {
            return Ok(Traced {
                status: ExitStatus::from_raw(status),
                crash: tracer.crash,
            });
        }
    }
}

#[derive(Debug)]
struct Tracer {
    /// The processes and threads that have had their first stop.
    known: BTreeSet<i32>,
    /// The last signal of a crash that each of them got.
    hit: BTreeMap<i32, i32>,
    crash: Option<Crash>,
    has_options: bool,
}

impl Tracer {
    /// Continues a stopped process.
    fn stopped(&mut self, pid: i32, status: libc::c_int) {
        let (signal, event) = (libc::WSTOPSIG(status), status >> 16);
        if !self.has_options {
            // This is the first stop of the first program.
            self.has_options = ask(libc::PTRACE_SETOPTIONS, pid, OPTIONS as usize).is_ok();
            go_on(pid, 0);
            return;
        }
        match event {
            0 => {
                let is_new = self.known.insert(pid);
                go_on(pid, self.passed_on(pid, signal, is_new));
            }
            libc::PTRACE_EVENT_EXIT => {
                self.ends(pid);
                go_on(pid, 0);
            }
            libc::PTRACE_EVENT_EXEC => {
                self.hit.remove(&pid);
                go_on(pid, 0);
            }
            _ => go_on(pid, 0),
        }
    }

    /// Returns the signal to deliver to a stopped process, and records the signals of crashes.
    fn passed_on(&mut self, pid: i32, signal: i32, is_new: bool) -> i32 {
        let is_stop = [libc::SIGSTOP, libc::SIGTSTP, libc::SIGTTIN, libc::SIGTTOU];
        if is_stop.contains(&signal) {
            // A new process starts with such a stop. For a process that was told to stop earlier,
            // the system asks the tracer, and the process would remain stopped.
            let is_group = ask(libc::PTRACE_GETSIGINFO, pid, 0).is_err();
            return if is_new || is_group { 0 } else { signal };
        }
        if CRASHES.contains(&signal) {
            match is_sent(pid, signal) {
                // An earlier signal, which the process handled, did not end the process.
                true => self.hit.remove(&pid),
                false => self.hit.insert(pid, signal),
            };
        }
        signal
    }

    /// Reads the stack of a process or thread that is about to end, if it crashes.
    fn ends(&mut self, pid: i32) {
        let Some(signal) = self.hit.remove(&pid).filter(|_| self.crash.is_none()) else {
            return;
        };
        let status = message(pid).and_then(|status| libc::c_int::try_from(status).ok());
        let Some(status) = status else {
            return;
        };
        let is_killed = libc::WIFSIGNALED(status) && CRASHES.contains(&libc::WTERMSIG(status));
        let has_failed = libc::WIFEXITED(status) && libc::WEXITSTATUS(status) != 0;
        if !is_killed && !has_failed {
            return;
        }
        let frames = frames(pid).unwrap_or_default();
        let in_handler = frames.iter().any(|frame| frame.is_trampoline);
        if is_killed || in_handler {
            // A handler may end its process with another signal.
            self.crash = Some(Crash { signal, frames });
        }
    }
}

/// Reads the stack of a stopped process or thread.
fn frames(pid: i32) -> Option<Vec<Frame>> {
    let registers = registers(pid)?;
    let memory = Memory::of(pid).ok()?;
    let mut modules = Modules::of(pid);
    let points = walk(registers, &mut modules, &memory);
    let mut wanted: BTreeMap<PathBuf, Vec<u64>> = BTreeMap::new();
    let places: Vec<Option<(PathBuf, u64, u64)>> = points
        .iter()
        .map(|point| {
            let place = modules.place(point.address, &memory)?;
            let address = point.address.wrapping_sub(place.bias);
            let start = place.image.and_then(|image| image.entry(address));
            let start = start.map_or(address, |entry| entry.initial_address());
            wanted.entry(place.path.clone()).or_default().push(address);
            Some((place.path, address, start))
        })
        .collect();
    let mut names = BTreeMap::new();
    for (point, place) in points.iter().zip(&places) {
        let Some((path, ..)) = place else { continue };
        let Some(addresses) = wanted.remove(path).filter(|_| !is_c_library(path)) else {
            continue;
        };
        let image = modules
            .place(point.address, &memory)
            .and_then(|it| it.image);
        let found = image.map(|image| image.symbols().names(&addresses));
        names.insert(path.clone(), found.unwrap_or_default());
    }
    let frames = points.iter().zip(places);
    Some(
        frames
            .flat_map(|(point, place)| at(*point, place, &names))
            .collect(),
    )
}

/// Returns whether a file is the C library or its loader. Their functions are never the reason of a
/// crash, and reading their symbols takes longer than reading the symbols of most programs.
fn is_c_library(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let begins = |beginning: &&str| name.is_some_and(|name| name.starts_with(*beginning));
    ["libc.so", "libc-2.", "ld-linux", "ld-musl"]
        .iter()
        .any(begins)
}

/// Returns the frames of one place on the stack.
fn at(
    point: Point,
    place: Option<(PathBuf, u64, u64)>,
    names: &BTreeMap<PathBuf, BTreeMap<u64, Vec<String>>>,
) -> Vec<Frame> {
    let is_trampoline = point.is_trampoline;
    let Some((module, address, start)) = place else {
        return vec![Frame {
            name: None,
            module: None,
            offset: point.address,
            is_trampoline,
        }];
    };
    let known = names.get(&module).and_then(|names| names.get(&address));
    let known = known.map_or(&[][..], Vec::as_slice);
    let frame = |name: Option<&String>| Frame {
        name: name.cloned(),
        module: Some(module.clone()),
        offset: start,
        is_trampoline,
    };
    match known {
        [] => vec![frame(None)],
        names => names.iter().map(|name| frame(Some(name))).collect(),
    }
}

/// Waits until any traced process stops or ends.
fn wait_for_any() -> io::Result<(i32, libc::c_int)> {
    loop {
        let mut status = 0;
        // SAFETY: the call writes one number, which outlives the call.
        #[expect(unsafe_code, reason = "the system has no other interface")]
        let pid = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL) };
        if pid > 0 {
            return Ok((pid, status));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Continues a stopped process, and delivers a signal unless it is 0.
fn go_on(pid: i32, signal: i32) {
    // The process may have been killed in the meantime.
    let _ = ask(libc::PTRACE_CONT, pid, usize::try_from(signal).unwrap_or(0));
}

/// The kind of a request to the system, which differs between C libraries.
#[cfg(target_env = "gnu")]
type Request = libc::c_uint;
#[cfg(not(target_env = "gnu"))]
type Request = libc::c_int;

/// Returns whether `kill` sent the signal for which a process has stopped, for example if a script
/// kills itself with a signal. The stack then is that of the interpreter. `abort` and `raise` use
/// another call.
fn is_sent(pid: i32, signal: i32) -> bool {
    const CODE: std::ops::Range<usize> = 8..12;
    let mut room = [0_u8; SIGNAL_INFO];
    let asked = ask_into(libc::PTRACE_GETSIGINFO, pid, room.as_mut_ptr() as usize);
    let code = room[CODE].try_into().map(i32::from_ne_bytes);
    signal != libc::SIGABRT && asked.is_ok() && code.is_ok_and(|code| code == libc::SI_USER)
}

/// The size in bytes of the buffer for the system's facts about a signal, which take 128 bytes.
const SIGNAL_INFO: usize = 256;

/// Sends a request about a stopped process with one number to the system.
fn ask(request: Request, pid: i32, data: usize) -> io::Result<libc::c_long> {
    let mut room = [0_u8; SIGNAL_INFO];
    match request {
        libc::PTRACE_GETSIGINFO => ask_into(request, pid, room.as_mut_ptr() as usize),
        _ => ask_into(request, pid, data),
    }
}

/// Sends a request about a stopped process to the system. For [`libc::PTRACE_GETSIGINFO`], `data`
/// is the address of [`SIGNAL_INFO`] bytes.
fn ask_into(request: Request, pid: i32, data: usize) -> io::Result<libc::c_long> {
    // SAFETY: the requests in this file read no memory. Only one of them writes, at most 128 bytes,
    // for which the callers reserve space.
    #[expect(unsafe_code, reason = "the system has no other interface")]
    let answer = unsafe { libc::ptrace(request, pid, 0_usize, data) };
    match answer {
        -1 => Err(io::Error::last_os_error()),
        answer => Ok(answer),
    }
}

/// Returns the message of the event for which a process has stopped.
fn message(pid: i32) -> Option<libc::c_ulong> {
    let mut message: libc::c_ulong = 0;
    // SAFETY: the request writes one number, which outlives the request.
    #[expect(unsafe_code, reason = "the system has no other interface")]
    let answer = unsafe { libc::ptrace(libc::PTRACE_GETEVENTMSG, pid, 0_usize, &raw mut message) };
    (answer == 0).then_some(message)
}

/// Returns the registers of a stopped process; `None` for one of 32 bits.
fn registers(pid: i32) -> Option<Registers> {
    const GENERAL: usize = 1;
    let mut words = [0_u64; WORDS];
    let size = size_of_val(&words);
    let mut place = libc::iovec {
        iov_base: words.as_mut_ptr().cast(),
        iov_len: size,
    };
    // SAFETY: the request writes at most `iov_len` bytes to `words`, and the length to `place`.
    // Both outlive the request.
    #[expect(unsafe_code, reason = "the system has no other interface")]
    let answer = unsafe { libc::ptrace(libc::PTRACE_GETREGSET, pid, GENERAL, &raw mut place) };
    (answer == 0 && place.iov_len == size).then(|| Registers::of(&words))
}
