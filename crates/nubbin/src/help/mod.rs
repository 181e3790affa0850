//! `nubbin help TOPIC`: pages on topics that several commands share.
//!
//! The help of a command comes from `clap`.

mod topic;

pub(crate) use topic::{Topic, asked, text};
