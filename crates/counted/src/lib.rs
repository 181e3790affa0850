//! Texts that count themselves: numbers that state how many lines, words, clauses, elements, or
//! bytes a text has.
//!
//! [`read`] finds the counts: numbers of known formats, and other numbers that may be counts by
//! their values. [`complete`] returns their values after a change. As in a binary file, a count is
//! a field that follows from the rest.

#![deny(missing_docs)]

mod complete;
mod count;
mod dimacs;
mod head;
mod http;
mod keys;
mod sections;
mod table;

pub use complete::{Cut, complete};
pub use count::{Cells, Count, Place, Unit, cells, units};

/// A reader of a known format: `None` for a text of another format.
type Read = fn(&[u8]) -> Option<Vec<Count>>;

/// The length of the longest text that is read. Places are numbers of 32 bits.
const MAX_BYTES: usize = u32::MAX as usize;

/// Returns the numbers of a text that are correct as counts. In a known format, these are the
/// fields of the format. In other texts, these are all numbers that may be counts by their values.
///
/// A number may be several counts. This takes time linear in the text.
///
/// ```
/// use nubbin_counted::{Unit, read};
///
/// let counts = read(b"3\none\ntwo\nthree\n");
/// assert_eq!((counts[0].value, counts[0].unit), (3, Unit::Lines));
/// assert!(read(b"7\none\ntwo\nand another\n").is_empty());
/// ```
pub fn read(text: &[u8]) -> Vec<Count> {
    if text.len() > MAX_BYTES {
        return vec![];
    }
    let known: [Read; 5] = [
        dimacs::read,
        table::netpbm,
        table::matrix_market,
        sections::ply,
        http::read,
    ];
    if let Some(counts) = known.into_iter().find_map(|read| read(text)) {
        return counts;
    }
    let mut counts = head::guess(text);
    counts.extend(keys::guess(text));
    counts
}

/// Reads a decimal number.
fn number(digits: &[u8]) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    if !is_number {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The example of the front page, which is a test of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;
