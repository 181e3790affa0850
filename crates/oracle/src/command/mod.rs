mod error;
mod place;
mod program;

pub use error::CommandError;

use crate::shell_word;
use place::{PLACE, in_candidate, is_place, next_place, quoted, replace_all, replace_place, to_os};
use program::{program_made_absolute, resolve};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The program to run on a candidate, with its arguments.
///
/// The test runs in its own folder, so the program is looked up when the command is built: a path
/// such as `./test.sh` relative to the given folder, and a bare name in PATH. Arguments are passed
/// on unchanged, so an argument that names a file by a *relative* path does not find it in the
/// folder of the test. Such a file must be given as an [`Extra`](crate::Extra) or by its absolute
/// path.
///
/// `{}` inside an argument stands for the absolute path of the candidate (or of its first file, if
/// it has several). As the program, `{}` or `./{}` runs the candidate, and `{}/run.sh` a file of a
/// candidate that is a folder. `{{}}` inside an argument stands for the two characters `{}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCommand {
    program: PathBuf,
    args: Vec<OsString>,
    is_shell_line: bool,
    /// Variables that are taken from its environment.
    without: Vec<OsString>,
    /// Variables with other values than those of the environment.
    changed: Vec<(OsString, OsString)>,
}

impl TestCommand {
    /// Creates a command from a program and its arguments. A relative path of the program is
    /// relative to the working folder `folder`.
    ///
    /// # Errors
    /// Returns [`CommandError`] if there is no such program or it cannot be run.
    pub fn new(words: Vec<OsString>, folder: &Path) -> Result<Self, CommandError> {
        let mut words = words.into_iter();
        let program = words
            .next()
            .filter(|word| !word.is_empty())
            .ok_or(CommandError::Empty)?;
        let args: Vec<OsString> = words.collect();
        let program = match in_candidate(&program) {
            Some(path) => path.to_owned(),
            None => resolve(&program, args.is_empty(), folder)?,
        };
        Ok(TestCommand {
            program,
            args,
            is_shell_line: false,
            without: Vec::new(),
            changed: Vec::new(),
        })
    }

    /// Creates a command that runs a line with `sh -c`. In the line, `{}` stands for the
    /// candidate's path, quoted if needed, and `{{}}` stands for the characters `{}`.
    ///
    /// The line runs in the folder of the test; see [`TestCommand::shell_in`] for a line that
    /// begins with a relative path.
    ///
    /// # Errors
    /// Returns [`CommandError`] if the line is empty or there is no `sh` in PATH.
    pub fn shell(line: impl Into<OsString>) -> Result<Self, CommandError> {
        let line = line.into();
        if line.to_string_lossy().trim().is_empty() {
            return Err(CommandError::Empty);
        }
        let program = resolve(OsStr::new("sh"), false, Path::new("/"))?;
        Ok(TestCommand {
            program,
            args: vec!["-c".into(), line],
            is_shell_line: true,
            without: Vec::new(),
            changed: Vec::new(),
        })
    }

    /// Creates a command that runs a shell line, like [`TestCommand::shell`], relative to a folder.
    /// If the line begins with a path relative to `folder` (`./old-db {}`) and the file exists, the
    /// path is made absolute.
    ///
    /// # Errors
    /// Returns [`CommandError`] if the line is empty or there is no `sh` in PATH.
    pub fn shell_in(line: impl Into<OsString>, folder: &Path) -> Result<Self, CommandError> {
        let line = line.into();
        let resolved = line
            .to_str()
            .and_then(|line| program_made_absolute(line, folder));
        Self::shell(resolved.unwrap_or(line))
    }

    /// The program: an absolute path, or one that begins with `{}` if the candidate itself is run.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The arguments as given, with `{}` not replaced.
    pub fn args(&self) -> &[OsString] {
        &self.args
    }

    /// The arguments and the words in them, as the user wrote them.
    pub(crate) fn words(&self) -> Vec<String> {
        let ends = |char: char| char.is_whitespace() || "'\"=;|&<>()".contains(char);
        let args = self.args.iter().map(|arg| arg.to_string_lossy());
        args.flat_map(|arg| {
            let mut words: Vec<String> = arg.split(ends).map(str::to_owned).collect();
            // The path may contain a space, so it is one word.
            words.push(arg.into_owned());
            words
        })
        .filter(|word| !word.is_empty())
        .collect()
    }

