//! `--reduce-args` and `--reduce-env`: arguments and variables of the test as files of the input.

use crate::exit::Exit;
use crate::problem::Problem;
use crate::settings::ReduceSettings;
use nubbin_oracle::{Environment, Parameters, TestCommand, VariableList};
use nubbin_reduce::auto;
use nubbin_reduce::input::{File, Input};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The beginning of a span of the command that is reduced.
const MARK: &[u8] = b"{args:";
/// The name of the file with the variables.
const VARIABLES: &str = "{env}";

/// The parameters of a test that are reduced, as files of the input.
#[derive(Clone, Debug, Default)]
pub struct ParameterFiles {
    /// The name and the text of each file that is added to the input.
    added: Vec<(String, Vec<u8>)>,
    /// The parameters of the oracle.
    pub test: Parameters,
    /// The inputs that are response files, by their numbers on the command line.
    response_files: Vec<usize>,
    /// The number of files of the input that are files of the test.
    own: usize,
}

impl ParameterFiles {
    /// Removes the marks of parameters from the command and the inputs of a command line.
    /// `variables` has the variables that the test gets.
    pub fn take(
        flags: &mut ReduceSettings,
        variables: Option<&Environment>,
    ) -> Result<Self, Problem> {
        let mut found = ParameterFiles {
            response_files: response_files(flags),
            ..ParameterFiles::default()
        };
        let is_marked = flags.test.command.iter().any(|word| starts(word));
        match (flags.reduce_args, is_marked) {
            (true, _) => {
                found.take_marks(flags.test.command.iter_mut().skip(1))?;
                found.take_marks_of_line(&mut flags.test.run.build)?;
                found.take_marks_of_line(&mut flags.test.failure.differs_from)?;
            }
            (false, true) => {
                let what = "the command has a marked span `{args: …}`, and nothing reduces it";
                return Err(Problem::new(Exit::Usage, what)
                    .hint("`--reduce-args` reduces the arguments in it"));
            }
            (false, false) => {}
        }
        let has_none = found.added.is_empty() && found.response_files.is_empty();
        if flags.reduce_args && has_none {
            return Err(no_mark(flags));
        }
        if let Some(variables) = variables {
            found.add_variables(variables);
        }
        Ok(found)
    }

    /// Removes the marks of parameters from a line for the shell.
    fn take_marks_of_line(&mut self, line: &mut Option<String>) -> Result<(), Problem> {
        if let Some(line) = line {
            let mut word = OsString::from(&*line);
            self.take_marks([&mut word])?;
            *line = word.to_string_lossy().into_owned();
        }
        Ok(())
    }

