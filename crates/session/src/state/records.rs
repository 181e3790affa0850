//! An append-only file of checksummed records.
//!
//! The file begins with a line of text that names its format and version. Records follow. The first
//! record, the *head*, identifies the subject of the file. Each record has its length, its bytes,
//! and a checksum that depends on the head, so a block of another file is not a record of this one.
//! A damaged record ends the file. The records before it are used.

use nubbin_reduce::edit::fingerprint;
use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom, Write};

/// The longest record, which is longer than a path can be.
const LONGEST: usize = 1 << 15;

/// The kind of a file: its first line, with the version of the format.
#[derive(Clone, Copy, Debug)]
pub struct Format(pub &'static str);

impl Format {
    /// The first bytes that all files of nubbin have, in every version.
    pub const MAGIC: &'static [u8] = b"nubbin ";

    fn line(self) -> Vec<u8> {
        let mut line = Format::MAGIC.to_vec();
        line.extend(self.0.as_bytes());
        line.push(b'\n');
        line
    }
}

/// The outcome of reading a file of records.
#[derive(Debug)]
pub enum Read {
    /// The file has this head, and is ready for further records. `torn` is set if the end of the
    /// file was damaged and is ignored.
    Whole {
        records: Records,
        head: Vec<u8>,
        torn: bool,
    },
    /// The file is empty, since its writer was killed before it wrote the head.
    Empty,
    /// The file has another format, or no head.
    Foreign,
}

/// A file that is open for further records.
#[derive(Debug)]
pub struct Records {
    file: File,
    /// The length of the file up to the last whole record.
    end: u64,
    /// Whether the file may have more bytes after `end`.
    is_torn: bool,
    salt: u64,
}

impl Records {
    /// Writes the head of a new file. The old content is lost.
    pub fn create(mut file: File, format: Format, head: &[u8]) -> io::Result<Self> {
        let mut bytes = format.line();
        push(&mut bytes, 0, head)?;
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&bytes)?;
        Ok(Records {
            file,
            end: bytes.len() as u64,
            is_torn: false,
            salt: salt_of(head),
        })
    }

    /// Reads a file, and calls `each` with each of its records.
    pub fn read(file: File, format: Format, mut each: impl FnMut(&[u8])) -> io::Result<Read> {
        let mut reader = BufReader::new(file);
        let expected = format.line();
        let mut line = vec![0; expected.len()];
        let length = fill(&mut reader, &mut line)?;
        if length == 0 {
            return Ok(Read::Empty);
        }
        let mut end = length as u64;
        let Some(head) = (line == expected)
            .then(|| next(&mut reader, 0, &mut end))
            .transpose()?
            .flatten()
        else {
            return Ok(Read::Foreign);
        };
        let salt = salt_of(&head);
        while let Some(record) = next(&mut reader, salt, &mut end)? {
            each(&record);
        }
        let file = reader.into_inner();
        let torn = file.metadata()?.len() > end;
        Ok(Read::Whole {
            records: Records {
                file,
                end,
                is_torn: torn,
                salt,
            },
            head,
            torn,
        })
    }

    /// Appends records. After an error, none of these records counts, and the next call overwrites
    /// them.
    pub fn append<'a>(&mut self, records: impl IntoIterator<Item = &'a [u8]>) -> io::Result<()> {
        let mut bytes = Vec::new();
        for record in records {
            push(&mut bytes, self.salt, record)?;
        }
        if std::mem::replace(&mut self.is_torn, true) {
            self.file.set_len(self.end)?;
        }
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(&bytes)?;
        self.end += bytes.len() as u64;
        self.is_torn = false;
        Ok(())
    }

    /// Waits until the records are on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// Returns the next record, and moves `end` after it. Returns `None` at the end of the file, and at
/// bytes that are not a record.
fn next(reader: &mut impl io::Read, salt: u64, end: &mut u64) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 2];
    if fill(reader, &mut length)? < length.len() {
        return Ok(None);
    }
    let length = usize::from(u16::from_le_bytes(length));
    if length == 0 || length > LONGEST {
        return Ok(None);
    }
    let mut record = vec![0; length];
    let mut check = [0; 8];
    if fill(reader, &mut record)? < length || fill(reader, &mut check)? < check.len() {
        return Ok(None);
    }
    if u64::from_le_bytes(check) != checksum(salt, &record) {
        return Ok(None);
    }
    *end += (2 + length + check.len()) as u64;
    Ok(Some(record))
}

