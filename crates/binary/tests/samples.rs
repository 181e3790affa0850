//! All formats, on files that their own tools have made (`tests/samples/make`).

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_binary::{
    Bounds, Codec, Cut, Field, Layout, Letters, Lines, Means, Sum, formats, guess, read,
    read_encoded, read_within,
};
use std::collections::BTreeSet;
use std::path::Path;

fn samples() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let mut samples: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_name() != "make")
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect();
    samples.sort();
    samples
}

fn sample(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    std::fs::read(folder.join(name)).unwrap()
}

/// Calls `each` with the layout of all parts.
fn every(layout: &Layout, each: &mut dyn FnMut(&Layout)) {
    each(layout);
    for inner in &layout.inner {
        every(&inner.layout, each);
    }
}

fn sums(layout: &Layout) -> usize {
    let mut count = 0;
    every(layout, &mut |layout| {
        let is_sum = |field: &&Field| matches!(field.means, Means::Sum { .. });
        count += layout.fields.iter().filter(is_sum).count();
    });
    count
}

#[test]
fn every_format_has_a_sample_that_is_read() {
    let mut seen = BTreeSet::new();
    for (name, text) in samples() {
        let layout = read(&text).unwrap_or_else(|| panic!("{name} is unknown"));
        assert!(!layout.is_opaque(), "{name}");
        seen.insert(layout.format);
    }
    assert_eq!(seen, formats().collect());
}

#[test]
fn regions_nest_and_fields_are_disjoint() {
    for (name, text) in samples() {
        every(&read(&text).unwrap(), &mut |layout| {
            let len = layout.text.len() as u32;
            let whole = 0..len;
            let mut around = vec![whole];
            for region in &layout.regions {
                while around.last().unwrap().end <= region.span.start {
                    around.pop();
                }
                let outer = around.last().unwrap();
                assert!(
                    region.span.end <= outer.end,
                    "{name}: {region:?} in {outer:?}"
                );
                around.push(region.span.clone());
            }
            for pair in layout.fields.windows(2) {
                assert!(pair[0].span.end <= pair[1].span.start, "{name}: {pair:?}");
            }
            for pair in layout.inner.windows(2) {
                assert!(pair[0].span.end <= pair[1].span.start, "{name}");
            }
        });
    }
}

/// Files of known formats are as good as those of unknown ones here, also damaged ones.
#[test]
fn guesses_are_well_formed_and_bounded() {
    let mut guessed = 0;
    for (name, text) in samples() {
        for round in 0..4 {
            let mut damaged = text.clone();
            let at = round * text.len() / 4;
            if round > 0 {
                damaged.drain(at..(at + round).min(text.len()));
            }
            let Some(layout) = guess(&damaged) else {
                continue;
            };
            guessed += 1;
            assert_eq!(layout.rewrite(&[]), [], "{name}");
            for pair in layout.fields.windows(2) {
                assert!(pair[0].span.end <= pair[1].span.start, "{name}: {pair:?}");
            }
            let size = size_of_val(&layout.regions[..]) + size_of_val(&layout.fields[..]);
            assert!(size <= Bounds::of(damaged.len()).structure, "{name}");
            for region in layout.regions.iter().step_by(1 + layout.regions.len() / 20) {
                let cuts = layout.rewrite(&[Cut::remove(region.span.clone())]);
                for pair in cuts.windows(2) {
                    assert!(pair[0].span.end <= pair[1].span.start, "{name}: {region:?}");
                }
                assert!(
                    Cut::render(&cuts, &damaged).len() <= damaged.len(),
                    "{name}: {region:?}"
                );
            }
        }
    }
    assert!(guessed > 50, "{guessed}");
}

#[test]
fn no_change_changes_nothing() {
    for (name, text) in samples() {
        let layout = read(&text).unwrap();
        assert_eq!(layout.rewrite(&[]), [], "{name}");
    }
}

/// A file without one of its regions is a file of the format, of which as much is understood: what
/// is left of the regions is found again, and all sums that are left are right.
#[test]
fn a_file_without_a_region_is_a_file_of_the_format() {
    let mut removed = 0;
    for (name, text) in samples() {
        let layout = read(&text).unwrap();
        for (span, kind) in layout.view().regions {
            let cuts = layout.rewrite(&[Cut::remove(span.clone())]);
            let less = Cut::render(&cuts, &text);
            let context = || format!("{name} without {kind} {span:?}");
            for pair in cuts.windows(2) {
                assert!(pair[0].span.end <= pair[1].span.start, "{}", context());
            }
            let Some(again) = read(&less) else {
                // The part that shows the format may be removed.
                continue;
            };
            if again.format != layout.format {
                continue;
            }
            removed += 1;
            // A wrong checksum is not a field.
            let lost = sums(&layout) - sums(&again).min(sums(&layout));
            let within = regions_with_sums(&layout, &span);
            assert!(lost <= within, "{}: {lost} sums are lost", context());
        }
    }
    assert!(removed > 700, "{removed}");
}

