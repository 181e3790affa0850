use std::path::Path;

/// One file of a candidate: its name in the test's folder, and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File<'a> {
    /// The path, relative to the folder in which the test runs.
    pub name: &'a Path,
    /// The whole content.
    pub bytes: &'a [u8],
}

/// An input to be tested: its files, in the order in which the user named them.
///
/// A candidate borrows its content. An oracle that needs the content after the call copies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<'a> {
    files: &'a [File<'a>],
}

impl<'a> Candidate<'a> {
    /// Creates a candidate from its files.
    pub fn new(files: &'a [File<'a>]) -> Self {
        Candidate { files }
    }

    /// Returns the files of the candidate. Files that the reducer has removed are not in the list.
    pub fn files(&self) -> &'a [File<'a>] {
        self.files
    }

    /// Returns the bytes of the first file, or an empty slice if every file was removed.
    ///
    /// For an oracle over a single file, this is the whole input.
    pub fn bytes(&self) -> &'a [u8] {
        self.files.first().map_or(&[], |file| file.bytes)
    }

    /// Returns the total size of all files in bytes.
    pub fn size(&self) -> usize {
        self.files.iter().map(|file| file.bytes.len()).sum()
    }
}
