use crate::Number;

/// The types of values with a separate length, in the notation.
pub(crate) const BLOB: u8 = 12;
pub(crate) const TEXT: u8 = 13;

/// Returns the number of bytes of a value of another type.
pub(crate) fn width(kind: u8) -> Option<usize> {
    match kind {
        0 | 8 | 9 => Some(0),
        1..=4 => Some(usize::from(kind)),
        5 => Some(6),
        6 | 7 => Some(8),
        _ => None,
    }
}

/// A value of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value<'a> {
    pub(super) kind: u8,
    pub(super) bytes: &'a [u8],
}

impl<'a> Value<'a> {
    /// Returns the integer value.
    pub(super) fn integer(&self) -> Option<i64> {
        match self.kind {
            8 => Some(0),
            9 => Some(1),
            1..=6 => {
                let negative = self.bytes.first()? & 0x80 != 0;
                let start = if negative { -1 } else { 0 };
                let digits = self.bytes.iter();
                Some(digits.fold(start, |all, &byte| all << 8 | i64::from(byte)))
            }
            _ => None,
        }
    }

    /// Returns the shortest form of an integer.
    pub(super) fn shortest(number: u32, bytes: &'a mut [u8; 8]) -> Value<'a> {
        *bytes = u64::from(number).to_be_bytes();
        let kind = match number {
            0..0x80 => 1,
            0x80..0x8000 => 2,
            0x8000..0x80_0000 => 3,
            0x80_0000..0x8000_0000 => 4,
            _ => 5,
        };
        let len = width(kind).unwrap_or(8);
        Value {
            kind,
            bytes: &bytes[8 - len..],
        }
    }
}

/// Reads a number with seven bits in each byte, the high bits first. The ninth byte has eight bits.
pub(super) fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0;
    for (nth, &byte) in bytes.iter().take(9).enumerate() {
        if nth == 8 {
            return Some((value << 8 | u64::from(byte), 9));
        }
        value = value << 7 | u64::from(byte & 0x7f);
        if byte < 0x80 {
            return Some((value, nth + 1));
        }
    }
    None
}

pub(super) fn add_varint(value: u64, out: &mut Vec<u8>) {
    if value >> 56 != 0 {
        out.extend((0..8).map(|nth| (value >> (57 - 7 * nth)) as u8 | 0x80));
        out.push(value as u8);
        return;
    }
    let len = varint_len(value);
    out.extend((1..len).map(|nth| (value >> (7 * (len - nth))) as u8 | 0x80));
    out.push(value as u8 & 0x7f);
}

pub(super) fn varint_len(value: u64) -> usize {
    match 64 - value.leading_zeros() as usize {
        57.. => 9,
        bits => bits.div_ceil(7).max(1),
    }
}

pub(super) fn add_leb(value: u64, out: &mut Vec<u8>) {
    out.extend(Number::Leb.write(value, &[]).unwrap_or_default());
}

/// Reads the values of a record.
pub(super) fn read(record: &[u8]) -> Option<Vec<Value<'_>>> {
    let (header, mut at) = varint(record)?;
    let header = usize::try_from(header).ok()?;
    record.get(..header)?;
    let (mut body, mut values) = (header, vec![]);
    while at < header {
        let (kind, len) = varint(&record[at..header])?;
        at += len;
        let (kind, len) = match u8::try_from(kind).ok().filter(|&kind| kind < BLOB) {
            Some(kind) => (kind, width(kind)?),
            None => {
                let kind_of = if kind % 2 == 0 { BLOB } else { TEXT };
                (kind_of, usize::try_from((kind - 12) / 2).ok()?)
            }
        };
        let bytes = record.get(body..body.checked_add(len)?)?;
        values.push(Value { kind, bytes });
        body += len;
    }
    (body == record.len()).then_some(values)
}

/// Writes a record.
pub(super) fn write<'a>(values: impl Iterator<Item = Value<'a>> + Clone) -> Vec<u8> {
    let mut kinds = vec![];
    for value in values.clone() {
        let kind = match value.kind {
            BLOB => 12 + 2 * value.bytes.len() as u64,
            TEXT => 13 + 2 * value.bytes.len() as u64,
            kind => u64::from(kind),
        };
        add_varint(kind, &mut kinds);
    }
    // The length includes itself.
    let len = (1..=9).find(|&len| varint_len((kinds.len() + len) as u64) == len);
    let mut record = vec![];
    add_varint((kinds.len() + len.unwrap_or(9)) as u64, &mut record);
    record.extend(kinds);
    for value in values {
        record.extend_from_slice(value.bytes);
    }
    record
}

/// Adds values in the notation.
pub(super) fn add(values: &[Value<'_>], out: &mut Vec<u8>) {
    for value in values {
        out.push(value.kind);
        if value.kind >= BLOB {
            add_leb(value.bytes.len() as u64, out);
        }
        out.extend_from_slice(value.bytes);
    }
}

/// Reads values in the notation, as far as they are sound.
pub(super) fn values(mut text: &[u8]) -> Vec<Value<'_>> {
    let mut values = vec![];
    while let Some((&kind, rest)) = text.split_first() {
        let (len, rest) = match (kind, width(kind)) {
            (_, Some(len)) => (len, rest),
            (BLOB | TEXT, _) => match Number::Leb.read(rest) {
                Some((len, read)) => (usize::try_from(len).unwrap_or(usize::MAX), &rest[read..]),
                None => break,
            },
            _ => break,
        };
        let Some((bytes, rest)) = rest.split_at_checked(len) else {
            break;
        };
        values.push(Value { kind, bytes });
        text = rest;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_are_read_as_they_are_written() {
        for bits in 0..64 {
            for value in [1u64 << bits, (1 << bits) - 1, u64::MAX >> bits] {
                let mut out = vec![];
                add_varint(value, &mut out);
                assert_eq!(varint(&out), Some((value, out.len())));
                assert_eq!(out.len(), varint_len(value), "{value}");
            }
        }
        assert_eq!(varint(b"\x81"), None);
    }

    #[test]
    fn records_are_read_as_they_are_written() {
        let long = [7; 9_000];
        let value = |kind, bytes| Value { kind, bytes };
        let all = [
            value(0, &[][..]),
            value(2, b"\xff\xfe"),
            value(9, b""),
            value(TEXT, b"text"),
            value(BLOB, &long),
        ];
        let record = write(all.iter().copied());
        assert_eq!(read(&record).as_deref(), Some(&all[..]));
        let mut notation = vec![];
        add(&all, &mut notation);
        assert_eq!(values(&notation), all);
        assert_eq!(all[1].integer(), Some(-2));
        let many = vec![value(0, &[][..]); 127];
        assert_eq!(read(&write(many.iter().copied())), Some(many));
        let mut bytes = [0; 8];
        assert_eq!(Value::shortest(300, &mut bytes).integer(), Some(300));
    }
}
