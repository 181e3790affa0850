use super::super::builder::Builder;
use super::numbers::HEAD;
use super::table::Table;
use crate::layout::Piece;
use crate::{Number, Sum};
use std::ops::Range;

/// The kinds of sums of 4 bytes that are tried.
const WIDE: [Sum; 5] = [
    Sum::Crc32,
    Sum::Adler32,
    Sum::Bytes,
    Sum::Words,
    Sum::LittleWords,
];

/// The possible starts of the bytes of a sum. The sum is after these bytes, or within them.
const STARTS: [usize; 5] = [0, 4, 8, 12, 16];

/// The lengths of heads that have a sum of their own.
const HEADS: [usize; 8] = [16, 20, 24, 28, 32, 40, 48, 64];

/// The smallest number that is not taken for a coincidence.
const MIN_SUM: u64 = 1 << 12;

fn bytes(range: Range<usize>) -> Piece {
    Piece::Bytes(range.start as u32..range.end as u32)
}

/// Returns whether a sum of a part can have another value. One of zeros cannot, and one that takes
/// every value as it is explains nothing.
fn is_telling(sum: Sum, value: u64, len: usize) -> bool {
    value >= MIN_SUM && (len > 8 || sum == Sum::Crc32)
}

/// Returns whether a sum of a few bytes says something. The sum of a word after zeros is the same
/// word.
fn is_plain(sum: Sum, bytes: &[u8]) -> bool {
    let words = bytes
        .chunks(4)
        .filter(|word| word.iter().any(|&byte| byte != 0));
    words.count()
        >= if matches!(sum, Sum::Crc32 | Sum::Adler32) {
            2
        } else {
            4
        }
}

/// The two notations of a number.
fn notations(width: usize) -> [Number; 2] {
    [Number::Little(width as u8), Number::Big(width as u8)]
}

/// The maximum number of bytes of a file in which sums of 2 bytes are looked for.
const SHORT: usize = 64 << 10;

/// Adds a checksum of the whole file at its end, or the checksums in its header. Returns the bytes
/// that may contain records.
pub(super) fn of_all(file: &mut Builder<'_>) -> Range<usize> {
    let text = file.text;
    let all = 0..text.len();
    for sum in WIDE {
        let Some(end) = text.len().checked_sub(4).filter(|&end| end >= 24) else {
            break;
        };
        if file.reads(text.len()).is_none() {
            return all;
        }
        let rest = Rest::of(sum, &text[16..end]);
        for start in STARTS {
            let value = rest.after(&text[start..16]);
            let mut found = notations(4).into_iter();
            let found = found.find(|&number| file.peek(end, number) == Some(value));
            if let Some(number) = found.filter(|_| value >= MIN_SUM) {
                file.sums(end..text.len(), number, sum, vec![bytes(start..end)]);
                return 0..end;
            }
        }
    }
    for sum in [Sum::Internet, Sum::Crc16] {
        let Some(end) = text.len().checked_sub(2).filter(|_| text.len() <= SHORT) else {
            break;
        };
        for start in [0, 4].into_iter().filter(|&start| start < end) {
            file.reads(text.len());
            let value = sum.of(&text[start..end]);
            let mut found = notations(2).into_iter();
            let found = found.find(|&number| value != 0 && file.peek(end, number) == Some(value));
            if let Some(number) = found {
                file.sums(end..text.len(), number, sum, vec![bytes(start..end)]);
                return 0..end;
            }
        }
    }
    in_head(file);
    all
}

/// Adds checksums in the head. A checksum covers all bytes after it, a rest of the file, or the
/// head. The sums of all rests are computed from the sum of the bytes after the head.
fn in_head(file: &mut Builder<'_>) {
    let text = file.text;
    let head = HEAD.min(text.len());
    for sum in WIDE {
        if file.reads(text.len()).is_none() {
            return;
        }
        let rest = Rest::of(sum, &text[head..]);
        let values: Vec<u64> = (0..=head)
            .map(|start| rest.after(&text[start..head]))
            .collect();
        let mut at = 0;
        while at + 4 <= head {
            let found = notations(4).into_iter().find_map(|number| {
                let value = file.peek(at, number).filter(|&value| value >= MIN_SUM)?;
                let over = summed(text, head, sum, at, value, &values, &rest)?;
                Some((number, over))
            });
            at += match found {
                Some((number, over)) => {
                    file.sums(at..at + 4, number, sum, over);
                    4
                }
                None => 1,
            };
        }
    }
}

