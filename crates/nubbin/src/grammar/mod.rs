//! `nubbin grammar`: shows, checks, and converts grammars.

mod files;
pub(crate) mod languages;
pub(crate) mod loaded;
mod run;

pub(crate) use files::{bytes, complete, grammar, wrong};
pub(crate) use run::run;
