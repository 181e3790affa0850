use super::corpus::Corpus;
use super::measure::Measured;
use crate::flags::CoverageSource;
use serde::Serialize;
use std::path::Path;

/// The answer of `nubbin cmin`: the inputs to keep, and the inputs that were left out.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Answer {
    /// The number of inputs in the folder, and their bytes.
    pub(super) inputs: usize,
    pub(super) bytes_before: u64,
    /// The inputs that are kept, and their bytes.
    pub(super) kept: Vec<KeptInput>,
    pub(super) bytes: u64,
    /// The folder of the copies.
    output: String,
    /// `afl`, `libfuzzer`, `sancov`, or `command`.
    pub(super) coverage: &'static str,
    /// The number of covered locations. The kept inputs cover all of them.
    pub(super) places: usize,
    /// The number of inputs with which the program crashes.
    pub(super) crashed: usize,
    /// The number of inputs that were left out because they hit a limit.
    pub(super) cut_short: usize,
    /// The number of inputs that were left out because the program exits with code 0 before
    /// libFuzzer records their coverage.
    pub(super) exited: usize,
}

/// An input that is kept.
#[derive(Clone, Debug, Serialize)]
pub(super) struct KeptInput {
    /// The path in the folder.
    file: String,
    bytes: u64,
}

impl Answer {
    /// Makes the answer. `chosen` has the indices of the kept inputs.
    pub(super) fn new(
        (corpus, measured): (&Corpus, &[Measured]),
        chosen: &[usize],
        output: &Path,
        (source, places): (CoverageSource, usize),
    ) -> Self {
        let crashed = |it: &&Measured| it.has_crashed && !it.is_cut_short;
        let kept = chosen.iter().map(|&at| &corpus.entries[at]);
        let kept = kept.map(|entry| KeptInput {
            file: entry.name.to_string_lossy().into_owned(),
            bytes: entry.size,
        });
        let kept: Vec<KeptInput> = kept.collect();
        Answer {
            inputs: corpus.entries.len(),
            bytes_before: corpus.entries.iter().map(|entry| entry.size).sum(),
            bytes: kept.iter().map(|kept| kept.bytes).sum(),
            kept,
            output: output.to_string_lossy().into_owned(),
            coverage: match source {
                CoverageSource::Afl => "afl",
                CoverageSource::Libfuzzer => "libfuzzer",
                CoverageSource::Sancov => "sancov",
                CoverageSource::Command => "command",
            },
            places,
            crashed: measured.iter().filter(crashed).count(),
            cut_short: measured.iter().filter(|it| it.is_cut_short).count(),
            exited: measured.iter().filter(|it| it.has_exited).count(),
        }
    }
}
