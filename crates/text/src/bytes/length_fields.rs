use nubbin_edit::{Edit, File, Span, Splice};
use nubbin_engine::work::{Alternatives, Context, Pass, PassInfo, Work};
use std::cmp::Reverse;
use std::ops::Range;

/// Makes a region smaller together with the length field that measures it.
///
/// Wherever an integer equals the number of bytes or lines that follow it, part of the region is
/// deleted and the field is lowered by as much: all of it, then the last and the first half,
/// quarter, and so on. This works in formats where every plain deletion breaks the frame:
/// type-length-value records, chunks, netstrings, `Content-Length`, a count in the first line.
///
/// The pass searches for integers of 1, 2, 4, and 8 bytes in both byte orders, varints, and decimal
/// numbers in text. A binary field may include its own length. For each cut, there are two
/// versions: only this field is lowered, or all fields of the same kind around it are also lowered,
/// for nested records. A decimal number counts the bytes after the next byte (`5:hello`) or after
/// the next blank line, or the lines after its own.
///
/// Most fields that are found are coincidences, especially narrow fields. Both numbers are
/// therefore limited: at most [`LengthFields::most_fields`] fields with the largest regions are
/// tried, with about 4 log2(length) tests each. A field has at most one success per opening.
/// The next opening continues from there.
///
/// Binary fields are only looked for in binary data, that is, where a byte is unprintable.
///
/// Source: our own. Hypothesis (MacIver) lowers a length in its choice sequence together with the
/// choices it covers; this pass does the same with bytes of an unknown format.
///
/// ```
/// use nubbin_reduce::pass::{LengthFields, preview};
///
/// let first = preview(&LengthFields::default(), b"8:whatever!", 3);
/// assert_eq!(first, ["0:!", "4:what!", "4:ever!"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LengthFields {
    /// The maximum number of fields that are tried. Fields with the largest regions are tried
    /// first.
    pub most_fields: usize,
}

impl Default for LengthFields {
    fn default() -> Self {
        LengthFields { most_fields: 200 }
    }
}

impl Pass for LengthFields {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "length-fields",
            "deletes part of a region and lowers the field with its length",
            "ours",
        )
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        let lines = line_starts(file.text);
        let fields = fields(file.text, &lines, self.most_fields);
        let places: Vec<Vec<Edit>> = fields
            .iter()
            .map(|field| cuts(field, &fields, &lines, file.span.start))
            .collect();
        (!places.is_empty()).then(|| Work::Machine(Box::new(Alternatives::new(places))))
    }
}

/// The format of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Decimal,
    Little(usize),
    Big(usize),
    Varint,
}

#[derive(Clone, Debug)]
struct Field {
    kind: Kind,
    /// Whether the field counts lines instead of bytes.
    lines: bool,
    place: Range<usize>,
    value: u64,
    region: Range<usize>,
}

impl Field {
    /// Returns the field with another value, where it can be written.
    fn written(&self, value: u64) -> Option<Vec<u8>> {
        match self.kind {
            Kind::Decimal => Some(value.to_string().into_bytes()),
            Kind::Little(width) => Some(value.to_le_bytes().get(..width)?.to_vec()),
            Kind::Big(width) => Some(value.to_be_bytes().get(8 - width..)?.to_vec()),
            Kind::Varint => {
                let (mut rest, mut bytes) = (value, Vec::new());
                while rest >= 0x80 {
                    bytes.push(rest as u8 | 0x80);
                    rest >>= 7;
                }
                bytes.push(rest as u8);
                Some(bytes)
            }
        }
    }

    fn lowered(&self, by: u64, base: u32) -> Option<Splice> {
        let text = self.written(self.value.checked_sub(by)?)?;
        Some(Splice::replace(Span::at(base, self.place.clone()), &text))
    }

    /// Returns whether this field is around another field of the same kind.
    fn encloses(&self, inner: &Field) -> bool {
        self.kind == inner.kind
            && self.lines == inner.lines
            && self.place.end <= inner.place.start
            && self.region.start <= inner.place.start
            && inner.region.end <= self.region.end
    }
}

/// Returns all cuts for one field, largest first.
fn cuts(field: &Field, fields: &[Field], lines: &[usize], base: u32) -> Vec<Edit> {
    let around: Vec<&Field> = fields
        .iter()
        .filter(|other| other.encloses(field))
        .collect();
    // The offsets at which the region can be cut. Their number is the number of units plus one.
    let first = lines.partition_point(|&line| line < field.region.start);
    let units = if field.lines {
        lines.len().saturating_sub(first + 1)
    } else {
        field.region.len()
    };
    let bound = |unit: usize| {
        if field.lines {
            lines.get(first + unit).copied().unwrap_or(field.region.end)
        } else {
            field.region.start + unit
        }
    };
    let mut edits = Vec::new();
    let mut size = units;
    while size > 0 {
        let parts = [units - size..units, 0..size];
        for part in parts.into_iter().take(if size == units { 1 } else { 2 }) {
            let gone = bound(part.start)..bound(part.end);
            for around in [&around[..0], &around[..]] {
                let splices: Option<Vec<Splice>> = std::iter::once(&field)
                    .chain(around)
                    .map(|other| other.lowered(size as u64, base))
                    .chain([Some(Splice::delete(Span::at(base, gone.clone())))])
                    .collect();
                edits.extend(splices.and_then(|splices| Edit::new(splices).ok()));
            }
        }
        size /= 2;
    }
    edits.dedup();
    edits
}

