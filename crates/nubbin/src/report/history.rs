//! What is known of a run from its log.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A run, as far as its log goes: it may have been killed, or cut.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    pub(super) start: Option<Start>,
    pub(super) adopted: Vec<Adopted>,
    /// Size over tests and time, one point for each change.
    pub(super) curve: Vec<Point>,
    pub(super) verdicts: Verdicts,
    pub(super) passes: BTreeMap<String, Pass>,
    pub(super) notes: Vec<String>,
    pub(super) ended: Option<String>,
    pub(super) result: Option<Counts>,
    /// The last that was heard of it.
    pub(super) last: Point,
    pub(super) layers: Layers,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Start {
    pub(super) version: u32,
    pub(super) bytes: u64,
    #[serde(default)]
    pub(super) nubbin: String,
    #[serde(default)]
    pub(super) command: Vec<String>,
    #[serde(default)]
    pub(super) test: String,
    #[serde(default)]
    pub(super) algorithm: String,
    #[serde(default)]
    pub(super) seed: u64,
    #[serde(default)]
    pub(super) jobs: u64,
    #[serde(default)]
    pub(super) first_test_s: f64,
    /// `None` where the input was too long to be written down.
    #[serde(default)]
    pub(super) input: Option<Vec<File>>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct File {
    pub(super) name: String,
    pub(super) text: Text,
}

/// Text, or the bytes of what is none.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Text {
    Text(String),
    Bytes(Vec<u8>),
}

impl Text {
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Text::Text(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
        }
    }
}

