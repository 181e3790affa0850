//! The memory of a stopped process.

use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

/// The size of a part that is read at once.
const PART: u64 = 4096;

/// The memory of a process, with the parts that were read last.
#[derive(Debug)]
pub(super) struct Memory {
    file: File,
    part: RefCell<Option<(u64, Vec<u8>)>>,
}

impl Memory {
    pub(super) fn of(pid: i32) -> io::Result<Self> {
        let file = File::open(format!("/proc/{pid}/mem"))?;
        Ok(Memory {
            file,
            part: RefCell::new(None),
        })
    }

    /// Returns the number of `size` bytes, at most eight, at an address.
    pub(super) fn number(&self, address: u64, size: u8) -> Option<u64> {
        let size = usize::from(size).min(8);
        let mut bytes = [0; 8];
        let begin = address - address % PART;
        let at = usize::try_from(address - begin).ok()?;
        let mut part = self.part.borrow_mut();
        if part.as_ref().is_none_or(|(of, _)| *of != begin) {
            let mut read = vec![0; PART as usize];
            *part = match self.file.read_exact_at(&mut read, begin) {
                Ok(()) => Some((begin, read)),
                Err(_) => None,
            };
        }
        match part.as_ref().and_then(|(_, read)| read.get(at..at + size)) {
            Some(found) => bytes[..size].copy_from_slice(found),
            // The number may cross a border between two parts.
            None => self.file.read_exact_at(&mut bytes[..size], address).ok()?,
        }
        Some(u64::from_le_bytes(bytes))
    }

    /// Returns the bytes at an address.
    pub(super) fn bytes(&self, address: u64, size: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; size];
        self.file.read_exact_at(&mut bytes, address).ok()?;
        Some(bytes)
    }
}
