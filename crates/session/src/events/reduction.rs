//! The events of a reduction.

use super::statistics::ReductionStatistics;
use super::text::Text;
use nubbin_verdict::VerdictKind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One line of a log: an event, with the time, the number of tests, and the size of the best so
/// far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Seconds since the run began.
    pub seconds: f64,
    /// Counted tests so far.
    pub tests: u64,
    /// Size of the best so far in bytes.
    pub best: u64,
    /// The event. Its fields are fields of the line, so that a filter of lines needs no path: `jq
    /// 'select(.event == "adopted") | .bytes'`.
    #[serde(flatten)]
    pub event: Event,
}

/// An event of a reduction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The original failed. The search begins.
    Started(Box<Start>),
    /// A pass began to work on a file.
    PassStarted {
        pass: String,
        /// The tier of the plan to which the pass belongs.
        tier: String,
        /// The number of the file, from 0.
        file: usize,
    },
    /// A test was counted.
    Tested {
        /// The pass that proposed the candidate.
        pass: String,
        verdict: TestVerdict,
        /// Size of the candidate.
        bytes: u64,
        /// The text of the candidate, with its files joined. Absent without `--log-texts`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<Text>,
    },
    /// A failing candidate became the best so far.
    Adopted {
        /// The pass that proposed the candidate.
        pass: String,
        /// Size of the candidate.
        bytes: u64,
        /// Size of the previous best so far.
        bytes_before: u64,
        /// The edit that turned the previous best so far into the candidate.
        splices: Vec<Splice>,
        /// The files that the edit renamed: the name in the original, and the new name. Absent if
        /// there are none.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        renamed: BTreeMap<String, String>,
    },
    /// A pass ended.
    PassEnded {
        pass: String,
        /// Tests of this run of the pass.
        pass_tests: u64,
        /// Candidates of this run of the pass that were adopted.
        pass_adopted: u64,
        /// Bytes that the adopted candidates removed; negative if they added bytes.
        bytes_removed: i64,
    },
    /// The user skipped a pass.
    PassSkipped { pass: String },
    /// A pass did not run, or was stopped, because the user disabled it.
    PassDisabled { pass: String },
    /// A pass panicked and does not run again.
    PassFailed { pass: String, message: String },
    /// A proposer broke and is not used again.
    ProposerFailed {
        /// The pass of the proposer.
        pass: String,
        message: String,
    },
    /// The test is flaky: from now on several runs decide about each candidate.
    Flaky {
        /// The number of runs in which the original failed.
        failures: u32,
        /// The number of runs of the original.
        runs: u32,
    },
    /// The best so far failed too rarely, so the run has returned to an earlier input.
    RolledBack {
        /// The size of the earlier input.
        bytes: u64,
        /// The size of the input that failed too rarely.
        bytes_before: u64,
    },
    /// The search ended.
    Ended {
        /// `complete`, `max-tests`, `max-time`, `small-enough`, `stalled`, `stopped`, `empty`, or
        /// `fault`.
        why: String,
        /// Size of the result.
        bytes: u64,
    },
    /// The last line of a run: the statistics, as in `--stats`.
    Result {
        statistics: Box<ReductionStatistics>,
    },
}

/// The facts about a run that are known at its start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The version of the format.
    pub version: u32,
    /// Size of the original in bytes.
    pub bytes: u64,
    /// The number of files of the original.
    pub files: u64,
    /// Seconds that the test of the original took.
    pub first_test_s: f64,
    /// The version of nubbin.
    pub nubbin: String,
    /// The command line.
    pub command: Vec<String>,
    /// The test as a command line.
    pub test: String,
    /// The failure that is kept: the conditions, or the signature of the original's failure.
    #[serde(default)]
    pub failure: String,
    /// The language or grammar of the input, `none` if no language was recognized. Absent if the
    /// algorithm does not use the language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The name of the plan.
    pub algorithm: String,
    pub seed: u64,
    /// The number of workers.
    pub jobs: u64,
    /// Whether the tests run in a sandbox: `on` or `off`. Absent in logs of older versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sandbox: String,
    /// The reason why there is no sandbox. Absent with a sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox_reason: Option<String>,
    /// The permissions that the original needed, as flags. Absent if the test needed no permission.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sandbox_permitted: Vec<String>,
    /// The files of the original, in the order of the offsets of a [`Splice`]: the files follow
    /// each other, with one byte after each file if there are several. Null for a long original.
    pub input: Option<Vec<InputFile>>,
}

