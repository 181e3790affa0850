//! Journals and receipts: of a damaged file, the records before the damage are read, and records
//! that are appended come back.
//!
//! An input is a place and a kind of the damage, and then records, each behind its length.
#![no_main]
#![expect(dead_code, reason = "a part of the crate is compiled")]

#[path = "../../crates/session/src/state/records.rs"]
mod records;

use libfuzzer_sys::fuzz_target;
use records::{Format, Read, Records};
use std::fs::File;
use std::io::{Read as _, Seek as _, Write as _};

const FORMAT: Format = Format("fuzz 1");

fn file_of(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().expect("a file can be made");
    file.write_all(bytes).expect("it can be written");
    file.rewind().expect("it can be read");
    file
}

/// Returns the head and the records of a file.
fn read(bytes: &[u8]) -> Option<(Vec<u8>, Vec<Vec<u8>>, Records)> {
    let mut found = vec![];
    let each = |record: &[u8]| found.push(record.to_vec());
    match Records::read(file_of(bytes), FORMAT, each).expect("it can be read") {
        Read::Whole { records, head, .. } => Some((head, found, records)),
        Read::Empty | Read::Foreign => None,
    }
}

/// Returns the bytes of a file with these records.
fn written(head: &[u8], records: &[&[u8]]) -> Vec<u8> {
    let file = file_of(b"");
    let mut copy = file.try_clone().expect("a descriptor can be copied");
    let mut made = Records::create(file, FORMAT, head).expect("it can be written");
    made.append(records.iter().copied()).expect("it can be written");
    copy.rewind().expect("it can be read");
    let mut bytes = vec![];
    copy.read_to_end(&mut bytes).expect("it can be read");
    bytes
}

fuzz_target!(|data: &[u8]| {
    // As the bytes of a file.
    read(data);
    let Some(([low, high, kind, value], mut rest)) = data.split_first_chunk::<4>() else { return };
    let mut records: Vec<&[u8]> = vec![];
    while let Some((&length, after)) = rest.split_first() {
        let (record, after) = after.split_at(usize::from(length).min(after.len()));
        records.extend((!record.is_empty()).then_some(record));
        rest = after;
    }
    let head = b"head";
    let whole = written(head, &records);
    let mut damaged = whole.clone();
    let at = usize::from(u16::from_le_bytes([*low, *high])) % whole.len();
    match kind % 4 {
        0 => damaged.truncate(at),
        1 => damaged[at] ^= value.max(&1),
        2 => damaged.insert(at, *value),
        _ => drop(damaged.remove(at)),
    }
    let Some((found_head, found, mut file)) = read(&damaged) else { return };
    assert_eq!(found_head, head);
    assert!(found.len() <= records.len() && found.iter().zip(&records).all(|(a, b)| a == b));
    // All records that end before the damage hold.
    let sizes = records.iter().map(|record| record.len() + 10);
    let mut end = written(head, &[]).len();
    let before = sizes.take_while(|size| {
        end += size;
        end <= at
    });
    assert!(found.len() >= before.count());
    file.append([&b"more"[..]]).expect("it can be written");
});