/// Returns the bytes whose sum is at a place of the head.
fn summed(
    text: &[u8],
    head: usize,
    sum: Sum,
    at: usize,
    value: u64,
    values: &[u64],
    rest: &Rest<'_>,
) -> Option<Vec<Piece>> {
    if let Some(start) = (at + 4..=head).find(|&start| values[start] == value) {
        return Some(vec![bytes(start..text.len())]);
    }
    for start in STARTS.into_iter().filter(|&start| start <= at) {
        // The sum may cover the bytes before it.
        if is_plain(sum, &text[start..at]) && sum.of(&text[start..at]) == value {
            return Some(vec![bytes(start..at)]);
        }
        // The sum may cover the whole file or its head. The bytes of the sum itself count as zeros
        // or are left out.
        for filler in [4, 0] {
            let over = |end: usize| {
                let behind = bytes(at + 4..end);
                vec![bytes(start..at), Piece::Filler(0, filler as u32), behind]
            };
            let parts =
                |end: usize| [&text[start..at], &[0; 4][..filler], &text[at + 4..end]].concat();
            if rest.after(&parts(head)) == value {
                return Some(over(text.len()));
            }
            let ends = HEADS
                .into_iter()
                .filter(|&end| end <= head && end >= at + 8);
            let mut ends = ends.rev().map(|end| (end, parts(end)));
            let found = ends.find(|(_, all)| is_plain(sum, all) && sum.of(all) == value);
            let end = found.map(|(end, _)| end);
            if end.is_some() {
                return end.map(over);
            }
        }
    }
    None
}

/// The sum of some bytes, to which others in front of them are added.
struct Rest<'a> {
    sum: Sum,
    text: &'a [u8],
    crc: crc32fast::Hasher,
    value: u64,
}

impl<'a> Rest<'a> {
    fn of(sum: Sum, text: &'a [u8]) -> Self {
        let mut crc = crc32fast::Hasher::new();
        if sum == Sum::Crc32 {
            crc.update(text);
        }
        Rest {
            sum,
            text,
            crc,
            value: sum.of(text),
        }
    }

    /// Returns the sum of the bytes in `front` and all bytes after these.
    fn after(&self, front: &[u8]) -> u64 {
        const BASE: u64 = 65_521;
        let len = self.text.len() as u64;
        match self.sum {
            Sum::Crc32 => {
                let mut hasher = crc32fast::Hasher::new();
                hasher.update(front);
                hasher.combine(&self.crc);
                u64::from(hasher.finalize())
            }
            Sum::Adler32 => {
                // Both halves of the sum continue from the values of the front. The halves of the
                // rest started at 1 and 0.
                let start = Sum::Adler32.of(front);
                let (a, b) = (start & 0xffff, start >> 16);
                let (c, d) = (self.value & 0xffff, self.value >> 16);
                let low = (a + c + BASE - 1) % BASE;
                let high = (b + d + (len % BASE) * (a + BASE - 1)) % BASE;
                high << 16 | low
            }
            // If the words start at another alignment, the sum is different.
            Sum::Words | Sum::LittleWords if !front.len().is_multiple_of(4) => u64::MAX,
            sum => (sum.of(front) + self.value) & 0xffff_ffff,
        }
    }
}

/// Adds the numbers at one position of all entries of a table, if they are sums of the parts to
/// which the entries point.
pub(super) fn of_entries(file: &mut Builder<'_>, table: &Table, targets: &[Range<usize>]) {
    let text = file.text;
    let len: usize = targets.iter().map(ExactSizeIterator::len).sum();
    for sum in WIDE {
        if file.reads(len).is_none() {
            return;
        }
        let values: Vec<u64> = targets
            .iter()
            .map(|target| sum.of(&text[target.clone()]))
            .collect();
        let is_some =
            |(value, target): (&u64, &Range<usize>)| is_telling(sum, *value, target.len());
        if !values.iter().zip(targets).any(is_some) {
            continue;
        }
        for at in 0..table.stride.saturating_sub(3) {
            for number in notations(4) {
                let is_sum = |(nth, value): (usize, &u64)| {
                    file.peek(table.entry(nth).start + at, number) == Some(*value)
                };
                if values.iter().enumerate().all(is_sum) {
                    for (nth, target) in targets.iter().enumerate() {
                        let start = table.entry(nth).start + at;
                        file.sums(start..start + 4, number, sum, vec![bytes(target.clone())]);
                    }
                    return;
                }
            }
        }
    }
}

