use super::bytes::Bytes;
use std::collections::BTreeSet;

/// The kind of item to which an index in a module refers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Space {
    Function,
    Table,
    Memory,
    Global,
    Tag,
    Type,
    Element,
    Data,
}

impl Space {
    /// Returns the index space for a kind of imports and exports.
    pub(super) fn of_kind(kind: u8) -> Option<Self> {
        use Space::{Function, Global, Memory, Table, Tag};
        [Function, Table, Memory, Global, Tag]
            .get(usize::from(kind))
            .copied()
    }
}

/// An item with an index: its space, and its position in the space.
pub(super) type Item = (Space, u32);

/// The items to which some code refers.
#[derive(Debug, Default)]
pub(super) struct References {
    pub(super) items: BTreeSet<Item>,
    /// The functions that are used as values. Each of them must be declared outside of the code.
    pub(super) values: BTreeSet<u32>,
}

impl References {
    fn add(&mut self, space: Space, bytes: &mut Bytes<'_>) -> Option<()> {
        self.items.insert((space, bytes.number()?));
        Some(())
    }

    /// Adds the items to which the body of a function refers, including its locals. Returns `None`
    /// if it has unknown instructions.
    pub(super) fn read_body(&mut self, bytes: &mut Bytes<'_>) -> Option<()> {
        for _ in 0..bytes.number()? {
            bytes.number()?;
            value_type(bytes.byte()?)?;
        }
        self.read(bytes)?;
        bytes.is_at_end().then_some(())
    }

    /// Adds the items to which an expression refers, up to its end.
    pub(super) fn read(&mut self, bytes: &mut Bytes<'_>) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            let code = bytes.byte()?;
            match code {
                0x02..=0x04 => {
                    self.block(bytes)?;
                    depth += 1;
                }
                0x0b if depth == 0 => return Some(()),
                0x0b => depth -= 1,
                _ => self.instruction(code, bytes)?,
            }
        }
    }

    fn block(&mut self, bytes: &mut Bytes<'_>) -> Option<()> {
        let first = bytes.peek()?;
        match first == 0x40 || value_type(first).is_some() {
            true => bytes.skip(1),
            false => self.add(Space::Type, bytes),
        }
    }

    /// Passes an instruction that is not a block.
    ///
    /// Source: WebAssembly Core Specification 2.0, W3C 2022, section "Instructions" of the binary
    /// format.
    fn instruction(&mut self, code: u8, bytes: &mut Bytes<'_>) -> Option<()> {
        match code {
            0x06 | 0x07 | 0x09 | 0x0a | 0x14..=0x19 | 0x1d..=0x1f | 0xd3..=0xfb => return None,
            // Indices after these instructions are not updated when a part is removed.
            0xfd..=0xff => return None,
            0x08 => self.add(Space::Tag, bytes)?,
            0x0c | 0x0d | 0x20..=0x22 => drop(bytes.number()?),
            0x0e => {
                for _ in 0..=bytes.number()? {
                    bytes.number()?;
                }
            }
            0x10 | 0x12 => self.add(Space::Function, bytes)?,
            0x11 | 0x13 => {
                self.add(Space::Type, bytes)?;
                self.add(Space::Table, bytes)?;
            }
            0x1c => {
                for _ in 0..bytes.number()? {
                    value_type(bytes.byte()?)?;
                }
            }
            0x23 | 0x24 => self.add(Space::Global, bytes)?,
            0x25 | 0x26 => self.add(Space::Table, bytes)?,
            0x28..=0x3e => self.place(bytes)?,
            0x3f | 0x40 if bytes.peek()? != 0 => return None,
            0x3f | 0x40 => self.add(Space::Memory, bytes)?,
            0x41 | 0x42 => bytes.skip_number()?,
            0x43 => bytes.skip(4)?,
            0x44 => bytes.skip(8)?,
            0xd0 => drop(value_type(bytes.byte()?)?),
            0xd2 => {
                let function = bytes.number()?;
                self.items.insert((Space::Function, function));
                self.values.insert(function);
            }
            0xfc => self.bulk(bytes)?,
            _ => {}
        }
        Some(())
    }

    /// Passes the alignment and the offset of an access of memory.
    fn place(&mut self, bytes: &mut Bytes<'_>) -> Option<()> {
        let alignment = bytes.number()?;
        if alignment & 0x40 != 0 {
            return None;
        }
        self.items.insert((Space::Memory, 0));
        bytes.skip_number()
    }

    fn bulk(&mut self, bytes: &mut Bytes<'_>) -> Option<()> {
        use Space::{Data, Element, Memory, Table};
        let spaces: &[Space] = match bytes.number()? {
            0..=7 => &[],
            8 => &[Data, Memory],
            9 => &[Data],
            10 => &[Memory, Memory],
            11 => &[Memory],
            12 => &[Element, Table],
            13 => &[Element],
            14 => &[Table, Table],
            15..=17 => &[Table],
            _ => return None,
        };
        spaces.iter().try_for_each(|&space| {
            // Only the index of memory 0 or table 0 is understood.
            let is_other = matches!(space, Memory | Table) && bytes.peek()? != 0;
            (!is_other).then(|| self.add(space, bytes))?
        })
    }
}

/// Returns a type of values, if the byte encodes a type that needs no more bytes.
pub(super) fn value_type(byte: u8) -> Option<u8> {
    matches!(byte, 0x6f | 0x70 | 0x7b..=0x7f).then_some(byte)
}
