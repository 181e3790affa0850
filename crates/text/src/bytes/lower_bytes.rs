use nubbin_edit::{Edit, File, Span, Splice};
use nubbin_engine::order::rank;
use nubbin_engine::work::{Alternatives, Chain, Context, Pass, PassInfo, Places, Work};
use smallvec::SmallVec;
use std::sync::Arc;

/// Replaces bytes with simpler ones: all occurrences of a value at once, then each position by
/// itself.
///
/// The pass makes a small result readable and canonical: every byte that can become `a`, `0`, or a
/// space becomes one, so each remaining unusual byte matters. For each value, and then for each
/// position, it tries the simplest byte of each class below the old byte (space, `0`, `a`, `A`, or
/// zero for unprintable bytes). The pass then tries half the value, and the value minus one. This
/// takes at most seven tests for each value or position. The pass works only on texts of up to
/// [`LowerBytes::largest_text`] bytes.
///
/// "Simpler" is [`order::rank`](nubbin_engine::order::rank), with unprintable bytes above all
/// others, so every proposal is below the text in the default order.
///
/// Source: Shrink Ray's byte lowering (MacIver) and the alphabet minimization of AFL's tmin
/// (Zalewski), which both lower byte *values*. This pass prefers readable bytes.
///
/// ```
/// use nubbin_reduce::pass::{LowerBytes, preview};
///
/// assert_eq!(preview(&LowerBytes::default(), b"xx", 4), ["  ", "00", "aa", "ww"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LowerBytes {
    /// The maximum number of bytes of a text. The pass skips longer texts.
    pub largest_text: u32,
}

impl Default for LowerBytes {
    fn default() -> Self {
        LowerBytes {
            largest_text: 4_096,
        }
    }
}

impl Pass for LowerBytes {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "lower-bytes",
            "replaces bytes with simpler ones: a whole value, then single positions",
            "Shrink Ray (MacIver); AFL tmin (Zalewski)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        if file.span.len() > self.largest_text || file.text.is_empty() {
            return None;
        }
        let mut occurrences: Vec<(u8, Vec<u32>)> = (0..=255).map(|byte| (byte, vec![])).collect();
        for (at, &byte) in (file.span.start..).zip(file.text) {
            occurrences[usize::from(byte)].1.push(at);
        }
        occurrences.retain(|(_, places)| !places.is_empty());
        // The worst byte comes first, because its removal improves the order most.
        occurrences.sort_by_key(|(byte, _)| std::cmp::Reverse(cost(*byte)));
        let values = Values(occurrences);
        let positions = Positions {
            start: file.span.start,
            text: file.text.into(),
        };
        let works = [
            Work::Machine(Box::new(Alternatives::new(values))),
            Work::Machine(Box::new(Alternatives::new(positions))),
        ];
        Chain::work(works, context.lists)
    }
}

/// The order of inputs of one size, byte by byte: hidden ones last, then by rank.
fn cost(byte: u8) -> (bool, u16) {
    (byte == 0x7f || byte < 0x20 && byte != b'\n', rank(byte))
}

/// Returns the bytes to try instead of one, simplest first.
fn simpler(byte: u8) -> SmallVec<[u8; 8]> {
    let mut bytes: SmallVec<[u8; 8]> =
        SmallVec::from_slice(&[b' ', b'0', b'a', b'A', 0, byte / 2, byte.wrapping_sub(1)]);
    bytes.retain(|other| cost(*other) < cost(byte));
    bytes.sort_unstable_by_key(|other| cost(*other));
    bytes.dedup();
    bytes
}

/// All occurrences of each value.
struct Values(Vec<(u8, Vec<u32>)>);

impl Places for Values {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn alternative(&self, place: usize, number: usize) -> Option<Edit> {
        let (byte, places) = self.0.get(place)?;
        let text: Arc<[u8]> = Arc::new([*simpler(*byte).get(number)?]);
        let splices = places.iter().map(|&at| Splice {
            span: Span::new(at, at + 1),
            text: Some(Arc::clone(&text)),
            rank: 0,
        });
        Edit::new(splices).ok()
    }
}

struct Positions {
    start: u32,
    text: Arc<[u8]>,
}

impl Places for Positions {
    fn count(&self) -> usize {
        self.text.len()
    }

    fn alternative(&self, place: usize, number: usize) -> Option<Edit> {
        let other = *simpler(*self.text.get(place)?).get(number)?;
        Some(Edit::replace(
            Span::at(self.start, place..place + 1),
            &[other],
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn every_proposal_is_simpler_and_there_are_few() {
        for byte in 0..=255 {
            let simpler = simpler(byte);
            assert!(simpler.len() <= 7);
            assert!(
                simpler.iter().all(|&other| cost(other) < cost(byte)),
                "{byte} {simpler:?}"
            );
            assert!(simpler.is_sorted_by_key(|&other| cost(other)));
        }
    }

    #[test]
    fn a_value_goes_everywhere_at_once_then_position_by_position() {
        let text = b"q!q\xfe\x05";
        let needs = |text: &[u8]| text.len() == 5 && text[1] == b'!';
        assert_eq!(reduce_with(&LowerBytes::default(), text, needs), b" !   ");
        // Only one of two equal bytes is needed.
        let needs = |text: &[u8]| text.first() == Some(&b'q');
        assert_eq!(reduce_with(&LowerBytes::default(), b"qq", needs), b"q ");
    }

    #[test]
    fn simple_large_and_empty_texts_are_left_alone() {
        assert!(proposals(&LowerBytes::default(), b"  \n").is_empty());
        assert!(proposals(&LowerBytes::default(), b"").is_empty());
        assert!(proposals(&LowerBytes { largest_text: 2 }, b"xyz").is_empty());
    }
}
