use super::Format;
use super::builder::Builder;
use crate::Number;
use crate::layout::Means;
use std::ops::Range;

/// The bytecode of Lua: functions with their instructions, constants, inner functions, and
/// information for debuggers.
///
/// Source: `lundump.c` of Lua 5.1 to 5.4 (Ierusalimschy, de Figueiredo, Celes).
pub(super) const LUA: Format = Format {
    name: "Lua bytecode",
    fits: |text| matches!(text, [0x1b, b'L', b'u', b'a', 0x51..=0x54, 0, ..]),
    read: |file| {
        let machine = Machine::read(file)?;
        let start = file.at;
        function(file, &machine, 0)?;
        file.region(start..file.at, "function");
        Some(())
    },
};

/// The maximum depth of nested functions; Lua itself allows 200.
const DEPTH: u32 = 100;

/// The facts of the header.
struct Machine {
    /// The second digit of the version.
    version: u8,
    /// The notation of counts and lines.
    count: Number,
    /// The notation of the length of a text.
    size: Number,
    integer: usize,
    float: usize,
}

impl Machine {
    /// Reads the header.
    fn read(file: &mut Builder<'_>) -> Option<Machine> {
        let version = *file.text.get(4)? & 15;
        let mut number: fn(u8) -> Number = Number::Little;
        if version < 3 {
            if file.text.get(6)? == &0 {
                number = Number::Big;
            }
            file.pass(7)?;
        } else {
            file.pass(12)?;
        }
        let mut size = || {
            let place = file.skip(1)?;
            Some(file.text[place.start]).filter(|size| (1..=8).contains(size))
        };
        // Numbers of Lua 5.4 have a variable length.
        let (count, len) = match version {
            4 => (Number::Marked, Number::Marked),
            _ => (number(size()?), number(size()?)),
        };
        if size()? != 4 {
            return None;
        }
        let integer = if version < 3 { 0 } else { size()? };
        let float = size()?;
        // Skips sample numbers for comparison, and the number of upvalues of the main function.
        file.pass(match version {
            1 => 1,
            2 => 7,
            _ => usize::from(integer + float) + 1,
        })?;
        Some(Machine {
            version,
            count,
            size: len,
            integer: integer.into(),
            float: float.into(),
        })
    }

    /// Reads a text with its length. The length counts one byte more; 0 means no text.
    fn text(&self, file: &mut Builder<'_>) -> Option<()> {
        let (mut number, mut place) = (self.size, file.at..file.at);
        if self.version == 3 {
            number = Number::Little(1);
            if file.peek(file.at, number)? == 255 {
                file.pass(1)?;
                number = self.size;
            }
        }
        let size = file.number(number).map(|(size, there)| {
            place = there;
            size
        })?;
        // Older versions store the terminating zero.
        let written = match self.version {
            1 | 2 => size,
            _ => size.saturating_sub(1),
        };
        let text = file.skip(usize::try_from(written).ok()?)?;
        if size > 0 {
            let of = text.start as u32..text.end as u32;
            file.field(place, number, Means::Length { of, unit: 1 });
            let zero = usize::from(self.version < 3);
            file.region(text.start..text.end.saturating_sub(zero), "text");
        }
        Some(())
    }

    fn number(&self, file: &mut Builder<'_>) -> Option<()> {
        file.number(self.count).map(drop)
    }

    /// Reads the count of a list, and its items. Returns their places.
    fn list(
        &self,
        file: &mut Builder<'_>,
        kind: &'static str,
        mut item: impl FnMut(&mut Builder<'_>) -> Option<()>,
    ) -> Option<Vec<Range<usize>>> {
        let (count, place) = file.number(self.count)?;
        let own = file.list();
        file.counts(place, self.count, own);
        let start = file.at;
        let mut items = vec![];
        for _ in 0..count {
            let start = file.at;
            item(file)?;
            if file.at == start {
                return None;
            }
            file.region(start..file.at, kind);
            file.item(own, start..file.at);
            items.push(start..file.at);
        }
        file.region(start..file.at, "list");
        Some(items)
    }

    fn constant(&self, file: &mut Builder<'_>) -> Option<()> {
        let kind = file.skip(1)?;
        match file.text[kind.start] {
            0x01 if self.version < 4 => file.pass(1),
            0x03 => file.pass(self.float),
            0x13 => file.pass(self.integer),
            0x04 | 0x14 => self.text(file),
            _ => Some(()),
        }
    }
}

fn groups(file: &mut Builder<'_>, some: Vec<Range<usize>>, others: Vec<Range<usize>>) {
    if some.len() == others.len() {
        for (one, other) in some.into_iter().zip(others) {
            file.group([one, other]);
        }
    }
}

fn function(file: &mut Builder<'_>, machine: &Machine, depth: u32) -> Option<()> {
    if depth > DEPTH {
        return None;
    }
    let version = machine.version;
    if version != 2 {
        machine.text(file)?;
    }
    machine.number(file)?;
    machine.number(file)?;
    file.pass(if version == 1 { 4 } else { 3 })?;
    let code = machine.list(file, "instruction", |file| file.pass(4))?;
    machine.list(file, "constant", |file| machine.constant(file))?;
    let within = |file: &mut Builder<'_>| {
        machine.list(file, "function", |file| function(file, machine, depth + 1))
    };
    // The list of upvalues comes before or after the list of nested functions.
    let upvalues = match version {
        1 => within(file).map(|_| vec![])?,
        2 => {
            within(file)?;
            let upvalues = machine.list(file, "upvalue", |file| file.pass(2))?;
            machine.text(file)?;
            upvalues
        }
        _ => {
            let size = usize::from(version - 1);
            let upvalues = machine.list(file, "upvalue", |file| file.pass(size))?;
            within(file)?;
            upvalues
        }
    };
    let lines = machine.list(file, "line", |file| match version {
        4 => file.pass(1),
        _ => machine.number(file),
    })?;
    groups(file, code, lines);
    if version == 4 {
        machine.list(file, "absolute line", |file| {
            machine.number(file)?;
            machine.number(file)
        })?;
    }
    machine.list(file, "local", |file| {
        machine.text(file)?;
        machine.number(file)?;
        machine.number(file)
    })?;
    let names = machine.list(file, "upvalue name", |file| machine.text(file))?;
    groups(file, upvalues, names);
    Some(())
}
