use super::Format;
use super::builder::Builder;
use crate::pdf::decode;
use crate::{Codec, Number};
use std::collections::BTreeMap;
use std::ops::Range;

/// The format PDF: objects with their values, streams, and cross-reference tables. An object is
/// removed with its entries in the tables, a page with its entry in its parent, and a stream with
/// the object that is its length. The objects after it are renumbered, and references to it then
/// refer to object 0, which is null. A sound document whose objects are in streams, or whose table
/// is a stream, is decoded to its objects, and a file is written from them. In such a document that
/// is damaged, numbers are not changed, since the numbers in a stream are not known. PDF readers
/// then search for the objects.
///
/// Source: ISO 32000-1, Document management: Portable document format, 2008.
pub(super) const PDF: Format = Format {
    name: "PDF",
    fits: |text| text.starts_with(b"%PDF-"),
    read: |file| {
        let all = 0..file.text.len();
        file.reads(all.len())?;
        let content = decode(file.text, file.decodes());
        if let Some(content) = content
            && file
                .decoded(all, Codec::Pdf, &content, |text, budget| {
                    OBJECTS.layout(text, budget)
                })
                .is_some()
        {
            return Some(());
        }
        pdf(file)
    },
};

/// The content of a document whose objects are in streams.
const OBJECTS: Format = Format {
    name: "PDF",
    fits: |_| false,
    read: pdf,
};

const DECIMAL: Number = Number::Decimal;

/// The facts of a file that are collected before its fields are written.
#[derive(Default)]
struct Facts {
    /// The definitions of each object, by its number.
    objects: BTreeMap<u64, Vec<Range<usize>>>,
    /// For each object, its places in tables.
    entries: BTreeMap<u64, Vec<Range<usize>>>,
    /// The places of references, and the numbers.
    references: Vec<(Range<usize>, u64)>,
    /// The numbers of objects that are lengths, each with the measured bytes and the number of the
    /// object that contains them.
    lengths: Vec<(u64, Range<usize>, u64)>,
    /// The objects that are only a number, with its place.
    numbers: BTreeMap<u64, Range<usize>>,
    /// Numbers of the next free objects, in tables.
    free: Vec<(Range<usize>, u64)>,
    /// Offsets of tables.
    offsets: Vec<Range<usize>>,
    /// Places of pages in the lists of their parents, and their numbers.
    kids: Vec<(Range<usize>, u64)>,
    /// Numbers of pages, and the places of those.
    counts: Vec<(Range<usize>, Vec<Range<usize>>)>,
    /// Places of the number of all objects.
    sizes: Vec<Range<usize>>,
    /// Tables: the first number and the count, and their places.
    sections: Vec<Section>,
    /// Whether there are objects in streams.
    packed: bool,
    /// The position to which a damaged part was read.
    reached: usize,
}

struct Section {
    first: (u64, Range<usize>),
    count: Range<usize>,
    entries: Vec<Range<usize>>,
}

fn pdf(file: &mut Builder<'_>) -> Option<()> {
    let mut known = Facts::default();
    space(file);
    // The number of bytes that were read without success. They may be read again from the next
    // word.
    let mut wasted = 0;
    while file.at < file.text.len() && wasted <= 4 * file.text.len() {
        let start = file.at;
        known.reached = 0;
        if part(file, &mut known).is_none() {
            wasted += file.at.max(known.reached) - start;
            // Bytes that are not understood are skipped, word by word.
            file.at = start;
            let end = word(file, start).max(start + 1);
            file.region(start..end, "word");
            file.at = end;
        }
        space(file);
    }
    fields(file, known);
    Some(())
}

/// Reads a part of a file: an object, a table, or the end.
fn part(file: &mut Builder<'_>, known: &mut Facts) -> Option<()> {
    let start = file.at;
    match file.bytes(start..word(file, start).max(start + 1))? {
        b"xref" => {
            file.at += 4;
            table(file, known)?;
        }
        b"trailer" => {
            file.at += 7;
            space(file);
            value(file, known)?;
        }
        b"startxref" => {
            file.at += 9;
            space(file);
            let (_, place) = file.number(DECIMAL)?;
            known.offsets.push(place);
        }
        [b'0'..=b'9', ..] => object(file, known)?,
        _ => return None,
    }
    Some(())
}

fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

fn is_delimiter(byte: u8) -> bool {
    b"()<>[]{}/%".contains(&byte)
}

/// The end of the word that begins at a place.
fn word(file: &Builder<'_>, at: usize) -> usize {
    let rest = file.text.get(at..).unwrap_or_default();
    let len = rest
        .iter()
        .position(|&byte| is_space(byte) || is_delimiter(byte));
    at + len.unwrap_or(rest.len())
}

