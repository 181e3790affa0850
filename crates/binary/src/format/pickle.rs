use super::Format;
use super::builder::Builder;
use crate::Number;
use crate::layout::Means;
use std::ops::Range;

/// The Python pickle format: values as a program for a machine with a stack and a memo. Values
/// in the memo are referred to by their numbers.
///
/// Source: `Lib/pickletools.py` of CPython, protocols 0 to 5.
pub(super) const PICKLE: Format = Format {
    name: "pickle",
    // Protocols 0 and 1 have no magic number; the first is text.
    fits: |text| {
        matches!(text, [0x80, 2..=5, first, ..] if arguments(*first).is_some())
            && text.contains(&b'.')
    },
    read: |file| {
        while file.at < file.text.len() {
            let start = file.at;
            program(file)?;
            file.region(start..file.at, "program");
        }
        Some(())
    },
};

/// The arguments of an instruction.
enum Arguments {
    Bytes(usize),
    Lines(usize),
    /// A length, followed by this many bytes.
    Counted(Number),
}

fn arguments(instruction: u8) -> Option<Arguments> {
    use Arguments::{Bytes, Counted, Lines};
    Some(match instruction {
        b'J' | b'j' | b'r' | 0x84 => Bytes(4),
        b'K' | b'h' | b'q' | 0x80 | 0x82 => Bytes(1),
        b'M' | 0x83 => Bytes(2),
        b'G' | 0x95 => Bytes(8),
        b'I' | b'L' | b'S' | b'V' | b'F' | b'g' | b'p' | b'P' => Lines(1),
        b'c' | b'i' => Lines(2),
        b'U' | b'C' | 0x8a | 0x8c => Counted(Number::Little(1)),
        b'T' | b'B' | b'X' | 0x8b => Counted(Number::Little(4)),
        0x8d | 0x8e | 0x96 => Counted(Number::Little(8)),
        b'N' | b']' | b'a' | b'e' | b'l' | b')' | b't' | b'}' | b'd' | b's' | b'u' | b'0'
        | b'2' | b'(' | b'1' | b'R' | b'b' | b'o' | b'Q' | b'.' => Bytes(0),
        0x81 | 0x85..=0x89 | 0x8f..=0x94 | 0x97 | 0x98 => Bytes(0),
        _ => return None,
    })
}

/// The positions at which the values on the stack begin. A value ends where the next one begins.
#[derive(Default)]
struct Stack {
    starts: Vec<usize>,
    /// The marks, with their places, and the numbers of values below them.
    marks: Vec<(usize, usize)>,
}

impl Stack {
    /// Joins the last values into one value.
    fn join(&mut self, count: usize) -> Option<()> {
        let left = self.starts.len().checked_sub(count.checked_sub(1)?)?;
        self.starts.truncate(left);
        (left > 0).then_some(())
    }

    /// Takes the values above the last mark, which end at `end`.
    fn above_mark(&mut self, end: usize) -> Option<(usize, Vec<usize>)> {
        let (place, below) = self.marks.pop()?;
        let mut starts = self.starts.split_off(below.min(self.starts.len()));
        starts.push(end);
        Some((place, starts))
    }
}

fn program(file: &mut Builder<'_>) -> Option<()> {
    let mut stack = Stack::default();
    let memo = file.list();
    loop {
        let start = file.at;
        let instruction = *file.text.get(start)?;
        file.pass(1)?;
        let place = argument(file, instruction)?;
        if !file.keeps::<usize>() {
            return None;
        }
        let end = file.at;
        match instruction {
            b'.' => return Some(()),
            // These instructions do not change the stack.
            0x80 | 0x98 | b'Q' | b'p' => {}
            0x95 => {
                let len = Number::Little(8).read(&file.text[place.clone()])?.0;
                let frame = end..end.checked_add(usize::try_from(len).ok()?)?;
                file.bytes(frame.clone())?;
                file.measures(place, Number::Little(8), frame);
                // Readers accept a pickle without frames.
                file.region(start..end, "frame");
            }
            0x94 => {
                file.item(memo, start..end);
                file.region(start..end, "memo");
            }
            b'q' | b'r' => file.region(start..end, "memo"),
            b'h' | b'j' => {
                let number = Number::Little(place.len() as u8);
                let item = number.read(&file.text[place.clone()])?.0;
                file.refers(place, number, memo, item);
                stack.starts.push(start);
            }
            b'(' => stack.marks.push((start, stack.starts.len())),
            b'a' => {
                let item = stack.starts.pop()?;
                file.region(item..end, "item");
            }
            b's' => {
                stack.starts.pop()?;
                let key = stack.starts.pop()?;
                file.region(key..end, "pair");
            }
            b'e' | 0x90 | b'u' => {
                let (mark, starts) = stack.above_mark(start)?;
                regions(file, &starts, instruction == b'u');
                file.region(mark..end, "items");
            }
            b'l' | b't' | b'd' | 0x91 | b'i' | b'o' => {
                let (mark, starts) = stack.above_mark(start)?;
                regions(file, &starts, instruction == b'd');
                stack.starts.push(mark);
            }
            b'b' => {
                let state = stack.starts.pop()?;
                file.region(state..end, "state");
            }
            0x85 => stack.join(1)?,
            0x86 | b'R' | 0x81 | 0x93 => stack.join(2)?,
            0x87 | 0x92 => stack.join(3)?,
            b'0' => {
                let value = stack.starts.pop()?;
                file.region(value..end, "value");
            }
            b'1' => {
                let (mark, _) = stack.above_mark(start)?;
                file.region(mark..end, "items");
            }
            _ => stack.starts.push(start),
        }
        // These instructions replace values on the stack with another value.
        if let b'l' | b't' | b'd' | 0x91 | 0x85..=0x87 | b'R' | 0x81 | 0x92 = instruction {
            let value = *stack.starts.last()?;
            file.region(value..end, "value");
        }
    }
}

/// Reads the argument of an instruction, and returns its place.
fn argument(file: &mut Builder<'_>, instruction: u8) -> Option<Range<usize>> {
    let start = file.at;
    match arguments(instruction)? {
        Arguments::Bytes(len) => file.pass(len)?,
        Arguments::Lines(count) => {
            for _ in 0..count {
                let rest = file.bytes(file.at..file.text.len())?;
                let len = rest.iter().position(|&byte| byte == b'\n')?;
                file.pass(len + 1)?;
            }
        }
        Arguments::Counted(number) => {
            let place = file.at;
            let (len, _) = file.number(number)?;
            let data = file.skip(usize::try_from(len).ok()?)?;
            let means = Means::Length {
                of: data.start as u32..data.end as u32,
                unit: 1,
            };
            file.field(place..data.start, number, means);
            file.region(data, "text");
        }
    }
    Some(start..file.at)
}

/// Adds values, or pairs of them, by where they begin, and where the last one ends.
fn regions(file: &mut Builder<'_>, starts: &[usize], pairs: bool) {
    let each = 1 + usize::from(pairs);
    let kind = if pairs { "pair" } else { "item" };
    let ends = starts.iter().skip(each).step_by(each);
    for (&start, &end) in starts.iter().step_by(each).zip(ends) {
        file.region(start..end, kind);
    }
}
