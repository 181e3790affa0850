//! The command of the test, and the files that it needs.

use super::access::Access;
use super::command::{self, Ran};
use super::compilers::{Compile, Watch, database};
use super::draft::Draft;
use super::resolve::resolve;
use super::seen::{Project, Seen};
use super::strace::{Refused, Trace};
use super::words::{NAMED, quoted};
use crate::exit::Exit;
use crate::flags::CaptureFlags;
use crate::folder::VERSION_CONTROL;
use crate::problem::{Problem, warn};
use crate::shown::count;
use crate::state::FOLDER;
use nubbin_oracle::{Exit as End, Message, Run};
use nubbin_reduce::engine::Stop;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The subject of a capture.
pub(super) struct Running<'a> {
    pub(super) flags: &'a CaptureFlags,
    pub(super) here: &'a Path,
    /// The root of the project.
    pub(super) root: &'a Path,
    pub(super) private: &'a Path,
    pub(super) stop: &'a Stop,
}

/// The command of the test with its end, and the files that it needs.
pub(super) struct Captured {
    pub(super) seen: Seen,
    pub(super) words: Vec<OsString>,
    /// The folder in which it runs, relative to the root.
    pub(super) folder: PathBuf,
    pub(super) ran: Ran,
    /// The method by which the files were observed, and the reason for it.
    pub(super) by: String,
}

impl Running<'_> {
    pub(super) fn run(
        &self,
        words: &[OsString],
        folder: &Path,
        path: Option<OsString>,
    ) -> Result<Ran, Problem> {
        command::run(words, folder, path, &self.private.join("output"), self.stop)
    }

    /// Runs the command under strace.
    pub(super) fn traced(&self, trace: &Trace) -> Result<Captured, Problem> {
        let ran = self.run(&trace.words(&self.flags.command), self.here, None)?;
        let accesses = trace.read(self.here).map_err(|error| {
            Problem::new(Exit::Test, "the trace cannot be read").because(&error)
        })?;
        let folder = self.here.strip_prefix(self.root).unwrap_or(Path::new(""));
        Ok(Captured {
            seen: self.seen(&accesses)?,
            words: self.flags.command.clone(),
            folder: folder.to_owned(),
            ran,
            by: "by strace".into(),
        })
    }

    /// Runs the command with the compilers watched, and then the compile command that failed alone.
    pub(super) fn compiled(
        &self,
        watch: &Watch,
        why: &Option<Refused>,
    ) -> Result<(Captured, Compile), Problem> {
        self.run(&self.flags.command, self.here, Some(watch.path()))?;
        let cannot = |error: io::Error| {
            Problem::new(Exit::Test, "the calls of the compilers cannot be read").because(&error)
        };
        let compiles = watch.compiles().map_err(cannot)?;
        let compile = failing(&compiles)?;
        let why = why
            .as_ref()
            .map_or(String::new(), |why| format!(" ({why})"));
        let by = format!("by the depfile of the compile command{why}");
        Ok((self.of_compile(compile, None, by)?, compile.clone()))
    }

    /// Runs the command, and then the compile commands of a database until one fails.
    pub(super) fn listed(&self) -> Result<Captured, Problem> {
        self.run(&self.flags.command, self.here, None)?;
        let places = ["compile_commands.json", "build/compile_commands.json"];
        let places = places.map(|place| self.root.join(place));
        let path = places.iter().find(|place| place.is_file()).ok_or_else(|| {
            let what = format!("there is no `{}`", places[0].display());
            Problem::new(Exit::Input, what).hint(
                "CMake writes it with `-DCMAKE_EXPORT_COMPILE_COMMANDS=ON`; `--root DIR` names its \
                 folder",
            )
        })?;
        let cannot = |error: &(dyn std::error::Error + 'static)| {
            Problem::new(Exit::Input, format!("cannot read `{}`", path.display())).because(error)
        };
        let text = std::fs::read(path).map_err(|error| cannot(&error))?;
        let folder = path.parent().unwrap_or(self.root);
        let compiles = database::read(&text, folder).map_err(|error| cannot(&error))?;
        for compile in &compiles {
            let words = compile.again(&self.private.join("object"));
            let ran = self.run(&words, &compile.folder, None)?;
            if ran.end != End::Code(0) {
                let by = "by the depfile of the first compile command of the database that fails";
                return self.of_compile(compile, Some(ran), by.into());
            }
        }
        let what = format!(
            "none of {} in `{}` fails",
            count(compiles.len() as u64, "compile command"),
            path.display()
        );
        Err(Problem::new(Exit::NotFailing, what)
            .hint("`--with strace` sees all files of a command"))
    }

    /// Captures a compile command. The command is run alone, unless that was done before.
    fn of_compile(
        &self,
        compile: &Compile,
        ran: Option<Ran>,
        by: String,
    ) -> Result<Captured, Problem> {
        let accesses = compile.accesses(self.private).map_err(|error| {
            let what = format!("cannot run `{}`", compile.compiler.display());
            Problem::new(Exit::Test, what).because(&error)
        })?;
        let folder = compile.folder.strip_prefix(self.root).map_err(|_| {
            let what = format!(
                "the compile command runs in `{}`, which is not in the project",
                compile.folder.display()
            );
            Problem::new(Exit::Input, what).hint("`--root DIR` names the folder of the project")
        })?;
        let ran = match ran {
            Some(ran) => ran,
            None => {
                let words = compile.again(&self.private.join("object"));
                self.run(&words, &compile.folder, None)?
            }
        };
        Ok(Captured {
            seen: self.seen(&accesses)?,
            words: compile.words(),
            folder: folder.to_owned(),
            ran,
            by,
        })
    }

    fn seen(&self, accesses: &[Access]) -> Result<Seen, Problem> {
        let own = resolve(&self.here.join(&self.flags.output)).map(|own| own.path);
        let no_part: Vec<&str> = VERSION_CONTROL.into_iter().chain([FOLDER]).collect();
        let project = Project {
            root: self.root,
            without: own.as_slice(),
            version_control: &no_part,
        };
        let seen = Seen::of(accesses, &project);
        if seen.files.is_empty() {
            let what = format!("the command reads no file below `{}`", self.root.display());
            return Err(Problem::new(Exit::Input, what)
                .hint("`--root DIR` names the folder of the project"));
        }
        Ok(seen)
    }
}

