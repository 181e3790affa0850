//! Arguments and variables of a test that are reduced with its input.

use crate::command::TestCommand;
use crate::shell_word::quoted;
use crate::variable_list::VariableList;
use nubbin_verdict::{Candidate, File};
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Files of a candidate with arguments and variables of the test. The test does not find them in
/// its folder.
///
/// The texts are words by the rules of a shell ([`Parameters::text`]). A file that is missing has
/// no words.
///
/// ```
/// use nubbin_oracle::{CommandOracle, Options, Parameters, TestCommand};
/// use nubbin_verdict::{Ask, Candidate, File, Oracle, Verdict};
/// use std::path::{Path, PathBuf};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let words = ["grep", "{args}", "bug", "{}"].map(Into::into).to_vec();
/// let command = TestCommand::new(words, Path::new("/"))?;
/// let mut options = Options::new(command, vec![PathBuf::from("input.txt")]);
/// options.parameters.arguments = vec!["{args}".into()];
/// let oracle = CommandOracle::new(options)?;
/// let judge = |arguments: &[u8]| {
///     let input = File { name: Path::new("input.txt"), bytes: b"a BUG in here" };
///     let arguments = File { name: Path::new("{args}"), bytes: arguments };
///     oracle.judge(&Candidate::new(&[input, arguments]), &Ask::new(0))
/// };
/// assert_eq!(judge(b"-q\n-i\n")?, Verdict::Fail);
/// assert_eq!(judge(b"-q\n")?, Verdict::Pass);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// The files that hold arguments. The name of such a file is also its placeholder in the
    /// command: a word `{args}` is replaced with all words of the file `{args}`, and `{args}`
    /// inside a longer word is replaced with their text, separated by spaces.
    pub arguments: Vec<String>,
    /// The file with the names of variables, and all names that it has in the original. A test does
    /// not get variables that the file lacks.
    pub variables: Option<(PathBuf, Vec<OsString>)>,
    /// The variables whose values are lists. A name in the file followed by numbers, such as
    /// `PATH:2:3`, means the variable with only these items of its value, counted from 1.
    pub lists: Vec<VariableList>,
}

impl Parameters {
    /// Returns whether the test has no parameters.
    pub fn is_empty(&self) -> bool {
        self.arguments.is_empty() && self.variables.is_none()
    }

