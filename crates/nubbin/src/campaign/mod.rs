//! `nubbin campaign`: a folder that fuzzes, tells failures apart, validates, reduces, and reports.

mod act;
mod check;
mod command;
mod config;
mod dashboard;
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
mod own_folder;
mod page;
mod probe;
mod program;
mod reduce_all;
mod reducer;
mod reports;
mod run;
mod serve;
mod setup;
mod status;
mod store;
mod template;
mod trial;
mod update;

pub(crate) use command::run;
pub(crate) use reduce_all::run as reduce_all;

use hub::Hub;
use live::Live;
