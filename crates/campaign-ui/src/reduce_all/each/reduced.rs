//! The results of files, and groups of files with equal results.

use serde::{Serialize, Serializer};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The outcome for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Outcome {
    Failure,
    NoFailure,
    /// An empty file fails as well.
    Empty,
    Error,
}

/// A file that was run.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Reduced {
    /// The path in the folder of the files.
    #[serde(serialize_with = "lossy")]
    pub(super) file: PathBuf,
    pub(super) outcome: Outcome,
    /// The error of the reduction, if it has no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bytes: Option<u64>,
    /// Whether the reduction came to its end. Absent without a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) done: Option<bool>,
    /// The failures of the file and of the result, if they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) changed_failure: Option<Changed>,
    pub(super) tests: u64,
    /// The failure in words.
    #[serde(skip)]
    pub(super) failure: Option<String>,
    /// The fingerprint of the result.
    #[serde(skip)]
    pub(super) print: Option<u128>,
    /// The note on a result that says little.
    #[serde(skip)]
    pub(super) note: Option<String>,
}

impl Reduced {
    /// Returns a file that could not be reduced.
    pub(super) fn of_error(file: &Path, error: &str) -> Self {
        Reduced {
            file: file.to_owned(),
            outcome: Outcome::Error,
            error: Some(error.to_owned()),
            bytes: None,
            done: None,
            changed_failure: None,
            tests: 0,
            failure: None,
            print: None,
            note: None,
        }
    }
}

/// Two failures that both meet the conditions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Changed {
    pub(super) original: String,
    pub(super) result: String,
}

impl Changed {
    /// Reads the failures of the statistics of a reduction.
    pub(super) fn of(answer: &serde_json::Value) -> Option<Self> {
        let text = |key: &str| answer[key].as_str().map(str::to_owned);
        Some(Changed {
            original: text("original")?,
            result: text("result")?,
        })
    }
}

/// A result, and the files that have it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Group {
    /// The first of the files, and the name of the result.
    #[serde(serialize_with = "lossy")]
    pub(super) file: PathBuf,
    pub(super) bytes: u64,
    /// Whether a reduction that came to its end has this result.
    pub(super) done: bool,
    #[serde(serialize_with = "all_lossy")]
    pub(super) files: Vec<PathBuf>,
    #[serde(skip)]
    pub(super) note: Option<String>,
}

/// Writes a path as text: a name need not be Unicode, and JSON is.
fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

fn all_lossy<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(paths.iter().map(|path| path.to_string_lossy()))
}

/// Returns the groups of files with equal results, in the order of their first files.
pub(super) fn groups(all: &[Reduced]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut places: HashMap<u128, usize> = HashMap::new();
    for reduced in all {
        let Some(print) = reduced.print else { continue };
        let at = *places.entry(print).or_insert(groups.len());
        if at == groups.len() {
            groups.push(Group {
                file: reduced.file.clone(),
                bytes: reduced.bytes.unwrap_or(0),
                done: false,
                files: Vec::new(),
                note: reduced.note.clone(),
            });
        }
        groups[at].files.push(reduced.file.clone());
        groups[at].done |= reduced.done == Some(true);
    }
    groups
}

/// Returns the number of results that no reduction has that came to its end.
pub(super) fn not_done(groups: &[Group]) -> usize {
    groups.iter().filter(|group| !group.done).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_equal_results_are_a_group() {
        let reduced = |name: &str, print: u128, is_done: bool| Reduced {
            outcome: Outcome::Failure,
            error: None,
            print: Some(print),
            done: Some(is_done),
            ..Reduced::of_error(Path::new(name), "")
        };
        let all = [
            reduced("a", 1, false),
            reduced("b", 2, false),
            reduced("c", 1, true),
        ];
        let groups = groups(&all);
        let files: Vec<_> = groups.iter().map(|group| group.files.clone()).collect();
        let path = PathBuf::from;
        assert_eq!(files, [vec![path("a"), path("c")], vec![path("b")]]);
        // A reduction that was stopped has no failure of its own.
        let done: Vec<_> = groups.iter().map(|group| group.done).collect();
        assert_eq!((done, not_done(&groups)), (vec![true, false], 1));
    }
}
