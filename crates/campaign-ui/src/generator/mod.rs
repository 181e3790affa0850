//! Generators of a campaign, one file per kind.

mod afl;
mod bind;
mod choices;
mod command;
mod filled;
mod folder;
mod grammar;
mod graph;
mod mutate;
mod population;
mod random;
mod seed;
mod setting;

pub(super) use afl::{AflSync, afl_stats};
pub(super) use bind::bind;
pub(super) use filled::GivenUp;
pub(super) use folder::{Files, files, paths};
pub(super) use setting::Setting;
