/// The notation of an integer in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// A number of this many bytes, at most eight, with the low byte first.
    Little(u8),
    /// A number of this many bytes, at most eight, with the high byte first.
    Big(u8),
    /// LEB128: seven bits in each byte, with the low bits first. A number that is longer than
    /// necessary keeps its length, since linkers fill in such fields later.
    Leb,
    /// Seven bits in each byte, with the high bits first. The last byte is marked by its highest
    /// bit, as in the bytecode of Lua.
    Marked,
    /// Octal digits in ASCII, as in the headers of tar. The bytes around the digits are kept.
    Octal,
    /// Decimal digits in ASCII. A number with leading zeros keeps its length.
    Decimal,
    /// Decimal digits in ASCII in a column of this width, with spaces after the number.
    Columns(u8),
    /// This many hexadecimal digits in ASCII, in upper case.
    Hexadecimal(u8),
    /// The length of ASN.1 DER: one byte up to 127, and otherwise the number of bytes that follow.
    Der,
    /// The number at the start of a CBOR value. The type is in the upper three bits of the first
    /// byte. The number is in the other bits, or in the next 1, 2, 4, or 8 bytes.
    Cbor,
    /// Some bits of a byte, given by their mask. The other bits are kept.
    Bits(u8),
    /// Four bytes that hold two 16-bit numbers, the high one first, each with its low byte first,
    /// as on a PDP-11.
    Middle,
    /// Bytes that are added up. All bytes except the last one are 255, as in the tables of Ogg.
    Lacing,
    /// The form of a character in UTF-8, extended to 36 bits, as in FLAC.
    Utf8,
    /// An integer that is not negative, in 1, 2, 3, or 5 bytes, as in dictionaries of Compact Font
    /// Format. A number of 5 bytes keeps its length.
    Operand,
}

impl Number {
    /// Reads the number at the beginning of some bytes. Returns the number and its length.
    pub fn read(self, bytes: &[u8]) -> Option<(u64, usize)> {
        match self {
            Number::Little(width) => {
                let bytes = bytes.get(..usize::from(width.min(8)))?;
                let value = bytes
                    .iter()
                    .rev()
                    .fold(0, |all, &byte| all << 8 | u64::from(byte));
                Some((value, bytes.len()))
            }
            Number::Big(width) => {
                let bytes = bytes.get(..usize::from(width.min(8)))?;
                let value = bytes
                    .iter()
                    .fold(0, |all, &byte| all << 8 | u64::from(byte));
                Some((value, bytes.len()))
            }
            Number::Leb => read_leb(bytes),
            Number::Marked => read_marked(bytes),
            Number::Octal => {
                let digits = octal_digits(bytes);
                let text = std::str::from_utf8(bytes.get(digits)?).ok()?;
                Some((u64::from_str_radix(text, 8).ok()?, bytes.len()))
            }
            Number::Decimal => read_decimal(bytes),
            Number::Columns(width) => read_columns(bytes, width),
            Number::Hexadecimal(width) => read_hexadecimal(bytes, width),
            Number::Der => match *bytes.first()? {
                short @ ..0x80 => Some((u64::from(short), 1)),
                long => {
                    let width = long & 0x7f;
                    if !(1..=8).contains(&width) {
                        return None;
                    }
                    let (value, len) = Number::Big(width).read(bytes.get(1..)?)?;
                    Some((value, len + 1))
                }
            },
            Number::Cbor => match *bytes.first()? & 0x1f {
                low @ ..24 => Some((u64::from(low), 1)),
                more @ 24..28 => {
                    let (value, len) = Number::Big(1 << (more - 24)).read(bytes.get(1..)?)?;
                    Some((value, len + 1))
                }
                _ => None,
            },
            Number::Bits(mask) => Some((u64::from(bytes.first()? & mask), 1)),
            Number::Middle => match *bytes.get(..4)? {
                [a, b, c, d] => Some((u64::from(u32::from_be_bytes([b, a, d, c])), 4)),
                _ => None,
            },
            Number::Lacing => {
                let full = bytes.iter().take_while(|&&byte| byte == 255).count();
                let last = u64::from(*bytes.get(full)?);
                Some((255 * full as u64 + last, full + 1))
            }
            Number::Operand => read_operand(bytes),
            Number::Utf8 => read_utf8(bytes),
        }
    }

