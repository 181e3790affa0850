use super::chain::{MIN_BITS, bits};
use super::numbers::{NUMBERS, number_width};
use crate::Number;
use std::ops::Range;

/// An array of records: records of the same length, directly after their number, that extend to the
/// end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Array {
    pub(super) count: Range<usize>,
    pub(super) number: Number,
    pub(super) records: Vec<Range<usize>>,
}

/// The maximum number of bytes before the number.
const HEAD: usize = 128;

/// The maximum number of bytes of a record.
const LONGEST: usize = 4 << 10;

impl Array {
    /// Finds the array with the largest number of records. Half of all small numbers divide
    /// something, so an array must have many records, or records with equal bytes.
    pub(super) fn find(text: &[u8], within: &Range<usize>) -> Option<Array> {
        let mut best: Option<Array> = None;
        let last = within.end.min(within.start + HEAD);
        for at in within.start..last {
            for number in NUMBERS {
                let width = number_width(number);
                let start = at + width;
                let value = text.get(at..start).and_then(|place| number.read(place));
                let count = value.and_then(|(value, _)| usize::try_from(value).ok());
                let Some(count) = count.filter(|&count| count > 2) else {
                    continue;
                };
                let Some(rest) = within.end.checked_sub(start) else {
                    continue;
                };
                let len = rest / count;
                if len * count != rest || !(2..=LONGEST).contains(&len) {
                    continue;
                }
                let records: Vec<_> = (0..count)
                    .map(|nth| start + nth * len..start + (nth + 1) * len)
                    .collect();
                let first = &text[records[0].clone()];
                let is_same = |nth: usize| {
                    let mut all = records.iter();
                    all.all(|record| text[record.start + nth] == first[nth])
                };
                let same = (0..len).filter(|&nth| is_same(nth)).count().min(2);
                let weight = bits(count) + 4.0 * same as f64 - bits(1 + at - within.start) / 2.0;
                let is_more = |best: &Array| count > best.records.len();
                if weight >= MIN_BITS && best.as_ref().is_none_or(is_more) {
                    best = Some(Array {
                        count: at..start,
                        number,
                        records,
                    });
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangles(count: u32) -> Vec<u8> {
        let head = [b"binary stl".to_vec(), vec![0; 70]].concat();
        let record = |nth: u32| {
            let number = (nth.wrapping_mul(2_654_435_761)).to_le_bytes();
            [number.repeat(12), vec![0; 2]].concat()
        };
        let records: Vec<u8> = (1..=count).flat_map(record).collect();
        [head, count.to_le_bytes().to_vec(), records].concat()
    }

    #[test]
    fn records_up_to_the_end_are_found_by_their_number() {
        let text = triangles(200);
        let found = Array::find(&text, &(0..text.len())).unwrap();
        assert_eq!((found.count, found.number), (80..84, Number::Little(4)));
        assert_eq!(found.records.len(), 200);
        assert_eq!(found.records[199], text.len() - 50..text.len());
    }

    #[test]
    fn noise_and_zeros_are_no_records() {
        let noise: Vec<u8> = (0..4_000u32)
            .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
            .collect();
        for text in [&noise[..], &[0; 1_000], &triangles(200)[..9_999]] {
            assert_eq!(Array::find(text, &(0..text.len())), None);
        }
    }
}
