use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Chain, Context, OneByOne, Pass, PassInfo, Spans, Work, optional};

/// Deletes from one occurrence of a byte value to the next, for every value; before that, all up to
/// the first occurrence and all from the last.
///
/// In an unknown format some byte separates, starts, or ends records. Rare values make long spans
/// and come first. The spans of one value lie end to end, so a list minimizer deletes runs of
/// records as it would delete runs of lines. Values that are so frequent that their spans are a few
/// bytes are left to the list of bytes: there are at most 4 sqrt(n) + 1000 spans for n bytes, plus
/// 512 tests for the beginnings and ends.
///
/// Source: Shrink Ray's deletion between equal bytes (MacIver). This one orders by rarity, bounds
/// the number, and gives each value a list of its own.
///
/// ```
/// use nubbin_reduce::pass::{SameByteSpans, preview};
///
/// let first = preview(&SameByteSpans, b"head|one|two|three", 3);
/// assert_eq!(first, ["he", "hea", "ree"]); // from the only `a`, from the only `d`, up to `r`
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SameByteSpans;

/// Shorter spans are as well found byte by byte.
const SHORTEST: u32 = 3;

impl Pass for SameByteSpans {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "same-byte-spans",
            "deletes from one occurrence of a byte value to the next",
            "Shrink Ray (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let places = rare_places(file.text);
        let base = file.span.start;
        let spans = |places: &Vec<u32>| -> Vec<Span> {
            let pairs = places
                .windows(2)
                .map(|pair| Span::new(base + pair[0], base + pair[1]));
            pairs.filter(|span| span.len() >= SHORTEST).collect()
        };
        let lists = places
            .iter()
            .map(|places| optional(Spans::new(spans(places))));
        let works = std::iter::once(ends(file)).chain(lists);
        Chain::work(works, context.lists)
    }
}

/// All up to the first and all from the last occurrence of each value, the longest first.
fn ends(file: &File<'_>) -> Work {
    let mut spans: Vec<Span> = Vec::new();
    let (mut first, mut last) = ([None; 256], [0; 256]);
    for (at, &byte) in (file.span.start..).zip(file.text) {
        first[usize::from(byte)].get_or_insert(at);
        last[usize::from(byte)] = at;
    }
    for (first, last) in first.into_iter().zip(last) {
        let Some(first) = first else { continue };
        spans.extend([
            Span::new(file.span.start, first),
            Span::new(last, file.span.end),
        ]);
    }
    spans.retain(|span| span.len() >= SHORTEST && *span != file.span);
    spans.sort_by_key(|span| std::cmp::Reverse(span.len()));
    spans.dedup();
    let edits: Vec<Edit> = spans.into_iter().map(Edit::delete).collect();
    Work::Machine(Box::new(OneByOne::new(edits)))
}

/// The places of each value that there is more than once, the rarest first, up to the bound.
fn rare_places(text: &[u8]) -> Vec<Vec<u32>> {
    let mut counts = [0usize; 256];
    for &byte in text {
        counts[usize::from(byte)] += 1;
    }
    let mut values: Vec<usize> = (0..256).filter(|&value| counts[value] > 1).collect();
    values.sort_by_key(|&value| counts[value]);
    let mut allowed = 4 * text.len().isqrt() + 1_000;
    values.retain(|&value| {
        let enough = counts[value] <= allowed;
        allowed -= if enough { counts[value] } else { allowed };
        enough
    });
    let mut slots = [None; 256];
    for (slot, &value) in values.iter().enumerate() {
        slots[value] = Some(slot);
    }
    let mut places: Vec<Vec<u32>> = values
        .iter()
        .map(|&value| Vec::with_capacity(counts[value]))
        .collect();
    for (at, &byte) in (0..).zip(text) {
        if let Some(slot) = slots[usize::from(byte)] {
            places[slot].push(at);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn records_are_removed_whatever_separates_them() {
        let text = b"\x1eAAAA\x1eBBBB\x1eX\xff\0Y\x1eCCCC\x1e";
        let framed = |text: &[u8]| {
            text.starts_with(b"\x1e")
                && text.ends_with(b"\x1e")
                && text.windows(3).any(|window| window == b"X\xff\0")
                && text
                    .split(|&byte| byte == 0x1e)
                    .all(|record| [0, 4].contains(&record.len()))
        };
        assert_eq!(
            reduce_with(&SameByteSpans, text, framed),
            b"\x1eX\xff\0Y\x1e"
        );
    }

    #[test]
    fn the_number_of_proposals_is_bounded() {
        let text: Vec<u8> = (0..200_000u32)
            .map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8)
            .collect();
        let spans: usize = rare_places(&text).iter().map(Vec::len).sum();
        assert!((1_000..=4 * 448 + 1_000).contains(&spans), "{spans}");
    }

    #[test]
    fn short_spans_and_short_texts_give_nothing() {
        assert!(proposals(&SameByteSpans, b"").is_empty());
        assert!(proposals(&SameByteSpans, b"ab").is_empty());
        assert!(
            proposals(&SameByteSpans, &[0; 50])
                .iter()
                .all(|text| !text.is_empty())
        );
    }
}
