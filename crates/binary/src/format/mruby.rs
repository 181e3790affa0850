use super::Format;
use super::builder::Builder;
use crate::Number;
use crate::layout::Means;
use std::ops::Range;

/// The bytecode of mruby: sections of functions with their instructions, constants, and names.
///
/// Source: `include/mruby/dump.h` and `src/load.c` of mruby 3 (Matsumoto and others).
pub(super) const MRUBY: Format = Format {
    name: "mruby bytecode",
    fits: |text| text.starts_with(b"RITE03"),
    read: |file| {
        // The header has the version, the total length, and the name of the compiler.
        let header = file.skip(20)?;
        let size = file.peek(8, WORD)?;
        let whole = 0..usize::try_from(size).ok()?;
        if file.bytes(whole.clone()).is_some() {
            file.measures(8..12, WORD, whole);
        }
        file.at = header.end;
        while file.at + 8 <= file.text.len() {
            let start = file.at;
            let size = usize::try_from(file.peek(start + 4, WORD)?).ok()?;
            let section = start..start.checked_add(size)?;
            let tag = file.bytes(section.clone())?.get(..4)?;
            file.measures(start + 4..start + 8, WORD, section.clone());
            file.region(section.clone(), "section");
            match tag {
                b"IREP" => {
                    file.at = start + 12;
                    let _ = function(file, section.end, 0);
                }
                b"DBG\0" => {
                    file.at = start + 8;
                    let _ = lines(file, section.end);
                }
                _ => file.region(start + 8..section.end, "data"),
            }
            file.at = section.end;
            if size < 8 {
                return None;
            }
        }
        Some(())
    },
};

const SHORT: Number = Number::Big(2);
const WORD: Number = Number::Big(4);

/// The maximum depth of nested functions.
const DEPTH: u32 = 100;

/// The operands of each instruction, by its number: `b` has one byte, `2` two, `3` three, `s` a
/// short one, `t` a byte and a short one, `u` a byte and two short ones, `w` three bytes. `p`, `y`,
/// `Y`, and `i` have a constant, a name, or a function as the second; `j` and `J` jump.
///
/// Source: `include/mruby/ops.h` of mruby 3.1.
const OPERANDS: &[u8] = b"z2p22bbbbbbbbbtuybbbbyyyyyyyyyyyy33bbjJJJjb2bYYYYz2tw\
    yzybbbtb2b2bbbbbbb23b2b333bppb22biiibbbyyiy2bbb3bzzzz";

/// The instructions that make operands of the next one longer.
const LONGER: [u8; 3] = [102, 103, 104];

/// The lengths of the tables that operands index.
struct Lists {
    constants: usize,
    names: usize,
    functions: usize,
}

/// Adds instructions, if the code consists only of instructions.
fn instructions(file: &mut Builder<'_>, code: &Range<usize>, lists: &Lists) -> Option<()> {
    let (mut at, mut found, mut longer) = (code.start, vec![], 0);
    // An instruction and the prefix that widens its operands are one item.
    let mut start = at;
    while at < code.end {
        let instruction = file.bytes(at..at + 1)?[0];
        let operands = *OPERANDS.get(usize::from(instruction))?;
        let len = match operands {
            b'z' => 0,
            b'b' => 1,
            b'3' | b'Y' | b't' | b'J' | b'w' => 3,
            b'u' => 5,
            _ => 2,
        };
        let end = at + 1 + len + if len == 0 { 0 } else { longer };
        if let Some(nth) = LONGER.iter().position(|&one| one == instruction) {
            longer = [1, 1, 2][nth];
            at = end;
            continue;
        }
        if !file.keeps::<(Range<usize>, Range<usize>, u8)>() {
            return None;
        }
        let of = if longer > 0 { b'z' } else { operands };
        found.push((start..end, at, of));
        (at, start, longer) = (end, end, 0);
    }
    if at != code.end {
        return None;
    }
    for (whole, at, operands) in found {
        let end = whole.end;
        file.region(whole, "instruction");
        let list = match operands {
            b'p' => lists.constants,
            b'y' | b'Y' => lists.names,
            b'i' => lists.functions,
            b'j' | b'J' => {
                let jump = file.peek(end - 2, SHORT)? as u16 as i16;
                let to = end.checked_add_signed(isize::from(jump));
                if let Some(to) = to.filter(|to| (code.start..=code.end).contains(to)) {
                    file.points(end - 2..end, SHORT, to, end);
                }
                continue;
            }
            _ => continue,
        };
        let item = file.peek(at + 2, Number::Big(1))?;
        file.refers(at + 2..at + 3, Number::Big(1), list, item);
    }
    Some(())
}