impl Captured {
    pub(super) fn draft<'a>(
        &'a self,
        run: &'a Running<'_>,
        message: Option<&'a Message>,
    ) -> Draft<'a> {
        Draft {
            typed: &run.flags.command,
            words: &self.words,
            root: run.root,
            folder: &self.folder,
            place: Some("src"),
            databases: &[],
            end: self.ran.end,
            message,
        }
    }

    /// Returns the run of the command, for the code that recognizes failures.
    pub(super) fn failure(&self) -> Run {
        Run {
            exit: self.ran.end,
            cut_short: None,
            has_stopped: false,
            is_matched: false,
            stdout: None,
            // The output contains both streams, in the order of arrival.
            stderr: Some(self.ran.output.clone()),
            written: Vec::new(),
            elapsed: Duration::ZERO,
            cpu: None,
            inputs: self.seen.files.iter().cloned().collect(),
            coverage: None,
            is_in_loop: false,
            stack: None,
            taken: None,
        }
    }
}

/// Returns the first compile command that failed, and prints a note if there are others.
fn failing(compiles: &[Compile]) -> Result<&Compile, Problem> {
    let failed: Vec<&Compile> = compiles
        .iter()
        .filter(|compile| compile.code != 0)
        .collect();
    let Some(first) = failed.first() else {
        let what = match compiles.len() {
            0 => "no compiler in PATH was called".to_owned(),
            all => format!("none of {} failed", count(all as u64, "compile command")),
        };
        return Err(Problem::new(Exit::NotFailing, what)
            .hint("only compile commands are seen without strace; `--with strace` sees all files")
            .hint("a compiler that is called by its path is not seen: call it by its name"));
    };
    if failed.len() > 1 {
        let line = |compile: &&Compile| {
            let words = compile.words();
            let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            format!(
                "`cd {} && {}`",
                quoted(compile.folder.as_os_str()),
                words.join(" ")
            )
        };
        let others: Vec<String> = failed[1..].iter().take(NAMED).map(line).collect();
        warn(&format!(
            "{} compile commands failed, and the first is captured; capture another by itself: {}",
            failed.len(),
            others.join(", ")
        ));
    }
    Ok(first)
}
