use super::Format;
use super::builder::Builder;
use crate::Number;

/// The format MO of gettext: messages and their translations.
///
/// Source: the manual of GNU gettext, "The Format of GNU MO Files".
pub(super) const MO: Format = Format {
    name: "gettext",
    fits: |text| text.starts_with(b"\xde\x12\x04\x95") || text.starts_with(b"\x95\x04\x12\xde"),
    read: mo,
};

fn mo(file: &mut Builder<'_>) -> Option<()> {
    let word = if file.text[0] == 0x95 {
        Number::Big(4)
    } else {
        Number::Little(4)
    };
    let header = |nth: usize| 4 * nth..4 * nth + 4;
    let count = usize::try_from(file.peek(8, word)?).ok()?;
    let list = file.list();
    file.counts(header(2), word, list);
    let tables = [3, 4].map(|nth| {
        file.peek(4 * nth, word)
            .and_then(|at| usize::try_from(at).ok())
    });
    for (nth, table) in [3, 4].into_iter().zip(tables) {
        file.points(header(nth), word, table?, 0);
    }
    let hashes = file
        .peek(20, word)?
        .checked_mul(4)
        .and_then(|len| usize::try_from(len).ok())?;
    let hash = usize::try_from(file.peek(24, word)?).ok()?;
    file.points(header(6), word, hash, 0);
    if hashes > 0 && file.bytes(hash..hash.checked_add(hashes)?).is_some() {
        // If the table of hashes is removed, readers search the sorted table of texts.
        let of = hash as u32..(hash + hashes) as u32;
        file.field(header(5), word, crate::Means::Length { of, unit: 4 });
        file.region(hash..hash + hashes, "hashes");
    }
    for nth in 0..count {
        let mut parts = vec![];
        for table in tables {
            let at = table?.checked_add(8 * nth)?;
            let len = usize::try_from(file.peek(at, word)?).ok()?;
            let text = usize::try_from(file.peek(at + 4, word)?).ok()?;
            let range = text..text.checked_add(len)?;
            // A zero byte ends the text and is not counted in its length.
            file.bytes(text..range.end + 1)?;
            file.measures(at..at + 4, word, range.clone());
            file.points(at + 4..at + 8, word, text, 0);
            file.region(range.clone(), "text");
            file.region(text..range.end + 1, "text");
            file.region(at..at + 8, "place");
            parts.extend([at..at + 8, text..range.end + 1]);
        }
        file.item(list, parts.first()?.clone());
        file.group(parts);
    }
    Some(())
}
