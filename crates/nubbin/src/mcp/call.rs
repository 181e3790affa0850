//! Command lines of this program, from the arguments of tools.

use super::arguments::{Budget, Capture, Check, Explain, Isolate, Reduce, Test};
use super::error::ToolError;
use super::roots::Roots;
use crate::flags::SandboxMode;
use clap::ValueEnum as _;
use nubbin_oracle::PrivateFolder;
use nubbin_session::files::default_output;
use nubbin_terminal::repeat::quoted;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The maximum number of tests of a check: enough for an empty input, and for a look at the speed.
const CHECK: u64 = 20;

/// The time limit of a check in seconds, for tests that do not end.
const CHECK_TIME: u32 = 120;

/// A run of this program.
#[derive(Debug)]
pub(super) struct Call {
    /// The name of the tool.
    pub(super) tool: &'static str,
    /// The folder that it starts in.
    pub(super) folder: PathBuf,
    /// The arguments of the program.
    pub(super) words: Vec<OsString>,
    /// The path of the best so far during the run.
    pub(super) result: Option<PathBuf>,
    /// The limit on its time.
    pub(super) most: Option<Duration>,
    /// The folder of a result that is not used. Removed with the job.
    pub(super) scratch: Option<PrivateFolder>,
}

impl Call {
    /// Returns a reduction that ends after few tests. Its result is discarded.
    pub(super) fn check(asked: &Check, roots: &Roots) -> Result<Self, ToolError> {
        let mut call = Call::new("check", "reduce", roots.folder(&asked.folder)?);
        let input = call.input(roots, &asked.input)?;
        let scratch = PrivateFolder::new(0)?;
        call.events();
        call.output(&scratch.path().join(name(&input)?));
        call.fixed(&asked.fixed);
        call.word(format!("--max-tests={CHECK}"));
        call.word(format!("--max-time={CHECK_TIME}"));
        call.scratch = Some(scratch);
        call.test(roots, &asked.test)
    }

    pub(super) fn reduce(asked: &Reduce, roots: &Roots) -> Result<Self, ToolError> {
        let mut call = Call::new("reduce", "reduce", roots.folder(&asked.folder)?);
        let input = call.input(roots, &asked.input)?;
        call.events();
        let result = match &asked.output {
            Some(output) => roots.path(&call.folder, output)?,
            None => {
                let beside = default_output(&input, input.is_dir());
                roots.path(&call.folder, &beside)?
            }
        };
        call.output(&result);
        call.result = Some(result);
        call.fixed(&asked.fixed);
        call.limits(&asked.budget)?;
        call.test(roots, &asked.test)
    }

    pub(super) fn explain(asked: &Explain, roots: &Roots) -> Result<Self, ToolError> {
        let mut call = Call::new("explain", "explain", roots.folder(&asked.folder)?);
        call.input(roots, &asked.input)?;
        call.word("--quiet");
        call.limits(&asked.budget)?;
        call.test(roots, &asked.test)
    }

    pub(super) fn isolate(asked: &Isolate, roots: &Roots) -> Result<Self, ToolError> {
        let mut call = Call::new("isolate", "isolate", roots.folder(&asked.folder)?);
        call.input(roots, &asked.passing)?;
        let failing = call.input(roots, &asked.failing)?;
        call.events();
        let output = match &asked.output {
            Some(output) => roots.path(&call.folder, output)?,
            None => {
                let beside = failing.parent().unwrap_or(Path::new("/"));
                roots.path(&call.folder, beside)?
            }
        };
        call.output(&output);
        call.limits(&asked.budget)?;
        call.test(roots, &asked.test)
    }

    pub(super) fn capture(asked: &Capture, roots: &Roots) -> Result<Self, ToolError> {
        let mut call = Call::new("capture", "capture", roots.folder(&asked.folder)?);
        let output = asked.output.as_deref().unwrap_or(Path::new("captured"));
        call.output(&roots.path(&call.folder, output)?);
        call.command(&asked.command)
    }

