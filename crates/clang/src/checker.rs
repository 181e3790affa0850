use crate::request::ClangError;
use crate::unit::{LATER, Library};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A request for the numbers of errors of texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckRequest {
    /// The path of the file with each text, which is used to find the files that it includes. The
    /// file need not exist.
    pub path: PathBuf,
    /// The arguments of clang.
    pub arguments: Vec<String>,
}

/// Counts the errors of texts.
///
/// Prefer [`read`](crate::read) to find the code that a text needs, and a checker to compare many
/// similar texts. Each text costs one parse.
///
/// ```no_run
/// use nubbin_clang::{CheckRequest, Checker};
///
/// let request = CheckRequest {
///     arguments: vec!["-xc++".into()],
///     ..CheckRequest::default()
/// };
/// let checker = Checker::load(&request)?;
/// assert_eq!(checker.errors(b"int a = 1;"), Some(0));
/// assert_eq!(checker.errors(b"int a = b; int c = d;"), Some(2));
/// # Ok::<(), nubbin_clang::ClangError>(())
/// ```
pub struct Checker {
    library: Library,
    path: PathBuf,
    arguments: Vec<String>,
}

impl Checker {
    /// Loads libclang.
    ///
    /// # Errors
    /// Returns [`ClangError::Missing`] if libclang cannot be loaded.
    pub fn load(request: &CheckRequest) -> Result<Self, ClangError> {
        let library = Library::load().map_err(ClangError::Missing)?;
        let mut arguments = request.arguments.clone();
        // Warnings are not counted, and searching for spelling suggestions takes long.
        let always = [
            "-Wno-everything",
            LATER,
            "-ferror-limit=0",
            "-fno-spell-checking",
        ];
        arguments.extend(always.map(str::to_owned));
        let path = match request.path.as_os_str().is_empty() {
            true => PathBuf::from("text"),
            false => request.path.clone(),
        };
        Ok(Checker {
            library,
            path,
            arguments,
        })
    }

    /// Returns the number of errors of a text, or `None` if clang does not parse it at all. Code
    /// that needs a later language standard than the arguments select counts as an error.
    pub fn errors(&self, text: &[u8]) -> Option<usize> {
        let unit = self.library.parse(&self.path, text, &self.arguments)?;
        let errors = unit.complaints().iter().filter(|it| it.is_error).count();
        Some(errors)
    }
}
