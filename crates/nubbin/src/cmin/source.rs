//! The source of coverage: the program that is run for it.

use super::corpus::Corpus;
use super::libfuzzer;
use super::recipes;
use crate::exit::Exit;
use crate::flags::{CminFlags, CoverageSource};
use crate::problem::Problem;
use nubbin_oracle::TestCommand;
use std::ffi::OsString;
use std::path::Path;

/// The texts by which a program is recognized, in order. A libFuzzer target that AFL++ built does
/// not contain libFuzzer, but a program with libFuzzer also has functions of SanitizerCoverage.
const TEXTS: [(&[u8], CoverageSource); 3] = [
    (b"__AFL_SHM_ID", CoverageSource::Afl),
    (b"merge_control_file", CoverageSource::Libfuzzer),
    (b"__sanitizer_cov_trace_pc_guard", CoverageSource::Sancov),
];

/// Returns the source that a program is built with, or `None` if the program is not instrumented.
fn source_of(program: &Path) -> Option<CoverageSource> {
    let bytes = std::fs::read(program).unwrap_or_default();
    let has = |text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
    let found = TEXTS.iter().find(|(text, _)| has(text));
    found.map(|(_, source)| *source)
}

/// Returns the command given by the flags, and the source of coverage that the flags name or the
/// program has.
pub(super) fn command(
    flags: &CminFlags,
    corpus: &Corpus,
) -> Result<(TestCommand, CoverageSource), Problem> {
    let here = std::env::current_dir().map_err(|error| unusable(&error))?;
    let new = |words| TestCommand::new(words, &here).map_err(|error| unusable(&error));
    let command = new(flags.command.iter().map(placed).collect())?;
    let source = flags.coverage.or_else(|| source_of(command.program()));
    let source = source.ok_or_else(|| without_source(flags, command.program()))?;
    match source {
        CoverageSource::Libfuzzer => Ok((new(libfuzzer::words(flags, corpus))?, source)),
        _ => Ok((command, source)),
    }
}

/// Returns the problem of a program whose coverage is not known. Its usual output is not taken for
/// coverage, since a program that prints `ok` for every input would keep one input.
fn without_source(flags: &CminFlags, program: &Path) -> Problem {
    let what = format!(
        "the source of coverage of `{}` is not known",
        program.display()
    );
    Problem::new(Exit::Usage, what)
        .hint(
            "the program was built neither by `afl-cc`, nor with libFuzzer, nor with SanitizerCoverage",
        )
        .hint(
            "for a command that prints a line for each covered location, or an lcov tracefile, add \
             `--coverage command`",
        )
        .hint(recipes::hint(flags, program))
}

fn unusable(error: &(dyn std::error::Error + 'static)) -> Problem {
    Problem::new(Exit::Test, "the program cannot be run").because(error)
}

/// Returns a word with `{}` in the place of `@@`, as AFL++ has it.
fn placed(word: &OsString) -> OsString {
    match word.to_str() {
        Some(text) if text.contains("@@") => text.replace("@@", "{}").into(),
        _ => word.clone(),
    }
}