    /// Writes a number in place of another number, whose text is `old`. Returns `None` if the
    /// number does not fit.
    pub fn write(self, value: u64, old: &[u8]) -> Option<Vec<u8>> {
        match self {
            Number::Little(width) => {
                let width = usize::from(width.min(8));
                let bytes = value.to_le_bytes();
                fits(value, width).then(|| bytes[..width].to_vec())
            }
            Number::Big(width) => {
                let width = usize::from(width.min(8));
                let bytes = value.to_be_bytes();
                fits(value, width).then(|| bytes[8 - width..].to_vec())
            }
            Number::Leb => write_leb(value, old),
            Number::Marked => write_marked(value),
            Number::Octal => write_octal(value, old),
            Number::Decimal => {
                let width = if old.first() == Some(&b'0') {
                    old.len()
                } else {
                    0
                };
                Some(format!("{value:0width$}").into_bytes())
            }
            Number::Columns(width) => {
                let width = usize::from(width);
                let text = format!("{value:<width$}");
                (text.len() == width).then(|| text.into_bytes())
            }
            Number::Hexadecimal(width) => {
                let width = usize::from(width);
                let text = format!("{value:0width$X}");
                (text.len() == width).then(|| text.into_bytes())
            }
            Number::Der => write_der(value),
            Number::Cbor => write_cbor(value, old),
            Number::Bits(mask) => {
                let rest = old.first()? & !mask;
                (value & !u64::from(mask) == 0).then(|| vec![rest | value as u8])
            }
            Number::Middle => {
                let [a, b, c, d] = u32::try_from(value).ok()?.to_be_bytes();
                Some(vec![b, a, d, c])
            }
            Number::Lacing => {
                let mut bytes = vec![255; usize::try_from(value / 255).ok()?];
                bytes.push((value % 255) as u8);
                Some(bytes)
            }
            Number::Operand => match value {
                ..0x8000_0000 if old.first() == Some(&29) => {
                    Some([&[29], &(value as u32).to_be_bytes()[..]].concat())
                }
                ..108 => Some(vec![value as u8 + 139]),
                108..1_132 => Some(vec![((value - 108) >> 8) as u8 + 247, (value - 108) as u8]),
                1_132..0x8000 => Some([&[28], &(value as u16).to_be_bytes()[..]].concat()),
                0x8000..0x8000_0000 => Some([&[29], &(value as u32).to_be_bytes()[..]].concat()),
                _ => None,
            },
            Number::Utf8 => write_utf8(value),
        }
    }
}

/// Reads a number in [`Number::Leb`].
fn read_leb(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0u64;
    for (nth, &byte) in bytes.iter().take(10).enumerate() {
        let bits = u64::from(byte & 0x7f);
        let shifted = bits.checked_shl(7 * nth as u32)?;
        if shifted >> (7 * nth) != bits {
            return None;
        }
        value |= shifted;
        if byte < 0x80 {
            return Some((value, nth + 1));
        }
    }
    None
}

/// Reads a number in [`Number::Marked`].
fn read_marked(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0u64;
    for (nth, &byte) in bytes.iter().take(9).enumerate() {
        value = value << 7 | u64::from(byte & 0x7f);
        if byte >= 0x80 {
            return Some((value, nth + 1));
        }
    }
    None
}

/// Reads a number in [`Number::Decimal`].
fn read_decimal(bytes: &[u8]) -> Option<(u64, usize)> {
    let digits = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let text = std::str::from_utf8(bytes.get(..digits)?).ok()?;
    Some((text.parse().ok()?, digits))
}

/// Reads a number in [`Number::Columns`].
fn read_columns(bytes: &[u8], width: u8) -> Option<(u64, usize)> {
    let bytes = bytes.get(..usize::from(width))?;
    let digits = std::str::from_utf8(bytes).ok()?.trim_end_matches(' ');
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let value = digits.parse().ok().filter(|_| is_number)?;
    Some((value, bytes.len()))
}

