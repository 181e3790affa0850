#![expect(
    unsafe_code,
    reason = "a fork server is made of calls that have no other interface"
)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a program under test, and prints as one"
)]

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::FromRawFd;
use std::os::unix::process::CommandExt;
use std::process::exit;
use std::time::Duration;

const NEW: u32 = 0x4146_4c01;
const OLD: u32 = 0x8000_0001 | 0x4000_0000;
/// An edge for each byte, and some that are never taken.
const EDGES: u32 = 300;

pub(super) fn run_once_or_serve() {
    let words = std::env::var("DOUBLE").unwrap_or_default();
    let has = |word: &str| words.split(',').any(|one| one == word);
    let nubbin = std::os::unix::process::parent_id();
    if has("early") {
        eprintln!("started");
    }
    if has("dies") {
        exit(4);
    }
    let memory = attached("__AFL_SHM_FUZZ_ID").filter(|_| has("memory"));
    let map = attached("__AFL_SHM_ID");
    // SAFETY: the numbers are those of the protocol, and nothing else uses them here.
    let pipes = unsafe { (File::from_raw_fd(198), File::from_raw_fd(199)) };
    let is_served = map.is_some() && pipes.0.metadata().is_ok();
    if !is_served && has("unused") {
        exit(0);
    }
    if !is_served {
        run(&input(None), None, nubbin);
        exit(0);
    }
    if has("hangs") {
        std::thread::sleep(Duration::from_secs(1000));
    }
    serve(pipes, map, memory, nubbin, &has);
}

/// Attaches the shared memory that a variable names.
fn attached(variable: &str) -> Option<*mut u8> {
    let id = std::env::var(variable).ok()?.parse().ok()?;
    // SAFETY: the system chooses the place.
    let begin = unsafe { libc::shmat(id, std::ptr::null(), 0) };
    (begin.addr() != usize::MAX).then_some(begin.cast())
}

fn serve(
    (mut control, mut status): (File, File),
    map: Option<*mut u8>,
    memory: Option<*mut u8>,
    nubbin: u32,
    has: &impl Fn(&str) -> bool,
) {
    // All words in one call, so that nubbin finds the second one behind the first.
    let mut say = |words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        status.write_all(&bytes).unwrap_or_else(|_| exit(1))
    };
    let mut hear = || {
        let mut word = [0; 4];
        control.read_exact(&mut word).unwrap_or_else(|_| exit(1));
        u32::from_ne_bytes(word)
    };
    match () {
        () if has("refuses") => say(&[0xf800_088f]),
        () if has("new") => {
            say(&[NEW]);
            assert_eq!(hear(), !NEW);
            say(&[if memory.is_some() { 3 } else { 1 }]);
            say(&[EDGES]);
            say(&[NEW]);
        }
        () if has("old") => {
            let map = (EDGES - 1) << 1;
            say(&[OLD | map | if memory.is_some() { 0x0100_0000 } else { 0 }]);
            if memory.is_some() {
                assert_eq!(hear(), 0x8100_0001);
            }
        }
        () => say(&[0]),
    }
    let is_loop = has("loop");
    let sees_stops = std::env::var_os("__AFL_PERSISTENT").is_some();
    let (mut stopped, mut tests, mut last) = (None, 0, None);
    loop {
        let was_killed = hear() != 0;
        // The second time comes after the next request.
        if let Some(word) = last.filter(|_| has("late")) {
            say(&[word]);
        }
        tests += 1;
        if has("leaves") && tests % 5 == 0 {
            exit(5);
        }
        let mut state = 0;
        if let Some(child) = stopped.filter(|_| was_killed) {
            // SAFETY: the number is that of a child.
            unsafe { libc::waitpid(child, &raw mut state, 0) };
            stopped = None;
        }
        let child = match stopped {
            Some(child) => {
                // SAFETY: as above.
                unsafe { libc::kill(child, libc::SIGCONT) };
                child
            }
            // SAFETY: there is one thread.
            None => match unsafe { libc::fork() } {
                0 => {
                    drop((control, status));
                    loop {
                        run(&input(memory), map, nubbin);
                        if !is_loop {
                            exit(0);
                        }
                        // SAFETY: a signal to itself.
                        unsafe { libc::raise(libc::SIGSTOP) };
                    }
                }
                child => child,
            },
        };
        say(&[child.cast_unsigned()]);
        let options = if sees_stops { libc::WUNTRACED } else { 0 };
        // SAFETY: as above.
        unsafe { libc::waitpid(child, &raw mut state, options) };
        stopped = libc::WIFSTOPPED(state).then_some(child);
        let word = state.cast_unsigned();
        last = Some(word);
        match has("twice") {
            false => say(&[word]),
            true => say(&[word, word]),
        }
    }
}

