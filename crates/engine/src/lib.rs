//! The engine: tests the candidates that passes propose, and keeps the candidates that still fail.
//!
//! A `Coordinator` holds the state of a run: the base, the cache of verdicts, the limits, the
//! statistics. Workers only run tests. The coordinator follows one sequential path, the one that a
//! single worker would take: the next proposal of the machine at work, then its verdict, and so on.
//! Other workers run the tests that this path may ask for next (`prefetch`). Their verdicts go to
//! the cache and are used if the path asks for them. So the result, and the number of counted
//! tests, are the same for any number of workers.

#![deny(missing_docs)]

mod cache;
mod configurations;
mod control;
mod coordinator;
mod counts;
mod event;
pub mod explain;
mod failure_memo;
mod flaky;
mod futures;
#[cfg(feature = "isolate")]
pub mod isolate;
mod job;
mod local;
mod opener;
mod options;
pub mod order;
mod outcome;
mod pass_budget;
pub mod plan;
mod prefetch;
mod reduction;
mod run_context;
mod schedule;
mod stop;
mod success_rate;
mod suspended;
mod syntax_filter;
#[cfg(feature = "testing")]
pub mod testing;
mod triage;
pub mod work;
mod workers;

pub use control::Control;
pub use event::{Event, Observer, Waiting};
pub use flaky::{Flaky, Reproduction};
pub use local::TestTime;
pub use outcome::{Ended, Outcome, PassStatistics, ReduceError, Statistics};
pub use reduction::Reduction;
pub use stop::Stop;
pub use syntax_filter::{Form, FormLimits, SyntaxFilter};

pub(crate) use counts::TestCounts;
pub(crate) use run_context::{Limits, RunContext, RunObserver};

// Isolating drives its own search.
#[cfg(feature = "isolate")]
pub(crate) use {cache::Cache, futures::Futures, success_rate::SuccessRate, workers::Workers};

/// The example of the front page, which is a test of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;
