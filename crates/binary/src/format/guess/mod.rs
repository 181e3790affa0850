//! The structure of files of unknown formats, guessed from numbers that explain each other.
//!
//! A number that could be the length of the bytes after it is usually a coincidence. Records whose
//! lengths lead from one record to the next, up to the end of the file, are not. A structure is
//! weighed by the number of bits that it explains, minus the number of bits that its description
//! takes (minimum description length, Rissanen 1978). Short numbers therefore need a clearer
//! pattern than long numbers.

mod array;
mod chain;
mod numbers;
mod sums;
mod table;
mod texts;

use super::builder::Builder;
use crate::layout::Means;
use crate::{Codec, Number};
use array::Array;
use chain::{Chain, Frame, LINKS};
use numbers::{HEAD, number_width};
use std::ops::Range;
use table::{Behind, Table};
use texts::Texts;

/// The maximum length of a header, for nested parts.
const NESTED_HEAD: usize = 40;

/// The maximum number of bytes before records in which their length is looked for.
const BEFORE: usize = 16;

/// The number of bytes that looking for a chain counts as, at least.
const SEARCH: usize = 2_048;

/// The maximum number of known frames that are tried before others are looked for.
const KNOWN: usize = 16;

/// The maximum number of parts in which a table is looked for.
const TABLES: usize = 2;

/// Records within records are looked for up to this depth.
const DEPTH: usize = 6;

/// Bytes that may have records in them.
struct Part {
    span: Range<usize>,
    depth: usize,
}

/// Adds the guessed structure of a file.
pub(super) fn guess(file: &mut Builder<'_>) {
    let text = file.text;
    let mut known: Vec<(usize, Frame)> = vec![];
    let mut parts = vec![Part {
        span: sums::of_all(file),
        depth: 0,
    }];
    let mut seams = vec![];
    let (mut links, mut tables) = (LINKS + text.len(), TABLES);
    // The number of searches grows with the file: about a thousand in a large one.
    let search = SEARCH.max(text.len() / 64);
    while let Some(part) = parts.pop() {
        if part.span.len() < 8 {
            continue;
        }
        if part.depth > 0 && is_known(file, &part) {
            continue;
        }
        let is_first = part.depth == 0 && known.len() < 2;
        let head = if is_first { HEAD } else { NESTED_HEAD };
        // Records of one kind often contain chains with the same frame.
        let again = known.iter().find_map(|&(start, frame)| {
            Chain::at(text, &part.span, part.span.start + start, frame, &mut links)
        });
        let chain = match again {
            Some(again) => Some(again),
            None if file.reads(search).is_none() => continue,
            None => Chain::find(text, &part.span, head, &mut links),
        };
        let (bits, is_around) = chain
            .as_ref()
            .map_or((0.0, false), |chain| (chain.bits, chain.is_around));
        let may_be_table = part.depth == 0 && !is_around && tables > 0;
        tables -= usize::from(may_be_table);
        if may_be_table {
            let table = Table::find(text, &part.span).filter(|table| table.bits > bits);
            let least = table.as_ref().map_or(bits, |table| table.bits);
            let texts = Texts::find(text, &part.span).filter(|texts| texts.bits > least);
            if let Some(texts) = texts {
                let end = add_texts(file, &texts, &mut seams);
                let span = end..part.span.end;
                parts.push(Part { span, ..part });
                continue;
            }
            if let Some(table) = table {
                add_table(file, &table, &mut seams);
                continue;
            }
        }
        let Some(chain) = chain else {
            if part.depth == 0
                && let Some(array) = Array::find(text, &part.span)
            {
                seams.extend([array.count.start, array.count.end]);
                add_array(file, array);
            }
            continue;
        };
        let place = (chain.start - part.span.start, chain.frame);
        if !known.contains(&place) && known.len() < KNOWN {
            known.push(place);
        }
        let end = add_chain(file, &chain, &part, &mut parts);
        // The head of a file points to its large parts.
        if part.depth == 0 {
            seams.extend([chain.start, end]);
        }
        if end < part.span.end {
            parts.push(Part {
                span: end..part.span.end,
                depth: part.depth,
            });
        }
    }
    let head = seams.iter().copied().min().unwrap_or(0);
    seams.retain(|&seam| seam > 16);
    seams.push(text.len());
    seams.sort_unstable();
    point_to(file, head.min(HEAD), &seams);
}

