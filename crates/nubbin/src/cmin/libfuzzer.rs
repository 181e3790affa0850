//! The coverage that a program with libFuzzer records when it merges inputs.

use super::control::{self, Progress};
use super::corpus::Corpus;
use super::ending::end_of;
use super::measure::{Measured, broken};
use super::parallel::{check, in_parallel};
use super::sancov::variables;
use crate::exit::Exit as End;
use crate::flags::CminFlags;
use crate::problem::Problem;
use nubbin_oracle::{CommandOracle, Exit, Keep, Run, TestCommand};
use nubbin_reduce::engine::Stop;
use nubbin_verdict::{Candidate, File, Limit, Unresolved};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::Duration;

/// The name of the control file in the folder of a run.
const CONTROL: &str = "control";
/// The maximum number of inputs of one process. One control file has the features of all of them.
const MOST_INPUTS: usize = 250;
/// The size in bytes to which libFuzzer truncates longer inputs, unless a flag sets another size.
const USUAL_LENGTH: u64 = 1 << 20;
/// The exit codes of libFuzzer after an input that took too long, or too much memory.
const LIMITS: [i32; 2] = [70, 71];
/// The time that a process may take in addition to the time for its inputs.
const START: Duration = Duration::from_secs(60);

/// Returns the words of a command that runs the program on one input.
pub(super) fn words_of_one(flags: &CminFlags) -> Vec<OsString> {
    let mut words = without_input(flags);
    words.push("{}".into());
    words
}

fn without_input(flags: &CminFlags) -> Vec<OsString> {
    let is_input = |word: &&OsString| *word == "{}" || *word == "@@";
    let words = flags.command.iter().filter(|word| !is_input(word));
    words.cloned().collect()
}

/// Returns the words of a command that records the coverage of the inputs in a control file.
pub(super) fn words(flags: &CminFlags, corpus: &Corpus) -> Vec<OsString> {
    let mut words = without_input(flags);
    let begins =
        |start: &str, word: &OsString| word.as_encoded_bytes().starts_with(start.as_bytes());
    let is_set = |start: &str| words.iter().any(|word| begins(start, word));
    let mut own = Vec::new();
    if !is_set("-timeout=") {
        let seconds = flags.timeout.as_secs_f64().ceil();
        own.push(format!("-timeout={seconds}"));
    }
    if corpus.largest() > USUAL_LENGTH && !is_set("-max_len=") {
        own.push(format!("-max_len={}", corpus.largest()));
    }
    own.push(format!("-merge_control_file={CONTROL}"));
    // 2 records all features of each input; 1 would leave out the features of earlier inputs.
    own.push("-merge_inner=2".into());
    if flags.edges {
        own.push("-use_counters=0".into());
    }
    // The first word may be a wrapper of the program, such as `env`. The last of two equal flags
    // takes effect.
    words.extend(own.into_iter().map(OsString::from));
    words
}

/// The time that a process may take for all its inputs.
pub(super) fn time(timeout: Duration) -> Duration {
    // libFuzzer checks its clock at intervals of half the time limit.
    timeout
        .saturating_mul(2 * MOST_INPUTS as u32)
        .saturating_add(START)
}

/// Runs the program on the inputs, several processes at a time, each with some of the inputs.
pub(super) fn measure(
    corpus: &Corpus,
    oracle: &CommandOracle,
    stop: &Stop,
) -> Result<Vec<Measured>, Problem> {
    let paths = paths(corpus)?;
    let parts = parts(corpus, oracle.jobs());
    // A symbolizer takes longer than an input, and the stacks are not used.
    let command = oracle
        .command()
        .with_variables(variables(OsStr::new("symbolize=0")));
    let merge = Merge {
        paths: &paths,
        oracle,
        command,
    };
    let measured = in_parallel(oracle.jobs(), parts.len(), stop, |slot, at, stop| {
        merge.all(&parts[at], (slot, stop))
    })?;
    let mut all = vec![Measured::default(); paths.len()];
    for (at, measured) in parts.iter().flatten().zip(measured.into_iter().flatten()) {
        all[*at] = measured;
    }
    Ok(all)
}

/// Returns the absolute paths of the inputs.
fn paths(corpus: &Corpus) -> Result<Vec<Vec<u8>>, Problem> {
    let path = |at: usize| {
        let path = std::path::absolute(corpus.path(at)).unwrap_or_else(|_| corpus.path(at));
        let bytes = path.as_os_str().as_encoded_bytes();
        if bytes.contains(&b'\n') {
            let what = format!("the name of `{}` has a line break", path.display());
            return Err(Problem::new(End::Input, what)
                .hint("libFuzzer reads one name per line; rename the input"));
        }
        Ok(bytes.to_vec())
    };
    (0..corpus.entries.len()).map(path).collect()
}

