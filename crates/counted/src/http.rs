use crate::count::{Count, Place, Unit};

/// The field of a header that counts the bytes of a body.
const FIELD: &[u8] = b"content-length:";

/// The number of messages that are read.
const MAX_MESSAGES: usize = 64;

/// Reads the lengths of message bodies in a sequence of HTTP or language server protocol
/// messages.
pub(crate) fn read(text: &[u8]) -> Option<Vec<Count>> {
    let (mut counts, mut at) = (vec![], 0);
    while counts.len() < MAX_MESSAGES {
        let Some(message) = message(text, at) else {
            break;
        };
        at = message.region.end as usize;
        counts.push(message);
    }
    // A message without a length may be any text.
    (!counts.is_empty()).then_some(counts)
}

/// Reads a message that begins at a position.
fn message(text: &[u8], mut at: usize) -> Option<Count> {
    let mut field = None;
    loop {
        let end = at + text.get(at..)?.iter().position(|&byte| byte == b'\n')?;
        let line = &text[at..end];
        let name = line.get(..FIELD.len()).unwrap_or_default();
        if name.eq_ignore_ascii_case(FIELD) {
            let digits = line[FIELD.len()..].trim_ascii();
            let value = crate::number(digits)?;
            let start = at + line.len() - line[FIELD.len()..].trim_ascii_start().len();
            field = Some((start as u32..(start + digits.len()) as u32, value));
        }
        at = end + 1;
        if line.trim_ascii().is_empty() {
            break;
        }
        // Headers are short, so a text without headers is not read to its end.
        if !line.contains(&b':') && field.is_none() && !line.contains(&b'/') {
            return None;
        }
    }
    let (number, value) = field?;
    let end = at.checked_add(usize::try_from(value).ok()?)?;
    (end <= text.len()).then_some(Count {
        number,
        value,
        region: at as u32..end as u32,
        unit: Unit::Bytes,
        more: 0,
        place: Place::Known,
    })
}
