//! `clang_delta` and `clang-format`: proposers for C and C++ that run a tool on one text at a time.

use super::parking::Parking;
use super::setting::{Setting, language_of};
use crate::exit::Exit;
use crate::problem::Problem;
use nubbin_oracle::{CommandOracle, Exit as Ended, Options, Run, TestCommand};
use nubbin_reduce::edit::{Edit, between};
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::{File, Input};
use nubbin_reduce::pass::{Answer, Changes, Proposer};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The longest text for the tools, in bytes. The tools are slow on longer texts, and the passes
/// reduce those in fewer tests.
const LONGEST: usize = 32 << 10;

/// The folders of `clang_delta` in common packages, which do not install it in `PATH`.
const FOLDERS: [&str; 5] = [
    "/usr/lib/cvise",
    "/usr/libexec/cvise",
    "/usr/local/libexec/cvise",
    "/usr/libexec",
    "/usr/local/libexec",
];

/// The transformations of `clang_delta` that can make a text shorter. Transformations that only
/// rename or move code are left out.
const TRANSFORMATIONS: [&str; 54] = [
    "remove-unused-function",
    "replace-function-def-with-decl",
    "remove-namespace",
    "remove-unused-outer-class",
    "simplify-nested-class",
    "class-template-to-class",
    "reduce-class-template-param",
    "instantiate-template-type-param-to-int",
    "instantiate-template-param",
    "template-arg-to-int",
    "template-non-type-arg-to-int",
    "remove-trivial-base-template",
    "replace-class-with-base-template-spec",
    "simplify-recursive-template-instantiation",
    "remove-base-class",
    "remove-unresolved-base",
    "merge-base-class",
    "replace-derived-class",
    "move-definition-to-declaration",
    "remove-nested-function",
    "simple-inliner",
    "return-void",
    "callexpr-to-value",
    "replace-callexpr",
    "simplify-callexpr",
    "simplify-comma-expr",
    "simplify-if",
    "remove-try-catch",
    "remove-ctor-initializer",
    "lift-assignment-expr",
    "copy-propagation",
    "binop-simplification",
    "remove-unused-var",
    "remove-unused-field",
    "remove-unused-enum-member",
    "remove-enum-member-value",
    "remove-addr-taken",
    "remove-pointer",
    "reduce-pointer-level",
    "reduce-pointer-pairs",
    "remove-array",
    "reduce-array-dim",
    "reduce-array-size",
    "vector-to-array",
    "aggregate-to-scalar",
    "union-to-struct",
    "empty-struct-to-int",
    "simplify-struct",
    "simplify-struct-union-decl",
    "replace-simple-typedef",
    "replace-dependent-typedef",
    "replace-one-level-typedef-type",
    "replace-dependent-name",
    "unify-function-decl",
];

/// The largest number of instances of one transformation.
const INSTANCES: u32 = 64;

/// A style with which clang-format removes braces, semicolons, and parentheses that it considers
/// redundant, and most white space.
const STYLE: &str = "{BasedOnStyle: LLVM, ColumnLimit: 0, IndentWidth: 0, ContinuationIndentWidth: 0, \
    AccessModifierOffset: 0, NamespaceIndentation: None, MaxEmptyLinesToKeep: 0, \
    SpaceBeforeParens: Never, SpaceBeforeAssignmentOperators: false, \
    SpacesBeforeTrailingComments: 1, PointerAlignment: Left, RemoveBracesLLVM: true, \
    SortIncludes: Never, FixNamespaceComments: false, SpaceAfterTemplateKeyword: false, \
    AllowShortFunctionsOnASingleLine: All, AllowShortBlocksOnASingleLine: Always}";

/// A tool that runs on a text, many times.
struct Tool {
    runner: CommandOracle,
    program: PathBuf,
    patience: Duration,
    language: Option<String>,
    stop: Stop,
    parking: Arc<Parking>,
}

/// The reason for a missing result.
enum Nothing {
    /// The run was asked to stop.
    Stopped,
    Trouble(String),
}

