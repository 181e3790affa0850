use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Chain, Context, OneByOne, Pass, PassInfo, Spans, Work, optional};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::cmp::Reverse;
use std::hash::Hasher;

/// Deletes from one occurrence of a repeated piece of text to the next.
///
/// Records of an unknown format begin alike: `{"id": `, `<item class="`, a magic number, the
/// prologue of a function. A deletion from one beginning to the next takes out exactly one record.
/// It needs no grammar, and it need not know how records are separated. The occurrences of one
/// piece cut the text into spans that lie end to end, so a list minimizer takes out runs of
/// records.
///
/// The pass looks for pieces of 64, 32, 16, 8 and 4 bytes, long ones first: they are more likely to
/// be the beginning of a record. Pieces with many occurrences that cover much of the text come
/// first. Pieces that are shifted copies of each other leave the same text when they are deleted,
/// so only one of them is kept. There are at most 4 sqrt(n) + 1000 spans in all for n bytes.
///
/// The search for repeats computes one rolling hash over the text for each length and sorts a
/// sample of the hashes. The sample is drawn by hash, so either all occurrences of a piece are in
/// it or none.
///
/// Source: the repeated n-gram deletion of Shrink Ray (MacIver). The sampling (as in winnowing,
/// Schleimer et al. 2003), the lists by piece, and the bound are our own.
///
/// ```
/// use nubbin_reduce::pass::{BetweenRepeats, preview};
///
/// let text = b"[{\"name\": 1}, {\"name\": 2}, {\"name\": 3}]";
/// let first = preview(&BetweenRepeats, text, 2);
/// assert_eq!(first, ["[{\"name\": 2}, {\"name\": 3}]", "[{\"name\": 1}, {\"name\": 3}]"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct BetweenRepeats;

const LENGTHS: [usize; 5] = [64, 32, 16, 8, 4];
/// The approximate number of hashes that are sampled for one length.
const SAMPLES: usize = 1 << 16;
/// The most bytes to the left over which occurrences of a piece are compared.
const FARTHEST_SHIFT: u32 = 1 << 10;
/// Pieces with fewer spans share one machine.
const SMALLEST_LIST: usize = 3;

impl Pass for BetweenRepeats {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "between-repeats",
            "deletes from one occurrence of a repeated piece of text to the next",
            "Shrink Ray (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let most = (4 * file.text.len().isqrt() + 1_000) / LENGTHS.len();
        let mut known = Known::default();
        let mut works = Vec::new();
        for length in LENGTHS {
            let mut pieces = known.unknown_among(repeats(file.text, length), file.text);
            pieces.sort_by_key(|places| Reverse((places.len().min(16), extent(places))));
            let (mut left, mut singles) = (most, Vec::new());
            for places in pieces {
                let places = thinned(places, left);
                left -= places.len().saturating_sub(1).min(left);
                let base = file.span.start;
                let spans = places
                    .windows(2)
                    .map(|pair| Span::new(base + pair[0], base + pair[1]));
                if places.len() > SMALLEST_LIST {
                    works.push(optional(Spans::new(spans.collect::<Vec<_>>())));
                } else {
                    singles.extend(spans);
                }
            }
            singles.sort_by_key(|span: &Span| Reverse(span.len()));
            let edits: Vec<Edit> = singles.into_iter().map(Edit::delete).collect();
            if !edits.is_empty() {
                works.push(Work::Machine(Box::new(OneByOne::new(edits))));
            }
        }
        Chain::work(works, context.lists)
    }
}

/// The bytes from the first to the last place.
fn extent(places: &[u32]) -> u32 {
    places
        .last()
        .zip(places.first())
        .map_or(0, |(last, first)| last - first)
}

/// Thins out the places evenly where there would be more spans than allowed.
fn thinned(places: Vec<u32>, most_spans: usize) -> Vec<u32> {
    let spans = places.len().saturating_sub(1);
    match most_spans {
        0 => Vec::new(),
        most if spans <= most => places,
        most => places.into_iter().step_by(spans.div_ceil(most)).collect(),
    }
}

/// The places of each piece of this length that there is more than once, in order of the first
/// place. Occurrences that overlap the one before are left out.
fn repeats(text: &[u8], length: usize) -> Vec<Vec<u32>> {
    let mut samples = samples(text, length);
    samples.sort_unstable();
    let mut pieces: Vec<Vec<u32>> = Vec::new();
    for same in samples.chunk_by(|left, right| left.0 == right.0) {
        let mut places: Vec<u32> = Vec::new();
        for &(_, at) in same {
            if places
                .last()
                .is_none_or(|&last| (at - last) as usize >= length)
            {
                places.push(at);
            }
        }
        if places.len() > 1 {
            pieces.push(places);
        }
    }
    pieces.sort_unstable();
    pieces
}

