//! SQLite databases as rows without pages.
//!
//! A row can hardly be removed from the pages of a file: entries of an index are also in the inner
//! nodes of its tree, and a tree may lose a level. nubbin therefore reduces the rows
//! and writes a file from them. This drops the order of pages, free pages, and the pages of the
//! vacuum.
//!
//! The notation: a byte that counts the doublings of the page size from 512, and so many bytes; the
//! numbers of the header of the file that say something; and the trees, that of the schema first.
//! A tree is its kind, the number of its root in the schema, and the length of its entries. An
//! entry is, in tables, the number of its row, and then the length of its values. A value is its
//! type, the length of texts and blobs, and its bytes. Lengths and numbers are LEB128.
//!
//! Source: D. R. Hipp and others, "Database File Format",
//! <https://www.sqlite.org/fileformat2.html>.

mod decode;
mod encode;
mod record;

pub(crate) use decode::decode;
pub(crate) use encode::encode;
pub(crate) use record::{BLOB, TEXT, width};

/// The first bytes of a file.
pub(crate) const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// The numbers of the header that are kept. The other numbers follow from the pages, or describe
/// them.
pub(crate) const KEPT: [std::ops::Range<usize>; 4] = [18..21, 40..52, 56..64, 68..72];

/// The total number of bytes of the numbers in [`KEPT`].
pub(crate) const KEPT_LEN: usize = 27;

/// The length of the header.
const HEADER: usize = 100;

/// The kind of a leaf page in the tree of a table, or in the tree of an index.
pub(crate) const TABLE: u8 = 13;
pub(crate) const INDEX: u8 = 10;

/// The sizes of the parts of pages.
#[derive(Clone, Copy)]
struct Pages {
    size: usize,
    /// The number of bytes of a page, without the bytes that are reserved for extensions.
    usable: usize,
}

impl Pages {
    fn new(size: usize, reserved: u8) -> Option<Self> {
        let usable = size.checked_sub(usize::from(reserved))?;
        let is_sound = size.is_power_of_two() && (512..=65_536).contains(&size) && usable >= 480;
        is_sound.then_some(Pages { size, usable })
    }

    /// Returns the bytes of a payload that are in its page.
    fn local(self, payload: usize, kind: u8) -> usize {
        let least = (self.usable - 12) * 32 / 255 - 23;
        let most = match kind {
            TABLE => self.usable - 35,
            _ => (self.usable - 12) * 64 / 255 - 23,
        };
        if payload <= most {
            return payload;
        }
        let rest = least + (payload - least) % (self.usable - 4);
        if rest <= most { rest } else { least }
    }

    /// Returns the position of the tree in the page with the given number.
    fn start(number: usize) -> usize {
        if number == 1 { HEADER } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::record::{Value, add, add_leb};
    use super::*;

    /// A tree in the notation, of rows with these lengths.
    fn tree(kind: u8, root: u64, lengths: &[usize], out: &mut Vec<u8>) {
        let mut entries = vec![];
        for (nth, &len) in lengths.iter().enumerate() {
            let (bytes, number) = (vec![nth as u8; len], (nth as u32).to_be_bytes());
            let (text, row) = (
                Value {
                    kind: TEXT,
                    bytes: &bytes,
                },
                Value {
                    kind: 4,
                    bytes: &number,
                },
            );
            let mut values = vec![];
            add(&[text, row], &mut values);
            if kind == TABLE {
                add_leb(nth as u64, &mut entries);
            }
            add_leb(values.len() as u64, &mut entries);
            entries.extend(values);
        }
        out.push(kind);
        add_leb(root, out);
        add_leb(entries.len() as u64, out);
        out.extend(entries);
    }

    /// Returns the notation of a table and its index, each with such rows.
    fn notation(doublings: u8, reserved: u8, lengths: &[usize]) -> Vec<u8> {
        let mut out = vec![doublings];
        out.resize(1 + usize::from(doublings), 0);
        out.extend([1, 1, reserved]);
        out.resize(out.len() + KEPT_LEN - 3, 0);
        let mut schema = vec![];
        for (row, kind) in [(1, "table"), (2, "index")] {
            let text = |text: &'static str| Value {
                kind: TEXT,
                bytes: text.as_bytes(),
            };
            let root = [row as u8 + 1];
            let root = Value {
                kind: 1,
                bytes: &root,
            };
            let mut values = vec![];
            add(
                &[text(kind), text("t"), text("t"), root, text("")],
                &mut values,
            );
            add_leb(row, &mut schema);
            add_leb(values.len() as u64, &mut schema);
            schema.extend(values);
        }
        out.push(TABLE);
        add_leb(1, &mut out);
        add_leb(schema.len() as u64, &mut out);
        out.extend(schema);
        tree(TABLE, 2, lengths, &mut out);
        tree(INDEX, 3, lengths, &mut out);
        out
    }

    #[test]
    fn rows_of_any_number_and_length_come_back() {
        let mut state = 7u64;
        for count in (0..60).chain([100, 300, 1_000, 5_000]) {
            for (doublings, reserved) in [(0, 0), (0, 32), (1, 8), (3, 0), (7, 0)] {
                let lengths: Vec<usize> = (0..count)
                    .map(|_| {
                        state = state
                            .wrapping_mul(6_364_136_223_846_793_005)
                            .wrapping_add(11);
                        let most = [1, 50, 130, 700][(state >> 40) as usize % 4];
                        (state >> 33) as usize % most
                    })
                    .collect();
                let text = notation(doublings, reserved, &lengths);
                let file = encode(&text);
                assert_eq!(file.len() % (512 << doublings), 0);
                let again = decode(&file, usize::MAX);
                assert!(
                    again.as_deref() == Some(&text[..]),
                    "{count} rows, {doublings} doublings"
                );
            }
        }
    }

    #[test]
    fn content_that_is_damaged_is_written_as_far_as_it_is_sound() {
        let text = notation(0, 0, &[3, 40, 500, 7]);
        for at in 0..text.len() {
            encode(&text[..at]);
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let mut damaged = text.clone();
                damaged[at] = byte;
                encode(&damaged);
            }
        }
    }

    #[test]
    fn an_index_goes_with_its_table_and_its_entries_with_the_rows() {
        let text = notation(0, 0, &[1, 2, 3]);
        let trees = |file: &[u8]| {
            let rows = decode(file, usize::MAX).unwrap();
            let rows = &rows[1 + KEPT_LEN..];
            rows.iter().filter(|&&byte| byte == 4).count()
        };
        // The row number of each entry has type 4.
        assert_eq!(trees(&encode(&text)), 6);
        let table = notation(0, 0, &[]).len() - 6;
        assert_eq!(text[table..table + 2], [TABLE, 2]);
        let mut fewer = text[..table].to_vec();
        tree(TABLE, 2, &[1], &mut fewer);
        tree(INDEX, 3, &[1, 2, 3], &mut fewer);
        assert_eq!(trees(&encode(&fewer)), 2);
        let mut gone = text[..table].to_vec();
        tree(INDEX, 3, &[1, 2, 3], &mut gone);
        assert_eq!(trees(&encode(&gone)), 0);
    }
}
