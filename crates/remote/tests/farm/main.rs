//! A farm in this process, with faults that a real one does not have on request, and a real one.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

mod campaign;
#[cfg(feature = "casd")]
mod casd;
mod fake;
mod faults;
mod safety;
mod same;
mod stage;
