//! The algebra of edits: two edits, one after the other, are one edit, and an edit that is rebased
//! has the same effect on what the first one leaves.
//!
//! An input is a list of splices of three bytes each: start, length, and length of the new text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nubbin_edit::{Applied, Edit, Span, Splice};

/// Makes an edit of a text of this length, or `None` if its splices overlap.
fn edit(data: &[u8], len: u32) -> Option<Edit> {
    let splices = data.chunks_exact(3).take(20).map(|part| {
        let start = u32::from(part[0]) % (len + 1);
        let end = start + u32::from(part[1]) % (len - start + 1);
        let text = vec![b'x' + part[2] % 3; usize::from(part[2] % 5)];
        Splice::replace(Span::new(start, end), &text)
    });
    Edit::new(splices).ok()
}

fuzz_target!(|data: &[u8]| {
    let base: Vec<u8> = (0..100_u8).map(|at| b'a' + at % 20).collect();
    let (first, second) = data.split_at(data.len() / 2);
    let Some(first) = edit(first, 100) else { return };
    let once = first.render(&base);
    assert_eq!(once.len() as i64, 100 + first.growth());
    if let Some(next) = edit(second, once.len() as u32) {
        let twice = first.then(&next);
        assert_eq!(twice.render(&base), next.render(&once));
    }
    let Some(other) = edit(second, 100) else { return };
    if let Ok(both) = first.combine(&other)
        && let Ok(rebased) = Applied::new(first).rebase(&other)
    {
        assert_eq!(rebased.render(&once), both.render(&base));
    }
});
