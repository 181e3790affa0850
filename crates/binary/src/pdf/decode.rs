use super::scan::{Object, Pair, Scan, get, number_of, numbers, pairs};
use super::{CLOSE, OPEN, STREAM};
use crate::Number;
use crate::deflate::inflate;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of tables, each of which names the one before.
const TABLES: usize = 64;

/// The maximum number of bytes before the first object.
const HEAD: usize = 1_024;

/// The place of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    None,
    At(usize),
    /// The object at a position in a stream, by the number of that.
    In(u64, u64),
}

/// A document that is being read.
struct Document<'a> {
    text: &'a [u8],
    places: BTreeMap<u64, Place>,
    /// The objects that are tables.
    tables: BTreeSet<u64>,
    /// The pairs of the newest trailer.
    trailer: Option<Vec<Pair<'a>>>,
    /// The bytes that may still be decoded and written.
    left: usize,
}

/// Returns a document whose table is a stream, or whose objects are in streams, in the notation of
/// the [module](super), in at most so many bytes, or `None` for others, and for damaged and
/// encrypted ones.
pub(crate) fn decode(text: &[u8], most: usize) -> Option<Vec<u8>> {
    let tail = text.len().saturating_sub(HEAD);
    let word = b"startxref";
    let last = text[tail..]
        .windows(word.len())
        .rposition(|at| at == word)?;
    let mut scan = Scan::new(text, tail + last + word.len());
    let mut document = Document {
        text,
        places: BTreeMap::new(),
        tables: BTreeSet::new(),
        trailer: None,
        left: most,
    };
    let mut queue = vec![usize::try_from(scan.number()?).ok()?];
    let mut seen = BTreeSet::new();
    while let Some(at) = queue.pop() {
        if !seen.insert(at) || seen.len() > TABLES {
            return None;
        }
        queue.extend(document.table(at)?);
    }
    if document.tables.is_empty() {
        return None;
    }
    document.write()
}

impl<'a> Document<'a> {
    /// Reads a table, and returns where others are, the next one last.
    fn table(&mut self, at: usize) -> Option<Vec<usize>> {
        let mut scan = Scan::new(self.text, at);
        let dictionary = match scan.keyword(b"xref") {
            Some(()) => self.lines(&mut scan)?,
            None => {
                let object = scan.object()?;
                self.stream(&object)?;
                self.tables.insert(object.number);
                pairs(self.text.get(object.value)?)?
            }
        };
        let is_place =
            |key: &[u8]| number_of(&dictionary, key).and_then(|at| usize::try_from(at).ok());
        let next = [is_place(b"Prev"), is_place(b"XRefStm")];
        if get(&dictionary, b"Encrypt").is_some() {
            return None;
        }
        self.trailer.get_or_insert(dictionary);
        Some(next.into_iter().flatten().collect())
    }

    /// The newest table counts.
    fn place(&mut self, number: u64, place: Place) -> Option<()> {
        let Entry::Vacant(entry) = self.places.entry(number) else {
            return Some(());
        };
        self.left = self.left.checked_sub(size_of::<Place>())?;
        entry.insert(place);
        Some(())
    }

