//! Choices as bytes: a sequence that was read is written, read again, and then has the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nubbin_choices::{decode, encode_values};

fuzz_target!(|data: &[u8]| {
    let Ok(values) = decode(data) else { return };
    let bytes = encode_values(&values);
    let again = decode(&bytes).expect("what was written can be read");
    assert_eq!(encode_values(&again), bytes);
});