/// The number of sums in the removed span and in what stands and falls with it, at most.
fn regions_with_sums(layout: &Layout, span: &nubbin_binary::Span) -> usize {
    let mut has_groups = false;
    every(layout, &mut |layout| {
        has_groups |= !layout.groups.is_empty()
    });
    if !has_groups {
        let fields = layout.view().fields;
        return fields
            .iter()
            .filter(|(field, _)| span.start <= field.start && field.end <= span.end)
            .count();
    }
    usize::MAX
}

/// Returns a text with up to five damages.
fn damaged(text: &[u8], random: &mut impl FnMut(usize) -> usize) -> Vec<u8> {
    let mut damaged = text.to_vec();
    for _ in 0..=random(4) {
        let at = random(damaged.len());
        match random(6) {
            0 => damaged.truncate(at),
            1 => drop(
                damaged.drain(at..(at + random(40)).min(text.len()).min(damaged.len()).max(at)),
            ),
            2 => damaged.insert(at.min(damaged.len()), random(256) as u8),
            3 => {
                if let Some(byte) = damaged.get_mut(at) {
                    *byte = [0, 1, 0x7f, 0x80, 0xff][random(5)];
                }
            }
            4 => {
                for byte in damaged.iter_mut().skip(at).take(4) {
                    *byte = 0xff;
                }
            }
            _ => {
                if let Some(byte) = damaged.get_mut(at) {
                    *byte ^= 1 << random(8);
                }
            }
        }
    }
    damaged
}

#[test]
fn damaged_files_cause_no_error_and_bounded_work() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let lines: String = (0..40).map(|nth| format!("line {nth}\n")).collect();
    let lines = [lines.as_bytes(), lines.to_uppercase().as_bytes()].map(|text| {
        let base64 = Letters::Base64 {
            url: false,
            padded: true,
        };
        let end = "\n";
        let lines = Lines {
            width: 64,
            end,
            indent: 0,
        };
        Codec::Letters(base64, lines).encode(text)
    });
    let [first, _] = &lines;
    let uneven = [&first[..300], &first[330..]].concat();
    let encoded = [&lines[..], &[uneven]].concat().join(&b"\n-----\n"[..]);
    for (name, text) in samples().into_iter().chain([("encoded".into(), encoded)]) {
        for round in 0..10_000 {
            let damaged = damaged(&text, &mut random);
            let Some(layout) = read(&damaged).or_else(|| read_encoded(&damaged)) else {
                continue;
            };
            let bounds = Bounds::of(damaged.len());
            let mut size = 0;
            every(&layout, &mut |layout| {
                size += size_of_val(&layout.regions[..]) + size_of_val(&layout.fields[..]);
            });
            assert!(
                size <= bounds.structure,
                "{name}, round {round}: {size} bytes"
            );
            // Some changes of each, so that what was read is also used.
            if round % 20 == 0 {
                let len = layout.view_len();
                for _ in 0..4 {
                    let start = random(len as usize + 1) as u32;
                    let end = (start + random(60) as u32).min(len);
                    let cuts = layout.rewrite(&[Cut::remove(start..end)]);
                    let changed = Cut::render(&cuts, &damaged).len();
                    assert!(
                        changed <= 10 * damaged.len() + 4096,
                        "{name}, round {round}: {changed} bytes"
                    );
                }
            }
        }
    }
}

#[test]
fn bombs_are_bounded() {
    // Archives in archives, deeper than the bound, and a stream of a million zeros.
    let mut text = miniz_oxide::deflate::compress_to_vec_zlib(&vec![0; 10 << 20], 9);
    let layout = read(&text);
    assert!(layout.is_none_or(|layout| layout.view_len() < 2 << 20));
    for _ in 0..20 {
        text = miniz_oxide::deflate::compress_to_vec_zlib(&text, 1);
    }
    let layout = read(&text).unwrap();
    let mut depth = 0;
    let mut at = &layout;
    while let Some(inner) = at.inner.first() {
        depth += 1;
        at = &inner.layout;
    }
    assert_eq!(depth, Bounds::of(0).depth);
    let none = Bounds {
        depth: 0,
        decoded: 0,
        structure: 0,
        work: 0,
        looks: 0,
    };
    assert!(read_within(&text, none).is_none());
}