/// Returns whether a part is text, or a file of a known format.
fn is_known(file: &mut Builder<'_>, part: &Part) -> bool {
    let content = &file.text[part.span.clone()];
    let known = file.understood(part.span.clone(), Codec::Plain, content);
    known.is_some()
}

/// Adds the records of a chain, and what may have records in it. Returns its end.
fn add_chain(file: &mut Builder<'_>, chain: &Chain, part: &Part, parts: &mut Vec<Part>) -> usize {
    let frame = chain.frame;
    let list = file.list();
    let (mut end, mut count, mut first) = (chain.start, 0u64, None);
    let mut summed = vec![];
    for record in chain.records(file.text, part.span.end) {
        let number = record.number.clone();
        file.measures(number, frame.number, record.counted.clone());
        // The padding of the last record may be missing at the end of its part.
        let is_filled = (record.next - record.whole.start).is_multiple_of(frame.align);
        if frame.align > 1 && is_filled {
            // The counted span does not include its padding.
            let ahead = record.counted.start - record.whole.start;
            let from = match ahead.is_multiple_of(frame.align) {
                true => record.counted.start as u32,
                false => record.whole.start as u32,
            };
            let multiple = frame.align as u32;
            let means = Means::Padding {
                filler: 0,
                from,
                multiple,
            };
            file.field(record.whole.end..record.next, frame.number, means);
        }
        let is_all = record.whole == (0..file.text.len());
        if !is_all {
            file.region(record.whole.start..record.next, "record");
        }
        file.item(list, record.whole.start..record.next);
        file.region(record.data.clone(), "data");
        if part.depth < DEPTH {
            parts.push(Part {
                span: record.data.clone(),
                depth: part.depth + usize::from(!chain.is_around),
            });
        }
        first.get_or_insert(record.data.clone());
        if file.keeps::<[Range<usize>; 2]>() {
            summed.push((record.whole, record.data));
        }
        (end, count) = (record.next, count + 1);
    }
    sums::of_records(file, &summed);
    measure(file, part, chain.start, end);
    // The number of records is stored before them, or in the first record, which does not count
    // itself.
    let before = part.span.start.max(chain.start.saturating_sub(8))..chain.start;
    if count > 1
        && !counts(file, before, list, count)
        && let Some(first) = first.filter(|first| first.len() <= 32 && count > 2)
    {
        let others = file.list();
        // The list has no items if the limit on the structure was reached.
        let items: Vec<_> = file.items(list).iter().skip(1).cloned().collect();
        for item in items {
            file.item(others, item.start as usize..item.end as usize);
        }
        counts(file, first, others, count - 1);
    }
    end
}

/// Adds the number right before some records that leads to their end, or to the end around them.
fn measure(file: &mut Builder<'_>, part: &Part, start: usize, end: usize) {
    let ends = [end, part.span.end, part.span.end - 1];
    let first = part.span.start.max(start.saturating_sub(BEFORE));
    for at in (first..start.saturating_sub(1)).rev() {
        for width in [4usize, 2] {
            if at + width > start {
                continue;
            }
            for number in [Number::Little(width as u8), Number::Big(width as u8)] {
                let value = file.peek(at, number).unwrap_or(0);
                let Some(value) = usize::try_from(value).ok().filter(|&value| value > 16) else {
                    continue;
                };
                let from = [at + width, at];
                if let Some(from) = from.into_iter().find(|from| ends.contains(&(from + value))) {
                    file.measures(at..at + width, number, from..from + value);
                    file.region(at + width..from + value, "data");
                    return;
                }
            }
        }
    }
}