    /// Returns whether an argument contains `{}`, or the program is `{}`.
    pub fn has_place(&self) -> bool {
        self.runs_candidate()
            || self
                .args
                .iter()
                .any(|arg| next_place(arg.as_encoded_bytes()).is_some())
    }

    /// The command line that is run on the candidate at the given path.
    pub fn line_for(&self, candidate: &Path) -> String {
        self.placed(candidate).to_string()
    }

    /// The line that is run on the candidate at the given path. For a shell command, it is the line
    /// as the user wrote it, without `sh -c`.
    pub fn script_for(&self, candidate: &Path) -> String {
        match (self.is_shell_line, &self.args_for(candidate)[..]) {
            (true, [_, line]) => line.to_string_lossy().into_owned(),
            _ => self.line_for(candidate),
        }
    }

    /// Returns the command with `{}` replaced with the given path.
    #[must_use]
    pub fn placed(&self, path: &Path) -> TestCommand {
        TestCommand {
            program: self.program_for(path),
            args: self.args_for(path),
            is_shell_line: self.is_shell_line,
            without: self.without.clone(),
            changed: self.changed.clone(),
        }
    }

    /// Returns the command with `place` replaced with the given words. An argument equal to `place`
    /// becomes one argument per word. Inside a longer argument, `place` becomes the words as one
    /// text, quoted for a shell.
    #[must_use]
    pub fn with_arguments(&self, place: &str, words: &[Vec<u8>]) -> TestCommand {
        let quoted = words.iter().map(|word| shell_word::quoted(word));
        // No word contains a NUL, since a file with a NUL is not divided into words.
        let line: Vec<_> = quoted.flatten().collect();
        let line = line.join(&b' ');
        let args = self.args.iter().flat_map(|arg| match arg == place {
            true => words.iter().map(|word| to_os(word.clone())).collect(),
            false => vec![replace_all(arg, place, &line)],
        });
        TestCommand {
            args: args.collect(),
            ..self.clone()
        }
    }

    /// Returns the command with the given variables removed from its environment.
    #[must_use]
    pub fn without_variables(&self, names: impl IntoIterator<Item = OsString>) -> TestCommand {
        TestCommand {
            without: names.into_iter().collect(),
            ..self.clone()
        }
    }

    /// Returns the command in an environment in which the given variables have the given values.
    #[must_use]
    pub fn with_variables(&self, changed: Vec<(OsString, OsString)>) -> TestCommand {
        TestCommand {
            changed,
            ..self.clone()
        }
    }

    /// The variables that have other values than in the environment of the command.
    pub(crate) fn changed_variables(&self) -> &[(OsString, OsString)] {
        &self.changed
    }

    /// The variables that are taken from the environment of the command.
    pub(crate) fn removed_variables(&self) -> &[OsString] {
        &self.without
    }

    /// Returns whether the candidate itself, or a file of the candidate, is the program.
    pub fn runs_candidate(&self) -> bool {
        in_candidate(self.program.as_os_str()).is_some()
    }

    /// The text of the test if it is a script: the shell line, the text of the program, or the text
    /// of the first argument that names a text file (`sh test.sh`). Returns `None` if the test is
    /// not a script.
    ///
    /// At most 1 MiB is read.
    pub fn script(&self, folder: &Path) -> Option<String> {
        if self.is_shell_line {
            return self
                .args
                .get(1)
                .map(|line| line.to_string_lossy().into_owned());
        }
        if !self.runs_candidate()
            && let Some(text) = read_text(&self.program)
        {
            return Some(text);
        }
        if self.is_shell()
            && let Some(at) = self.args.iter().position(|arg| arg == "-c")
            && let Some(line) = self.args.get(at + 1)
        {
            return Some(line.to_string_lossy().into_owned());
        }
        self.args
            .iter()
            .filter(|arg| !is_place(arg))
            .find_map(|arg| read_text(&folder.join(arg)))
    }

