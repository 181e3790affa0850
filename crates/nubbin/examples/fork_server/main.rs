//! A program with the fork server of AFL++, for tests: the words in its input determine its
//! behavior.
//!
//! `fork_server [FILE]` reads a file, its standard input, or shared memory. The words of the
//! variable `DOUBLE` configure it: `afl`, `old`, or `new` sets its protocol, `memory` takes inputs
//! from shared memory, `loop` adds a loop, and other words are faults. Each byte of the input is an
//! edge of its coverage. It is built with the tests, since `cargo test` builds the examples of its
//! package.

#[cfg(target_os = "linux")]
mod linux;

fn main() {
    #[cfg(target_os = "linux")]
    linux::run_once_or_serve();
}
