use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use xxhash_rust::xxh3::xxh3_128;

/// The part of the coverage of a run to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granularity {
    /// The edges that a run takes, with their counts in the classes of AFL: 1, 2, 3, 4–7, 8–15,
    /// 16–31, 32–127, and 128–255 times.
    Hits,
    /// The edges that a run takes, without their counts.
    Edges,
}

/// The edges of a program that a run took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    edges: usize,
    hash: u128,
}

impl Coverage {
    /// Reads the map of a run, in which each edge has a byte that counts.
    pub(super) fn of(map: &[AtomicU64], granularity: Granularity) -> Self {
        let mut edges = 0;
        let mut taken: Vec<u8> = Vec::new();
        for (at, word) in (0_u32..).zip(map) {
            let counts = word.load(Ordering::Relaxed);
            if counts == 0 {
                continue;
            }
            let classes = counts.to_ne_bytes().map(|count| match granularity {
                Granularity::Hits => class(count),
                Granularity::Edges => count.min(1),
            });
            edges += classes.iter().filter(|&&class| class > 0).count();
            taken.extend(at.to_le_bytes());
            taken.extend(classes);
        }
        Coverage {
            edges,
            hash: xxh3_128(&taken),
        }
    }

    /// The number of edges.
    pub fn edges(&self) -> usize {
        self.edges
    }
}

/// Returns a number for each edge of a map of coverage that was taken: for each edge with the class
/// of its count, or for each edge.
pub(super) fn taken(map: &[AtomicU64], granularity: Granularity) -> Vec<u64> {
    let mut taken = Vec::new();
    for (at, word) in (0_u64..).zip(map) {
        let counts = word.load(Ordering::Relaxed);
        if counts == 0 {
            continue;
        }
        for (place, count) in (0_u64..).zip(counts.to_ne_bytes()) {
            let class = match granularity {
                Granularity::Hits => class(count),
                Granularity::Edges => count.min(1),
            };
            if class > 0 {
                taken.push(((at * 8 + place) << 8) | u64::from(class));
            }
        }
    }
    taken
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = if self.edges == 1 { "" } else { "s" };
        // The first digits of the hash tell two coverages apart in a log.
        write!(f, "{} edge{end}, {:08x}", self.edges, self.hash >> 96)
    }
}

/// Sets a map to zero.
pub(super) fn clear(map: &[AtomicU64]) {
    for word in map {
        // Most words are zero, and the system does not allocate a page that is only read.
        if word.load(Ordering::Relaxed) != 0 {
            word.store(0, Ordering::Relaxed);
        }
    }
}

/// Returns the class of a count.
fn class(count: u8) -> u8 {
    match count {
        0..=2 => count,
        3 => 4,
        4..=7 => 8,
        8..=15 => 16,
        16..=31 => 32,
        32..=127 => 64,
        128.. => 128,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(counts: [u8; 16]) -> Vec<AtomicU64> {
        let words = counts.chunks(8);
        words
            .map(|word| AtomicU64::new(u64::from_ne_bytes(word.try_into().unwrap())))
            .collect()
    }

    fn of(counts: [u8; 16], granularity: Granularity) -> Coverage {
        Coverage::of(&map(counts), granularity)
    }

    #[test]
    fn hits_count_in_classes() {
        let once = |count| {
            let mut counts = [0; 16];
            counts[9] = count;
            of(counts, Granularity::Hits)
        };
        let bounds = [1, 2, 3, 4, 8, 16, 32, 128];
        for (&low, high) in bounds.iter().zip([1, 2, 3, 7, 15, 31, 127, 255]) {
            assert_eq!(once(low), once(high), "{low} and {high}");
            assert_ne!(once(low), once(low - 1), "{low}");
        }
    }

    #[test]
    fn edges_count_once_and_by_their_place() {
        let some = |at: usize, count| {
            let mut counts = [0; 16];
            counts[at] = count;
            of(counts, Granularity::Edges)
        };
        assert_eq!(some(3, 1), some(3, 200));
        assert_ne!(some(3, 1), some(11, 1));
        assert_eq!(some(3, 1).edges(), 1);
        assert_eq!(of([7; 16], Granularity::Edges).edges(), 16);
        assert_eq!(of([0; 16], Granularity::Hits).edges(), 0);
    }

    #[test]
    fn edges_that_were_taken_are_numbers() {
        let mut counts = [0; 16];
        (counts[1], counts[9]) = (5, 1);
        let all = |granularity| taken(&map(counts), granularity);
        assert_eq!(all(Granularity::Hits), [(1 << 8) | 8, (9 << 8) | 1]);
        assert_eq!(all(Granularity::Edges), [(1 << 8) | 1, (9 << 8) | 1]);
    }

    #[test]
    fn a_map_is_cleared() {
        let map = map([5; 16]);
        clear(&map);
        assert_eq!(Coverage::of(&map, Granularity::Hits).edges(), 0);
    }
}
