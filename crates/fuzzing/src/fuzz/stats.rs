//! The statistics of a run, as JSON.

use super::finding::Finding;
use crate::output::json::round;
use nubbin_graph::Engine;
use serde::Serialize;
use std::time::Duration;

/// The reason why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Ended {
    Complete,
    MaxTime,
    Stopped,
}

#[derive(Debug, Serialize)]
pub(super) struct Stats {
    pub(super) engine: Engine,
    pub(super) seed: u64,
    pub(super) ended: Ended,
    /// Expressions that have been run.
    pub(super) expressions: u64,
    /// Processes of the engine.
    pub(super) runs: u64,
    /// Expressions that were left out because their script hit a limit or did not come to its end.
    pub(super) left_out: u64,
    /// Crashes that did not happen again.
    pub(super) unstable: u64,
    pub(super) wall_s: f64,
    pub(super) findings: Vec<FindingStats>,
}

#[derive(Debug, Serialize)]
pub(super) struct FindingStats {
    pub(super) signature: String,
    pub(super) met: u64,
    pub(super) first: u64,
    pub(super) script: String,
    pub(super) bytes_before: usize,
    pub(super) bytes: usize,
    pub(super) runs: u64,
    pub(super) folder: String,
}

impl From<&Finding> for FindingStats {
    fn from(finding: &Finding) -> Self {
        FindingStats {
            signature: finding.signature.to_string(),
            met: finding.met,
            first: finding.first,
            script: finding.text(),
            bytes_before: finding.bytes_before,
            bytes: finding.bytes(),
            runs: finding.runs,
            folder: finding.folder.clone(),
        }
    }
}

pub(super) fn seconds(time: Duration) -> f64 {
    round(time.as_secs_f64())
}
