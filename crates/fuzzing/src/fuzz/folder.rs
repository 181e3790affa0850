//! The folder of a run: a folder for each bug, with its scripts, choices, and report.

use super::batch::Expression;
use super::finding::Finding;
use crate::choices::{Recipe, Recorded};
use crate::exit::Exit;
use crate::output::Access;
use crate::problem::Problem;
use crate::shown::fence;
use nubbin_graph::{Engine, Language, WalkOptions};
use nubbin_oracle::{Run, Signature};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

/// The maximum number of bytes of an output that a report shows.
const LONGEST: usize = 4_000;

pub(super) struct FuzzFolder {
    path: PathBuf,
    access: Access,
}

/// The content of a report besides the finding.
pub(super) struct Context<'a> {
    pub(super) engine: &'a Engine,
    pub(super) language: Language,
    pub(super) walk: WalkOptions,
    /// The script that shows the bug.
    pub(super) script: &'a [u8],
    /// The script before the reduction.
    pub(super) original: &'a [u8],
    /// The run of the script.
    pub(super) run: &'a Run,
    /// The number of repeated runs of the script that showed the bug, and the number of all of
    /// them.
    pub(super) shown: (usize, usize),
    /// The command that runs a script, with its path.
    pub(super) line: &'a str,
}

impl FuzzFolder {
    /// Creates the folder, or takes an empty one.
    pub(super) fn new(path: &Path, access: Access) -> Result<Self, Problem> {
        match access.make_empty_dir(path) {
            Err(error) => Err(cannot(path, &error)),
            Ok(false) => {
                let what = format!("the folder `{}` is not empty", path.display());
                Err(Problem::new(Exit::Output, what).hint("give a new folder with `-o DIR`"))
            }
            Ok(true) => Ok(FuzzFolder {
                path: path.to_path_buf(),
                access,
            }),
        }
    }

    /// Returns the name of the folder for a bug.
    pub(super) fn name(number: usize, signature: &Signature) -> String {
        let mut name = format!("{number:03}");
        let mut is_new_word = true;
        for char in signature.to_string().chars() {
            match char.is_ascii_alphanumeric() {
                true if is_new_word => {
                    name.push('-');
                    name.push(char.to_ascii_lowercase());
                }
                true => name.push(char.to_ascii_lowercase()),
                false => {}
            }
            is_new_word = !char.is_ascii_alphanumeric();
            if name.len() >= 60 {
                break;
            }
        }
        name
    }

    /// Writes the files of a finding.
    pub(super) fn put(&self, finding: &Finding, context: &Context<'_>) -> Result<(), Problem> {
        let folder = self.path.join(&finding.folder);
        self.access
            .make_dirs(&folder)
            .map_err(|error| cannot(&folder, &error))?;
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            let written = self.access.write_new(&path, bytes);
            written.map_err(|error| cannot(&path, &error))
        };
        let ending = context.language.extension();
        write(&format!("script.{ending}"), context.script)?;
        write(&format!("original.{ending}"), context.original)?;
        write(
            "choices.jsonl",
            choices(&finding.expressions, context.walk).as_bytes(),
        )?;
        write("report.md", report(finding, context).as_bytes())
    }
}

fn choices(expressions: &[Expression], walk: WalkOptions) -> String {
    let lines = expressions.iter().map(|expression| {
        let choices = expression.choices.iter();
        let recorded = Recorded {
            choices: choices.map(|&choice| choice.into()).collect(),
            recipe: Some(Recipe::Walk(walk)),
        };
        serde_json::to_string(&recorded).unwrap_or_default() + "\n"
    });
    lines.collect()
}

fn report(finding: &Finding, context: &Context<'_>) -> String {
    let engine = context.engine;
    let version = engine.version.as_deref().unwrap_or("unknown version");
    let mut text = format!("# {} {version}: {}\n\n", engine.name, finding.signature);
    // Writing to a string does not fail.
    let mut line = |line: std::fmt::Arguments<'_>| {
        let _ = writeln!(text, "{line}");
    };
    let script = String::from_utf8_lossy(context.script);
    let fence = fence(&script);
    let ending = context.language.extension();
    line(format_args!(
        "{fence}{ending}\n{}\n{fence}\n",
        script.trim_end()
    ));
    line(format_args!(
        "Run `{}`: {}.\n",
        context.line, context.run.exit
    ));
    let wrote = String::from_utf8_lossy(context.run.stderr());
    let wrote = wrote.trim();
    if !wrote.is_empty() {
        let shown: String = wrote.chars().take(LONGEST).collect();
        let fence = self::fence(&shown);
        line(format_args!("{fence}text\n{shown}\n{fence}\n"));
    }
    line(format_args!("| | |\n|---|---|"));
    line(format_args!("| engine | {} {version} |", engine.name));
    line(format_args!("| build | {} |", engine.hash));
    line(format_args!(
        "| reproduces | {} of {} runs |",
        context.shown.0, context.shown.1
    ));
    line(format_args!("| found by | expression {} |", finding.first));
    line(format_args!(
        "| reduced | from {} bytes to {} in {} runs |",
        finding.bytes_before,
        finding.bytes(),
        finding.runs
    ));
    text
}

fn cannot(path: &Path, error: &io::Error) -> Problem {
    let what = format!("cannot write `{}`", path.display());
    Problem::new(Exit::Output, what)
        .because(error)
        .hint("give another folder with `-o DIR`")
}
