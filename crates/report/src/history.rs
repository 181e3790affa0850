//! The history of a run, from its log.

use crate::events::{
    Event, Explanation, InputFile, Line, ReductionStatistics, Splice, Start, TestVerdict, VERSION,
    Versioned,
};
use std::collections::BTreeMap;

/// The history of a run, up to the end of its log. The log of a killed run may be incomplete.
#[derive(Clone, Debug, Default)]
pub struct History {
    pub(super) start: Option<Start>,
    pub(super) adopted: Vec<Adopted>,
    /// The size over tests and time, with one point per change.
    pub(super) curve: Vec<Point>,
    pub(super) verdicts: Verdicts,
    pub(super) passes: BTreeMap<String, PassHistory>,
    pub(super) notes: Vec<String>,
    pub(super) ended: Option<String>,
    pub(super) result: Option<ReductionStatistics>,
    /// The parts of the result that matter, and the name of the file if there are several.
    pub(super) explanation: Option<(Explanation, Option<String>)>,
    /// The counts of the last event.
    pub(super) last: Point,
    pub(super) layers: Layers,
    /// The new names of files, by their names in the original.
    names: BTreeMap<String, String>,
}

/// An adopted candidate.
#[derive(Clone, Debug)]
pub(super) struct Adopted {
    pub(super) pass: String,
    pub(super) tests: u64,
    /// The size of the candidate in bytes.
    pub(super) bytes: u64,
    /// The change from the previous adopted text.
    pub(super) splices: Vec<Splice>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Point {
    pub(super) tests: u64,
    pub(super) seconds: f64,
    pub(super) bytes: u64,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Verdicts {
    pub(super) fail: u64,
    pub(super) pass: u64,
    pub(super) unresolved: u64,
    pub(super) timed_out: u64,
    pub(super) not_built: u64,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PassHistory {
    pub(super) tests: u64,
    pub(super) adopted: u64,
    pub(super) removed: i64,
    /// The number of tests before the pass's first event, which orders the passes.
    pub(super) since: u64,
}

/// The order of removals: for each byte of the original the number of the adoption that removed it,
/// and the current text.
#[derive(Clone, Debug, Default)]
pub(super) struct Layers {
    /// The original. Several files are concatenated, with a separator byte after each.
    pub(super) original: Vec<u8>,
    /// For each byte of the original, the adoption that removed it, or [`KEPT`].
    pub(super) taken: Vec<u32>,
    /// The current text, each byte with its offset in the original or [`NEW`].
    now: Vec<(u8, u32)>,
}

/// Marks a byte that was not removed.
pub(super) const KEPT: u32 = u32::MAX;

/// Marks a byte that is not from the original.
const NEW: u32 = u32::MAX;

impl Layers {
    fn of(files: &[InputFile]) -> Self {
        let mut original = vec![];
        for file in files {
            original.extend_from_slice(file.text.bytes());
            original.extend((files.len() > 1).then_some(0));
        }
        let places = 0..original.len() as u32;
        Layers {
            taken: vec![KEPT; original.len()],
            now: original.iter().copied().zip(places).collect(),
            original,
        }
    }

    /// Applies the change of an adoption. Returns `None` if the change does not fit, for example in
    /// an edited log.
    fn apply(&mut self, adoption: u32, splices: &[Splice]) -> Option<()> {
        let mut next = Vec::with_capacity(self.now.len());
        let mut at = 0;
        for Splice(start, end, text) in splices {
            next.extend_from_slice(self.now.get(at..*start)?);
            for &(_, place) in self.now.get(*start..*end)? {
                if let Some(taken) = self.taken.get_mut(place as usize) {
                    *taken = adoption;
                }
            }
            next.extend(text.bytes().iter().map(|&byte| (byte, NEW)));
            at = *end;
        }
        next.extend_from_slice(self.now.get(at..)?);
        self.now = next;
        Some(())
    }

    /// Returns the result. Several files are concatenated, with a separator byte after each
    /// remaining one.
    pub(super) fn result(&self) -> Vec<u8> {
        self.now.iter().map(|&(byte, _)| byte).collect()
    }

    /// Returns for each line of the result the line of the original with its first byte that is
    /// from the original.
    pub(super) fn origins(&self) -> Vec<Option<usize>> {
        let mut starts = vec![0u32];
        let ends = self.original.iter().enumerate();
        starts.extend(
            ends.filter(|(_, byte)| **byte == b'\n')
                .map(|(at, _)| at as u32 + 1),
        );
        let lines = self.now.split(|&(byte, _)| byte == b'\n');
        lines
            .map(|line| {
                let place = line
                    .iter()
                    .map(|&(_, place)| place)
                    .find(|&place| place != NEW)?;
                Some(starts.partition_point(|&start| start <= place) - 1)
            })
            .collect()
    }

    /// Returns the remaining files, each with its number.
    pub(super) fn files(&self, files: &[InputFile]) -> Vec<(usize, Vec<u8>)> {
        if files.len() < 2 {
            return vec![(0, self.result())];
        }
        let mut cells = vec![];
        let mut at = 0;
        for file in files {
            at += file.text.bytes().len() as u32;
            cells.push(at);
            at += 1;
        }
        let mut left = vec![];
        let mut text = vec![];
        for &(byte, place) in &self.now {
            match cells.binary_search(&place) {
                Ok(number) => left.push((number, std::mem::take(&mut text))),
                Err(_) => text.push(byte),
            }
        }
        left
    }

    fn forget(&mut self) {
        *self = Layers::default();
    }
}

/// An error in a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LogError {
    /// The log has an unknown version of the format.
    Version(u32),
    /// The file is not the log of a reduction.
    NoLog,
}

/// The error for an explanation of another text than the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unfit;

impl History {
    /// Reads a log. Ignores lines that are no events, such as the last one of a log that was cut.
    pub(super) fn read(text: &str) -> Result<Self, LogError> {
        let versions = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Versioned>(line).ok());
        for Versioned { version } in versions {
            if version != VERSION {
                return Err(LogError::Version(version));
            }
        }
        let mut history = History::default();
        for line in text.lines() {
            if let Ok(line) = serde_json::from_str(line) {
                history.take(&line);
            }
        }
        match history.start {
            Some(_) => Ok(history),
            None => Err(LogError::NoLog),
        }
    }

    /// Adds the next line of a log.
    pub fn take(&mut self, line: &Line) {
        if !matches!(line.event, Event::Result { .. }) {
            self.last = Point {
                tests: line.tests,
                seconds: line.seconds,
                bytes: line.best,
            };
        }
        match &line.event {
            Event::Started(start) => {
                let files = start.input.as_deref();
                self.layers = files.map_or_else(Layers::default, Layers::of);
                self.start = Some((**start).clone());
                self.curve.push(self.last);
            }
            Event::Tested { pass, verdict, .. } => {
                let count = match verdict {
                    TestVerdict::Fail => &mut self.verdicts.fail,
                    TestVerdict::Pass => &mut self.verdicts.pass,
                    TestVerdict::TimedOut => &mut self.verdicts.timed_out,
                    TestVerdict::NotBuilt => &mut self.verdicts.not_built,
                    TestVerdict::Unresolved => &mut self.verdicts.unresolved,
                };
                *count += 1;
                self.pass(pass).tests += 1;
            }
            Event::Adopted {
                pass,
                bytes,
                bytes_before,
                splices,
                renamed,
            } => {
                self.names.extend(renamed.clone());
                let counts = self.pass(pass);
                counts.adopted += 1;
                counts.removed += *bytes_before as i64 - *bytes as i64;
                self.curve.push(self.last);
                let adoption = self.adopted.len() as u32;
                self.adopted.push(Adopted {
                    pass: pass.clone(),
                    tests: self.last.tests,
                    bytes: *bytes,
                    splices: splices.clone(),
                });
                if self.layers.apply(adoption, splices).is_none() {
                    self.layers.forget();
                }
            }
            Event::RolledBack { .. } => {
                self.curve.push(self.last);
                self.note("The test is flaky: the run rolled back to an earlier, larger input.");
                self.layers.forget();
            }
            Event::Flaky { failures, runs } => self.note(&format!(
                "The test is flaky: the original failed in {failures} of {runs} runs."
            )),
            Event::PassFailed { pass, message } => self.note(&format!(
                "The pass {pass} has a bug and was disabled: {message}"
            )),
            Event::Ended { why, .. } => {
                self.ended = Some(why.clone());
                self.curve.push(self.last);
            }
            Event::Result { statistics } => self.result = Some((**statistics).clone()),
            Event::PassStarted { .. }
            | Event::PassEnded { .. }
            | Event::PassSkipped { .. }
            | Event::PassDisabled { .. }
            | Event::ProposerFailed { .. } => {}
        }
    }

    fn pass(&mut self, id: &str) -> &mut PassHistory {
        let since = self.last.tests;
        self.passes.entry(id.to_owned()).or_insert(PassHistory {
            since,
            ..PassHistory::default()
        })
    }

    fn note(&mut self, text: &str) {
        if !self.notes.iter().any(|note| note == text) {
            self.notes.push(text.to_owned());
        }
    }

    /// Takes an explanation of a file of the result.
    ///
    /// # Errors
    /// Returns [`Unfit`] if the explanation is about another text. Without texts in the log, the
    /// sizes are compared.
    pub(super) fn explain(&mut self, explanation: Explanation) -> Result<(), Unfit> {
        let files = self.start.as_ref().and_then(|start| start.input.as_deref());
        let Some(files) = files.filter(|_| !self.layers.original.is_empty()) else {
            let is_whole = explanation.pattern.is_some() && explanation.bytes == self.bytes_after();
            self.explanation = is_whole.then_some((explanation, None));
            return self.explanation.is_some().then_some(()).ok_or(Unfit);
        };
        let mut left = self.layers.files(files).into_iter();
        let (number, _) = left
            .find(|(_, text)| explanation.is_about(text))
            .ok_or(Unfit)?;
        let name = files.get(number).filter(|_| files.len() > 1);
        let name = name.map(|file| self.name_now(file).to_owned());
        self.explanation = Some((explanation, name));
        Ok(())
    }

    /// Returns the name that a file of the original has in the result.
    pub(super) fn name_now<'a>(&'a self, file: &'a InputFile) -> &'a str {
        self.names.get(&file.name).unwrap_or(&file.name)
    }

    /// Returns the names of the files.
    pub(super) fn name(&self) -> String {
        let Some(start) = &self.start else {
            return "a run".into();
        };
        match start.input.as_deref() {
            Some([file]) => file.name.clone(),
            Some([file, rest @ ..]) => format!("{} and {} more", file.name, rest.len()),
            _ => "a run".into(),
        }
    }

    pub(super) fn bytes_before(&self) -> u64 {
        self.start.as_ref().map_or(0, |start| start.bytes)
    }

    pub(super) fn bytes_after(&self) -> u64 {
        self.result
            .as_ref()
            .map_or(self.last.bytes, |counts| counts.bytes_after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = r#"{"seconds":0.1,"tests":0,"best":9,"event":"started","version":2,"bytes":9,"files":1,"first_test_s":0.1,"nubbin":"0.1.0","command":[],"test":"./t","algorithm":"auto","seed":0,"jobs":1,"input":[{"name":"x","text":"a crash b"}]}
not json
{"seconds":0.2,"tests":1,"best":9,"event":"tested","pass":"ends","verdict":"fail","bytes":7}
{"seconds":0.2,"tests":1,"best":7,"event":"adopted","pass":"ends","bytes":7,"bytes_before":9,"splices":[[7,9,""]]}
{"seconds":0.3,"tests":2,"best":7,"event":"tested","pass":"chars","verdict":"pass","bytes":6}
{"seconds":0.4,"tests":3,"best":6,"event":"adopted","pass":"chars","bytes":6,"bytes_before":7,"splices":[[0,2,"_"]]}
{"seconds":0.5,"tests":3,"best":6,"event":"ended","why":"complete","bytes":6}"#;

    #[test]
    fn a_log_is_read_back() {
        let run = History::read(LOG).unwrap();
        assert_eq!(run.name(), "x");
        assert_eq!((run.bytes_before(), run.bytes_after()), (9, 6));
        assert_eq!((run.verdicts.fail, run.verdicts.pass), (1, 1));
        assert_eq!(run.passes["ends"].removed, 2);
        assert_eq!(run.curve.len(), 4);
        assert_eq!(run.ended.as_deref(), Some("complete"));
    }

    #[test]
    fn every_byte_has_the_adoption_that_removed_it() {
        let run = History::read(LOG).unwrap();
        assert_eq!(run.layers.result(), b"_crash");
        let kept = KEPT;
        assert_eq!(run.layers.taken, [1, 1, kept, kept, kept, kept, kept, 0, 0]);
    }

    #[test]
    fn a_log_with_edits_out_of_range_shows_no_text() {
        let log = LOG.replace("[[7,9,\"\"]]", "[[7,99,\"\"]]");
        let run = History::read(&log).unwrap();
        assert!(run.layers.original.is_empty());
    }

    #[test]
    fn a_run_takes_the_explanation_of_its_result_alone() {
        let explanation = |text: &str| -> Explanation {
            let pattern = serde_json::json!({"pattern": text, "pieces": [{"text": text}], "bytes_concrete": 6});
            let mut all = serde_json::json!({"ended": "complete", "tests": 1, "tests_failing": 1,
                "tests_unresolved": 0, "parts": 1, "parts_settled": 1, "abstract": [],
                "examples": [], "seed": 0, "bytes": text.len()});
            all.as_object_mut()
                .unwrap()
                .extend(pattern.as_object().unwrap().clone());
            serde_json::from_value(all).unwrap()
        };
        let mut run = History::read(LOG).unwrap();
        assert_eq!(run.explain(explanation("_crush")), Err(Unfit));
        assert_eq!(run.explain(explanation("_crash")), Ok(()));
        // Without texts, only the sizes are compared.
        let mut run = History::read(&LOG.replace("[[7,9,\"\"]]", "[[7,99,\"\"]]")).unwrap();
        assert_eq!(run.explain(explanation("_crushed")), Err(Unfit));
        assert_eq!(run.explain(explanation("_crash")), Ok(()));
    }

    #[test]
    fn a_log_of_another_version_and_a_text_that_is_no_log_have_different_errors() {
        let first = LOG.lines().next().unwrap();
        let older = r#"{"event":"started","version":1,"bytes":9,"files":1,"t":0.1}"#;
        assert_eq!(History::read(older).err(), Some(LogError::Version(1)));
        assert!(History::read(first).is_ok());
        assert_eq!(History::read("").err(), Some(LogError::NoLog));
    }
}
