/// A set of indices.
///
/// ```
/// use nubbin_ir::Set;
///
/// let mut set = Set::new(100);
/// assert!(set.insert(70) && !set.insert(70));
/// assert!(set.contains(70) && !set.contains(7) && !set.contains(7000));
/// assert_eq!(set.iter().collect::<Vec<_>>(), [70]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Set {
    words: Vec<u64>,
    len: u32,
}

impl Set {
    /// Creates an empty set of indices below `bound`.
    pub fn new(bound: usize) -> Self {
        Set {
            words: vec![0; bound.div_ceil(64)],
            len: 0,
        }
    }

    /// Adds an index. Returns `true` if the set did not contain it.
    pub fn insert(&mut self, index: u32) -> bool {
        let (word, bit) = (index as usize / 64, 1 << (index % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.len += u32::from(is_new);
        is_new
    }

    /// Returns whether an index is in the set.
    pub fn contains(&self, index: u32) -> bool {
        let word = self.words.get(index as usize / 64);
        word.is_some_and(|word| word & (1 << (index % 64)) != 0)
    }

    /// Returns whether the set has no index.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of indices.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Returns the indices, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let words = self
            .words
            .iter()
            .enumerate()
            .filter(|(_, word)| **word != 0);
        words.flat_map(|(at, &word)| {
            let bits = (0..64).filter(move |bit| word & (1 << bit) != 0);
            bits.map(move |bit| at as u32 * 64 + bit)
        })
    }
}

impl Extend<u32> for Set {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, indices: I) {
        for index in indices {
            self.insert(index);
        }
    }
}
