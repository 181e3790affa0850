use super::Format;
use super::builder::Builder;
use super::memory::Memory;
use super::pe_tables;
use crate::Number;
use std::ops::Range;

/// Windows programs: the sections with their headers and the structures of [`COFF`], exports,
/// imports, and the functions and addresses that the loader knows. Sections keep their addresses in
/// memory.
///
/// Source: Microsoft, "PE Format", 2024.
pub(super) const PE: Format = Format {
    name: "PE",
    fits: |text| {
        let start = Number::Little(4).read(text.get(0x3c..).unwrap_or_default());
        let start = start.and_then(|(start, _)| usize::try_from(start).ok());
        text.starts_with(b"MZ")
            && start.is_some_and(|start| {
                text.get(start..)
                    .is_some_and(|at| at.starts_with(b"PE\0\0"))
            })
    },
    read: |file| {
        let start = usize::try_from(file.peek(0x3c, WORD)?).ok()?;
        file.points(0x3c..0x40, WORD, start, 0);
        file.region(0x40..start, "stub");
        coff(file, start + 4)
    },
};

/// The format of Windows object files: sections, relocations, symbols, and strings.
pub(super) const COFF: Format = Format {
    name: "COFF",
    fits: |text| {
        let number = |at: usize, width| {
            let number = Number::Little(width).read(text.get(at..).unwrap_or_default());
            number.map_or(u64::MAX, |(number, _)| number)
        };
        let len = text.len() as u64;
        let sections = number(2, 2);
        let end = number(8, 4).saturating_add(18 * number(12, 4).min(1 << 32));
        matches!(number(0, 2), 0x14c | 0x1c4 | 0x8664 | 0xaa64)
            && number(16, 2) == 0
            && (1..=len / 40).contains(&sections)
            && number(8, 4) >= 20 + 40 * sections
            && end <= len
    },
    read: |file| coff(file, 0),
};

const HALF: Number = Number::Little(2);
const WORD: Number = Number::Little(4);

/// The bytes of the header of a section, a symbol, and a relocation.
const HEADER: usize = 40;
const SYMBOL: usize = 18;
const RELOCATION: usize = 10;

fn coff(file: &mut Builder<'_>, at: usize) -> Option<()> {
    let count = file.peek(at + 2, HALF)? as usize;
    let symbols = usize::try_from(file.peek(at + 8, WORD)?).ok()?;
    let symbol_count = usize::try_from(file.peek(at + 12, WORD)?).ok()?;
    let optional = at + 20..at + 20 + file.peek(at + 16, HALF)? as usize;
    file.bytes(optional.clone())?;
    let sections = file.list();
    file.counts(at + 2..at + 4, HALF, sections);
    file.measures(at + 16..at + 18, HALF, optional.clone());
    // The items of both lists are added before other fields refer to them.
    let headers = optional.end..optional.end.checked_add(count.checked_mul(HEADER)?)?;
    for start in headers.clone().step_by(HEADER).take(count) {
        file.item(sections, start..start + HEADER);
    }
    let records = file.list();
    let table = symbols..symbols.checked_add(symbol_count.checked_mul(SYMBOL)?)?;
    if symbols > 0 && file.bytes(table.clone()).is_some() {
        file.points(at + 8..at + 12, WORD, symbols, 0);
        file.counts(at + 12..at + 16, WORD, records);
        let _ = names(file, table, records, sections);
    }
    let mut found = vec![];
    for start in headers.clone().step_by(HEADER).take(count) {
        file.bytes(start..start + HEADER)?;
        let content = section(file, start, records);
        let address = file.peek(start + 12, WORD)?;
        found.push((address, content));
    }
    if !optional.is_empty() {
        program(file, optional, headers.end, &Memory::new(found))?;
    }
    Some(())
}

/// The header of a section, its content, and its relocations. Returns the place of the content.
fn section(file: &mut Builder<'_>, header: usize, symbols: usize) -> Range<usize> {
    let word = |file: &Builder<'_>, at: usize| file.peek(header + at, WORD).unwrap_or(0) as usize;

    let start = word(file, 20);
    let content = start..start.saturating_add(word(file, 16));
    let own = header..header + HEADER;
    file.region(own.clone(), "section header");
    let mut group = vec![own];
    let is_there = start > 0 && file.bytes(content.clone()).is_some();
    if is_there {
        file.measures(header + 16..header + 20, WORD, content.clone());
        file.points(header + 20..header + 24, WORD, start, 0);
        file.region(content.clone(), "section");
        group.push(content.clone());
    }
    let first = word(file, 24);
    let count = file.peek(header + 32, HALF).unwrap_or(0) as usize;
    let relocations = first..first.saturating_add(count * RELOCATION);
    if first > 0 && count > 0 && file.bytes(relocations.clone()).is_some() {
        let list = file.list();
        file.points(header + 24..header + 28, WORD, first, 0);
        file.counts(header + 32..header + 34, HALF, list);
        for at in relocations.clone().step_by(RELOCATION) {
            // Tables of several sections may overlap.
            if file.bytes(at..at + RELOCATION).is_none() {
                break;
            }
            file.item(list, at..at + RELOCATION);
            file.region(at..at + RELOCATION, "relocation");
            let symbol = file.peek(at + 4, WORD).unwrap_or(0);
            file.refers_or(at + 4..at + 8, WORD, symbols, symbol, 0);
        }
        file.region(relocations.clone(), "relocations");
        group.push(relocations);
    }
    file.group(group);
    if is_there { content } else { 0..0 }
}

