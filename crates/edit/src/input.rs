//! The input to reduce: the bytes of one or more files.

use crate::Span;
use crate::protect::Protected;
use crate::{Applied, Edit, Fingerprint, fingerprint};
use nubbin_verdict as verdict;
use rustc_hash::FxHashSet;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// An input: one buffer that holds all files end to end. An [`Edit`] therefore consists of spans
/// over one address space, for any number of files.
///
/// Where there are several files, each is followed by one byte that is in no file, its *cell*. A
/// file is present as long as its cell is: deleting [`File::extent`], text and cell, removes the
/// file. So the removal of a file is an ordinary deletion that combines and rebases like any other.
/// A single file has no cell and cannot be removed.
///
/// Names are not part of the buffer, unless [`Input::with_names`] puts them after all files.
///
/// A clone costs one reference count.
///
/// ```
/// use nubbin_edit::Edit;
/// use nubbin_edit::Input;
///
/// let input = Input::files([("a.h", b"int a;".to_vec()), ("b.c", b"int b;".to_vec())]).unwrap();
/// let header = input.file(0).unwrap();
/// let less = input.apply(&Edit::delete(header.extent));
/// assert!(less.file(0).is_none());
/// assert_eq!(less.file(1).unwrap().text, b"int b;");
/// assert_eq!(less.size(), 6);
/// ```
#[derive(Clone, Debug)]
pub struct Input {
    bytes: Arc<Vec<u8>>,
    names: Arc<[PathBuf]>,
    /// The span of each file's text, without its cell; `None` if the file was removed.
    texts: Arc<[Option<Span>]>,
    /// A hash of the file names: the same content under other names is a different input.
    salt: u128,
    /// The file names that are in the buffer.
    naming: Option<Arc<Naming>>,
    protected: Protected,
    print: Fingerprint,
}

/// One file of an [`Input`].
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// The number of the file. The number does not change while the file is present.
    pub number: usize,
    /// The path of the file, relative to the folder in which the test runs.
    pub name: &'a Path,
    /// The content of the file.
    pub text: &'a [u8],
    /// The span of the content in the buffer.
    pub span: Span,
    /// The span whose deletion removes the whole file. It equals `span` if the input is a single
    /// file.
    pub extent: Span,
    /// The span of the file's name below its folder, if the name is in the buffer.
    pub name_span: Option<Span>,
}

impl<'a> File<'a> {
    /// The size in bytes of the [beginning](File::beginning) of a large file.
    pub const BEGINNING: usize = 2 << 20;

    /// Returns the file with only the lines at its beginning, if the file is large. A decision
    /// about the structure of a file reads these lines, so that a large file does not wait for it.
    ///
    /// ```
    /// use nubbin_edit::{File, Input};
    ///
    /// let input = Input::single("log", "open\nclose\n".repeat(1 << 20))?;
    /// let file = input.file(0).ok_or("no file")?;
    /// let beginning = file.beginning();
    /// assert!(beginning.text.len() <= File::BEGINNING && beginning.text.ends_with(b"\n"));
    /// assert_eq!(beginning.span.len() as usize, beginning.text.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn beginning(&self) -> File<'a> {
        let Some(first) = self.text.get(..File::BEGINNING) else {
            return *self;
        };
        let line = first.iter().rposition(|byte| *byte == b'\n');
        let text = &first[..line.map_or(first.len(), |at| at + 1)];
        File {
            text,
            span: Span::new(self.span.start, self.span.start + text.len() as u32),
            ..*self
        }
    }
}

/// The reason why an input cannot be reduced.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputError {
    /// The input is too large for offsets of 32 bits; holds its size in bytes.
    TooLarge(u64),
    /// Two files have the same name, so that one would overwrite the other in the test's folder.
    SameName(PathBuf),
    /// The input has no files.
    Empty,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::TooLarge(bytes) => {
                write!(
                    f,
                    "the input has {bytes} bytes; at most 4 GiB can be reduced"
                )
            }
            InputError::SameName(name) => write!(f, "two inputs are named `{}`", name.display()),
            InputError::Empty => f.write_str("no input file was given"),
        }
    }
}

