//! The facts about a fork server that the file of a program states.

use regex::bytes::Regex;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// The marks that the compiler of AFL++ leaves in a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    /// The program has a loop that runs many tests (`__AFL_LOOP`).
    pub(super) has_loop: bool,
    /// Whether the program itself sets the point of the fork (`__AFL_INIT`).
    pub(super) is_deferred: bool,
}

/// The maximum number of bytes of a program that are searched.
const MAX_SEARCHED_BYTES: u64 = 1 << 30;

impl Marks {
    /// Searches the file of a program, as the programs of AFL++ do. A file that cannot be read has
    /// no marks.
    pub(super) fn of(program: &Path) -> Self {
        let mut bytes = Vec::new();
        let read = File::open(program)
            .and_then(|file| file.take(MAX_SEARCHED_BYTES).read_to_end(&mut bytes));
        match read {
            Ok(_) => Marks::in_bytes(&bytes),
            Err(_) => Marks::default(),
        }
    }

    fn in_bytes(bytes: &[u8]) -> Self {
        let has = |text: &str| Regex::new(text).is_ok_and(|found| found.is_match(bytes));
        Marks {
            has_loop: has("##SIG_AFL_PERSISTENT##"),
            is_deferred: has("##SIG_AFL_DEFER_FORKSRV##"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_anywhere() {
        let of = |text: &str| Marks::in_bytes(text.as_bytes());
        assert_eq!(of("\u{7f}ELF ##SIG_AFL##"), Marks::default());
        let found = of("a\0##SIG_AFL_PERSISTENT##\0b##SIG_AFL_DEFER_FORKSRV##");
        assert!(found.has_loop && found.is_deferred);
    }
}
