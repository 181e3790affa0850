use crate::edit::Edit;
use crate::input::File;
use crate::pass::{Alternatives, Context, Pass, Places};
use crate::span::Span;
use crate::work::Work;

/// Deletes everything from a kept head up to a place, in few tests: what it keeps doubles.
///
/// A reader of a binary file needs the magic number at its beginning, and often only one part of
/// the rest. So the pass keeps a head of 0, 4, 8, 12, and 16 bytes, and deletes what follows except
/// the last 16, 32, 64, … bytes of the file, up to its half; then the bytes behind the head by
/// themselves, from a quarter of the file down. There is one success for each head and opening.
///
/// Cost: about 2·log2(*n*) tests for each head.
///
/// Source: nubbin. halfempty (Ormandy) and afl-tmin (Zalewski) keep no head.
///
/// ```
/// use nubbin_reduce::pass::{Cuts, preview};
///
/// let text = [&b"RIFF"[..], &[b'x'; 60]].concat();
/// let first = preview(&Cuts, &text, 2);
/// assert_eq!(first, ["x".repeat(16), "x".repeat(32)]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Cuts;

/// The lengths of heads: of none, and of the usual magic numbers and headers.
const HEADS: [u32; 5] = [0, 4, 8, 12, 16];

/// The shortest end that is kept.
const SHORTEST: u32 = 16;

impl Pass for Cuts {
    fn id(&self) -> &'static str {
        "cuts"
    }

    fn about(&self) -> &'static str {
        "deletes the bytes behind a kept head, up to an end of doubling length"
    }

    fn source(&self) -> &'static str {
        "nubbin"
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        if file.span.len() < 2 * SHORTEST {
            return None;
        }
        Some(Work::Machine(Box::new(Alternatives::new(Heads {
            file: file.span,
        }))))
    }
}

struct Heads {
    file: Span,
}

impl Places for Heads {
    fn count(&self) -> usize {
        HEADS.len()
    }

    fn alternative(&self, place: usize, number: usize) -> Option<Edit> {
        let head = *HEADS.get(place)?;
        let rest = self.file.len().checked_sub(head)?;
        // Ends of 16, 32, … bytes that are at most half of the rest.
        let doublings = (rest / 2).checked_div(SHORTEST)?.checked_ilog2()? as usize + 1;
        let gone = match number.checked_sub(doublings) {
            None => rest - (SHORTEST << number),
            Some(halvings) => rest >> (2 + halvings),
        };
        let start = self.file.start + head;
        (gone >= SHORTEST).then(|| Edit::delete(Span::new(start, start + gone)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{reduce_with, survives_odd_texts};

    #[test]
    fn all_between_the_magic_number_and_the_part_that_matters_is_removed() {
        let mut text = b"MAGIC!!!".to_vec();
        text.extend((0..4_000).map(|at| (at * 7) as u8));
        text.extend_from_slice(b"the fault");
        let needs = |text: &[u8]| text.starts_with(b"MAGIC!!!") && text.ends_with(b"the fault");
        let left = reduce_with(&Cuts, &text, needs);
        assert_eq!(left.len(), 24);
        survives_odd_texts(&Cuts);
    }
}
