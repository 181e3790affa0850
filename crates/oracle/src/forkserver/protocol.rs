use super::Refused;
use crate::run_error::ServerError;

/// The number of bytes of a coverage map if the program does not say it.
const USUAL_MAP: u32 = 1 << 16;
/// The largest map of a program, as in the old protocol.
pub(super) const LARGEST_MAP: u32 = 1 << 23;

/// The first words of the new protocol (AFL++ 4.20 and later), with its version in the last byte.
const NEW: u32 = 0x4146_4c00;
const NEW_VERSION: u32 = NEW | 1;
const NEW_ERROR: u32 = 0xeffe_0000;
const NEW_MAP: u32 = 1;
const NEW_MEMORY: u32 = 1 << 1;
const NEW_DICTIONARY: u32 = 1 << 11;
/// The maximum number of words after the known ones. A later runtime may add some.
const MOST_UNKNOWN: usize = 16;

/// The bits of the first word of the old protocol (AFL++ 2.66 to 4.1x). AFL has none of them.
const OLD_ENABLED: u32 = 0x8000_0001;
const OLD_ERROR: u32 = 0xf800_008f;
const OLD_MAP: u32 = 0x4000_0000;
const OLD_MEMORY: u32 = 0x0100_0000;
/// Some versions set all of these bits, and mean none.
const OLD_NOISE: u32 = 0x0f00_0000;

/// The offer of a program in the handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offer {
    /// The size of its coverage map in bytes.
    pub(super) map: u32,
    /// Whether it takes test cases from shared memory.
    pub(super) has_memory: bool,
}

/// The two pipes.
pub(super) trait Wire {
    /// Reads a word.
    fn read(&mut self) -> Result<u32, ServerError>;
    /// Reads the given number of bytes and discards them.
    fn skip(&mut self, bytes: u32) -> Result<(), ServerError>;
    /// Writes a word.
    fn write(&mut self, word: u32) -> Result<(), ServerError>;
}

/// Exchanges the words before the first test.
///
/// In the new protocol the program says its version, reads the complement of it, and says its
/// options, a word or more for each of them, and its version again. In the old one it says all in
/// one word, and reads a word if it takes test cases from shared memory.
///
/// A dictionary that is offered in the old protocol is not asked for: the next word of a program
/// that offers one is the first of a test, and is understood as that.
pub(super) fn greet(wire: &mut impl Wire) -> Result<Offer, ServerError> {
    let first = wire.read()?;
    let offer = match first {
        NEW_VERSION => greet_new(wire)?,
        _ if first & 0xffff_ff00 == NEW => return Err(ServerError::Unknown(first)),
        _ if first & OLD_ERROR == OLD_ERROR => {
            return Err(ServerError::Refused(Refused((first >> 8) & 0xffff)));
        }
        _ if first & 0xffff_0000 == NEW_ERROR => {
            return Err(ServerError::Refused(Refused(first & 0xffff)));
        }
        _ if first & OLD_ENABLED == OLD_ENABLED => greet_old(wire, first)?,
        _ => Offer {
            map: USUAL_MAP,
            has_memory: false,
        },
    };
    match offer.map {
        map @ 1..=LARGEST_MAP => Ok(Offer { map, ..offer }),
        map => Err(ServerError::Map(map)),
    }
}

fn greet_new(wire: &mut impl Wire) -> Result<Offer, ServerError> {
    wire.write(!NEW_VERSION)?;
    let options = wire.read()?;
    if options & 0xffff_0000 == NEW_ERROR {
        return Err(ServerError::Refused(Refused(options & 0xffff)));
    }
    let map = match options & NEW_MAP {
        0 => USUAL_MAP,
        _ => wire.read()?,
    };
    if options & NEW_DICTIONARY != 0 {
        let bytes = wire.read()?;
        wire.skip(bytes)?;
    }
    let mut last = wire.read()?;
    for _ in 0..MOST_UNKNOWN {
        if last == NEW_VERSION {
            break;
        }
        last = wire.read()?;
    }
    match last {
        NEW_VERSION => Ok(Offer {
            map,
            has_memory: options & NEW_MEMORY != 0,
        }),
        other => Err(ServerError::Unknown(other)),
    }
}

