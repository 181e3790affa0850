use super::Format;
use super::builder::Builder;
use crate::Number;
use crate::layout::Means;
use std::ops::Range;

/// Functions with their instructions, constants, functions within, and what debuggers need.
///
/// Source: `lundump.c` of Lua 5.4 (Ierusalimschy, de Figueiredo, Celes).
pub(super) const LUA: Format = Format {
    name: "Lua bytecode",
    fits: |text| text.starts_with(b"\x1bLua\x54\0"),
    read: |file| {
        file.skip(12)?;
        let sizes = file.skip(3)?;
        let [4, integer @ 1..=8, float @ 1..=8] = file.text[sizes] else {
            return None;
        };
        file.skip(usize::from(integer + float) + 1)?;
        let start = file.at;
        function(file, [integer, float], 0)?;
        file.region(start..file.at, "function");
        Some(())
    },
};

/// The most functions within each other; Lua itself allows 200.
const DEPTH: u32 = 100;

const SIZE: Number = Number::Marked;

/// Reads the count of a list, and its items. Returns their places.
fn list(
    file: &mut Builder<'_>,
    kind: &'static str,
    mut item: impl FnMut(&mut Builder<'_>) -> Option<()>,
) -> Option<Vec<Range<usize>>> {
    let (count, place) = file.number(SIZE)?;
    let own = file.list();
    file.counts(place, SIZE, own);
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

fn number(file: &mut Builder<'_>) -> Option<()> {
    file.number(SIZE).map(drop)
}

/// A text with its length and one more before it; 0 is no text.
fn text(file: &mut Builder<'_>) -> Option<()> {
    let (size, place) = file.number(SIZE)?;
    let len = usize::try_from(size.saturating_sub(1)).ok()?;
    let text = file.skip(len)?;
    if size > 0 {
        let of = text.start as u32..text.end as u32;
        file.field(place, SIZE, Means::Length { of, unit: 1 });
        file.region(text, "text");
    }
    Some(())
}

fn groups(file: &mut Builder<'_>, some: Vec<Range<usize>>, others: Vec<Range<usize>>) {
    if some.len() == others.len() {
        for (one, other) in some.into_iter().zip(others) {
            file.group([one, other]);
        }
    }
}

fn function(file: &mut Builder<'_>, [integer, float]: [u8; 2], depth: u32) -> Option<()> {
    text(file)?;
    number(file)?;
    number(file)?;
    file.skip(3)?;
    let code = list(file, "instruction", |file| file.pass(4))?;
    list(file, "constant", |file| {
        let kind = file.skip(1)?;
        match file.text[kind.start] {
            0x03 => file.pass(usize::from(integer)),
            0x13 => file.pass(usize::from(float)),
            0x04 | 0x14 => text(file),
            _ => Some(()),
        }
    })?;
    let upvalues = list(file, "upvalue", |file| file.pass(3))?;
    if depth == DEPTH {
        return None;
    }
    list(file, "function", |file| {
        function(file, [integer, float], depth + 1)
    })?;
    let lines = list(file, "line", |file| file.pass(1))?;
    groups(file, code, lines);
    list(file, "absolute line", |file| {
        number(file)?;
        number(file)
    })?;
    list(file, "local", |file| {
        text(file)?;
        number(file)?;
        number(file)
    })?;
    let names = list(file, "upvalue name", text)?;
    groups(file, upvalues, names);
    Some(())
}
