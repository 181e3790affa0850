use rustix::io::Errno;
use std::io;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of bytes of a word.
const WORD: usize = size_of::<AtomicU64>();

/// Shared memory of System V, the only kind that the runtime of AFL++ attaches.
///
/// The system removes it with the last process that has attached it, however that process ends: it
/// is marked for removal at once, and Linux attaches such a segment all the same.
#[derive(Debug)]
pub(super) struct Segment {
    id: libc::c_int,
    begin: NonNull<AtomicU64>,
    words: usize,
}

// SAFETY: the memory is attached as long as the value lives, in all threads, and is only
// accessed by atomic operations.
#[expect(unsafe_code, reason = "a pointer is not sent by itself")]
unsafe impl Send for Segment {}

impl Segment {
    /// Creates a segment of zeros.
    #[expect(unsafe_code, reason = "the system has no other interface")]
    pub(super) fn new(size: usize) -> io::Result<Self> {
        let words = size.div_ceil(WORD).max(1);
        let mode = libc::IPC_CREAT | libc::IPC_EXCL | 0o600;
        // SAFETY: all pointers are null, which the calls permit. `shmat` chooses an address that is
        // not in use.
        let (id, begin) = unsafe {
            let id = libc::shmget(libc::IPC_PRIVATE, words * WORD, mode);
            if id < 0 {
                return Err(io::Error::last_os_error());
            }
            let begin = libc::shmat(id, std::ptr::null(), 0);
            let error = io::Error::last_os_error();
            libc::shmctl(id, libc::IPC_RMID, std::ptr::null_mut());
            if begin.addr() == usize::MAX {
                return Err(error);
            }
            (id, begin)
        };
        // The system attaches memory at the start of a page.
        let begin = NonNull::new(begin.cast()).ok_or(Errno::NOMEM)?;
        Ok(Segment { id, begin, words })
    }

    /// The number by which another process attaches it.
    pub(super) fn id(&self) -> libc::c_int {
        self.id
    }

    /// The size in bytes.
    pub(super) fn size(&self) -> usize {
        self.words * WORD
    }

    /// The memory, which other processes change at any time.
    #[expect(unsafe_code, reason = "the memory comes from the system")]
    pub(super) fn words(&self) -> &[AtomicU64] {
        // SAFETY: the memory is attached, aligned, and of this size. All bytes are valid in a word.
        unsafe { std::slice::from_raw_parts(self.begin.as_ptr(), self.words) }
    }

    /// Writes a length as four bytes, and the text after it. Returns `false` if there is no room.
    pub(super) fn write(&self, text: &[u8]) -> bool {
        let Ok(length) = u32::try_from(text.len()) else {
            return false;
        };
        let bytes = [&length.to_ne_bytes(), text].concat();
        if bytes.len() > self.size() {
            return false;
        }
        for (word, part) in self.words().iter().zip(bytes.chunks(WORD)) {
            let mut filled = [0; WORD];
            filled[..part.len()].copy_from_slice(part);
            word.store(u64::from_ne_bytes(filled), Ordering::Relaxed);
        }
        true
    }
}

impl Drop for Segment {
    #[expect(unsafe_code, reason = "the system has no other interface")]
    fn drop(&mut self) {
        // SAFETY: the memory was attached by `new`, and no reference to it is left.
        unsafe { libc::shmdt(self.begin.as_ptr().cast()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_follows_its_length() {
        let segment = Segment::new(20).unwrap();
        assert_eq!(segment.size(), 24);
        assert!(segment.write(b"seven b"));
        let words = segment.words().iter();
        let bytes: Vec<u8> = words
            .flat_map(|word| word.load(Ordering::Relaxed).to_ne_bytes())
            .collect();
        assert_eq!(&bytes[..12], b"\x07\0\0\0seven b\0");
        assert!(segment.write(&[1; 20]));
        assert!(!segment.write(&[1; 21]));
    }

    #[test]
    fn the_system_removes_it_with_its_last_user() {
        let listed = |id: i32| {
            let all = std::fs::read_to_string("/proc/sysvipc/shm").unwrap();
            let id = id.to_string();
            all.lines()
                .any(|line| line.split_whitespace().nth(1) == Some(&id))
        };
        let segment = Segment::new(8).unwrap();
        let id = segment.id();
        assert!(listed(id));
        drop(segment);
        assert!(!listed(id));
    }
}