/// Divides the inputs among processes, so that each gets small and large ones. Each part begins
/// with its smallest input: a program often has some features only with its first input.
fn parts(corpus: &Corpus, jobs: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..corpus.entries.len()).collect();
    order.sort_by_key(|&at| corpus.entries[at].size);
    let count = order.len().div_ceil(MOST_INPUTS).max(jobs).min(order.len());
    let part = |number| order.iter().skip(number).step_by(count).copied().collect();
    (0..count).map(part).collect()
}

/// A merge by libFuzzer.
struct Merge<'a> {
    paths: &'a [Vec<u8>],
    oracle: &'a CommandOracle,
    command: TestCommand,
}

impl Merge<'_> {
    /// Runs the program on the given inputs. After an input that ends the program, the program is
    /// started again with the next input.
    fn all(
        &self,
        inputs: &[usize],
        (slot, stop): (usize, &Stop),
    ) -> Result<Vec<Measured>, Problem> {
        let mut measured = Vec::new();
        while let Some(rest) = inputs.get(measured.len()..).filter(|rest| !rest.is_empty()) {
            let (run, progress) = self.some(rest, (slot, stop), measured.is_empty())?;
            check(stop)?;
            let has_blame = has_blame(&run, &progress);
            if progress.covered.is_empty() && !has_blame {
                return Err(unable(&run));
            }
            let finished = |covered| Measured {
                covered,
                ..Measured::default()
            };
            measured.extend(progress.covered.into_iter().map(finished));
            if has_blame {
                measured.push(blamed(&run));
            }
        }
        Ok(measured)
    }

    /// Runs the program on the given inputs. The run has the standard error if that is kept, and is
    /// not above the limit of outputs.
    fn some(
        &self,
        inputs: &[usize],
        (slot, stop): (usize, &Stop),
        keeps_stderr: bool,
    ) -> Result<(Run, Progress), Problem> {
        let names: Vec<Vec<u8>> = inputs.iter().map(|&at| self.paths[at].clone()).collect();
        let begin = control::begin(&names);
        let file = [File {
            name: Path::new(CONTROL),
            bytes: &begin,
        }];
        let candidate = Candidate::new(&file);
        let observe = |stderr: bool| {
            let keep = Keep {
                stderr,
                ..Keep::default()
            };
            let wanted = |name: &OsStr| name == CONTROL;
            let (oracle, place) = (self.oracle, (slot, stop.token()));
            oracle
                .observe_files(&self.command, &candidate, place, keep, &wanted)
                .map_err(|error| broken(&error))
        };
        let (mut run, mut files) = observe(keeps_stderr)?;
        // An output that is not stored has no limit.
        if run.cut_short == Some(Unresolved::OutputLimit) {
            (run, files) = observe(false)?;
        }
        let Some(control) = files.first() else {
            return Ok((run, Progress::default()));
        };
        let progress = control::read(&control.bytes, &begin, inputs.len());
        let progress = progress.map_err(|error| {
            let what = "libFuzzer did not record the coverage of the inputs";
            Problem::new(End::Test, what).because(&error)
        })?;
        Ok((run, progress))
    }
}

/// Returns the problem of a program that records no coverage, with the end of its output.
fn unable(run: &Run) -> Problem {
    let what = format!("the program ends with {} before its first input", run.exit);
    let problem = Problem::new(End::Test, what).fact(end_of(run));
    problem.hint("`--coverage libfuzzer` needs a program with libFuzzer of LLVM 14 or later")
}

/// Returns whether the input that has begun ended the program.
fn has_blame(run: &Run, progress: &Progress) -> bool {
    // If the disk is full, libFuzzer continues but records nothing more. The input is then tried
    // again, as the first one of the next process.
    let no_room = Some(Unresolved::OverLimit(Limit::Disk));
    let may_lack_room = run.exit == Exit::Code(0) || run.cut_short == no_room;
    progress.has_begun && (progress.covered.is_empty() || !may_lack_room)
}

/// Returns the behavior of the program with an input that ended it.
fn blamed(run: &Run) -> Measured {
    let is_cut_short =
        run.cut_short.is_some() || LIMITS.iter().any(|&code| run.exit == Exit::Code(code));
    // libFuzzer reports a call of `exit` as a crash, but does not see a call of `_exit`.
    let has_exited = !is_cut_short && run.exit == Exit::Code(0);
    Measured {
        covered: Vec::new(),
        has_crashed: !is_cut_short && !has_exited,
        is_cut_short,
        has_exited,
    }
}