/// Reads a number in [`Number::Hexadecimal`].
fn read_hexadecimal(bytes: &[u8], width: u8) -> Option<(u64, usize)> {
    let bytes = bytes.get(..usize::from(width))?;
    let digits = std::str::from_utf8(bytes).ok()?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let value = u64::from_str_radix(digits, 16).ok().filter(|_| is_number)?;
    Some((value, bytes.len()))
}

/// Reads a number in [`Number::Utf8`].
fn read_utf8(bytes: &[u8]) -> Option<(u64, usize)> {
    let first = *bytes.first()?;
    let more = match first.leading_ones() {
        0 => return Some((u64::from(first), 1)),
        ones @ 2..=7 => ones as usize - 1,
        _ => return None,
    };
    let high = u64::from(first) & ((1 << (6 - more.min(6))) - 1);
    let value = bytes.get(1..=more)?.iter().try_fold(high, |all, &byte| {
        (byte & 0xc0 == 0x80).then_some(all << 6 | u64::from(byte & 0x3f))
    })?;
    Some((value, more + 1))
}

/// Writes a number in [`Number::Leb`].
fn write_leb(value: u64, old: &[u8]) -> Option<Vec<u8>> {
    let is_padded = old.len() > 1 && old.last() == Some(&0);
    let (mut rest, mut bytes) = (value, Vec::with_capacity(5));
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
    if is_padded && bytes.len() < old.len() {
        let last = bytes.len() - 1;
        bytes[last] |= 0x80;
        bytes.resize(old.len() - 1, 0x80);
        bytes.push(0);
    }
    Some(bytes)
}

/// Writes a number in [`Number::Octal`].
fn write_octal(value: u64, old: &[u8]) -> Option<Vec<u8>> {
    let digits = octal_digits(old);
    let text = format!("{value:0width$o}", width = digits.len());
    let mut all = old.to_vec();
    (text.len() == digits.len()).then(|| {
        all.splice(digits, text.into_bytes());
        all
    })
}

/// Writes a number in [`Number::Der`].
fn write_der(value: u64) -> Option<Vec<u8>> {
    if value < 0x80 {
        return Some(vec![value as u8]);
    }
    let bytes = value.to_be_bytes();
    let width = 8 - value.leading_zeros() as usize / 8;
    let mut all = vec![0x80 | width as u8];
    all.extend_from_slice(&bytes[8 - width..]);
    Some(all)
}

/// Writes a number in [`Number::Cbor`].
fn write_cbor(value: u64, old: &[u8]) -> Option<Vec<u8>> {
    let major = old.first()? & 0xe0;
    if value < 24 {
        return Some(vec![major | value as u8]);
    }
    let log = (0..4).find(|&log| fits(value, 1 << log))?;
    let mut all = vec![major | (24 + log as u8)];
    all.extend(Number::Big(1 << log).write(value, &[])?);
    Some(all)
}

/// Writes a number in [`Number::Utf8`].
fn write_utf8(value: u64) -> Option<Vec<u8>> {
    let more = match value {
        ..0x80 => return Some(vec![value as u8]),
        // Each further byte holds six bits, and takes one bit from the first byte.
        _ => (1..=6).find(|&more| value >> (5 * more + 6) == 0)?,
    };
    let mark = !(0x7f_u8 >> more);
    let mut bytes = vec![mark | (value >> (6 * more)) as u8];
    let rest = (0..more).rev();
    bytes.extend(rest.map(|nth| 0x80 | (value >> (6 * nth)) as u8 & 0x3f));
    Some(bytes)
}

/// Writes a number in [`Number::Marked`].
fn write_marked(value: u64) -> Option<Vec<u8>> {
    let (mut rest, mut bytes) = (value >> 7, vec![value as u8 | 0x80]);
    while rest > 0 {
        bytes.insert(0, rest as u8 & 0x7f);
        rest >>= 7;
    }
    Some(bytes)
}

