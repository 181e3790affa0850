use super::Format;
use super::builder::Builder;
use crate::Number;
use std::ops::Range;

/// The format of WebAssembly: sections with their items and instructions, including the sections of
/// object files. The removal of a function removes its declaration and its body, and all indices
/// are updated.
///
/// Source: WebAssembly Core Specification 2.0, W3C 2022; "WebAssembly Object File Linking" of
/// tool-conventions.
pub(super) const WASM: Format = Format {
    name: "WebAssembly",
    fits: |text| text.starts_with(b"\0asm"),
    read: wasm,
};

const LEB: Number = Number::Leb;

/// The numbers of the lists of a module.
#[derive(Clone, Copy)]
struct Lists {
    sections: usize,
    types: usize,
    /// The number of items of each kind in imports and exports: functions, tables, memories,
    /// globals, and tags.
    spaces: [usize; 5],
    elements: usize,
    data: usize,
    symbols: usize,
    /// The numbers of declared functions, and of functions with a body.
    declared: usize,
    bodies: usize,
}

fn wasm(file: &mut Builder<'_>) -> Option<()> {
    let lists = Lists {
        sections: file.list(),
        types: file.list(),
        spaces: std::array::from_fn(|_| file.list()),
        elements: file.list(),
        data: file.list(),
        symbols: file.list(),
        declared: file.list(),
        bodies: file.list(),
    };
    let mut contents: Vec<Range<usize>> = vec![];
    file.skip(8)?;
    while file.at < file.text.len() {
        let start = file.at;
        let id = *file.text.get(start)?;
        file.skip(1)?;
        let Some(content) = file.length(LEB) else {
            file.region(start..file.text.len(), "rest");
            return None;
        };
        file.region(start..content.end, "section");
        file.item(lists.sections, start..content.end);
        contents.push(content.clone());
        // A section with an error is still a region.
        let _ = section(file, id, content.end, &lists, &contents);
        file.at = content.end;
    }
    let pair = |span: &std::ops::Range<u32>| span.start as usize..span.end as usize;
    let declared: Vec<_> = file.items(lists.declared).iter().map(pair).collect();
    let bodies: Vec<_> = file.items(lists.bodies).iter().map(pair).collect();
    if declared.len() == bodies.len() {
        for (declared, body) in declared.into_iter().zip(bodies) {
            file.group([declared, body]);
        }
    }
    Some(())
}

