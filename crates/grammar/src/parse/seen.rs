use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Returns the hash of two numbers.
pub(super) fn hash(a: u32, b: u32) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(u64::from(a) << 32 | u64::from(b));
    hasher.finish()
}

/// The items or records of the position under construction. This is a hash table that is emptied by
/// increasing a counter.
#[derive(Debug, Default)]
pub(super) struct Seen {
    slots: Vec<(u32, u32)>,
    hashes: Vec<u64>,
    generation: u32,
    /// Whether the slots hold the entries. A table with few entries needs no slots.
    built: bool,
}

impl Seen {
    /// Below this number of entries, a linear search is faster.
    const MIN_HASHED: usize = 8;

    pub(super) fn clear(&mut self) {
        self.hashes.clear();
        self.built = false;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.fill((0, 0));
            self.generation = 1;
        }
    }

    /// Returns the existing entry that is equal, or inserts the new one and returns `None`. `first`
    /// is the first entry of this position, since entries are in the order of positions.
    pub(super) fn insert(
        &mut self,
        hash: u64,
        first: u32,
        new: u32,
        same: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        if self.hashes.len() < Self::MIN_HASHED {
            if let Some(old) = (first..new).find(|&i| same(i)) {
                return Some(old);
            }
            self.hashes.push(hash);
            return None;
        }
        if !self.built || self.hashes.len() * 2 > self.slots.len() {
            self.rebuild(first);
        }
        let mask = self.slots.len() - 1;
        let mut at = (hash >> 32) as usize & mask;
        loop {
            let (generation, index) = self.slots[at];
            if generation != self.generation {
                self.slots[at] = (self.generation, new);
                self.hashes.push(hash);
                return None;
            }
            if same(index) {
                return Some(index);
            }
            at = (at + 1) & mask;
        }
    }

    pub(super) fn rebuild(&mut self, first: u32) {
        self.built = true;
        let size = (self.hashes.len() * 4).next_power_of_two().max(64);
        if self.slots.len() < size {
            self.slots = vec![(0, 0); size];
            self.generation = self.generation.max(1);
        }
        let mask = self.slots.len() - 1;
        for (i, hash) in self.hashes.iter().enumerate() {
            let mut at = (hash >> 32) as usize & mask;
            while self.slots[at].0 == self.generation {
                at = (at + 1) & mask;
            }
            self.slots[at] = (self.generation, first + i as u32);
        }
    }
}
