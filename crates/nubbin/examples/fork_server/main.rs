//! A program with the fork server of AFL++, for tests: it behaves as the words in its input demand.
//!
//! `fork_server [FILE]` reads a file, its standard input, or shared memory. The words of the
//! variable `DOUBLE` say what it is: `afl`, `old`, or `new` is its protocol, `memory` takes inputs
//! from shared memory, `loop` has a loop, and others are faults. Each byte of the input is an edge
//! of its coverage. A test builds it without being asked to, since `cargo test` builds the examples
//! of its package.

#[cfg(target_os = "linux")]
mod linux;

fn main() {
    #[cfg(target_os = "linux")]
    linux::run_once_or_serve();
}