    /// Has the tests of the run in a sandbox, or not. A command that is captured is not a test.
    pub(super) fn confined(mut self, sandbox: SandboxMode) -> Self {
        let when = sandbox.to_possible_value();
        if let Some(when) = when.filter(|_| self.tool != "capture") {
            // The flag comes before the test, which may be a command after `--`.
            let word = format!("--sandbox={}", when.get_name());
            self.words.insert(1, word.into());
        }
        self
    }

    /// Begins a command line whose output is JSON.
    fn new(tool: &'static str, command: &str, folder: PathBuf) -> Self {
        Call {
            tool,
            folder,
            words: vec![command.into(), "--json".into()],
            result: None,
            most: None,
            scratch: None,
        }
    }

    fn word(&mut self, word: impl Into<OsString>) {
        self.words.push(word.into());
    }

    /// Adds an input, and returns its path.
    fn input(&mut self, roots: &Roots, path: &Path) -> Result<PathBuf, ToolError> {
        let path = roots.path(&self.folder, path)?;
        self.word(&path);
        Ok(path)
    }

    /// Adds the patterns of the files that the test gets as they are.
    fn fixed(&mut self, patterns: &[String]) {
        for pattern in patterns {
            self.word(format!("--fixed={pattern}"));
        }
    }

    fn output(&mut self, path: &Path) {
        self.word("--output");
        self.word(path);
    }

    /// Makes the run print its events before its result, for [`Progress`](super::job::Progress).
    fn events(&mut self) {
        self.word("--json-events=-");
    }

    fn limits(&mut self, budget: &Budget) -> Result<(), ToolError> {
        positive("budget.max_time", budget.max_time)?;
        self.word(format!("--max-time={}", budget.max_time));
        self.most = Duration::try_from_secs_f64(budget.max_time).ok();
        if budget.max_tests == Some(0) {
            return Err(ToolError::NoTests);
        }
        if let Some(tests) = budget.max_tests {
            self.word(format!("--max-tests={tests}"));
        }
        Ok(())
    }

    /// Adds the test at the end of the command line, and returns the call.
    fn test(mut self, roots: &Roots, test: &Test) -> Result<Self, ToolError> {
        // A value is attached with `=`, so that it is never parsed as another flag.
        let conditions = [
            ("exit", &test.exit),
            ("signal", &test.signal),
            ("stdout", &test.stdout),
            ("stderr", &test.stderr),
            ("not-stderr", &test.not_stderr),
        ];
        for (flag, value) in conditions {
            if let Some(value) = value {
                self.word(format!("--{flag}={value}"));
            }
        }
        if let Some(seconds) = test.timeout {
            positive("test.timeout", seconds)?;
            self.word(format!("--timeout={seconds}"));
        }
        for (flag, is_given) in [("same-failure", test.same_failure), ("stdin", test.stdin)] {
            if is_given {
                self.word(format!("--{flag}"));
            }
        }
        for path in &test.with {
            roots.path(&self.folder, path)?;
            self.word("--with");
            // A relative path also names the copy next to the candidate.
            self.word(Path::new(".").join(path));
        }
        match (&test.script, &test.command[..]) {
            (Some(script), []) => {
                let script = roots.path(&self.folder, script)?;
                self.word("--test");
                self.word(script);
                Ok(self)
            }
            (None, [_, ..]) => self.command(&test.command),
            (None, []) => Err(ToolError::NoTest),
            (Some(_), _) => Err(ToolError::TwoTests),
        }
    }

    /// Adds a command at the end of the command line, and returns the call.
    fn command(mut self, command: &[String]) -> Result<Self, ToolError> {
        if command.is_empty() {
            return Err(ToolError::NoCommand);
        }
        if let Some(word) = of_shell(command) {
            let word = word.to_owned();
            let line = line_of(command);
            return Err(ToolError::OfShell { word, line });
        }
        self.word("--");
        self.words.extend(command.iter().map(OsString::from));
        Ok(self)
    }
}

/// Words that only a shell understands, as no program has them as arguments.
const OF_SHELL: [&str; 9] = [
    "|",
    "||",
    "&&",
    "2>&1",
    "2>",
    "&>",
    ">/dev/null",
    "2>/dev/null",
    "&>/dev/null",
];

