use nubbin_edit::{File, Span};
use nubbin_engine::work::{Context, List, Pass, PassInfo, Spans, Work};
use nubbin_view::lines::{is_blank, lines};

/// Deletes blank lines, first all at once.
///
/// The pass takes one test for all blank lines if they have no meaning, which is the usual case. In
/// Markdown, in mails, and in some data formats, a blank line is a separator. The list minimizer
/// then finds the few blank lines that must stay. A run of blank lines is one unit.
///
/// Use it when deletions have left gaps. Before, it saves too little.
///
/// Cost: one test, or a list of as many units as there are runs.
///
/// Source: the `blank` pass of C-Reduce (Regehr et al., PLDI 2012), which deletes all or none.
///
/// ```
/// use nubbin_reduce::pass::{BlankLines, preview};
///
/// assert_eq!(preview(&BlankLines, b"a\n\n \nb\n\nc\n", 2), ["a\nb\nc\n", "a\n\n \nb\nc\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct BlankLines;

impl BlankLines {
    /// Returns the share of blank lines in a text, measured in bytes.
    ///
    /// ```
    /// use nubbin_reduce::pass::BlankLines;
    ///
    /// assert_eq!(BlankLines::share(b"a\n\n\n"), 0.5);
    /// ```
    pub fn share(text: &[u8]) -> f64 {
        let blank = lines(text)
            .map(|line| text.get(line.range()).unwrap_or_default())
            .filter(|line| is_blank(line));
        blank.map(<[u8]>::len).sum::<usize>() as f64 / text.len().max(1) as f64
    }
}

impl Pass for BlankLines {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "blank-lines",
            "deletes blank lines",
            "C-Reduce (Regehr et al. 2012)",
        )
        .joining_files()
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        let mut runs: Vec<Span> = Vec::new();
        for line in lines(file.text) {
            if !is_blank(file.text.get(line.range()).unwrap_or_default()) {
                continue;
            }
            let line = Span::new(file.span.start + line.start, file.span.start + line.end);
            match runs.last_mut() {
                Some(last) if last.end == line.start => last.end = line.end,
                _ => runs.push(line),
            }
        }
        (!runs.is_empty()).then(|| Work::List(List::new(Spans::new(runs)).try_all()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn all_blank_lines_are_removed_in_one_test() {
        assert_eq!(proposals(&BlankLines, b"\n\na\n\t\r\nb\n\n")[0], b"a\nb\n");
        assert_eq!(reduce_with(&BlankLines, b"\n\n\n", |_| true), b"");
    }

    #[test]
    fn a_blank_line_that_is_needed_stays() {
        let left = reduce_with(&BlankLines, b"a\n\n\nb\n\nc\n\n", |text| {
            text.windows(3).any(|w| w == b"b\n\n")
        });
        assert_eq!(left, b"a\nb\n\nc\n");
    }
}
