/// A checksum of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sum {
    /// The CRC-32 of Ethernet, ZIP, and PNG.
    Crc32,
    /// The Adler-32 of zlib.
    Adler32,
    /// The sum of IP, TCP, and UDP: the inverted one's-complement sum of 16-bit words.
    Internet,
    /// The sum of all bytes in 32 bits, as in the headers of tar.
    Bytes,
    /// The sum of 32-bit words with the high byte first, as in the tables of TrueType.
    Words,
    /// The sum of 32-bit words with the low byte first.
    LittleWords,
    /// `0xB1B0AFBA` minus the sum of 32-bit words, as in `checkSumAdjustment` of TrueType.
    Adjustment,
    /// The CRC-8 of FLAC's headers, by the polynomial `0x07`.
    Crc8,
    /// The CRC-16 of FLAC's frames, by the polynomial `0x8005`, with the high bit first.
    Crc16,
    /// The CRC-32 of Ogg's pages, with the high bit first, starting from zero.
    Ogg,
}

impl Sum {
    /// Returns the sum of some bytes.
    ///
    /// ```
    /// use nubbin_binary::Sum;
    ///
    /// assert_eq!(Sum::Crc32.of(b"123456789"), 0xcbf4_3926);
    /// assert_eq!(Sum::Adler32.of(b"123456789"), 0x091e_01de);
    /// assert_eq!(Sum::Crc8.of(b"123456789"), 0xf4);
    /// assert_eq!(Sum::Crc16.of(b"123456789"), 0xfee8);
    /// assert_eq!(Sum::Ogg.of(b"123456789"), 0x89a1_897f);
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
            Sum::Bytes => bytes.iter().map(|&byte| u64::from(byte)).sum::<u64>() & 0xffff_ffff,
            Sum::Words => u64::from(words(bytes, u32::from_be_bytes)),
            Sum::LittleWords => u64::from(words(bytes, u32::from_le_bytes)),
            Sum::Crc8 => u64::from(forward(&CRC_8, bytes) >> 24),
            Sum::Crc16 => u64::from(forward(&CRC_16, bytes) >> 16),
            Sum::Ogg => u64::from(forward(&OGG, bytes)),
            Sum::Adjustment => {
                u64::from(0xb1b0_afba_u32.wrapping_sub(words(bytes, u32::from_be_bytes)))
            }
        }
    }
}

const CRC_8: [u32; 256] = table(0x07 << 24);
const CRC_16: [u32; 256] = table(0x8005 << 16);
const OGG: [u32; 256] = table(0x04c1_1db7);

/// Returns the remainders of all bytes by a polynomial in the highest bits, without its first one.
const fn table(polynomial: u32) -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut rest, mut bit) = ((byte as u32) << 24, 0);
        while bit < 8 {
            let is_one = rest >> 31 == 1;
            rest <<= 1;
            if is_one {
                rest ^= polynomial;
            }
            bit += 1;
        }
        table[byte] = rest;
        byte += 1;
    }
    table
}

/// Returns a remainder in the highest bits.
fn forward(table: &[u32; 256], bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |rest, &byte| {
        rest << 8 ^ table[usize::from((rest >> 24) as u8 ^ byte)]
    })
}

fn words(bytes: &[u8], word: fn([u8; 4]) -> u32) -> u32 {
    let padded = |four: &[u8]| {
        let byte = |nth: usize| four.get(nth).copied().unwrap_or(0);
        word([byte(0), byte(1), byte(2), byte(3)])
    };
    bytes.chunks(4).map(padded).fold(0, u32::wrapping_add)
}