#[test]
fn a_section_without_content_at_the_end_is_read() {
    let module = b"\0asm\x01\0\0\0\0\x02\x01x\0\x05\x04name";
    assert!(nubbin_binary::read(module).is_some());
}

#[test]
fn a_false_number_of_targets_ends_the_code() {
    // The body ends behind the number of targets of a `br_table`.
    let body = b"\x07\0\x0e\xff\xff\xff\xff\x0f".repeat(200_000);
    let count = body.len() as u32 / 8;
    let leb = |mut value: u32| {
        let mut bytes = vec![];
        while value > 0x7f {
            bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
        bytes
    };
    let code = [leb(count), body].concat();
    let module = [
        b"\0asm\x01\0\0\0\x0a".to_vec(),
        leb(code.len() as u32),
        code,
    ]
    .concat();
    assert!(nubbin_binary::read(&module).is_some());
}

#[test]
fn padding_beside_an_insertion_is_no_error() {
    let file = b"RIFF\x18\0\0\0WAVELIST\x0c\0\0\0INFOINAM\0\0\0\0";
    let layout = nubbin_binary::read(file).unwrap();
    for at in 0..file.len() as u32 {
        layout.rewrite(&[nubbin_binary::Cut::remove(at..at + 1)]);
    }
}

/// A gray image of four columns, its data in so many chunks.
fn png(rows: &[[u8; 4]], parts: usize) -> Vec<u8> {
    let chunk = |tag: &[u8], data: &[u8]| {
        let summed = [tag, data].concat();
        let sum = Sum::Crc32.of(&summed) as u32;
        let len = data.len() as u32;
        [&len.to_be_bytes(), &summed[..], &sum.to_be_bytes()].concat()
    };
    let height = rows.len() as u32;
    let header = [&[0, 0, 0, 4], &height.to_be_bytes()[..], &[8, 0, 0, 0, 0]].concat();
    let content: Vec<u8> = rows
        .iter()
        .flat_map(|row| [&[0], &row[..]].concat())
        .collect();
    let data = Codec::Zlib.encode(&content);
    let images = data
        .chunks(data.len().div_ceil(parts))
        .map(|part| chunk(b"IDAT", part));
    let images: Vec<u8> = images.flatten().collect();
    [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &header),
        images,
        chunk(b"tEXt", b"a\0b"),
        chunk(b"IEND", b""),
    ]
    .concat()
}

#[test]
fn an_image_in_several_chunks_loses_a_row_and_has_one_chunk() {
    let rows = [
        [1, 9, 4, 7],
        [2, 8, 3, 6],
        [250, 100, 0, 5],
        [77, 13, 21, 2],
    ];
    for parts in 1..6 {
        let text = png(&rows, parts);
        let layout = read(&text).unwrap();
        let view = layout.view();
        let all: Vec<_> = view
            .regions
            .iter()
            .filter(|(_, kind)| *kind == "row")
            .collect();
        assert_eq!(all.len(), 4, "{parts}");
        let less = Cut::render(&layout.rewrite(&[Cut::remove(all[1].0.clone())]), &text);
        assert_eq!(less, png(&[rows[0], rows[2], rows[3]], 1), "{parts}");
        // The chunk is removed with its rest, and nothing else is.
        let image = view
            .regions
            .iter()
            .filter(|(_, kind)| *kind == "chunk")
            .nth(1)
            .unwrap();
        let less = Cut::render(&layout.rewrite(&[Cut::remove(image.0.clone())]), &text);
        assert_eq!(less.len(), 8 + 25 + 15 + 12, "{parts}");
        let note = view
            .regions
            .iter()
            .filter(|(_, kind)| *kind == "chunk")
            .nth(2)
            .unwrap();
        let less = Cut::render(&layout.rewrite(&[Cut::remove(note.0.clone())]), &text);
        assert_eq!(less.len(), text.len() - 15, "{parts}");
    }
}

/// Reads the chunks of a list, and whether all lengths are right.
fn is_sound_list(mut text: &[u8]) -> bool {
    while !text.is_empty() {
        let Some((header, rest)) = text.split_at_checked(8) else {
            return false;
        };
        let len = u32::from_le_bytes(header[4..].try_into().unwrap()) as usize;
        let Some((data, rest)) = rest.split_at_checked(len) else {
            return false;
        };
        let list = data
            .get(4..)
            .filter(|_| matches!(&header[..4], b"RIFF" | b"LIST"));
        if rest.len() < len % 2 || list.is_some_and(|list| !is_sound_list(list)) {
            return false;
        }
        text = &rest[len % 2..];
    }
    true
}

