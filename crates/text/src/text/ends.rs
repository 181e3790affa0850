use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Context, Machine, Pass, PassInfo, Work};
use std::ops::Range;
use std::sync::Arc;

/// Deletes the longest end and the longest beginning that can be deleted, by bisection: first in
/// whole lines, then in bytes.
///
/// If all needed text is in one region, the pass finds the region in about 2 log2(n) tests, for any
/// format: a log in which one line crashes the reader, a binary with trailing data, a script that
/// fails at one statement (everything after it is not needed). On code it usually fails, since half
/// a function is not a function. Then it has cost about 2 log2(lines) + 2 log2(length of a line)
/// tests, a few dozen.
///
/// The end is first: a program that stops at the defect never reads the rest of its input, while
/// everything before the defect may be needed to get there.
///
/// Source: our own. halfempty (Ormandy) and AFL's tmin (Zalewski) delete the same with blocks of
/// halving size over the whole file. Bisection between the longest cut known to work and the
/// shortest known to fail takes a small part of the tests, and whole lines first keep a text
/// readable.
///
/// ```
/// use nubbin_reduce::pass::{Ends, preview};
///
/// let text = b"one\ntwo\nthree\nfour\n";
/// assert_eq!(preview(&Ends, text, 2), ["one\ntwo\n", "one\ntwo\nthree\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Ends;

impl Pass for Ends {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "ends",
            "deletes the longest end and the longest beginning, by bisection",
            "ours, after halfempty (Ormandy) and AFL tmin (Zalewski)",
        )
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        if file.text.len() < 2 {
            return None;
        }
        let starts = file
            .text
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n');
        let lines: Arc<[u32]> = starts
            .map(|(at, _)| file.span.start + at as u32 + 1)
            .collect();
        Some(Work::Machine(Box::new(Bisection::new(file.span, lines))))
    }
}

/// The bisection of both ends of a text. Each end has a range in which it is.
#[derive(Clone)]
struct Bisection {
    file: Span,
    /// The offset after each newline.
    lines: Arc<[u32]>,
    step: Step,
    /// The range that contains the end of the remaining text: a cut to `start` was rejected, and a
    /// cut to `end` was adopted.
    end: Range<u32>,
    /// The range that contains the start of the remaining text: a cut to `start` was adopted, and a
    /// cut to `end` was rejected.
    start: Range<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    EndByLine,
    StartByLine,
    EndByByte,
    StartByByte,
    Done,
}

impl Bisection {
    fn new(file: Span, lines: Arc<[u32]>) -> Self {
        // The empty text is proposed by another pass.
        let end = file.start..file.end;
        Bisection {
            file,
            lines,
            step: Step::EndByLine,
            start: end.clone(),
            end,
        }
    }

    /// Returns the next position to cut at, strictly inside the bracket of this step.
    fn cut(&self) -> Option<u32> {
        match self.step {
            Step::EndByLine => self.line_in(&self.end),
            Step::StartByLine => self.line_in(&self.start),
            Step::EndByByte => middle(&self.end),
            Step::StartByByte => middle(&self.start),
            Step::Done => None,
        }
    }

    fn line_in(&self, bracket: &Range<u32>) -> Option<u32> {
        let first = self.lines.partition_point(|&line| line <= bracket.start);
        let behind = self.lines.partition_point(|&line| line < bracket.end);
        (first < behind).then(|| self.lines[first + (behind - first - 1) / 2])
    }

    fn cuts_end(&self) -> bool {
        matches!(self.step, Step::EndByLine | Step::EndByByte)
    }

    fn go_on(&mut self) {
        self.step = match self.step {
            Step::EndByLine => {
                self.start.end = self.end.end;
                Step::StartByLine
            }
            Step::StartByLine => {
                self.end.start = self.end.start.max(self.start.start);
                Step::EndByByte
            }
            Step::EndByByte => {
                self.start.end = self.start.end.min(self.end.end);
                Step::StartByByte
            }
            Step::StartByByte | Step::Done => Step::Done,
        };
    }
}

fn middle(bracket: &Range<u32>) -> Option<u32> {
    let width = bracket.end.saturating_sub(bracket.start);
    (width > 1).then(|| bracket.start + width / 2)
}

impl Machine for Bisection {
    fn next(&mut self) -> Option<Edit> {
        while self.step != Step::Done {
            if let Some(at) = self.cut() {
                let gone = if self.cuts_end() {
                    Span::new(at, self.file.end)
                } else {
                    Span::new(self.file.start, at)
                };
                return Some(Edit::delete(gone));
            }
            self.go_on();
        }
        None
    }

    fn record(&mut self, adopted: bool) {
        let Some(at) = self.cut() else { return };
        match (self.cuts_end(), adopted) {
            (true, true) => self.end.end = at,
            (true, false) => self.end.start = at,
            (false, true) => self.start.start = at,
            (false, false) => self.start.end = at,
        }
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};
    use std::cell::Cell;

    fn has(needle: &'static [u8]) -> impl Fn(&[u8]) -> bool {
        move |text| text.windows(needle.len()).any(|window| window == needle)
    }

    #[test]
    fn one_place_in_a_large_text_is_found_in_a_few_dozen_tests() {
        let mut text = b"some line of a log\n".repeat(5_000);
        text.splice(40_000..40_000, *b"CRASH\0\xff");
        let tests = Cell::new(0);
        let counted = |candidate: &[u8]| {
            tests.set(tests.get() + 1);
            has(b"CRASH\0\xff")(candidate)
        };
        assert_eq!(reduce_with(&Ends, &text, counted), b"CRASH\0\xff");
        assert!(tests.get() < 40, "{}", tests.get());
    }

    #[test]
    fn one_line_is_cut_by_bytes() {
        assert_eq!(reduce_with(&Ends, b"aaaaXbbbb", has(b"X")), b"X");
        assert_eq!(
            proposals(&Ends, b"abcd"),
            [&b"ab"[..], b"abc", b"cd", b"bcd"]
        );
    }

    #[test]
    fn needed_text_at_both_ends_stays() {
        let text = b"first\nmiddle\nlast";
        let both = |text: &[u8]| text.starts_with(b"f") && text.ends_with(b"t");
        assert_eq!(reduce_with(&Ends, text, both), text);
    }

    #[test]
    fn nothing_is_proposed_for_a_single_byte() {
        assert!(proposals(&Ends, b"").is_empty());
        assert!(proposals(&Ends, b"x").is_empty());
    }
}