/// Reads a vector: a count, and items, each of which becomes a region and an item of the lists.
fn vector(
    file: &mut Builder<'_>,
    end: usize,
    kind: &'static str,
    lists: &[usize],
    mut item: impl FnMut(&mut Builder<'_>) -> Option<()>,
) -> Option<()> {
    let (count, place) = file.number(LEB)?;
    let own = file.list();
    file.counts(place, LEB, own);
    for _ in 0..count {
        let start = file.at;
        if start >= end {
            return None;
        }
        let sound = item(file);
        if sound.is_none() || file.at > end {
            return None;
        }
        file.region(start..file.at, kind);
        for &list in lists.iter().chain([&own]) {
            file.item(list, start..file.at);
        }
    }
    Some(())
}

fn refer(file: &mut Builder<'_>, list: usize) -> Option<()> {
    let (value, place) = file.number(LEB)?;
    file.refers(place, LEB, list, value);
    Some(())
}

fn skip_leb(file: &mut Builder<'_>) -> Option<u64> {
    // Signed numbers, which may be longer, are skipped as well.
    let rest = file.text.get(file.at..)?;
    let len = rest.iter().take(10).position(|&byte| byte < 0x80)? + 1;
    let (value, _) = LEB.read(rest).unwrap_or((u64::MAX, len));
    file.skip(len)?;
    Some(value)
}

fn name(file: &mut Builder<'_>) -> Option<Range<usize>> {
    let range = file.length(LEB)?;
    file.region(range.clone(), "name");
    file.at = range.end;
    Some(range)
}

fn limits(file: &mut Builder<'_>) -> Option<()> {
    let flags = *file.text.get(file.at)?;
    file.skip(1)?;
    skip_leb(file)?;
    if flags & 1 != 0 {
        skip_leb(file)?;
    }
    Some(())
}

fn section(
    file: &mut Builder<'_>,
    id: u8,
    end: usize,
    lists: &Lists,
    contents: &[Range<usize>],
) -> Option<()> {
    let [functions, tables, memories, globals, tags] = lists.spaces;
    match id {
        0 => {
            let range = name(file)?;
            custom(file, range, end, lists, contents)
        }
        1 => vector(file, end, "type", &[lists.types], |file| {
            if file.skip(1)? != (file.at - 1..file.at) || file.text[file.at - 1] != 0x60 {
                return None;
            }
            for kind in ["parameter", "result"] {
                vector(file, end, kind, &[], |file| file.pass(1))?;
            }
            Some(())
        }),
        2 => imports(file, lists),
        3 => vector(
            file,
            end,
            "function",
            &[functions, lists.declared],
            |file| refer(file, lists.types),
        ),
        4 => vector(file, end, "table", &[tables], |file| {
            file.skip(1)?;
            limits(file)
        }),
        5 => vector(file, end, "memory", &[memories], limits),
        6 => vector(file, end, "global", &[globals], |file| {
            file.skip(2)?;
            expression(file, end, lists)
        }),
        7 => vector(file, end, "export", &[], |file| {
            name(file)?;
            let kind = usize::from(*file.text.get(file.at)?);
            file.skip(1)?;
            refer(file, *lists.spaces.get(kind)?)
        }),
        8 => refer(file, functions),
        9 => vector(file, end, "element", &[lists.elements], |file| {
            element(file, end, lists)
        }),
        10 => vector(file, end, "body", &[lists.bodies], |file| {
            let range = file.length(LEB)?;
            let _ = body(file, range.end, lists);
            file.at = range.end;
            Some(())
        }),
        11 => vector(file, end, "segment", &[lists.data], |file| {
            segment(file, end, lists)
        }),
        12 => {
            let (_, place) = file.number(LEB)?;
            file.counts(place, LEB, lists.data);
            Some(())
        }
        13 => vector(file, end, "tag", &[tags], |file| {
            file.skip(1)?;
            refer(file, lists.types)
        }),
        _ => None,
    }
}

fn imports(file: &mut Builder<'_>, lists: &Lists) -> Option<()> {
    let (count, place) = file.number(LEB)?;
    let own = file.list();
    file.counts(place, LEB, own);
    for _ in 0..count {
        let start = file.at;
        name(file)?;
        name(file)?;
        let kind = usize::from(*file.text.get(file.at)?);
        file.skip(1)?;
        match kind {
            0 => refer(file, lists.types)?,
            1 => {
                file.skip(1)?;
                limits(file)?;
            }
            2 => limits(file)?,
            3 => file.pass(2)?,
            4 => {
                file.skip(1)?;
                refer(file, lists.types)?;
            }
            _ => return None,
        }
        file.region(start..file.at, "import");
        file.item(own, start..file.at);
        file.item(lists.spaces[kind], start..file.at);
    }
    Some(())
}

fn segment(file: &mut Builder<'_>, end: usize, lists: &Lists) -> Option<()> {
    let [_, _, memories, ..] = lists.spaces;
    let mode = skip_leb(file)?;
    if mode == 2 {
        refer(file, memories)?;
    }
    if mode != 1 {
        expression(file, end, lists)?;
    }
    let range = file.length(LEB)?;
    file.region(range.clone(), "data");
    file.at = range.end;
    Some(())
}

fn element(file: &mut Builder<'_>, end: usize, lists: &Lists) -> Option<()> {
    let mode = skip_leb(file)?;
    if mode > 7 {
        return None;
    }
    if mode & 1 == 0 {
        if mode & 2 != 0 {
            refer(file, lists.spaces[1])?;
        }
        expression(file, end, lists)?;
    }
    if mode & 3 != 0 {
        file.skip(1)?;
    }
    match mode & 4 {
        0 => vector(file, end, "item", &[], |file| refer(file, lists.spaces[0])),
        _ => vector(file, end, "item", &[], |file| expression(file, end, lists)),
    }
}

fn body(file: &mut Builder<'_>, end: usize, lists: &Lists) -> Option<()> {
    vector(file, end, "locals", &[], |file| {
        skip_leb(file)?;
        file.pass(1)
    })?;
    file.region(file.at..end.saturating_sub(1), "code");
    expression(file, end, lists)
}

/// Reads instructions up to the `end` of the outermost block. Each becomes a region, and each block
/// with all in it.
fn expression(file: &mut Builder<'_>, end: usize, lists: &Lists) -> Option<()> {
    let mut blocks: Vec<(usize, usize)> = vec![];
    while file.at < end {
        let start = file.at;
        let opcode = *file.text.get(start)?;
        file.skip(1)?;
        immediates(file, end, opcode, lists)?;
        match opcode {
            0x02..=0x04 => blocks.push((start, file.at)),
            0x0b => {
                let Some((outer, inside)) = blocks.pop() else {
                    return Some(());
                };
                file.region(inside..start, "block");
                file.region(outer..file.at, "instruction");
            }
            // The branch of `else` is removed with its content.
            0x05 => {}
            _ => file.region(start..file.at, "instruction"),
        }
    }
    None
}

fn immediates(file: &mut Builder<'_>, end: usize, opcode: u8, lists: &Lists) -> Option<()> {
    let [functions, tables, memories, globals, tags] = lists.spaces;
    match opcode {
        0x02..=0x04 => match *file.text.get(file.at)? {
            0x40 | 0x6f | 0x70 | 0x7b..=0x7f => file.pass(1)?,
            _ => refer(file, lists.types)?,
        },
        0x08 => refer(file, tags)?,
        0x09 | 0x0c | 0x0d | 0x20..=0x22 | 0x41 | 0x42 => skip_leb(file).map(drop)?,
        0x0e => {
            let count = skip_leb(file)?;
            // Each target takes a byte. A wrong count must not start a search through all of the
            // following bytes.
            if count >= (end - file.at.min(end)) as u64 {
                return None;
            }
            for _ in 0..=count {
                skip_leb(file)?;
            }
        }
        0x10 | 0x12 | 0xd2 => refer(file, functions)?,
        0x11 | 0x13 => {
            refer(file, lists.types)?;
            refer(file, tables)?;
        }
        0x1c => {
            let count = skip_leb(file)?;
            file.skip(usize::try_from(count).ok()?)?;
        }
        0x23 | 0x24 => refer(file, globals)?,
        0x25 | 0x26 => refer(file, tables)?,
        0x28..=0x3e => {
            skip_leb(file)?;
            skip_leb(file)?;
        }
        0x3f | 0x40 | 0xd0 => file.pass(1)?,
        0x43 => file.pass(4)?,
        0x44 => file.pass(8)?,
        0xfc => match skip_leb(file)? {
            0..=7 => {}
            8 => {
                refer(file, lists.data)?;
                refer(file, memories)?;
            }
            9 => refer(file, lists.data)?,
            10 => file.pass(2)?,
            11 => file.pass(1)?,
            12 => {
                refer(file, lists.elements)?;
                refer(file, tables)?;
            }
            13 => refer(file, lists.elements)?,
            14 => file.pass(2)?,
            15..=17 => refer(file, tables)?,
            _ => return None,
        },
        0x06 | 0x07 | 0x14..=0x19 | 0xfb | 0xfd | 0xfe | 0xff => return None,
        _ => {}
    }
    Some(())
}

/// The sections of object files: symbols, relocations, names.
fn custom(
    file: &mut Builder<'_>,
    range: Range<usize>,
    end: usize,
    lists: &Lists,
    contents: &[Range<usize>],
) -> Option<()> {
    file.region(file.at..end, "content");
    match &file.text[range] {
        b"linking" | b"name" | b"dylink.0" => {
            let is_linking = file.bytes(end.checked_sub(1)?..end).is_some();
            let has_version =
                is_linking && contents.len() > 1 && file.text.get(file.at) == Some(&2);
            if has_version {
                skip_leb(file)?;
            }
            while file.at < end {
                let start = file.at;
                let id = *file.text.get(start)?;
                file.skip(1)?;
                let content = file.length(LEB)?;
                file.region(start..content.end, "subsection");
                if has_version && id == 8 {
                    let _ = vector(file, content.end, "symbol", &[lists.symbols], |file| {
                        symbol(file, lists)
                    });
                }
                file.at = content.end;
            }
            Some(())
        }
        [b'r', b'e', b'l', b'o', b'c', b'.', ..] => {
            let (number, place) = file.number(LEB)?;
            file.refers(place, LEB, lists.sections, number);
            let target = contents.get(usize::try_from(number).ok()?)?.clone();
            vector(file, end, "relocation", &[], |file| {
                let kind = *file.text.get(file.at)?;
                file.skip(1)?;
                let (offset, place) = file.number(LEB)?;
                let to = target.start.checked_add(usize::try_from(offset).ok()?)?;
                file.points(place, LEB, to, target.start);
                match kind {
                    6 => refer(file, lists.types)?,
                    _ => refer(file, lists.symbols)?,
                }
                if matches!(kind, 3..=5 | 8 | 9 | 11 | 14..=17 | 21..=23 | 25) {
                    skip_leb(file)?;
                }
                Some(())
            })
        }
        _ => Some(()),
    }
}

fn symbol(file: &mut Builder<'_>, lists: &Lists) -> Option<()> {
    let kind = *file.text.get(file.at)?;
    file.skip(1)?;
    let flags = skip_leb(file)?;
    let is_undefined = flags & 0x10 != 0;
    match kind {
        0 | 2 | 4 | 5 => {
            let space = match kind {
                0 => 0,
                2 => 3,
                4 => 4,
                _ => 1,
            };
            refer(file, lists.spaces[space])?;
            if !is_undefined || flags & 0x40 != 0 {
                name(file)?;
            }
        }
        1 => {
            name(file)?;
            if !is_undefined {
                refer(file, lists.data)?;
                skip_leb(file)?;
                skip_leb(file)?;
            }
        }
        3 => refer(file, lists.sections)?,
        _ => return None,
    }
    Some(())
}
