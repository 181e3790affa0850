//! The findings of a run, for the terminal and for a job of continuous integration.

use super::super::ci;
use super::super::missing;
use super::reduced::{Group, Outcome, Reduced, not_done};
use crate::exit::Exit;
use crate::problem::Problem;
use crate::shown::{count, tests};
use nubbin_oracle::{TestCommand, missing_programs, reports_missing};
use std::ffi::OsString;
use std::path::Path;

/// Describes a file: `3 of 4  a.txt: 2 bytes, 22 tests`.
pub(super) fn line(number: usize, all: usize, reduced: &Reduced) -> String {
    let end = match (reduced.outcome, reduced.bytes, &reduced.error) {
        (Outcome::Failure, Some(bytes), _) => {
            let end = match reduced.done {
                Some(false) => ", not reduced to the end",
                _ => "",
            };
            let changed = reduced.changed_failure.as_ref();
            let changed = changed.map_or(String::new(), |changed| {
                format!("; it shows another failure: {}", changed.result)
            });
            let bytes = count(bytes, "byte");
            format!("{bytes}, {}{end}{changed}", tests(reduced.tests))
        }
        (Outcome::NoFailure, ..) => "does not fail".to_owned(),
        (Outcome::Empty, ..) => "an empty file fails as well".to_owned(),
        (_, _, Some(error)) => error.clone(),
        _ => "no result".to_owned(),
    };
    format!("{number} of {all}  {}: {end}", reduced.file.display())
}

/// Describes the groups.
pub(super) fn summary(all: &[Reduced], groups: &[Group], output: &Path) -> String {
    let failing: usize = groups.iter().map(|group| group.files.len()).sum();
    let mut text = vec![
        format!("{}: {failing} fail", count(all.len() as u64, "file")),
        count((groups.len() - not_done(groups)) as u64, "different result"),
    ];
    if let stopped @ 1.. = not_done(groups) {
        let results = count(stopped as u64, "result");
        text.push(format!(
            "{results} not reduced to the end, which may show the failures of other results: \
             `--max-tests N` and `--max-time TIME` set the limits"
        ));
    }
    let of = |outcome: Outcome| all.iter().filter(|it| it.outcome == outcome).count();
    let (errors, empty) = (of(Outcome::Error), of(Outcome::Empty));
    if empty > 0 {
        text[0] += &format!(", and {empty} as an empty file does");
    }
    if errors > 0 {
        let files = count(errors as u64, "file");
        text.push(format!("{files} could not be reduced"));
    }
    text.extend(groups.iter().map(|group| of_group(group, output)));
    text.extend(changed(all));
    text.join("\n")
}

fn of_group(group: &Group, output: &Path) -> String {
    let names = group.files.iter().map(|it| it.display().to_string());
    let names: Vec<String> = names.collect();
    let text = format!(
        "  {}: {}{}\n    {}: {}",
        output.join(&group.file).display(),
        count(group.bytes, "byte"),
        if group.done {
            ""
        } else {
            ", not reduced to the end"
        },
        count(names.len() as u64, "file"),
        names.join(", ")
    );
    match &group.note {
        Some(note) => format!("{text}\n    {note}"),
        None => text,
    }
}

/// Returns the warning about results that show another failure than their files.
fn changed(all: &[Reduced]) -> Option<String> {
    let changed = all
        .iter()
        .filter_map(|it| Some((it, it.changed_failure.as_ref()?)));
    let changed: Vec<_> = changed.collect();
    let (first, failures) = changed.first()?;
    let what = match changed.len() {
        1 => "1 result shows another failure than its file".to_owned(),
        many => format!("{many} results show other failures than their files"),
    };
    Some(format!(
        "warning: {what}; both meet the conditions\n  `{}`: {}\n  its result: {}\nhint: `--stderr \
         RE` describes the failure to keep; without `--exit 0`, `--stderr`, and `--hang`, the failure of \
         each file is kept",
        first.file.display(),
        failures.original,
        failures.result
    ))
}

/// Returns the problem of a run without a failing file: the first reason that holds for all files.
pub(super) fn nothing_fails(
    (name, command): (&str, &[OsString]),
    all: &[Reduced],
    found: usize,
    diagnose: impl Fn(&Reduced) -> Option<String>,
) -> Problem {
    if let Some(program) = missing_program(command) {
        return missing::no_program(name, &program);
    }
    let of = |outcome: Outcome| all.iter().filter(|it| it.outcome == outcome).count();
    if all.len() < found {
        let what = format!("no file had made `{name}` fail when the time limit was reached");
        return Problem::new(Exit::NoResult, what)
            .hint("`--max-time TIME` and `--ci=TIME` set the limit");
    }
    match of(Outcome::Empty) {
        0 => {}
        failing if failing == all.len() => {
            let what = format!("`{name}` fails on an empty file as well");
            return Problem::new(Exit::EmptyFails, what)
                .hint("check that the command reads the file, or use `--allow-empty`");
        }
        failing => {
            let files = count(failing as u64, "file");
            let what = format!("`{name}` fails on {files} and on an empty one, so none is reduced");
            return Problem::new(Exit::EmptyFails, what)
                .hint("say what the failure is with `--stderr RE`, or leave out `--exit`")
                .hint("`--allow-empty` reduces the files anyway");
        }
    }
    let is_passing = |it: &Reduced| it.outcome == Outcome::NoFailure;
    if let Some(first) = all.first().filter(|_| all.iter().all(is_passing))
        && let Some(line) = diagnose(first).as_deref().and_then(missing_line)
    {
        return missing::of_one(name, &first.file, line);
    }
    let problem = Problem::new(Exit::NotFailing, format!("no file makes `{name}` fail"));
    let error = all
        .iter()
        .find_map(|it| it.error.as_ref().filter(|_| it.outcome == Outcome::Error));
    match (of(Outcome::Error), error) {
        (errors @ 1.., Some(error)) => problem.fact(format!(
            "{} could not be reduced: {error}",
            count(errors as u64, "file")
        )),
        _ => problem,
    }
}

/// Returns a program that the script of the command runs and that does not exist.
fn missing_program(command: &[OsString]) -> Option<String> {
    let here = std::env::current_dir().ok()?;
    let command = TestCommand::new(command.to_vec(), &here).ok()?;
    missing_programs(&command, &here).into_iter().next()
}

/// Returns the line of a diagnosis in which the test says that something is missing.
fn missing_line(hint: &str) -> Option<&str> {
    let lines = hint.lines().map(str::trim);
    let mut said = lines.filter_map(|line| line.strip_prefix("stderr: "));
    said.find(|line| reports_missing(line))
}

/// Tells of the results in the log of a job of continuous integration, and in its summary.
pub(super) fn announce(all: &[Reduced], groups: &[Group], not_run: usize) -> Result<(), Problem> {
    let lines = groups.iter().map(|group| {
        let (bytes, files) = (count(group.bytes, "byte"), group.files.len() as u64);
        format!(
            "{}: {bytes}, in {}",
            group.file.display(),
            count(files, "file")
        )
    });
    let lines: Vec<String> = lines.collect();
    let failing: usize = groups.iter().map(|group| group.files.len()).sum();
    let mut text = format!("{}: {failing} fail", count(all.len() as u64, "file"));
    if not_run > 0 {
        text += &format!("; {} not run", count(not_run as u64, "file"));
    }
    ci::announce_lines(&text, &lines)
}
