use super::markers::Markers;
use nubbin_verdict::File;
use std::ops::Range;
use std::path::Path;

/// The files of an input, for positions in them.
pub(super) struct Texts<'a> {
    texts: Vec<Text<'a>>,
}

struct Text<'a> {
    file: &'a File<'a>,
    /// The offset of each line.
    starts: Vec<usize>,
    markers: Markers<'a>,
}

/// The largest number of places where a function is defined or called.
const CALLS: usize = 4;

/// Names for the standard input, which is the only file or the first one.
const STANDARD_INPUT: [&str; 6] = [
    "<stdin>",
    "-",
    "stdin",
    "STDIN",
    "standard input",
    "/dev/stdin",
];

impl<'a> Texts<'a> {
    pub(super) fn of(files: impl IntoIterator<Item = &'a File<'a>>) -> Self {
        let texts = files.into_iter().map(|file| {
            let breaks = file.bytes.iter().enumerate();
            let breaks = breaks.filter(|(_, byte)| **byte == b'\n');
            let mut starts: Vec<usize> = vec![0];
            starts.extend(breaks.map(|(at, _)| at + 1));
            Text {
                markers: Markers::of(file.bytes, &starts),
                starts,
                file,
            }
        });
        Texts {
            texts: texts.collect(),
        }
    }

    /// Returns the lines that a path and a number mean, as the indexes of the file and of the line.
    /// There may be several, since a preprocessed text may have a header twice.
    pub(super) fn lines(&self, path: &str, number: usize) -> Vec<(usize, usize)> {
        let path = path.trim();
        let marked = self.texts.iter().enumerate();
        let marked = marked.flat_map(|(nth, text)| {
            let lines = text.markers.lines(path, number);
            lines.into_iter().map(move |line| (nth, line))
        });
        let marked: Vec<_> = marked.collect();
        if !marked.is_empty() {
            return marked;
        }
        let line = number.checked_sub(1);
        self.named(path).zip(line).into_iter().collect()
    }

    /// Returns the file that a path means.
    ///
    /// A test may print the name as given, with a folder before it, or may run on a copy of the
    /// file in another folder.
    fn named(&self, path: &str) -> Option<usize> {
        if STANDARD_INPUT.contains(&path) {
            return (self.texts.len() == 1).then_some(0);
        }
        let path = Path::new(path.strip_prefix("file://").unwrap_or(path));
        let names = || self.texts.iter().map(|text| text.file.name);
        if let Some(nth) = names().position(|name| path.ends_with(name)) {
            return Some(nth);
        }
        let last = path.file_name()?;
        let mut same = (0..)
            .zip(names())
            .filter(|(_, name)| name.file_name() == Some(last));
        let (nth, _) = same.next()?;
        same.next().is_none().then_some(nth)
    }

    /// Returns the first positions in a file at which a function of the given name is defined or
    /// called.
    pub(super) fn calls(&self, path: &str, name: &[u8]) -> Vec<(usize, Range<usize>)> {
        let of = |text: &Text<'_>| text.markers.has(path);
        let marked = self.texts.iter().position(of);
        let Some(file) = marked.or_else(|| self.named(path.trim())) else {
            return vec![];
        };
        let bytes = self.texts[file].file.bytes;
        let is_word = |at: Option<usize>| {
            let byte = at.and_then(|at| bytes.get(at));
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        };
        let is_call = |at: &usize| {
            let behind = bytes[at + name.len()..].trim_ascii_start();
            behind.first() == Some(&b'(') && !is_word(at.checked_sub(1))
        };
        let words = bytes.windows(name.len().max(1)).enumerate();
        let words = words.filter(|(_, word)| *word == name).map(|(at, _)| at);
        let calls = words.filter(is_call).take(CALLS);
        calls.map(|at| (file, at..at + name.len())).collect()
    }

    /// Returns whether there is one file.
    pub(super) fn is_single(&self) -> bool {
        self.texts.len() == 1
    }

    /// Returns the bytes at a column of a line, or the bytes of the whole line.
    pub(super) fn range(
        &self,
        file: usize,
        line: usize,
        column: Option<usize>,
    ) -> Option<Range<usize>> {
        let text = self.texts.get(file)?;
        let start = *text.starts.get(line)?;
        let end = text.starts.get(line + 1).copied();
        let end = end.unwrap_or(text.file.bytes.len());
        let line = &text.file.bytes[start..end];
        let inner = line.trim_ascii();
        let first = start + (line.len() - line.trim_ascii_start().len());
        if inner.is_empty() {
            return None;
        }
        let whole = first..first + inner.len();
        // A tool may count columns in another way, so the column may be after the end of the line.
        match column.and_then(|column| Some(start + column.checked_sub(1)?)) {
            Some(at) if at < whole.end => Some(self.word(file, at.max(first), whole.end)),
            _ => Some(whole),
        }
    }

    /// Returns the bytes at an offset.
    pub(super) fn range_at(&self, file: usize, offset: usize) -> Option<Range<usize>> {
        let text = self.texts.get(file)?;
        (offset < text.file.bytes.len()).then(|| self.word(file, offset, text.file.bytes.len()))
    }

    /// Returns the word, or the single other byte, at an offset or after the white space at the
    /// offset.
    fn word(&self, file: usize, at: usize, end: usize) -> Range<usize> {
        let bytes = &self.texts[file].file.bytes[at..end];
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
        let blanks = bytes.len() - bytes.trim_ascii_start().len();
        let len = bytes[blanks..]
            .iter()
            .take_while(|byte| is_word(byte))
            .count();
        at + blanks..(at + blanks + len.max(1)).min(end)
    }
}
