use nubbin_edit::File;
use nubbin_engine::work::{Context, EachByte, List, Pass, PassInfo, Work, tiling};
use nubbin_view::chars::bounds;

/// Deletes single characters.
///
/// The pass is a last resort: it deletes characters that no pass with a view of the text has
/// deleted, such as letters of names and digits of numbers. A character of UTF-8 is one unit, so a
/// valid text remains valid. A byte that is not part of a character is also a unit.
///
/// Cost: a list as long as the text, and at least one test per needed character. So it
/// belongs after all other passes.
///
/// Source: Zeller and Hildebrandt's ddmin on characters; Lithium's `--char`.
///
/// ```
/// use nubbin_reduce::pass::{Chars, preview};
///
/// assert_eq!(preview(&Chars, "aß€".as_bytes(), 3), ["aß", "a€", "ß€"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Chars;

impl Pass for Chars {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "chars",
            "deletes single characters",
            "Zeller, Hildebrandt (TSE 2002); Lithium (Ruderman)",
        )
        .joining_files()
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        if file.text.is_ascii() {
            // The units are computed, since a table with four bytes for each byte of a large text
            // would need much memory.
            let units = EachByte { span: file.span };
            return (!file.text.is_empty()).then(|| Work::List(List::new(units)));
        }
        tiling(file, bounds(file.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn a_character_of_several_bytes_is_never_split() {
        for text in proposals(&Chars, "xäöü€😀".as_bytes()) {
            assert!(std::str::from_utf8(&text).is_ok());
        }
    }

    #[test]
    fn all_characters_that_are_not_needed_are_removed() {
        let text = b"hello w\xffrld \xc3\xa4\0";
        let left = reduce_with(&Chars, text, |text| {
            text.contains(&0xff) && text.contains(&b'd')
        });
        assert_eq!(left, b"\xffd");
    }
}
