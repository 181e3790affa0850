//! The default plans.
//!
//! In the first minute, the number of bytes removed per test is decisive. Coarse units therefore
//! come first, in every language: whole files, comments, the pieces between top-level brackets, and
//! lines. Passes over single tokens only run on the rest. Passes that make the text more readable
//! but not smaller come last, and their successes never return the run to earlier tiers.

#[cfg(feature = "counts")]
mod counts;
#[cfg(feature = "counts")]
mod formal;
mod front_end;
mod kept_names;
mod marks;
#[cfg(feature = "ir")]
mod modules;
mod only;
#[cfg(feature = "binary")]
mod packed;
mod parameters;
mod plan;
#[cfg(feature = "trees")]
mod positions;
#[cfg(feature = "trees")]
mod queries;
#[cfg(feature = "trees")]
mod rough;
mod rows;
#[cfg(feature = "trees")]
mod terms;
mod together;
#[cfg(feature = "trees")]
mod trees;

pub use front_end::{FRONT_END, with_front_end};
pub use kept_names::keeping_names;
pub use nubbin_view::Kind;
pub use parameters::{Parameters, with_parameters};
pub use plan::{plan, quick, with_proposers};
#[cfg(feature = "trees")]
pub use positions::{POSITIONS, Position, with_positions};
#[cfg(feature = "trees")]
pub use terms::with_sorts;
#[cfg(feature = "trees")]
pub use trees::{plan_with_syntax, with_trees};
