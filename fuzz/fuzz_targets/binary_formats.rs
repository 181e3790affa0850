//! Bytes of any kind: readers of binary formats do not panic, and a change of what they read is
//! completed to sorted, disjoint cuts.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nubbin_binary::{Cut, guess, read};

fuzz_target!(|data: &[u8]| {
    let Some(layout) = read(data).or_else(|| guess(data)) else { return };
    for (span, _) in layout.view().regions.into_iter().take(20) {
        let cuts = layout.rewrite(&[Cut::remove(span)]);
        assert!(cuts.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
        Cut::render(&cuts, data);
    }
});