#[test]
fn lengths_and_paddings_of_nested_chunks_are_right_after_any_removals() {
    let chunk = |tag: &[u8], data: &[u8]| {
        let len = data.len() as u32;
        [tag, &len.to_le_bytes(), data, &[0][..data.len() % 2]].concat()
    };
    let list = |parts: &[Vec<u8>]| chunk(b"LIST", &[b"some".to_vec(), parts.concat()].concat());
    let inner = list(&[chunk(b"aaaa", b"abc"), chunk(b"bbbb", b"de")]);
    let last = list(&[
        inner.clone(),
        chunk(b"cccc", b"fg"),
        inner,
        list(&[chunk(b"dddd", b"hijk")]),
    ]);
    let parts = [
        b"WAVE".to_vec(),
        chunk(b"fmt ", b"x"),
        last,
        chunk(b"data", b"yz"),
    ]
    .concat();
    let text = chunk(b"RIFF", &parts);
    assert!(is_sound_list(&text));
    let layout = read(&text).unwrap();
    let data: Vec<_> = layout
        .regions
        .iter()
        .filter(|region| region.kind == "data")
        .collect();
    let chunks: Vec<_> = layout
        .regions
        .iter()
        .filter(|region| region.kind == "chunk")
        .collect();
    // The first byte of some data, and a chunk.
    for removed in 0..1u32 << data.len() {
        let few = data
            .iter()
            .enumerate()
            .filter(|(nth, _)| removed >> nth & 1 == 1);
        let few: Vec<_> = few
            .map(|(_, data)| data.span.start..data.span.start + 1)
            .collect();
        for without in (0..chunks.len()).map(Some).chain([None]) {
            let chunk = without.map(|nth| chunks[nth].span.clone());
            let few = few.iter().filter(|one| {
                chunk
                    .as_ref()
                    .is_none_or(|chunk| one.end <= chunk.start || one.start >= chunk.end)
            });
            let mut change: Vec<Cut> = few.cloned().chain(chunk.clone()).map(Cut::remove).collect();
            change.sort_by_key(|cut| cut.span.start);
            let less = Cut::render(&layout.rewrite(&change), &text);
            assert!(is_sound_list(&less), "{change:?}: {less:?}");
        }
    }
}

#[test]
fn a_table_of_colors_loses_its_upper_half() {
    let colors: Vec<u8> = (0..24).collect();
    let text = [
        b"GIF89a\x02\0\x01\0\xa2\0\0",
        &colors[..],
        b",\0\0\0\0\x02\0\x01\0\0\x02\x02D\n\0;",
    ]
    .concat();
    let layout = read(&text).unwrap();
    let half = layout
        .regions
        .iter()
        .rfind(|region| region.kind == "colors")
        .unwrap();
    assert_eq!(half.span, 13 + 12..13 + 24);
    let less = Cut::render(&layout.rewrite(&[Cut::remove(half.span.clone())]), &text);
    assert_eq!(less[10], 0xa1);
    assert_eq!(less[13..], [&text[13..25], &text[37..]].concat());
}

