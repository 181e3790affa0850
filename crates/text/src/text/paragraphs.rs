use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, Work, pieces};
use nubbin_view::lines::{is_blank, lines};

/// Deletes paragraphs: blocks of lines with blank lines in between.
///
/// Blank lines separate functions, sections, test cases, and records of a log, also in languages
/// that no other pass has a view of. A paragraph includes the blank lines after it.
///
/// Cost: that of a list of a few units; none where there is no blank line.
///
/// Source: our own; editors have the same notion. It is a coarser [`Lines`](crate::Lines).
///
/// ```
/// use nubbin_reduce::pass::{Paragraphs, preview};
///
/// assert_eq!(preview(&Paragraphs, b"a\nb\n\nc\n\n\nd\n", 2), ["a\nb\n\nc\n\n\n", "a\nb\n\nd\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Paragraphs;

impl Pass for Paragraphs {
    fn id(&self) -> &'static str {
        "paragraphs"
    }

    fn about(&self) -> &'static str {
        "deletes blocks of lines between blank lines"
    }

    fn source(&self) -> &'static str {
        "ours"
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        let mut bounds = vec![0];
        let mut blank_before = false;
        for line in lines(file.text) {
            let blank = is_blank(file.text.get(line.range()).unwrap_or_default());
            if blank_before && !blank && line.start > 0 {
                bounds.push(line.start);
            }
            blank_before = blank;
        }
        bounds.push(file.text.len() as u32);
        pieces(file, bounds)
    }

    fn joins_files(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn a_paragraph_is_removed_with_the_blank_lines_after_it() {
        let left = reduce_with(&Paragraphs, b"\n\na\n \t\nb\nc\r\n\r\nd\n\ne", |text| {
            text.contains(&b'c')
        });
        assert_eq!(left, b"b\nc\r\n\r\n");
    }

    #[test]
    fn a_text_without_blank_lines_is_left_alone() {
        assert!(proposals(&Paragraphs, b"a\nb\nc\n").is_empty());
    }
}
