/// A checksum over some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sum {
    /// The CRC-32 of Ethernet, ZIP, and PNG.
    Crc32,
    /// The Adler-32 of zlib.
    Adler32,
    /// The sum of IP, TCP, and UDP: 16-bit words in one's complement, inverted.
    Internet,
    /// The sum of all bytes, as in the headers of tar.
    Bytes,
    /// The sum of 32-bit words, the highest byte first, as in the tables of TrueType.
    Words,
    /// `0xB1B0AFBA` less the sum of 32-bit words: `checkSumAdjustment` of TrueType.
    Adjustment,
}

impl Sum {
    /// Returns the sum of some bytes.
    ///
    /// ```
    /// use nubbin_binary::Sum;
    ///
    /// assert_eq!(Sum::Crc32.of(b"123456789"), 0xcbf4_3926);
    /// assert_eq!(Sum::Adler32.of(b"123456789"), 0x091e_01de);
    /// ```
    pub fn of(self, bytes: &[u8]) -> u64 {
        match self {
            Sum::Crc32 => u64::from(crc32fast::hash(bytes)),
            Sum::Adler32 => u64::from(adler2::adler32_slice(bytes)),
            Sum::Internet => {
                let word = |pair: &[u8]| {
                    let low = pair.get(1).copied().unwrap_or(0);
                    u64::from(pair[0]) << 8 | u64::from(low)
                };
                let mut sum: u64 = bytes.chunks(2).map(word).sum();
                while sum > 0xffff {
                    sum = (sum & 0xffff) + (sum >> 16);
                }
                !sum & 0xffff
            }
            Sum::Bytes => bytes.iter().map(|&byte| u64::from(byte)).sum(),
            Sum::Words => u64::from(words(bytes)),
            Sum::Adjustment => u64::from(0xb1b0_afba_u32.wrapping_sub(words(bytes))),
        }
    }
}

fn words(bytes: &[u8]) -> u32 {
    let word = |four: &[u8]| {
        let padded = four.iter().chain([&0; 3]).take(4);
        padded.fold(0u32, |all, &byte| all << 8 | u32::from(byte))
    };
    bytes.chunks(4).map(word).fold(0, u32::wrapping_add)
}