/// Adds the sum of each record that directly follows its data: a sum of the data, or of the data
/// and the bytes before it.
pub(super) fn of_records(file: &mut Builder<'_>, records: &[(Range<usize>, Range<usize>)]) {
    let text = file.text;
    let Some((whole, data)) = records.first() else {
        return;
    };
    if whole.end != data.end + 4 || records.len() < 2 {
        return;
    }
    let ahead = data.start - whole.start;
    let most = records.len().min(8);
    for sum in WIDE {
        for back in (0..=ahead).rev().chain([ahead]) {
            let over = |data: &Range<usize>| data.start - back.min(data.start)..data.end;
            let is_sum = |number: Number, (_, data): &(Range<usize>, Range<usize>)| {
                let value = sum.of(&text[over(data)]);
                file.peek(data.end, number) == Some(value)
            };
            let is_long =
                |(_, data): &(Range<usize>, Range<usize>)| !data.is_empty() || sum == Sum::Crc32;
            let found = notations(4)
                .into_iter()
                .find(|&number| records[..most].iter().all(|record| is_sum(number, record)));
            let Some(number) = found.filter(|_| records[..most].iter().any(is_long)) else {
                continue;
            };
            for (_, data) in records {
                file.sums(data.end..data.end + 4, number, sum, vec![bytes(over(data))]);
            }
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Means, guess};

    #[test]
    fn sums_of_rests_are_computed_from_one_another() {
        let text: Vec<u8> = (0..200_000u32).map(|n| ((n * 37) >> 3) as u8).collect();
        for sum in WIDE {
            let rest = Rest::of(sum, &text[64..]);
            for start in (0..64).step_by(4) {
                assert_eq!(
                    rest.after(&text[start..64]),
                    sum.of(&text[start..]),
                    "{sum:?} {start}"
                );
            }
        }
    }

    /// A head with a sum, and parts with their places, lengths, and sums, each filled up.
    fn parts(sum: Sum, texts: &[&[u8]]) -> Vec<u8> {
        let (mut table, mut data) = (vec![], vec![]);
        for text in texts {
            let at = (16 + 12 * texts.len() + data.len()) as u32;
            table.extend(at.to_be_bytes());
            table.extend((text.len() as u32).to_be_bytes());
            table.extend((Sum::Crc32.of(text) as u32).to_be_bytes());
            data.extend_from_slice(text);
            data.resize(data.len().next_multiple_of(8), 0);
        }
        let count = (texts.len() as u32).to_be_bytes();
        let rest = [&count[..], &table, &data].concat();
        let value = sum.of(&rest) as u32;
        [&b"FIRMWARE"[..], &value.to_be_bytes(), &rest].concat()
    }

    #[test]
    fn a_head_has_a_sum_of_itself_and_one_of_the_rest() {
        let image = |body: &[u8]| {
            let mut head = [
                b"\x27\x05\x19\x56\0\0\0\0",
                &[3; 16][..],
                &[0; 4],
                b"a name of it",
            ]
            .concat();
            head.resize(64, 0);
            head[24..28].copy_from_slice(&(Sum::Crc32.of(body) as u32).to_be_bytes());
            let own = Sum::Crc32.of(&head) as u32;
            head[4..8].copy_from_slice(&own.to_be_bytes());
            [&head, body].concat()
        };
        let text = image(b"\xff\x00some bytes of a program");
        let layout = guess(&text).unwrap();
        let less = crate::Cut::render(&layout.rewrite(&[crate::Cut::remove(66..77)]), &text);
        assert_eq!(less, image(b"\xff\x00of a program"));
    }

    #[test]
    fn parts_with_sums_are_cut_and_summed_again() {
        let texts: [&[u8]; 5] = [
            b"\x01the first of the parts",
            b"\x02another one",
            b"\x03",
            b"\x04some more words",
            b"\x05the end of all",
        ];
        for sum in WIDE {
            let text = parts(sum, &texts);
            let layout = guess(&text).unwrap();
            let sums = layout.fields.iter();
            let sums = sums.filter(|field| matches!(field.means, Means::Sum { .. }));
            assert_eq!(sums.count(), 6, "{sum:?}");
            // Removes nine bytes of the second part, and the fourth part.
            let start = 16 + 60 + 24;
            let cuts = [start + 1..start + 10, start + 16 + 8..start + 16 + 8 + 16];
            let cuts = cuts.map(|cut| crate::Cut::remove(cut.start as u32..cut.end as u32));
            let mut kept = texts.to_vec();
            kept[1] = b"\x02ne";
            kept.remove(3);
            let less = crate::Cut::render(&layout.rewrite(&cuts), &text);
            assert_eq!(less, parts(sum, &kept), "{sum:?}");
        }
    }
}
