//! The source of coverage: the program that is run for it.

use crate::exit::Exit;
use crate::flags::{CminFlags, CoverageSource};
use crate::problem::Problem;
use nubbin_oracle::TestCommand;
use std::ffi::OsString;
use std::path::Path;

/// The text in a program that has the runtime of AFL++.
const OF_AFL: &[u8] = b"__AFL_SHM_ID";
/// A function that only a program with the runtime of SanitizerCoverage has.
const OF_SANCOV: &[u8] = b"__sanitizer_cov_trace_pc_guard";
/// The script that runs a program with SanitizerCoverage, and prints the places that it wrote:
/// the name of the module with a position in it. The number of the process is left out of the name.
const SANCOV: &str = r#"dir=$TMPDIR/nubbin-sancov
mkdir "$dir" || exit 126
for tool in ASAN UBSAN MSAN LSAN TSAN; do
    eval "export ${tool}_OPTIONS=\"\${${tool}_OPTIONS}:coverage=1:coverage_dir=\$dir\""
done
"$@" >/dev/null 2>&1
code=$?
for file in "$dir"/*.sancov; do
    [ -f "$file" ] || continue
    name=$(basename "$file" | sed 's/\.[0-9]*\.sancov$//')
    od -An -v -tx8 -w8 -j8 "$file" | sed "s|^|$name|"
done
exit $code"#;

/// Returns the source that the flags name, or that the program has.
pub(super) fn source_of(flags: &CminFlags, program: &Path) -> CoverageSource {
    let has = |text: &[u8]| {
        let bytes = std::fs::read(program).unwrap_or_default();
        bytes.windows(text.len()).any(|window| window == text)
    };
    match flags.coverage {
        Some(source) => source,
        None if has(OF_AFL) => CoverageSource::Afl,
        None if has(OF_SANCOV) => CoverageSource::Sancov,
        None => CoverageSource::Command,
    }
}

/// Returns the command of the flags, and where coverage comes from.
pub(super) fn command(flags: &CminFlags) -> Result<(TestCommand, CoverageSource), Problem> {
    let here = std::env::current_dir().map_err(|error| unusable(&error))?;
    let words: Vec<OsString> = flags.command.iter().map(placed).collect();
    let command = TestCommand::new(words.clone(), &here).map_err(|error| unusable(&error))?;
    let source = source_of(flags, command.program());
    if source != CoverageSource::Sancov {
        return Ok((command, source));
    }
    let before = ["sh", "-c", SANCOV, "sh"].map(OsString::from);
    let program = command.program().as_os_str().to_owned();
    let words = before.into_iter().chain([program]);
    let words = words.chain(words_after(&flags.command)).collect();
    let command = TestCommand::new(words, &here).map_err(|error| unusable(&error))?;
    Ok((command, source))
}

fn unusable(error: &(dyn std::error::Error + 'static)) -> Problem {
    Problem::new(Exit::Test, "the program cannot be run").because(error)
}

fn words_after(words: &[OsString]) -> impl Iterator<Item = OsString> {
    words.iter().skip(1).map(placed)
}

/// Returns a word with `{}` in the place of `@@`, as AFL++ has it.
fn placed(word: &OsString) -> OsString {
    match word.to_str() {
        Some(text) if text.contains("@@") => text.replace("@@", "{}").into(),
        _ => word.clone(),
    }
}
