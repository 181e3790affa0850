//! Tests in the fork server of a program that is instrumented for AFL++.
//!
//! The program is started once for each slot. Its runtime waits before `main`, or at
//! `__AFL_INIT()`, and forks the process for each test. This saves the start and the linking of the
//! program. Two pipes carry words of four bytes: the program reads file 198 and writes file 199.
//! See `protocol` for the first words, and `server` for the words of a test.
//!
//! The folder, the sandbox, the limits, and the outputs of a test are the same as for a program
//! that is started for each test.

#[cfg(not(target_os = "linux"))]
mod absent;
#[cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "only Linux has fork servers")
)]
mod coverage;
#[cfg(target_os = "linux")]
mod protocol;
mod refused;
#[cfg(target_os = "linux")]
mod segment;
#[cfg(target_os = "linux")]
mod server;
#[cfg(target_os = "linux")]
mod target;

#[cfg(not(target_os = "linux"))]
pub(crate) use absent::Server;
pub use coverage::{Coverage, Granularity};
pub use refused::Refused;
#[cfg(target_os = "linux")]
pub(crate) use server::Server;

use crate::limits::Waited;
use crate::run::Exit;
use std::time::Duration;

/// Returns whether a program has a loop (`__AFL_LOOP`). A test in such a loop does not end the
/// program, and does not write the rest of the output buffers.
pub(crate) fn has_loop(program: &std::path::Path) -> bool {
    #[cfg(target_os = "linux")]
    {
        target::Marks::of(program).has_loop
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = program;
        false
    }
}

/// The use of processes by a program that is instrumented for AFL++.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Persistence {
    /// Each test has its own process, which is a fork of the waiting program.
    #[default]
    Fork,
    /// One process runs test after test in the loop of the program (`__AFL_LOOP`). A program
    /// without a loop runs as with [`Persistence::Fork`].
    ///
    /// The next test sees state that a test leaves in the process. So a failing run is repeated in
    /// a new process, and only the new run counts.
    Loop,
}

/// The settings by which servers of a program differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Setup {
    pub(crate) persistence: Persistence,
    /// The coverage that is read after each test, if any.
    pub(crate) coverage: Option<Granularity>,
    /// Whether the edges themselves are read as well.
    pub(crate) keeps_edges: bool,
    /// Whether the test case is the program's standard input.
    pub(crate) has_stdin: bool,
    /// The size of the largest test case, if it is known.
    pub(crate) input_size: usize,
}

/// The end of a test in a server.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) exit: Exit,
    pub(crate) waited: Waited,
    pub(crate) elapsed: Duration,
    pub(crate) has_stopped: bool,
    pub(crate) coverage: Option<Coverage>,
    /// The edges that were taken, if they are read.
    pub(crate) taken: Option<Vec<u64>>,
    /// Whether the process had run other tests before.
    pub(crate) is_used: bool,
    /// Whether the server can run another test.
    pub(crate) goes_on: bool,
}
