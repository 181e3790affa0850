//! Words in the command of a test that name nothing: the place of the input in the form of another
//! tool, and misspelled scripts. Each candidate would fail because of them.

use crate::exit::Exit;
use crate::near;
use crate::problem::Problem;
use crate::repeat::{InputPlace, command_with, command_with_input, command_with_word};
use crate::with_flags::with_flags;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Forms in which other tools and manuals write the place of the input, as whole words.
const PLACES: [&str; 34] = [
    "$1",
    "$@",
    "$FILE",
    "$INPUT",
    "$f",
    "$file",
    "$input",
    "${FILE}",
    "${INPUT}",
    "${file}",
    "${input}",
    "%",
    "%f",
    "%s",
    "()",
    "<FILE>",
    "<INPUT>",
    "<file>",
    "<input>",
    "@",
    "@@@",
    "FILE",
    "FILENAME",
    "INPUT",
    "INPUT_FILE",
    "[]",
    "[FILE]",
    "[INPUT]",
    "[file]",
    "[input]",
    "{ }",
    "{{}}",
    "{0}",
    "{1}",
];

/// Words in braces that stand for the input in other tools, also within a word.
const IN_BRACES: [&str; 14] = [
    "{FILE}",
    "{FILENAME}",
    "{INPUT}",
    "{PATH}",
    "{candidate}",
    "{file}",
    "{filename}",
    "{in}",
    "{infile}",
    "{input}",
    "{input_file}",
    "{path}",
    "{test}",
    "{testcase}",
];

/// The command of a test, and the files that it can use.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    pub command: &'a [OsString],
    pub has_stdin: bool,
    /// The inputs, or the folder of them.
    pub inputs: &'a [PathBuf],
    /// The paths given by `--with`.
    pub with: &'a [PathBuf],
    /// The folder in whose copy the test starts.
    pub start: Option<&'a Path>,
}

impl Words<'_> {
    /// Returns an error if a word is the place of the input in another form, or a script that does
    /// not exist.
    pub fn require(self) -> Result<(), Problem> {
        match self.other_place().or_else(|| self.missing_script()) {
            Some(problem) => Err(problem),
            None => Ok(()),
        }
    }

    /// Returns an error if no word stands for the file that is tested.
    pub fn require_place(self) -> Result<(), Problem> {
        if self.has_stdin || self.has_place() {
            return Ok(());
        }
        let lines = [
            command_with_input("", InputPlace::Last),
            Some(command_with("--stdin")),
        ];
        let lines: Vec<String> = (lines.into_iter().flatten())
            .map(|line| format!("`{line}`"))
            .collect();
        let what = "the command does not say where the file that is tested belongs";
        Err(Problem::new(Exit::Usage, what).hint(format!(
            "`{{}}` stands for its path, and `--stdin` gives the program its contents: {}",
            lines.join(" or ")
        )))
    }

    fn has_place(self) -> bool {
        self.command.iter().any(|word| {
            let word = word.to_string_lossy();
            let plain = word.replace("{{}}", "");
            plain.contains("{}") || word == "@@" || word.ends_with("=@@")
        })
    }

    /// Returns whether a word contains the name of an input.
    fn names_input(self) -> bool {
        let names = self.inputs.iter().filter_map(|input| input.file_name());
        let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
        let has_name = |word: &OsString| {
            let word = word.to_string_lossy();
            names.iter().any(|name| word.contains(&**name))
        };
        self.command.iter().skip(1).any(has_name)
    }

    /// Returns the problem of the place of the input in the form of another tool.
    fn other_place(self) -> Option<Problem> {
        if self.has_stdin || self.has_place() || self.names_input() {
            return None;
        }
        let words = self.command.iter().skip(1).filter_map(|word| word.to_str());
        let found = words.filter(|word| !Path::new(word).exists());
        let (word, place) = found.into_iter().find_map(|word| {
            let is_whole = PLACES.contains(&word);
            let within = || {
                IN_BRACES
                    .iter()
                    .find(|place| word.contains(**place))
                    .copied()
            };
            Some((word, if is_whole { word } else { within()? }))
        })?;
        let what = format!("the test names a file `{place}`, which does not exist");
        let problem = Problem::new(Exit::Usage, what);
        let line = command_with_word(word, &word.replace(place, "{}"), "");
        Some(match line {
            Some(line) => problem.hint(format!(
                "`{{}}` stands for the path of the file that is tested: `{line}`"
            )),
            None => problem.hint("`{}` stands for the path of the file that is tested"),
        })
    }

    /// Returns the problem of an interpreter whose script does not exist.
    fn missing_script(self) -> Option<Problem> {
        let word = script_of(self.command)?;
        let script = Path::new(word);
        if self.finds(script) {
            return None;
        }
        let problem = Problem::new(Exit::Usage, format!("`{word}` does not exist"));
        let within = (self.inputs.iter())
            .filter(|input| input.is_dir())
            .map(|folder| folder.join(script));
        if let Some(path) = within.clone().find(|path| path.is_file()) {
            let path = path.display().to_string();
            let line = command_with_word(word, &path, "")?;
            return Some(problem.hint(format!(
                "the test starts in a folder that contains the input: `{line}`; with `--inside`, \
                 it starts in the input: `{}`",
                command_with("--inside")
            )));
        }
        let near = near::neighbor(script)
            .or_else(|| within.into_iter().find_map(|it| near::neighbor(&it)));
        Some(match near {
            Some(near) => {
                let flags = self.flags_for(&near);
                let near = near.display().to_string();
                let line = command_with_word(word, &near, &flags)?;
                problem.hint(format!("did you mean `{near}`? `{line}`"))
            }
            None => {
                problem.hint("paths in the command of a test are relative to the current folder")
            }
        })
    }

    /// Returns the flag that gives a file to the test, if nothing else does.
    fn flags_for(self, file: &Path) -> String {
        let is_input = |input: &PathBuf| file.starts_with(input);
        let is_given = self.with.iter().any(|given| file.starts_with(given));
        match is_given || self.inputs.iter().any(is_input) || self.start.is_some() {
            true => String::new(),
            false => with_flags(&[file.to_owned()], Path::new(".")),
        }
    }

    /// Returns whether a test may find a file.
    fn finds(self, file: &Path) -> bool {
        if file.exists() || self.start.is_some_and(|start| start.join(file).exists()) {
            return true;
        }
        let has_name =
            |path: &PathBuf| path.ends_with(file) || path.file_name() == file.file_name();
        let beside = |input: &PathBuf| input.parent().is_some_and(|it| it.join(file).exists());
        let below = |given: &PathBuf| {
            given.is_dir()
                && given.file_name().is_some_and(|name| {
                    let rest = file.strip_prefix(name);
                    rest.is_ok_and(|rest| given.join(rest).exists())
                })
        };
        self.with
            .iter()
            .any(|given| has_name(given) || below(given))
            || self
                .inputs
                .iter()
                .any(|input| has_name(input) || beside(input) || below(input))
    }
}

