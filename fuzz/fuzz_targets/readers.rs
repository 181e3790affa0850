//! Reads a text as a grammar in every notation: `cargo fuzz run readers`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nubbin_grammar::check::check;
use nubbin_grammar::read::{Format, read, read_leniently};
use nubbin_grammar::write::write;

fuzz_target!(|text: &str| {
    for format in Format::ALL {
        let Ok((grammar, undefined)) = read_leniently(text, Some(format), "fuzzed") else {
            continue;
        };
        check(&grammar);
        if undefined.is_some() {
            continue;
        }
        // The reader accepts everything that the writer writes.
        for format in Format::ALL {
            if let Ok(written) = write(&grammar, format) {
                read(&written, Some(format), "again").expect("the written grammar is valid");
            }
        }
    }
    let _ = read(text, None, "detected");
});
