use crate::Number;
use std::ops::Range;

/// The frame of the records of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// The number of bytes of a record before its length.
    pub(super) before: usize,
    pub(super) number: Number,
    /// The bytes that the length counts.
    pub(super) counted: Counted,
    /// The alignment of records: they begin at multiples of this number of bytes from the first
    /// record.
    pub(super) align: usize,
}

/// The bytes that the length of a record counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// The bytes after the length, except this many bytes at the end.
    Behind(usize),
    /// The bytes after the length, and the bytes of the length itself.
    Itself,
    /// The whole record.
    Record,
}

/// The ranges of the parts of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// The record without padding.
    pub(super) whole: Range<usize>,
    /// The range of the length of the record.
    pub(super) number: Range<usize>,
    /// The bytes that the length counts.
    pub(super) counted: Range<usize>,
    /// The bytes after the length, without final bytes that the length does not count.
    pub(super) data: Range<usize>,
    /// The start of the next record.
    pub(super) next: usize,
}

impl Frame {
    /// Reads the record at a position. Its end must be in `within`.
    pub(super) fn record(&self, text: &[u8], at: usize, within: usize) -> Option<Record> {
        let start = at + self.before;
        let (value, width) = self.number.read(text.get(start..within)?)?;
        let value = usize::try_from(value).ok()?;
        let behind = start + width;
        let (from, trailer) = match self.counted {
            Counted::Behind(trailer) => (behind, trailer),
            Counted::Itself => (start, 0),
            Counted::Record => (at, 0),
        };
        let counted = from..from.checked_add(value)?;
        let end = counted.end.checked_add(trailer)?;
        if counted.end < behind || end > within {
            return None;
        }
        let len = (end - at).next_multiple_of(self.align);
        let next = (at + len).min(within);
        let is_filled = text[end..next].iter().all(|&byte| byte == 0);
        is_filled.then_some(Record {
            whole: at..end,
            number: start..behind,
            data: behind..counted.end,
            counted,
            next,
        })
    }

    /// The bits that it takes to say which frame this is.
    fn cost(&self) -> f64 {
        let counted = match self.counted {
            Counted::Behind(0) => 0.0,
            Counted::Behind(4) | Counted::Itself | Counted::Record => 2.0,
            Counted::Behind(_) => 3.0,
        };
        bits(1 + self.before) + counted + if self.align == 1 { 0.0 } else { 1.0 } + 3.0
    }
}

/// Records one after another.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub(super) start: usize,
    pub(super) frame: Frame,
    /// The number of bits by which the chain explains the bytes better than a random explanation.
    pub(super) bits: f64,
    /// Whether the chain is one record that extends to the end.
    pub(super) is_around: bool,
}

/// The minimum number of bits of an accepted chain.
pub(super) const MIN_BITS: f64 = 11.0;

/// The minimum number of bits for a chain that does not end with the bytes around it.
const ENOUGH_WITHOUT_END: f64 = 14.0;

/// The maximum number of bytes before the first record.
const HEAD: usize = 64;

/// The maximum number of bytes before the length of a record.
const BEFORE: usize = 16;

/// The maximum number of records that are read to find chains, in addition to one record per
/// byte.
pub(super) const LINKS: usize = 1 << 20;

const NUMBERS: [Number; 10] = [
    Number::Little(1),
    Number::Little(2),
    Number::Little(3),
    Number::Little(4),
    Number::Little(8),
    Number::Big(2),
    Number::Big(3),
    Number::Big(4),
    Number::Big(8),
    Number::Leb,
];

const COUNTED: [Counted; 7] = [
    Counted::Behind(0),
    Counted::Behind(1),
    Counted::Behind(2),
    Counted::Behind(4),
    Counted::Behind(8),
    Counted::Itself,
    Counted::Record,
];

pub(super) fn bits(count: usize) -> f64 {
    (count.max(1) as f64).log2()
}

fn keep(best: &mut Option<Chain>, found: Chain) {
    if best.as_ref().is_none_or(|best| found.bits > best.bits) {
        *best = Some(found);
    }
}

impl Chain {
    /// Finds the chain that best explains some bytes.
    pub(super) fn find(
        text: &[u8],
        within: &Range<usize>,
        head: usize,
        links: &mut usize,
    ) -> Option<Chain> {
        let (mut best, mut around) = (None, None);
        let last = within.end.min(within.start + head.min(HEAD) + 1);
        for start in within.start..last {
            for number in NUMBERS {
                for before in 0..=BEFORE {
                    let place = text.get(start + before..within.end);
                    let value = place.and_then(|place| number.read(place));
                    // This check comes first, since it excludes most numbers.
                    if value.is_none_or(|(value, _)| value > (within.end - start) as u64) {
                        continue;
                    }
                    for counted in COUNTED {
                        for align in [1, 2, 4] {
                            let frame = Frame {
                                before,
                                number,
                                counted,
                                align,
                            };
                            if let Some(found) = Chain::at(text, within, start, frame, links) {
                                let place = match found.is_around {
                                    true => &mut around,
                                    false => &mut best,
                                };
                                keep(place, found);
                            }
                        }
                    }
                }
            }
        }
        // If the enclosing chain starts before the best chain, the enclosing chain comes first.
        match (around, best) {
            (Some(around), Some(best)) if around.start < best.start => Some(around),
            (around, None) => around,
            (_, best) => best,
        }
    }

