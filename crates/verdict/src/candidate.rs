use std::path::Path;

/// One file of a candidate: the name it has for the test, and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File<'a> {
    /// Path relative to the folder the test runs in.
    pub name: &'a Path,
    /// The whole content.
    pub bytes: &'a [u8],
}

/// The input put to the test: the files that are present, in the order the user named them.
///
/// A candidate borrows everything; an oracle that needs it longer than the call copies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<'a> {
    files: &'a [File<'a>],
}

impl<'a> Candidate<'a> {
    /// A candidate of these files.
    pub fn new(files: &'a [File<'a>]) -> Self {
        Candidate { files }
    }

    /// The files that are present. A file the reducer removed is not in the list.
    pub fn files(&self) -> &'a [File<'a>] {
        self.files
    }

    /// The bytes of the first file, or nothing where every file was removed.
    ///
    /// For oracles over a single input this is *the* input.
    pub fn bytes(&self) -> &'a [u8] {
        self.files.first().map_or(&[], |file| file.bytes)
    }

    /// The sum of the sizes of all files, in bytes.
    pub fn size(&self) -> usize {
        self.files.iter().map(|file| file.bytes.len()).sum()
    }
}
