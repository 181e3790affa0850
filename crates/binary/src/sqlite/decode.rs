use super::record::{self, add_leb, varint};
use super::{HEADER, INDEX, KEPT, MAGIC, Pages, TABLE};
use std::collections::BTreeSet;

/// Returns the rows of a database in the [notation](super), up to `most` bytes. All trees and
/// records must be sound, so that a file written from the rows has the same rows.
pub(crate) fn decode(text: &[u8], most: usize) -> Option<Vec<u8>> {
    if !text.starts_with(MAGIC) || text.len() < HEADER {
        return None;
    }
    let size = match usize::from(text[16]) << 8 | usize::from(text[17]) {
        1 => 65_536,
        size => size,
    };
    let pages = Pages::new(size, text[20])?;
    let mut file = File {
        text,
        pages,
        seen: BTreeSet::new(),
        most,
    };
    let doublings = (size / 512).ilog2() as usize;
    let mut out = vec![doublings as u8];
    out.resize(1 + doublings, 0);
    for kept in KEPT {
        out.extend_from_slice(&text[kept]);
    }
    let mut roots = vec![];
    file.tree(1, &mut out, |values| {
        let root = values.get(3)?.integer().unwrap_or(0);
        if root > 0 {
            roots.push(usize::try_from(root).ok()?);
        }
        Some(())
    })?;
    for root in roots {
        file.tree(root, &mut out, |_| Some(()))?;
    }
    Some(out)
}

struct File<'a> {
    text: &'a [u8],
    pages: Pages,
    /// The pages that have been read.
    seen: BTreeSet<usize>,
    most: usize,
}

/// A page of a tree, and how far it has been read.
struct Open<'a> {
    page: Page<'a>,
    next: usize,
    /// Whether the child before the next cell has been read.
    is_behind_child: bool,
}

#[derive(Clone, Copy)]
struct Page<'a> {
    bytes: &'a [u8],
    /// The offset of the page's header.
    start: usize,
    is_leaf: bool,
    kind: u8,
    cells: usize,
}

/// The maximum number of levels of a tree.
const DEEPEST: usize = 20;

impl<'a> File<'a> {
    /// Returns a page that has not been read.
    fn fresh(&mut self, number: usize) -> Option<&'a [u8]> {
        let start = number.checked_sub(1)?.checked_mul(self.pages.size)?;
        let bytes = self.text.get(start..start.checked_add(self.pages.size)?)?;
        self.seen
            .insert(number)
            .then(|| &bytes[..self.pages.usable])
    }

    fn page(&mut self, number: usize) -> Option<Page<'a>> {
        let bytes = self.fresh(number)?;
        let start = Pages::start(number);
        let (is_leaf, kind) = match bytes[start] {
            2 => (false, INDEX),
            5 => (false, TABLE),
            10 => (true, INDEX),
            13 => (true, TABLE),
            _ => return None,
        };
        let cells = usize::from(bytes[start + 3]) << 8 | usize::from(bytes[start + 4]);
        Some(Page {
            bytes,
            start,
            is_leaf,
            kind,
            cells,
        })
    }

    /// Adds a tree.
    fn tree(
        &mut self,
        root: usize,
        out: &mut Vec<u8>,
        mut each: impl FnMut(&[record::Value<'_>]) -> Option<()>,
    ) -> Option<()> {
        let page = self.page(root)?;
        let kind = page.kind;
        let mut entries = vec![];
        let open = |page| Open {
            page,
            next: 0,
            is_behind_child: false,
        };
        let mut stack = vec![open(page)];
        while let Some(top) = stack.last_mut() {
            let Open { page, next, .. } = *top;
            if next > page.cells || page.is_leaf && next == page.cells {
                stack.pop();
                continue;
            }
            if !page.is_leaf && !top.is_behind_child {
                top.is_behind_child = true;
                let child = page.child(next)?;
                let page = self.page(child).filter(|page| page.kind == kind)?;
                if stack.len() == DEEPEST {
                    return None;
                }
                stack.push(open(page));
                continue;
            }
            (top.next, top.is_behind_child) = (next + 1, false);
            // The cells of inner nodes of a table contain only numbers.
            if next < page.cells && (page.is_leaf || kind == INDEX) {
                self.cell(page, next, &mut entries, &mut each)?;
            }
            if out.len() + entries.len() > self.most {
                return None;
            }
        }
        out.push(kind);
        add_leb(root as u64, out);
        add_leb(entries.len() as u64, out);
        out.extend(entries);
        Some(())
    }

    /// Adds an entry.
    fn cell(
        &mut self,
        page: Page<'_>,
        nth: usize,
        out: &mut Vec<u8>,
        each: &mut impl FnMut(&[record::Value<'_>]) -> Option<()>,
    ) -> Option<()> {
        let mut at = page.place(nth)? + if page.is_leaf { 0 } else { 4 };
        let (len, read) = varint(page.bytes.get(at..)?)?;
        at += read;
        if page.kind == TABLE {
            let (row, read) = varint(page.bytes.get(at..)?)?;
            at += read;
            add_leb(row, out);
        }
        let len = usize::try_from(len).ok().filter(|&len| len <= self.most)?;
        let local = self.pages.local(len, page.kind);
        let mut payload = page.bytes.get(at..at + local)?.to_vec();
        let mut next = 0;
        if local < len {
            next = word(page.bytes.get(at + local..)?)?;
        }
        while payload.len() < len {
            let bytes = self.fresh(next)?;
            next = word(bytes)?;
            let more = (len - payload.len()).min(bytes.len() - 4);
            payload.extend_from_slice(&bytes[4..4 + more]);
        }
        let values = record::read(&payload)?;
        // Other forms of the same values would not be restored.
        if record::write(values.iter().copied()) != payload {
            return None;
        }
        each(&values)?;
        let mut entry = vec![];
        record::add(&values, &mut entry);
        add_leb(entry.len() as u64, out);
        out.extend(entry);
        Some(())
    }
}

impl Page<'_> {
    /// Returns the position of a cell.
    fn place(&self, nth: usize) -> Option<usize> {
        let header = if self.is_leaf { 8 } else { 12 };
        let at = self.start + header + 2 * nth;
        let place = self.bytes.get(at..at + 2)?;
        Some(usize::from(place[0]) << 8 | usize::from(place[1]))
    }

    /// Returns the child before a cell, or after the last one.
    fn child(&self, nth: usize) -> Option<usize> {
        let at = if nth == self.cells {
            self.start + 8
        } else {
            self.place(nth)?
        };
        word(self.bytes.get(at..)?)
    }
}

fn word(bytes: &[u8]) -> Option<usize> {
    let word: [u8; 4] = bytes.get(..4)?.try_into().ok()?;
    usize::try_from(u32::from_be_bytes(word)).ok()
}