fn greet_old(wire: &mut impl Wire, first: u32) -> Result<Offer, ServerError> {
    let options = match first & OLD_NOISE {
        OLD_NOISE => first & !OLD_NOISE,
        _ => first,
    };
    let has_memory = options & OLD_MEMORY != 0;
    if has_memory {
        wire.write(OLD_ENABLED | OLD_MEMORY)?;
    }
    let map = match options & OLD_MAP {
        0 => USUAL_MAP,
        _ => ((options & 0x00ff_fffe) >> 1) + 1,
    };
    Ok(Offer { map, has_memory })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;
    use std::time::Duration;

    #[derive(Default)]
    struct Script {
        says: VecDeque<u32>,
        hears: Vec<u32>,
        skipped: u32,
    }

    impl Wire for Script {
        fn read(&mut self) -> Result<u32, ServerError> {
            let silent = ServerError::Silent(Duration::ZERO);
            self.says.pop_front().ok_or(silent)
        }

        fn skip(&mut self, bytes: u32) -> Result<(), ServerError> {
            self.skipped += bytes;
            Ok(())
        }

        fn write(&mut self, word: u32) -> Result<(), ServerError> {
            self.hears.push(word);
            Ok(())
        }
    }

    fn greeted(says: &[u32]) -> (Result<Offer, ServerError>, Script) {
        let mut script = Script {
            says: says.iter().copied().collect(),
            ..Script::default()
        };
        (greet(&mut script), script)
    }

    #[test]
    fn afl_says_a_word_without_a_meaning() {
        let (offer, script) = greeted(&[0]);
        let usual = Offer {
            map: 65536,
            has_memory: false,
        };
        assert_eq!(offer.unwrap(), usual);
        assert_eq!(script.hears, []);
    }

    #[test]
    fn the_old_protocol_has_all_in_one_word() {
        // The word is from a program of AFL++ 4.04 with 24 edges and test cases in shared memory.
        let (offer, script) = greeted(&[0x8000_0001 | 0x4100_0000 | (23 << 1)]);
        let offered = Offer {
            map: 24,
            has_memory: true,
        };
        assert_eq!(offer.unwrap(), offered);
        assert_eq!(script.hears, [0x8100_0001]);
        // The server also offers a dictionary, which is not requested.
        let (offer, script) = greeted(&[0x8000_0001 | 0x5000_0000 | (23 << 1)]);
        assert!(!offer.unwrap().has_memory);
        assert_eq!(script.hears, []);
        let (offer, _) = greeted(&[0x8f00_0001]);
        assert!(!offer.unwrap().has_memory);
    }

    #[test]
    fn the_new_protocol_has_a_version_at_both_ends() {
        let (offer, script) = greeted(&[0x4146_4c01, 0b11, 200, 0x4146_4c01]);
        let offered = Offer {
            map: 200,
            has_memory: true,
        };
        assert_eq!(offer.unwrap(), offered);
        assert_eq!(script.hears, [!0x4146_4c01]);
        let (offer, script) = greeted(&[0x4146_4c01, 0x801, 8, 100, 0x4146_4c01]);
        assert!(!offer.unwrap().has_memory);
        assert_eq!(script.skipped, 100);
        // The server offers an option of a later version, with a word of its own.
        let (offer, _) = greeted(&[0x4146_4c01, 0x1001, 8, 7, 0x4146_4c01]);
        assert_eq!(offer.unwrap().map, 8);
    }

    #[test]
    fn errors_are_reported_in_both_protocols() {
        let said = |says: &[u32]| greeted(says).0.unwrap_err().to_string();
        let large = "it refuses: its coverage map is too large";
        assert_eq!(said(&[0xf800_018f]), large);
        assert_eq!(said(&[0xeffe_0001]), large);
        assert_eq!(said(&[0x4146_4c01, 0xeffe_0001]), large);
        assert_eq!(
            said(&[0x4146_4c02]),
            "the program speaks an unknown protocol (0x41464c02)"
        );
        let endless = [&[0x4146_4c01, 1, 8][..], &[9; 40]].concat();
        assert!(said(&endless).contains("unknown"));
        let map = said(&[0x4146_4c01, 1, 1 << 24, 0x4146_4c01]);
        assert!(map.contains("16777216"), "{map}");
        assert!(said(&[]).contains("did not answer"));
    }
}
