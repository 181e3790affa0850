//! The private folders of runs: one root per run, with one folder per slot inside.

mod names;
mod owner;
mod place;
mod run_root;
mod sweep;

pub(crate) use names::{BESIDE, TMP, WORK};
pub(crate) use run_root::{Root, living_id, living_marks, remove_living};
pub(crate) use sweep::is_root;
