use super::record::{self, Value, add_varint, varint_len};
use super::{HEADER, INDEX, KEPT, KEPT_LEN, MAGIC, Pages, TABLE};
use crate::Number;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the database of some rows in the [notation](super), which is read as far as it is sound.
///
/// Rows that would contradict others are left out: tables and indices that are not in the schema,
/// indices and triggers of missing tables, and index entries for missing rows.
pub(crate) fn encode(text: &[u8]) -> Vec<u8> {
    // A text without a header does not describe a database, so the result is any short file.
    write(text).unwrap_or_default()
}

fn write(text: &[u8]) -> Option<Vec<u8>> {
    let (&doublings, rest) = text.split_first()?;
    let (_, rest) = rest.split_at_checked(usize::from(doublings))?;
    let (kept, rest) = rest.split_at_checked(KEPT_LEN)?;
    // The third of the kept bytes is the number of reserved bytes in a page.
    let pages = Pages::new(512 << doublings.min(7), kept[2])?;
    let mut trees = trees(rest).into_iter();
    let schema = trees.next().unwrap_or(Tree {
        kind: TABLE,
        root: 1,
        entries: vec![],
    });
    let mut trees: BTreeMap<u64, Tree<'_>> = trees.map(|tree| (tree.root, tree)).collect();
    let objects = objects(&schema, &mut trees);
    let mut file = Writer {
        pages,
        bytes: vec![0; pages.size],
    };
    let roots: Vec<Option<usize>> = objects
        .iter()
        .map(|object| object.tree.as_ref().map(|_| file.fresh()))
        .collect();
    let mut rows = vec![];
    for (object, root) in objects.iter().zip(roots) {
        let mut values = object.values.clone();
        let mut number = [0; 8];
        if let (Some(root), Some(value)) = (root, values.get_mut(3)) {
            *value = Value::shortest(root as u32, &mut number);
        }
        rows.push((object.row, record::write(values.iter().copied())));
        if let (Some(root), Some(tree)) = (root, &object.tree) {
            let entries = tree.entries.iter();
            let entries =
                entries.map(|entry| (entry.row, record::write(entry.values().into_iter())));
            file.tree(root, tree.kind, entries.collect());
        }
    }
    file.tree(1, TABLE, rows);
    let count = file.bytes.len() / pages.size;
    let mut header = [0; HEADER];
    header[..16].copy_from_slice(MAGIC);
    // The size 65,536 is stored as 1.
    let size = if pages.size == 65_536 { 1 } else { pages.size };
    header[16..18].copy_from_slice(&(size as u16).to_be_bytes());
    let mut kept = kept;
    for place in KEPT {
        let (bytes, rest) = kept.split_at_checked(place.len())?;
        header[place].copy_from_slice(bytes);
        kept = rest;
    }
    header[28..32].copy_from_slice(&(count as u32).to_be_bytes());
    // The fractions of a page always have these values.
    header[21..24].copy_from_slice(&[64, 32, 32]);
    file.bytes[..HEADER].copy_from_slice(&header);
    Some(file.bytes)
}

struct Entry<'a> {
    row: u64,
    text: &'a [u8],
}

impl<'a> Entry<'a> {
    fn values(&self) -> Vec<Value<'a>> {
        record::values(self.text)
    }
}

struct Tree<'a> {
    kind: u8,
    root: u64,
    entries: Vec<Entry<'a>>,
}

/// Reads a number and so many bytes.
fn sized<'a>(text: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (len, read) = Number::Leb.read(text)?;
    let (bytes, rest) = text[read..].split_at_checked(usize::try_from(len).ok()?)?;
    *text = rest;
    Some(bytes)
}

/// Reads trees as far as they are sound.
fn trees(mut text: &[u8]) -> Vec<Tree<'_>> {
    let mut trees = vec![];
    while let Some((&kind, rest)) = text.split_first() {
        let Some((root, read)) = Number::Leb.read(rest) else {
            break;
        };
        let mut rest = &rest[read..];
        let Some(mut entries) = sized(&mut rest) else {
            break;
        };
        if kind != TABLE && kind != INDEX {
            break;
        }
        let mut tree = Tree {
            kind,
            root,
            entries: vec![],
        };
        let mut last = None;
        while let Some(entry) = entry(kind, &mut entries) {
            // Rows are ordered by their number as a signed integer.
            let row = entry.row as i64;
            if kind == TABLE && last.is_some_and(|last| last >= row) {
                break;
            }
            last = Some(row);
            tree.entries.push(entry);
        }
        trees.push(tree);
        text = rest;
    }
    trees
}

fn entry<'a>(kind: u8, text: &mut &'a [u8]) -> Option<Entry<'a>> {
    let (row, read) = match kind {
        TABLE => Number::Leb.read(text)?,
        _ => (0, 0),
    };
    let mut rest = &text[read..];
    let bytes = sized(&mut rest)?;
    *text = rest;
    Some(Entry { row, text: bytes })
}

