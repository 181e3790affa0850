use nubbin_edit::File;
use nubbin_engine::work::{Context, EachByte, List, Pass, PassInfo, Work};

/// Deletes single bytes.
///
/// The pass is for data of an unknown kind, and runs early on such data. The list minimizer starts
/// with large blocks, and tries single bytes only if necessary. For text, prefer `Chars`, which
/// keeps characters whole.
///
/// Cost: 2·log₂(*n*/*k*) tests per run of needed bytes, plus one per byte.
///
/// Source: halfempty (Ormandy), afl-tmin (Zalewski). No table is kept, so a file of any size costs
/// no memory.
///
/// ```
/// use nubbin_reduce::pass::{Bytes, preview};
///
/// assert_eq!(preview(&Bytes, b"abc", 3), ["ab", "ac", "bc"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Bytes;

impl Pass for Bytes {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "bytes",
            "deletes single bytes",
            "halfempty (Ormandy); afl-tmin (Zalewski)",
        )
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        let units = EachByte { span: file.span };
        (!file.text.is_empty()).then(|| Work::List(List::new(units)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::reduce_with;

    #[test]
    fn bytes_that_are_not_needed_are_removed() {
        let text: Vec<u8> = (0..=255).cycle().take(2000).collect();
        assert_eq!(
            reduce_with(&Bytes, &text, |text| text.contains(&0)
                && text.contains(&0xfe)),
            [0, 0xfe]
        );
    }
}
