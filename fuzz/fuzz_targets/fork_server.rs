//! The handshake of AFL: any words end in an offer within the limits or in an error, after a
//! bounded number of words.
#![no_main]
#![expect(dead_code, reason = "a part of the crate is compiled")]

#[path = "../../crates/oracle/src/forkserver/protocol.rs"]
mod protocol;
#[path = "../../crates/oracle/src/forkserver/refused.rs"]
mod refused;

use libfuzzer_sys::fuzz_target;
use protocol::{LARGEST_MAP, Wire, greet};
use refused::Refused;
use run_error::ServerError;
use std::hint::black_box;

mod run_error {
    /// The errors that the handshake names.
    #[derive(Debug)]
    pub enum ServerError {
        Unknown(u32),
        Refused(super::Refused),
        Map(u32),
        Ended,
    }
}

/// The number of words that no handshake exceeds.
const MAX_WORDS: usize = 32;

/// A program that says these words.
struct Words<'a> {
    left: std::slice::Chunks<'a, u8>,
    count: usize,
}

impl Wire for Words<'_> {
    fn read(&mut self) -> Result<u32, ServerError> {
        self.count += 1;
        let word = self.left.next().and_then(|word| word.try_into().ok());
        word.map(u32::from_le_bytes).ok_or(ServerError::Ended)
    }

    fn skip(&mut self, bytes: u32) -> Result<(), ServerError> {
        for _ in 0..bytes.div_ceil(4) {
            self.left.next().ok_or(ServerError::Ended)?;
        }
        Ok(())
    }

    fn write(&mut self, _: u32) -> Result<(), ServerError> {
        Ok(())
    }
}

fuzz_target!(|data: &[u8]| {
    let mut words = Words {
        left: data.chunks(4),
        count: 0,
    };
    // Otherwise a compiler that proves the assertions removes the handshake.
    if let Ok(offer) = black_box(greet(&mut words)) {
        assert!((1..=LARGEST_MAP).contains(&offer.map), "{offer:?}");
    }
    assert!(words.count <= MAX_WORDS);
});