/// A row of the schema, and its tree.
struct Object<'a> {
    row: u64,
    values: Vec<Value<'a>>,
    tree: Option<Tree<'a>>,
}

/// The rows of a table.
enum Rows {
    /// The numbers of the rows, with which the entries of indices end.
    Numbers(BTreeSet<i64>),
    /// Keys without numbers, and whether there are any.
    Keys(bool),
}

impl Rows {
    fn of(tree: &Tree<'_>) -> Self {
        match tree.kind {
            TABLE => Rows::Numbers(tree.entries.iter().map(|entry| entry.row as i64).collect()),
            _ => Rows::Keys(!tree.entries.is_empty()),
        }
    }

    /// Returns whether there may be a row for an index entry.
    fn have(&self, entry: &Entry<'_>) -> bool {
        match self {
            Rows::Numbers(rows) => {
                let row = entry.values().last().and_then(Value::integer);
                row.is_none_or(|row| rows.contains(&row))
            }
            Rows::Keys(any) => *any,
        }
    }
}

/// Returns the letters of a name in any encoding, in lower case.
fn name(value: Option<&Value<'_>>) -> Vec<u8> {
    let bytes = value.map_or(&[][..], |value| value.bytes).iter();
    let letters = bytes.filter(|&&byte| byte != 0);
    letters.map(u8::to_ascii_lowercase).collect()
}