impl Tool {
    fn new(
        program: PathBuf,
        setting: &Setting<'_>,
        parking: Arc<Parking>,
    ) -> Result<Self, Problem> {
        let unusable = |error: &(dyn std::error::Error + 'static)| {
            let what = format!("`{}` cannot be run", program.display());
            Problem::new(Exit::Usage, what).because(error)
        };
        let names = setting.input.present().map(|file| file.name.to_path_buf());
        let command = command(&program, []).map_err(|error| unusable(&error))?;
        let mut options = Options::new(command, names.collect());
        options.jobs = setting.jobs;
        options.sandbox = setting.sandbox.clone();
        options.timeout = Some(setting.args.proposer_timeout);
        let runner = CommandOracle::new(options).map_err(|error| unusable(&error))?;
        Ok(Tool {
            runner,
            program,
            patience: setting.args.proposer_timeout,
            language: setting.language.map(str::to_owned),
            stop: setting.stop.clone(),
            parking,
        })
    }

    /// Returns whether the tool applies to the given text.
    fn is_for(&self, file: &File<'_>) -> bool {
        let language = language_of(self.language.as_deref(), file);
        matches!(language, Some("c" | "cpp"))
            && file.text.len() <= LONGEST
            && !self.parking.is_parked()
            && !self.stop.is_requested()
    }

    fn is_cpp(&self, file: &File<'_>) -> bool {
        language_of(self.language.as_deref(), file) == Some("cpp")
    }

    fn run<const N: usize>(
        &self,
        args: [&str; N],
        file: &File<'_>,
        input: &Input,
        slot: usize,
    ) -> Result<Run, Nothing> {
        let name = file.name.as_os_str().to_os_string();
        let args = args
            .into_iter()
            .filter(|arg| !arg.is_empty())
            .map(OsString::from);
        let broken = |error: &(dyn std::error::Error + 'static)| {
            let cause = error
                .source()
                .map_or_else(String::new, |cause| format!(": {cause}"));
            Nothing::Trouble(format!("{error}{cause}"))
        };
        let command = command(&self.program, args.chain([name])).map_err(|error| broken(&error))?;
        let token = self.stop.token();
        let run = input
            .with_candidate(|candidate| self.runner.observe_other(&command, candidate, slot, token))
            .map_err(|error| broken(&error))?;
        match &run.cut_short {
            _ if self.stop.is_requested() => Err(Nothing::Stopped),
            Some(reason) => Err(Nothing::Trouble(reason.to_string())),
            None => Ok(run),
        }
    }

    /// Disables the tool if it broke.
    fn settle(&self, found: Result<Vec<Edit>, Nothing>) -> Vec<Edit> {
        found.unwrap_or_else(|nothing| {
            if let Nothing::Trouble(why) = nothing {
                self.parking.park(why);
            }
            vec![]
        })
    }
}

fn command(
    program: &Path,
    args: impl IntoIterator<Item = OsString>,
) -> Result<TestCommand, nubbin_oracle::CommandError> {
    let words = std::iter::once(program.as_os_str().to_os_string()).chain(args);
    TestCommand::new(words.collect(), Path::new("/"))
}

