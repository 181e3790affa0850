//! Runs for the tests of signatures.

use super::Signature;
use crate::run::{Exit, Run};
use std::path::PathBuf;

pub(crate) fn run(exit: Exit, stderr: &str) -> Run {
    Run {
        stderr: Some(stderr.into()),
        inputs: vec![
            PathBuf::from("t.c"),
            PathBuf::from("t.py"),
            PathBuf::from("t.rb"),
            PathBuf::from("t.rs"),
        ],
        ..Run {
            exit,
            ..Run::refused(0)
        }
    }
}

/// The text of the signature of a run that printed this and exited with code 1.
pub(crate) fn shown(stderr: &str) -> String {
    Signature::of(&run(Exit::Code(1), stderr)).map_or("none".into(), |found| found.to_string())
}