    /// Reads the lines of a table and its trailer.
    fn lines(&mut self, scan: &mut Scan<'a>) -> Option<Vec<Pair<'a>>> {
        while scan.keyword(b"trailer").is_none() {
            let (first, count) = (scan.number()?, scan.number()?);
            for nth in 0..count {
                let offset = usize::try_from(scan.number()?).ok()?;
                scan.number()?;
                scan.blanks();
                let place = match scan.rest().first()? {
                    b'n' => Place::At(offset),
                    b'f' => Place::None,
                    _ => return None,
                };
                scan.at += 1;
                self.place(first.checked_add(nth)?, place)?;
            }
        }
        let trailer = scan.value()?;
        pairs(self.text.get(trailer)?)
    }

    /// Reads a table that is a stream.
    fn stream(&mut self, object: &Object) -> Option<()> {
        let dictionary = pairs(self.text.get(object.value.clone())?)?;
        if get(&dictionary, b"Type")? != b"/XRef" {
            return None;
        }
        let widths = numbers(get(&dictionary, b"W")?, 3)?;
        let is_narrow = widths.len() == 3 && widths.iter().all(|&width| width <= 8);
        let [kind, second, third] = *widths else {
            return None;
        };
        let len = (kind + second + third) as usize;
        if !is_narrow || len == 0 {
            return None;
        }
        let content = self.content(object, &dictionary)?;
        let sections = match get(&dictionary, b"Index") {
            Some(index) => numbers(index, self.left)?,
            None => vec![0, number_of(&dictionary, b"Size")?],
        };
        let mut rows = content.chunks_exact(len);
        for section in sections.chunks_exact(2) {
            for number in section[0]..section[0].checked_add(section[1])? {
                let row = rows.next()?;
                let field = |from: u64, width: u64| {
                    let bytes = row.get(from as usize..(from + width) as usize)?;
                    Some(Number::Big(width as u8).read(bytes)?.0)
                };
                let what = if kind == 0 { 1 } else { field(0, kind)? };
                let (second, third) = (field(kind, second)?, field(kind + second, third)?);
                let place = match what {
                    0 => Place::None,
                    1 => Place::At(usize::try_from(second).ok()?),
                    2 => Place::In(second, third),
                    _ => return None,
                };
                self.place(number, place)?;
            }
        }
        Some(())
    }

    /// Decodes a stream.
    fn content(&mut self, object: &Object, dictionary: &[Pair<'_>]) -> Option<Vec<u8>> {
        let data = self.text.get(object.data.clone()?)?;
        self.left = self.left.checked_sub(data.len())?;
        let content = match get(dictionary, b"Filter") {
            None => data.to_vec(),
            Some(b"/FlateDecode" | b"[/FlateDecode]" | b"[ /FlateDecode ]") => {
                inflate(data, true, self.left)?.0
            }
            Some(_) => return None,
        };
        self.left = self.left.checked_sub(content.len())?;
        match get(dictionary, b"DecodeParms") {
            None => Some(content),
            Some(how) => predicted(&content, &pairs(how)?),
        }
    }

    /// Writes all objects.
    fn write(mut self) -> Option<Vec<u8>> {
        let mut within = BTreeMap::<u64, BTreeMap<u64, u64>>::new();
        let mut outside = BTreeMap::new();
        for (&number, &place) in &self.places {
            match place {
                Place::At(at) => {
                    outside.insert(at, number);
                }
                Place::In(stream, nth) => {
                    within.entry(stream).or_default().insert(nth, number);
                }
                Place::None => {}
            }
        }
        let head = *outside.keys().next()?;
        let mut out = self
            .text
            .get(..head)
            .filter(|head| head.len() <= HEAD)?
            .to_vec();
        for (at, number) in outside {
            // The table may belong to an older version of the file.
            if self.tables.contains(&number) {
                continue;
            }
            let object = Scan::new(self.text, at).object()?;
            if object.number != number {
                return None;
            }
            match within.remove(&number) {
                Some(numbers) => self.objects(&object, &numbers, &mut out)?,
                None => self.add(&[&self.text[object.place], b"\n"], &mut out)?,
            }
        }
        // An object of a stream that is not listed in the table reads as null.
        self.add(&[STREAM, b"\ntrailer\n<<"], &mut out)?;
        for (key, value) in self.trailer.take()? {
            const FRAME: [&[u8]; 10] = [
                b"Type",
                b"Length",
                b"Filter",
                b"DecodeParms",
                b"W",
                b"Index",
                b"Size",
                b"Prev",
                b"XRefStm",
                b"DL",
            ];
            if !FRAME.contains(&key) {
                let space: &[u8] = if value.first().is_some_and(u8::is_ascii_alphanumeric) {
                    b" "
                } else {
                    b""
                };
                self.add(&[b"/", key, space, value], &mut out)?;
            }
        }
        self.add(&[b">>\n"], &mut out)?;
        Some(out)
    }

    /// Writes the objects of a stream, by their positions in it and their numbers.
    fn objects(
        &mut self,
        object: &Object,
        numbers: &BTreeMap<u64, u64>,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        let dictionary = pairs(self.text.get(object.value.clone())?)?;
        let content = self.content(object, &dictionary)?;
        let first = usize::try_from(number_of(&dictionary, b"First")?).ok()?;
        let count = number_of(&dictionary, b"N")?;
        let mut scan = Scan::new(content.get(..first)?, 0);
        let mut places = vec![];
        for _ in 0..count {
            let number = scan.number()?;
            let start = first.checked_add(usize::try_from(scan.number()?).ok()?)?;
            places.push((number, start));
        }
        self.add(&[OPEN, b"\n"], out)?;
        for (&nth, &number) in numbers {
            let nth = usize::try_from(nth).ok()?;
            let &(own, start) = places.get(nth)?;
            let end = places.get(nth + 1).map_or(content.len(), |next| next.1);
            let value = content.get(start..end)?.trim_ascii();
            if own != number || value.is_empty() {
                return None;
            }
            let name = format!("{number} 0 obj\n");
            self.add(&[name.as_bytes(), value, b"\nendobj\n"], out)?;
        }
        self.add(&[CLOSE, b"\n"], out)
    }

    fn add(&mut self, parts: &[&[u8]], out: &mut Vec<u8>) -> Option<()> {
        for part in parts {
            self.left = self.left.checked_sub(part.len())?;
            out.extend_from_slice(part);
        }
        Some(())
    }
}

/// Undoes the PNG filters, one of which is before each row.
fn predicted(content: &[u8], how: &[Pair<'_>]) -> Option<Vec<u8>> {
    match number_of(how, b"Predictor").unwrap_or(1) {
        1 => return Some(content.to_vec()),
        10..=15 => {}
        _ => return None,
    }
    // Only one-byte samples are supported, as tables have. They are the defaults of the other
    // parameters.
    let len = usize::try_from(number_of(how, b"Columns").unwrap_or(1)).ok()?;
    let rows = content.chunks_exact(len.checked_add(1)?);
    let mut out: Vec<u8> = Vec::with_capacity(content.len());
    for row in rows {
        let start = out.len();
        for (nth, &byte) in row[1..].iter().enumerate() {
            let above = start.checked_sub(len).map_or(0, |above| out[above + nth]);
            let left = if nth == 0 { 0 } else { out[start + nth - 1] };
            let add = match row[0] {
                0 => 0,
                1 => left,
                2 => above,
                _ => return None,
            };
            out.push(byte.wrapping_add(add));
        }
    }
    Some(out)
}
