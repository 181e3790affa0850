//! The key of a journal: the test and the input of its verdicts.

use nubbin_reduce::edit::{Fingerprint, fingerprint};

/// Everything that a search and its verdicts depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::reduce) struct Key {
    /// Everything that the verdict about a candidate depends on.
    pub(in crate::reduce) test: Fingerprint,
    /// The names and the content of the input.
    pub(in crate::reduce) input: Fingerprint,
}

impl Key {
    pub(in crate::reduce) fn bytes(self) -> Vec<u8> {
        [self.test.0.to_le_bytes(), self.input.0.to_le_bytes()].concat()
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (test, input) = bytes.split_first_chunk::<16>()?;
        Some(Key {
            test: Fingerprint(u128::from_le_bytes(*test)),
            input: Fingerprint(u128::from_le_bytes(input.try_into().ok()?)),
        })
    }

    /// Returns the end of the journal's name.
    pub(super) fn suffix(self) -> String {
        format!("{:016x}.{JOURNAL}", fingerprint(&self.bytes()).0 as u64)
    }

    /// Returns the end of the name that the journal has while a run with the same key starts over.
    pub(super) fn suffix_before(self) -> String {
        let bytes = [self.bytes(), b"before".to_vec()].concat();
        format!("{:016x}.{JOURNAL}", fingerprint(&bytes).0 as u64)
    }
}

/// The extension of journals.
pub(super) const JOURNAL: &str = "journal";

/// Returns whether the end of a name belongs to a journal.
pub(super) fn is_journal(suffix: &str) -> bool {
    suffix.split_once('.').is_some_and(|(key, rest)| {
        rest == JOURNAL && key.len() == 16 && key.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}