/// Texts that make a reader look at the rest again and again, if it does not keep account of that.
#[test]
fn parts_that_do_not_end_are_not_read_again_and_again() {
    let count = 400_000;
    let boxes: Vec<u8> = (0..count as u32)
        .flat_map(|nth| [&(8 * (count as u32 - nth)).to_be_bytes()[..], b"moov"].concat())
        .collect();
    let texts = [
        b"1 0 obj (".repeat(count),
        b"1 0 obj << /a ".repeat(count),
        b"1 0 obj << >> stream ".repeat(count),
        b"xref 0 9 0000000000 00000 n \n".repeat(count / 4),
        b"[".repeat(count),
    ];
    for text in texts {
        read(&[b"%PDF-1.4\n", &text[..]].concat());
    }
    let filled = |head: &[u8], part: &[u8], end: &[u8]| [head, &part.repeat(count), end].concat();
    // Pictures in the same place.
    let icons: Vec<u8> = (0..255)
        .flat_map(|_| {
            let numbers = [0, 0, 4 * count as u32, 16 * 255 + 6];
            numbers.map(u32::to_le_bytes).concat()
        })
        .collect();
    let bitmap = [
        &[40, 0, 0, 0, 1, 0, 0, 0][..],
        &(count as u32).to_le_bytes(),
        &[1, 0, 1, 0],
    ];
    let mut header = b"\xff\xf8\x19\x08\0".to_vec();
    header.push(Sum::Crc8.of(&header) as u8);
    // Sections in the same place, behind the header and theirs; the second one has texts.
    let sections = 20_000_u32;
    let mut library = b"\x7fELF\x02\x01".to_vec();
    library.resize(64, 0);
    library[40] = 64;
    library[58..62].copy_from_slice(&[[64, 0], (sections as u16).to_le_bytes()].concat());
    for nth in 0..sections {
        let (kind, len) = match nth {
            1 => (3, 8),
            _ => (0x6fff_fffe_u32, 8 * count as u32),
        };
        let mut header = [0; 64];
        header[4..8].copy_from_slice(&kind.to_le_bytes());
        header[24..28].copy_from_slice(&(64 * (1 + sections)).to_le_bytes());
        header[32..36].copy_from_slice(&len.to_le_bytes());
        header[40] = 1;
        library.extend(header);
    }
    library.resize(library.len() + 8 * count, 0);
    let numbers = [count as u64, 0, 8 + 4 * count as u64].map(u64::to_be_bytes);
    let trailer = [&[0, 0, 0, 0, 0, 0, 4, 4][..], &numbers.concat()].concat();
    let texts = [
        [
            b"\0\0\x01\0\xff\0",
            &icons[..],
            &bitmap.concat(),
            &[0; 24],
            &[0; 4].repeat(count),
        ]
        .concat(),
        filled(b"fLaC\x80\0\0\0", &header, b""),
        filled(b"\x1bLJ\x02\x02", b"\x03\0\0\x7f\0\0\xff\xff\x10", b""),
        filled(
            b"RITE0300\0\0\0\0MATZ0000",
            b"IREP\0\0\0\x0d\0\0\0\0\0",
            b"",
        ),
        filled(
            b"bplist00",
            b"\x5f\x12\0\x10",
            &[filled(b"", &[0, 0, 0, 8], b""), trailer].concat(),
        ),
    ];
    for text in texts {
        read(&text);
    }
    read(&library);
    read(&boxes);
    let line = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789ab\n";
    assert_eq!(read_encoded(&line.repeat(count / 8)), None);
}

/// Returns the bytes without the regions of a kind that are `nth` among these.
fn without(text: &[u8], kind: &str, nth: usize) -> Vec<u8> {
    let layout = read(text).unwrap();
    let mut of_kind = layout.regions.iter().filter(|region| region.kind == kind);
    let region = of_kind.nth(nth).unwrap_or_else(|| panic!("{layout}"));
    let cuts = layout.rewrite(&[Cut::remove(region.span.clone())]);
    Cut::render(&cuts, text)
}

/// The same for what may be in a decoded part.
fn without_in_view(text: &[u8], kind: &str, nth: usize) -> Vec<u8> {
    let layout = read(text).unwrap();
    let regions = layout.view().regions;
    let region = regions.iter().filter(|region| region.1 == kind).nth(nth);
    let cuts = layout.rewrite(&[Cut::remove(region.unwrap().0.clone())]);
    Cut::render(&cuts, text)
}

#[test]
fn removing_the_last_block_marks_the_previous_block_as_last() {
    let info = [&[0, 0, 0, 34][..], &[0; 34]].concat();
    let mut text = [&b"fLaC"[..], &info, b"\x01\0\0\x02\0\0", b"\x84\0\0\x08"].concat();
    text.extend([0; 8]);
    let mut last = [&b"fLaC"[..], &info, b"\x81\0\0\x02\0\0"].concat();
    assert_eq!(without(&text, "block", 2), last);
    let mut other = [&b"fLaC"[..], &info, b"\x84\0\0\x08"].concat();
    other.extend([0; 8]);
    assert_eq!(without(&text, "block", 1), other);
    last.truncate(4 + info.len());
    last[4] = 0x80;
    assert_eq!(without(&without(&text, "block", 1), "block", 1), last);
}

#[test]
fn the_rest_of_a_filled_span_is_filled_when_the_next_part_is_removed_too() {
    let chunk = |tag: &[u8], data: &[u8]| {
        let fill = &[0][..data.len() % 2];
        [tag, &(data.len() as u32).to_le_bytes(), data, fill].concat()
    };
    let riff = |chunks: &[Vec<u8>]| chunk(b"RIFF", &[b"WAVE".to_vec(), chunks.concat()].concat());
    let next = chunk(b"next", b"zz");
    for (before, after) in [("abcdef", "abc"), ("abcde", "abc"), ("abcde", "ab")] {
        let text = riff(&[chunk(b"some", before.as_bytes()), next.clone()]);
        let layout = read(&text).unwrap();
        // The rest of the data, its padding, and all that follows.
        let from = (20 + after.len()) as u32;
        let cuts = layout.rewrite(&[Cut::remove(from..text.len() as u32)]);
        let less = Cut::render(&cuts, &text);
        assert_eq!(less, riff(&[chunk(b"some", after.as_bytes())]));
    }
}

