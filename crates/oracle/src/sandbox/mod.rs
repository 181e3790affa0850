//! The sandbox of a test: the files that it may write, and its access to the network.
//!
//! A reducer runs thousands of programs of which parts are missing. A script without the line that
//! sets a variable may remove other files than the whole script. In the sandbox a test reads and
//! executes everything, but writes only in its own folder, opens no TCP connection, sends no signal
//! to a process outside, and leaves no memory that has a name.
//!
//! The sandbox is the one that Linux gives to every process without privileges, *Landlock*, with a
//! filter of system calls for ways out that Landlock does not block. Both are properties of
//! threads, which their children inherit for good. So each test is started by a thread that first
//! confines itself, and ends as soon as the test runs. This needs no code between fork and exec,
//! and no thread of this program remains in the sandbox, where the test could reach it.

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