/// A file of the original.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InputFile {
    pub name: String,
    pub text: Text,
}

/// One replaced span of an input: its start, its end, and its new text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Splice(pub usize, pub usize, pub Text);

/// The outcome of a counted test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TestVerdict {
    /// The failure is present.
    #[serde(rename = "fail")]
    Fail,
    /// The failure is not present.
    #[serde(rename = "pass")]
    Pass,
    /// The test could not decide.
    #[serde(rename = "unresolved")]
    Unresolved,
    /// The test hit the time limit.
    #[serde(rename = "timed out")]
    TimedOut,
    /// The build before the test failed.
    #[serde(rename = "not built")]
    NotBuilt,
}

impl From<VerdictKind> for TestVerdict {
    fn from(kind: VerdictKind) -> Self {
        match kind {
            VerdictKind::Fail => TestVerdict::Fail,
            VerdictKind::Pass => TestVerdict::Pass,
            VerdictKind::Unresolved => TestVerdict::Unresolved,
            VerdictKind::TimedOut => TestVerdict::TimedOut,
            VerdictKind::NotBuilt => TestVerdict::NotBuilt,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A log with one line for each kind of event. Change it only together with the version.
    const GOLDEN: &str = include_str!("reduction.jsonl");

    /// Returns the name of an event. Has no wildcard, so that it names new events as well.
    fn name(event: &Event) -> &'static str {
        match event {
            Event::Started(_) => "started",
            Event::PassStarted { .. } => "pass-started",
            Event::Tested { .. } => "tested",
            Event::Adopted { .. } => "adopted",
            Event::PassEnded { .. } => "pass-ended",
            Event::PassSkipped { .. } => "pass-skipped",
            Event::PassDisabled { .. } => "pass-disabled",
            Event::PassFailed { .. } => "pass-failed",
            Event::ProposerFailed { .. } => "proposer-failed",
            Event::Flaky { .. } => "flaky",
            Event::RolledBack { .. } => "rolled-back",
            Event::Ended { .. } => "ended",
            Event::Result { .. } => "result",
        }
    }

    const NAMES: [&str; 13] = [
        "started",
        "pass-started",
        "tested",
        "adopted",
        "pass-ended",
        "pass-skipped",
        "pass-disabled",
        "pass-failed",
        "proposer-failed",
        "flaky",
        "rolled-back",
        "ended",
        "result",
    ];

    #[test]
    fn every_line_of_the_golden_log_survives_a_round_trip() {
        for text in GOLDEN.lines() {
            let line: Line = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&line).unwrap(), text);
            assert!(text.contains(&format!(r#""event":"{}""#, name(&line.event))));
        }
    }

    #[test]
    fn the_golden_log_has_every_event() {
        let lines = GOLDEN
            .lines()
            .map(|text| serde_json::from_str(text).unwrap());
        let met: BTreeSet<&str> = lines.map(|line: Line| name(&line.event)).collect();
        assert_eq!(met, BTreeSet::from(NAMES));
    }

    #[test]
    fn the_golden_log_is_of_this_version() {
        let first: Line = serde_json::from_str(GOLDEN.lines().next().unwrap()).unwrap();
        let Event::Started(start) = first.event else {
            panic!("{first:?}");
        };
        assert_eq!(start.version, super::super::VERSION);
    }
}
