use super::Format;
use super::builder::Builder;
use crate::Number;

/// The format DER: nested values, as in certificates, keys, and signatures.
///
/// Source: ITU-T X.690, 2021.
pub(super) const DER: Format = Format {
    name: "DER",
    fits: |text| {
        value(text, 0, text.len()).is_some_and(|(content, end)| {
            let is_whole = end == text.len();
            text[0] == 0x30 && (is_whole || 2 * end >= text.len() && has_values(text, content, end))
        })
    },
    read: der,
};

/// Returns the start and the end of the content of a value.
fn value(text: &[u8], at: usize, limit: usize) -> Option<(usize, usize)> {
    // Tags of several bytes do not occur in practice.
    if *text.get(at)? & 0x1f == 0x1f {
        return None;
    }
    let (length, len) = Number::Der.read(text.get(at + 1..)?)?;
    let start = at + 1 + len;
    let end = start.checked_add(usize::try_from(length).ok()?)?;
    (end <= limit).then_some((start, end))
}

/// Returns whether bytes are consecutive values. Only the tags and lengths of the outermost values
/// are read.
fn is_values(text: &[u8], mut at: usize, end: usize) -> bool {
    while at < end {
        match value(text, at, end) {
            Some((_, next)) if text[at] != 0 => at = next,
            _ => return false,
        }
    }
    at == end
}

/// Returns whether the content of a value is values. Then it is DER even if other bytes follow.
/// Readers of PEM ignore these, and a reduction that joins two certificates leaves them.
fn has_values(text: &[u8], content: usize, end: usize) -> bool {
    content < end && is_values(text, content, end)
}

/// The maximum depth of nested values.
const DEPTH: usize = 64;

fn der(file: &mut Builder<'_>) -> Option<()> {
    let mut around: Vec<usize> = vec![];
    while file.at < file.text.len() {
        while around.last().is_some_and(|&end| end <= file.at) {
            around.pop();
        }
        let start = file.at;
        let limit = around.last().copied().unwrap_or(file.text.len());
        let Some((content, end)) = value(file.text, start, limit) else {
            if around.is_empty() {
                file.region(start..limit, "rest");
            }
            return None;
        };
        file.measures(start + 1..content, Number::Der, content..end);
        file.region(start..end, "value");
        let tag = file.text[start];
        // An octet string may contain values. So may a bit string, after the number of unused bits.
        let inside = content + usize::from(tag == 3);
        let is_string = matches!(tag, 3 | 4) && end > inside + 1;
        let has_values = tag & 0x20 != 0 || is_string && is_values(file.text, inside, end);
        file.region(inside..end, "content");
        if has_values && around.len() < DEPTH {
            around.push(end);
            file.at = inside;
        } else {
            file.at = end;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use crate::read;

    #[test]
    fn bytes_behind_a_value_are_a_region() {
        let value = b"\x30\x06\x02\x01\x07\x04\x01x";
        for (rest, is_known) in [
            (&b""[..], true),
            (b"\xffrest", true),
            (b"\xffmore than half", false),
        ] {
            let text = [value, rest].concat();
            let layout = read(&text).filter(|layout| layout.format == "DER");
            assert_eq!(layout.is_some(), is_known, "{rest:?}");
            let last = layout.and_then(|layout| layout.regions.last().cloned());
            if is_known && !rest.is_empty() {
                assert_eq!(
                    last.map(|last| (last.span, last.kind)),
                    Some((8..13, "rest"))
                );
            }
        }
        // If the content contains no values, the bytes after it make the text invalid.
        assert_eq!(read(b"\x30\x04abcd\xff"), None);
    }
}
