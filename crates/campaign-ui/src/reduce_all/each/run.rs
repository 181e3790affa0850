//! The run: each file is looked at, and then each file that fails is reduced.

use super::super::ci::is_harmless;
use super::super::deadline::limit;
use super::super::json_lines::lines;
use super::super::prepared::found;
use super::super::results::put;
use super::child::{Limits, diagnosis, reduce};
use super::reduced::{Group, Outcome, Reduced, groups, not_done};
use super::told::{announce, line, nothing_fails, summary};
use crate::exit::Exit;
use crate::flags::ReduceAllFlags;
use crate::print::print_json;
use crate::problem::{Problem, say};
use crate::shown::count;
use nubbin_reduce::engine::Stop;
use serde_json::json;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The list of the results, in their folder.
const LIST: &str = "results.jsonl";

pub(in crate::reduce_all) fn run(
    flags: &ReduceAllFlags,
    (folder, output): (&Path, &Path),
    name: &str,
    stop: &Stop,
) -> Result<Exit, Problem> {
    let found = found(folder)?;
    refuse(&found, folder)?;
    // The list and the results of an earlier run are replaced.
    put(&output.join(LIST), b"")?;
    let limits = Limits {
        until: limit(flags).map(|time| Instant::now() + time),
        stop,
    };
    let mut each = Each {
        flags,
        folder,
        output,
        limits,
        found: &found,
        all: found.iter().map(|_| None).collect(),
    };
    each.run()?;
    let all: Vec<Reduced> = each.all.into_iter().flatten().collect();
    conclude(flags, (name, folder, output), (&all, found.len()), stop)
}

/// The files of a folder, and what is known of them.
struct Each<'a> {
    flags: &'a ReduceAllFlags,
    folder: &'a Path,
    output: &'a Path,
    limits: Limits<'a>,
    found: &'a [PathBuf],
    /// The result of each file; `None` for one that was not run yet.
    all: Vec<Option<Reduced>>,
}

impl Each<'_> {
    fn run(&mut self) -> Result<(), Problem> {
        let every: Vec<usize> = (0..self.found.len()).collect();
        // A limit on the time leaves reductions, and no file whose failure nobody has seen.
        let order = match self.limits.until {
            Some(_) => {
                self.look_at(&every)?;
                self.one_of_each_failure_first()
            }
            None => every,
        };
        for (number, &at) in order.iter().enumerate() {
            if !self.reduce(at, self.flags.max_tests)? {
                break;
            }
            self.tell((number + 1, order.len()), at)?;
        }
        Ok(())
    }

    /// Runs each file, without a reduction.
    fn look_at(&mut self, every: &[usize]) -> Result<(), Problem> {
        for &at in every {
            if !self.reduce(at, 0)? {
                break;
            }
            let is_failure = |it: &Reduced| it.outcome == Outcome::Failure;
            if !self.all[at].as_ref().is_some_and(is_failure) {
                self.tell((at + 1, every.len()), at)?;
            }
        }
        let list = lines(&self.groups());
        put(&self.output.join(LIST), list.as_bytes())
    }

    /// Returns the files that fail: one of each failure, and then the others.
    fn one_of_each_failure_first(&self) -> Vec<usize> {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let mut order: Vec<(usize, usize)> = Vec::new();
        for (at, reduced) in self.all.iter().enumerate() {
            let Some(reduced) = reduced else { continue };
            if reduced.outcome != Outcome::Failure {
                continue;
            }
            let seen = seen.entry(reduced.failure.as_deref().unwrap_or_default());
            let seen = seen.or_default();
            order.push((*seen, at));
            *seen += 1;
        }
        order.sort_unstable();
        order.into_iter().map(|(_, at)| at).collect()
    }

    /// Reduces a file by at most the given number of tests. Returns whether it was run: a limit may
    /// have been reached before.
    fn reduce(&mut self, at: usize, max_tests: u64) -> Result<bool, Problem> {
        if self.limits.are_reached() {
            return Ok(false);
        }
        let path = &self.found[at];
        let file = path.strip_prefix(self.folder).unwrap_or(path);
        let target = self.output.join(file);
        let reduced = reduce(self.flags, (path, file, &target), max_tests, &self.limits);
        match reduced {
            Ok(None) => return Ok(false),
            Ok(reduced) => self.all[at] = reduced,
            Err(problem) => self.all[at] = Some(Reduced::of_error(file, problem.what())),
        }
        Ok(true)
    }

    fn groups(&self) -> Vec<Group> {
        let all: Vec<Reduced> = self.all.iter().flatten().cloned().collect();
        groups(&all)
    }

    /// Tells of a file, the `number`th of `all`, and writes the list.
    fn tell(&self, (number, all): (usize, usize), at: usize) -> Result<(), Problem> {
        let Some(reduced) = &self.all[at] else {
            return Ok(());
        };
        if !self.flags.quiet && !self.flags.json {
            say(&line(number, all, reduced));
        }
        match reduced.outcome {
            Outcome::Failure => put(&self.output.join(LIST), lines(&self.groups()).as_bytes()),
            _ => Ok(()),
        }
    }
}

/// Refuses a folder with a file whose result would be the list.
fn refuse(found: &[PathBuf], folder: &Path) -> Result<(), Problem> {
    if found.contains(&folder.join(LIST)) {
        let what = format!(
            "the result of `{}` would have the name of the list of results",
            folder.join(LIST).display()
        );
        return Err(Problem::new(Exit::Input, what).hint("give the file another name"));
    }
    Ok(())
}

/// Reports the results, and returns the exit code.
fn conclude(
    flags: &ReduceAllFlags,
    (name, folder, output): (&str, &Path, &Path),
    (all, found): (&[Reduced], usize),
    stop: &Stop,
) -> Result<Exit, Problem> {
    let groups = groups(all);
    let failing: usize = groups.iter().map(|group| group.files.len()).sum();
    if flags.json {
        print_json(&json!({
            "program": name,
            "counts": { "run": all.len(), "failing": failing, "not_done": not_done(&groups), "not_run": found - all.len() },
            "results": groups,
            "files": all,
        }))?;
    } else if !flags.quiet {
        say(&summary(all, &groups, output));
        if all.len() < found {
            let left = count((found - all.len()) as u64, "file");
            say(&format!("{left} not run: the run was stopped earlier"));
        }
    }
    if flags.ci.is_some() {
        announce(all, &groups, found - all.len())?;
    }
    if stop.is_requested() {
        return Ok(Exit::Stopped);
    }
    if failing > 0 {
        return Ok(Exit::Done);
    }
    let diagnose = |it: &Reduced| diagnosis(flags, &folder.join(&it.file), &output.join(&it.file));
    let problem = nothing_fails((name, &flags.command), all, found, diagnose);
    match flags.ci.is_some() && is_harmless(problem.exit()) {
        true => {
            problem.print();
            Ok(Exit::Done)
        }
        false => Err(problem),
    }
}
