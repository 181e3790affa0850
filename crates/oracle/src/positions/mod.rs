//! Positions in the input that a run printed: `input.c:3:7: error: …`.
//!
//! [`patterns`] is the table of the forms in which tools print positions, [`text`] finds the file
//! and the bytes of a position, [`markers`] knows the lines that `# 12 "x.h"` gives other numbers,
//! and [`find`](mod@find) reads an output.
//! [`original`] does so for the run of the original, with the messages that the test requires
//! ([`quoted`](mod@quoted)). [`position`] has the types.

mod find;
mod markers;
mod original;
mod patterns;
mod position;
mod quoted;
#[cfg(test)]
mod samples;
mod text;

use find::find;
pub use position::{Position, PositionKind};
