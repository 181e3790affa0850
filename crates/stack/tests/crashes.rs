//! Stacks of small programs in C that crash in different ways.

#![cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests make files of any kind, and may panic"
)]

#[path = "../../oracle/tests/skip/mod.rs"]
mod skip;

use nubbin_stack::{Crash, MOST_FRAMES, trace};
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

const PROGRAM: &str = r#"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>
#include <pthread.h>
char *volatile null; void (*volatile no_function)(void);
#define OWN __attribute__((noinline, used))
OWN void deref(void) { *null = 1; }
OWN void die(void) { abort(); }
OWN int over(int n) { volatile char a[100]; a[n % 100] = 1; return over(n + 1) + a[3]; }
OWN void call(void) { no_function(); null = 0; }
static inline __attribute__((always_inline)) void inlined(void) { *null = 2; }
OWN void host(void) { inlined(); }
static void ends(int signal) { _exit(3); }
static void goes_on(int signal) { null = (char *)&no_function; }
OWN void *in_thread(void *unused) { deref(); return 0; }
int main(int count, char **words) {
    pthread_t thread;
    switch (words[1][0]) {
    case 'd': deref(); break;
    case 'a': die(); break;
    case 'o': return over(0);
    case 'f': call(); break;
    case 'i': host(); break;
    case 'h': signal(SIGSEGV, ends); deref(); break;
    case 'g': signal(SIGUSR1, goes_on); raise(SIGUSR1); deref(); break;
    case 'c': if (fork() == 0) deref(); wait(0); break;
    case 't': pthread_create(&thread, 0, in_thread, 0); pthread_join(thread, 0); break;
    case 'k': kill(getpid(), SIGSEGV); break;
    case 's': signal(SIGSEGV, SIG_IGN); raise(SIGSEGV); return 4;
    }
    return 0;
}
"#;

/// `trace` waits for any child of this process, so one test runs at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Built {
    dir: tempfile::TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Built {
    fn program(&self) -> PathBuf {
        self.dir.path().join("program")
    }

    fn run(&self, case: &str) -> (i32, Option<Crash>) {
        let traced = trace(Command::new(self.program()).arg(case)).unwrap();
        (traced.status.code().unwrap_or(-1), traced.crash)
    }

    /// The functions of a stack that have a name, up to `main`.
    fn functions(&self, case: &str) -> Vec<String> {
        let crash = self.run(case).1.unwrap();
        let own = crash.frames.into_iter().filter(|frame| {
            let module = frame.module.as_ref();
            module.is_none_or(|module| module.ends_with("program"))
        });
        let names = own.filter_map(|frame| frame.name);
        names.take_while(|name| name != "main").collect()
    }
}

/// Builds the program with these flags; `None` without a compiler, or where nothing can be traced.
fn built(flags: &[&str]) -> Option<Built> {
    let alone = alone();
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("program.c");
    std::fs::write(&source, PROGRAM).unwrap();
    let program = dir.path().join("program");
    let compiled = Command::new("gcc")
        .args(["-w", "-pthread", "-o"])
        .args([&program, &source])
        .args(flags)
        .status();
    if !compiled.is_ok_and(|status| status.success()) {
        skip::skipped("gcc");
        return None;
    }
    if trace(&mut Command::new("true")).is_err() {
        skip::skipped("strace");
        return None;
    }
    Some(Built { dir, _alone: alone })
}

#[test]
fn the_stack_is_that_of_the_crash() {
    let Some(built) = built(&["-O1"]) else { return };
    assert_eq!(built.functions("d"), ["deref"]);
    assert_eq!(built.functions("a"), ["die"]);
    assert_eq!(built.functions("i"), ["host"]);
    assert_eq!(built.run("a").1.unwrap().signal, 6);
}

#[test]
fn a_signal_that_a_process_sends_to_itself_has_no_stack() {
    let Some(built) = built(&["-O1"]) else { return };
    assert_eq!(built.run("k"), (-1, None));
}

#[test]
fn inlined_functions_have_frames_with_debug_information() {
    let Some(built) = built(&["-O1", "-g"]) else {
        return;
    };
    assert_eq!(built.functions("i"), ["inlined", "host"]);
}

#[test]
fn a_call_of_a_wrong_address_has_its_caller() {
    let Some(built) = built(&["-O1"]) else { return };
    assert_eq!(built.functions("f"), ["call"]);
}

#[test]
fn a_stack_that_is_used_up_has_a_limited_number_of_frames() {
    let Some(built) = built(&["-O0"]) else { return };
    let names = built.functions("o");
    assert_eq!(names.len(), MOST_FRAMES);
    assert!(names.iter().all(|name| name == "over"), "{names:?}");
}

#[test]
fn a_handler_that_ends_its_process_is_a_crash_and_one_that_goes_on_is_none() {
    let Some(built) = built(&["-O1"]) else { return };
    let (code, crash) = built.run("h");
    assert_eq!(code, 3);
    let frames = crash.unwrap().frames;
    let at = frames.iter().position(|frame| frame.is_trampoline).unwrap();
    assert_eq!(frames[at - 1].name.as_deref(), Some("ends"));
    assert_eq!(frames[at + 1].name.as_deref(), Some("deref"));
    assert_eq!(built.run("g"), (0, None));
    assert_eq!(built.run("s"), (4, None));
}

#[test]
fn children_and_threads_crash_as_well() {
    let Some(built) = built(&["-O1"]) else { return };
    assert_eq!(built.functions("c"), ["deref"]);
    assert_eq!(built.functions("t"), ["deref", "in_thread"]);
}

#[test]
fn without_symbols_a_function_is_a_position_in_its_module() {
    let Some(built) = built(&["-O1", "-s"]) else {
        return;
    };
    let place = |case: &str| {
        let crash = built.run(case).1.unwrap();
        let frame = crash.frames.first().unwrap().clone();
        assert_eq!(
            (frame.name.clone(), frame.module),
            (None, Some(built.program()))
        );
        frame.offset
    };
    assert_eq!(place("d"), place("d"));
    assert_ne!(place("d"), place("i"));
}

#[test]
fn a_program_is_run_as_without_tracing() {
    let Some(built) = built(&["-O1"]) else { return };
    let program = built.program();
    let line = format!(
        "{} d; echo $?; kill -STOP $$ & wait; exit 7",
        program.display()
    );
    let mut command = Command::new("sh");
    let traced = trace(
        command
            .args(["-c", &line])
            .stdout(std::process::Stdio::null()),
    )
    .unwrap();
    assert_eq!(traced.status.code(), Some(7));
    assert_eq!(traced.crash.unwrap().signal, 11);
    assert!(trace(&mut Command::new("/no/such/program")).is_err());
}