    /// Returns whether the program is a shell, so that the word after `-c` is a script.
    pub(crate) fn is_shell(&self) -> bool {
        let name = self.program.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| ["sh", "bash", "dash", "ash", "ksh", "zsh"].contains(&name))
    }

    pub(crate) fn program_for(&self, candidate: &Path) -> PathBuf {
        match self.program.strip_prefix(PLACE) {
            Ok(within) if within.as_os_str().is_empty() => candidate.to_owned(),
            Ok(within) => candidate.join(within),
            Err(_) => self.program.clone(),
        }
    }

    pub(crate) fn args_for(&self, candidate: &Path) -> Vec<OsString> {
        let place = if self.is_shell_line {
            quoted(candidate)
        } else {
            candidate.into()
        };
        self.args
            .iter()
            .map(|arg| replace_place(arg, &place))
            .collect()
    }
}

impl std::fmt::Display for TestCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.program.display())?;
        self.args.iter().try_for_each(|arg| {
            let arg = arg.to_string_lossy();
            let is_special =
                |char: char| char.is_whitespace() || "'\"`$;&|<>()*?[]\\!~#".contains(char);
            // A shell expands `{a,b}`, and leaves `{}` and `{a}` alone.
            let is_expanded = arg.contains('{') && arg.contains([',', '.']);
            if arg.contains(is_special) || is_expanded || arg.is_empty() {
                write!(f, " '{}'", arg.replace('\'', r"'\''"))
            } else {
                write!(f, " {arg}")
            }
        })
    }
}