    fn take_marks<'a>(
        &mut self,
        words: impl IntoIterator<Item = &'a mut OsString>,
    ) -> Result<(), Problem> {
        for word in words {
            while let Some(mark) = next_mark(word)? {
                let text = &word.as_encoded_bytes()[mark.text.0..mark.text.1];
                let Some(words) = Parameters::words(text).filter(|words| !words.is_empty()) else {
                    let what = format!("cannot read the arguments in `{}`", word.display());
                    return Err(Problem::new(Exit::Usage, what).hint(
                        "arguments are written as in a shell: `'{args: -O2 -DNAME=\"a b\"}'`",
                    ));
                };
                let name = match self.added.len() {
                    0 => "{args}".to_owned(),
                    others => format!("{{args{}}}", others + 1),
                };
                let Some(text) = Parameters::text(&words) else {
                    let what = "an argument with a line break cannot be reduced";
                    return Err(
                        Problem::new(Exit::Usage, what).hint("leave it outside of `{args: …}`")
                    );
                };
                *word = mark.replaced_by(&name, word);
                self.test.arguments.push(name.clone());
                self.added.push((name, text));
            }
        }
        Ok(())
    }

    fn add_variables(&mut self, environment: &Environment) {
        // No program looks up a name with a line break.
        let names: Vec<OsString> = (environment.variables().into_iter())
            .filter(|name| Parameters::text([name.as_encoded_bytes()]).is_some())
            .collect();
        let lists = environment.lists();
        let text = |name: &OsString| {
            let list = lists.iter().find(|list| list.name() == name);
            list.map_or_else(|| name.clone(), VariableList::text)
        };
        let words: Vec<OsString> = names.iter().map(text).collect();
        let text = Parameters::text(words.iter().map(|word| word.as_encoded_bytes()));
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            self.added.push((VARIABLES.to_owned(), text));
            self.test.variables = Some((VARIABLES.into(), names));
            self.test.lists = lists;
        }
    }

    /// Adds the parameters to the files of the test. A single file of the test is not removed.
    pub fn add_to(&mut self, input: Input) -> Result<Input, Problem> {
        self.own = input.file_count();
        if self.added.is_empty() {
            return Ok(input);
        }
        let files = input.present();
        let files = files.map(|file| (file.name.to_owned(), file.text.to_vec()));
        let added = self.added.iter().cloned();
        let all = files.chain(added.map(|(name, text)| (PathBuf::from(name), text)));
        let all = Input::files(all).map_err(|error| {
            let what = "the input cannot be reduced with its command";
            Problem::new(Exit::Input, what).because(&error)
        })?;
        Ok(match self.own {
            1 => all.keep_files([0]),
            _ => all,
        })
    }

    /// Returns the numbers of the parameters in the input. `first_files` has the number of the
    /// first file of each input of the command line.
    pub fn numbers(&self, first_files: &[usize]) -> auto::Parameters {
        let response_files = self.response_files.iter();
        let mut arguments: Vec<usize> = response_files
            .filter_map(|&number| first_files.get(number).copied())
            .collect();
        let mut variables = vec![];
        for (nth, (name, _)) in self.added.iter().enumerate() {
            match name == VARIABLES {
                true => variables.push(self.own + nth),
                false => arguments.push(self.own + nth),
            }
        }
        auto::Parameters {
            arguments,
            variables,
        }
    }

    /// Returns whether a file of the input holds parameters and is not a file of the test.
    pub fn has(&self, number: usize) -> bool {
        !self.added.is_empty() && number >= self.own
    }

    /// Returns the endings of the files that are written next to the result, one per added
    /// file.
    pub fn endings(&self) -> impl Iterator<Item = &str> {
        let names = self.added.iter().map(|(name, _)| name.as_str());
        names.map(|name| name.trim_matches(['{', '}']))
    }

    /// Returns the files of an input that are files of the test.
    pub fn own_files<'a>(&self, input: &'a Input) -> Vec<File<'a>> {
        let files = input.present();
        files.filter(|file| !self.has(file.number)).collect()
    }

    /// Returns an input without parameters.
    pub fn own(&self, input: &Input) -> Input {
        if self.added.is_empty() {
            return input.clone();
        }
        let files = self.own_files(input).into_iter();
        let files = files.map(|file| (file.name.to_owned(), file.text.to_vec()));
        // The names and sizes come from an existing input, whose files may all have been removed.
        Input::files(files).unwrap_or_else(|_| input.clone())
    }

    /// Returns a command with the arguments of the result, on the file or folder at `place`, as a
    /// line for a shell, or `None` if no arguments were reduced.
    pub fn line(
        &self,
        command: &TestCommand,
        result: &Input,
        place: Option<&Path>,
    ) -> Option<String> {
        if self.test.arguments.is_empty() {
            return None;
        }
        let mut command = command.clone();
        for name in &self.test.arguments {
            let text = text_of(result, name);
            command = command.with_arguments(name, &Parameters::words(text)?);
        }
        Some(command.script_for(place.unwrap_or(Path::new("{}"))))
    }

    /// Returns the names of the variables of the result, and the number of variables of the
    /// original. A variable with a list has the numbers of its items after its name.
    pub fn variables(&self, result: &Input) -> Option<(Vec<String>, usize)> {
        let (_, all) = self.test.variables.as_ref()?;
        let words = Parameters::words(text_of(result, VARIABLES))?;
        let names = words.iter();
        let names = names.map(|name| String::from_utf8_lossy(name).into_owned());
        Some((names.collect(), all.len()))
    }
}

/// The text of a file of an input; empty if it was removed.
fn text_of<'a>(input: &'a Input, name: &str) -> &'a [u8] {
    let mut files = input.present();
    let found = files.find(|file| file.name == Path::new(name));
    found.map_or(&[][..], |file| file.text)
}

/// A marked span of a word.
struct Mark {
    start: usize,
    text: (usize, usize),
    end: usize,
}

impl Mark {
    /// Returns the word with the span replaced with a name.
    fn replaced_by(&self, name: &str, word: &OsStr) -> OsString {
        let bytes = word.as_encoded_bytes();
        let all = [&bytes[..self.start], name.as_bytes(), &bytes[self.end..]].concat();
        #[cfg(unix)]
        {
            std::os::unix::ffi::OsStringExt::from_vec(all)
        }
        #[cfg(not(unix))]
        {
            String::from_utf8_lossy(&all).into_owned().into()
        }
    }
}

