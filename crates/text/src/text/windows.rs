use nubbin_edit::{Edit, File};
use nubbin_engine::work::{Context, Machine, Pass, PassInfo, Tiling, Units, Views, Work};
use nubbin_view::tokens::code_in;
use nubbin_view::words;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

/// Deletes every window of a few neighboring units, at every offset.
///
/// A list minimizer that has ended guarantees that no *single* unit can be deleted. Two units that
/// need each other (an opening and a closing line, a name and its comma) may still be deletable,
/// and a list minimizer tries such a pair only where a group of its own covers both. This pass
/// closes the gap for neighboring pairs and larger groups: all windows of two units, then all of
/// three, then all of four. The pass begins at the end, since later parts use earlier ones.
///
/// For tokens, every bracket in a window has its partner there. Windows of five to eight tokens
/// found nothing on seventeen real failures.
///
/// For words of a command line, which are few, all windows are tried: compilers have flags for
/// another program, which consist of two or four words (`-Xclang -mllvm -Xclang -debug`).
///
/// The pass costs one test per size and offset, so it runs at the end of a plan. If there are
/// more units than [`Windows::most_proposals`] allows, the larger sizes are left out. A text that
/// is too large for pairs is skipped.
///
/// Source: Shrink Ray's block deletions (MacIver; all blocks of 1 to 10 lines, 1 to 20 tokens)
/// and Hypothesis; the window enumeration at the fixpoint of Vulcan (Xu et al. 2023), there with
/// gaps inside the window. This pass leaves out size 1, which every list has already tried.
///
/// ```
/// use nubbin_reduce::pass::{Windows, preview};
///
/// let text = b"a\nb\nc\n";
/// assert_eq!(preview(&Windows::words(), text, 9), ["a\n", "c\n", ""]);
/// ```
#[derive(Clone, Debug)]
pub struct Windows {
    /// The kind of unit.
    pub unit: WindowUnit,
    /// The numbers of units in a window.
    pub sizes: RangeInclusive<u32>,
    /// The maximum number of proposals in one opening of the pass.
    pub most_proposals: u32,
}

/// The units of [`Windows`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowUnit {
    /// Tokens of the rough lexer, each with the white space after it.
    Token,
    /// Words of a command line, each with the white space after it.
    Word,
}

impl Windows {
    /// Creates the pass for two to four words of a command line.
    pub fn words() -> Self {
        Windows {
            unit: WindowUnit::Word,
            sizes: 2..=4,
            most_proposals: 1_000,
        }
    }

    /// Creates the pass for two to four tokens.
    pub fn tokens() -> Self {
        Windows {
            unit: WindowUnit::Token,
            sizes: 2..=4,
            most_proposals: 10_000,
        }
    }
}

impl Pass for Windows {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            match self.unit {
                WindowUnit::Token => "windows-tokens",
                WindowUnit::Word => "windows-words",
            },
            match self.unit {
                WindowUnit::Token => "deletes a few neighboring tokens, at every offset",
                WindowUnit::Word => {
                    "deletes a few neighboring words of a command line, at every offset"
                }
            },
            "Shrink Ray (MacIver); Vulcan (Xu et al. 2023)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        match self.unit {
            WindowUnit::Token => {
                let tokens = Balanced::of(context.views, file);
                Sliding::work(tokens, self.sizes.clone(), self.most_proposals)
            }
            WindowUnit::Word => {
                let bounds = words::bounds(file.text).into_iter();
                let bounds: Vec<u32> = bounds.map(|bound| file.span.start + bound).collect();
                let words = Tiling::new(bounds);
                Sliding::work(words, self.sizes.clone(), self.most_proposals)
            }
        }
    }
}

/// Tokens in windows that contain both brackets of a pair or none. A window with one of them is
/// hardly ever removable.
struct Balanced {
    tokens: Tiling,
    /// The number of open brackets before each token and at the end of the text.
    depths: Vec<i32>,
}

impl Balanced {
    fn of(views: &Views, file: &File<'_>) -> Self {
        let mut depth = 0;
        let before = code_in(views, file.text).map(|token| {
            let here = depth;
            depth += match token.text(file.text) {
                b"(" | b"[" | b"{" => 1,
                b")" | b"]" | b"}" => -1,
                _ => 0,
            };
            here
        });
        let mut depths: Vec<i32> = before.collect();
        depths.push(depth);
        Balanced {
            tokens: Tiling::new(token_bounds(views, file)),
            depths,
        }
    }
}

