use super::answer::Answer;
use super::corpus::Corpus;
use super::libfuzzer;
use super::measure::{Measured, RunSource, measure};
use super::missing::refuse_missing;
use super::source::command;
use super::uncovered::Uncovered;
use crate::awaited::Awaited;
use crate::cores::cores;
use crate::exit::Exit;
use crate::flags::{CminFlags, CoverageSource};
use crate::output::Access;
use crate::paths;
use crate::print::print_json;
use crate::problem::{Problem, say, warn};
use crate::sandbox;
use crate::shown::{count, test_time};
use crate::signals::stop_on_signals;

use nubbin_minimize::{WeightedSet, cover};
use nubbin_oracle::{CommandOracle, Granularity, Options, Persistence, Predicate};
use nubbin_reduce::engine::Stop;
use nubbin_session::test::given_extras;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

/// Runs `nubbin cmin`.
pub(crate) fn run(flags: &CminFlags) -> Result<Exit, Problem> {
    let begin = Instant::now();
    let stop = Stop::default();
    stop_on_signals(stop.clone())?;
    let corpus = Corpus::of(&flags.folder)?;
    paths::keep_outside(&flags.output, &flags.folder, "--output")?;
    check(&flags.output)?;
    let (oracle, source) = oracle(flags, &corpus)?;
    refuse_missing(&corpus, &oracle, source, &stop)?;
    let running = format!("running the program on {}", inputs(corpus.entries.len()));
    let running = Awaited::begin(running, flags.quiet || flags.json);
    let mut measured = match source {
        CoverageSource::Afl => measure(&corpus, &oracle, RunSource::Afl, &stop)?,
        CoverageSource::Libfuzzer => libfuzzer::measure(&corpus, &oracle, &stop)?,
        CoverageSource::Sancov => measure(&corpus, &oracle, RunSource::Sancov, &stop)?,
        CoverageSource::Command => measure(&corpus, &oracle, RunSource::Command, &stop)?,
    };
    drop(running);
    let sets = sets(&corpus, &mut measured, flags.with_crashes);
    let places: BTreeSet<u64> = sets.iter().flat_map(|set| &set.elements).copied().collect();
    let mut chosen = cover(&sets);
    if source == CoverageSource::Libfuzzer && flags.with_crashes {
        // The coverage of crashing inputs is unknown.
        let crashed = measured.iter().enumerate().filter(|(_, it)| it.has_crashed);
        chosen.extend(crashed.map(|(at, _)| at));
        chosen.sort_unstable();
    }
    if chosen.is_empty() {
        let uncovered = Uncovered {
            flags,
            corpus: &corpus,
            oracle: &oracle,
            source,
        };
        return Err(uncovered.problem(&measured, &stop));
    }
    claim(&flags.output)?;
    corpus.copy(&chosen, &flags.output)?;
    let covered = (source, places.len());
    let answer = Answer::new((&corpus, &measured), &chosen, &flags.output, covered);
    if flags.json {
        return print_json(&answer);
    }
    if !flags.quiet {
        report(&answer, flags);
        let (count, time) = (answer.places, test_time(begin.elapsed()));
        let kept = match count {
            1 => "the only covered location is kept".to_owned(),
            _ => format!("all {count} covered locations are kept"),
        };
        say(&format!("{kept}; {time}"));
        if source == CoverageSource::Command {
            say(
                "each line that the command printed counts as a covered location: the choice is of \
                 use only if the command prints where the program was, and not its usual output",
            );
        }
    }
    Ok(Exit::Done)
}

/// Refuses a folder with something in it, before the first run.
fn check(folder: &Path) -> Result<(), Problem> {
    let is_empty = std::fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    match is_empty {
        true => paths::folder_or_nothing(folder, "--output"),
        false => Err(not_empty(folder)),
    }
}

fn not_empty(folder: &Path) -> Problem {
    let what = format!("the folder `{}` is not empty", folder.display());
    Problem::new(Exit::Usage, what).hint("give a new folder with `--output`")
}

/// Creates the folder of the result, which must be empty.
fn claim(folder: &Path) -> Result<(), Problem> {
    let shown = folder.display();
    match Access::ALL.make_empty_dir(folder) {
        Ok(true) => Ok(()),
        Ok(false) => Err(not_empty(folder)),
        Err(error) => {
            let what = format!("cannot make the folder `{shown}`");
            Err(Problem::new(Exit::Output, what).because(&error))
        }
    }
}

fn oracle(flags: &CminFlags, corpus: &Corpus) -> Result<(CommandOracle, CoverageSource), Problem> {
    let (command, source) = command(flags, corpus)?;
    let has_place = command.has_place();
    let mut options = Options::new(command, vec![corpus.name_for_tests()]);
    options.extras = given_extras(&flags.with, Path::new("."))?;
    options.stdin = flags.stdin || (source == CoverageSource::Afl && !has_place);
    options.timeout = Some(match source {
        CoverageSource::Libfuzzer => libfuzzer::time(flags.timeout),
        _ => flags.timeout,
    });
    options.jobs = flags.jobs.map_or_else(cores, usize::from);
    options.input_size = corpus.largest();
    options.owns_children = true;
    options.sandbox = sandbox::of(&flags.sandbox.clone().into(), flags.quiet || flags.json)?;
    if source == CoverageSource::Afl {
        let granularity = match flags.edges {
            true => Granularity::Edges,
            false => Granularity::Hits,
        };
        options.persistence = Some(Persistence::Fork);
        options.predicate = Predicate::new().same_coverage(granularity);
    }
    let oracle = CommandOracle::new(options)
        .map_err(|error| Problem::new(Exit::Test, "the program cannot be run").because(&error))?;
    Ok((oracle, source))
}

/// Takes the coverage of each input, with its size as the weight. An input that is left out has
/// none.
fn sets(corpus: &Corpus, measured: &mut [Measured], with_crashes: bool) -> Vec<WeightedSet> {
    let entries = corpus.entries.iter().zip(measured);
    let set = |(entry, measured): (&super::corpus::Entry, &mut Measured)| {
        let is_kept = !measured.is_cut_short && (with_crashes || !measured.has_crashed);
        WeightedSet {
            weight: entry.size,
            elements: match is_kept {
                true => std::mem::take(&mut measured.covered),
                false => Vec::new(),
            },
        }
    };
    entries.map(set).collect()
}

/// Tells how much smaller the folder is, and what was left out.
fn report(answer: &Answer, flags: &CminFlags) {
    if answer.crashed > 0 && !flags.with_crashes {
        let crashing = inputs(answer.crashed);
        let kept = match answer.coverage {
            "libfuzzer" => "them",
            _ => "those that the coverage needs",
        };
        warn(&format!(
            "left out {crashing}, on which the program crashes; `--with-crashes` keeps {kept}"
        ));
    }
    if answer.cut_short > 0 {
        warn(&format!(
            "left out {} that hit a limit",
            inputs(answer.cut_short)
        ));
    }
    if answer.exited > 0 {
        warn(&format!(
            "left out {}, on which the program exits before libFuzzer records the coverage",
            inputs(answer.exited)
        ));
    }
    say(&format!(
        "{} with {} bytes to {} with {}, in `{}`",
        inputs(answer.inputs),
        answer.bytes_before,
        answer.kept.len(),
        answer.bytes,
        flags.output.display()
    ));
}

fn inputs(number: usize) -> String {
    count(number as u64, "input")
}
