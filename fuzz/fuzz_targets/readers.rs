//! Fuzzes the readers and writers of grammars: `cargo fuzz run readers`.
//!
//! An input is a text, which is read as a grammar in every notation.
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
        // A grammar that can be written can be read again.
        for format in Format::ALL {
            if let Ok(written) = write(&grammar, format) {
                read(&written, Some(format), "again").expect("a written grammar reads");
            }
        }
    }
    let _ = read(text, None, "detected");
});