/// Fields with the largest regions, in order of their place.
fn fields(text: &[u8], lines: &[usize], most: usize) -> Vec<Field> {
    let mut largest = Largest {
        fields: Vec::new(),
        most,
        too_small: 0,
    };
    decimal_fields(text, lines, &mut largest);
    let unprintable = |byte: &u8| *byte < 0x20 && !matches!(*byte, b'\t'..=b'\r');
    if text.iter().any(unprintable) {
        for at in 0..text.len() {
            binary_fields(text, at, &mut largest);
        }
    }
    let mut fields = largest.finish();
    fields.sort_by_key(|field| (field.place.start, field.place.end, field.kind));
    fields
}

/// Collects the fields with the largest regions: coincidences are many in a large file.
struct Largest {
    fields: Vec<Field>,
    most: usize,
    /// The length up to which a region is not among the largest.
    too_small: usize,
}

impl Largest {
    fn push(&mut self, field: Field) {
        if field.region.len() > self.too_small {
            self.fields.push(field);
        }
        // Occasional sorting takes constant time per field.
        if self.fields.len() > 16 * self.most + 1_024 {
            self.keep();
            self.too_small = self.fields.last().map_or(0, |field| field.region.len());
        }
    }

    fn keep(&mut self) {
        self.fields
            .sort_by_key(|field| (Reverse(field.region.len()), field.kind, field.place.start));
        self.fields.truncate(self.most);
    }

    fn finish(mut self) -> Vec<Field> {
        self.keep();
        self.fields
    }
}

/// Finds integers with the length of the region right after them. The low byte must not be zero,
/// since every small number among zeros would otherwise be a wide field at several places.
fn binary_fields(text: &[u8], at: usize, fields: &mut Largest) {
    let mut found = |kind: Kind, width: usize, value: u64| {
        let place = at..at + width;
        for counted_in in [0, width as u64] {
            let Some(length) = value.checked_sub(counted_in).filter(|&length| length > 0) else {
                continue;
            };
            let end = usize::try_from(length)
                .ok()
                .and_then(|length| place.end.checked_add(length));
            if let Some(end) = end.filter(|&end| end <= text.len()) {
                fields.push(Field {
                    kind,
                    lines: false,
                    place: place.clone(),
                    value,
                    region: place.end..end,
                });
            }
        }
    };
    let rest = text.get(at..).unwrap_or_default();
    for width in [8, 4, 2] {
        let Some(bytes) = rest.get(..width) else {
            continue;
        };
        let mut wide = [0u8; 8];
        for (to, &from) in wide.iter_mut().zip(bytes) {
            *to = from;
        }
        let little = u64::from_le_bytes(wide);
        let big = little.swap_bytes() >> (8 * (8 - width));
        if bytes.first() != Some(&0) {
            found(Kind::Little(width), width, little);
        }
        if bytes.last() != Some(&0) {
            found(Kind::Big(width), width, big);
        }
    }
    match *rest {
        [low, high, ..] if low >= 0x80 && (1..0x80).contains(&high) => {
            found(
                Kind::Varint,
                2,
                u64::from(low & 0x7f) | u64::from(high) << 7,
            );
        }
        _ => {}
    }
    if let Some(&byte) = rest.first() {
        found(Kind::Big(1), 1, u64::from(byte));
    }
}

