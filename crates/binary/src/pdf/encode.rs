use super::scan::Scan;
use super::{CLOSE, OPEN, STREAM};
use crate::deflate::deflate;
use std::collections::BTreeMap;

/// The place of a written object.
enum Place {
    At(usize, u64),
    In(u64, usize),
}

/// Writes a document in the notation of the [module](super) as a file. All other text is written
/// unchanged.
pub(crate) fn encode(content: &[u8]) -> Vec<u8> {
    let parts = parts(content);
    let numbers = parts.iter().filter_map(|part| match part {
        Part::Object(number, ..) | Part::Packed(number, _) => Some(*number),
        _ => None,
    });
    let mut fresh = numbers.max().unwrap_or(0).saturating_add(1);
    let mut out = Vec::with_capacity(content.len());
    let mut places = BTreeMap::new();
    let (mut packed, mut trailer, mut is_stream) = (vec![], None, false);
    for part in parts {
        if !matches!(part, Part::Packed(..)) {
            pack(&mut out, &mut packed, &mut places, &mut fresh);
        }
        match part {
            Part::Object(number, generation, text) => {
                places.insert(number, Place::At(out.len(), generation));
                out.extend_from_slice(text);
                out.push(b'\n');
            }
            Part::Packed(number, value) => {
                packed.push((number, value));
                is_stream = true;
            }
            Part::Trailer(dictionary) => trailer = Some(dictionary),
            Part::Other(text) => {
                out.extend_from_slice(text);
                out.push(b'\n');
            }
            Part::Stream => is_stream = true,
            Part::Close => {}
        }
    }
    pack(&mut out, &mut packed, &mut places, &mut fresh);
    let Some(trailer) = trailer else {
        return out;
    };
    let start = out.len();
    if is_stream {
        places.insert(fresh, Place::At(start, 0));
        table_stream(&mut out, &places, fresh, trailer);
    } else {
        table(&mut out, &places, trailer);
    }
    out.extend_from_slice(format!("startxref\n{start}\n%%EOF\n").as_bytes());
    out
}