/// Hashes of pieces with their places; a hash that is in the sample is so everywhere. Begins with
/// all hashes and draws half as many whenever there are too many.
fn samples(text: &[u8], length: usize) -> Vec<(u64, u32)> {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    let Some(start) = text.get(..length) else {
        return Vec::new();
    };
    let (mut hash, mut top) = (0u64, 1u64);
    for &byte in start {
        hash = hash.wrapping_mul(BASE).wrapping_add(u64::from(byte) + 1);
        top = top.wrapping_mul(BASE);
    }
    let mut mask = 0;
    let drawn = |hash: u64, mask: u64| hash.wrapping_mul(0xff51_afd7_ed55_8ccd) >> 24 & mask == 0;
    let mut samples: Vec<(u64, u32)> = Vec::new();
    let moves = text
        .iter()
        .zip(text.iter().skip(length).map(Some).chain([None]));
    for (at, (&out, next)) in (0..).zip(moves) {
        // A run of one byte would be a sample at every place.
        let repeated = samples
            .last()
            .is_some_and(|&(last, before)| last == hash && at - before < length as u32);
        if !repeated && drawn(hash, mask) {
            samples.push((hash, at));
        }
        if samples.len() > 2 * SAMPLES {
            mask = mask << 1 | 1;
            let fewer: Vec<(u64, u32)> = samples
                .iter()
                .copied()
                .filter(|&(hash, _)| drawn(hash, mask))
                .collect();
            // Few different pieces, each very often: the beginning of the text is plenty.
            if fewer.len() < SAMPLES / 8 {
                return samples;
            }
            samples = fewer;
        }
        let Some(&next) = next else { break };
        hash = hash
            .wrapping_mul(BASE)
            .wrapping_add(u64::from(next) + 1)
            .wrapping_sub((u64::from(out) + 1).wrapping_mul(top));
    }
    samples
}

/// The known pieces, which are compared by the text that remains after their deletion.
#[derive(Default)]
struct Known {
    /// The first place, shifted to the left as far as possible, and a hash of the distances.
    pieces: FxHashSet<(u32, u64)>,
}

impl Known {
    /// Returns the pieces that are not shifts of others, shifted to the left as far as possible.
    fn unknown_among(&mut self, pieces: Vec<Vec<u32>>, text: &[u8]) -> Vec<Vec<u32>> {
        // The piece with the same distances that was seen last: shifts of it follow soon.
        let mut last: FxHashMap<u64, u32> = FxHashMap::default();
        let mut unknown = Vec::new();
        for mut places in pieces {
            let Some(&first) = places.first() else {
                continue;
            };
            let distances = distances(&places);
            let before = last.insert(distances, first);
            let gap = before.map_or(FARTHEST_SHIFT, |before| first - before);
            let shift = shared_to_the_left(text, &places, gap.min(FARTHEST_SHIFT));
            if before.is_some() && shift == gap {
                continue;
            }
            for place in &mut places {
                *place -= shift;
            }
            if self.pieces.insert((first - shift, distances)) {
                unknown.push(places);
            }
        }
        unknown
    }
}

fn distances(places: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    for pair in places.windows(2) {
        hasher.write_u32(pair[1] - pair[0]);
    }
    hasher.finish()
}

/// Returns the number of bytes to the left of all places that are the same, up to a limit.
fn shared_to_the_left(text: &[u8], places: &[u32], limit: u32) -> u32 {
    let byte = |place: u32, shift: u32| {
        place
            .checked_sub(shift)
            .and_then(|at| text.get(at as usize))
    };
    (0..limit)
        .find(|shift| {
            let expected = places.first().and_then(|&place| byte(place, shift + 1));
            expected.is_none()
                || places
                    .iter()
                    .any(|&place| byte(place, shift + 1) != expected)
        })
        .unwrap_or(limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn records_of_an_unknown_format_are_removed() {
        let mut text = b"\0head".to_vec();
        for i in 0..40u8 {
            text.extend_from_slice(b"<record>\x01\xff");
            text.extend(std::iter::repeat_n(i + 60, usize::from(i % 7)));
        }
        text.extend_from_slice(b"tail");
        let whole = |text: &[u8]| {
            let Some(rest) = text.strip_prefix(b"\0head") else {
                return false;
            };
            let Some(records) = rest.strip_suffix(b"tail") else {
                return false;
            };
            records.windows(3).any(|window| window == [80, 80, 80])
                && records.starts_with(b"<record>\x01\xff")
        };
        let left = reduce_with(&BetweenRepeats, &text, whole);
        // The one that is needed and the last, after which no other begins.
        assert_eq!(left.iter().filter(|&&byte| byte == b'<').count(), 2);
    }

    #[test]
    fn shifted_pieces_are_one() {
        let text = b"....0123456789abcdef####0123456789abcdef!!";
        let cut = b"....0123456789abcdef!!".to_vec();
        let proposals = proposals(&BetweenRepeats, text);
        assert_eq!(proposals.iter().filter(|text| **text == cut).count(), 1);
    }

    #[test]
    fn long_runs_and_periods_are_bounded() {
        for text in [
            vec![0u8; 300_000],
            b"ab".repeat(150_000),
            b"a b \xff\n".repeat(50_000),
        ] {
            let most = 4 * text.len().isqrt() + 1_000;
            let mut known = Known::default();
            for length in LENGTHS {
                for piece in known.unknown_among(repeats(&text, length), &text) {
                    assert!(
                        piece
                            .windows(2)
                            .all(|pair| (pair[1] - pair[0]) as usize >= length)
                    );
                    assert!(thinned(piece, most).len() <= most + 1);
                }
            }
        }
    }

    #[test]
    fn a_large_text_of_few_pieces_still_has_repeats() {
        let text = b"some words 12 and, ".repeat(100_000);
        assert!(
            LENGTHS
                .iter()
                .all(|&length| !repeats(&text, length).is_empty())
        );
    }

    #[test]
    fn short_texts_have_no_repeats() {
        for text in [&b""[..], b"abc", b"abcd"] {
            assert!(proposals(&BetweenRepeats, text).is_empty());
        }
    }
}