/// Reads a function and those in it, which follow it.
fn function(file: &mut Builder<'_>, end: usize, depth: u32) -> Option<()> {
    if depth > DEPTH || file.at >= end {
        return None;
    }
    let start = file.at;
    let (record, place) = file.number(WORD)?;
    file.pass(4)?;
    let (within, functions) = file.number(SHORT)?;
    let (handlers, handler_count) = file.number(SHORT)?;
    let code = file.length(WORD)?;
    file.region(code.clone(), "instructions");
    file.at = code.end;
    let lists = Lists {
        constants: file.list(),
        names: file.list(),
        functions: file.list(),
    };
    let _ = instructions(file, &code, &lists);
    let list = file.list();
    file.counts(handler_count, SHORT, list);
    for _ in 0..handlers {
        let handler = file.skip(13)?;
        file.item(list, handler.clone());
        file.region(handler, "handler");
    }
    let (count, place_of_count) = file.number(SHORT)?;
    let list = lists.constants;
    file.counts(place_of_count, SHORT, list);
    for _ in 0..count {
        let start = file.at;
        let kind = file.skip(1)?;
        match file.text[kind.start] {
            // A string or `nil`. A string ends with a zero.
            0 | 2 => text(file, SHORT)?,
            1 => file.pass(4)?,
            3 | 5 => file.pass(8)?,
            7 => {
                let data = file.length(Number::Big(1))?;
                file.at = data.end.checked_add(1)?;
            }
            _ => return None,
        }
        file.item(list, start..file.at);
        file.region(start..file.at, "constant");
    }
    let (count, place_of_count) = file.number(SHORT)?;
    let list = lists.names;
    file.counts(place_of_count, SHORT, list);
    for _ in 0..count {
        let start = file.at;
        if file.peek(start, SHORT)? == 0xffff {
            file.pass(2)?;
        } else {
            text(file, SHORT)?;
        }
        file.item(list, start..file.at);
        file.region(start..file.at, "name");
    }
    // The length of a record covers the function without its nested functions.
    if record == (file.at - start) as u64 {
        file.measures(place, WORD, start..file.at);
    }
    let list = lists.functions;
    file.counts(functions, SHORT, list);
    let inside = file.at;
    for _ in 0..within {
        let start = file.at;
        function(file, end, depth + 1)?;
        file.item(list, start..file.at);
        file.region(start..file.at, "function");
    }
    file.region(inside..file.at, "functions");
    file.region(start..file.at, "function");
    Some(())
}

/// Reads a text with its length, and a zero after it.
fn text(file: &mut Builder<'_>, number: Number) -> Option<()> {
    let (len, place) = file.number(number)?;
    let text = file.skip(usize::try_from(len).ok()?)?;
    file.pass(1)?;
    let of = text.start as u32..text.end as u32;
    file.field(place, number, Means::Length { of, unit: 1 });
    file.region(text, "text");
    Some(())
}

/// Reads the names of source files, and the records of their lines.
fn lines(file: &mut Builder<'_>, end: usize) -> Option<()> {
    let (count, place) = file.number(SHORT)?;
    let list = file.list();
    file.counts(place, SHORT, list);
    for _ in 0..count {
        let start = file.at;
        let name = file.length(SHORT)?;
        file.region(name.clone(), "text");
        file.at = name.end;
        file.item(list, start..name.end);
        file.region(start..name.end, "name");
    }
    while file.at < end {
        let start = file.at;
        let size = usize::try_from(file.peek(start, WORD)?).ok()?;
        let record = start..start.checked_add(size).filter(|&next| next <= end)?;
        if size < 6 {
            return None;
        }
        file.measures(start..start + 4, WORD, record.clone());
        file.region(record.clone(), "record");
        file.at = record.end;
    }
    Some(())
}
