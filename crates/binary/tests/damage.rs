//! Damaged files, and changes of them: no error, and changes that are sorted, disjoint, in the
//! file, and of bounded length.
//!
//! `NUBBIN_ROUNDS` is the number of files that are made of each sample, and `PROPTEST_RNG_SEED` the
//! seed, so that `scripts/properties` tries others.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_binary::{Cut, Field, Layout, Means, Piece, Span, guess, read, read_encoded, svg};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

const ROUNDS: u64 = 20;

/// Changes of one layout, each of which has all earlier ones.
const CHANGES: usize = 6;

struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            random.below(2);
        }
        random
    }

    fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        let at = self.below(all.len());
        all.get(at).cloned()
    }
}

struct Sample {
    name: String,
    text: Vec<u8>,
    /// The places of its numbers, where the text itself has them.
    numbers: Vec<Span>,
}

fn samples() -> Vec<Sample> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut texts: Vec<(String, Vec<u8>)> = entries
        .filter(|entry| entry.file_name() != "make")
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect();
    let base64 = b"note: YSBsaW5lCmFub3RoZXIgbGluZQphIHRoaXJkIGxpbmUK\nhex: 61206c696e650a616e6f746865720a\n";
    texts.push(("encoded".into(), base64.repeat(4)));
    // Records with lengths, which are guessed.
    let records: Vec<u8> = (1..40u8)
        .flat_map(|nth| {
            [
                &[0xfe, nth % 7 + 1, 0][..],
                &vec![nth; usize::from(nth % 7) + 1],
            ]
            .concat()
        })
        .collect();
    texts.push((
        "records".into(),
        [&b"\xff\xfeMAG\x01"[..], &records].concat(),
    ));
    texts.sort();
    let sample = |(name, text): (String, Vec<u8>)| {
        let layout = open(&text).unwrap_or_default();
        let numbers = layout.fields.iter().map(|field| field.span.clone());
        Sample {
            numbers: numbers.collect(),
            name,
            text,
        }
    };
    texts.into_iter().map(sample).collect()
}

fn open(text: &[u8]) -> Option<Layout> {
    read(text)
        .or_else(|| read_encoded(text))
        .or_else(|| guess(text))
}

/// Writes a number at its ends, or near them, or near the length of the file.
fn extreme(text: &mut [u8], place: &Span, random: &mut Random) {
    let len = text.len() as u64;
    let Some(there) = text.get_mut(place.start as usize..place.end as usize) else {
        return;
    };
    let width = there.len().min(8);
    let all = [
        0,
        1,
        len,
        len + 1,
        len.saturating_sub(1),
        len / 2,
        0x7f,
        0x80,
        0xffff,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_fff0,
        u64::from(u32::MAX),
        i64::MAX as u64,
        u64::MAX - 3,
        u64::MAX,
    ];
    let value = all[random.below(all.len())];
    let bytes = match random.below(2) {
        0 => value.to_le_bytes()[..width].to_vec(),
        _ => value.to_be_bytes()[8 - width..].to_vec(),
    };
    there[..width].copy_from_slice(&bytes);
}

