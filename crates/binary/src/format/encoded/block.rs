//! Encoded letters on several lines.

use super::letters::{FEWEST, filled, run};
use crate::Lines;
use std::ops::Range;

/// The ends of lines of a file.
const FILE: [&str; 2] = ["\n", "\r\n"];

/// The ends of lines in a JSON string, or in a string of a program.
const STRING: [&str; 2] = ["\\n", "\\r\\n"];

/// Lines of letters, one after another. There are at least two lines.
pub(super) struct Block {
    lines: Vec<Range<usize>>,
    end: &'static str,
    indent: usize,
    /// Whether some lines in a string end differently from the first line.
    mixed: bool,
}

impl Block {
    /// Returns the lines that begin with a run of letters, if there are several lines.
    pub(super) fn read(text: &[u8], first: &Range<usize>) -> Option<Self> {
        let end = end(text, first)?;
        // The head of a PEM part, or the line between two parts of an e-mail.
        if first.is_empty() || text[first.clone()].ends_with(b"--") {
            return None;
        }
        let behind = &text[first.end + end.len()..];
        let blanks = behind.iter().take_while(|&&byte| byte == b' ').count();
        let mut block = Block {
            lines: vec![first.clone()],
            end,
            indent: if FILE.contains(&end) { blanks } else { 0 },
            mixed: false,
        };
        let mut last = first.clone();
        while let Some(end) = self::end(text, &last) {
            let start = last.end + end.len();
            let is_one_kind = FILE.contains(&block.end) || FILE.contains(&end);
            let indent = text.get(start..start + block.indent);
            let is_indented = indent.is_some_and(|blanks| blanks.iter().all(|&byte| byte == b' '));
            if is_one_kind && end != block.end || !is_indented {
                break;
            }
            last = run(text, start + block.indent);
            let is_word = matches!(text.get(last.end), Some(b'\t' | b':'))
                || text.get(last.end) == Some(&b' ') && self::end(text, &last).is_none();
            if last.is_empty() || is_word || text[last.clone()].starts_with(b"--") {
                break;
            }
            block.mixed |= end != block.end;
            block.lines.push(last.clone());
        }
        (block.lines.len() > 1).then_some(block)
    }

    /// Returns the end of the letters.
    pub(super) fn end(&self) -> usize {
        self.lines.last().map_or(0, |line| line.end)
    }

    /// Returns the first line.
    pub(super) fn first(&self) -> &Range<usize> {
        &self.lines[0]
    }

    /// Returns whether the lines in a string end in several ways.
    pub(super) fn is_mixed(&self) -> bool {
        self.mixed
    }

    /// Returns whether there is a single line.
    pub(super) fn is_single(&self) -> bool {
        self.lines.len() == 1
    }

    /// Returns the form in which the lines are written again. All lines get the width of the
    /// longest line, which the reader of the text has accepted.
    pub(super) fn lines(&self) -> Lines {
        let width = self.lines.iter().map(ExactSizeIterator::len).max();
        Lines {
            width: width.unwrap_or(0),
            end: self.end,
            indent: self.indent,
        }
    }

    /// Returns the range of the lines, including the `=` after them, and all letters.
    pub(super) fn joined(&self, text: &[u8]) -> (Range<usize>, Vec<u8>) {
        let lines = self.lines.iter().map(|line| &text[line.clone()]);
        let mut letters: Vec<u8> = lines.flatten().copied().collect();
        let last = &self.lines[self.lines.len() - 1];
        let place = filled(text, self.first().start, last, letters.len());
        letters.extend_from_slice(&text[last.end..place.end]);
        (place, letters)
    }

    /// Divides the lines into blocks of lines with one length. The last line of a block may be
    /// shorter, and a block may have a single line.
    pub(super) fn even(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = vec![];
        let mut width = 0;
        for line in &self.lines {
            let open = blocks.last_mut().filter(|block| {
                let last = block.lines.last().map_or(0, ExactSizeIterator::len);
                last == width && line.len() <= width
            });
            match open {
                Some(block) => block.lines.push(line.clone()),
                None => {
                    width = line.len();
                    blocks.push(Block {
                        lines: vec![line.clone()],
                        ..*self
                    });
                }
            }
        }
        blocks
    }

    /// Returns the lines from the first line that can be encoded by itself, if there are other
    /// lines before it.
    pub(super) fn without_short_head(&self) -> Option<Block> {
        let long = self.lines.iter().position(|line| line.len() >= FEWEST);
        let lines = self.lines[long.filter(|&long| long > 0)?..].to_vec();
        Some(Block { lines, ..*self })
    }

    /// Returns whether a line can be encoded by itself.
    pub(super) fn has_long(&self) -> bool {
        self.lines.iter().any(|line| line.len() >= FEWEST)
    }
}

/// Returns the end-of-line text of a line.
///
/// In a string, that may be a space: some passes write one in the place of an escape, which is
/// longer. Words are no such lines, since they are shorter than what can be encoded by itself.
fn end(text: &[u8], line: &Range<usize>) -> Option<&'static str> {
    let ends = |at: usize| {
        let mut ends = FILE.into_iter().chain(STRING);
        ends.find(|end| text[at..].starts_with(end.as_bytes()))
    };
    ends(line.end).or_else(|| {
        let is_blank = line.len() >= FEWEST && text.get(line.end) == Some(&b' ');
        let next = is_blank.then(|| run(text, line.end + 1))?;
        let is_before_mark = || {
            let end = ends(next.end).map(|end| &text[next.end + end.len()..]);
            !next.is_empty() && end.is_some_and(|behind| behind.starts_with(b"--"))
        };
        (next.len() >= FEWEST || is_before_mark()).then_some(" ")
    })
}
