use crate::count::{Count, Place, Unit, lines, words};
use std::ops::Range;

/// Returns counts of lines for consecutive sections, if the text ends with the last section.
///
/// `fields` are the positions of the numbers, `lines` the lines after them.
pub(crate) fn sections(
    text: &[u8],
    fields: &[Range<usize>],
    lines: &[Range<usize>],
    place: impl Fn(usize) -> Place,
) -> Option<Vec<Count>> {
    let mut counts = vec![];
    let mut at = 0_usize;
    for (nth, field) in fields.iter().enumerate() {
        let value = crate::number(&text[field.clone()])?;
        let section = lines.get(at..at.checked_add(usize::try_from(value).ok()?)?)?;
        at += section.len();
        let (Some(first), Some(last)) = (section.first(), section.last()) else {
            continue;
        };
        counts.push(Count {
            number: field.start as u32..field.end as u32,
            value,
            region: first.start as u32..last.end as u32,
            unit: Unit::Lines,
            more: 0,
            place: place(nth),
        });
    }
    (at == lines.len() && !counts.is_empty()).then_some(counts)
}

/// Reads the header of a text in PLY: `element NAME LINES` for each section.
pub(crate) fn ply(text: &[u8]) -> Option<Vec<Count>> {
    if !text.starts_with(b"ply") {
        return None;
    }
    let mut all = lines(text);
    let mut fields = vec![];
    for line in all.by_ref() {
        let found: Vec<_> = words(&text[line.clone()]).collect();
        let word = |nth: usize| found.get(nth).map(|word| &text[line.clone()][word.clone()]);
        match (word(0), found.get(2)) {
            (Some(b"end_header"), _) => break,
            (Some(b"element"), Some(count)) => {
                fields.push(line.start + count.start..line.start + count.end);
            }
            _ => {}
        }
    }
    let rest: Vec<_> = all.collect();
    Some(sections(text, &fields, &rest, |_| Place::Known).unwrap_or_default())
}