/// Numbers in text, where they stand as such counts do: before a colon or a line end for bytes,
/// at either end of their line for lines, anywhere in front of a body of just that size.
fn decimal_fields(text: &[u8], lines: &[usize], fields: &mut Largest) {
    let body = blank_line_end(text).map(|start| start..text.len());
    let mut at = 0;
    for run in text.chunk_by(|left, right| left.is_ascii_digit() == right.is_ascii_digit()) {
        let place = at..at + run.len();
        at = place.end;
        let digits = std::str::from_utf8(run).ok();
        let value = digits
            .and_then(|digits| digits.parse::<u64>().ok())
            .filter(|&value| value > 0);
        let length = value.and_then(|value| usize::try_from(value).ok());
        let Some((value, length)) = value.zip(length.filter(|&length| length <= text.len())) else {
            continue;
        };
        let mut found = |lines: bool, region: Range<usize>| {
            let kind = Kind::Decimal;
            fields.push(Field {
                kind,
                lines,
                place: place.clone(),
                value,
                region,
            });
        };
        if let Some(body) = body
            .clone()
            .filter(|body| body.len() == length && at < body.start)
        {
            found(false, body);
        }
        let behind = at + 1;
        if matches!(text.get(at), Some(b':' | b'\n')) && behind + length <= text.len() {
            found(false, behind..behind + length);
        }
        let next = lines.partition_point(|&line| line <= place.start);
        let starts_line = next.checked_sub(1).and_then(|own| lines.get(own)) == Some(&place.start);
        let ends_line = matches!(text.get(at), Some(b'\n' | b'\r'));
        if let (true, Some(&start), Some(&end)) = (
            starts_line || ends_line,
            lines.get(next),
            lines.get(next + length),
        ) {
            found(true, start..end);
        }
    }
}

/// Returns the start of each line, and the end of the text.
fn line_starts(text: &[u8]) -> Vec<usize> {
    let newlines = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let mut starts: Vec<usize> = std::iter::once(0)
        .chain(newlines.map(|(at, _)| at + 1))
        .collect();
    if starts.last() != Some(&text.len()) {
        starts.push(text.len());
    }
    starts
}

fn blank_line_end(text: &[u8]) -> Option<usize> {
    let find = |needle: &[u8]| {
        let at = text
            .windows(needle.len())
            .position(|window| window == needle)?;
        Some(at + needle.len())
    };
    find(b"\r\n\r\n").or_else(|| find(b"\n\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    fn reduced(text: &[u8], fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
        // Each opening has one success per field.
        let mut text = text.to_vec();
        loop {
            let less = reduce_with(&LengthFields::default(), &text, &fails);
            if less == text {
                return text;
            }
            text = less;
        }
    }

    #[test]
    fn a_chunk_shrinks_with_its_length() {
        let mut text = b"RIFF".to_vec();
        text.extend_from_slice(&300u32.to_le_bytes());
        text.extend((0..300u32).map(|i| (i * 7) as u8));
        text.extend_from_slice(b"end");
        let valid = |text: &[u8]| {
            let length = text
                .get(4..8)
                .and_then(|field| field.try_into().ok())
                .map(u32::from_le_bytes);
            length.is_some_and(|length| text.len() == 11 + length as usize && length > 0)
                && text.starts_with(b"RIFF")
                && text.ends_with(b"end")
        };
        assert_eq!(reduced(&text, valid), b"RIFF\x01\0\0\0&end");
    }

    #[test]
    fn nested_records_shrink_with_all_lengths_around_them() {
        let text = b"\x02\x0a\x01\x05hello\x01\x01x";
        let valid = |text: &[u8]| {
            let outer = text
                .get(1)
                .is_some_and(|&length| text.len() == 2 + usize::from(length));
            let inner = text.get(3).copied().map(usize::from).unwrap_or(99);
            outer && text.get(2) == Some(&1) && text.get(4 + inner..) == Some(b"\x01\x01x")
        };
        assert_eq!(reduced(text, valid), b"\x02\x05\x01\0\x01\x01x");
    }

    #[test]
    fn a_count_of_lines_shrinks_with_its_lines() {
        let text = b"5\none\ntwo\nthree\nfour\nfive\n";
        let valid = |text: &[u8]| {
            let lines: Vec<&[u8]> = text
                .strip_suffix(b"\n")
                .unwrap_or(text)
                .split(|&b| b == b'\n')
                .collect();
            let count = std::str::from_utf8(lines[0])
                .ok()
                .and_then(|count| count.parse().ok());
            count == Some(lines.len() - 1) && lines.contains(&&b"two"[..])
        };
        assert_eq!(reduced(text, valid), b"1\ntwo\n");
    }

    #[test]
    fn a_header_counts_the_body_after_the_blank_line() {
        let text = b"POST /\r\nContent-Length: 11\r\nA: b\r\n\r\nhello world";
        let half = b"POST /\r\nContent-Length: 6\r\nA: b\r\n\r\nhello ".to_vec();
        assert!(proposals(&LengthFields::default(), text).contains(&half));
    }

    #[test]
    fn the_work_is_bounded_whatever_the_bytes() {
        for text in [
            vec![1u8; 100_000],
            vec![0; 100_000],
            vec![0xff; 1_000],
            b"9".repeat(100_000),
        ] {
            assert!(fields(&text, &line_starts(&text), 200).len() <= 200);
            assert!(proposals(&LengthFields::default(), &text).len() <= 200 * 4 * 18);
        }
        assert!(proposals(&LengthFields::default(), b"").is_empty());
        assert!(proposals(&LengthFields::default(), b"no numbers here").is_empty());
    }
}
