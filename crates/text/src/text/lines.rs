use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work, tiling};
use nubbin_view::lines::bounds;

/// Deletes lines.
///
/// Lines are the oldest unit, and still the best unit for text of an unknown kind: in code, data,
/// and logs, a line is the smallest part that is often independent. On 30 KB of SQL, plain lines
/// came second of all tools that were measured. The pass ignores nesting: if a block opens on one
/// line and closes on another, both lines must be deleted together. The passes by
/// [depth](crate::DepthPieces), [indentation](crate::IndentedBlocks) and [brackets](crate::Groups)
/// do that.
///
/// Cost: 2·log₂(*n*/*k*) tests for each of *k* lines that stay, plus *k* to show that none of them
/// can be deleted.
///
/// Source: Zeller and Hildebrandt's experiments; Lithium (Ruderman). Each line includes its line
/// end, so that the last one may lack it.
///
/// ```
/// use nubbin_reduce::pass::{Lines, preview};
///
/// assert_eq!(preview(&Lines, b"one\ntwo\nthree", 2), ["one\ntwo\n", "one\nthree"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Lines;

impl Pass for Lines {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "lines",
            "deletes lines",
            "Zeller, Hildebrandt (TSE 2002); Lithium (Ruderman)",
        )
        .joining_files()
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        tiling(file, bounds(file.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::reduce_with;

    #[test]
    fn lines_that_are_not_needed_are_removed() {
        let text: String = (0..100).map(|i| format!("line {i}\r\n")).collect();
        let left = reduce_with(&Lines, text.as_bytes(), |text| {
            [&b"line 7\r\n"[..], b"line 93\r\n"]
                .iter()
                .all(|line| text.windows(line.len()).any(|w| w == *line))
        });
        assert_eq!(left, b"line 7\r\nline 93\r\n");
    }

    #[test]
    fn any_bytes_are_lines() {
        assert_eq!(
            reduce_with(&Lines, b"\0\n\xff\nlast", |text| text.ends_with(b"last")),
            b"last"
        );
    }
}