/// Reads until the buffer is full or the file ends. Returns the number of bytes read.
fn fill(reader: &mut impl io::Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

fn push(bytes: &mut Vec<u8>, salt: u64, record: &[u8]) -> io::Result<()> {
    let length = u16::try_from(record.len())
        .ok()
        .filter(|&length| length > 0 && usize::from(length) <= LONGEST)
        .ok_or(io::ErrorKind::InvalidInput)?;
    bytes.extend(length.to_le_bytes());
    bytes.extend(record);
    bytes.extend(checksum(salt, record).to_le_bytes());
    Ok(())
}

fn salt_of(head: &[u8]) -> u64 {
    fingerprint(head).0 as u64
}

fn checksum(salt: u64, record: &[u8]) -> u64 {
    let mut bytes = salt.to_le_bytes().to_vec();
    bytes.extend(record);
    fingerprint(&bytes).0 as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_reduce::random::SplitMix64;
    use std::io::Read as _;

    const FORMAT: Format = Format("test 1");

    fn file_of(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        file
    }

    fn bytes_of(records: &[&[u8]]) -> Vec<u8> {
        let mut made = Records::create(tempfile::tempfile().unwrap(), FORMAT, b"head").unwrap();
        made.append(records.iter().copied()).unwrap();
        made.file.seek(SeekFrom::Start(0)).unwrap();
        let mut bytes = vec![];
        made.file.read_to_end(&mut bytes).unwrap();
        bytes
    }

    fn read(bytes: &[u8]) -> (Read, Vec<Vec<u8>>) {
        let mut found = vec![];
        let read = Records::read(file_of(bytes), FORMAT, |record| found.push(record.to_vec()));
        (read.unwrap(), found)
    }

    #[test]
    fn records_come_back_and_more_can_follow() {
        let bytes = bytes_of(&[b"one", &[0; LONGEST]]);
        let (whole, found) = read(&bytes);
        assert_eq!(found, [b"one".to_vec(), vec![0; LONGEST]]);
        let Read::Whole {
            mut records,
            head,
            torn: false,
        } = whole
        else {
            panic!("{whole:?}");
        };
        assert_eq!(head, b"head");
        assert!(records.append([&b""[..]]).is_err());
        assert!(records.append([&[0; LONGEST + 1][..]]).is_err());
        records.append([&b"three"[..]]).unwrap();
        let mut file = records.file;
        file.seek(SeekFrom::Start(0)).unwrap();
        let mut count = 0;
        Records::read(file, FORMAT, |_| count += 1).unwrap();
        assert_eq!(count, 3);
    }

    #[test]
    fn a_file_of_another_format_or_head_is_recognized() {
        let bytes = bytes_of(&[b"one"]);
        let other = Records::read(file_of(&bytes), Format("test 2"), |_| {}).unwrap();
        assert!(matches!(other, Read::Foreign));
        assert!(matches!(read(b"").0, Read::Empty));
        assert!(matches!(read(b"nubbin test 1\n").0, Read::Foreign));
        assert!(matches!(read(&[0; 5000]).0, Read::Foreign));
        // The record is from a file with another head.
        let head = FORMAT.line().len() + 2 + 4 + 8;
        let mut spliced = FORMAT.line();
        push(&mut spliced, 0, b"neck").unwrap();
        spliced.extend(&bytes[head..]);
        let (whole, found) = read(&spliced);
        assert!(matches!(whole, Read::Whole { torn: true, .. }) && found.is_empty());
    }

    #[test]
    fn damage_leaves_a_prefix_of_the_records_and_their_place_is_written_anew() {
        let all: Vec<Vec<u8>> = (1..40_u8).map(|n| vec![n; usize::from(n)]).collect();
        let slices: Vec<&[u8]> = all.iter().map(Vec::as_slice).collect();
        let bytes = bytes_of(&slices);
        let mut random = SplitMix64::new(5);
        for _ in 0..2000 {
            let mut damaged = bytes.clone();
            let at = random.below(damaged.len() as u64) as usize;
            match random.below(4) {
                0 => damaged.truncate(at),
                1 => damaged[at] ^= 1 << random.below(8),
                2 => damaged[at..].fill(0),
                _ => {
                    for byte in &mut damaged[at..] {
                        *byte = random.below(256) as u8;
                    }
                }
            }
            let (whole, found) = read(&damaged);
            assert_eq!(found, all[..found.len()]);
            if let Read::Whole { mut records, .. } = whole {
                records.append([&b"more"[..]]).unwrap();
                let mut file = records.file;
                file.seek(SeekFrom::Start(0)).unwrap();
                let mut again = vec![];
                let read = Records::read(file, FORMAT, |record| again.push(record.to_vec()));
                assert!(matches!(read.unwrap(), Read::Whole { torn: false, .. }));
                assert_eq!(again[..found.len()], found[..]);
                assert_eq!(again[found.len()..], [b"more".to_vec()]);
            }
        }
    }
}
