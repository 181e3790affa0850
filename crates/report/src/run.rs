//! Runs `nubbin report` and `nubbin compare`.

use super::compare::of_runs;
use super::explanation::{self, ExplainedInput};
use super::history::{History, LogError, Unfit};
use super::page;
use crate::endless;
use crate::events::{Explanation, VERSION};
use crate::exit::Exit;
use crate::flags::{CompareFlags, ReportFlags};
use crate::output::write::folder_of;
use crate::output::{Access, Destination};
use crate::paths::{self, Use};
use crate::print::print;
use crate::problem::{Problem, say};
use std::path::{Path, PathBuf};

pub fn report(args: &ReportFlags) -> Result<Exit, Problem> {
    let mut run = read(&args.run)?;
    if let Some(path) = &args.explanation {
        let explanation = explanation(path)?;
        run.explain(explanation)
            .map_err(|error| unfit(path, args, error))?;
    }
    let output = args
        .output
        .clone()
        .unwrap_or_else(|| args.run.with_extension("html"));
    let read: Vec<&PathBuf> = [&args.run].into_iter().chain(&args.explanation).collect();
    hand_out(&output, &page::of_run(&run), &read, args.force)
}

pub fn compare(args: &CompareFlags) -> Result<Exit, Problem> {
    let runs = args.runs.iter().map(|path| read(path));
    let runs = runs.collect::<Result<Vec<_>, _>>()?;
    let name = |path: &PathBuf| {
        let name = path.file_stem().unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    let names: Vec<String> = args.runs.iter().map(name).collect();
    let output = args
        .output
        .clone()
        .unwrap_or_else(|| beside(&args.runs, &names));
    let named: Vec<_> = names.iter().map(String::as_str).zip(&runs).collect();
    let read: Vec<&PathBuf> = args.runs.iter().collect();
    hand_out(&output, &of_runs(&named), &read, args.force)
}

/// Returns the default path of the page: `A-and-B.html` or `A-and-2-more.html`, next to A.
fn beside(paths: &[PathBuf], names: &[String]) -> PathBuf {
    let name = match names {
        [first, second] => format!("{first}-and-{second}.html"),
        [first, others @ ..] => format!("{first}-and-{}-more.html", others.len()),
        [] => "runs.html".to_owned(),
    };
    paths
        .first()
        .map_or_else(|| PathBuf::from(&name), |first| first.with_file_name(&name))
}

/// Takes the file of a page or of other content, before there is one. A file that nubbin did not
/// write is refused.
pub fn claim(
    path: &Path,
    content: &'static str,
    access: Access,
    force: bool,
) -> Result<Destination, Problem> {
    access.make_dirs(folder_of(path)).map_err(|error| {
        let what = format!("cannot write the {content} to `{}`", path.display());
        Problem::new(Exit::Output, what).because(&error)
    })?;
    Destination::claim(path, content, access, force)
}

/// Writes the page of a run that has just ended.
pub fn write(file: &Destination, run: &History) -> Result<(), Problem> {
    file.write(page::of_run(run).as_bytes())
}

/// Writes the page of an explanation.
pub fn write_explanation(file: &Destination, shown: &ExplainedInput<'_>) -> Result<(), Problem> {
    file.write(explanation::of_input(shown).as_bytes())
}

fn explanation(path: &Path) -> Result<Explanation, Problem> {
    endless::refuse(path)?;
    let text = std::fs::read_to_string(path).map_err(|error| {
        let what = format!("cannot read the explanation `{}`", path.display());
        Problem::new(Exit::Input, what).because(&error)
    })?;
    serde_json::from_str(&text).map_err(|error| {
        let what = format!("`{}` is not an explanation", path.display());
        Problem::new(Exit::Input, what)
            .because(&error)
            .hint("write one with `nubbin explain RESULT --json -- COMMAND`")
    })
}

fn unfit(path: &Path, args: &ReportFlags, _: Unfit) -> Problem {
    let (path, run) = (path.display(), args.run.display());
    let what = format!("`{path}` does not explain the result of `{run}`");
    let hint = format!("explain the result: `nubbin explain RESULT --json -- COMMAND >{path}`");
    Problem::new(Exit::Input, what).hint(hint)
}

fn read(path: &Path) -> Result<History, Problem> {
    endless::refuse(path)?;
    let text = std::fs::read_to_string(path).map_err(|error| {
        let what = format!("cannot read the log `{}`", path.display());
        Problem::new(Exit::Input, what).because(&error)
    })?;
    History::read(&text).map_err(|error| match error {
        LogError::Version(version) => {
            let what = format!(
                "`{}` is a log of format {version}, and nubbin {} reads format {VERSION}",
                path.display(),
                env!("CARGO_PKG_VERSION")
            );
            Problem::new(Exit::Input, what).hint("use the version of nubbin that wrote the log")
        }
        LogError::NoLog => {
            let what = format!("`{}` is not the log of a run", path.display());
            Problem::new(Exit::Input, what).hint(
                "write a log with `nubbin reduce --json-events run.jsonl …`, or the page with \
                 `--report run.html`",
            )
        }
    })
}

fn hand_out(output: &Path, page: &str, read: &[&PathBuf], force: bool) -> Result<Exit, Problem> {
    if output == Path::new("-") {
        return print(page);
    }
    let access = Access::of(read);
    let read: Vec<Use<'_>> = read
        .iter()
        .map(|path| Use {
            path,
            what: "a file that is read",
        })
        .collect();
    paths::keep_apart(
        &read,
        &[Use {
            path: output,
            what: "the page",
        }],
    )?;
    claim(output, "page", access, force)?.write(page.as_bytes())?;
    say(&format!("wrote `{}`", output.display()));
    Ok(Exit::Done)
}