/// Finds a program in a folder of `PATH` or in one of the given folders.
fn find(name: &str, folders: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::env::split_paths(&path).chain(folders.iter().map(PathBuf::from));
    all.map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

fn missing(name: &str, hint: &str) -> Problem {
    Problem::new(Exit::Usage, format!("`{name}` is not installed")).hint(hint)
}

/// The proposer `clang_delta`. Each instance of each transformation is one candidate.
pub(super) struct ClangDelta {
    tool: Tool,
    jobs: usize,
}

impl ClangDelta {
    pub(super) fn new(setting: &Setting<'_>, parking: Arc<Parking>) -> Result<Self, Problem> {
        let program = find("clang_delta", &FOLDERS).ok_or_else(|| {
            missing(
                "clang_delta",
                "it comes with C-Vise: `apt-get install cvise`, or put its folder into PATH",
            )
        })?;
        Ok(ClangDelta {
            tool: Tool::new(program, setting, parking)?,
            jobs: setting.jobs,
        })
    }

    /// Returns a candidate for each instance of one transformation.
    fn instances(
        &self,
        transformation: &str,
        file: &File<'_>,
        input: &Input,
        slot: usize,
        until: Instant,
    ) -> Result<Vec<Edit>, Nothing> {
        let mut edits = vec![];
        let transformation = format!("--transformation={transformation}");
        let standard = if self.tool.is_cpp(file) {
            "--std=c++20"
        } else {
            ""
        };
        for counter in 1..=INSTANCES {
            if Instant::now() > until {
                let why = format!(
                    "the list of candidates was not complete after {:?}",
                    self.tool.patience
                );
                return Err(Nothing::Trouble(why));
            }
            let counter = format!("--counter={counter}");
            let args = [transformation.as_str(), counter.as_str(), standard];
            let run = self.tool.run(args, file, input, slot)?;
            // The transformation has no more instances, or the tool crashed, as it does on some
            // texts.
            if run.exit != Ended::Code(0) {
                break;
            }
            let edit = between(file.text, run.stdout());
            if !edit.is_none() && edit.growth() <= 0 {
                edits.push(edit);
            }
        }
        Ok(edits)
    }
}

impl Proposer for ClangDelta {
    fn propose(&self, file: &File<'_>, input: &Input, _: &[Answer]) -> Changes {
        Box::new(self.list(file, input).into_iter())
    }
}

impl ClangDelta {
    fn list(&self, file: &File<'_>, input: &Input) -> Vec<Edit> {
        if !self.tool.is_for(file) {
            return vec![];
        }
        let until = Instant::now() + self.tool.patience;
        let next = AtomicUsize::new(0);
        let found = Mutex::new(vec![]);
        // No test is running, so the tool may use the resources of the tests.
        std::thread::scope(|scope| {
            for slot in 0..self.jobs {
                let (next, found) = (&next, &found);
                scope.spawn(move || {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(transformation) = TRANSFORMATIONS.get(at) else {
                            return;
                        };
                        let edits = self.instances(transformation, file, input, slot, until);
                        let is_over = edits.is_err();
                        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                        found.push((at, edits));
                        if is_over {
                            next.store(TRANSFORMATIONS.len(), Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|(at, _)| *at);
        let all: Result<Vec<Vec<Edit>>, Nothing> =
            found.into_iter().map(|(_, edits)| edits).collect();
        let mut edits: Vec<Edit> = vec![];
        for edit in self.tool.settle(all.map(|all| all.concat())) {
            // Several transformations can produce the same text.
            if !edits.contains(&edit) {
                edits.push(edit);
            }
        }
        edits
    }
}

/// The proposer `clang-format`. Each removed span is one candidate.
pub(super) struct ClangFormat {
    tool: Tool,
}

impl ClangFormat {
    pub(super) fn new(setting: &Setting<'_>, parking: Arc<Parking>) -> Result<Self, Problem> {
        let program = find("clang-format", &[]).ok_or_else(|| {
            missing(
                "clang-format",
                "install it with `apt-get install clang-format`",
            )
        })?;
        let tool = Tool::new(program, setting, parking)?;
        Ok(ClangFormat { tool })
    }
}

impl Proposer for ClangFormat {
    fn propose(&self, file: &File<'_>, input: &Input, _: &[Answer]) -> Changes {
        Box::new(self.list(file, input).into_iter())
    }
}

impl ClangFormat {
    fn list(&self, file: &File<'_>, input: &Input) -> Vec<Edit> {
        if !self.tool.is_for(file) {
            return vec![];
        }
        let style = format!("--style={STYLE}");
        let run = self
            .tool
            .run([style.as_str()], file, input, 0)
            .and_then(|run| match run.exit {
                Ended::Code(0) => Ok(run),
                exit => {
                    let wrote = String::from_utf8_lossy(run.stderr());
                    let wrote: String = wrote
                        .lines()
                        .take(2)
                        .map(|line| format!("\n  it wrote: {line}"))
                        .collect();
                    Err(Nothing::Trouble(format!("it ended with {exit}{wrote}")))
                }
            });
        let edits = run.map(|run| {
            let all = between(file.text, run.stdout());
            let places = all
                .splices()
                .iter()
                .filter(|splice| splice.text().len() <= splice.span.len() as usize);
            places
                .map(|splice| Edit::replace(splice.span, splice.text()))
                .collect()
        });
        self.tool.settle(edits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_looked_for_in_the_path_and_in_these_folders() {
        assert!(find("sh", &[]).is_some());
        assert_eq!(find("no-such-program", &FOLDERS), None);
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("tool"), "").unwrap();
        let folders = [folder.path().to_str().unwrap()];
        assert_eq!(find("tool", &folders), Some(folder.path().join("tool")));
    }

    #[test]
    fn no_transformation_is_listed_twice() {
        let mut sorted = TRANSFORMATIONS.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), TRANSFORMATIONS.len());
    }
}
