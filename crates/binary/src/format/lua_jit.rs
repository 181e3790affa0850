use super::Format;
use super::builder::Builder;
use crate::Number;
use std::ops::Range;

/// The bytecode of LuaJIT: functions with their instructions, constants, and information for
/// debuggers. Inner functions come before the function that contains them.
///
/// Source: `src/lj_bcdump.h` and `src/lj_bc.h` of LuaJIT 2.1 (Pall).
pub(super) const LUA_JIT: Format = Format {
    name: "LuaJIT bytecode",
    fits: |text| text.starts_with(b"\x1bLJ\x02"),
    read: |file| {
        file.pass(4)?;
        let (flags, _) = file.number(LEB)?;
        let is_stripped = flags & 2 != 0;
        if flags & 1 != 0 {
            // A file with another byte order is not read.
            return None;
        }
        if !is_stripped {
            let name = file.length(LEB)?;
            file.region(name.clone(), "text");
            file.at = name.end;
        }
        // The functions that have no parent yet, each with the functions nested in it.
        let mut free: Vec<Range<usize>> = vec![];
        loop {
            let start = file.at;
            let function = file.length(LEB)?;
            if function.is_empty() {
                return Some(());
            }
            file.at = function.start;
            let within = self::function(file, &function, is_stripped, &mut free);
            file.region(start..function.end, "function");
            if !file.keeps::<Range<usize>>() {
                return None;
            }
            free.push(start..function.end);
            within?;
            file.at = function.end;
        }
    },
};

const BYTE: Number = Number::Little(1);
const LEB: Number = Number::Leb;

/// Reads a function; those that it takes from `free` go with their constant.
fn function(
    file: &mut Builder<'_>,
    whole: &Range<usize>,
    is_stripped: bool,
    free: &mut Vec<Range<usize>>,
) -> Option<()> {
    file.pass(3)?;
    let (outer_count, outer_place) = file.number(BYTE)?;
    let (constant_count, constant_place) = file.number(LEB)?;
    let (number_count, number_place) = file.number(LEB)?;
    let (count, place) = file.number(LEB)?;
    let mut debug = None;
    if !is_stripped {
        let (size, place) = file.number(LEB)?;
        if size > 0 {
            let start = file.at;
            let (_, _) = file.number(LEB)?;
            let (lines, _) = file.number(LEB)?;
            debug = Some((size, place, start..file.at, lines));
        }
    }
    let lists = Lists {
        constants: file.list(),
        numbers: file.list(),
    };
    let count = usize::try_from(count).ok()?;
    let code = file.skip(count.checked_mul(4)?)?;
    let list = file.list();
    file.counts(place, LEB, list);
    for at in code.clone().step_by(4) {
        file.item(list, at..at + 4);
        file.region(at..at + 4, "instruction");
    }
    upvalues(file, outer_count, outer_place)?;
    let mut found = vec![];
    for _ in 0..constant_count {
        let start = file.at;
        let is_function = constant(file)?;
        if !file.keeps::<Range<usize>>() || file.at > whole.end {
            return None;
        }
        let one = start..file.at;
        file.region(one.clone(), "constant");
        if is_function && let Some(function) = free.pop() {
            file.group([one.clone(), function]);
        }
        found.push(one);
    }
    // Constants are numbered from the last one.
    for one in found.into_iter().rev() {
        file.item(lists.constants, one);
    }
    file.counts(constant_place, LEB, lists.constants);
    numbers(file, number_count, lists.numbers)?;
    file.counts(number_place, LEB, lists.numbers);
    operands(file, &code, &lists, constant_count);
    let (size, place, lines_of, lines) = debug?;
    let start = file.at;
    let end = start.checked_add(usize::try_from(size).ok()?)?;
    if end != whole.end {
        return None;
    }
    file.measures(place, LEB, start..end);
    file.region(start..end, "debug");
    file.group([lines_of, start..end]);
    let width = match lines {
        ..256 => 1,
        256..65_536 => 2,
        _ => 4,
    };
    let rows = start..start + width * count;
    if rows.end <= end {
        for (line, at) in rows.step_by(width).zip(code.step_by(4)) {
            file.region(line..line + width, "line");
            file.group([line..line + width, at..at + 4]);
        }
    }
    Some(())
}