fn damaged(sample: &Sample, all: &[Sample], random: &mut Random) -> Vec<u8> {
    let mut text = sample.text.clone();
    for _ in 0..=random.below(4) {
        let at = random.below(text.len());
        match random.below(8) {
            0 => text.truncate(at),
            1 => {
                let end = (at + random.below(40)).min(text.len());
                text.drain(at..end);
            }
            2 => text.insert(at, random.below(256) as u8),
            3 => {
                if let Some(byte) = text.get_mut(at) {
                    *byte = [0, 1, 0x7f, 0x80, 0xff][random.below(5)];
                }
            }
            4 => {
                let width = [1, 2, 4, 8][random.below(4)];
                let end = (at + width).min(text.len());
                extreme(&mut text, &(at as u32..end as u32), random);
            }
            5 => {
                if let Some(byte) = text.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
            // A part of another sample.
            6 if random.below(3) == 0 => {
                let other = &all[random.below(all.len())].text;
                let from = random.below(other.len());
                let part = &other[from..(from + random.below(400)).min(other.len())];
                text.splice(at..at, part.iter().copied());
            }
            _ => {
                for _ in 0..=random.below(2) {
                    if let Some(place) = random.of(&sample.numbers) {
                        extreme(&mut text, &place, random);
                    }
                }
            }
        }
    }
    text
}

/// Whether all places of a layout are in its text.
fn assert_sound(layout: &Layout) {
    let len = layout.text.len() as u32;
    let has = |span: &Span| span.start <= span.end && span.end <= len;
    let is_sound = |field: &Field| match &field.means {
        Means::Length { of, .. } | Means::Place { of, .. } => has(of),
        Means::Offset { to, base, .. } => *to <= len && *base <= len,
        Means::Address { to, within } => *to <= len && has(within),
        Means::Padding { from, .. } => *from <= len,
        Means::Sum { over, .. } => over.iter().all(|piece| match piece {
            Piece::Bytes(span) | Piece::Length(span) => has(span),
            Piece::Filler(..) | Piece::Decoded(_) => true,
        }),
        _ => true,
    };
    let regions = layout.regions.iter().map(|region| &region.span);
    let fields = layout.fields.iter().map(|field| &field.span);
    let inner = layout.inner.iter().map(|inner| &inner.span);
    let grouped = layout.groups.iter().flatten();
    let listed = layout.lists.iter().flatten();
    let mut all = regions
        .chain(fields)
        .chain(inner)
        .chain(grouped)
        .chain(listed);
    assert!(all.all(has), "a place is not in the text");
    assert!(layout.fields.iter().all(is_sound), "a field is of nothing");
    for inner in &layout.inner {
        assert_sound(&inner.layout);
    }
}

/// Adds a change to others of the view, as edits are combined: the outer one of two counts.
fn combined(change: &[Cut], mut more: Vec<Cut>) -> Vec<Cut> {
    let meets = |one: &Cut, other: &Cut| {
        one.span.start < other.span.end && other.span.start < one.span.end
            || one.span.start == other.span.start
    };
    let mut all: Vec<Cut> = change.to_vec();
    more.retain(|new| {
        let within = |old: &Cut| new.span.start <= old.span.start && old.span.end <= new.span.end;
        all.retain(|old| !(meets(old, new) && within(old)));
        !all.iter().any(|old| meets(old, new))
    });
    all.extend(more);
    all.sort_by_key(|cut| (cut.span.start, cut.span.end));
    all
}

/// A removal of a region, one of another span, a region in the place of an outer one, or new bytes.
fn change(view: &nubbin_binary::View, random: &mut Random) -> Vec<Cut> {
    let len = view.text.len() as u32;
    let region = random.of(&view.regions).map(|(span, _)| span);
    match (random.below(6), region) {
        (0..=2, Some(span)) => vec![Cut::remove(span)],
        (3, Some(span)) => {
            let is_around =
                |outer: &Span| outer.start <= span.start && span.end <= outer.end && *outer != span;
            let outer = view.regions.iter().map(|(outer, _)| outer);
            let Some(outer) = outer.rev().find(|outer| is_around(outer)) else {
                return vec![];
            };
            let around = [outer.start..span.start, span.end..outer.end];
            let around = around.into_iter().filter(|span| !span.is_empty());
            around.map(Cut::remove).collect()
        }
        (4, _) => {
            let field = random.of(&view.fields).map(|(span, _)| span);
            let start = random.below(len as usize + 1) as u32;
            let end = (start + random.below(9) as u32).min(len);
            let span = field.filter(|_| random.below(2) == 0).unwrap_or(start..end);
            let text = (0..random.below(12)).map(|_| random.below(256) as u8);
            let text = text.collect();
            vec![Cut { span, text }]
        }
        _ => {
            let start = random.below(len as usize + 1) as u32;
            let end = (start + random.below(60) as u32).min(len);
            vec![Cut::remove(start..end)]
        }
    }
}

fn check(text: &[u8], random: &mut Random) {
    let Some(layout) = open(text) else {
        return;
    };
    assert_sound(&layout);
    let view = layout.view();
    let len = view.text.len() as u32;
    assert_eq!(layout.view_len(), len, "the length of the view");
    let regions = view.regions.iter().map(|(span, _)| span);
    let fields = view.fields.iter().map(|(span, _)| span);
    let mut places = regions.chain(fields);
    assert!(
        places.all(|span| span.start <= span.end && span.end <= len),
        "a place is not in the view"
    );
    let mut changes = vec![];
    for _ in 0..CHANGES {
        changes = combined(&changes, change(&view, random));
        let added: usize = changes.iter().map(|cut| cut.text.len()).sum();
        let cuts = layout.rewrite(&changes);
        for pair in cuts.windows(2) {
            assert!(pair[0].span.end <= pair[1].span.start, "{pair:?}");
        }
        let in_text =
            |cut: &Cut| cut.span.start <= cut.span.end && cut.span.end <= text.len() as u32;
        assert!(cuts.iter().all(in_text), "a change is not in the file");
        let changed = Cut::render(&cuts, text).len();
        // A database has pages of up to 64 KiB, the size of which may be changed.
        assert!(
            changed <= 10 * (text.len() + added) + (1 << 17),
            "{changed} bytes of {}",
            text.len()
        );
    }
    if random.below(50) == 0 {
        svg(&layout);
    }
}

#[test]
fn any_change_of_a_damaged_file_is_one_of_the_file() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let rounds = number("NUBBIN_ROUNDS").unwrap_or(ROUNDS);
    let seed: u64 = number("PROPTEST_RNG_SEED").unwrap_or(0);
    let samples = samples();
    let mut faults: BTreeMap<String, String> = BTreeMap::new();
    for round in 0..rounds {
        for (nth, sample) in samples.iter().enumerate() {
            let mut random = Random::new(seed << 40 ^ round << 8 ^ nth as u64);
            let text = damaged(sample, &samples, &mut random);
            let checked = catch_unwind(AssertUnwindSafe(|| check(&text, &mut random)));
            if let Err(panic) = checked {
                let what = panic.downcast_ref::<String>().cloned();
                let what = what.or_else(|| panic.downcast_ref::<&str>().map(|&what| what.into()));
                let case = format!("{}, seed {seed}, round {round}", sample.name);
                faults.entry(what.unwrap_or_default()).or_insert(case);
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