/// A page of Ogg with some packets.
fn page(flags: u8, number: u8, packets: &[&[u8]]) -> Vec<u8> {
    let mut text = b"OggS\0".to_vec();
    text.push(flags);
    text.extend([0; 8]);
    text.extend([7, 0, 0, 0, number, 0, 0, 0, 0, 0, 0, 0]);
    let mut table = vec![];
    for packet in packets {
        table.extend(vec![255; packet.len() / 255]);
        table.push((packet.len() % 255) as u8);
    }
    text.push(table.len() as u8);
    text.extend(table);
    text.extend(packets.concat());
    let sum = Sum::Ogg.of(&text) as u32;
    text[22..26].copy_from_slice(&sum.to_le_bytes());
    text
}

#[test]
fn packets_go_with_their_lengths_and_pages_with_their_numbers() {
    let (long, short): (&[u8], &[u8]) = (&[9; 600], b"OpusTags");
    let first = page(2, 0, &[short]);
    let text = [
        first.clone(),
        page(0, 1, &[long, short, long]),
        page(4, 2, &[long]),
    ]
    .concat();
    let less = [
        first.clone(),
        page(0, 1, &[long, long]),
        page(4, 2, &[long]),
    ];
    assert_eq!(without(&text, "packet", 2), less.concat());
    let less = [first.clone(), page(4, 1, &[long])];
    assert_eq!(without(&text, "page", 1), less.concat());
    let less = [first, page(4, 1, &[long, short, long])];
    assert_eq!(without(&text, "page", 2), less.concat());
    // A packet that gets shorter takes less of the table.
    let layout = read(&text).unwrap();
    let packet = layout
        .regions
        .iter()
        .find(|region| region.span.len() == 600);
    let start = packet.unwrap().span.start;
    let cuts = layout.rewrite(&[Cut::remove(start..start + 590)]);
    let less = page(0, 1, &[&long[590..], short, long]);
    let at = page(2, 0, &[short]).len();
    assert_eq!(Cut::render(&cuts, &text)[at..][..less.len()], less);
}

#[test]
fn items_of_a_pickle_go_with_their_place_in_the_memo() {
    // {"k": ["a", "b", "b"], "l": 1}
    let text = b"\x80\x04\x95\x1c\0\0\0\0\0\0\0}\x94(\x8c\x01k\x94]\x94(\x8c\x01a\x94\x8c\x01b\x94h\x04e\x8c\x01lK\x01u.";
    let less = b"\x80\x04\x95\x18\0\0\0\0\0\0\0}\x94(\x8c\x01k\x94]\x94(\x8c\x01b\x94h\x03e\x8c\x01lK\x01u.";
    assert_eq!(without(text, "item", 0), less);
    let less = b"\x80\x04}\x94(\x8c\x01k\x94]\x94(\x8c\x01a\x94\x8c\x01b\x94h\x04e\x8c\x01lK\x01u.";
    assert_eq!(without(text, "frame", 0), less);
    let less = b"\x80\x04\x95\x0a\0\0\0\0\0\0\0}\x94(\x8c\x01lK\x01u.";
    assert_eq!(without(text, "pair", 0), less);
}

#[test]
fn an_object_of_a_property_list_goes_with_its_places() {
    let list = |objects: &[&[u8]]| {
        let mut text = b"bplist00".to_vec();
        let mut places = vec![];
        for object in objects {
            places.push(text.len() as u8);
            text.extend_from_slice(object);
        }
        let table = text.len() as u8;
        text.extend(places);
        text.extend([0, 0, 0, 0, 0, 0, 1, 1]);
        for number in [objects.len() as u8, 0, table] {
            text.extend([0, 0, 0, 0, 0, 0, 0, number]);
        }
        text
    };
    // {"a": ["x", "y"], "b": "y"}, where "y" is one object.
    let text = list(&[
        b"\xd2\x01\x02\x03\x05",
        b"Qa",
        b"Qb",
        b"\xa2\x04\x05",
        b"Qx",
        b"Qy",
    ]);
    let less = list(&[b"\xd2\x01\x02\x03\x04", b"Qa", b"Qb", b"\xa1\x04", b"Qy"]);
    assert_eq!(without(&text, "reference", 2), less);
    let less = list(&[b"\xd1\x01\x02", b"Qb", b"Qy"]);
    assert_eq!(without(&text, "reference", 0), less);
}

