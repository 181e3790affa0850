use super::chain::{MIN_BITS, bits, link};
use super::numbers::{NUMBERS, number_width};
use crate::Number;
use std::ops::Range;

/// A table whose entries point to parts of a file.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) start: usize,
    /// The number of bytes of an entry.
    pub(super) stride: usize,
    /// The position of the offset in an entry, and its notation.
    pub(super) at: usize,
    pub(super) number: Number,
    /// The position of the length in an entry, its notation, and the bytes that it does not count.
    pub(super) size: Option<(usize, Number, Behind)>,
    /// The position from which offsets are counted.
    pub(super) base: usize,
    /// The parts that the entries point to.
    pub(super) targets: Vec<Range<usize>>,
    /// The number of bits by which the table explains the bytes better than a random explanation.
    pub(super) bits: f64,
}

/// The bytes between the end of a part, as given by its length, and the next part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    /// This many bytes.
    Bytes(usize),
    /// Zeros up to a multiple of this many bytes, counted from the start of the part.
    Zeros(usize),
}

impl Behind {
    /// The distance to the next part, by the length of one.
    fn add(self, len: usize) -> Option<usize> {
        match self {
            Behind::Bytes(more) => len.checked_add(more),
            Behind::Zeros(multiple) => len.checked_next_multiple_of(multiple),
        }
    }
}

/// The multiples to which parts are filled up.
const MULTIPLES: [usize; 8] = [2, 4, 8, 16, 32, 64, 256, 512];

/// The maximum number of bytes in which tables are looked for.
const SEARCHED: usize = 16 << 10;

/// The maximum number of bytes of an entry.
const LONGEST: usize = 40;

/// The maximum number of entries.
const MAX_ENTRIES: usize = 1 << 14;

/// The minimum number of entries.
const FEWEST: usize = 3;

impl Table {
    pub(super) fn entry(&self, nth: usize) -> Range<usize> {
        let start = self.start + nth * self.stride;
        start..start + self.stride
    }

    pub(super) fn place(&self, nth: usize) -> Range<usize> {
        let start = self.entry(nth).start + self.at;
        start..start + number_width(self.number)
    }

    /// Finds the table that explains the largest number of bytes. Its offsets must grow. Either
    /// each offset is the previous one plus the previous length, which the entry also states, or
    /// the first offset points to the end of the table.
    pub(super) fn find(text: &[u8], within: &Range<usize>) -> Option<Table> {
        let mut best: Option<Table> = None;
        let last = within.end.min(within.start + SEARCHED);
        for number in NUMBERS {
            let width = number_width(number);
            let value = |at: usize| {
                let bytes = text
                    .get(at..at + width)
                    .filter(|_| at + width <= within.end);
                let value = number.read(bytes?)?.0;
                usize::try_from(value)
                    .ok()
                    .filter(|&value| value <= within.end)
            };
            for stride in width..=LONGEST {
                for first in within.start..last {
                    let grows = |from: usize| {
                        let pair = value(from).zip(value(from + stride));
                        pair.is_some_and(|(from, to)| from < to)
                    };
                    let is_first = first < within.start + stride || !grows(first - stride);
                    if !is_first || !grows(first) {
                        continue;
                    }
                    let mut count = 2;
                    while count < MAX_ENTRIES && grows(first + (count - 1) * stride) {
                        count += 1;
                    }
                    if count < FEWEST {
                        continue;
                    }
                    let offsets: Vec<usize> = (0..count)
                        .filter_map(|nth| value(first + nth * stride))
                        .collect();
                    let run = Run {
                        first,
                        stride,
                        number,
                        offsets,
                    };
                    let found = run.table(text, within);
                    if let Some(found) = found
                        && best.as_ref().is_none_or(|best| found.bits > best.bits)
                    {
                        best = Some(found);
                    }
                }
            }
        }
        best
    }
}

/// Numbers at equal distances that grow.
struct Run {
    first: usize,
    stride: usize,
    number: Number,
    offsets: Vec<usize>,
}

