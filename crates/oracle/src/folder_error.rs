use std::io;
use std::path::{Path, PathBuf};

/// A file or folder for the tests could not be made, written, or removed.
///
/// The text leaves out the system's error, which is the source of this one.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A folder could not be made.
    #[error(
        "cannot make a folder in `{path}` for the tests{hint}; the variable TMPDIR \
         can name another folder"
    )]
    Create {
        /// The folder in which the private folder should be created.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
        /// A cause that the system's error does not name; begins with `: `.
        hint: &'static str,
    },
    /// A file could not be written.
    #[error(
        "cannot write `{path}` for the test{hint}; the variable TMPDIR can name another \
         folder"
    )]
    Write {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
        /// A cause that the system's error does not name; begins with `: `.
        hint: &'static str,
    },
    /// Files that a test left could not be removed.
    #[error("cannot remove the files that a test left in `{path}`")]
    Clear {
        /// The path of the folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// An extra file of the test does not exist or cannot be read.
    #[error("cannot give `{path}` to the test")]
    Extra {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Two extra files would have the same name in the folder of the test.
    #[error(
        "`{one}` and `{other}` would both be `{name}` for the test: leave one out, or put both \
         into a folder and give that folder"
    )]
    SameName {
        /// The name of the file.
        name: PathBuf,
        /// The first file.
        one: PathBuf,
        /// The second file.
        other: PathBuf,
    },
    /// An extra file would have the name of an input in the folder of the test.
    #[error(
        "`{path}` would be `{name}` for the test, which is the name of the input: leave it out, \
         the test finds the candidate there"
    )]
    LikeInput {
        /// The name of the file.
        name: PathBuf,
        /// The path of the file.
        path: PathBuf,
    },
    /// The name of an input leads out of the folder of the test.
    #[error(
        "the input's name `{name}` cannot be used inside the folder of the test: name inputs by \
         paths without `..` and without a leading `/`"
    )]
    Name {
        /// The name of the file.
        name: PathBuf,
    },
}

impl FolderError {
    pub(crate) fn create(path: &Path, source: io::Error) -> Self {
        let hint = full_hint(&source);
        FolderError::Create {
            path: path.to_owned(),
            source,
            hint,
        }
    }

    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        let hint = full_hint(&source);
        FolderError::Write {
            path: path.to_owned(),
            source,
            hint,
        }
    }
}

fn full_hint(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ": make room there, the tests may have left large files"
        }
        io::ErrorKind::PermissionDenied => ": this user may not write there",
        _ => "",
    }
}
