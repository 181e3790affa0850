//! The sandbox of a test: what it may write, and whether it has a network.
//!
//! A reducer runs thousands of programs of which parts are missing. A script without the line that
//! sets a variable removes other files than the whole script does. In the sandbox a test reads and
//! executes everything, but writes only in its own folder, opens no TCP connection, sends no signal
//! to a process outside, and leaves no memory that has a name.
//!
//! The sandbox is the one that Linux gives to every process without privileges, *Landlock*, with a
//! filter of system calls for what Landlock does not see. Both are properties of threads, which
//! their children inherit for good. So each test is started by a thread that first confines itself,
//! and ends as soon as the test runs. This needs no code between fork and exec, and no thread of
//! this program remains in the sandbox, where the test could reach it.

#[cfg(not(target_os = "linux"))]
mod absent;
#[cfg(target_os = "linux")]
mod cage;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod memory;
mod permit;
mod probe;
mod refusal;
mod rules;
mod support;
mod trial;

#[cfg(not(target_os = "linux"))]
pub(crate) use absent::Cage;
#[cfg(target_os = "linux")]
pub(crate) use cage::Cage;
pub use permit::Loosening;
pub use refusal::Refusal;
pub use rules::{Sandbox, SandboxError};
pub use support::SandboxSupport;
pub use trial::{Trial, Wanted};
