//! The message for a folder none of whose inputs has any coverage.

use super::corpus::Corpus;
use super::ending::end_of;
use super::libfuzzer;
use super::measure::Measured;
use crate::exit::Exit;
use crate::flags::{CminFlags, CoverageSource};
use crate::problem::Problem;
use nubbin_oracle::{CommandOracle, Refusal, Run, TestCommand};
use nubbin_reduce::engine::Stop;
use nubbin_session::sandbox::{Wording, permission};
use nubbin_verdict::{Candidate, File};

/// Inputs without coverage, and how the program runs on them.
pub(super) struct Uncovered<'a> {
    pub(super) flags: &'a CminFlags,
    pub(super) corpus: &'a Corpus,
    pub(super) oracle: &'a CommandOracle,
    pub(super) source: CoverageSource,
}

impl Uncovered<'_> {
    /// Returns the problem, with the end of the output of the program on the smallest input.
    pub(super) fn problem(&self, measured: &[Measured], stop: &Stop) -> Problem {
        let mut problem = Problem::new(Exit::NotFailing, "no input has any coverage");
        let entries = self.corpus.entries.iter().enumerate();
        // An input that was left out has its reason in a hint, and says less about the program.
        let smallest = entries.min_by_key(|(at, entry)| {
            let is_left_out = measured.get(*at).is_some_and(Measured::is_left_out);
            (is_left_out, entry.size)
        });
        if let Some((at, entry)) = smallest
            && let Some(run) = self.run(at, stop)
        {
            let what = match run.cut_short {
                Some(ref reason) => format!("run does not end by itself ({reason})"),
                None => format!("program ends with {}", run.exit),
            };
            let name = entry.name.display();
            problem = problem.fact(format!("on `{name}`, the {what}; {}", end_of(&run)));
            let refusals = Refusal::of_run(&run);
            if !refusals.is_empty() && self.oracle.sandbox().is_some() {
                let permission = permission(&refusals, Wording::Flags);
                problem = problem.hint(format!("the program runs in a sandbox: {permission}"));
            }
            let lacks_files =
                run.exit.code().is_some_and(|code| code != 0) && self.flags.with.is_empty();
            if lacks_files {
                problem = problem.hint(
                    "each run is in a folder of its own; `--with FILE` copies a file or folder \
                     that the program reads next to each input",
                );
            }
        }
        let has_crashed = measured.iter().any(|input| input.has_crashed);
        let is_cut_short = measured.iter().any(|input| input.is_cut_short);
        if has_crashed && !self.flags.with_crashes {
            problem = problem.hint(
                "inputs on which the program crashes are left out; `--with-crashes` keeps them",
            );
        }
        if is_cut_short {
            problem = problem.hint("inputs that hit a limit are left out; see `--timeout`");
        }
        match has_crashed || is_cut_short {
            true => problem,
            false => problem.hint(expected(self.source)),
        }
    }

    /// Runs the program on one input again, since the outputs of the first run were not kept.
    fn run(&self, at: usize, stop: &Stop) -> Option<Run> {
        let bytes = self.corpus.read(at).ok()?;
        let name = self.corpus.name_for_tests();
        let file = [File {
            name: &name,
            bytes: &bytes,
        }];
        let candidate = Candidate::new(&file);
        let run = match self.source {
            CoverageSource::Libfuzzer => {
                let words = libfuzzer::words_of_one(self.flags);
                let command = TestCommand::new(words, &std::env::current_dir().ok()?).ok()?;
                (self.oracle).observe_other(&command, &candidate, 0, stop.token())
            }
            _ => self.oracle.observe_with(&candidate, 0, stop.token()),
        };
        run.ok()
    }
}

/// Returns the next step for a program that runs, but has no coverage from this source.
fn expected(source: CoverageSource) -> &'static str {
    match source {
        CoverageSource::Command => {
            "`--coverage command` expects a line on standard output for each covered location"
        }
        CoverageSource::Afl => "`--coverage afl` expects a program built with `afl-cc`",
        CoverageSource::Libfuzzer => {
            "`--coverage libfuzzer` expects a program built with `-fsanitize=fuzzer`"
        }
        CoverageSource::Sancov => {
            "`--coverage sancov` expects a program built with \
             `-fsanitize-coverage=trace-pc-guard` and a sanitizer"
        }
    }
}