fn input(memory: Option<*mut u8>) -> Vec<u8> {
    let mut text = vec![];
    match (memory, std::env::args_os().nth(1)) {
        (Some(memory), _) => {
            // SAFETY: nubbin writes a length and so many bytes, and waits for this process.
            unsafe {
                let length = memory.cast::<u32>().read() as usize;
                text.extend_from_slice(std::slice::from_raw_parts(memory.add(4), length));
            }
        }
        (None, Some(path)) => text = std::fs::read(path).unwrap_or_else(|_| exit(2)),
        (None, None) => {
            let read = std::io::stdin().read_to_end(&mut text);
            read.unwrap_or_else(|_| exit(2));
        }
    }
    text
}

/// Runs one test.
fn run(text: &[u8], map: Option<*mut u8>, nubbin: u32) {
    static mut IS_SPOILED: bool = false;
    if let Some(map) = map {
        for &byte in text {
            // SAFETY: the map has a byte for each byte, and nubbin waits for this process.
            unsafe {
                let count = map.add(byte.into());
                count.write(count.read().saturating_add(1));
            }
        }
    }
    let has = |word: &str| text.windows(word.len()).any(|part| part == word.as_bytes());
    if has("loud") {
        eprintln!("something is wrong at line 7");
    }
    if has("assert") {
        eprintln!("double: a.c:7: f: Assertion `x' failed.");
    }
    if has("out") {
        println!("result 42");
    }
    let is_there = |path: &&str| std::fs::exists(path).unwrap_or(false);
    if has("seen") && (LEFT.iter().any(is_there) || has_left(nubbin)) {
        exit(77);
    }
    if has("leave") {
        let mut left = std::process::Command::new("sleep");
        // SAFETY: the call changes nothing but the new process.
        unsafe {
            left.arg("1000").pre_exec(|| {
                libc::setsid();
                Ok(())
            });
        }
        let _ = left.spawn();
        for path in LEFT {
            #[expect(clippy::disallowed_methods, reason = "a program under test")]
            let _ = std::fs::write(path, "x");
        }
    }
    if has("hang") {
        std::thread::sleep(Duration::from_secs(1000));
    }
    // SAFETY: there is one thread.
    let is_spoiled = unsafe { IS_SPOILED };
    if has("segv") || (is_spoiled && has("x")) {
        // SAFETY: a signal to itself. Rust has a handler that would return.
        unsafe {
            libc::signal(libc::SIGSEGV, libc::SIG_DFL);
            libc::raise(libc::SIGSEGV)
        };
    }
    if has("three") {
        exit(3);
    }
    if has("spoil") {
        // SAFETY: there is one thread.
        unsafe { IS_SPOILED = true };
    }
}

/// The files that a test leaves, in its folder and next to it.
const LEFT: [&str; 2] = ["left", "../left"];

/// Whether nubbin has adopted a process that a test left.
fn has_left(nubbin: u32) -> bool {
    let list = format!("/proc/{nubbin}/task/{nubbin}/children");
    let list = std::fs::read_to_string(list).unwrap_or_default();
    let name = |pid: &str| std::fs::read_to_string(format!("/proc/{pid}/comm"));
    let mut names = list.split_whitespace().flat_map(name);
    names.any(|name| name.trim() == "sleep")
}