impl std::error::Error for InputError {}

const CELL: u8 = 0;

impl Input {
    /// Creates an input of a single file.
    ///
    /// # Errors
    /// Returns [`InputError::TooLarge`] if the input is too large for 32-bit offsets.
    pub fn single(name: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) -> Result<Self, InputError> {
        let bytes = bytes.into();
        let len = offset(bytes.len())?;
        Ok(Input {
            print: fingerprint(&bytes),
            bytes: Arc::new(bytes),
            names: Arc::new([name.into()]),
            texts: Arc::new([Some(Span::new(0, len))]),
            salt: 0,
            naming: None,
            protected: Protected::default(),
        })
    }

    /// Creates an input of several files, in the order in which the user named them.
    ///
    /// # Errors
    /// Returns [`InputError`] if there are no files, if two have the same name, or if they are too
    /// large for 32-bit offsets.
    pub fn files<N: Into<PathBuf>>(
        files: impl IntoIterator<Item = (N, Vec<u8>)>,
    ) -> Result<Self, InputError> {
        let mut files: Vec<(PathBuf, Vec<u8>)> = files
            .into_iter()
            .map(|(name, bytes)| (name.into(), bytes))
            .collect();
        if files.len() < 2 {
            let (name, bytes) = files.pop().ok_or(InputError::Empty)?;
            return Input::single(name, bytes);
        }
        let mut buffer = Vec::with_capacity(files.iter().map(|(_, bytes)| bytes.len() + 1).sum());
        let mut taken = FxHashSet::default();
        if let Some((twin, _)) = files.iter().find(|(name, _)| !taken.insert(name)) {
            return Err(InputError::SameName(twin.clone()));
        }
        let (mut names, mut texts) = (Vec::new(), Vec::new());
        for (name, bytes) in files {
            let start = offset(buffer.len())?;
            buffer.extend_from_slice(&bytes);
            texts.push(Some(Span::new(start, offset(buffer.len())?)));
            buffer.push(CELL);
            names.push(name);
        }
        offset(buffer.len())?;
        let mut all = Vec::new();
        for name in &names {
            all.extend_from_slice(name.as_os_str().as_encoded_bytes());
            all.push(0);
        }
        let salt = fingerprint(&all).0;
        Ok(Input {
            print: mix(fingerprint(&buffer), &texts, salt),
            bytes: Arc::new(buffer),
            names: names.into(),
            texts: texts.into(),
            salt,
            naming: None,
            protected: Protected::default(),
        })
    }

    /// Appends the names of files to the buffer, so that edits can change them.
    ///
    /// `folder` returns the folder of a file that may be renamed, by the number of the file. An
    /// edit can change the path below that folder. `taken` lists other names that no file may get.
    ///
    /// The buffer contains neither the name of a single file nor a name that is not UTF-8.
    ///
    /// # Errors
    /// Returns [`InputError::TooLarge`] if the input is too large for 32-bit offsets.
    ///
    /// ```
    /// use nubbin_edit::Edit;
    /// use nubbin_edit::Input;
    /// use std::path::Path;
    ///
    /// let files = [("p/src/a.h", b"int a;".to_vec()), ("p/b.c", b"int b;".to_vec())];
    /// let input = Input::files(files).unwrap();
    /// let input = input.with_names(|_| Some("p".into()), vec![]).unwrap();
    /// let name = input.file(0).unwrap().name_span.unwrap();
    /// let renamed = input.apply(&Edit::replace(name, b"a.h"));
    /// assert_eq!(renamed.file(0).unwrap().name, Path::new("p/a.h"));
    /// assert_eq!(renamed.size(), input.size());
    /// ```
    pub fn with_names(
        mut self,
        folder: impl Fn(usize) -> Option<PathBuf>,
        taken: Vec<PathBuf>,
    ) -> Result<Self, InputError> {
        if !self.has_cells() || self.naming.is_some() {
            return Ok(self);
        }
        let start = offset(self.bytes.len())?;
        let mut buffer = self.bytes.to_vec();
        let mut folders = vec![];
        for (number, name) in self.names.iter().enumerate() {
            let folder = folder(number).filter(|_| self.texts[number].is_some());
            let within = folder.as_ref().and_then(|it| name.strip_prefix(it).ok());
            let within = within.and_then(Path::to_str);
            if let Some(within) = within {
                buffer.extend_from_slice(within.as_bytes());
                buffer.push(CELL);
            }
            folders.push(folder.filter(|_| within.is_some()));
        }
        offset(buffer.len())?;
        self.naming = Some(Arc::new(Naming {
            start,
            spans: Naming::spans(&buffer[start as usize..], &folders).into(),
            folders: folders.into(),
            taken: taken.into(),
        }));
        self.print = mix(fingerprint(&buffer), &self.texts, self.salt);
        self.bytes = Arc::new(buffer);
        Ok(self)
    }

