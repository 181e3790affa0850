//! The coverage that a fuzzer wrote to its output.

use super::log::Log;
use crate::config::ConfigFile;
use crate::generator::afl_stats;
use serde::Serialize;
use std::path::Path;

/// The number of bytes at the end of an output that are searched.
const END: u64 = 64 << 10;

/// The figures that a fuzzer wrote last. A figure that the fuzzer does not write is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct SourceCoverage {
    /// The generator whose folder it fills.
    pub(crate) generator: String,
    /// The instance of AFL++.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) instance: Option<String>,
    /// The number of its runs.
    pub(crate) runs: Option<u64>,
    /// The number of its tests.
    pub(crate) corpus: Option<u64>,
    /// The number of edges that they take.
    pub(crate) edges: Option<u64>,
}

/// Returns the figures of all fuzzers of the campaign in a folder: those that it has started, and
/// the instances of AFL++ whose folders it reads.
pub(crate) fn coverage_of(folder: &Path) -> Vec<SourceCoverage> {
    // If the configuration cannot be read, the generators are unknown.
    let config = ConfigFile::read(folder).and_then(|file| file.parse());
    let mut all = vec![];
    for (generator, table) in config.iter().flat_map(|config| &config.generator) {
        let table = table.get_ref();
        if let Some(afl) = &table.afl {
            let instances = afl_stats(&folder.join(afl.get_ref())).into_iter();
            all.extend(instances.map(|it| SourceCoverage {
                generator: generator.clone(),
                instance: Some(it.instance),
                runs: Some(it.execs),
                corpus: Some(it.corpus),
                edges: it.edges,
            }));
        } else if table.start.is_some() {
            all.push(SourceCoverage {
                generator: generator.clone(),
                ..in_output(&Log::of(folder, generator).end(END))
            });
        }
    }
    all
}

impl SourceCoverage {
    /// Returns the figures in words.
    pub(crate) fn line(&self) -> String {
        let count = |number: Option<u64>, thing: &str| {
            number.map(|number| crate::shown::count(number, thing))
        };
        let parts = [
            count(self.runs, "run"),
            count(self.corpus, "test"),
            count(self.edges, "edge"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        match parts.is_empty() {
            true => "no figures in its output".to_owned(),
            false => parts.join(", "),
        }
    }
}

/// Returns the figures of the last line that libFuzzer wrote:
/// `#4096 NEW cov: 120 ft: 310 corp: 40/1200b …`.
fn in_output(text: &str) -> SourceCoverage {
    let is_figures = |line: &&str| line.starts_with('#') && line.contains(" cov: ");
    let Some(line) = text.lines().rev().find(is_figures) else {
        return SourceCoverage::default();
    };
    let number = |text: &str| -> Option<u64> {
        let end = text.find(|char: char| !char.is_ascii_digit());
        text[..end.unwrap_or(text.len())].parse().ok()
    };
    let after = |name: &str| {
        let (_, rest) = line.split_once(name)?;
        number(rest.trim_start())
    };
    SourceCoverage {
        runs: number(&line[1..]),
        edges: after(" cov: "),
        corpus: after(" corp: "),
        ..SourceCoverage::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_figures_of_libfuzzer_count() {
        let text = "INFO: seed corpus: files: 2\n#2\tINITED cov: 7 ft: 8 corp: 2/3b\n\
                    #4096\tNEW    cov: 120 ft: 310 corp: 40/1200b lim: 4 exec/s: 2048\nDone\n";
        let found = in_output(text);
        assert_eq!(
            (found.runs, found.edges, found.corpus),
            (Some(4096), Some(120), Some(40))
        );
        assert_eq!(found.line(), "4,096 runs, 40 tests, 120 edges");
        assert_eq!(
            in_output("no line of figures").line(),
            "no figures in its output"
        );
    }
}
