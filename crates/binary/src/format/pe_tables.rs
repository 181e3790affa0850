//! Tables in sections of [`PE`](super::pe::PE) that its directories point to.

use super::builder::Builder;
use super::memory::Memory;
use crate::Number;
use std::collections::BTreeSet;
use std::ops::Range;

const HALF: Number = Number::Little(2);
const WORD: Number = Number::Little(4);

/// Reads the address of a text that ends with a zero, with so many bytes before it, and returns
/// the place of both.
fn text(file: &mut Builder<'_>, memory: &Memory, at: usize, before: usize) -> Option<Range<usize>> {
    let there = memory.address(file, at, WORD)?;
    let text = file.bytes(there.start + before..there.end)?;
    let len = text.iter().position(|&byte| byte == 0)? + 1;
    file.reads(len)?;
    Some(there.start..there.start + before + len)
}

/// Reads the table of a directory, given by the number of the directory.
pub(super) fn table(
    file: &mut Builder<'_>,
    memory: &Memory,
    directory: usize,
    table: Range<usize>,
    is_wide: bool,
) -> Option<()> {
    match directory {
        0 => exports(file, memory, table.start),
        1 => imports(file, memory, table, is_wide),
        3 if is_wide => functions(file, memory, table),
        5 => relocations(file, table),
        _ => Some(()),
    }
}

/// Names, which refer to addresses by their numbers.
fn exports(file: &mut Builder<'_>, memory: &Memory, at: usize) -> Option<()> {
    file.bytes(at..at + 40)?;
    text(file, memory, at + 12, 0);
    let count = file.peek(at + 20, WORD)? as usize;
    let start = memory.address(file, at + 28, WORD)?.start;
    let addresses = file.list();
    file.counts(at + 20..at + 24, WORD, addresses);
    for one in (start..start.checked_add(count.checked_mul(4)?)?).step_by(4) {
        file.bytes(one..one + 4)?;
        file.item(addresses, one..one + 4);
        file.region(one..one + 4, "export address");
        memory.address(file, one, WORD);
    }
    let pointers = memory.address(file, at + 32, WORD)?.start;
    let numbers = memory.address(file, at + 36, WORD)?.start;
    let names = file.list();
    let named = file.peek(at + 24, WORD)? as usize;
    file.counts(at + 24..at + 28, WORD, names);
    let mut seen = BTreeSet::new();
    for nth in 0..named {
        let pointer = pointers + 4 * nth..pointers + 4 * (nth + 1);
        let number = numbers + 2 * nth..numbers + 2 * (nth + 1);
        let item = file.peek(number.start, HALF)?;
        let name = text(file, memory, pointer.start, 0)?;
        file.refers(number.clone(), HALF, addresses, item);
        file.item(names, pointer.clone());
        file.region(pointer.clone(), "export");
        file.region(name.clone(), "text");
        let mut group = vec![pointer, number, name];
        let address = start.checked_add(4 * usize::try_from(item).ok()?)?;
        if item < count as u64 && file.keeps::<u64>() && seen.insert(item) {
            group.push(address..address + 4);
        }
        file.group(group);
    }
    Some(())
}

/// Libraries, each with two tables of its names: one for the loader to read, one to write.
fn imports(
    file: &mut Builder<'_>,
    memory: &Memory,
    table: Range<usize>,
    is_wide: bool,
) -> Option<()> {
    let (width, number) = match is_wide {
        true => (8, Number::Little(8)),
        false => (4, WORD),
    };
    for at in table.step_by(20) {
        let entry = at..at + 20;
        if file.bytes(entry.clone())?.iter().all(|&byte| byte == 0) {
            break;
        }
        let library = text(file, memory, at + 12, 0)?;
        let written = memory.address(file, at + 16, WORD)?.start;
        let read = memory.address(file, at, WORD).map(|read| read.start);
        let read = read.filter(|&read| read != written);
        let mut end = 0;
        loop {
            let own = written + end..written + end + width;
            let place = read.map_or(own.clone(), |read| read + end..read + end + width);
            file.bytes(own.clone())?;
            let value = file.peek(place.start, number)?;
            end += width;
            if value == 0 {
                break;
            }
            file.region(place.clone(), "import");
            let mut group = vec![place.clone()];
            // If the highest bit is set, the value is a number and not the offset of a name.
            if value >> (8 * width - 1) == 0 {
                group.push(text(file, memory, place.start, 2)?);
            }
            if read.is_some() {
                let _ = memory.address(file, own.start, WORD);
                group.push(own);
            }
            file.group(group);
        }
        file.region(entry.clone(), "library");
        file.region(library.clone(), "text");
        let mut group = vec![entry, library, written..written + end];
        for (start, kind) in [(Some(written), "written names"), (read, "names")] {
            file.region(start.map_or(0..0, |start| start..start + end), kind);
        }
        group.extend(read.map(|read| read..read + end));
        file.group(group);
    }
    Some(())
}

/// Functions with their ends, and what is needed to leave them, for x86-64.
fn functions(file: &mut Builder<'_>, memory: &Memory, table: Range<usize>) -> Option<()> {
    for at in table.clone().step_by(12).take(table.len() / 12) {
        file.bytes(at..at + 12)?;
        file.region(at..at + 12, "function");
        for place in [at, at + 4, at + 8] {
            memory.address(file, place, WORD);
        }
    }
    Some(())
}

/// Blocks of places that the loader changes, with their lengths.
fn relocations(file: &mut Builder<'_>, table: Range<usize>) -> Option<()> {
    let mut at = table.start;
    while at + 8 <= table.end {
        let block = at..at.checked_add(file.peek(at + 4, WORD)? as usize)?;
        if block.len() < 8 || block.end > table.end {
            return None;
        }
        file.measures(at + 4..at + 8, WORD, block.clone());
        file.region(block.clone(), "relocations");
        for one in (at + 8..block.end).step_by(2) {
            file.region(one..one + 2, "relocation");
        }
        at = block.end;
    }
    Some(())
}
