use nubbin_edit::File;
use nubbin_engine::work::{CommaTiling, Context, List, Pass, PassInfo, Units, Work, pieces};
use nubbin_view::pieces::{bounds_in, divided_by};

/// Deletes the pieces that a pretty printer would put on lines of their own, down to a nesting
/// depth.
///
/// At depth 0 a piece is a top-level form, of any number of lines: a function with its body, a
/// struct, a statement of a script. At depth 1 the statements of each function are pieces, and so
/// on. The pass is the coarse step that decides the first minute: on 178 KB of C, the tools that
/// begin like this were at 12 to 15 KB after ten seconds, those that work through a tree node by
/// node at
/// 150. [`bounds`](nubbin_view::pieces::bounds) documents how a text is cut.
///
/// A piece with one bracket of a pair whose other bracket is in another piece is kept: the
/// statements of a function are deleted, and its first and last line are not. A cut through the
/// middle of a file hardly ever has both. If the last elements of a list are deleted, such as
/// members of a JSON object, the comma before them is deleted, too.
///
/// Cost: at depth *d* a list of all pieces. Those of a deeper depth are only worth it after the
/// lower ones.
///
/// Source: topformflat (McPeak, Wilkerson: Delta), as C-Reduce uses it at growing depth.
/// topformflat rewrites the file, and makes it longer if it is not C. In this pass, pieces are
/// spans of the unchanged text, and a file of a single line is also cut into pieces.
///
/// ```
/// use nubbin_reduce::pass::{DepthPieces, preview};
///
/// let text = b"int f()\n{\n  g();\n}\nint x;\n";
/// let first = preview(&DepthPieces::new(0), text, 2);
/// assert_eq!(first, ["int f()\n{\n  g();\n}\n", "int x;\n"]);
/// let first = preview(&DepthPieces::new(1), text, 2);
/// assert_eq!(first, ["int f()\n{\n  g();\n}\n", "int f()\n{\n}\nint x;\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct DepthPieces {
    depth: u32,
}

impl DepthPieces {
    /// The names of the pass at depth 0, 1, and so on.
    const IDS: [&str; 3] = ["depth-0", "depth-1", "depth-2"];

    /// Creates the pass for a depth. A depth above 2 is treated as 2.
    pub fn new(depth: u32) -> Self {
        DepthPieces {
            depth: depth.min(Self::IDS.len() as u32 - 1),
        }
    }

    /// Returns the number of groups that may be open at a cut.
    pub fn depth(&self) -> u32 {
        self.depth
    }
}

impl Pass for DepthPieces {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            Self::IDS[self.depth as usize],
            "deletes top-level forms, or forms at a given nesting depth",
            "topformflat (McPeak, Wilkerson: Delta); C-Reduce (Regehr et al. 2012)",
        )
        .joining_files()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let bounds = bounds_in(context.views, file.text, self.depth);
        let divided = divided_by(&context.views.of(file.text), &bounds);
        let tiling = CommaTiling::new(file.text, file.span.start, &bounds, &divided);
        if !tiling.has_lists() && !divided.contains(&true) {
            return pieces(file, bounds);
        }
        (tiling.len() > 1).then(|| Work::List(List::new(tiling).cumulative()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::reduce_with;

    #[test]
    fn every_depth_has_its_own_name() {
        let ids = [0, 1, 2].map(|depth| DepthPieces::new(depth).id());
        assert_eq!(ids, DepthPieces::IDS);
        assert_eq!(DepthPieces::new(99).id(), "depth-2");
        assert_eq!(DepthPieces::new(99).depth(), 2);
    }

    #[test]
    fn forms_that_are_not_needed_are_removed() {
        let text = b"void a()\n{\n  b(\n  1);\n}\n\nint c() { return 1; }\nint d;\n";
        let needs = |text: &[u8]| text.windows(6).any(|w| w == b"return");
        assert_eq!(
            reduce_with(&DepthPieces::new(0), text, needs),
            b"\nint c() { return 1; }\n"
        );
    }

    #[test]
    fn the_last_members_of_an_object_go_with_the_comma_before_them() {
        let text = b"{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": {\n    \"d\": 3\n  }\n}\n";
        let needs = |text: &[u8]| {
            let text = str::from_utf8(text).unwrap();
            let dense = text.replace(char::is_whitespace, "");
            dense.contains("{\"a\":1") && dense.ends_with('}') && !dense.contains(",}")
        };
        let left = reduce_with(&DepthPieces::new(1), text, needs);
        assert_eq!(left, b"{\n  \"a\": 1\n}\n");
        let left = reduce_with(&DepthPieces::new(2), text, needs);
        assert_eq!(left, b"{\n  \"a\": 1,\n  \"c\": {\n  }\n}\n");
    }
}
