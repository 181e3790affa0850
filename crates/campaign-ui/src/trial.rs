//! The trial of a campaign's programs in the sandbox, before their tests are run.

use super::generator::files;
use super::program::Built;
use super::setup::Setup;
use crate::confined::{self, Loosened, Sample};
use crate::exit::Exit;
use crate::problem::{Problem, warn};
use crate::sandbox::{Wording, permission};
use nubbin_campaign::{Event, EventKind, Outcome, Store};
use nubbin_oracle::{Refusal, Run};
use nubbin_verdict::Cancel;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The files of a folder that are run outside as well: the first one, the last one, and some
/// between them.
const FILES: usize = 5;
/// The largest of them.
const LARGEST: u64 = 1 << 20;
/// The time of the trial of a program. A program that takes longer is run with what is known then.
const TIME: Duration = Duration::from_secs(10);

/// Finds the permissions that the programs need, and prints them, even in a quiet run.
///
/// Only inputs of the user are run outside: files of folders that do not fail inside, and the empty
/// test if it tells of a refusal. A test that a generator made may do harm.
pub(super) fn settle(
    setup: &Setup,
    store: &mut Store,
    wording: Wording,
    stop: &Cancel,
) -> Result<(), Problem> {
    for (at, built) in setup.programs.iter().enumerate() {
        if !built.is_tried() || setup.is_there(built) {
            continue;
        }
        let loosened = in_time(stop, |stop| try_program(setup, at, built, stop))?;
        if loosened.is_nothing() {
            continue;
        }
        let name = built.program.name();
        let line = loosened.line(name, wording);
        warn(&line);
        // If the event cannot be stored, the line is only on the terminal.
        let _ = store.record_event(Event::new(EventKind::Warning, line).fact("program", name));
        built.loosen(loosened);
    }
    Ok(())
}

/// Calls `action` with a token that is canceled after some time, and with another one.
fn in_time<T>(stop: &Cancel, action: impl FnOnce(&Cancel) -> T) -> T {
    let limited = Cancel::new();
    let _linked = stop.on_cancel({
        let limited = limited.clone();
        move || limited.cancel()
    });
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let timer = scope.spawn(|| {
            let begin = Instant::now();
            while !is_done.load(Ordering::Acquire) && begin.elapsed() < TIME {
                std::thread::park_timeout(TIME.saturating_sub(begin.elapsed()));
            }
            limited.cancel();
        });
        let done = action(&limited);
        is_done.store(true, Ordering::Release);
        timer.thread().unpark();
        done
    })
}

fn try_program(
    setup: &Setup,
    at: usize,
    built: &Built,
    stop: &Cancel,
) -> Result<Loosened, Problem> {
    let program = &built.program;
    let kept = kept(setup, built);
    let same = |inside: &Run, outside: &Run| {
        let outcome = |run| program.rules().outcome(run);
        inside.exit == outside.exit && outcome(inside) == outcome(outside)
    };
    // A run that hits a limit would take as long outside.
    let is_clear = |run: &Run| {
        matches!(
            program.rules().outcome(run),
            Outcome::Issue(..) | Outcome::Limit
        )
    };
    let attempt = |bytes: &[u8], believes: &dyn Fn(&Run) -> bool| {
        let sample = Sample {
            name: program.file(),
            bytes,
            believes,
        };
        let flags = built.sandbox_flags();
        confined::settle(flags, program.oracle(), &sample, &same, &kept, stop).map_err(|error| {
            let what = format!("the program `{}` cannot be run", program.name());
            Problem::new(Exit::Test, what).because(&error)
        })
    };
    let mut loosened = attempt(b"", &|_| true)?;
    for path in samples(setup, at)? {
        if loosened.is_outside() || stop.is_cancelled() {
            break;
        }
        // The generator itself reports a file that was removed or cannot be read.
        if let Ok(bytes) = std::fs::read(&path) {
            loosened = loosened.and(attempt(&bytes, &is_clear)?);
        }
    }
    Ok(loosened)
}

/// Returns some files of the folders whose files are tests of a program.
pub(super) fn samples(setup: &Setup, program: usize) -> Result<Vec<PathBuf>, Problem> {
    let mut all = vec![];
    for table in setup.config.generator.values() {
        let table = table.get_ref();
        let Some(folder) = &table.folder else {
            continue;
        };
        if !setup.programs_of(table)?.contains(&program) {
            continue;
        }
        // The generator itself reports a folder that cannot be read.
        all.extend(files(folder.get_ref()).unwrap_or_default());
    }
    let is_small = |path: &PathBuf| path.metadata().is_ok_and(|meta| meta.len() <= LARGEST);
    all.retain(is_small);
    let step = all.len().saturating_sub(1).div_ceil(FILES - 1).max(1);
    let last = all.last().cloned();
    let mut some: Vec<PathBuf> = all.into_iter().step_by(step).collect();
    some.extend(last);
    some.dedup();
    Ok(some)
}

/// Returns the files of the campaign, to which no test may be permitted to write.
fn kept(setup: &Setup, built: &Built) -> Vec<PathBuf> {
    let command = built.program.oracle().command();
    let words = command.args().iter().map(PathBuf::from);
    let words = words.filter(|path| path.is_file());
    let folders = setup.config.generator.values();
    let folders = folders.filter_map(|table| table.get_ref().folder.as_ref());
    let folders = folders.map(|folder| folder.get_ref().clone());
    words
        .chain(folders)
        .chain([setup.folder.clone(), command.program().to_path_buf()])
        .collect()
}

/// Returns a summary of the runs of this process in which the sandbox refused an access.
pub(super) fn summary(setup: &Setup, wording: Wording) -> Vec<String> {
    let each = setup.programs.iter().filter_map(|built| {
        let refused = built.program.refused();
        (refused.runs > 0).then(|| {
            refused_line(
                built.program.name(),
                refused.runs,
                &refused.refusals,
                wording,
            )
        })
    });
    each.collect()
}

/// Returns the line about runs in which the sandbox has refused something.
pub(super) fn refused_line(
    program: &str,
    runs: u64,
    refusals: &[Refusal],
    wording: Wording,
) -> String {
    let runs = match runs {
        1 => "1 test reports".to_owned(),
        _ => format!("{} tests report", indicatif::HumanCount(runs)),
    };
    let line = refusals.first().map_or("", Refusal::line);
    format!(
        "{program}: {runs} that the sandbox refused something, which may hide failures: {line}; {}",
        permission(refusals, wording)
    )
}
