//! Runs tests on the workers of a *farm*: a server that speaks the Remote Execution API, version 2.
//!
//! [`RemoteOracle`] is an [`Oracle`](nubbin_verdict::Oracle) like the oracle from which it is
//! created, [`CommandOracle`](nubbin_oracle::CommandOracle): an engine does not see a difference.
//! The crate has a client only. Workers, queues, caches, and sandboxes belong to the farm:
//! Buildbarn, BuildGrid, Buildfarm, NativeLink, BuildBuddy, EngFlow, or `buildbox-casd` on one
//! machine.
//!
//! The protocol is the protocol of Bazel (The Bazel Authors, *Remote Execution API*, version 2.11,
//! 2024). The protocol describes a test as nubbin does: a folder by the digest of its content, a
//! command, a time limit, and a result, which the farm keeps for the next user with the same
//! request. Three parts are specific to nubbin:
//!
//! - An action exits with code 0 for every verdict, since many farms only keep successful
//!   results. A script on the worker writes the exit of the test to a file.
//! - Short tests share an action, so that an action runs for at least half a second. Each result is
//!   then stored under the action that the test alone would have had, if the farm permits this.
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