/// Reads past spaces and comments.
fn space(file: &mut Builder<'_>) {
    let mut is_comment = false;
    let start = file.at;
    let mut comment = start;
    while let Some(&byte) = file.text.get(file.at) {
        if is_comment {
            is_comment = !matches!(byte, b'\n' | b'\r');
            if !is_comment && comment > 0 {
                file.region(comment..file.at, "comment");
            }
        } else if byte == b'%' {
            (is_comment, comment) = (true, file.at);
        } else if !is_space(byte) {
            break;
        }
        file.at += 1;
    }
}

fn keyword(file: &mut Builder<'_>, text: &[u8]) -> Option<()> {
    space(file);
    let place = file.at..file.at + text.len();
    (file.bytes(place.clone())? == text).then(|| file.at = place.end)
}

fn object(file: &mut Builder<'_>, known: &mut Facts) -> Option<()> {
    let start = file.at;
    let (number, place) = file.number(DECIMAL)?;
    space(file);
    file.number(DECIMAL)?;
    keyword(file, b"obj")?;
    space(file);
    let content = file.at;
    let dictionary = value(file, known)?;
    if let (Kind::Number(_), number_place) = (&dictionary.kind, content..file.at) {
        known.numbers.insert(number, number_place);
    }
    space(file);
    if file.bytes(file.at..word(file, file.at)) == Some(b"stream") {
        stream(file, known, &dictionary, number);
        space(file);
    }
    // An object without `endobj` ends before the next object.
    let _ = keyword(file, b"endobj");
    let end = file.at;
    if file.text.get(end) == Some(&b'\r') {
        file.at += 1;
    }
    if file.text.get(file.at) == Some(&b'\n') {
        file.at += 1;
    }
    file.region(start..file.at, "object");
    if file.keeps::<(u64, Range<usize>)>() {
        known
            .objects
            .entry(number)
            .or_default()
            .push(start..file.at);
        known.references.push((place, number));
    }
    Some(())
}

/// A value that was read.
struct Value {
    kind: Kind,
    /// The place of a length and its value, if the value is a dictionary with a length.
    length: Option<(Range<usize>, Kind)>,
    is_deflated: bool,
    /// The references in an array that contains only references.
    elements: Vec<(Range<usize>, u64)>,
}

