use super::whitespace::{is_word, white_runs};
use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Chain, Context, Pass, PassInfo, Proposals, Spans, Work, all_or_some};

/// Deletes line ends, with the white space around them.
///
/// The pass first deletes line ends next to punctuation, where no two words are joined. The pass
/// then replaces every line end, together with its indentation, with one space, and finally deletes
/// all other line ends. Each kind is first tried all at once, then as a list. The pass takes a few
/// tests in most languages, in which a line end means the same as a space. If lines matter (Python,
/// assembler, comments to the end of the line), it takes about two tests for each line.
///
/// Run it late: it saves a byte for each line, and leaves fewer lines for passes over lines.
///
/// Source: Shrink Ray's byte passes (MacIver), which get there byte by byte. The list by line
/// ends is our own.
///
/// ```
/// use nubbin_reduce::pass::{JoinLines, preview};
///
/// assert_eq!(preview(&JoinLines, b"f() {\n  g();\n}\n", 1), ["f() {g();}"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct JoinLines;

impl Pass for JoinLines {
    fn info(&self) -> PassInfo {
        PassInfo::new("join-lines", "removes line ends", "ours")
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let (mut safe, mut between_words, mut to_spaces) = (vec![], vec![], vec![]);
        for run in white_runs(file.text) {
            let white = file.text.get(run.clone()).unwrap_or_default();
            if !white.contains(&b'\n') {
                continue;
            }
            let span = Span::at(file.span.start, run.clone());
            let left = run.start.checked_sub(1).and_then(|at| file.text.get(at));
            match (left, file.text.get(run.end)) {
                (Some(&left), Some(&right)) if is_word(left) && is_word(right) => {
                    between_words.push(span);
                }
                _ => safe.push(span),
            }
            if span.len() > 1 {
                to_spaces.push(Edit::replace(span, b" "));
            }
        }
        let works = [
            all_or_some(Spans::new(safe)),
            all_or_some(Proposals::new(to_spaces)),
            all_or_some(Spans::new(between_words)),
        ];
        Chain::work(works, context.lists)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn lines_are_joined_if_that_is_adopted() {
        let text = b"#if X\nint\n   a\n;\n\xff\nb\n";
        let directive = |text: &[u8]| {
            text.starts_with(b"#if X\n") && text.windows(3).all(|window| window != b"nta")
        };
        assert_eq!(
            reduce_with(&JoinLines, text, directive),
            b"#if X\nint a;\xffb"
        );
    }

    #[test]
    fn a_text_in_one_line_has_nothing_to_join() {
        assert!(proposals(&JoinLines, b"a b\0c").is_empty());
        assert!(proposals(&JoinLines, b"").is_empty());
        assert_eq!(reduce_with(&JoinLines, b"\n", |_| true), b"");
    }
}
