//! Reports of workers of a farm: the reader does not panic, and an output that it returns is a part
//! of the report.
#![no_main]
#![expect(dead_code, reason = "a part of the crate is compiled")]

#[path = "../../crates/remote/src/script.rs"]
mod script;

use libfuzzer_sys::fuzz_target;
use nubbin_oracle::Keep;
use std::time::Duration;

fuzz_target!(|data: &[u8]| {
    let Some(report) = script::Report::read(data) else { return };
    let mut keep = Keep::default();
    (keep.stdout, keep.stderr) = (true, true);
    let run = report.run(keep, Duration::from_secs(1), Duration::ZERO, vec![]);
    let outputs = [run.stdout(), run.stderr()].concat();
    assert!(data.ends_with(&outputs) && outputs.len() < data.len());
});