#[test]
fn the_number_of_frames_of_a_sound_follows_from_its_data() {
    let chunk = |tag: &[u8], data: &[u8]| [tag, &(data.len() as u32).to_le_bytes(), data].concat();
    let wav = |frames: u32, data: &[u8]| {
        let format = [0x11, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 4, 0];
        let parts = [
            b"WAVE".to_vec(),
            chunk(b"fmt ", &format),
            chunk(b"fact", &frames.to_le_bytes()),
            chunk(b"data", data),
        ];
        chunk(b"RIFF", &parts.concat())
    };
    let data: Vec<u8> = (0..24).collect();
    // A frame by the number of them, and not by the header, where that divides the data.
    assert_eq!(
        without(&wav(6, &data), "frame", 1),
        wav(5, &[&data[..4], &data[8..]].concat())
    );
    let text = wav(7, &data);
    assert_eq!(
        without(&text, "frame", 1),
        wav(7, &[&data[..8], &data[16..]].concat())
    );
}

#[test]
fn names_of_a_library_stay_when_others_and_symbols_go() {
    let text = sample("x.so");
    let names = |text: &[u8]| {
        let layout = read(text).unwrap();
        let named = layout.fields.iter().filter_map(|field| match field.means {
            Means::Offset { to, base, .. } if base > 0 => Some(&text[to as usize..]),
            _ => None,
        });
        let until_zero = |name: &[u8]| name.split(|&byte| byte == 0).next().unwrap().to_vec();
        // Without the names of sections, and what an address is of.
        let is_name =
            |name: &String| name.starts_with(|c: char| c == '/' || c.is_ascii_alphabetic());
        let names: Vec<String> = named
            .filter_map(|name| String::from_utf8(until_zero(name)).ok().filter(is_name))
            .collect();
        names.join(" ")
    };
    let all = "puts f g libc.so.6 GLIBC_2.2.5 libc.so.6 libx.so /lib";
    assert_eq!(names(&text), all);
    // The symbol is removed with its version, and its name is kept.
    let less = without(&text, "symbol", 0);
    assert_eq!(text.len() - less.len(), 24 + 2);
    assert_eq!(names(&less), all.replace("puts ", ""));
    let name = less.windows(5).position(|name| name == b"puts\0").unwrap() as u32;
    let cuts = read(&less).unwrap().rewrite(&[Cut::remove(name..name + 5)]);
    let less = Cut::render(&cuts, &less);
    assert_eq!(names(&less), all.replace("puts ", ""));
    assert_eq!(
        names(&without(&less, "entry", 1)),
        "f g libc.so.6 GLIBC_2.2.5 libc.so.6 /lib"
    );
}