/// The symbols, and the table of strings after them.
fn names(
    file: &mut Builder<'_>,
    table: Range<usize>,
    records: usize,
    sections: usize,
) -> Option<()> {
    let size = file
        .peek(table.end, WORD)
        .and_then(|size| usize::try_from(size).ok());
    let strings = size.and_then(|size| Some(table.end..table.end.checked_add(size)?));
    let strings =
        strings.filter(|strings| strings.len() >= 4 && file.bytes(strings.clone()).is_some());
    let mut at = table.start;
    while at < table.end {
        // A symbol may be followed by records that describe it further.
        let more = usize::from(*file.bytes(at..at + SYMBOL)?.last()?);
        let end = (at + SYMBOL * (1 + more)).min(table.end);
        file.region(at..end, "symbol");
        for start in (at..end).step_by(SYMBOL) {
            file.item(records, start..start + SYMBOL);
        }
        let number = file.peek(at + 12, HALF)?;
        if (1..0x8000).contains(&number) {
            // Sections are counted from 1.
            file.refers_or(at + 12..at + 14, HALF, sections, number - 1, 0);
        }
        if let Some(strings) = strings.as_ref().filter(|_| file.peek(at, WORD) == Some(0)) {
            let offset = usize::try_from(file.peek(at + 4, WORD)?).ok()?;
            if offset < strings.len() {
                let to = strings.start + offset;
                file.points(at + 4..at + 8, WORD, to, strings.start);
            }
        }
        at = end;
    }
    let strings = strings?;
    file.measures(strings.start..strings.start + 4, WORD, strings.clone());
    super::elf::texts(file, strings.start + 3..strings.end)
}

/// The header of programs and libraries.
fn program(
    file: &mut Builder<'_>,
    optional: Range<usize>,
    headers: usize,
    memory: &Memory,
) -> Option<()> {
    let is_wide = match file.peek(optional.start, HALF)? {
        0x10b => false,
        0x20b => true,
        _ => return None,
    };
    memory.address(file, optional.start + 16, WORD);
    let size = optional.start + 60;
    let first = usize::try_from(file.peek(size, WORD)?).ok()?;
    file.points(size..size + 4, WORD, first, 0);
    let multiple = file.peek(optional.start + 36, WORD)? as u32;
    let fill = file.bytes(headers..first);
    if multiple > 0 && fill.is_some_and(|fill| fill.iter().all(|&byte| byte == 0)) {
        // Whole blocks of zeros in this gap are not padding.
        let blocks = headers + (first - headers) / multiple as usize * multiple as usize;
        file.region(headers..blocks, "blocks");
        file.fills(0, blocks..first, multiple);
    }
    let count = optional.start + if is_wide { 108 } else { 92 };
    let directories = count + 4..optional.end;
    let list = file.list();
    file.counts(count..count + 4, WORD, list);
    let stated = file.peek(count, WORD)? as usize;
    for (nth, at) in directories.step_by(8).enumerate().take(stated) {
        if at + 8 > optional.end {
            break;
        }
        file.item(list, at..at + 8);
        file.region(at..at + 8, "directory");
        let (place, len) = (file.peek(at, WORD)?, file.peek(at + 4, WORD)?);
        let len = usize::try_from(len).ok()?;
        // Certificates come after all sections, and the table stores their offset in the file.
        if nth == 4 && place > 0 {
            let start = usize::try_from(place).ok()?;
            if file.bytes(start..start.checked_add(len)?).is_some() {
                file.points(at..at + 4, WORD, start, 0);
                file.measures(at + 4..at + 8, WORD, start..start + len);
                file.region(start..start + len, "certificates");
            }
            continue;
        }
        let Some(there) = memory.address(file, at, WORD) else {
            continue;
        };
        let table = there.start..there.start.saturating_add(len).min(there.end);
        if table.len() == len {
            file.measures(at + 4..at + 8, WORD, table.clone());
        }
        let _ = pe_tables::table(file, memory, nth, table.clone(), is_wide);
        // Entries for debuggers also store the offset of their data in the file.
        let entries = table.step_by(28);
        for entry in entries.take_while(|_| nth == 6) {
            let to = usize::try_from(file.peek(entry + 24, WORD)?).ok()?;
            let size = usize::try_from(file.peek(entry + 16, WORD)?).ok()?;
            if to > 0 && file.bytes(to..to.checked_add(size)?).is_some() {
                file.points(entry + 24..entry + 28, WORD, to, 0);
                file.measures(entry + 16..entry + 20, WORD, to..to + size);
            }
        }
    }
    file.region(memory.end().max(first)..file.text.len(), "rest");
    Some(())
}