/// Words that a shell understands, and that some programs have as arguments.
const OF_SHELL_AND_OTHERS: [&str; 3] = [">", ">>", "<"];

/// Programs that compare their arguments.
const COMPARING: [&str; 3] = ["[", "expr", "test"];

/// Returns the first word of a command that only a shell understands.
fn of_shell(command: &[String]) -> Option<&str> {
    let program = Path::new(command.first()?).file_name()?.to_str()?;
    let compares = COMPARING.contains(&program);
    let is_of_shell = |word: &&String| {
        OF_SHELL.contains(&word.as_str())
            || !compares && OF_SHELL_AND_OTHERS.contains(&word.as_str())
    };
    command.iter().find(is_of_shell).map(String::as_str)
}

/// Returns a command as a line of a shell, in which the words of the shell keep their meaning.
fn line_of(command: &[String]) -> String {
    let words = command.iter().map(|word| {
        let word = word.as_str();
        let is_of_shell = OF_SHELL.contains(&word) || OF_SHELL_AND_OTHERS.contains(&word);
        match is_of_shell || word == "{}" {
            true => word.to_owned(),
            false => quoted(OsStr::new(word)),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the name of an input. A root of the file system has none.
fn name(input: &Path) -> Result<PathBuf, ToolError> {
    let name = input.file_name().map(PathBuf::from);
    name.ok_or_else(|| ToolError::Unreadable {
        path: input.to_owned(),
        source: io::ErrorKind::IsADirectory.into(),
    })
}

/// The longest time that an argument may name, in seconds: a year.
const LONGEST: f64 = 365.0 * 24.0 * 3600.0;

/// Refuses a time that no search or test can have.
fn positive(name: &'static str, value: f64) -> Result<(), ToolError> {
    match value > 0.0 && value <= LONGEST {
        true => Ok(()),
        false => Err(ToolError::Time { name, value }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};
    use tempfile::TempDir;

    /// Returns a folder with files of these names, and the roots that contain them.
    fn stage(names: &[&str]) -> (TempDir, Roots) {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let roots = Roots::of(&[folder.path().canonicalize().unwrap()]);
        (folder, roots)
    }

    fn asked<T: DeserializeOwned>(folder: &TempDir, mut arguments: Value) -> T {
        arguments["folder"] = json!(folder.path().canonicalize().unwrap());
        serde_json::from_value(arguments).unwrap()
    }

    /// Returns the words of a call, with the folder left out.
    fn words(call: &Call) -> String {
        let words: Vec<_> = call
            .words
            .iter()
            .map(|word| word.to_str().unwrap())
            .collect();
        words
            .join(" ")
            .replace(&format!("{}/", call.folder.display()), "")
    }

    #[test]
    fn a_reduction_has_its_limits_its_conditions_and_its_command() {
        let (folder, roots) = stage(&["in.c", "app.py"]);
        let asked = asked(
            &folder,
            json!({
                "input": "in.c",
                "budget": { "max_time": 5, "max_tests": 7 },
                "test": {
                    "command": ["gcc", "-c", "{}"], "exit": "1", "stderr": "--help",
                    "with": ["app.py"], "same_failure": true,
                },
            }),
        );
        let call = Call::reduce(&asked, &roots).unwrap();
        assert_eq!(
            words(&call),
            "reduce --json in.c --json-events=- --output in.min.c --max-time=5 --max-tests=7 \
             --exit=1 --stderr=--help --same-failure --with ./app.py -- gcc -c {}"
        );
        assert_eq!(call.result, Some(call.folder.join("in.min.c")));
        assert_eq!(call.most, Some(Duration::from_secs(5)));
    }

    #[test]
    fn a_check_writes_no_result_beside_the_input() {
        let (folder, roots) = stage(&["in.c", "test.sh"]);
        let asked = asked(
            &folder,
            json!({ "input": "in.c", "test": { "script": "test.sh" } }),
        );
        let call = Call::check(&asked, &roots).unwrap();
        let scratch = call.scratch.as_ref().unwrap().path();
        let words = words(&call).replace(&format!("{}/", scratch.display()), "SCRATCH/");
        assert_eq!(
            words,
            "reduce --json in.c --json-events=- --output SCRATCH/in.c --max-tests=20 --max-time=120 --test test.sh"
        );
    }

    #[test]
    fn every_path_of_a_call_is_in_a_root() {
        let (folder, roots) = stage(&["in.c", "test.sh"]);
        let with = |key: &str, path: &str| {
            let mut arguments = json!({ "input": "in.c", "test": { "script": "test.sh" } });
            match key {
                "input" | "output" => arguments[key] = json!(path),
                "with" => arguments["test"][key] = json!([path]),
                _ => arguments["test"][key] = json!(path),
            }
            Call::reduce(&asked(&folder, arguments), &roots)
        };
        assert!(with("output", "out.c").is_ok());
        for key in ["input", "output", "script", "with"] {
            let error = with(key, "/etc/passwd").unwrap_err();
            assert!(matches!(error, ToolError::Outside { .. }), "{key}: {error}");
        }
    }

    #[test]
    fn a_test_is_a_script_or_a_command() {
        let (folder, roots) = stage(&["in.c", "test.sh"]);
        let call = |test: Value| {
            let arguments = json!({ "input": "in.c", "test": test });
            Call::explain(&asked(&folder, arguments), &roots)
        };
        assert!(matches!(call(json!({})), Err(ToolError::NoTest)));
        let both = json!({ "script": "test.sh", "command": ["true"] });
        assert!(matches!(call(both), Err(ToolError::TwoTests)));
        let capture = asked(&folder, json!({ "command": [] }));
        let error = Call::capture(&capture, &roots).unwrap_err();
        assert!(matches!(error, ToolError::NoCommand), "{error}");
    }

    #[test]
    fn files_of_the_program_are_patterns_of_their_own() {
        let (folder, roots) = stage(&["in.c", "test.sh"]);
        let asked = asked(
            &folder,
            json!({ "input": "in.c", "test": { "script": "test.sh" }, "fixed": ["a.py", "-x"] }),
        );
        let words = words(&Call::reduce(&asked, &roots).unwrap());
        assert!(words.contains(" --fixed=a.py --fixed=-x "), "{words}");
    }

    #[test]
    fn a_search_without_tests_and_words_of_a_shell_are_refused() {
        let (folder, roots) = stage(&["in.c"]);
        let call = |test: &[&str], tests: u64| {
            let arguments = json!({
                "input": "in.c", "test": { "command": test }, "budget": { "max_tests": tests },
            });
            Call::reduce(&asked(&folder, arguments), &roots)
        };
        assert!(matches!(call(&["true"], 0), Err(ToolError::NoTests)));
        for (words, line) in [
            (
                &["cat", "{}", "|", "grep", "a b"][..],
                "cat {} | grep 'a b'",
            ),
            (&["app", "{}", "2>&1"], "app {} 2>&1"),
            (&["app", "<", "{}"], "app < {}"),
        ] {
            let error = call(words, 1).unwrap_err();
            assert!(
                error.hint().unwrap().contains(&format!("{line:?}")),
                "{error}"
            );
        }
        for words in [
            &["test", "1", "<", "2"][..],
            &["sh", "-c", "a | b"],
            &["a", "x|y"],
        ] {
            assert!(call(words, 1).is_ok(), "{words:?}");
        }
    }

    #[test]
    fn arguments_of_other_names_are_refused() {
        for arguments in [
            json!({ "folder": "/", "input": "a", "test": {}, "max_tests": 1 }),
            json!({ "folder": "/", "input": "a", "test": { "stder": "a" } }),
            json!({ "folder": "/", "input": "a", "test": {}, "budget": { "tests": 1 } }),
        ] {
            let read: Result<Reduce, _> = serde_json::from_value(arguments.clone());
            assert!(read.is_err(), "{arguments}");
        }
    }
}