fn upvalues(file: &mut Builder<'_>, count: u64, place: Range<usize>) -> Option<()> {
    let list = file.list();
    file.counts(place, BYTE, list);
    for _ in 0..count {
        let value = file.skip(2)?;
        file.item(list, value.clone());
        file.region(value, "upvalue");
    }
    Some(())
}

fn numbers(file: &mut Builder<'_>, count: u64, list: usize) -> Option<()> {
    for _ in 0..count {
        let start = file.at;
        let (low, _) = file.number(LEB)?;
        if low & 1 == 1 {
            file.number(LEB)?;
        }
        file.item(list, start..file.at);
        file.region(start..file.at, "number");
    }
    Some(())
}

/// Reads a constant, and returns whether it is a function.
fn constant(file: &mut Builder<'_>) -> Option<bool> {
    let (kind, place) = file.number(LEB)?;
    match kind {
        0 => return Some(true),
        1 => {
            // A table has single values, and pairs of keys and values.
            let counts = [file.number(LEB)?, file.number(LEB)?];
            for ((count, place), each) in counts.into_iter().zip([1, 2]) {
                let list = file.list();
                file.counts(place, LEB, list);
                for _ in 0..count {
                    let start = file.at;
                    for _ in 0..each {
                        value(file)?;
                    }
                    file.item(list, start..file.at);
                    file.region(start..file.at, if each == 1 { "value" } else { "pair" });
                }
            }
        }
        2 | 3 => {
            file.number(LEB)?;
            file.number(LEB)?;
        }
        4 => {
            for _ in 0..4 {
                file.number(LEB)?;
            }
        }
        _ => text(file, kind, place)?,
    }
    Some(false)
}

/// Reads a value in a table.
fn value(file: &mut Builder<'_>) -> Option<()> {
    let (kind, place) = file.number(LEB)?;
    match kind {
        0..=2 => {}
        3 => {
            file.number(LEB)?;
        }
        4 => {
            file.number(LEB)?;
            file.number(LEB)?;
        }
        _ => text(file, kind, place)?,
    }
    Some(())
}

/// Reads a text, whose kind is its length and five more.
fn text(file: &mut Builder<'_>, kind: u64, place: Range<usize>) -> Option<()> {
    let text = file.skip(usize::try_from(kind - 5).ok()?)?;
    file.measures(place, LEB, text.clone());
    file.region(text, "text");
    Some(())
}

/// The lengths of the tables that operands index.
struct Lists {
    constants: usize,
    numbers: usize,
}

/// Adds the operands that are constants or places of jumps.
fn operands(file: &mut Builder<'_>, code: &Range<usize>, lists: &Lists, constants: u64) {
    const SHORT: Number = Number::Little(2);
    for at in code.clone().step_by(4) {
        let Some(&[instruction, _, third, fourth]) = file.bytes(at..at + 4) else {
            return;
        };
        let wide = u64::from(third) | u64::from(fourth) << 8;
        let short = (at + 2..at + 4, SHORT, wide);
        let byte = (at + 2..at + 3, BYTE, u64::from(third));
        match instruction {
            6 | 7 | 39 | 40 | 47 | 51 | 53..=55 if wide < constants => {
                file.refers(short.0, short.1, lists.constants, short.2);
            }
            57 | 61 if byte.2 < constants => {
                file.refers(byte.0, byte.1, lists.constants, byte.2);
            }
            8 | 9 | 42 | 48 => file.refers(short.0, short.1, lists.numbers, short.2),
            22..=31 => file.refers(byte.0, byte.1, lists.numbers, byte.2),
            50 | 72 | 77..=80 | 82 | 83 | 85 | 86 | 88 => {
                let next = at + 4;
                let jump = (wide as isize - 0x8000) * 4;
                let to = next.checked_add_signed(jump);
                if let Some(to) = to.filter(|to| (code.start..=code.end).contains(to)) {
                    let means = crate::Means::Offset {
                        to: to as u32,
                        base: next as u32,
                        unit: 4,
                    };
                    file.field(short.0, SHORT, means);
                }
            }
            _ => {}
        }
    }
}
