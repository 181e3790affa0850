use super::on_view::{on_packed, on_view};
use nubbin_binary::{Number, View};
use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{
    Chain, Context, Forest, Nested, Pass, PassInfo, Proposals, Spans, Work, all_or_some,
};

/// Deletes regions of a file whose binary format is known, and updates the fields that depend on
/// them.
///
/// A region is a section, chunk, entry, record, or instruction of the format, or its data. All
/// lengths, counts, offsets, indices, and checksums around it are updated, and regions that only
/// make sense together, such as an entry and its place in a directory, are deleted together.
/// Compressed content also has regions, and is compressed again. The candidate is therefore as
/// well-formed as the file, while a plain deletion would break the frame.
///
/// Regions are visited from the outside in, heaviest first. A region without inner regions is
/// divided into parts, which are divided again. Then numbers that are longer than they must be are
/// written in short form, which linkers never do. Where no format is known, the structure is
/// guessed, and the pass ends after 32 tests if none of them fails. See `nubbin_binary` for the
/// formats.
///
/// Cost: the tests of the list minimizer over all regions whose surroundings are kept.
///
/// Source: nubbin. Tree reducers (Misherghi, Su: HDD, ICSE 2006) do the same for texts.
///
/// ```
/// use nubbin_reduce::pass::{Regions, preview};
///
/// let wav = b"RIFF\x16\0\0\0WAVEabcd\x01\0\0\0x\0data\0\0\0\0";
/// let candidates = preview(&Regions, wav, 3);
/// assert!(candidates.contains(&"RIFF\x0c\0\0\0WAVEdata\0\0\0\0".into()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Regions;

impl Pass for Regions {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "regions",
            "deletes regions of a binary file or of encoded text, and updates what depends on them",
            "nubbin",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        on_view(
            file,
            context,
            nubbin_binary::guess,
            |file, view, is_guess| regions(file, context, view, is_guess),
        )
    }
}

/// Returns the work on the regions of a file, except regions in texts that are packed in it.
pub fn regions_beside_texts(file: &File<'_>, context: &Context<'_>) -> Option<Work> {
    on_packed(file, context, |file, view| {
        regions(file, context, view, false)
    })
}

fn regions(file: &File<'_>, context: &Context<'_>, view: &View, is_guess: bool) -> Option<Work> {
    let place = |span: &nubbin_binary::Span| {
        Span::at(file.span.start, span.start as usize..span.end as usize)
    };
    let whole = view.regions.iter().map(|(span, _)| span.clone());
    let forest = |spans: &mut dyn Iterator<Item = nubbin_binary::Span>| {
        let nested = Nested::of(spans.map(|span| place(&span)));
        Forest::new(Spans::new(nested.spans), &nested.parents).walk()
    };
    // Parts of a large region would come before smaller regions, which show sooner whether a guess
    // is right.
    let guessed = is_guess.then(|| forest(&mut whole.clone()));
    let regions = guessed
        .into_iter()
        .flatten()
        .chain(forest(&mut whole.chain(parts(view))));
    // The length of other numbers is fixed by the format.
    let has_short_form = |number: &Number| {
        matches!(
            number,
            Number::Leb | Number::Marked | Number::Der | Number::Cbor
        )
    };
    let fields = view
        .fields
        .iter()
        .filter(|(_, number)| has_short_form(number));
    let shorter = fields.filter_map(|(span, number)| {
        let old = view.text.get(span.start as usize..span.end as usize)?;
        let new = number.write(number.read(old)?.0, &old[..1.min(old.len())])?;
        (new.len() < old.len()).then(|| Edit::replace(place(span), &new))
    });
    let shorter = all_or_some(Proposals::new(shorter.collect::<Vec<_>>()));
    Chain::work(regions.chain([shorter]), context.lists)
}

/// The number of parts of a region that has no regions in it, and of each part.
const PARTS: u32 = 16;

/// The length from which such a region has parts.
const LONG: u32 = 32;