    /// Protects spans of the text. No edit of a pass can change a protected span after this call,
    /// and a file with a protected span is not removed.
    ///
    /// The spans are added to the spans that are already protected. Overlapping spans are merged. A
    /// span is cut at the end of the file in which it begins.
    ///
    /// The engine enforces this by trimming the proposals of passes ([`Protected::trim`]).
    /// [`Input::apply`] applies any edit.
    ///
    /// ```
    /// use nubbin_reduce::engine::Reduction;
    /// use nubbin_edit::Input;
    /// use nubbin_reduce::{auto, span::Span};
    /// use nubbin_verdict::Closure;
    ///
    /// let input = Input::single("x", "a licence\nand a crash\n").unwrap();
    /// let input = input.protect([Span::new(2, 9)]);
    /// let oracle = Closure::new(|bytes: &[u8]| bytes.windows(5).any(|w| w == b"crash"));
    /// let plan = auto::plan(&input);
    /// let outcome = Reduction::new(input, &oracle, plan).run().unwrap();
    /// assert_eq!(outcome.input.bytes(), b"licencecrash");
    /// ```
    #[must_use]
    pub fn protect(mut self, spans: impl IntoIterator<Item = Span>) -> Self {
        let texts: Vec<Span> = self.texts.iter().flatten().copied().collect();
        let mut all: Vec<Span> = self.protected.spans().to_vec();
        for span in spans {
            let file = texts.partition_point(|text| text.end <= span.start);
            let Some(text) = texts.get(file) else {
                continue;
            };
            let start = span.start.max(text.start);
            let kept = Span::new(start, span.end.clamp(start, text.end));
            if !kept.is_empty() {
                all.push(kept);
                all.extend(self.has_cells().then(|| Span::new(text.end, text.end + 1)));
            }
        }
        self.protected = Protected::new(all);
        self
    }

    /// Keeps files from being removed, by their numbers. Their content may still be removed.
    ///
    /// ```
    /// use nubbin_edit::Edit;
    /// use nubbin_edit::Input;
    ///
    /// let input = Input::files([("a", b"one".to_vec()), ("b", b"two".to_vec())]).unwrap();
    /// let input = input.keep_files([0]);
    /// let all = Edit::delete(input.file(0).unwrap().extent);
    /// let allowed = input.protected().trim(all);
    /// assert_eq!(input.apply(&allowed).file(0).unwrap().text, b"");
    /// ```
    #[must_use]
    pub fn keep_files(mut self, numbers: impl IntoIterator<Item = usize>) -> Self {
        let mut all: Vec<Span> = self.protected.spans().to_vec();
        let files = numbers.into_iter().filter_map(|number| self.file(number));
        let cells = files.map(|file| Span::new(file.span.end, file.extent.end));
        all.extend(cells);
        self.protected = Protected::new(all);
        self
    }