#[test]
fn exports_and_imports_of_a_program_go_with_their_names() {
    // The texts at the addresses in regions of a kind.
    let names = |text: &[u8], kind: &str, hint: usize| -> String {
        let layout = read(text).unwrap();
        let is_in = |field: &Field| {
            let mut regions = layout.regions.iter().filter(|region| region.kind == kind);
            regions.any(|region| region.span.start == field.span.start)
        };
        let fields = layout.fields.iter().filter(|field| is_in(field));
        let names = fields.filter_map(|field| match field.means {
            Means::Address { to, .. } => text
                .get(to as usize + hint..)?
                .split(|&byte| byte == 0)
                .next(),
            _ => None,
        });
        names
            .map(|name| String::from_utf8_lossy(name))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let program = sample("x.exe");
    assert_eq!(names(&program, "import", 2), "ExitProcess Sleep puts");
    assert_eq!(
        names(&without(&program, "import", 1), "import", 2),
        "ExitProcess puts"
    );
    let less = without(&program, "library", 0);
    assert_eq!(names(&less, "import", 2), "puts");
    assert!(!less.windows(5).any(|name| name == b"Sleep"));
    let library = sample("x.dll");
    let all =
        "export_alpha export_beta export_delta export_epsilon export_gamma export_zeta table text";
    assert_eq!(names(&library, "export", 0), all);
    let less = without(&library, "export", 2);
    assert_eq!(names(&less, "export", 0), all.replace("export_delta ", ""));
    let size = "export_delta".len() + 1 + 4 + 4 + 2;
    assert_eq!(library.len() - less.len(), size);
    let regions = |text: &[u8], kind| {
        let layout = read(text).unwrap();
        layout
            .regions
            .iter()
            .filter(|region| region.kind == kind)
            .count()
    };
    assert_eq!(
        regions(&less, "export address"),
        regions(&library, "export address") - 1
    );
    // Without the section, there is no table.
    let less = without(&program, "section", 4);
    assert_eq!(regions(&less, "library"), 0);
    assert!(!less.windows(4).any(|name| name == b"puts"));
}

#[test]
fn objects_of_a_packed_document_go_from_their_stream_and_from_the_table() {
    let text = sample("packed.pdf");
    let layout = read(&text).unwrap();
    let objects = |layout: &Layout| {
        let view = layout.view();
        let objects = view.regions.iter().filter(|(_, kind)| *kind == "object");
        objects.count()
    };
    assert_eq!(objects(&layout), 11);
    // An annotation, which is in a stream of objects.
    let content =
        |layout: &Layout| String::from_utf8_lossy(&layout.inner[0].layout.text).into_owned();
    let all = content(&layout);
    let before = all
        .find("(Note 1)")
        .map(|at| all[..at].matches("endobj").count());
    let less = without_in_view(&text, "object", before.unwrap());
    let again = read(&less).unwrap();
    assert_eq!((again.inner[0].codec, objects(&again)), (Codec::Pdf, 10));
    assert!(content(&again).contains("(Note 0)") && !content(&again).contains("(Note 1)"));
    // Without the comments, it is a document without streams of objects.
    let view = layout.view();
    let comments = view.regions.iter().filter(|(span, kind)| {
        let text = &view.text[span.start as usize..];
        *kind == "comment" && (text.starts_with(b"%objects") || text.starts_with(b"%stream"))
    });
    let cuts: Vec<Cut> = comments
        .map(|(span, _)| Cut::remove(span.clone()))
        .collect();
    assert_eq!(cuts.len(), 2);
    let plain = Cut::render(&layout.rewrite(&cuts), &text);
    let again = read(&plain).unwrap();
    assert_eq!(objects(&again), 11);
    assert!(plain.windows(6).any(|word| word == b"\nxref\n"));
}

#[test]
fn a_transition_of_a_zone_goes_with_its_type_in_the_other_array() {
    let text = sample("x.tz");
    let count = |text: &[u8], at: usize| text[at + 3];
    // Both blocks have six transitions, and four types with nine and more letters.
    let (times, types) = (count(&text, 32), count(&text, 36));
    let less = without(&text, "time", 2);
    assert_eq!(text.len() - less.len(), 4 + 1);
    assert_eq!((count(&less, 32), count(&less, 36)), (times - 1, types));
    let less = without(&text, "type", 1);
    assert_eq!(count(&less, 36), types - 1);
    let less = without(&text, "name", 0);
    assert_eq!(text.len() - less.len(), 4);
    assert_eq!(count(&less, 40), count(&text, 40) - 4);
    let rule = less.strip_suffix(b"\nBBB-2\n").unwrap();
    assert_eq!(without(&less, "rule", 0), [rule, b"\n\n"].concat());
}

#[test]
fn tables_of_a_packed_font_are_cut_and_packed_again() {
    let text = sample("x.woff");
    let plain = sample("x.ttf");
    let regions = |text: &[u8], kind| {
        let view = read(text).unwrap().view();
        view.regions
            .iter()
            .filter(|region| region.1 == kind)
            .count()
    };
    assert_eq!(regions(&text, "glyph"), regions(&plain, "glyph"));
    let last = regions(&text, "table") - 1;
    let less = without_in_view(&text, "table", last);
    assert_eq!(regions(&less, "table"), regions(&text, "table") - 1);
    assert_eq!(
        u32::from_be_bytes(less[8..12].try_into().unwrap()) as usize,
        less.len()
    );
    assert_eq!(sums(&read(&less).unwrap()), sums(&read(&text).unwrap()) - 1);
}

#[test]
fn outlines_of_a_font_become_empty() {
    let text = sample("x.otf");
    let pointed = |layout: &Layout| {
        let fields = layout.fields.iter();
        let is_operand = |field: &&Field| field.number == nubbin_binary::Number::Operand;
        fields.filter(is_operand).count()
    };
    let items = |layout: &Layout| {
        let items = layout.regions.iter();
        items.filter(|region| region.kind == "item").count()
    };
    // The names of glyphs, the outlines, and the dictionary of the font with its length.
    let layout = read(&text).unwrap();
    assert_eq!(pointed(&layout), 4);
    let last = without(&text, "item", items(&layout) - 1);
    let less = read(&last).unwrap();
    assert_eq!((pointed(&less), items(&less)), (4, items(&layout) - 1));
    assert_eq!(sums(&less), sums(&layout));
}

#[test]
fn names_of_old_bytecode_go_with_the_numbers_of_those_behind() {
    let text = sample("2.7.pyc");
    let has = |text: &[u8], word: &[u8]| text.windows(word.len()).any(|at| at == word);
    assert!(has(&text, b"t\x04\0\0\0namet\x05\0\0\0otherR\x01\0\0\0"));
    // The first three items are constants.
    let less = without(&text, "item", 3);
    assert!(has(&less, b"(\x02\0\0\0t\x05\0\0\0otherR\0\0\0\0"));
    assert_eq!(text.len() - less.len(), 9);
}
