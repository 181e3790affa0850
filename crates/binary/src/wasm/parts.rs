use super::bytes::Bytes;
use super::references::{Item, References, Space, value_type};
use crate::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The parts of a WebAssembly module that can be removed. The module remains as valid as it was
/// without any subset of `data` and `exports`, or without all of `unneeded`, if the indices of the
/// other items are updated.
///
/// ```
/// use nubbin_binary::wasm_parts;
///
/// // A function that is exported, and one that is not.
/// let module = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x03\x02\0\0\x07\x05\x01\x01f\0\0\x0a\x07\x02\x02\0\x0b\x02\0\x0b";
/// let parts = wasm_parts(module).unwrap();
/// assert_eq!(parts.exports, [22..26]);
/// assert_eq!(parts.unneeded, [32..35]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct WasmParts {
    /// Custom sections, and data segments.
    pub data: Vec<Span>,
    /// Exports, table segments, and the declaration of the start function.
    pub exports: Vec<Span>,
    /// The functions, imports, and other items that nothing needs. The declaration of a function is
    /// removed with its body.
    pub unneeded: Vec<Span>,
}

/// Returns the parts of a WebAssembly module that can be removed. Returns `None` if the text is not
/// a module, or contains something unknown.
///
/// Cost: linear in the module.
pub fn wasm_parts(text: &[u8]) -> Option<WasmParts> {
    if !text.starts_with(b"\0asm\x01\0\0\0") || u32::try_from(text.len()).is_err() {
        return None;
    }
    let mut bytes = Bytes::new(text);
    bytes.skip(8)?;
    let mut module = Parts::default();
    while !bytes.is_at_end() {
        let start = bytes.at;
        let id = bytes.byte()?;
        let mut content = bytes.part()?;
        match id {
            // An object file is not sliced, since its symbols name items that nothing else needs.
            0 if content.is_part_of_object()? => return None,
            0 => module.found.data.push(span(start..bytes.at)),
            8 => {
                let function = content.number()?;
                module.roots.push((Space::Function, function));
                module.found.exports.push(span(start..bytes.at));
            }
            12 => {}
            _ => {
                for _ in 0..content.number()? {
                    module.item(id, &mut content)?;
                }
            }
        }
    }
    Some(module.finish())
}

fn span(range: Range<usize>) -> Span {
    range.start as u32..range.end as u32
}

/// A module that is being read.
#[derive(Default)]
struct Parts {
    found: WasmParts,
    /// The places of items that can be removed: imports, bodies, and others.
    places: BTreeMap<Item, Span>,
    /// For each item, the items to which it refers.
    uses: BTreeMap<Item, BTreeSet<Item>>,
    /// For each space, the number of items.
    counts: BTreeMap<Space, u32>,
    /// The number of functions with a body that have been read.
    bodies: u32,
    /// The number of functions without a body.
    imported: u32,
    /// The items that are always needed.
    roots: Vec<Item>,
    /// The functions that code uses as values.
    values: BTreeSet<u32>,
    /// The segments by their item, and the exports of functions. They can be removed unless code
    /// needs them.
    segments: Vec<(Item, Span)>,
    exports: Vec<(Item, Span)>,
}

impl Parts {
    fn next(&mut self, space: Space) -> Item {
        let count = self.counts.entry(space).or_default();
        *count += 1;
        (space, *count - 1)
    }

    /// Reads an item of a section.
    fn item(&mut self, section: u8, bytes: &mut Bytes<'_>) -> Option<()> {
        let start = bytes.at;
        let mut uses = References::default();
        let space = match section {
            1 => {
                function_type(bytes)?;
                Space::Type
            }
            2 => import(&mut uses, bytes)?,
            3 => {
                // The span of a function is its body, which comes later.
                let item = self.next(Space::Function);
                let ty = (Space::Type, bytes.number()?);
                self.uses.entry(item).or_default().insert(ty);
                return Some(());
            }
            4 => {
                value_type(bytes.byte()?)?;
                limits(bytes)?;
                Space::Table
            }
            5 => {
                limits(bytes)?;
                Space::Memory
            }
            6 => {
                value_type(bytes.byte()?)?;
                bytes.skip(1)?;
                uses.read(bytes)?;
                Space::Global
            }
            7 => {
                bytes.part()?;
                let space = Space::of_kind(bytes.byte()?)?;
                let item = (space, bytes.number()?);
                self.roots.push(item);
                self.exports.push((item, span(start..bytes.at)));
                return Some(());
            }
            9 => {
                element(&mut uses, bytes)?;
                Space::Element
            }
            10 => {
                let mut body = bytes.part()?;
                uses.read_body(&mut body)?;
                let item = (Space::Function, self.imported + self.bodies);
                self.bodies += 1;
                self.add(item, span(start..bytes.at), uses);
                return Some(());
            }
            11 => {
                data(&mut uses, bytes)?;
                Space::Data
            }
            13 => {
                bytes.skip(1)?;
                uses.items.insert((Space::Type, bytes.number()?));
                Space::Tag
            }
            _ => return None,
        };
        let item = self.next(space);
        self.imported += u32::from(section == 2 && space == Space::Function);
        let place = span(start..bytes.at);
        if matches!(space, Space::Element | Space::Data) {
            self.segments.push((item, place.clone()));
            self.roots.push(item);
        }
        self.add(item, place, uses);
        Some(())
    }