    /// Returns the protected spans of the current buffer. The spans include the cells of files that
    /// may not be removed.
    pub fn protected(&self) -> &Protected {
        &self.protected
    }

    /// Returns the whole buffer to which edits refer, including cells and names.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the end of the files in the buffer. The names of files, if there are any, follow it.
    pub fn files_end(&self) -> usize {
        let naming = self.naming.as_ref();
        naming.map_or(self.bytes.len(), |naming| naming.start as usize)
    }

    /// Returns the names that no file may get, in addition to the names of other files.
    pub fn taken_names(&self) -> &[PathBuf] {
        let naming = self.naming.as_ref();
        naming.map_or(&[][..], |naming| &naming.taken)
    }

    /// Returns the name of a file below its folder, or `None` if the name cannot change.
    pub fn name_within(&self, number: usize) -> Option<&Path> {
        let folder = self.naming.as_ref()?.folders.get(number)?.as_ref()?;
        self.names[number].strip_prefix(folder).ok()
    }

    /// Returns the number of files in the original.
    pub fn file_count(&self) -> usize {
        self.names.len()
    }

    /// Returns a file by its number, or `None` if it was removed.
    pub fn file(&self, number: usize) -> Option<File<'_>> {
        let span = (*self.texts.get(number)?)?;
        let extent = if self.has_cells() {
            Span::new(span.start, span.end + 1)
        } else {
            span
        };
        let text = &self.bytes[span.range()];
        let name_span = self.naming.as_ref().and_then(|naming| {
            let span = (*naming.spans.get(number)?)?;
            Some(Span::new(
                naming.start + span.start,
                naming.start + span.end,
            ))
        });
        Some(File {
            number,
            name: &self.names[number],
            text,
            span,
            extent,
            name_span,
        })
    }

    /// Returns the files that are present, in order.
    pub fn present(&self) -> impl Iterator<Item = File<'_>> {
        (0..self.names.len()).filter_map(|number| self.file(number))
    }

    /// Returns the total size of all present files, in bytes.
    pub fn size(&self) -> usize {
        self.texts
            .iter()
            .flatten()
            .map(|span| span.len() as usize)
            .sum()
    }

    /// Returns the input after an edit.
    #[must_use]
    pub fn apply(&self, edit: &Edit) -> Input {
        let mut buffer = Vec::new();
        let print = edit.render_hashed(&self.bytes, &mut buffer);
        let (mut names, mut naming) = (Arc::clone(&self.names), None);
        let (texts, print): (Arc<[Option<Span>]>, _) = if self.has_cells() {
            let applied = Applied::new(edit.clone());
            let after = |text: &Option<Span>| {
                let text = (*text)?;
                let cell = applied.span(Span::new(text.end, text.end + 1));
                // An insertion at either border of a file belongs to that file.
                let start = applied.end(text.start);
                (!cell.is_empty()).then(|| Span::new(start.min(cell.start), cell.start))
            };
            let texts: Arc<[_]> = self.texts.iter().map(after).collect();
            let print = mix(print, &texts, self.salt);
            if let Some(old) = &self.naming {
                (names, naming) = old.after(&applied, &buffer, names);
            }
            (texts, print)
        } else {
            let text = Span::new(0, buffer.len() as u32);
            (Arc::new([Some(text)]), print)
        };
        Input {
            bytes: Arc::new(buffer),
            names,
            texts,
            salt: self.salt,
            naming,
            protected: self.protected.after(edit),
            print,
        }
    }

    /// Returns the fingerprint of the current content.
    pub fn fingerprint(&self) -> Fingerprint {
        self.print
    }

    /// Calls `ask` with the candidate that an oracle is to test.
    pub fn with_candidate<R>(&self, ask: impl FnOnce(&verdict::Candidate<'_>) -> R) -> R {
        let files: smallvec::SmallVec<[verdict::File<'_>; 1]> = self
            .present()
            .map(|file| verdict::File {
                name: file.name,
                bytes: file.text,
            })
            .collect();
        ask(&verdict::Candidate::new(&files))
    }

    fn has_cells(&self) -> bool {
        self.names.len() > 1
    }
}

/// Names of files in a buffer: each below its folder, and followed by a cell.
#[derive(Clone, Debug)]
struct Naming {
    /// The offset of the first name.
    start: u32,
    /// The span of each name, relative to `start`; `None` if the file's name is not in the buffer.
    spans: Arc<[Option<Span>]>,
    /// The folder of each file whose name is in the buffer.
    folders: Arc<[Option<PathBuf>]>,
    taken: Arc<[PathBuf]>,
}

impl Naming {
    fn spans(bytes: &[u8], folders: &[Option<PathBuf>]) -> Vec<Option<Span>> {
        let mut at = 0;
        let mut names = bytes.split(|&byte| byte == CELL).map(|name| {
            let span = Span::new(at, at + name.len() as u32);
            at = span.end + 1;
            span
        });
        let spans = folders.iter().map(|folder| {
            folder.as_ref()?;
            names.next()
        });
        spans.collect()
    }

    /// Returns the names after an edit.
    fn after(
        &self,
        applied: &Applied,
        buffer: &[u8],
        mut names: Arc<[PathBuf]>,
    ) -> (Arc<[PathBuf]>, Option<Arc<Naming>>) {
        let mut naming = self.clone();
        naming.start = applied.end(self.start);
        let last = applied.edit().splices().last();
        if last.is_none_or(|last| last.span.end <= self.start) {
            return (names, Some(Arc::new(naming)));
        }
        let bytes = &buffer[naming.start as usize..];
        naming.spans = Naming::spans(bytes, &self.folders).into();
        let mut renamed = names.to_vec();
        let spans = naming.spans.iter().zip(self.folders.iter());
        for (name, (span, folder)) in renamed.iter_mut().zip(spans) {
            let text = span.map(|span| std::str::from_utf8(&bytes[span.range()]));
            if let (Some(Ok(text)), Some(folder)) = (text, folder)
                && is_inner(Path::new(text))
            {
                *name = folder.join(text);
            }
        }
        names = renamed.into();
        (names, Some(Arc::new(naming)))
    }
}

/// Returns whether a path leads to a place below the folder to which it is joined.
fn is_inner(path: &Path) -> bool {
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    !path.as_os_str().is_empty() && path.components().all(is_plain)
}

/// Mixes the places of the files into a fingerprint, since a zero byte at the end of a file and a
/// cell look alike.
fn mix(print: Fingerprint, texts: &[Option<Span>], salt: u128) -> Fingerprint {
    let mut words = Vec::with_capacity(texts.len() * 8);
    for text in texts {
        let text = text.unwrap_or(Span::new(u32::MAX, u32::MAX));
        words.extend_from_slice(&text.start.to_le_bytes());
        words.extend_from_slice(&text.end.to_le_bytes());
    }
    Fingerprint(print.0 ^ fingerprint(&words).0 ^ salt)
}

fn offset(len: usize) -> Result<u32, InputError> {
    // The last offset is reserved: it marks a file that was removed.
    u32::try_from(len)
        .ok()
        .filter(|&len| len < u32::MAX)
        .ok_or(InputError::TooLarge(len as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Input {
        Input::files([("a", b"one".to_vec()), ("b", b"two".to_vec())]).unwrap()
    }

    #[test]
    fn emptying_a_file_is_not_removing_it() {
        let input = two();
        let emptied = input.apply(&Edit::delete(input.file(0).unwrap().span));
        assert_eq!(emptied.file(0).unwrap().text, b"");
        let removed = input.apply(&Edit::delete(input.file(0).unwrap().extent));
        assert!(removed.file(0).is_none());
        assert_ne!(emptied.fingerprint(), removed.fingerprint());
        assert_eq!((emptied.size(), removed.size()), (3, 3));
    }

    #[test]
    fn text_inserted_at_the_border_of_two_files_is_kept_in_its_file() {
        let input = two();
        let end_of_first = input.file(0).unwrap().span.end;
        let start_of_second = input.file(1).unwrap().span.start;
        let input = input.apply(
            &Edit::new([
                crate::Splice::replace(Span::new(end_of_first, end_of_first), b"!"),
                crate::Splice::replace(Span::new(start_of_second, start_of_second), b"?"),
            ])
            .unwrap(),
        );
        assert_eq!(input.file(0).unwrap().text, b"one!");
        assert_eq!(input.file(1).unwrap().text, b"?two");
    }

    #[test]
    fn a_zero_byte_in_a_file_is_not_taken_for_the_border() {
        let first = Input::files([("a", b"x\0".to_vec()), ("b", b"".to_vec())]).unwrap();
        let second = Input::files([("a", b"x".to_vec()), ("b", b"\0".to_vec())]).unwrap();
        assert_eq!(first.bytes(), second.bytes());
        assert_ne!(first.fingerprint(), second.fingerprint());
    }

    #[test]
    fn the_same_content_under_other_names_is_another_input() {
        let other = Input::files([("a", b"one".to_vec()), ("c", b"two".to_vec())]).unwrap();
        assert_eq!(other.bytes(), two().bytes());
        assert_ne!(other.fingerprint(), two().fingerprint());
    }

    #[test]
    fn the_fingerprint_of_a_rendered_input_is_that_of_its_content() {
        let less = two().apply(&Edit::delete(Span::new(0, 2)));
        let same = Input::files([("a", b"e".to_vec()), ("b", b"two".to_vec())]);
        assert_eq!(less.fingerprint(), same.unwrap().fingerprint());
    }

    #[test]
    fn a_name_in_the_buffer_is_changed_with_texts_and_files() {
        let files = ["a", "b", "c"].map(|name| (format!("p/d/{name}"), name.into()));
        let input = Input::files(files).unwrap();
        let folder = |number| (number > 0).then(|| PathBuf::from("p"));
        let input = input.with_names(folder, vec!["p/x".into()]).unwrap();
        assert_eq!(input.bytes(), b"a\0b\0c\0d/b\0d/c\0");
        assert_eq!((input.files_end(), input.size()), (6, 3));
        assert_eq!(input.name_within(0), None);
        let named = |number: usize| input.file(number).unwrap().name_span.unwrap();
        let edit = Edit::new([
            crate::Splice::replace(input.file(0).unwrap().span, b"long"),
            crate::Splice::delete(input.file(1).unwrap().extent),
            crate::Splice::replace(named(2), b"e"),
        ]);
        let after = input.apply(&edit.unwrap());
        let left: Vec<_> = after.present().map(|file| (file.name, file.text)).collect();
        let expected = [("p/d/a", &b"long"[..]), ("p/e", b"c")];
        assert_eq!(left, expected.map(|(name, text)| (Path::new(name), text)));
        assert_eq!(after.name_within(2), Some(Path::new("e")));
        // The next edit finds the names at their new offsets.
        let again = after.apply(&Edit::replace(
            after.file(2).unwrap().name_span.unwrap(),
            b"f",
        ));
        assert_eq!(again.file(2).unwrap().name, Path::new("p/f"));
        assert_ne!(again.fingerprint(), after.fingerprint());
    }

    #[test]
    fn a_name_that_leads_out_of_the_folder_is_not_taken() {
        let input = two().with_names(|_| Some("".into()), vec![]).unwrap();
        for name in [&b"../a"[..], b"/a", b"", b"\xff"] {
            let span = input.file(0).unwrap().name_span.unwrap();
            let after = input.apply(&Edit::replace(span, name));
            assert_eq!(after.file(0).unwrap().name, Path::new("a"));
        }
    }

    #[test]
    fn two_files_of_the_same_name_are_an_error() {
        let twice = Input::files([("a", vec![]), ("a", vec![])]);
        assert_eq!(twice.unwrap_err(), InputError::SameName("a".into()));
    }
}