/// Reads a number in [`Number::Operand`].
fn read_operand(bytes: &[u8]) -> Option<(u64, usize)> {
    match *bytes.first()? {
        short @ 139..=246 => Some((u64::from(short) - 139, 1)),
        high @ 247..=250 => {
            let low = u64::from(*bytes.get(1)?);
            Some((((u64::from(high) - 247) << 8 | low) + 108, 2))
        }
        long @ 28..=29 => {
            let width = if long == 28 { 2 } else { 4 };
            let (value, _) = Number::Big(width).read(bytes.get(1..)?)?;
            let is_negative = value >> (8 * width - 1) == 1;
            (!is_negative).then_some((value, usize::from(width) + 1))
        }
        _ => None,
    }
}

fn fits(value: u64, width: usize) -> bool {
    width >= 8 || value >> (8 * width) == 0
}

fn octal_digits(bytes: &[u8]) -> std::ops::Range<usize> {
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'7');
    let start = bytes.iter().take_while(|byte| **byte == b' ').count();
    let len = bytes
        .iter()
        .skip(start)
        .take_while(|byte| is_digit(byte))
        .count();
    start..start + len
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_they_are_read() {
        let rows: &[(Number, &[u8], u64)] = &[
            (Number::Little(4), b"\x34\x12\0\0", 0x1234),
            (Number::Big(2), b"\x12\x34", 0x1234),
            (Number::Leb, b"\xe5\x8e\x26", 624_485),
            (Number::Leb, b"\x85\x80\x80\x80\0", 5),
            (Number::Marked, b"\x02\x85", 0x105),
            (Number::Octal, b"00000001750\0", 1000),
            (Number::Decimal, b"0000000016", 16),
            (Number::Decimal, b"160", 160),
            (Number::Columns(6), b"160   ", 160),
            (Number::Hexadecimal(8), b"000001AF", 0x1af),
            (Number::Der, b"\x82\x01\x02", 0x102),
            (Number::Der, b"\x7f", 0x7f),
            (Number::Cbor, b"\x99\x01\0", 256),
            (Number::Cbor, b"\x83", 3),
            (Number::Middle, b"\x01\0\x02\0", 0x1_0002),
            (Number::Lacing, b"\xff\xff\x07", 517),
            (Number::Lacing, b"\xff\0", 255),
            (Number::Operand, b"\x8b", 0),
            (Number::Operand, b"\xf6", 107),
            (Number::Operand, b"\xf7\0", 108),
            (Number::Operand, b"\xfa\xff", 1_131),
            (Number::Operand, b"\x1c\x04\x6c", 1_132),
            (Number::Operand, b"\x1d\0\0\0\x07", 7),
            (Number::Operand, b"\x1d\0\0\x80\0", 0x8000),
            (Number::Utf8, b"\x7f", 127),
            (Number::Utf8, b"\xc2\x80", 128),
            (Number::Utf8, b"\xef\xbf\xbf", 0xffff),
            (Number::Utf8, b"\xf0\x90\x80\x80", 0x1_0000),
            (Number::Utf8, b"\xfe\xbf\xbf\xbf\xbf\xbf\xbf", (1 << 36) - 1),
        ];
        for &(number, text, value) in rows {
            assert_eq!(number.read(text), Some((value, text.len())), "{number:?}");
            assert_eq!(
                number.write(value, text).as_deref(),
                Some(text),
                "{number:?}"
            );
        }
        assert_eq!(Number::Big(1).write(256, &[0]), None);
        assert_eq!(Number::Bits(0x80).write(0x80, &[3]), Some(vec![0x83]));
        assert_eq!(Number::Bits(0x80).write(5, &[3]), None);
        assert_eq!(
            Number::Leb.write(4, b"\x85\x80\0"),
            Some(b"\x84\x80\0".to_vec())
        );
        assert_eq!(Number::Leb.write(4, b"\x85\x01"), Some(vec![4]));
        assert_eq!(Number::Cbor.write(5, b"\x98\x20"), Some(vec![0x85]));
    }
}
