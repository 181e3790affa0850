use std::path::PathBuf;

/// The reason why a command line cannot be used as a test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The command line is empty.
    #[error("no test command")]
    Empty,
    /// The command is a bare name that no folder of PATH has.
    #[error("there is no command `{program}` in PATH{hint}")]
    NotInPath {
        /// The name of the program as given.
        program: String,
        /// A suggestion for the correct command, or an empty text. A suggestion begins with `: `.
        hint: String,
    },
    /// The command is a path, and there is no such file.
    #[error("the test command `{path}` does not exist{hint}")]
    NoSuchFile {
        /// The absolute path of the program.
        path: PathBuf,
        /// A suggestion for the correct command, or an empty text. A suggestion begins with `: `.
        hint: String,
    },
    /// The command is the path of a folder.
    #[error("the test command `{path}` is a folder: name the program inside it")]
    Folder {
        /// The absolute path of the program.
        path: PathBuf,
    },
    /// The command is a file without execute permission.
    #[error("`{path}` is not executable: run `chmod +x {path}`, or use `sh {path}` as the command")]
    NotExecutable {
        /// The absolute path of the program.
        path: PathBuf,
    },
    /// The command is a file that is neither a script nor a program for this system.
    #[error(
        "`{path}` cannot be run on this machine: it is neither a program for it nor a script \
         (a script begins with a line such as `#!/bin/sh`)"
    )]
    WrongFormat {
        /// The absolute path of the program.
        path: PathBuf,
    },
}