impl Units for Balanced {
    fn len(&self) -> u32 {
        self.tokens.len()
    }

    fn weight(&self, unit: u32) -> u32 {
        self.tokens.weight(unit)
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let is_balanced = |window: &Range<u32>| {
            let depths = &self.depths[window.start as usize..=window.end as usize];
            depths.first() == depths.last() && depths.iter().min() == depths.first()
        };
        if units.iter().all(is_balanced) {
            self.tokens.edit(units)
        } else {
            Edit::none()
        }
    }
}

/// Returns the bounds of tokens. Each token extends to the start of the next one, and white space
/// before the first token belongs to it.
fn token_bounds(views: &Views, file: &File<'_>) -> Vec<u32> {
    let starts = code_in(views, file.text)
        .map(|token| token.span.start)
        .skip(1);
    let bounds = std::iter::once(0).chain(starts).chain([file.span.len()]);
    bounds.map(|bound| file.span.start + bound).collect()
}

/// A machine that removes every window of some units: window sizes in ascending order, and offsets
/// in descending order.
#[derive(Clone)]
pub(crate) struct Sliding {
    units: Arc<dyn Units>,
    size: u32,
    last_size: u32,
    /// The end of the window.
    end: u32,
}

impl Sliding {
    /// Returns the work on windows of the given sizes. The work includes as many sizes as the
    /// maximum number of proposals allows, and is `None` if there are no windows.
    pub(crate) fn work(
        units: impl Units + 'static,
        sizes: RangeInclusive<u32>,
        most_proposals: u32,
    ) -> Option<Work> {
        let (size, len) = (*sizes.start(), units.len());
        let affordable = most_proposals / len.max(1);
        let last_size = (*sizes.end())
            .min(size.saturating_add(affordable).saturating_sub(1))
            .min(len);
        let some = size > 0 && size <= last_size;
        let sliding = || Sliding {
            units: Arc::new(units),
            size,
            last_size,
            end: len,
        };
        some.then(|| Work::Machine(Box::new(sliding())))
    }
}

impl Machine for Sliding {
    fn next(&mut self) -> Option<Edit> {
        while self.size <= self.last_size {
            if let Some(start) = self.end.checked_sub(self.size) {
                return Some(self.units.edit(std::slice::from_ref(&(start..self.end))));
            }
            (self.size, self.end) = (self.size + 1, self.units.len());
        }
        None
    }

    fn record(&mut self, adopted: bool) {
        self.end -= if adopted { self.size } else { 1 };
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn words_that_need_each_other_are_removed_together() {
        let text = b"-Xclang\n-debug\n-Wall\n";
        let in_pairs = |text: &[u8]| {
            let words: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
            words.contains(&&b"-Xclang"[..]) == words.contains(&&b"-debug"[..])
                && text.ends_with(b"-Wall\n")
        };
        assert_eq!(reduce_with(&Windows::words(), text, in_pairs), b"-Wall\n");
    }

    #[test]
    fn all_windows_are_proposed_backwards_the_small_ones_first() {
        let windows = proposals(&Windows::words(), b"1\n2\n3\n4");
        assert_eq!(
            windows,
            [&b"1\n2\n"[..], b"1\n4", b"3\n4", b"1\n", b"4", b""]
        );
    }

    #[test]
    fn brackets_of_windows_of_tokens_have_their_partners() {
        let text = b"a(b)c";
        let mut windows = proposals(&Windows::tokens(), text);
        // Proposals without a change are not tested.
        windows.retain(|window| window != text);
        assert_eq!(windows, [&b"ac"[..], b"a", b"c"]);
    }

    #[test]
    fn sizes_are_left_out_where_there_are_too_many_units() {
        let few = Windows {
            most_proposals: 8,
            ..Windows::words()
        };
        assert_eq!(proposals(&few, b"1\n2\n3\n4").len(), 3 + 2);
        assert!(proposals(&few, &b"x\n".repeat(9)).is_empty());
        assert!(proposals(&few, b"").is_empty());
    }
}
