//! Runs tests on the workers of a *farm*: a server that speaks the Remote Execution API, version 2.
//!
//! [`RemoteOracle`] is an [`Oracle`](nubbin_verdict::Oracle) like the one that it is made from,
//! [`CommandOracle`](nubbin_oracle::CommandOracle): an engine does not see a difference. The crate
//! has a client only. Workers, queues, caches, and sandboxes are those of the farm: Buildbarn,
//! BuildGrid, Buildfarm, NativeLink, BuildBuddy, EngFlow, or `buildbox-casd` on one machine.
//!
//! The protocol is that of Bazel (The Bazel Authors, *Remote Execution API*, version 2.11, 2024).
//! It describes a test as nubbin does: a folder by the digest of its content, a command, a limit on
//! time, and a result, which the farm keeps for the next user with the same question. Three things
//! are ours:
//!
//! - An action ends with exit code 0 whatever the verdict, since farms keep successes and often
//!   nothing else. A script on the worker writes the end of the test into a file.
//! - Short tests share an action, so that each runs for half a second at least. Each result is then
//!   stored under the action that the test alone would have had, if the farm lets clients do that.
//! - A verdict is derived on this machine, by the same code as for local tests.

#![deny(missing_docs)]

mod action;
mod address;
mod blob;
mod check;
mod client;
mod dispatch;
mod error;
mod folder;
mod job;
mod oracle;
mod queue;
mod repeats;
mod script;
mod token;
mod travel;

pub use address::Access;
pub use check::{Comparison, Sample};
pub use error::RemoteError;
pub use oracle::{Options, RemoteOracle};
pub use token::TokenSource;
