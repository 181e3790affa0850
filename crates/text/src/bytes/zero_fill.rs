use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Blocks, Chain, Context, Pass, PassInfo, Rewrite, Work};
use std::ops::Range;

/// Overwrites blocks of a binary file with zeros instead of deleting them.
///
/// Offsets, lengths, and alignment stay as they are, so this works where every deletion breaks the
/// container: sections of an object file, pages of an image, entries of an archive. The pass saves
/// no byte by itself. Instead, it shows which bytes matter, and leaves runs of zeros that are easy
/// to delete later. The pass fills everything, then halves, quarters, and so on down to
/// [`ZeroFill::pieces`] pieces, but not within a block that is filled already: at most twice as
/// many tests as there are pieces.
///
/// The pass works only on binary data, that is, on files with a zero byte. The engine rejects a
/// candidate that is not better than the base without a test. If the order ranks zero bytes high,
/// only the second of [`ZeroFill::fillers`], a space, is effective. For bytes that are never read,
/// both fillers are equally good.
///
/// Source: halfempty (Ormandy), whose second strategy it is. This one continues inside a half when
/// the whole was rejected, and stops at a number of pieces instead of at single bytes.
///
/// ```
/// use nubbin_reduce::pass::{ZeroFill, preview};
///
/// assert_eq!(preview(&ZeroFill::default(), b"ab\0d", 3), ["\0\0\0\0", "\0\0\0d", "ab\0\0"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ZeroFill {
    /// The maximum number of pieces into which the file is divided.
    pub pieces: u32,
    /// The filler bytes, in the order in which they are tried.
    pub fillers: [u8; 2],
}

impl Default for ZeroFill {
    fn default() -> Self {
        ZeroFill {
            pieces: 512,
            fillers: [0, b' '],
        }
    }
}

impl Pass for ZeroFill {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "zero-fill",
            "overwrites blocks of a binary file with zeros",
            "halfempty (Ormandy)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        if !file.text.contains(&0) {
            return None;
        }
        let finest = (self.pieces.max(1) as usize).next_power_of_two();
        let smallest = (file.text.len().next_power_of_two() / finest).max(1);
        let works = self.fillers.map(|filler| {
            let filled = filled_runs(file.text, filler, smallest);
            let fill = Fill {
                file: file.span,
                filler,
                filled,
            };
            Work::Machine(Box::new(Blocks::new(fill, smallest)))
        });
        Chain::work(works, context.lists)
    }
}

struct Fill {
    file: Span,
    filler: u8,
    /// Runs of the filler that may contain a block, sorted.
    filled: Vec<Range<usize>>,
}

/// Returns the longest runs of a byte that are at least so long.
fn filled_runs(text: &[u8], filler: u8, shortest: usize) -> Vec<Range<usize>> {
    let mut at = 0;
    text.chunk_by(|&left, &right| (left == filler) == (right == filler))
        .filter_map(|run| {
            let start = at;
            at += run.len();
            (run.first() == Some(&filler) && run.len() >= shortest).then_some(start..at)
        })
        .collect()
}

impl Rewrite for Fill {
    fn len(&self) -> usize {
        self.file.len() as usize
    }

    fn rewrite(&self, block: Range<usize>) -> Option<Edit> {
        let after = self.filled.partition_point(|run| run.start <= block.start);
        let run = after
            .checked_sub(1)
            .and_then(|before| self.filled.get(before));
        if run.is_some_and(|run| block.end <= run.end) {
            return None;
        }
        let text = vec![self.filler; block.len()];
        Some(Edit::replace(Span::at(self.file.start, block), &text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    fn zeros(pieces: u32) -> ZeroFill {
        ZeroFill {
            pieces,
            fillers: [0, 0],
        }
    }

    #[test]
    fn all_that_does_not_matter_is_filled_and_offsets_stay() {
        let mut text: Vec<u8> = (128..228).collect();
        text.push(0);
        let needs = |text: &[u8]| text.len() == 101 && text.get(77) == Some(&205);
        let mut expected = vec![b' '; 101];
        expected[77] = 205;
        // A block of zeros makes the text worse in the default order, a block of spaces better.
        assert_eq!(reduce_with(&ZeroFill::default(), &text, needs), expected);
    }

    #[test]
    fn blocks_of_zeros_are_passed_over() {
        let filled = proposals(&zeros(512), b"\0\0\0\0ab");
        // The last two bytes are filled twice, as part of the whole and by themselves, since the
        // other bytes are zeros.
        let once = [&[0; 6][..], &[0; 6], b"\0\0\0\0\0b", b"\0\0\0\0a\0"];
        assert_eq!(filled, [once, once].concat());
    }

    #[test]
    fn it_stops_at_the_number_of_pieces() {
        assert_eq!(proposals(&zeros(2), b"\0aaaaaab").len(), 6);
    }

    #[test]
    fn text_is_left_alone() {
        assert!(proposals(&ZeroFill::default(), b"int x;").is_empty());
        assert!(proposals(&zeros(512), b"\0\0\0").is_empty());
        assert!(proposals(&ZeroFill::default(), b"").is_empty());
    }
}