/// Looks for the number of the items of a list, and adds the last one.
fn counts(file: &mut Builder<'_>, within: Range<usize>, list: usize, count: u64) -> bool {
    // A big-endian number of four bytes may seem to start in the number before, so aligned offsets
    // are tried first.
    for is_aligned in [true, false] {
        for end in (within.start + 1..=within.end).rev() {
            for width in [2usize, 4, 1] {
                let at = end.checked_sub(width).filter(|&at| at >= within.start);
                let Some(at) = at.filter(|at| at.is_multiple_of(width) == is_aligned) else {
                    continue;
                };
                for number in [Number::Little(width as u8), Number::Big(width as u8)] {
                    if file.peek(at, number) == Some(count) {
                        file.counts(at..end, number, list);
                        return true;
                    }
                }
            }
        }
    }
    false
}

/// Adds records of the same length.
fn add_array(file: &mut Builder<'_>, array: Array) {
    let list = file.list();
    file.counts(array.count, array.number, list);
    for record in array.records {
        file.region(record.clone(), "record");
        file.item(list, record);
    }
}

/// Adds a table and the places that it points to.
fn add_table(file: &mut Builder<'_>, table: &Table, seams: &mut Vec<usize>) {
    let list = file.list();
    let mut measured = table.targets.clone();
    for (nth, target) in table.targets.iter().enumerate() {
        let entry = table.entry(nth);
        let place = table.place(nth);
        file.points(place, table.number, target.start, table.base);
        if let Some((at, number, behind)) = table.size {
            let width = number_width(number);
            let place = entry.start + at..entry.start + at + width;
            if let Some((value, _)) = number.read(&file.text[place.clone()]) {
                let end = (target.start + value as usize).min(target.end);
                file.measures(place, number, target.start..end);
                measured[nth].end = end;
                if let Behind::Zeros(multiple) = behind {
                    file.fills(target.start, end..target.end, multiple as u32);
                    file.region(target.start..end, "content");
                }
            }
        }
        file.region(entry.clone(), "entry");
        file.item(list, entry.clone());
        file.region(target.clone(), "data");
        file.group([entry, target.clone()]);
    }
    sums::of_entries(file, table, &measured);
    let count = table.targets.len() as u64;
    let before = table.start.saturating_sub(HEAD)..table.start;
    counts(file, before, list, count);
    let first = table.targets.iter().map(|target| target.start).min();
    let last = table.targets.iter().map(|target| target.end).max();
    seams.extend([Some(table.start), first, last].into_iter().flatten());
    if table.base > 0 {
        seams.push(table.base);
    }
}

/// Adds a table of texts. Returns the end of the texts.
fn add_texts(file: &mut Builder<'_>, texts: &Texts, seams: &mut Vec<usize>) -> usize {
    let list = file.list();
    let absent = u64::MAX >> (64 - 8 * number_width(texts.number));
    let (mut start, mut end) = (texts.base, texts.base);
    for (entry, own) in &texts.entries {
        start = start.min(entry.start);
        file.item(list, entry.clone());
        file.region(entry.clone(), "entry");
        if let Some(own) = own {
            let means = Means::Place {
                of: own.start as u32..own.end as u32,
                base: texts.base as u32,
                absent,
            };
            file.field(entry.clone(), texts.number, means);
            file.region(own.clone(), "text");
            file.region(own.start..own.end - 1, "text");
            end = own.end;
        }
    }
    let count = texts.entries.len() as u64;
    let head = HEAD.min(start);
    let _ = counts(
        file,
        start.saturating_sub(HEAD).max(head)..start,
        list,
        count,
    ) || counts(file, 0..head, list, count);
    seams.extend([start, texts.base, end]);
    end
}

