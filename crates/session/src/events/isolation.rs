//! The events of an isolation.

use serde::{Deserialize, Serialize};

/// One line of a log: an event, with the time and the number of tests so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IsolationLine {
    /// Seconds since the run began.
    pub seconds: f64,
    /// Counted tests so far.
    pub tests: u64,
    /// The event. Its fields are fields of the line, as in the log of a reduction.
    #[serde(flatten)]
    pub event: IsolationEvent,
}

/// An event of an isolation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum IsolationEvent {
    /// One input passed and the other failed. The search begins.
    Started {
        /// The version of the format.
        version: u32,
        passing_bytes: u64,
        failing_bytes: u64,
    },
    /// The search continued with the next kind of atoms.
    LevelStarted {
        /// The kind: `line`, `token`, `char`, or `byte`.
        atom: String,
        /// The number of changes between the two inputs.
        changes: u64,
    },
    /// A test was counted.
    Tested {
        /// `pass`, `fail`, `unresolved`, or `timed out`.
        verdict: String,
        /// Size of the candidate.
        bytes: u64,
    },
    /// A candidate became the new passing or failing input.
    Narrowed {
        side: Side,
        /// Size of the candidate.
        bytes: u64,
        /// The number of remaining changes.
        left: u64,
    },
    /// The search ended.
    Ended {
        /// `complete`, `max-tests`, `max-time`, `stopped`, or `fault`.
        why: String,
    },
}

/// One of the two inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    Passing,
    Failing,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A log with one line for each kind of event. Change it only together with the version.
    const GOLDEN: &str = include_str!("isolation.jsonl");

    /// Returns the name of an event. Has no wildcard, so that it names new events as well.
    fn name(event: &IsolationEvent) -> &'static str {
        match event {
            IsolationEvent::Started { .. } => "started",
            IsolationEvent::LevelStarted { .. } => "level-started",
            IsolationEvent::Tested { .. } => "tested",
            IsolationEvent::Narrowed { .. } => "narrowed",
            IsolationEvent::Ended { .. } => "ended",
        }
    }

    #[test]
    fn the_golden_log_has_every_event_and_survives_a_round_trip() {
        let mut met = BTreeSet::new();
        for text in GOLDEN.lines() {
            let line: IsolationLine = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&line).unwrap(), text);
            met.insert(name(&line.event));
        }
        let all = ["started", "level-started", "tested", "narrowed", "ended"];
        assert_eq!(met, BTreeSet::from(all));
    }
}