/// A candidate that became the best.
#[derive(Clone, Debug)]
pub(super) struct Adopted {
    pub(super) pass: String,
    pub(super) tests: u64,
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
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pass {
    pub(super) tests: u64,
    pub(super) adopted: u64,
    pub(super) removed: i64,
    /// Tests before it was first heard of: the order in which passes are shown.
    pub(super) since: u64,
}

/// The counts at the end, as far as a page shows them.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Counts {
    pub(super) tests_started: u64,
    pub(super) cache_hits: u64,
    pub(super) bytes_after: u64,
    pub(super) tokens_before: u64,
    pub(super) tokens_after: u64,
    #[serde(default)]
    pub(super) verified: Option<bool>,
    #[serde(default)]
    pub(super) reproduction: Option<Rate>,
    #[serde(default)]
    pub(super) result: Vec<String>,
    #[serde(default)]
    pub(super) other_failures: Vec<OtherFailure>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Rate {
    pub(super) failures: u64,
    pub(super) runs: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct OtherFailure {
    pub(super) signature: String,
    pub(super) exit: String,
    pub(super) tests: u64,
    pub(super) bytes: u64,
    #[serde(default)]
    pub(super) folder: Option<String>,
}

/// What was removed when: for each byte of the original the number of the adoption that took it, and
/// the text as it is now.
#[derive(Clone, Debug, Default)]
pub(super) struct Layers {
    /// The original, all files end to end, each with a byte behind it where there are several.
    pub(super) original: Vec<u8>,
    /// For each of its bytes the adoption that took it away; [`KEPT`] where it is still there.
    pub(super) taken: Vec<u32>,
    /// The text now, each byte with its place in the original, [`NEW`] where it has none.
    now: Vec<(u8, u32)>,
}

/// Still there.
pub(super) const KEPT: u32 = u32::MAX;

/// Not from the original.
const NEW: u32 = u32::MAX;

impl Layers {
    fn of(files: &[File]) -> Self {
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

    /// Applies what an adoption changed; `None` if it does not fit, as in a log that was edited.
    fn apply(&mut self, adoption: u32, splices: &[(usize, usize, Text)]) -> Option<()> {
        let mut next = Vec::with_capacity(self.now.len());
        let mut at = 0;
        for (start, end, text) in splices {
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

    /// The result; of several files, end to end with a byte behind each that is left.
    pub(super) fn result(&self) -> Vec<u8> {
        self.now.iter().map(|&(byte, _)| byte).collect()
    }

    /// For each line of the result the line of the original that its first byte from there is in.
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

    /// The files that are left, each with its number.
    pub(super) fn files(&self, files: &[File]) -> Vec<(usize, Vec<u8>)> {
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

impl Run {
    /// A run from its log, line by line. Lines of other things are passed over.
    pub(super) fn read(text: &str) -> Self {
        let mut run = Run::default();
        for line in text.lines() {
            if let Ok(line) = serde_json::from_str(line) {
                run.take(&line);
            }
        }
        run
    }

    /// Takes in the next line of a log.
    pub(crate) fn take(&mut self, line: &Value) {
        let number = |key: &str| line[key].as_u64().unwrap_or(0);
        let word = |key: &str| line[key].as_str().unwrap_or("").to_owned();
        if line["t"].is_number() {
            self.last = Point {
                tests: number("tests"),
                seconds: line["t"].as_f64().unwrap_or(0.0),
                bytes: number("best"),
            };
        }
        match line["event"].as_str() {
            Some("started") => {
                self.start = Start::deserialize(line).ok();
                let files = self.start.as_ref().and_then(|start| start.input.as_deref());
                self.layers = files.map_or_else(Layers::default, Layers::of);
                self.curve.push(self.last);
            }
            Some("tested") => {
                let count = match line["verdict"].as_str() {
                    Some("fail") => &mut self.verdicts.fail,
                    Some("pass") => &mut self.verdicts.pass,
                    Some("timed out") => &mut self.verdicts.timed_out,
                    _ => &mut self.verdicts.unresolved,
                };
                *count += 1;
                self.pass(word("pass")).tests += 1;
            }
            Some("adopted") => {
                let removed = line["bytes_before"].as_i64().unwrap_or(0)
                    - line["bytes"].as_i64().unwrap_or(0);
                let pass = self.pass(word("pass"));
                pass.adopted += 1;
                pass.removed += removed;
                self.curve.push(self.last);
                let adoption = self.adopted.len() as u32;
                self.adopted.push(Adopted {
                    pass: word("pass"),
                    tests: self.last.tests,
                });
                let splices = Vec::deserialize(&line["splices"]).unwrap_or_default();
                if self.layers.apply(adoption, &splices).is_none() {
                    self.layers.forget();
                }
            }
            Some("went-back") => {
                self.curve.push(self.last);
                self.note(
                    "The test is not reliable: the run went back to an earlier, larger input.",
                );
                self.layers.forget();
            }
            Some("unreliable") => {
                let (failures, runs) = (number("failures"), number("runs"));
                self.note(&format!(
                    "The test does not always say the same: the original failed in {failures} of {runs} runs."
                ));
            }
            Some("pass-failed") => {
                let (pass, message) = (word("pass"), word("message"));
                self.note(&format!(
                    "The pass {pass} has a defect and was left out: {message}"
                ));
            }
            Some("ended") => {
                self.ended = Some(word("why"));
                self.curve.push(self.last);
            }
            Some("result") => self.result = Counts::deserialize(line).ok(),
            _ => {}
        }
    }

    fn pass(&mut self, id: String) -> &mut Pass {
        let since = self.last.tests;
        self.passes.entry(id).or_insert(Pass {
            since,
            ..Pass::default()
        })
    }

    fn note(&mut self, text: &str) {
        if !self.notes.iter().any(|note| note == text) {
            self.notes.push(text.to_owned());
        }
    }

    /// The format of its log; `None` where it is no log of a run.
    pub(super) fn version(&self) -> Option<u32> {
        self.start.as_ref().map(|start| start.version)
    }

    /// What it was about: the names of its files.
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

    const LOG: &str = r#"{"event":"started","version":1,"bytes":9,"files":1,"input":[{"name":"x","text":"a crash b"}],"t":0.1,"tests":0,"best":9}
not json
{"event":"tested","pass":"ends","verdict":"fail","bytes":7,"t":0.2,"tests":1,"best":9}
{"event":"adopted","pass":"ends","bytes":7,"bytes_before":9,"splices":[[7,9,""]],"t":0.2,"tests":1,"best":7}
{"event":"tested","pass":"chars","verdict":"pass","bytes":6,"t":0.3,"tests":2,"best":7}
{"event":"adopted","pass":"chars","bytes":6,"bytes_before":7,"splices":[[0,2,"_"]],"t":0.4,"tests":3,"best":6}
{"event":"ended","why":"complete","bytes":6,"t":0.5,"tests":3,"best":6}"#;

    #[test]
    fn a_log_is_read_back() {
        let run = Run::read(LOG);
        assert_eq!(run.name(), "x");
        assert_eq!((run.bytes_before(), run.bytes_after()), (9, 6));
        assert_eq!((run.verdicts.fail, run.verdicts.pass), (1, 1));
        assert_eq!(run.passes["ends"].removed, 2);
        assert_eq!(run.curve.len(), 4);
        assert_eq!(run.ended.as_deref(), Some("complete"));
    }

    #[test]
    fn it_is_known_what_went_when() {
        let run = Run::read(LOG);
        assert_eq!(run.layers.result(), b"_crash");
        let kept = KEPT;
        assert_eq!(run.layers.taken, [1, 1, kept, kept, kept, kept, kept, 0, 0]);
    }

    #[test]
    fn a_log_that_does_not_fit_shows_no_text() {
        let log = LOG.replace("[[7,9,\"\"]]", "[[7,99,\"\"]]");
        assert!(Run::read(&log).layers.original.is_empty());
        assert!(Run::read("").start.is_none());
    }
}