    /// Computes the weight of the chain that begins at a position.
    pub(super) fn at(
        text: &[u8],
        within: &Range<usize>,
        start: usize,
        frame: Frame,
        links: &mut usize,
    ) -> Option<Chain> {
        let (mut at, mut weight, mut count, mut empty) = (start, 0.0, 0usize, 0usize);
        let (mut least, mut most) = (usize::MAX, 0);
        // The bytes before the length field that are equal in all records.
        let head = text.get(start..start + frame.before)?;
        let mut same: Vec<usize> = (0..frame.before).filter(|&nth| head[nth] != 0).collect();
        while at < within.end {
            *links = links.checked_sub(1)?;
            let Some(record) = frame.record(text, at, within.end) else {
                break;
            };
            let rest = within.end - at;
            if record.data.is_empty() {
                empty += 1;
                // A run of zeros would be read as a chain of empty records.
                if empty > 4 && 2 * empty > count {
                    return None;
                }
            } else {
                weight += link(record.number.len(), rest);
            }
            least = least.min(record.data.len());
            most = most.max(record.data.len());
            same.retain(|&nth| text.get(at + nth) == Some(&head[nth]));
            count += 1;
            // Most chains of short records are coincidences, and following each one would take
            // long.
            if count == 8 && same.is_empty() && weight < 4.0 || count == 64 && least == most {
                return None;
            }
            at = record.next;
        }
        let is_whole = at == within.end;
        if is_whole {
            weight += bits((at - start) / count.max(1));
        }
        // Equal lengths are not evidence of a chain.
        if count > 2 && least == most {
            return None;
        }
        if count > 2 {
            weight += 4.0 * same.len().min(2) as f64 * (count - 1) as f64;
        }
        weight -= frame.cost() + bits(1 + start - within.start);
        let enough = if is_whole {
            MIN_BITS
        } else {
            ENOUGH_WITHOUT_END
        };
        let is_believed = weight >= enough && (is_whole || count - empty > 2);
        is_believed.then_some(Chain {
            start,
            frame,
            bits: weight,
            is_around: is_whole && count == 1,
        })
    }

    /// Returns the records of the chain.
    pub(super) fn records<'a>(
        &self,
        text: &'a [u8],
        within: usize,
    ) -> impl Iterator<Item = Record> + 'a {
        let (frame, mut at) = (self.frame, self.start);
        std::iter::from_fn(move || {
            let record = frame.record(text, at, within).filter(|_| at < within)?;
            at = record.next;
            Some(record)
        })
    }
}

/// Returns the surprise that a number of the given width is at most `rest`. Zeros are frequent, so
/// higher bytes carry little information.
pub(super) fn link(width: usize, rest: usize) -> f64 {
    let needed = (bits(rest) / 8.0).ceil().max(1.0) as usize;
    let low = 8.0 * width.min(needed) as f64 - bits(rest);
    low.max(0.0) + 2.0 * width.saturating_sub(needed) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &[u8]) -> Option<Chain> {
        Chain::find(text, &(0..text.len()), HEAD, &mut LINKS.clone())
    }

    #[test]
    fn chains_are_found_by_how_well_they_explain_the_bytes() {
        let tagged =
            |tag: &[u8], data: &[u8]| [tag, &(data.len() as u32).to_be_bytes(), data].concat();
        let midi = [
            tagged(b"MThd", b"\0\x01\0\x02\0\x60"),
            tagged(b"MTrk", b"\0\xff\x01\x05hello\0\xff\x2f\0"),
            tagged(b"MTrk", b"\x10\x90\x40\x40\0\xff\x2f\0"),
        ]
        .concat();
        let chain = found(&midi).unwrap();
        assert_eq!((chain.start, chain.frame.before), (0, 4));
        assert_eq!(chain.frame.number, Number::Big(4));
        assert_eq!(chain.records(&midi, midi.len()).count(), 3);

        let checked = [
            &b"MAGIC"[..],
            b"\x06\0\0\0abcdef....",
            b"\x03\0\0\0abc::::",
            b"\x05\0\0\0abcde;;;;",
        ]
        .concat();
        let chain = found(&checked).unwrap();
        assert_eq!(chain.start, 5);
        assert_eq!(chain.frame.counted, Counted::Behind(4));

        let counted_in = [
            &b"\x0a\0one more"[..],
            b"\x07\0other",
            b"\x0c\0and a third"[..12].as_ref(),
        ]
        .concat();
        assert_eq!(found(&counted_in).unwrap().frame.counted, Counted::Itself);
    }

    #[test]
    fn zeros_and_noise_are_no_chains() {
        let noise: Vec<u8> = (0..4_000u32)
            .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
            .collect();
        for bytes in [&[0; 999][..], &[1; 999], &[255; 999], &noise] {
            assert!(
                found(bytes).is_none(),
                "{:?} {:?}",
                &bytes[..4],
                found(bytes)
            );
        }
    }
}