/// Adds the numbers in the head that are the place of something found, or the number of bytes from
/// there to another place.
fn point_to(file: &mut Builder<'_>, end: usize, seams: &[usize]) {
    let mut at = 0;
    while at + 2 <= end {
        let found = [4usize, 2].into_iter().find_map(|width| {
            if at % width != 0 || at + width > end {
                return None;
            }
            let notations = [Number::Little(width as u8), Number::Big(width as u8)];
            notations.into_iter().find_map(|number| {
                let value = usize::try_from(file.peek(at, number)?).ok()?;
                let place = at..at + width;
                let is_seam = |at: usize| seams.binary_search(&at).is_ok();
                if is_seam(value) {
                    file.points(place, number, value, 0);
                    return Some(width);
                }
                // A length counts the bytes after it, or, with two numbers in a row, the bytes
                // between both.
                let here = [place.end, place.start];
                let mut from = here.iter().chain(seams);
                let from = *from.find(|&&from| value > 16 && is_seam(from + value))?;
                file.measures(place, number, from..from + value);
                Some(width)
            })
        });
        at += found.unwrap_or(1);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Cut, Sum, guess};

    /// A count, a table of offsets and lengths from the end of the table, and a checksum.
    fn table(parts: &[&[u8]]) -> Vec<u8> {
        let mut text = b"\x93TAB\0\x01".to_vec();
        text.extend((parts.len() as u16).to_be_bytes());
        let data: Vec<u8> = parts.concat();
        let mut at = text.len() + 8 * parts.len();
        for part in parts {
            text.extend((at as u32).to_be_bytes());
            text.extend((part.len() as u32).to_be_bytes());
            at += part.len();
        }
        text.extend(data);
        let sum = Sum::Crc32.of(&text) as u32;
        text.extend(sum.to_be_bytes());
        text
    }

    #[test]
    fn a_part_goes_with_its_entry_and_all_that_follows_from_it() {
        let parts: [&[u8]; 5] = [
            b"\x01one",
            b"\x02another",
            b"\x03third",
            b"\x04",
            b"\x05the last",
        ];
        let text = table(&parts);
        let layout = guess(&text).unwrap();
        let is_part = |kind: &str| kind == "data";
        let found: Vec<_> = layout
            .regions
            .iter()
            .filter(|region| is_part(region.kind))
            .collect();
        assert_eq!(found.len(), parts.len());
        for (nth, region) in found.iter().enumerate() {
            let less = Cut::render(&layout.rewrite(&[Cut::remove(region.span.clone())]), &text);
            let mut kept = parts.to_vec();
            kept.remove(nth);
            assert_eq!(less, table(&kept), "{nth}");
        }
    }

    #[test]
    fn records_go_with_the_number_of_them_and_with_the_length_around_them() {
        let records = |names: &[&[u8]]| {
            let body: Vec<u8> = names
                .iter()
                .flat_map(|name| [b"REC\0", &(name.len() as u32).to_le_bytes()[..], name].concat())
                .collect();
            let count = (names.len() as u16).to_le_bytes();
            let len = (count.len() + body.len()) as u32;
            [&b"\xffMAG"[..], &len.to_le_bytes(), &count, &body].concat()
        };
        let names: [&[u8]; 4] = [b"\x01one", b"\x02another", b"\x03third of them", b"\x04x"];
        let text = records(&names);
        let layout = guess(&text).unwrap();
        let of_kind = layout
            .regions
            .iter()
            .filter(|region| region.kind == "record");
        let found: Vec<_> = of_kind.collect();
        assert_eq!(found.len(), names.len(), "{layout}");
        let less = Cut::render(
            &layout.rewrite(&[Cut::remove(found[1].span.clone())]),
            &text,
        );
        assert_eq!(less, records(&[names[0], names[2], names[3]]));
    }

    /// Records of which each has records in it, so many that the bound of the structure is reached.
    #[test]
    fn records_behind_the_bound_are_no_error() {
        let mut text = vec![];
        for nth in 0..5_000u32 {
            let inner: Vec<u8> = (0..4 + nth % 3)
                .flat_map(|len| {
                    let len = len as usize + 1;
                    [
                        &[0xee, len as u8][..],
                        &b"\x80\x91\xa2\xb3\xc4\xd5\xe6"[..len],
                    ]
                    .concat()
                })
                .collect();
            text.extend((inner.len() as u16).to_le_bytes());
            text.extend(inner);
        }
        assert!(guess(&text).is_some());
    }

    #[test]
    fn texts_and_noise_have_no_structure() {
        let noise: Vec<u8> = (0..4_000u32)
            .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
            .collect();
        let text = b"int main(int argc, char **argv) { return argc; }\n".repeat(30);
        for bytes in [&[][..], &[0; 999], &[7; 999], &noise, &text] {
            assert_eq!(guess(bytes), None);
        }
    }
}
