use super::Format;
use super::builder::Builder;
use crate::Number;
use std::ops::Range;

/// The format of Java class files: constants, fields, methods, and attributes, with the numbers of
/// constants in them.
///
/// Source: The Java Virtual Machine Specification, Java SE 21, chapter 4.
pub(super) const CLASS: Format = Format {
    name: "Java class",
    fits: |text| text.starts_with(b"\xca\xfe\xba\xbe") && text.get(4..6) == Some(&[0, 0]),
    read: class,
};

const SHORT: Number = Number::Big(2);
const WORD: Number = Number::Big(4);

fn class(file: &mut Builder<'_>) -> Option<()> {
    file.skip(8)?;
    let (count, place) = file.number(SHORT)?;
    let constants = file.list();
    // The stored count is the number of constants plus one.
    file.counts(place, SHORT, constants);
    file.item(constants, 0..0);
    let mut names: Vec<Range<usize>> = vec![Range::default()];
    while (names.len() as u64) < count {
        let start = file.at;
        let tag = *file.text.get(start)?;
        file.skip(1)?;
        let mut name = 0..0;
        match tag {
            1 => {
                name = file.length(SHORT)?;
                file.region(name.clone(), "text");
                file.at = name.end;
            }
            7 | 8 | 16 | 19 | 20 => constant(file, constants)?,
            3 | 4 => file.pass(4)?,
            5 | 6 => file.pass(8)?,
            9..=12 => {
                constant(file, constants)?;
                constant(file, constants)?;
            }
            15 => {
                file.skip(1)?;
                constant(file, constants)?;
            }
            17 | 18 => {
                file.skip(2)?;
                constant(file, constants)?;
            }
            _ => return None,
        }
        file.region(start..file.at, "constant");
        // A `long` or a `double` takes two numbers.
        for _ in 0..if matches!(tag, 5 | 6) { 2 } else { 1 } {
            file.item(constants, start..file.at);
            names.push(name.clone());
        }
    }
    let pool = Pool { constants, names };
    file.skip(2)?;
    constant(file, constants)?;
    constant(file, constants)?;
    list(file, SHORT, "interface", |file| constant(file, constants))?;
    for kind in ["field", "method"] {
        list(file, SHORT, kind, |file| {
            file.skip(2)?;
            constant(file, constants)?;
            constant(file, constants)?;
            attributes(file, &pool, 0)
        })?;
    }
    attributes(file, &pool, 0)
}

struct Pool {
    constants: usize,
    /// The places of the constants that are texts.
    names: Vec<Range<usize>>,
}

fn constant(file: &mut Builder<'_>, constants: usize) -> Option<()> {
    let (item, place) = file.number(SHORT)?;
    file.refers(place, SHORT, constants, item);
    Some(())
}

fn list(
    file: &mut Builder<'_>,
    number: Number,
    kind: &'static str,
    mut item: impl FnMut(&mut Builder<'_>) -> Option<()>,
) -> Option<()> {
    let (count, place) = file.number(number)?;
    let own = file.list();
    file.counts(place, number, own);
    for _ in 0..count {
        let start = file.at;
        item(file)?;
        file.region(start..file.at, kind);
        file.item(own, start..file.at);
    }
    Some(())
}

/// Attributes hold attributes only in code and in records, so this recurses three times at most.
fn attributes(file: &mut Builder<'_>, pool: &Pool, depth: u32) -> Option<()> {
    list(file, SHORT, "attribute", |file| {
        let name = file.peek(file.at, SHORT)?;
        constant(file, pool.constants)?;
        let content = file.length(WORD)?;
        let name = pool.names.get(usize::try_from(name).ok()?)?.clone();
        let name = file.bytes(name)?;
        let _ = attribute(file, pool, name, content.end, depth);
        file.at = content.end;
        Some(())
    })
}

fn attribute(
    file: &mut Builder<'_>,
    pool: &Pool,
    name: &[u8],
    end: usize,
    depth: u32,
) -> Option<()> {
    let constants = pool.constants;
    match name {
        b"Code" if depth < 3 => {
            file.skip(4)?;
            let code = file.length(WORD)?;
            file.region(code.clone(), "code");
            let _ = instructions(file, code.clone(), constants);
            file.at = code.end;
            list(file, SHORT, "handler", |file| {
                file.skip(6)?;
                constant(file, constants)
            })?;
            attributes(file, pool, depth + 1)
        }
        b"SourceFile" | b"Signature" | b"ConstantValue" | b"NestHost" => constant(file, constants),
        b"Exceptions" | b"NestMembers" | b"PermittedSubclasses" => {
            list(file, SHORT, "item", |file| constant(file, constants))
        }
        b"LineNumberTable" => list(file, SHORT, "line", |file| file.pass(4)),
        b"LocalVariableTable" | b"LocalVariableTypeTable" => {
            list(file, SHORT, "variable", |file| {
                file.skip(4)?;
                constant(file, constants)?;
                constant(file, constants)?;
                file.pass(2)
            })
        }
        b"InnerClasses" => list(file, SHORT, "class", |file| {
            for _ in 0..3 {
                constant(file, constants)?;
            }
            file.pass(2)
        }),
        b"BootstrapMethods" => list(file, SHORT, "method", |file| {
            constant(file, constants)?;
            list(file, SHORT, "argument", |file| constant(file, constants))
        }),
        _ => {
            file.region(file.at..end, "content");
            None
        }
    }
}

/// Instructions, by the lengths of their operands.
fn instructions(file: &mut Builder<'_>, code: Range<usize>, constants: usize) -> Option<()> {
    while file.at < code.end {
        let start = file.at;
        let opcode = file.text[start];
        file.skip(1)?;
        match opcode {
            0x12 => {
                let (item, place) = file.number(Number::Big(1))?;
                file.refers(place, Number::Big(1), constants, item);
            }
            0x13 | 0x14 | 0xb2..=0xb8 | 0xbb | 0xbd | 0xc0 | 0xc1 => constant(file, constants)?,
            0xb9 | 0xba => {
                constant(file, constants)?;
                file.skip(2)?;
            }
            0xc5 => {
                constant(file, constants)?;
                file.skip(1)?;
            }
            0x10 | 0x15..=0x19 | 0x36..=0x3a | 0xa9 | 0xbc => file.pass(1)?,
            0x11 | 0x84 | 0x99..=0xa8 | 0xc6 | 0xc7 => file.pass(2)?,
            0xc8 | 0xc9 => file.pass(4)?,
            0xc4 => {
                let wide = *file.text.get(file.at)?;
                file.skip(if wide == 0x84 { 5 } else { 3 })?;
            }
            0xaa | 0xab => {
                file.at = code.start + (file.at - code.start).next_multiple_of(4);
                let bound = |at: usize| file.peek(at, WORD).map(|bound| bound as u32 as i32);
                let len = match opcode {
                    0xaa => {
                        let (low, high) = (bound(file.at + 4)?, bound(file.at + 8)?);
                        12 + 4 * usize::try_from(i64::from(high) - i64::from(low) + 1).ok()?
                    }
                    _ => 8 + 8 * usize::try_from(bound(file.at + 4)?).ok()?,
                };
                file.skip(len)?;
            }
            _ => {}
        }
        if file.at > code.end {
            return None;
        }
        file.region(start..file.at, "instruction");
    }
    Some(())
}
