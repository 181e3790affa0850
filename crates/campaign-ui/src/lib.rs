//! Campaigns: a folder that fuzzes, tells failures apart, validates, reduces, and reports.
//!
//! The crate `nubbin-campaign` has the schedule and the database. This crate has everything that
//! `nubbin-campaign` must not know: the file of settings, generators, reductions, and the
//! interfaces. This crate is a part of the program `nubbin`, and changes with it.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of any kind")
)]

mod act;
mod bisect;
mod check;
mod command;
mod config;
mod dashboard;
mod excerpt;
mod explainer;
mod export;
mod farm;
mod flag_keys;
mod generator;
mod hooks;
mod hub;
mod import;
mod issues;
mod lines;
mod live;
mod merge;
mod new;
mod new_folder;
mod origin;
mod own_folder;
mod page;
mod pattern;
mod probe;
mod program;
mod reduce_all;
mod reducer;
mod reports;
mod run;
mod sarif;
mod serve;
mod setup;
mod site;
mod sources;
mod status;
mod store;
mod template;
mod title;
mod trial;
mod update;

pub use command::run;
pub use reduce_all::run as reduce_all;

use hub::Hub;
use live::Live;
use nubbin_flags as flags;
use nubbin_fuzzing::{fuzz, generate};
use nubbin_outside::{choices, engine, graph};
use nubbin_report as report;
use nubbin_report::html;
use nubbin_runs::reduce;
use nubbin_session::{
    anchor, confined, endless, events, files, grammar, nearly_empty, output, paths, remote,
    sandbox, secret_file, settings, siblings, signals, stack, stamp, test,
};
use nubbin_terminal::{cores, exit, hex, print, problem, screen, shown, view};