    fn add(&mut self, item: Item, place: Span, uses: References) {
        // Only the code section requires that functions are declared.
        if item.0 == Space::Function {
            self.values.extend(&uses.values);
        }
        self.uses.entry(item).or_default().extend(uses.items);
        self.places.insert(item, place);
    }

    fn finish(mut self) -> WasmParts {
        let is_used: BTreeSet<Item> = self
            .uses
            .iter()
            .filter(|(item, _)| item.0 == Space::Function)
            .flat_map(|(_, uses)| uses.iter().copied())
            .collect();
        for (item, place) in self.segments {
            match item.0 {
                _ if is_used.contains(&item) => {}
                Space::Data => self.found.data.push(place),
                // The segment may declare a function that is used as a value.
                _ if self.values.is_empty() => self.found.exports.push(place),
                _ => {}
            }
        }
        for ((space, number), place) in self.exports {
            if space != Space::Function || !self.values.contains(&number) {
                self.found.exports.push(place);
            }
        }
        if !self.values.is_empty() {
            // The value of a global may also declare such a function.
            let declares = |uses: &BTreeSet<Item>| uses.iter().any(|it| it.0 == Space::Function);
            let uses = self.uses.iter();
            let globals = uses.filter(|(item, uses)| item.0 == Space::Global && declares(uses));
            self.roots.extend(globals.map(|(item, _)| *item));
        }
        let mut needed: BTreeSet<Item> = self.roots.iter().copied().collect();
        while let Some(item) = self.roots.pop() {
            for &used in self.uses.get(&item).into_iter().flatten() {
                if needed.insert(used) {
                    self.roots.push(used);
                }
            }
        }
        let unneeded = self.places.into_iter();
        let unneeded = unneeded.filter(|(item, _)| !needed.contains(item));
        self.found.unneeded = unneeded.map(|(_, place)| place).collect();
        for list in [&mut self.found.exports, &mut self.found.unneeded] {
            list.sort_by_key(|place| place.start);
        }
        self.found
    }
}

fn function_type(bytes: &mut Bytes<'_>) -> Option<()> {
    if bytes.byte()? != 0x60 {
        return None;
    }
    for _ in 0..2 {
        for _ in 0..bytes.number()? {
            value_type(bytes.byte()?)?;
        }
    }
    Some(())
}

fn import(uses: &mut References, bytes: &mut Bytes<'_>) -> Option<Space> {
    bytes.part()?;
    bytes.part()?;
    let space = Space::of_kind(bytes.byte()?)?;
    match space {
        Space::Function => drop(uses.items.insert((Space::Type, bytes.number()?))),
        Space::Table => {
            value_type(bytes.byte()?)?;
            limits(bytes)?;
        }
        Space::Memory => limits(bytes)?,
        Space::Global => {
            value_type(bytes.byte()?)?;
            bytes.skip(1)?;
        }
        _ => {
            bytes.skip(1)?;
            uses.items.insert((Space::Type, bytes.number()?));
        }
    }
    Some(space)
}

fn limits(bytes: &mut Bytes<'_>) -> Option<()> {
    let flags = bytes.byte()?;
    bytes.skip_number()?;
    match flags & 1 {
        0 => Some(()),
        _ => bytes.skip_number(),
    }
}

/// Reads a segment of a table, by its flags: 1 for one that is not written by itself, 2 for one
/// with a table or one that only declares, 4 for one of expressions.
fn element(uses: &mut References, bytes: &mut Bytes<'_>) -> Option<()> {
    let flags = bytes.number()?;
    if flags > 7 {
        return None;
    }
    if flags & 1 == 0 {
        let table = match flags & 2 {
            0 => 0,
            _ => bytes.number()?,
        };
        uses.items.insert((Space::Table, table));
        uses.read(bytes)?;
    }
    if flags & 3 != 0 {
        bytes.skip(1)?;
    }
    for _ in 0..bytes.number()? {
        match flags & 4 {
            0 => drop(uses.items.insert((Space::Function, bytes.number()?))),
            _ => uses.read(bytes)?,
        }
    }
    Some(())
}

fn data(uses: &mut References, bytes: &mut Bytes<'_>) -> Option<()> {
    let flags = bytes.number()?;
    if flags != 1 {
        let memory = match flags {
            0 => 0,
            2 => bytes.number()?,
            _ => return None,
        };
        uses.items.insert((Space::Memory, memory));
        uses.read(bytes)?;
    }
    bytes.part()?;
    Some(())
}