impl Value {
    fn of(kind: Kind) -> Self {
        Value {
            kind,
            length: None,
            is_deflated: false,
            elements: vec![],
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Number(u64),
    Reference(u64),
    Name(Vec<u8>),
    Other,
}

/// The bytes of a stream.
fn stream(file: &mut Builder<'_>, known: &mut Facts, dictionary: &Value, owner: u64) {
    let start = file.at;
    file.at += b"stream".len();
    for end in [b'\r', b'\n'] {
        file.at += usize::from(file.text.get(file.at) == Some(&end));
    }
    let data = file.at;
    let rest = file.text.get(data..).unwrap_or_default();
    let stated = match &dictionary.length {
        Some((_, Kind::Number(length))) => usize::try_from(*length).ok(),
        _ => None,
    };
    let is_end = |at: usize| {
        let behind = rest.get(at..).unwrap_or_default();
        let spaces = behind.iter().take(2).take_while(|byte| is_space(**byte));
        behind[spaces.count()..].starts_with(b"endstream")
    };
    let length = stated.filter(|&length| is_end(length)).or_else(|| {
        let end = rest.windows(9).position(|word| word == b"endstream")?;
        let line = rest[..end].strip_suffix(b"\n").unwrap_or(&rest[..end]);
        Some(line.strip_suffix(b"\r").unwrap_or(line).len())
    });
    let end = data + length.unwrap_or(rest.len());
    match &dictionary.length {
        Some((place, Kind::Number(_))) => file.measures(place.clone(), DECIMAL, data..end),
        Some((_, Kind::Reference(number))) => known.lengths.push((*number, data..end, owner)),
        _ => {}
    }
    file.at = end;
    let _ = keyword(file, b"endstream");
    file.region(start..file.at, "stream");
    file.region(data..end, "data");
    if !(dictionary.is_deflated && file.inflate(data..end, true).is_some()) {
        file.content(data..end);
    }
}

/// A table of places: sections of entries of 20 bytes.
fn table(file: &mut Builder<'_>, known: &mut Facts) -> Option<()> {
    space(file);
    while file.text.get(file.at).is_some_and(u8::is_ascii_digit) {
        let first = file.number(DECIMAL)?;
        space(file);
        let (count, place) = file.number(DECIMAL)?;
        space(file);
        let mut section = Section {
            first: first.clone(),
            count: place,
            entries: vec![],
        };
        for nth in 0..count {
            let entry = file.at..file.at + 20;
            let text = file.bytes(entry.clone())?;
            let is_sound = text[..10].iter().all(u8::is_ascii_digit) && text[10] == b' ';
            if !is_sound || !file.keeps::<[Range<usize>; 3]>() {
                return None;
            }
            let number = first.0.checked_add(nth)?;
            let (value, _) = DECIMAL.read(&text[..10])?;
            match text[17] {
                b'n' => known.offsets.push(entry.start..entry.start + 10),
                _ => known.free.push((entry.start..entry.start + 10, value)),
            }
            known.entries.entry(number).or_default().push(entry.clone());
            section.entries.push(entry.clone());
            file.at = entry.end;
        }
        known.sections.push(section);
        space(file);
    }
    Some(())
}

/// The maximum depth of nested values.
const DEEPEST: usize = 64;

/// An array or dictionary that is being read.
struct Open {
    start: usize,
    end: &'static [u8],
    /// The key of the next value, with its place.
    key: Option<(Range<usize>, Vec<u8>)>,
    /// The number of values so far, if the value is an array.
    values: usize,
    /// The place of a count, and the pages, if the value is a node of the page tree.
    count: Option<(Range<usize>, u64)>,
    found: Value,
}

/// Reads a value, and returns its kind. Nested values are on a stack.
fn value(file: &mut Builder<'_>, known: &mut Facts) -> Option<Value> {
    let mut stack: Vec<Open> = vec![];
    loop {
        space(file);
        let start = file.at;
        let open = match file.bytes(start..start + 1)?[0] {
            b'<' if file.text.get(start + 1) == Some(&b'<') => Some(&b">>"[..]),
            b'[' => Some(&b"]"[..]),
            _ => None,
        };
        if let Some(end) = open {
            if stack.len() == DEEPEST {
                return None;
            }
            file.at += end.len();
            stack.push(Open {
                start,
                end,
                key: None,
                values: 0,
                count: None,
                found: Value::of(Kind::Other),
            });
            continue;
        }
        let rest = &file.text[start..];
        let done = stack.pop_if(|open| rest.starts_with(open.end));
        let (start, found) = match done {
            Some(open) => close(file, open, known),
            None => (start, Value::of(simple(file, known)?)),
        };
        let Some(around) = stack.last_mut() else {
            return Some(found);
        };
        let place = start..file.at;
        if around.end == b"]" {
            file.region(place.clone(), "element");
            around.values += 1;
            around.found.is_deflated |=
                around.values == 1 && found.kind == Kind::Name(b"FlateDecode".to_vec());
            if let Kind::Reference(number) = found.kind {
                around.found.elements.push((place, number));
            }
            continue;
        }
        match (around.key.take(), found.kind) {
            (None, Kind::Name(name)) => around.key = Some((place, name)),
            // A key that is not a name ends the valid part of the dictionary.
            (None, _) => return None,
            (Some((key, name)), kind) => {
                file.region(key.start..place.end, "pair");
                let found = Value { kind, ..found };
                around.pair(&name, place, found, known);
            }
        }
    }
}

/// Reads a value that has no others in it.
fn simple(file: &mut Builder<'_>, known: &mut Facts) -> Option<Kind> {
    let start = file.at;
    Some(match file.bytes(start..start + 1)?[0] {
        b'(' | b'<' => {
            string(file, known)?;
            Kind::Other
        }
        b'/' => {
            file.at = word(file, start + 1);
            Kind::Name(file.text[start + 1..file.at].to_vec())
        }
        _ => scalar(file, known)?,
    })
}

/// Passes the end of an array or a dictionary, and returns where it began and what it is.
fn close(file: &mut Builder<'_>, open: Open, known: &mut Facts) -> (usize, Value) {
    file.at += open.end.len();
    if let Some((place, count)) = open.count
        && count == open.found.elements.len() as u64
    {
        let kids = open.found.elements.iter();
        let places = kids.map(|(place, _)| place.clone()).collect();
        known.counts.push((place, places));
        known.kids.extend(open.found.elements.iter().cloned());
    }
    (open.start, open.found)
}

impl Open {
    /// Notes a pair of a dictionary.
    fn pair(&mut self, name: &[u8], place: Range<usize>, value: Value, known: &mut Facts) {
        match (name, &value.kind) {
            (b"Length", Kind::Number(_) | Kind::Reference(_)) => {
                self.found.length = Some((place, value.kind));
            }
            (b"Filter", Kind::Name(filter)) => {
                self.found.is_deflated = filter == b"FlateDecode";
            }
            (b"Count", &Kind::Number(count)) => self.count = Some((place, count)),
            (b"Kids", Kind::Other) => self.found.elements = value.elements,
            (b"Filter", _) => self.found.is_deflated = value.is_deflated,
            (b"Type", Kind::Name(name)) => {
                known.packed |= name == b"ObjStm" || name == b"XRef";
            }
            (b"Size", Kind::Number(_)) => known.sizes.push(place),
            (b"Prev" | b"XRefStm", Kind::Number(_)) => known.offsets.push(place),
            _ => {}
        }
    }
}

/// Reads a text in parentheses, which nest, or in hexadecimal digits.
fn string(file: &mut Builder<'_>, known: &mut Facts) -> Option<()> {
    let start = file.at;
    let rest = file.bytes(start..file.text.len())?;
    let mut depth = 0usize;
    let mut escaped = false;
    for (nth, &byte) in rest.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'(' => depth += 1,
            b')' if depth > 1 => depth -= 1,
            b')' | b'>' if depth == usize::from(byte == b')') => {
                file.at = start + nth + 1;
                file.region(start + 1..start + nth, "text");
                return Some(());
            }
            _ => {}
        }
    }
    known.reached = file.text.len();
    None
}

