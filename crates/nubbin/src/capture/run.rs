//! A capture from its flags to its exit code.

use super::access::Access;
use super::check::check;
use super::command::{self, Ran};
use super::compilers::{Compile, Watch, preprocessed_ending};
use super::draft::Draft;
use super::place::{Place, Unfinished};
use super::record::record;
use super::resolve::resolve;
use super::seen::{Project, Seen};
use super::strace::{Refused, Trace};
use crate::exit::Exit;
use crate::files::SEARCHED;
use crate::flags::{CaptureFlags, Means};
use crate::folder::VERSION_CONTROL;
use crate::named_folder::names_folder;
use crate::output::mode_of;
use crate::problem::{Problem, say, warn};
use crate::signals;
use crate::state::FOLDER;
use indicatif::{HumanBytes, HumanCount};
use nubbin_oracle::{Message, PrivateFolder, Run, TestCommand};
use nubbin_reduce::engine::Stop;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

pub(crate) fn run(flags: &CaptureFlags) -> Result<Exit, Problem> {
    let stop = Stop::default();
    signals::stop_on_signals(stop.clone())?;
    let here = std::env::current_dir()
        .and_then(|here| here.canonicalize())
        .map_err(|error| {
            Problem::new(Exit::Input, "the current folder cannot be read").because(&error)
        })?;
    let root = root(flags, &here)?;
    TestCommand::new(flags.command.clone(), &here)
        .map_err(|error| Problem::new(Exit::Test, "the command cannot be run").because(&error))?;
    let place = Place::claim(&flags.output)?;
    let private = PrivateFolder::new(TRACE).map_err(|error| no_place(&error))?;
    let sight = Sight::choose(flags, private.path())?;
    let run = Running {
        flags,
        here: &here,
        root: &root,
        private: private.path(),
        stop: &stop,
    };
    let (captured, compile) = match &sight {
        Sight::Strace(trace) => (run.traced(trace)?, None),
        Sight::Depfiles(watch, why) => {
            let (captured, compile) = run.compiled(watch, why)?;
            (captured, Some(compile))
        }
    };
    let message = Message::of(&captured.failure());
    if flags.preprocess
        && let Some(compile) = &compile
        && run.preprocess(&captured, compile, message.as_ref(), &place)?
    {
        return Ok(Exit::Done);
    }
    let unfinished = place.begin()?;
    let copied = copy(
        &unfinished,
        &root,
        &captured.seen,
        flags.follow_links,
        &stop,
    )?;
    let draft = Draft {
        databases: &copied.databases,
        ..captured.draft(&run, message.as_ref())
    };
    run.write(&unfinished, &draft, &captured, &copied.leading_out)?;
    let (folder, test) = (place.path().join("src"), place.path().join("test.sh"));
    place.conclude(unfinished)?;

    tell_files(&captured, &copied, flags);
    tell_failure(&captured.ran, message.as_ref(), flags);
    for path in draft.leading_out() {
        warn(&format!(
            "the command names `{}`, which is not in the project: the test reads it there",
            path.display()
        ));
    }
    verify(&folder, &test, &stop)
}

/// The size in bytes for which there has to be room: the trace of a large build, its output, and a
/// preprocessed file.
const TRACE: u64 = 1 << 30;

fn no_place(error: &(dyn std::error::Error + 'static)) -> Problem {
    Problem::new(Exit::Output, "there is no place for temporary files").because(error)
}

/// How nubbin sees what the command reads.
enum Sight {
    Strace(Trace),
    /// With the reason why it was not strace, if that was not asked for.
    Depfiles(Watch, Option<Refused>),
}

impl Sight {
    fn choose(flags: &CaptureFlags, private: &Path) -> Result<Self, Problem> {
        let watch = || Watch::new(private).map_err(|error| no_place(&error));
        if flags.preprocess || flags.with == Some(Means::Depfiles) {
            let watch = watch()?.ok_or_else(|| {
                Problem::new(Exit::Test, "there is no C or C++ compiler in PATH")
                    .hint("`--with strace` sees what any command reads")
            })?;
            return Ok(Sight::Depfiles(watch, None));
        }
        let refused = match Trace::new(private) {
            Ok(trace) => return Ok(Sight::Strace(trace)),
            Err(refused) => refused,
        };
        let watch = match flags.with {
            None => watch()?,
            Some(_) => None,
        };
        let problem = || {
            Problem::new(Exit::Test, "nubbin cannot see what the command reads")
                .because(&refused)
                .hint("install strace, or run where it may trace")
        };
        let watch = watch.ok_or_else(problem)?;
        Ok(Sight::Depfiles(watch, Some(refused)))
    }
}

/// What a capture is about.
struct Running<'a> {
    flags: &'a CaptureFlags,
    here: &'a Path,
    /// The root of the project.
    root: &'a Path,
    private: &'a Path,
    stop: &'a Stop,
}