enum Part<'a> {
    /// An object with its number and generation.
    Object(u64, u64, &'a [u8]),
    /// The value of an object in a stream, with its number.
    Packed(u64, &'a [u8]),
    Close,
    /// The text between the brackets of the last trailer.
    Trailer(&'a [u8]),
    Stream,
    Other(&'a [u8]),
}

fn parts(text: &[u8]) -> Vec<Part<'_>> {
    let (mut parts, mut is_open) = (vec![], false);
    let mut scan = Scan::new(text, 0);
    // The number of bytes that were read without success. They are read again from the next word.
    let mut wasted = 0;
    loop {
        scan.blanks();
        let start = scan.at;
        if scan.rest().is_empty() {
            return parts;
        }
        let mut ahead = scan.clone();
        if let Some(comment) = scan.comment() {
            match comment {
                OPEN => is_open = true,
                CLOSE => is_open = false,
                STREAM => parts.push(Part::Stream),
                _ => parts.push(Part::Other(comment)),
            }
            if comment == OPEN || comment == CLOSE {
                parts.push(Part::Close);
            }
            continue;
        }
        let is_sound = wasted <= 4 * text.len();
        if is_sound && ahead.keyword(b"trailer").is_some() {
            let dictionary = ahead.value().map(|place| &text[place]);
            let body = dictionary
                .and_then(|dictionary| dictionary.strip_prefix(b"<<")?.strip_suffix(b">>"));
            if let Some(body) = body {
                parts.push(Part::Trailer(body));
                scan = ahead;
                continue;
            }
        } else if is_sound
            && text[start].is_ascii_digit()
            && let Some(object) = ahead.object()
        {
            parts.push(match object.data {
                None if is_open && object.generation == 0 => {
                    Part::Packed(object.number, &text[object.value])
                }
                _ => Part::Object(object.number, object.generation, &text[object.place]),
            });
            scan = ahead;
            continue;
        }
        wasted += ahead.at - start;
        scan.word();
        parts.push(Part::Other(&text[start..scan.at]));
    }
}

/// Writes objects as a stream.
fn pack(
    out: &mut Vec<u8>,
    packed: &mut Vec<(u64, &[u8])>,
    places: &mut BTreeMap<u64, Place>,
    fresh: &mut u64,
) {
    if packed.is_empty() {
        return;
    }
    let (mut head, mut body) = (String::new(), vec![]);
    for (nth, &(number, value)) in packed.iter().enumerate() {
        head += &format!("{number} {} ", body.len());
        body.extend_from_slice(value);
        body.push(b'\n');
        places.insert(number, Place::In(*fresh, nth));
    }
    let first = head.len();
    let content = [head.as_bytes(), &body].concat();
    places.insert(*fresh, Place::At(out.len(), 0));
    let pairs = format!("/Type/ObjStm/N {}/First {first}", packed.len());
    stream(out, *fresh, pairs.as_bytes(), &content);
    *fresh = fresh.saturating_add(1);
    packed.clear();
}

/// Writes an object with a stream, which is compressed where that makes it shorter.
fn stream(out: &mut Vec<u8>, number: u64, pairs: &[u8], content: &[u8]) {
    let filter = b"/Filter/FlateDecode";
    let shorter = deflate(content, true);
    let (filter, data) = match shorter.len() + filter.len() < content.len() {
        true => (&filter[..], &shorter[..]),
        false => (&b""[..], content),
    };
    out.extend_from_slice(format!("{number} 0 obj\n<<").as_bytes());
    out.extend_from_slice(pairs);
    out.extend_from_slice(filter);
    out.extend_from_slice(format!("/Length {}>>stream\n", data.len()).as_bytes());
    out.extend_from_slice(data);
    out.extend_from_slice(b"\nendstream\nendobj\n");
}

/// Returns the numbers of objects in runs: the first one, and how many.
fn runs(places: &BTreeMap<u64, Place>) -> Vec<(u64, usize)> {
    let mut runs: Vec<(u64, usize)> = vec![(0, 1)];
    for &number in places.keys().filter(|&&number| number > 0) {
        match runs.last_mut() {
            Some((first, count)) if *first + *count as u64 == number => *count += 1,
            _ => runs.push((number, 1)),
        }
    }
    runs
}

/// Returns the number of bytes that a number takes.
fn width(value: u64) -> usize {
    (8 - value.leading_zeros() as usize / 8).max(1)
}

fn table_stream(out: &mut Vec<u8>, places: &BTreeMap<u64, Place>, own: u64, trailer: &[u8]) {
    let row = |place: Option<&Place>| match place {
        None => (0, 0, 0),
        Some(&Place::At(at, generation)) => (1, at as u64, generation),
        Some(&Place::In(stream, nth)) => (2, stream, nth as u64),
    };
    let rows: Vec<_> = places.values().map(|place| row(Some(place))).collect();
    let second = width(rows.iter().map(|row| row.1).max().unwrap_or(0));
    // The third column has no width if all its numbers are zero.
    let third = match rows.iter().map(|row| row.2).max().unwrap_or(0) {
        0 => 0,
        most => width(most),
    };
    let mut content = vec![];
    let mut index = String::new();
    let runs = runs(places);
    for &(first, count) in &runs {
        index += &format!("{first} {count} ");
        for number in first..first + count as u64 {
            let (kind, two, three) = row(places.get(&number).filter(|_| number > 0));
            content.push(kind);
            content.extend_from_slice(&two.to_be_bytes()[8 - second..]);
            content.extend_from_slice(&three.to_be_bytes()[8 - third..]);
        }
    }
    let mut pairs = format!(
        "/Type/XRef/Size {}/W[1 {second} {third}]",
        own.saturating_add(1)
    );
    if runs.len() > 1 {
        pairs += &format!("/Index[{}]", index.trim_end());
    }
    stream(out, own, &[pairs.as_bytes(), trailer].concat(), &content);
}

fn table(out: &mut Vec<u8>, places: &BTreeMap<u64, Place>, trailer: &[u8]) {
    out.extend_from_slice(b"xref\n");
    for (first, count) in runs(places) {
        out.extend_from_slice(format!("{first} {count}\n").as_bytes());
        for number in first..first + count as u64 {
            let line = match places.get(&number) {
                Some(&Place::At(at, generation)) if number > 0 => {
                    format!("{at:010} {generation:05} n \n")
                }
                _ => "0000000000 65535 f \n".to_owned(),
            };
            out.extend_from_slice(line.as_bytes());
        }
    }
    let size = places
        .keys()
        .last()
        .map_or(1, |last| last.saturating_add(1));
    out.extend_from_slice(format!("trailer\n<</Size {size}").as_bytes());
    out.extend_from_slice(trailer);
    out.extend_from_slice(b">>\n");
}