/// The maximum number of parts of all regions.
const MOST_PARTS: usize = 1 << 17;

/// Divides the regions that have neither regions nor fields in them, down to single bytes. Text has
/// no such parts.
fn parts(view: &View) -> Vec<nubbin_binary::Span> {
    let mut parts = vec![];
    let has_text = |span: &nubbin_binary::Span| {
        let mut texts = view.files.iter().filter(|packed| packed.is_text);
        texts.any(|packed| packed.span.start < span.end && span.start < packed.span.end)
    };
    for (nth, (span, _)) in view.regions.iter().enumerate() {
        let next = view.regions.get(nth + 1);
        let is_leaf = next.is_none_or(|(next, _)| next.start >= span.end);
        let after = view
            .fields
            .partition_point(|(field, _)| field.end <= span.start);
        let has_field = view
            .fields
            .get(after)
            .is_some_and(|(field, _)| field.start < span.end);
        let len = span.end - span.start;
        if !is_leaf || has_field || len < LONG || has_text(span) {
            continue;
        }
        // The sizes of the parts are powers, so that parts of all sizes nest.
        for level in (0..=(len - 1).ilog(PARTS)).rev() {
            let size = PARTS.pow(level);
            if parts.len() + (len / size) as usize >= MOST_PARTS {
                break;
            }
            let starts = (span.start..span.end).step_by(size as usize);
            parts.extend(starts.map(|start| start..(start + size).min(span.end)));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_binary::{Codec, Sum};
    use nubbin_engine::testing::{proposals, reduce_with};

    fn chunk(tag: &[u8], data: &[u8]) -> Vec<u8> {
        let padding = &[0][..data.len() % 2];
        [tag, &(data.len() as u32).to_le_bytes(), data, padding].concat()
    }

    #[test]
    fn records_of_an_unknown_format_go_with_their_count_and_the_length_around_them() {
        let file = |names: &[&[u8]]| {
            let body: Vec<u8> = names
                .iter()
                .flat_map(|name| [b"REC\0", &(name.len() as u32).to_le_bytes()[..], name].concat())
                .collect();
            let count = (names.len() as u16).to_le_bytes();
            let len = (count.len() + body.len()) as u32;
            [&b"\xff\xfeMAG"[..], &len.to_le_bytes(), &count, &body].concat()
        };
        let names = |text: &[u8]| {
            let body = text.strip_prefix(b"\xff\xfeMAG")?;
            let len = u32::from_le_bytes(body.get(..4)?.try_into().ok()?) as usize;
            let count = u16::from_le_bytes(body.get(4..6)?.try_into().ok()?);
            let (mut rest, mut found) = (body.get(6..)?, vec![]);
            for _ in 0..count {
                let tail = rest.strip_prefix(b"REC\0")?;
                let size = u32::from_le_bytes(tail.get(..4)?.try_into().ok()?) as usize;
                found.push(tail.get(4..4 + size)?.to_vec());
                rest = &tail[4 + size..];
            }
            (rest.is_empty() && body.len() == 4 + len).then_some(found)
        };
        let all: Vec<Vec<u8>> = (1..40u8)
            .map(|nth| vec![nth; 3 + usize::from(nth) % 7])
            .collect();
        let all: Vec<&[u8]> = all.iter().map(|name| &name[..]).collect();
        let fails = |text: &[u8]| {
            names(text).is_some_and(|names| names.iter().any(|name| name.contains(&17)))
        };
        // Short data has no parts: `bytes` deletes single bytes of it.
        assert_eq!(reduce_with(&Regions, &file(&all), fails), file(&[&[17; 6]]));
    }

    /// Returns the tags and data of all chunks of a sound file.
    fn chunks(mut text: &[u8]) -> Option<Vec<(&[u8], &[u8])>> {
        let mut found = vec![];
        while !text.is_empty() {
            let len = u32::from_le_bytes(text.get(4..8)?.try_into().ok()?) as usize;
            found.push((text.get(..4)?, text.get(8..8 + len)?));
            text = text.get(8 + len.next_multiple_of(2)..)?;
        }
        Some(found)
    }

    #[test]
    fn several_removals_change_the_same_length() {
        let list = [
            b"INFO".to_vec(),
            chunk(b"INAM", b"abc"),
            chunk(b"ICMT", b"a remark"),
        ]
        .concat();
        let parts = [
            b"WAVE".to_vec(),
            chunk(b"fmt ", &[1; 16]),
            chunk(b"data", &[7; 300]),
            chunk(b"LIST", &list),
            chunk(b"cue ", &[0; 5]),
            chunk(b"fact", &[2; 4]),
        ];
        let text = chunk(b"RIFF", &parts.concat());
        let needs = |text: &[u8]| {
            let all = chunks(text).filter(|all| all.len() == 1)?;
            let within = chunks(all[0].1.strip_prefix(b"WAVE")?)?;
            let list = within.iter().find(|(tag, _)| tag == b"LIST")?.1;
            let names = chunks(list.strip_prefix(b"INFO")?)?;
            let is_sound = within.iter().any(|(tag, _)| tag == b"fmt ");
            (is_sound && names.contains(&(b"INAM", b"abc"))).then_some(())
        };
        let left = reduce_with(&Regions, &text, |text| needs(text).is_some());
        let list = [b"INFO".to_vec(), chunk(b"INAM", b"abc")].concat();
        let parts = [b"WAVE".to_vec(), chunk(b"fmt ", b""), chunk(b"LIST", &list)].concat();
        assert_eq!(left, chunk(b"RIFF", &parts));
    }

    #[test]
    fn compressed_content_is_reduced_and_compressed_again() {
        let lines: String = (0..200)
            .map(|nth| format!("line {nth} {}\n", nth * nth))
            .collect();
        let packed = |text: &[u8]| {
            let mut all = b"\x1f\x8b\x08\0\0\0\0\0\0\x03".to_vec();
            all.extend(Codec::Deflate.encode(text));
            all.extend_from_slice(&(Sum::Crc32.of(text) as u32).to_le_bytes());
            all.extend_from_slice(&(text.len() as u32).to_le_bytes());
            all
        };
        // Every candidate is compressed in the same way, so only the content decides.
        let wanted = packed(b"line 17 289\nline 120 14400\n");
        let left = reduce_with(&Regions, &packed(lines.as_bytes()), |text| {
            let layout = nubbin_binary::read(text);
            layout.is_some_and(|layout| {
                let inner = layout.inner.first().map(|inner| inner.layout.text.to_vec());
                let inner = inner.and_then(|inner| String::from_utf8(inner).ok());
                inner.is_some_and(|inner| {
                    inner.contains("line 17 289\n")
                        && inner.contains("line 120 ")
                        && packed(inner.as_bytes()) == text
                })
            })
        });
        assert_eq!(left, wanted);
    }

    #[test]
    fn content_encoded_in_a_text_is_reduced_and_encoded_again() {
        let hex = |text: &str| {
            text.bytes()
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
        };
        let lines: String = (0..60).map(|nth| format!("line {nth}\n")).collect();
        let json = |lines: &str| format!("{{\"a\": 1, \"data\": \"{}\"}}\n", hex(lines));
        let wanted = hex("line 17\n");
        let left = reduce_with(&Regions, json(&lines).as_bytes(), |text| {
            let text = String::from_utf8_lossy(text);
            text.starts_with("{\"a\": 1, \"data\": \"") && text.contains(&wanted)
        });
        // A text of less than 16 bytes could be an ordinary word.
        let left = String::from_utf8(left).unwrap();
        assert_eq!(left, json("line 17\n"));
        assert!(proposals(&Regions, b"{\"a\": 1, \"data\": \"some words\"}").is_empty());
    }

    #[test]
    fn an_unknown_format_is_left_alone() {
        assert!(proposals(&Regions, b"some text").is_empty());
    }
}
