//! Campaigns: fuzzing, distinguishing failures, validating, reducing, and updating, in a schedule,
//! until a limit.
//!
//! A campaign is a folder with a database, the [`Store`]. In [`Fuzz`] jobs, its *programs* under
//! test run tests from *generators*. A test that fails in a new way is an [`Issue`], with an
//! [`Identity`] that distinguishes it from others. [`Scheduler`] decides which job is next, and
//! [`Campaign`] runs jobs on threads.
//!
//! The crate runs programs by `nubbin-oracle`. The crate knows no generator and no reducer: both
//! come from its caller, as [`Source`], [`Fuzz`], [`Reduce`], and [`Explain`].
//!
//! Sources: R. Hodován, Á. Kiss, *Fuzzinator*, with the same kinds of jobs and the same default
//! chain: a new issue is reduced if possible, and validated otherwise. Changed: the database is a
//! file instead of a server, jobs share the time by weights instead of turns, and no loop polls.

#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of any kind")
)]

mod bisect;
mod campaign;
mod event;
mod explanation;
mod fuzz;
mod identity;
mod issue;
mod pattern;
mod persistent;
mod private_file;
mod program;
mod reasons;
mod reduce;
mod rules;
mod schedule;
mod severity;
mod store;

pub use bisect::{FirstBad, Revision, first_bad};
pub use campaign::{Campaign, Ended, FuzzJob, Jobs, Limits, ProgramJobs, Running, Update};
pub use event::{Event, EventKind, Listener, NumberedEvent};
pub use explanation::{Explain, ExplanationError};
pub use fuzz::{Found, Fuzz, FuzzError, Made, Slice, SliceEnd, Source, Stream, Test};
pub use identity::Identity;
pub use issue::{Issue, IssueState, ParseStateError, Reduction};
pub use pattern::{PatternPiece, TestPattern};
pub use persistent::{Persistent, PersistentError};
pub use program::{Observed, Program, ProgramError, Refused, Variant};
pub use reasons::reasons;
pub use reduce::{Progress, Reduce, ReduceError, Reduced, Task};
pub use rules::{Outcome, Rules};
pub use schedule::{Budget, JobId, JobKind, LaneId, Pick, Scheduler};
pub use severity::Severity;
pub use store::{
    Change, History, IssueFilter, IssueRow, JobRow, JoinError, Lane, MergeError, Merged,
    RefusedRuns, RunLock, Statistic, Store, StoreError, StoredEvent, now,
};
