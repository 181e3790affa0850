//! Sets of byte values.

use std::fmt;

/// A set of byte values, as 256 bits.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    /// The empty set.
    pub const EMPTY: ByteSet = ByteSet([0; 4]);
    /// The set of all bytes.
    pub const ALL: ByteSet = ByteSet([u64::MAX; 4]);

    /// Creates the set of one byte.
    pub fn one(byte: u8) -> Self {
        let mut set = Self::EMPTY;
        set.insert(byte);
        set
    }

    /// Creates the set of the bytes from `first` to `last`, both included.
    pub fn range(first: u8, last: u8) -> Self {
        (first..=last).collect()
    }

    /// Adds a byte.
    pub fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    /// Returns whether `byte` is in the set.
    pub fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] & (1 << (byte & 63)) != 0
    }

    /// Returns the union of two sets.
    #[must_use]
    pub fn union(self, other: ByteSet) -> Self {
        ByteSet(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// Returns the intersection of two sets.
    #[must_use]
    pub fn intersection(self, other: ByteSet) -> Self {
        ByteSet(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// Returns the bytes that are not in the set.
    #[must_use]
    pub fn complement(self) -> Self {
        ByteSet(self.0.map(|word| !word))
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// Returns the number of bytes in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Iterates over the bytes in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                (bit < 64).then(|| {
                    rest &= rest - 1;
                    (i as u32 * 64 + bit) as u8
                })
            })
        })
    }

    /// Returns the bytes as maximal ranges in ascending order, both ends included.
    pub fn ranges(&self) -> Vec<(u8, u8)> {
        let mut ranges: Vec<(u8, u8)> = vec![];
        for byte in self.iter() {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == byte => *last = byte,
                _ => ranges.push((byte, byte)),
            }
        }
        ranges
    }
}

impl FromIterator<u8> for ByteSet {
    fn from_iter<T: IntoIterator<Item = u8>>(bytes: T) -> Self {
        let mut set = Self::EMPTY;
        bytes.into_iter().for_each(|byte| set.insert(byte));
        set
    }
}

impl fmt::Debug for ByteSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.ranges()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_maximal() {
        let set: ByteSet = b"abcxz\xff\x00".iter().copied().collect();
        assert_eq!(
            set.ranges(),
            [(0, 0), (b'a', b'c'), (b'x', b'x'), (b'z', b'z'), (255, 255)]
        );
        assert_eq!(set.len(), 7);
        assert_eq!(ByteSet::ALL.ranges(), [(0, 255)]);
    }

    #[test]
    fn the_complement_has_exactly_the_other_bytes() {
        let set = ByteSet::range(b'0', b'9');
        for byte in 0..=255 {
            assert_ne!(set.contains(byte), set.complement().contains(byte));
        }
        assert_eq!(set.union(set.complement()), ByteSet::ALL);
        assert!(set.intersection(set.complement()).is_empty());
    }
}
