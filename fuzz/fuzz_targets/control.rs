//! Control files of libFuzzer: the reader does not panic, and finds no more inputs than there are.
#![no_main]

#[path = "../../crates/nubbin/src/cmin/control.rs"]
mod control;

use libfuzzer_sys::fuzz_target;

const INPUTS: usize = 3;

fuzz_target!(|data: &[u8]| {
    let begin = control::begin(&vec![b"in/a".to_vec(); INPUTS]);
    let text = [&begin, data].concat();
    if let Ok(progress) = control::read(&text, &begin, INPUTS) {
        assert!(progress.covered.len() + usize::from(progress.has_begun) <= INPUTS);
    }
    let _ = control::read(data, &begin, INPUTS);
});
