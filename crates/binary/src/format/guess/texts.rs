use super::chain::bits;
use super::numbers::{NUMBERS, number_width};
use crate::Number;
use std::ops::Range;

/// A table of the offsets of texts that follow the table. Each text ends with a zero. An offset of
/// all ones means that there is no text, as in terminfo.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Texts {
    pub(super) number: Number,
    /// The entries, each with its text, including the zero after it.
    pub(super) entries: Vec<(Range<usize>, Option<Range<usize>>)>,
    /// The end of the table, from which offsets are counted.
    pub(super) base: usize,
    /// The number of bits by which the table explains the bytes better than a random explanation.
    pub(super) bits: f64,
}

/// The maximum number of bytes in which a table begins.
const SEARCHED: usize = 16 << 10;

/// The minimum number of texts.
const FEWEST: usize = 4;

/// The maximum number of bytes of a text.
const LONGEST: usize = 4 << 10;

impl Texts {
    /// Finds the table with the largest number of texts. Their offsets must grow, and begin at 0.
    pub(super) fn find(text: &[u8], within: &Range<usize>) -> Option<Texts> {
        let last = within.end.min(within.start + SEARCHED);
        let mut best: Option<Texts> = None;
        for number in NUMBERS {
            let mut at = within.start;
            while at < last {
                let found = Texts::at(text, within, at, number);
                at += 1;
                let Some(found) = found else {
                    continue;
                };
                // Tables of texts do not overlap, so the search continues after this one.
                at = found.base;
                if best.as_ref().is_none_or(|best| found.bits > best.bits) {
                    best = Some(found);
                }
            }
        }
        best
    }

    /// The bits of the absent ones, and of those that were removed from an entry.
    fn is_absent(value: u64, width: usize) -> bool {
        let all = u64::MAX >> (64 - 8 * width);
        value == all || value == all - 1
    }

    /// Reads the table whose first text has its place at `first`.
    fn at(text: &[u8], within: &Range<usize>, first: usize, number: Number) -> Option<Texts> {
        let width = number_width(number);
        let value = |at: usize| {
            let end = at.checked_add(width).filter(|&end| end <= within.end)?;
            Some(number.read(text.get(at..end)?)?.0)
        };
        if value(first)? != 0 || value(first + width)? == 0 {
            return None;
        }
        let mut start = first;
        while start >= within.start + width
            && value(start - width).is_some_and(|value| Texts::is_absent(value, width))
        {
            start -= width;
        }
        let (mut end, mut offsets) = (first + width, vec![0]);
        while let Some(value) = value(end) {
            let offset = usize::try_from(value).unwrap_or(usize::MAX);
            let is_next =
                offsets.last().is_some_and(|&last| last < offset) && offset < within.end - end;
            if is_next {
                offsets.push(offset);
            } else if !Texts::is_absent(value, width) {
                break;
            }
            end += width;
        }
        // The first bytes of the text after the table could be read as offsets too.
        let mut left = 8;
        while left > 0 && offsets.len() >= FEWEST && !is_sound(text, end, &offsets) {
            left -= 1;
            end -= width;
            let gone = value(end).is_some_and(|value| !Texts::is_absent(value, width));
            offsets.truncate(offsets.len() - usize::from(gone));
        }
        let behind = text.get(end + offsets.last()?..within.end)?;
        let last = behind.iter().take(LONGEST).position(|&byte| byte == 0)?;
        if offsets.len() < FEWEST || !is_sound(text, end, &offsets) {
            return None;
        }
        let mut next = offsets
            .iter()
            .copied()
            .skip(1)
            .chain([offsets.last()? + last + 1]);
        let mut from = 0;
        let entries = (start..end).step_by(width).map(|at| {
            let is_text = value(at).is_some_and(|value| !Texts::is_absent(value, width));
            let own = is_text.then(|| next.next()).flatten().map(|to| {
                let own = end + from..end + to;
                from = to;
                own
            });
            (at..at + width, own)
        });
        let entries: Vec<_> = entries.collect();
        // The evidence is a zero at each end, and growing numbers.
        let weight = 8.0 * (offsets.len() - 1) as f64 - bits(1 + start - within.start) - 3.0;
        Some(Texts {
            number,
            entries,
            base: end,
            bits: weight,
        })
    }
}

/// Returns whether all texts end with a zero, and have no other.
fn is_sound(text: &[u8], base: usize, offsets: &[usize]) -> bool {
    offsets.windows(2).all(|pair| {
        let own = text.get(base + pair[0]..base + pair[1]).unwrap_or_default();
        own.len() <= LONGEST && own.iter().position(|&byte| byte == 0) == own.len().checked_sub(1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cut, guess};

    /// A head with the number of places, and the length of the texts.
    fn table(texts: &[Option<&str>]) -> Vec<u8> {
        let (mut places, mut data) = (vec![], vec![]);
        for text in texts {
            let place = text.map_or(0xffff, |_| data.len() as u16);
            places.extend(place.to_le_bytes());
            data.extend(
                text.iter()
                    .flat_map(|text| [text.as_bytes(), b"\0"].concat()),
            );
        }
        let head = [0x11a, texts.len() as u16, data.len() as u16].map(u16::to_le_bytes);
        [&head.concat()[..], &places, &data].concat()
    }

    #[test]
    fn a_text_that_goes_is_absent_and_a_place_that_goes_is_not_counted() {
        let texts = [
            None,
            Some("\x1b[A"),
            Some("up"),
            None,
            Some("another text"),
            Some("down"),
            Some("x"),
        ];
        let text = table(&texts);
        let found = Texts::find(&text, &(0..text.len())).unwrap();
        assert_eq!((found.base, found.entries.len()), (20, 7));
        let layout = guess(&text).unwrap();
        let without = |span: Range<usize>| {
            let cut = Cut::remove(span.start as u32..span.end as u32);
            Cut::render(&layout.rewrite(&[cut]), &text)
        };
        let mut less = texts;
        less[4] = None;
        assert_eq!(without(27..40), table(&less));
        less[4] = Some("");
        assert_eq!(without(27..39), table(&less));
        assert_eq!(
            without(18..20)[..6],
            table(&texts[..6])[..4]
                .iter()
                .copied()
                .chain(text[4..6].iter().copied())
                .collect::<Vec<u8>>()
        );
    }

    #[test]
    fn numbers_that_grow_and_zeros_are_no_table() {
        let counters: Vec<u8> = (0..300u16).flat_map(u16::to_le_bytes).collect();
        for text in [&counters[..], &[0; 500], &[255; 500]] {
            assert_eq!(Texts::find(text, &(0..text.len())), None);
        }
    }
}
