//! `nubbin grammar`: shows, checks, and converts grammars.

mod bytes;
mod files;
mod given;
pub(crate) mod languages;
pub(crate) mod loaded;
mod run;
mod subtrees;
mod wrong;

pub(crate) use bytes::bytes;
pub(crate) use files::{all_files, complete, grammar};
pub(crate) use run::run;
pub(crate) use wrong::{ISLAND, named, outside_islands, wrong, wrong_grammar};