/// Reads a number, a reference, or a word.
fn scalar(file: &mut Builder<'_>, known: &mut Facts) -> Option<Kind> {
    let start = file.at;
    let end = word(file, start);
    if start == end {
        return None;
    }
    file.at = end;
    let text = file.bytes(start..end)?;
    if !text.iter().all(u8::is_ascii_digit) {
        return Some(Kind::Other);
    }
    let (number, _) = DECIMAL.read(text)?;
    // A second number and an `R` make it a reference.
    let rest = file.bytes(end..(end + 16).min(file.text.len()))?;
    let mut words = rest.split(|&byte| is_space(byte));
    let second = words.by_ref().nth(1).unwrap_or_default();
    let is_reference = !second.is_empty()
        && second.iter().all(u8::is_ascii_digit)
        && words.next().is_some_and(|word| {
            word.first() == Some(&b'R') && word.get(1).is_none_or(|&byte| is_delimiter(byte))
        });
    if !is_reference {
        return Some(Kind::Number(number));
    }
    file.at = end + 1 + second.len() + 2;
    if file.keeps::<(Range<usize>, u64)>() {
        known.references.push((start..end, number));
    }
    Some(Kind::Reference(number))
}

/// Adds all fields that depend on other places.
fn fields(file: &mut Builder<'_>, known: Facts) {
    for (number, data, owner) in known.lengths {
        if let Some(place) = known.numbers.get(&number) {
            file.measures(place.clone(), DECIMAL, data);
            // Groups may be long, so the limit on the structure ends this loop.
            if file.bytes(0..0).is_none() {
                return;
            }
            let both = [number, owner].into_iter();
            let both = both.filter_map(|number| known.objects.get(&number));
            file.group(both.flatten().cloned());
        }
    }
    for place in known.offsets {
        if let Some(to) = file.peek(place.start, DECIMAL) {
            let to = usize::try_from(to).unwrap_or(usize::MAX);
            file.points(place, DECIMAL, to, 0);
        }
    }
    for (place, kids) in known.counts {
        let list = file.list();
        for kid in kids {
            file.item(list, kid);
        }
        file.counts(place, DECIMAL, list);
    }
    let all = known.objects.keys().chain(known.entries.keys());
    let most = all.copied().max().unwrap_or(0);
    let defined = known.objects.len() + known.entries.len();
    if known.packed || most > 8 * defined as u64 + 64 {
        return;
    }
    let list = file.list();
    for number in 0..=most {
        let objects = known.objects.get(&number).map_or(&[][..], Vec::as_slice);
        let entries = known.entries.get(&number).map_or(&[][..], Vec::as_slice);
        let item = objects.first().or(entries.first());
        // Numbers without an object are kept.
        let item = item.filter(|_| number > 0).cloned().unwrap_or(0..0);
        file.item(list, item);
        if number > 0 {
            for entry in entries {
                file.region(entry.clone(), "entry");
            }
            file.group(objects.iter().chain(entries).cloned());
        }
    }
    for (place, number) in known.kids {
        if let Some(objects) = known
            .objects
            .get(&number)
            .filter(|_| file.bytes(0..0).is_some())
        {
            file.group(objects.iter().cloned().chain([place]));
        }
    }
    for (place, number) in known.references {
        file.refers_or(place, DECIMAL, list, number, 0);
    }
    for (place, next) in known.free {
        file.refers_or(place, DECIMAL, list, next, 0);
    }
    for place in known.sizes {
        file.counts(place, DECIMAL, list);
    }
    for section in known.sections {
        let (first, place) = section.first;
        file.refers(place, DECIMAL, list, first);
        let entries = file.list();
        for entry in section.entries {
            file.item(entries, entry);
        }
        file.counts(section.count, DECIMAL, entries);
    }
}
