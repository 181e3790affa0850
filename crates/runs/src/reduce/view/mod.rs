//! The full-screen view of a run, with keys to steer it.
//!
//! The engine's thread only updates the model. Another thread reads keys and draws a copy of the
//! model at most ten times a second. No test waits for the terminal.

mod best;
mod choices;
mod colors;
mod drawer;
mod excerpt;
mod keys;
mod model;
mod output;
mod outside;
mod passes;
mod screen;
#[cfg(test)]
mod tests;
mod workers;

pub(crate) use colors::Colors;
pub(crate) use drawer::{Handles, View};
pub(crate) use model::Facts;