fn read_text(path: &Path) -> Option<String> {
    use std::io::Read as _;
    if !path.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .ok()?
        .take(1 << 20)
        .read_to_end(&mut bytes)
        .ok()?;
    let is_binary = bytes.iter().take(1024).any(|&byte| byte == 0);
    (!is_binary).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    fn folder_with(name: &str, mode: u32) -> tempfile::TempDir {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        std::fs::write(&path, "exit 0\n").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        dir
    }

    #[test]
    fn the_placeholder_is_replaced_everywhere_in_an_argument() {
        let command = TestCommand::new(words("sh --in={} {}:{} {"), Path::new("/")).unwrap();
        let args = command.args_for(Path::new("/s/a b.c"));
        assert_eq!(args, ["--in=/s/a b.c", "/s/a b.c:/s/a b.c", "{"]);
    }

    #[test]
    fn a_file_of_the_candidate_can_be_the_program() {
        for program in ["{}/bin/run.sh", "./{}/bin/run.sh"] {
            let command = TestCommand::new(words(program), Path::new("/nowhere")).unwrap();
            assert!(command.runs_candidate() && command.has_place());
            assert_eq!(
                command.line_for(Path::new("/t/project")),
                "/t/project/bin/run.sh"
            );
        }
        let command = TestCommand::new(words("{}"), Path::new("/nowhere")).unwrap();
        assert_eq!(
            command.program_for(Path::new("/t/a.sh")),
            Path::new("/t/a.sh")
        );
        assert!(TestCommand::new(words("{}x/run.sh"), Path::new("/nowhere")).is_err());
    }

    #[test]
    fn a_shell_line_gets_the_path_as_one_word() {
        let command = TestCommand::shell("cc -c {} && echo '{}'").unwrap();
        assert_eq!(
            command.args_for(Path::new("/s/a.c"))[1],
            "cc -c /s/a.c && echo '/s/a.c'"
        );
        let command = TestCommand::shell("cc -c {}").unwrap();
        assert_eq!(
            command.args_for(Path::new("/s/a'b.c"))[1],
            r"cc -c '/s/a'\''b.c'"
        );
    }

    #[test]
    fn doubled_braces_are_passed_on_as_plain_ones() {
        let command = TestCommand::new(words("sh a{{}}b {{}}:{} {{} {}}"), Path::new("/")).unwrap();
        let args = command.args_for(Path::new("/s/x"));
        assert_eq!(args, ["a{}b", "{}:/s/x", "{/s/x", "/s/x}"]);
        let command = TestCommand::new(words("sh a{{}}b"), Path::new("/")).unwrap();
        assert!(!command.has_place());
    }

    #[test]
    fn the_program_of_a_shell_line_is_relative_to_the_given_folder() {
        let dir = folder_with("old-db", 0o755);
        let here = dir.path();
        let line = |line: &str| TestCommand::shell_in(line, here).unwrap().args()[1].clone();
        let old = here.join("old-db").display().to_string();
        assert_eq!(line("./old-db {} | sort"), *format!("{old} {{}} | sort"));
        assert_eq!(line(" A=1 ./old-db|sort"), *format!(" A=1 {old}|sort"));
        for other in [
            "./new-db {}",
            "old-db ./old-db",
            "/bin/cat {}",
            "\"./old-db\" {}",
        ] {
            assert_eq!(line(other), other);
        }
        let odd = here.join("a {}'b");
        std::fs::create_dir(&odd).unwrap();
        std::fs::copy(here.join("old-db"), odd.join("old-db")).unwrap();
        let command = TestCommand::shell_in("./old-db {}", &odd).unwrap();
        let expected = format!(r"'{}/a {{}}'\''b/old-db' /s/x", here.display());
        assert_eq!(command.args_for(Path::new("/s/x"))[1], *expected);
    }

    #[test]
    fn a_relative_path_is_relative_to_the_given_folder() {
        let dir = folder_with("test.sh", 0o755);
        let command = TestCommand::new(words("./test.sh {}"), dir.path()).unwrap();
        assert_eq!(command.program(), dir.path().join("test.sh"));
    }

    #[test]
    fn a_bare_name_of_a_file_in_the_folder_is_an_error_with_a_correction() {
        let dir = folder_with("test-of-mine.sh", 0o755);
        let error = TestCommand::new(words("test-of-mine.sh"), dir.path()).unwrap_err();
        assert!(
            error.to_string().contains("write `./test-of-mine.sh`"),
            "{error}"
        );
    }

    #[test]
    fn the_error_for_a_file_that_is_not_executable_suggests_chmod() {
        let dir = folder_with("test.sh", 0o644);
        let error = TestCommand::new(words("./test.sh"), dir.path()).unwrap_err();
        assert!(
            matches!(error, CommandError::NotExecutable { .. }),
            "{error:?}"
        );
        assert!(error.to_string().contains("chmod +x"), "{error}");
    }

    #[test]
    fn the_error_for_a_shell_line_in_one_word_suggests_sh() {
        let words = vec![OsString::from("grep -q x {} && true")];
        let error = TestCommand::new(words, Path::new("/")).unwrap_err();
        assert!(
            error.to_string().contains("sh -c 'grep -q x {} && true'"),
            "{error}"
        );
    }

    #[test]
    fn the_error_for_a_misspelled_program_suggests_a_similar_one() {
        let dir = folder_with("checker5", 0o755);
        let path = dir.path().as_os_str();
        assert_eq!(
            program::near_program("cheker5", path),
            ": did you mean `checker5`?"
        );
        assert_eq!(program::near_program("gcc", path), "");
        std::fs::set_permissions(
            dir.path().join("checker5"),
            std::os::unix::fs::PermissionsExt::from_mode(0o644),
        )
        .unwrap();
        assert_eq!(program::near_program("cheker5", path), "");
    }

    #[test]
    fn folders_and_missing_files_are_errors_of_their_own() {
        let folder = Path::new("/");
        assert_eq!(TestCommand::new(vec![], folder), Err(CommandError::Empty));
        let error = TestCommand::new(words("/usr"), folder).unwrap_err();
        assert!(matches!(error, CommandError::Folder { .. }));
        let error = TestCommand::new(words("/no/such/thing"), folder).unwrap_err();
        assert!(matches!(error, CommandError::NoSuchFile { .. }));
    }

    #[test]
    fn the_text_of_a_script_is_found_after_its_interpreter() {
        let dir = folder_with("test.sh", 0o644);
        let command = TestCommand::new(words("sh test.sh {}"), dir.path()).unwrap();
        assert_eq!(command.script(dir.path()).as_deref(), Some("exit 0\n"));
    }
}