/// Returns whether a word is a marked span, which no other program gives a meaning to.
fn starts(word: &OsStr) -> bool {
    let bytes = word.as_encoded_bytes();
    bytes.starts_with(MARK) && bytes.ends_with(b"}")
}

/// Returns the first marked span of a word. Brackets inside of it are in pairs.
fn next_mark(word: &OsStr) -> Result<Option<Mark>, Problem> {
    let bytes = word.as_encoded_bytes();
    let Some(start) = bytes.windows(MARK.len()).position(|part| part == MARK) else {
        return Ok(None);
    };
    let text = start + MARK.len();
    let mut depth = 1;
    for (at, byte) in bytes.iter().enumerate().skip(text) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Ok(Some(Mark {
                start,
                text: (text, at),
                end: at + 1,
            }));
        }
    }
    let what = format!("`{}` has no end of the span `{{args: …}}`", word.display());
    Err(Problem::new(Exit::Usage, what)
        .hint("write quotes around the span, so that it is one word: `'{args: -O2 -Wall}'`"))
}

/// Finds the inputs that are response files: those that are given as `@FILE`, and with
/// `--reduce-args` those that the command reads as `@FILE`. An `@` before an input is removed.
fn response_files(flags: &mut ReduceSettings) -> Vec<usize> {
    let mut found = vec![];
    for (number, input) in flags.inputs.iter_mut().enumerate() {
        let after = input.to_str().and_then(|text| text.strip_prefix('@'));
        let after = after.filter(|_| !input.exists()).map(PathBuf::from);
        let is_marked = after.is_some();
        if let Some(after) = after {
            *input = after;
        }
        let is_read = flags.reduce_args
            && flags.test.command.iter().any(|word| {
                let word = word.to_str().and_then(|word| word.strip_prefix('@'));
                let name = |word: &str| Path::new(word).file_name() == input.file_name();
                word.is_some_and(name)
            });
        if is_marked || is_read {
            found.push(number);
        }
    }
    found
}

/// Returns the problem of a command without a marked span, and the command with one.
fn no_mark(flags: &ReduceSettings) -> Problem {
    let what = "`--reduce-args` needs to know which arguments of the command it may reduce";
    let problem = Problem::new(Exit::Usage, what);
    let words: Vec<String> = (flags.test.command.iter())
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let is_input = |word: &str| {
        let mut inputs = flags.inputs.iter();
        word.contains("{}") || inputs.any(|input| input.file_name() == Some(OsStr::new(word)))
    };
    let is_fixed = |at: usize| words.get(at).is_none_or(|word| is_input(word));
    let mut spans: Vec<(usize, usize)> = vec![];
    for start in (1..words.len()).filter(|&at| !is_fixed(at)) {
        let end = (start..=words.len()).find(|&at| is_fixed(at));
        spans.extend(end.map(|end| (start, end)));
    }
    let Some(&(start, end)) = spans.iter().max_by_key(|(start, end)| end - start) else {
        return problem
            .hint("write a command with arguments after `--`, and mark them: `{args: -O2 -Wall}`");
    };
    let quoted = |words: &[String]| words.join(" ");
    problem.hint(format!(
        "mark them: `-- {} '{{args: {}}}' {}`",
        quoted(&words[..start]),
        quoted(&words[start..end]),
        quoted(&words[end..]),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(words: &[&str]) -> Result<(Vec<OsString>, ParameterFiles), Problem> {
        let mut command: Vec<OsString> = words.iter().map(Into::into).collect();
        let mut files = ParameterFiles::default();
        files.take_marks(command.iter_mut().skip(1))?;
        Ok((command, files))
    }

    #[test]
    fn marks_become_places_and_files() {
        let (command, files) = taken(&[
            "cc",
            "{args: -O2  '-DX=a b' -DY={1}}",
            "sh -c {args:-x} {}",
            "{args}",
        ])
        .unwrap();
        assert_eq!(command, ["cc", "{args}", "sh -c {args2} {}", "{args}"]);
        let text = |nth: usize| String::from_utf8(files.added[nth].1.clone()).unwrap();
        assert_eq!(text(0), "-O2\n'-DX=a b'\n'-DY={1}'\n");
        assert_eq!(text(1), "-x\n");
        assert_eq!(files.test.arguments, ["{args}", "{args2}"]);
        assert_eq!(files.endings().collect::<Vec<_>>(), ["args", "args2"]);
    }

    #[test]
    fn a_mark_without_an_end_or_without_words_is_an_error() {
        for word in ["{args: -O2", "{args: }", "{args: 'a}", "{args: -D{ }"] {
            assert!(taken(&["cc", word]).is_err(), "{word}");
        }
    }
}