fn objects<'a>(schema: &Tree<'a>, trees: &mut BTreeMap<u64, Tree<'a>>) -> Vec<Object<'a>> {
    let rows = schema.entries.iter();
    let all: Vec<(u64, Vec<Value<'a>>)> = rows.map(|entry| (entry.row, entry.values())).collect();
    let tables = all.iter().filter_map(|(_, values)| {
        let root = values.get(3)?.integer()?;
        let is_table = matches!(&name(values.first())[..], b"table" | b"view");
        is_table.then(|| (name(values.get(1)), root as u64))
    });
    let tables: BTreeMap<Vec<u8>, u64> = tables.collect();
    let rows = trees.iter().map(|(&root, tree)| (root, Rows::of(tree)));
    let rows: BTreeMap<u64, Rows> = rows.collect();
    let mut objects = vec![];
    for (row, values) in all {
        let kind = name(values.first());
        let is_index = kind == b"index";
        let table = tables.get(&name(values.get(2)));
        if (is_index || kind == b"trigger") && table.is_none() {
            continue;
        }
        let root = values.get(3).and_then(Value::integer).unwrap_or(0);
        let tree = (root > 0).then(|| {
            let there = trees.remove(&(root as u64));
            let mut tree = there.unwrap_or(Tree {
                kind: if is_index { INDEX } else { TABLE },
                root: root as u64,
                entries: vec![],
            });
            if is_index {
                let rows = table.and_then(|root| rows.get(root));
                tree.entries
                    .retain(|entry| rows.is_some_and(|rows| rows.have(entry)));
            }
            tree
        });
        objects.push(Object { row, values, tree });
    }
    objects
}

/// A file that is being written.
struct Writer {
    pages: Pages,
    bytes: Vec<u8>,
}

/// A child of a node, and the cell after it.
struct Child {
    page: usize,
    separator: Option<Vec<u8>>,
}

impl Writer {
    /// Adds an empty page, and returns its number.
    fn fresh(&mut self) -> usize {
        self.bytes.resize(self.bytes.len() + self.pages.size, 0);
        self.bytes.len() / self.pages.size
    }

    fn page(&mut self, number: usize) -> &mut [u8] {
        let start = (number - 1) * self.pages.size;
        &mut self.bytes[start..start + self.pages.usable]
    }

    /// Returns the bytes for cells and their places in a page.
    fn room(&self, number: Option<usize>, is_leaf: bool) -> usize {
        let header = if is_leaf { 8 } else { 12 };
        self.pages.usable - number.map_or(0, Pages::start) - header
    }

    /// Writes a tree whose root has a number.
    fn tree(&mut self, root: usize, kind: u8, entries: Vec<(u64, Vec<u8>)>) {
        let cells: Vec<(u64, Vec<u8>)> = entries
            .into_iter()
            .map(|(row, payload)| (row, self.cell(kind, row, &payload)))
            .collect();
        let size = |cell: &[u8]| cell.len() + 2;
        let all: usize = cells.iter().map(|(_, cell)| size(cell)).sum();
        if all <= self.room(Some(root), true) {
            let cells: Vec<&[u8]> = cells.iter().map(|(_, cell)| &cell[..]).collect();
            self.write(root, kind, &cells, None);
            return;
        }
        let mut children = vec![];
        let room = self.room(None, true);
        let mut at = 0;
        while at < cells.len() {
            let mut used = 0;
            let fits = cells[at..].iter().take_while(|(_, cell)| {
                used += size(cell);
                used <= room
            });
            let mut end = at + fits.count().max(1);
            // In an index, the entry after a leaf is stored in the inner node between this leaf and
            // the next one.
            if kind == INDEX && end + 1 == cells.len() && end > at + 1 {
                end -= 1;
            }
            let page = self.fresh();
            let part: Vec<&[u8]> = cells[at..end].iter().map(|(_, cell)| &cell[..]).collect();
            self.write(page, kind, &part, None);
            let separator = (end < cells.len()).then(|| match kind {
                TABLE => {
                    let mut key = vec![];
                    add_varint(cells[end - 1].0, &mut key);
                    key
                }
                _ => cells[end].1.clone(),
            });
            at = end + usize::from(kind == INDEX && separator.is_some());
            children.push(Child { page, separator });
        }
        self.nodes(root, kind, children);
    }

    /// Writes the nodes above some children.
    fn nodes(&mut self, root: usize, kind: u8, mut children: Vec<Child>) {
        let size = |child: &Child| child.separator.as_ref().map_or(0, |cell| cell.len() + 6);
        loop {
            let all: usize = children.iter().map(size).sum();
            if all <= self.room(Some(root), false) || children.len() < 4 {
                self.node(root, kind, &children);
                return;
            }
            let room = self.room(None, false);
            let mut above = vec![];
            let mut at = 0;
            while at < children.len() {
                let mut used = 0;
                let fits = children[at..].iter().take_while(|child| {
                    used += size(child);
                    used <= room
                });
                // The cell of the last child is stored in the parent node.
                let mut end = (at + fits.count() + 1).max(at + 2).min(children.len());
                if end + 1 == children.len() {
                    end -= 1;
                }
                let page = self.fresh();
                self.node(page, kind, &children[at..end]);
                let separator = children[end - 1].separator.take();
                above.push(Child { page, separator });
                at = end;
            }
            children = above;
        }
    }

    fn node(&mut self, number: usize, kind: u8, children: &[Child]) {
        let Some((last, rest)) = children.split_last() else {
            return;
        };
        let cells: Vec<Vec<u8>> = rest
            .iter()
            .map(|child| {
                let mut cell = (child.page as u32).to_be_bytes().to_vec();
                cell.extend_from_slice(child.separator.as_deref().unwrap_or_default());
                cell
            })
            .collect();
        let cells: Vec<&[u8]> = cells.iter().map(|cell| &cell[..]).collect();
        self.write(number, kind, &cells, Some(last.page));
    }

    /// Writes the cells of a page, from its end.
    fn write(&mut self, number: usize, kind: u8, cells: &[&[u8]], last: Option<usize>) {
        let start = Pages::start(number);
        let page = self.page(number);
        let mut end = page.len();
        let mut at = start + 8;
        page[start] = kind;
        if let Some(last) = last {
            page[start] = kind - 8;
            page[at..at + 4].copy_from_slice(&(last as u32).to_be_bytes());
            at += 4;
        }
        let count = cells.len() as u16;
        page[start + 3..start + 5].copy_from_slice(&count.to_be_bytes());
        for cell in cells {
            // No valid record has a cell that is too long.
            let Some(place) = end.checked_sub(cell.len()).filter(|&place| place >= at + 2) else {
                break;
            };
            page[place..end].copy_from_slice(cell);
            page[at..at + 2].copy_from_slice(&(place as u16).to_be_bytes());
            (end, at) = (place, at + 2);
        }
        // The offset 65,536 is stored as 0.
        page[start + 5..start + 7].copy_from_slice(&(end as u16).to_be_bytes());
    }

    /// Returns the cell of an entry, including the pages on which it continues.
    fn cell(&mut self, kind: u8, row: u64, payload: &[u8]) -> Vec<u8> {
        let local = self.pages.local(payload.len(), kind);
        let mut cell = Vec::with_capacity(local + varint_len(row) + 8);
        add_varint(payload.len() as u64, &mut cell);
        if kind == TABLE {
            add_varint(row, &mut cell);
        }
        cell.extend_from_slice(&payload[..local]);
        let mut rest = payload[local..].chunks(self.pages.usable - 4).peekable();
        let mut next = rest.peek().map(|_| self.fresh());
        if let Some(next) = next {
            cell.extend_from_slice(&(next as u32).to_be_bytes());
        }
        while let (Some(page), Some(part)) = (next, rest.next()) {
            next = rest.peek().map(|_| self.fresh());
            let bytes = self.page(page);
            bytes[..4].copy_from_slice(&(next.unwrap_or(0) as u32).to_be_bytes());
            bytes[4..4 + part.len()].copy_from_slice(part);
        }
        // A cell has at least four bytes, since a free block that replaces it needs four.
        if cell.len() < 4 {
            cell.resize(4, 0);
        }
        cell
    }
}
