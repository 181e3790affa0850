//! Output of strace: the reader does not panic, each path that it finds is absolute, and a line
//! about no call changes nothing.
#![no_main]
#![expect(dead_code, reason = "a part of the crate is compiled")]

#[path = "../../crates/capture/src/access.rs"]
mod access;
#[path = "../../crates/capture/src/strace/line.rs"]
mod line;
#[path = "../../crates/capture/src/strace/log.rs"]
mod log;

use libfuzzer_sys::fuzz_target;
use std::path::Path;

const FOLDER: &str = "/here";

fuzz_target!(|data: &[u8]| {
    let accesses = log::read(data, Path::new(FOLDER));
    for access in &accesses {
        assert!(access.path.is_absolute(), "{access:?}");
    }
    let lines: Vec<&[u8]> = data.split(|&byte| byte == b'\n').collect();
    let with_exits = lines.join(&b"\n7 +++ exited with 0 +++\n"[..]);
    assert_eq!(log::read(&with_exits, Path::new(FOLDER)), accesses);
});