impl Run {
    fn table(&self, text: &[u8], within: &Range<usize>) -> Option<Table> {
        let width = number_width(self.number);
        let size = self.size(text);
        // The start of an entry relative to its offset is unknown, so the end of the table is only
        // known as a range.
        let least = self.first + width + (self.offsets.len() - 1) * self.stride;
        let at_most = self.stride - width;
        let lengths = |nth: usize| match size {
            Some((at, number, behind)) => {
                let place = (self.first + nth * self.stride).checked_add_signed(at)?;
                let value = number.read(text.get(place..)?)?.0;
                behind.add(usize::try_from(value).ok()?)
            }
            None => {
                let next = self.offsets.get(nth + 1);
                next.map(|next| next - self.offsets[nth])
            }
        };
        let end = self.offsets.last()? + lengths(self.offsets.len() - 1).unwrap_or(0);
        // Offsets count from the start of the file, from the end of the table, or so that the last
        // part ends with the content.
        let first = *self.offsets.first()?;
        let follows = |base: usize| (least..=least + at_most).contains(&(base + first));
        let base = if follows(0) {
            0
        } else if size.is_some() && first <= 1 {
            within.end.checked_sub(end).filter(|&base| base >= least)?
        } else if size.is_some() && end <= within.end && first >= least {
            0
        } else {
            return None;
        };
        // Equal distances are not evidence of a table.
        let gaps = self.offsets.windows(2).map(|pair| pair[1] - pair[0]);
        let is_even = gaps.clone().min() == gaps.max();
        if (size.is_none() || is_even) && !follows(base) {
            return None;
        }
        let at = match size {
            _ if follows(base) => at_most - (base + first - least),
            Some((at, ..)) if at < 0 => at.unsigned_abs(),
            _ => 0,
        };
        let start = self
            .first
            .checked_sub(at)
            .filter(|&start| start >= within.start)?;
        let targets = self.offsets.iter().enumerate().map(|(nth, &offset)| {
            let next = self.offsets.get(nth + 1).map(|next| base + next);
            let until = next.unwrap_or(within.end);
            let end = lengths(nth).map_or(until, |len| base + offset + len);
            base + offset..end.min(until)
        });
        let targets: Vec<_> = targets.collect();
        if targets.iter().any(|target| target.start > target.end) {
            return None;
        }
        let count = self.offsets.len() as f64;
        let mean = bits((end - first) / self.offsets.len());
        let mut weight = count * (1.0 + link(width, within.end));
        if let Some((_, number, _)) = size {
            weight += (count - 1.0) * mean.min(8.0 * number_width(number) as f64);
            weight -= bits(self.stride) + 2.0;
        }
        if base == 0 && follows(0) {
            weight += bits(within.end) - bits(self.stride);
        }
        weight -= bits(1 + start - within.start) + bits(self.stride) + 2.0;
        // A chosen base fits any first offset, so one more entry is required as evidence.
        let fewest = FEWEST + usize::from(base != 0);
        if weight < MIN_BITS || self.offsets.len() < fewest {
            return None;
        }
        Some(Table {
            bits: weight,
            start,
            stride: self.stride,
            at,
            number: self.number,
            size: size.and_then(|(place, number, behind)| {
                Some((at.checked_add_signed(place)?, number, behind))
            }),
            base,
            targets,
        })
    }

    /// Finds numbers at one place of all entries that are the distance from each offset to the
    /// next, less the same few bytes, or less what fills it up. The place is relative to the
    /// offset.
    fn size(&self, text: &[u8]) -> Option<(isize, Number, Behind)> {
        let width = number_width(self.number);
        let gaps: Vec<usize> = self
            .offsets
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .collect();
        let notations = |width: u8| match self.number {
            Number::Little(_) => Number::Little(width),
            _ => Number::Big(width),
        };
        for size in [4u8, 2, 1] {
            let number = notations(size);
            let reach = self.stride as isize;
            for at in 1 - reach..reach {
                let is_own = at < width as isize && at + isize::from(size) > 0;
                let span = if at < 0 {
                    width as isize - at
                } else {
                    at + isize::from(size)
                };
                if is_own || span > reach {
                    continue;
                }
                let value = |nth: usize| {
                    let place = (self.first + nth * self.stride).checked_add_signed(at)?;
                    let value = number.read(text.get(place..)?)?.0;
                    usize::try_from(value).ok()
                };
                let Some(more) = value(0).and_then(|value| gaps[0].checked_sub(value)) else {
                    continue;
                };
                let is_size = |behind: Behind| {
                    gaps.iter().enumerate().all(|(nth, gap)| {
                        let value = value(nth).filter(|&value| value > 0);
                        value.and_then(|value| behind.add(value)) == Some(*gap)
                    })
                };
                // If every part is as long as the alignment itself, padding explains nothing.
                let filled = MULTIPLES.into_iter().map(Behind::Zeros);
                let most = gaps.iter().max().copied().unwrap_or(0);
                let filled = filled.filter(|behind| *behind != Behind::Zeros(most));
                let constant = (more <= 8).then_some(Behind::Bytes(more));
                if let Some(behind) = constant
                    .into_iter()
                    .chain(filled)
                    .find(|&behind| is_size(behind))
                {
                    return Some((at, number, behind));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &[u8]) -> Option<Table> {
        Table::find(text, &(0..text.len()))
    }

    #[test]
    fn tables_are_found_by_the_parts_that_they_point_to() {
        // The table has offsets from the start of the file, and lengths.
        let parts: [&[u8]; 4] = [b"one", b"another", b"third", b"and a forth"];
        let (mut table, mut data) = (b"TAB!\x04\0".to_vec(), vec![]);
        for part in parts {
            let at = 6 + 8 * parts.len() + data.len();
            table.extend((at as u32).to_le_bytes());
            table.extend((part.len() as u32).to_le_bytes());
            data.extend_from_slice(part);
        }
        table.extend(data);
        let found_table = found(&table).unwrap();
        assert_eq!(
            (found_table.start, found_table.stride, found_table.at),
            (6, 8, 0)
        );
        assert_eq!(
            found_table.size,
            Some((4, Number::Little(4), Behind::Bytes(0)))
        );
        let targets = found_table.targets.into_iter();
        assert_eq!(
            targets.map(|target| &table[target]).collect::<Vec<_>>(),
            parts
        );
    }

    #[test]
    fn numbers_that_only_grow_are_no_table() {
        let counters: Vec<u8> = (0..300u32)
            .flat_map(|nth| (7 * nth).to_le_bytes())
            .collect();
        assert!(found(&counters).is_none());
        assert!(found(&[0; 500]).is_none());
    }
}