/// The command of the test with its end, and the files that it needs.
struct Captured {
    seen: Seen,
    words: Vec<OsString>,
    /// The folder in which it runs, relative to the root.
    folder: PathBuf,
    ran: Ran,
    /// How the files were seen, and why in this way.
    by: String,
}

impl Running<'_> {
    fn run(
        &self,
        words: &[OsString],
        folder: &Path,
        path: Option<OsString>,
    ) -> Result<Ran, Problem> {
        command::run(words, folder, path, &self.private.join("output"), self.stop)
    }

    /// Runs the command under strace.
    fn traced(&self, trace: &Trace) -> Result<Captured, Problem> {
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
    fn compiled(
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
        let accesses = compile.accesses(self.private).map_err(cannot)?;
        let folder = compile.folder.strip_prefix(self.root).map_err(|_| {
            let what = format!(
                "the compile command runs in `{}`, which is not in the project",
                compile.folder.display()
            );
            Problem::new(Exit::Input, what).hint("`--root DIR` names the folder of the project")
        })?;
        let ran = self.run(
            &compile.again(&self.private.join("object")),
            &compile.folder,
            None,
        )?;
        let why = why
            .as_ref()
            .map_or(String::new(), |why| format!(" ({why})"));
        let captured = Captured {
            seen: self.seen(&accesses)?,
            words: compile.words(),
            folder: folder.to_owned(),
            ran,
            by: format!("by the depfile of the compile command{why}"),
        };
        Ok((captured, compile.clone()))
    }

    fn seen(&self, accesses: &[Access]) -> Result<Seen, Problem> {
        let own = [self.here.join(&self.flags.output)];
        let no_part: Vec<&str> = VERSION_CONTROL.into_iter().chain([FOLDER]).collect();
        let project = Project {
            root: self.root,
            without: &own,
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

    /// Makes one preprocessed file if the compiler fails on it in the same way. Returns whether it
    /// does, and says what was chosen and why.
    fn preprocess(
        &self,
        captured: &Captured,
        compile: &Compile,
        message: Option<&Message>,
        place: &Place,
    ) -> Result<bool, Problem> {
        let [source] = compile.sources()[..] else {
            say("the compile command has not exactly one source: the folder is made");
            return Ok(false);
        };
        let source = &compile.args[source];
        let mut name = Path::new(Path::new(source).file_name().unwrap_or(source)).to_owned();
        name.set_extension(preprocessed_ending(source).unwrap_or("i"));
        let output = self.private.join("preprocessed");
        for has_places in [false, true] {
            let words = compile.preprocessing(has_places, &output);
            let ran = self.run(&words, &compile.folder, None)?;
            if ran.end != nubbin_oracle::Exit::Code(0) {
                say("the preprocessor itself fails: the folder is made");
                return Ok(false);
            }
            let text = std::fs::read(&output).map_err(|error| no_place(&error))?;
            let unfinished = place.begin()?;
            let mode = mode_of(self.root).unwrap_or(0o700);
            unfinished.write(&name, &text, mode & 0o666 | 0o600)?;
            let words = compile.of_preprocessed(name.as_os_str());
            let draft = Draft {
                words: &words,
                place: None,
                ..captured.draft(self, message)
            };
            self.write(&unfinished, &draft, captured, &BTreeSet::new())?;
            let (file, test) = (
                unfinished.path().join(&name),
                unfinished.path().join("test.sh"),
            );
            match check(&file, &test, self.stop) {
                Ok(()) => {}
                Err(problem) if problem.exit() == Exit::NotFailing => continue,
                Err(problem) => return Err(problem),
            }
            let path = place.path().to_owned();
            place.conclude(unfinished)?;
            let flags = if has_places { "-E" } else { "-E -P" };
            say(&format!(
                "chosen: one preprocessed file (`{flags}`), since the compiler fails on it in the \
                 same way: `{}`, {}",
                path.join(&name).display(),
                HumanBytes(text.len() as u64)
            ));
            say(&format!(
                "the folder of {} was not made",
                count(captured.seen.files.len(), "file")
            ));
            tell_failure(&captured.ran, message, self.flags);
            say(&format!(
                "next: {}",
                next(&path.join(&name), &path.join("test.sh"))
            ));
            return Ok(true);
        }
        say(
            "the compiler does not fail in the same way on the preprocessed file: the folder is made",
        );
        Ok(false)
    }

    /// Writes the test, the output, and the list of files.
    fn write(
        &self,
        to: &Unfinished,
        draft: &Draft<'_>,
        captured: &Captured,
        leading_out: &BTreeSet<PathBuf>,
    ) -> Result<(), Problem> {
        let Some(script) = draft.script() else {
            return Err(Problem::new(Exit::Usage, "a word of the command has a NUL"));
        };
        let mode = mode_of(self.root).unwrap_or(0o700);
        to.write(Path::new("test.sh"), &script, mode & 0o777 | 0o700)?;
        let texts = [
            ("output.txt", &captured.ran.output),
            ("files.txt", &record(&captured.seen, leading_out)),
        ];
        for (name, text) in texts {
            to.write(Path::new(name), text, mode & 0o666 | 0o600)?;
        }
        Ok(())
    }
}

impl Captured {
    fn draft<'a>(&'a self, run: &'a Running<'_>, message: Option<&'a Message>) -> Draft<'a> {
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
    fn failure(&self) -> Run {
        Run {
            exit: self.ran.end,
            cut_short: None,
            has_stopped: false,
            is_matched: false,
            stdout: None,
            // Both streams, as they came.
            stderr: Some(self.ran.output.clone()),
            elapsed: Duration::ZERO,
            inputs: self.seen.files.iter().cloned().collect(),
            coverage: None,
            is_in_loop: false,
        }
    }
}

/// Returns the first compile command that failed, and says if there are others.
fn failing(compiles: &[Compile]) -> Result<&Compile, Problem> {
    let failed: Vec<&Compile> = compiles
        .iter()
        .filter(|compile| compile.code != 0)
        .collect();
    let Some(first) = failed.first() else {
        let what = match compiles.len() {
            0 => "no compiler in PATH was called".to_owned(),
            all => format!("none of {} failed", count(all, "compile command")),
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

/// Returns the folder of the project without links, in which the command runs.
fn root(flags: &CaptureFlags, here: &Path) -> Result<PathBuf, Problem> {
    let Some(root) = &flags.root else {
        return Ok(here.to_owned());
    };
    let real = root.canonicalize().map_err(|error| {
        Problem::new(Exit::Input, format!("cannot read `{}`", root.display())).because(&error)
    })?;
    if !here.starts_with(&real) {
        let what = format!("the command does not run below `{}`", root.display());
        return Err(Problem::new(Exit::Usage, what)
            .hint("go to a folder of the project, and give a root above it"));
    }
    Ok(real)
}

/// What was copied.
#[derive(Debug, Default)]
struct Copied {
    files: usize,
    bytes: u64,
    leading_out: BTreeSet<PathBuf>,
    /// The compilation databases that name the root of the project.
    databases: Vec<PathBuf>,
    /// The other files that do.
    naming: BTreeSet<PathBuf>,
}

impl Copied {
    /// Notes a file that names the root, by which a test reads the original.
    fn note(&mut self, file: &Path, root: &Path) {
        let path = root.join(file);
        let is_small = path.metadata().is_ok_and(|it| it.len() <= SEARCHED);
        let names_root = || std::fs::read(&path).is_ok_and(|text| names_folder(&text, root));
        if is_small && names_root() {
            match file.ends_with("compile_commands.json") {
                true => self.databases.push(file.to_owned()),
                false => {
                    self.naming.insert(file.to_owned());
                }
            }
        }
    }
}

/// Copies the files, links, and folders that the command uses to `src`.
fn copy(
    to: &Unfinished,
    root: &Path,
    seen: &Seen,
    follows_links: bool,
    stop: &Stop,
) -> Result<Copied, Problem> {
    let src = Path::new("src");
    let mut copied = Copied::default();
    to.make_folder(src, root)?;
    for folder in &seen.folders {
        to.make_folder(&src.join(folder), &root.join(folder))?;
    }
    for file in &seen.files {
        copied.bytes += to.copy(&src.join(file), &root.join(file), stop)?;
        copied.files += 1;
        copied.note(file, root);
    }
    for link in &seen.links {
        let original = root.join(link);
        let name = src.join(link);
        match target_within(&original, root) {
            Some(target) => {
                if let (Some(above), Some(folder)) = (name.parent(), original.parent()) {
                    to.make_folder(above, folder)?;
                }
                to.link(&name, &target)?;
            }
            None if follows_links && original.is_file() => {
                copied.bytes += to.copy(&name, &original, stop)?;
                copied.files += 1;
            }
            None => {
                copied.leading_out.insert(link.clone());
            }
        }
    }
    Ok(copied)
}

/// Returns the target of a link by a relative path, if it is in the project.
fn target_within(link: &Path, root: &Path) -> Option<PathBuf> {
    let target = std::fs::read_link(link).ok()?;
    let folder = link.parent()?.strip_prefix(root).ok()?;
    if target.is_relative() && stays_within(folder, &target) {
        // It may lead over another link, which is copied as well, or judged by itself.
        return Some(target);
    }
    let real = resolve(link)?.path;
    let within = real.strip_prefix(root).ok()?;
    let up = folder.components().map(|_| Component::ParentDir);
    Some(up.chain(within.components()).collect())
}

/// Returns whether a relative path from a folder leads nowhere above the root.
fn stays_within(folder: &Path, target: &Path) -> bool {
    let mut depth = folder.components().count();
    for part in target.components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::ParentDir if depth == 0 => return false,
            Component::ParentDir => depth -= 1,
            _ => {}
        }
    }
    true
}

/// The largest number of paths in a message.
const NAMED: usize = 3;

fn tell_files(captured: &Captured, copied: &Copied, flags: &CaptureFlags) {
    let seen = &captured.seen;
    say(&format!(
        "captured {} of the project ({}), {}; left out: {} of the system, {} elsewhere, {} \
         generated",
        count(copied.files, "file"),
        HumanBytes(copied.bytes),
        captured.by,
        HumanCount(seen.system.len() as u64),
        HumanCount(seen.elsewhere.len() as u64),
        HumanCount(seen.generated.len() as u64),
    ));
    let listed = flags.output.join("files.txt");
    say(&format!("`{}` lists them", listed.display()));
    if !seen.version_control.is_empty() {
        say(&format!("left out: {}", named(&seen.version_control)));
    }
    for (paths, what) in [
        (
            &seen.elsewhere,
            "the command reads files outside of the project, which the test reads there",
        ),
        (
            &copied.leading_out,
            "left out, since these links lead out of the project (`--follow-links` copies files)",
        ),
        (
            &copied.naming,
            "these files name the project by its absolute path, so a test that follows it reads the \
             original",
        ),
        (
            &seen.changed,
            "the command read and then changed these files: the copies have the new content",
        ),
        (
            &seen.removed,
            "the command read and then removed these files: they are missing",
        ),
    ] {
        if !paths.is_empty() {
            warn(&format!("{what}: {}", named(paths)));
        }
    }
}

fn tell_failure(ran: &Ran, message: Option<&Message>, flags: &CaptureFlags) {
    let shown = message.map_or(String::new(), |message| {
        format!(": `{}`", message.line().trim())
    });
    let output = flags.output.join("output.txt");
    say(&format!("the command ended with {}{shown}", ran.end));
    say(&format!("`{}` has its output", output.display()));
    if ran.end == nubbin_oracle::Exit::Code(0) {
        warn("the command did not fail: say in the test what is wrong");
    }
}

/// Runs the draft, and says whether it holds and what is next.
fn verify(folder: &Path, test: &Path, stop: &Stop) -> Result<Exit, Problem> {
    let next = next(folder, test);
    match check(folder, test, stop) {
        Ok(()) => {
            say("the test holds on a fresh copy of the captured files");
            say(&format!("next: {next}"));
            Ok(Exit::Done)
        }
        Err(problem) if problem.exit() == Exit::NotFailing => Err(problem
            .saying(format!(
                "the test `{}` does not hold on a fresh copy of the captured files",
                test.display()
            ))
            .hint(format!(
                "change the test or add what is missing to `{}`, then: {next}",
                folder.display()
            ))),
        Err(problem) => Err(problem),
    }
}

/// Returns the command that reduces the capture.
fn next(input: &Path, test: &Path) -> String {
    let (input, test) = (quoted(input.as_os_str()), quoted(test.as_os_str()));
    format!("nubbin reduce {input} --test {test}")
}

fn quoted(text: &OsStr) -> String {
    let text = text.to_string_lossy();
    shlex::try_quote(&text).map_or_else(|_| text.to_string(), |quoted| quoted.into_owned())
}

fn named(paths: &BTreeSet<PathBuf>) -> String {
    let some = paths.iter().take(NAMED);
    let some: Vec<String> = some.map(|path| format!("`{}`", path.display())).collect();
    let mut text = some.join(", ");
    if paths.len() > NAMED {
        text += &format!(" and {} more", paths.len() - NAMED);
    }
    text
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