/// Returns the script that an interpreter runs, if it has the name of a script.
fn script_of(command: &[OsString]) -> Option<&str> {
    let words = command.iter().map_while(|word| word.to_str());
    nubbin_oracle::script_of(words.take_while(|word| !word.contains("{}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        shlex::split(line)
            .unwrap()
            .into_iter()
            .map(OsString::from)
            .collect()
    }

    fn refused(line: &str, inputs: &[&str]) -> Option<String> {
        let command = words(line);
        let inputs: Vec<PathBuf> = inputs.iter().map(PathBuf::from).collect();
        let words = Words {
            command: &command,
            has_stdin: false,
            inputs: &inputs,
            with: &["/x/given.py".into()],
            start: None,
        };
        words
            .require()
            .err()
            .map(|problem| problem.what().to_owned())
    }

    #[test]
    fn a_place_of_another_tool_is_refused_where_nothing_names_the_input() {
        for place in PLACES.iter().chain(&IN_BRACES) {
            let said = refused(&format!("prog -x '{place}'"), &["in.c"]);
            assert_eq!(
                said,
                Some(format!(
                    "the test names a file `{place}`, which does not exist"
                ))
            );
            assert_eq!(refused(&format!("grep '{place}' in.c"), &["d/in.c"]), None);
            assert_eq!(refused(&format!("grep '{place}' {{}}"), &["in.c"]), None);
        }
        let said = refused("sh -c 'prog --in={file}'", &["in.c"]);
        assert_eq!(
            said.as_deref(),
            Some("the test names a file `{file}`, which does not exist")
        );
    }

    #[test]
    fn the_script_of_an_interpreter_exists() {
        for line in [
            "python3 none.py {}",
            "python3.11 -W ignore -u none.py",
            "node none.mjs",
            "bash none.sh",
        ] {
            let said = refused(line, &["in.c"]).unwrap_or_default();
            assert!(
                said.starts_with("`none.") && said.contains("` does not exist"),
                "{line}: {said}"
            );
        }
        for line in [
            "python3 given.py",
            "python3 -m none.py",
            "python3 -c none.py",
            "python3 none {}",
            "prog none.py",
            "python3 in.py",
            "python3 Cargo.toml",
        ] {
            assert_eq!(refused(line, &["in.py"]), None, "{line}");
        }
    }
}
