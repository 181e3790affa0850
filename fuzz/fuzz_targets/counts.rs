//! Texts that count themselves: readers do not panic, and after lines are removed, a count that was
//! right is right.
//!
//! The first byte of an input chooses the lines that are removed. The rest is the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nubbin_counted::{Cut, complete, read};

fuzz_target!(|data: &[u8]| {
    let Some((&chosen, text)) = data.split_first() else { return };
    let counts = read(text);
    let (mut cuts, mut start) = (vec![], 0);
    for (number, line) in (0_u8..=255).zip(text.split_inclusive(|&byte| byte == b'\n')) {
        let end = start + line.len() as u32;
        if number % 8 == chosen % 8 {
            cuts.push(Cut { span: start..end, text: vec![] });
        }
        start = end;
    }
    let numbers = complete(text, &counts, &cuts);
    let is_sorted = |list: &[Cut]| list.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start);
    cuts.extend(numbers);
    cuts.sort_by_key(|cut| cut.span.start);
    assert!(is_sorted(&cuts));
});