    /// Returns words as a text: one per line, with quotes where a shell needs them, or `None`
    /// if a word has a NUL or a line break.
    pub fn text<W: AsRef<[u8]>>(words: impl IntoIterator<Item = W>) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        for word in words {
            let word = word.as_ref();
            if word.contains(&b'\n') {
                return None;
            }
            text.extend_from_slice(&quoted(word)?);
            text.push(b'\n');
        }
        Some(text)
    }

    /// Returns the words of a text; `None` if a quote in it is open.
    pub fn words(text: &[u8]) -> Option<Vec<Vec<u8>>> {
        shlex::bytes::split(text)
    }

    /// Returns the command with the parameters of a candidate, and the files of the test, or `None`
    /// if a text has an open quote.
    pub(crate) fn apply<'a>(
        &self,
        command: &'a TestCommand,
        candidate: &Candidate<'a>,
    ) -> Option<(Cow<'a, TestCommand>, Vec<File<'a>>)> {
        let mut command = Cow::Borrowed(command);
        let files = candidate.files();
        let text = |name: &Path| {
            let found = files.iter().find(|file| file.name == name);
            found.map_or(&[][..], |file| file.bytes)
        };
        for name in &self.arguments {
            let words = Self::words(text(Path::new(name)))?;
            command = Cow::Owned(command.with_arguments(name, &words));
        }
        if let Some((name, all)) = &self.variables {
            let words = Self::words(text(name))?;
            let (mut left, mut changed) = (vec![], vec![]);
            for word in &words {
                match self
                    .lists
                    .iter()
                    .find_map(|list| Some((list, list.value(word)?)))
                {
                    Some((list, value)) => {
                        left.push(list.name().as_encoded_bytes());
                        changed.push((list.name().to_owned(), value));
                    }
                    None => left.push(word),
                }
            }
            let is_left = |name: &&OsString| left.contains(&name.as_encoded_bytes());
            let removed = all.iter().filter(|name| !is_left(name)).cloned();
            let placed = command.without_variables(removed);
            command = Cow::Owned(placed.with_variables(changed));
        }
        let files = files.iter().filter(|file| !self.has(file.name)).copied();
        Some((command, files.collect()))
    }

    /// Returns whether a file with the given name is one of the parameters.
    pub fn has(&self, name: &Path) -> bool {
        let variables = self.variables.as_ref().map(|(name, _)| name.as_path());
        let mut arguments = self.arguments.iter();
        variables == Some(name) || arguments.any(|argument| Path::new(argument) == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_from_their_text() {
        let words = ["-O2", "a b", "", "#x", "it's", "$HOME", "\"q\"", "\\", "*"];
        let text = Parameters::text(words).unwrap();
        let lines = text.iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(lines, words.len());
        let back = Parameters::words(&text).unwrap();
        assert_eq!(back, words.map(|word| word.as_bytes().to_vec()));
        assert!(Parameters::text(["a\nb"]).is_none() && Parameters::text(["a\0"]).is_none());
        assert!(Parameters::words(b"'a").is_none());
    }

    #[test]
    fn only_words_that_a_shell_changes_are_quoted() {
        let text = Parameters::text(["-p=a,b", "k:v", "=a", "f(x)", "{a,b}"]).unwrap();
        assert_eq!(text, b"-p=a,b\nk:v\n'=a'\n'f(x)'\n'{a,b}'\n");
    }

    #[test]
    fn a_list_has_the_items_whose_numbers_are_left() {
        let list = |name: &str, value: &str| VariableList::of(value.as_ref(), name.into());
        let parameters = Parameters {
            variables: Some(("{env}".into(), vec!["A".into(), "B".into(), "L".into()])),
            lists: vec![list("L", "x:y,z:w").unwrap()],
            ..Parameters::default()
        };
        let test = TestCommand::new(vec!["sh".into()], Path::new("/")).unwrap();
        let placed = |text: &[u8]| {
            let file = File {
                name: Path::new("{env}"),
                bytes: text,
            };
            let files = [file];
            let candidate = Candidate::new(&files);
            let (placed, _) = parameters.apply(&test, &candidate).unwrap();
            placed.into_owned()
        };
        let with = |names: &[&str], value: Option<&str>| {
            let removed = test.without_variables(names.iter().map(Into::into));
            removed.with_variables(
                value
                    .map(|it| ("L".into(), it.into()))
                    .into_iter()
                    .collect(),
            )
        };
        assert_eq!(placed(b"A\nB\nL:1:2:3\n"), with(&[], Some("x:y,z:w")));
        assert_eq!(placed(b"B\nL:3:1\n"), with(&["A"], Some("w:x")));
        assert_eq!(placed(b"L\n"), with(&["A", "B"], Some("")));
        // A number without an item does not name a variable.
        assert_eq!(placed(b"A\nB\nL:4\n"), with(&["L"], None));
        assert_eq!(placed(b"A\nB\n1:2\n"), with(&["L"], None));
    }

    #[test]
    fn a_place_is_replaced_as_a_word_and_within_one() {
        let command = |words: &[&str]| {
            let words = words.iter().map(Into::into).collect();
            TestCommand::new(words, Path::new("/")).unwrap()
        };
        let parameters = Parameters {
            arguments: vec!["{args}".into(), "{args2}".into()],
            variables: Some(("{env}".into(), vec!["A".into(), "B".into()])),
            lists: vec![],
        };
        let file = |name, bytes| File {
            name: Path::new(name),
            bytes,
        };
        let files = [
            file("x.c", b"x"),
            file("{args}", b"-O2\n'a b'\n"),
            file("{env}", b"B\n"),
        ];
        let candidate = Candidate::new(&files);
        let test = command(&["sh", "-c", "cc {args} {args2} {}", "{args}", "{args2}"]);
        let (placed, left) = parameters.apply(&test, &candidate).unwrap();
        let wanted = command(&["sh", "-c", "cc -O2 'a b'  {}", "-O2", "a b"]);
        assert_eq!(*placed, wanted.without_variables(["A".into()]));
        assert_eq!(left, [file("x.c", b"x")]);
        let broken = [file("{args}", b"'")];
        assert!(parameters.apply(&test, &Candidate::new(&broken)).is_none());
    }
}
