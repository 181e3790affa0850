use super::windows::Sliding;
use nubbin_edit::File;
use nubbin_engine::work::{Context, EachByte, Pass, PassInfo, Work};

/// Deletes every substring of one to ten bytes, as a last resort.
///
/// The pass finds deletions that no view of the text suggests: half of an escape sequence, the
/// middle of a number and the quote after it, a comma with the first letter of the next word. The
/// pass tries all single bytes, then all pairs, and so on, backwards. If nothing can be deleted,
/// this takes ten tests for each byte, so the pass skips texts larger than
/// [`ShortCuts::largest_text`].
///
/// Source: Shrink Ray's short deletions (MacIver), which are its last pass too.
///
/// ```
/// use nubbin_reduce::pass::{ShortCuts, preview};
///
/// assert_eq!(preview(&ShortCuts::default(), b"abc", 9), ["ab", "ac", "bc", "a", "c", ""]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ShortCuts {
    /// The maximum length of a substring.
    pub longest: u32,
    /// The maximum number of bytes of a text. The pass skips longer texts.
    pub largest_text: u32,
}

impl Default for ShortCuts {
    fn default() -> Self {
        ShortCuts {
            longest: 10,
            largest_text: 200,
        }
    }
}

impl Pass for ShortCuts {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "short-cuts",
            "deletes every substring of a few bytes",
            "Shrink Ray (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        if file.span.len() > self.largest_text {
            return None;
        }
        Sliding::work(EachByte { span: file.span }, 1..=self.longest, u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn bytes_that_are_removable_only_together_are_removed() {
        let text = b"1-22\xff--1";
        let even = |text: &[u8]| text.len().is_multiple_of(2) && text.contains(&0xff);
        assert_eq!(reduce_with(&ShortCuts::default(), text, even).len(), 2);
    }

    #[test]
    fn large_texts_are_left_alone() {
        let small = ShortCuts {
            largest_text: 3,
            ..ShortCuts::default()
        };
        assert!(proposals(&small, b"abcd").is_empty());
        assert_eq!(proposals(&small, b"abc").len(), 6);
        assert!(proposals(&small, b"").is_empty());
    }
}
