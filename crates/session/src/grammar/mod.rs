//! `nubbin grammar`: shows, checks, and converts grammars.

mod bytes;
mod files;
mod given;
pub mod languages;
pub mod loaded;
mod notations;
mod python;
mod run;
mod subtrees;
mod wrong;

pub use bytes::bytes;
pub use files::{all_files, complete, grammar};
pub use run::run;
pub use wrong::{ISLAND, named, outside_islands, wrong, wrong_grammar};
