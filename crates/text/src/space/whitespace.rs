use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{
    Chain, Context, Pass, PassInfo, Proposals, Spans, Units, Work, all_or_some,
};
use std::ops::Range;

/// Deletes white space without meaning: spaces at line ends, blank lines, indentation, runs of
/// spaces, and spaces next to punctuation.
///
/// There are five lists, one per kind, and each begins with all of its kind at once. So it takes
/// five tests where layout does not matter, and the list minimizer works only where it does
/// (Python's indentation, a text inside quotes, a Makefile's tabs). The pass is cheap early, where
/// it makes every later test a little faster, and at the end it deletes the spaces that other
/// passes left.
///
/// Newlines themselves are left to [`JoinLines`](crate::JoinLines).
///
/// Source: the blank and indentation passes of C-Reduce (Regehr et al. 2012) and Shrink Ray
/// (MacIver). This one splits each kind where deleting all of it is rejected, and never reformats.
///
/// ```
/// use nubbin_reduce::pass::{Whitespace, preview};
///
/// let first = preview(&Whitespace, b"if  x { \n\n  y ;\n}\n", 1);
/// assert_eq!(first, ["if  x {\n\n  y ;\n}\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Whitespace;

impl Pass for Whitespace {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "whitespace",
            "deletes indentation, blank lines, runs of spaces, and spaces next to punctuation",
            "C-Reduce (Regehr et al. 2012); Shrink Ray (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let found = Kinds::find(file);
        fn all(units: impl Units + 'static) -> Work {
            all_or_some(units)
        }
        let works = [
            all(Spans::new(found.at_line_ends)),
            all(Spans::new(found.blank_lines)),
            all(Spans::new(found.indentation)),
            all(Proposals::new(found.runs)),
            all(Spans::new(found.beside_punctuation)),
        ];
        Chain::work(works, context.lists)
    }
}

#[derive(Default)]
struct Kinds {
    at_line_ends: Vec<Span>,
    blank_lines: Vec<Span>,
    indentation: Vec<Span>,
    /// Runs of white space inside a line, each as an edit that replaces it with one space.
    runs: Vec<Edit>,
    beside_punctuation: Vec<Span>,
}

impl Kinds {
    fn find(file: &File<'_>) -> Self {
        let mut found = Kinds::default();
        for run in white_runs(file.text) {
            found.sort_in(file, run);
        }
        found
    }

    fn sort_in(&mut self, file: &File<'_>, run: Range<usize>) {
        let at = |range: Range<usize>| Span::at(file.span.start, range);
        let white = file.text.get(run.clone()).unwrap_or_default();
        let newline = |byte: &u8| *byte == b'\n';
        let (first, last) = (
            white.iter().position(newline),
            white.iter().rposition(newline),
        );
        let Some((first, last)) = first.zip(last) else {
            match (run.start == 0, run.end == file.text.len()) {
                (true, _) => self.indentation.push(at(run)),
                (_, true) => self.at_line_ends.push(at(run)),
                _ => self.sort_in_blanks(file, run),
            }
            return;
        };
        let (first, last) = (run.start + first, run.start + last);
        if run.start < first {
            self.at_line_ends.push(at(run.start..first));
        }
        if run.start == 0 {
            self.blank_lines.push(at(0..last + 1));
        } else if first < last {
            self.blank_lines.push(at(first + 1..last + 1));
        }
        if last + 1 < run.end {
            let kind = if run.end == file.text.len() {
                &mut self.at_line_ends
            } else {
                &mut self.indentation
            };
            kind.push(at(last + 1..run.end));
        }
    }

    fn sort_in_blanks(&mut self, file: &File<'_>, run: Range<usize>) {
        let span = Span::at(file.span.start, run.clone());
        let starts_with_space = file.text.get(run.start) == Some(&b' ');
        if !starts_with_space {
            self.runs.push(Edit::replace(span, b" "));
        } else if span.len() > 1 {
            self.runs
                .push(Edit::delete(Span::new(span.start + 1, span.end)));
        }
        let between = (
            run.start.checked_sub(1).and_then(|at| file.text.get(at)),
            file.text.get(run.end),
        );
        if !matches!(between, (Some(&left), Some(&right)) if is_word(left) && is_word(right)) {
            self.beside_punctuation.push(span);
        }
    }
}

/// Returns the maximal runs of white space, including newlines.
pub(crate) fn white_runs(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    text.chunk_by(|&left, &right| is_white(left) == is_white(right))
        .filter_map(move |run| {
            let start = at;
            at += run.len();
            run.first()
                .is_some_and(|&byte| is_white(byte))
                .then_some(start..at)
        })
}

fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Returns whether a byte is part of a word, so that it would join another such byte next to it.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::reduce_with;

    #[test]
    fn all_whitespace_that_is_not_needed_is_removed() {
        let text = b"\n \tint  f ( ) \r\n\n{\n\treturn\t0 ;  \n}\n\n ";
        assert_eq!(
            reduce_with(&Whitespace, text, |_| true),
            b"int f()\n{\nreturn 0;\n}\n"
        );
    }

    #[test]
    fn needed_indentation_stays_and_the_rest_is_removed() {
        let text = b"def f( ):\n    x  =  1\n\n    y = \xff\n";
        let python = |text: &[u8]| {
            text.split(|&b| b == b'\n').skip(1).all(|line| {
                line.is_empty()
                    || line.starts_with(b"    ") && line.get(4).is_some_and(|b| *b != b' ')
            })
        };
        assert_eq!(
            reduce_with(&Whitespace, text, python),
            b"def f():\n    x=1\n    y=\xff\n"
        );
    }

    #[test]
    fn a_text_of_only_whitespace_or_without_any_causes_no_error() {
        assert_eq!(reduce_with(&Whitespace, b"  \t ", |_| true), b"");
        assert_eq!(reduce_with(&Whitespace, b"\n\n\n", |_| true), b"");
        assert_eq!(reduce_with(&Whitespace, b"a\0b", |_| true), b"a\0b");
        assert_eq!(reduce_with(&Whitespace, b"", |_| true), b"");
    }
}
