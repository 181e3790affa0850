//! Combinations of one element from each of some columns, ordered by the sum of their counts.

/// Returns the first combinations of one element from each column whose counts sum to less than
/// `below`. The first column changes last.
///
/// The search backtracks where the rest cannot be small enough, so finding one combination takes
/// time in the sum of the columns, not in their product.
pub(super) fn smaller_combinations<P: Clone>(
    columns: &[Vec<(P, u32)>],
    below: u32,
    most: usize,
) -> Vec<(u32, Vec<P>)> {
    // The smallest possible sum of the columns from each column on.
    let mut least = vec![0u32; columns.len() + 1];
    for (at, column) in columns.iter().enumerate().rev() {
        let Some(smallest) = column.iter().map(|&(_, count)| count).min() else {
            return vec![];
        };
        least[at] = least[at + 1].saturating_add(smallest);
    }
    let mut found = vec![];
    let mut chosen: Vec<usize> = vec![];
    let mut next = 0;
    let sum = |chosen: &[usize]| -> u32 {
        let counts = chosen.iter().zip(columns);
        counts.map(|(&at, column)| column[at].1).sum()
    };
    loop {
        let at = chosen.len();
        if at == columns.len() {
            let count = sum(&chosen);
            if count < below {
                let parts = chosen.iter().zip(columns);
                found.push((
                    count,
                    parts.map(|(&at, column)| column[at].0.clone()).collect(),
                ));
                if found.len() == most {
                    return found;
                }
            }
        } else {
            let so_far = sum(&chosen);
            let fits = |&(_, count): &(P, u32)| {
                so_far.saturating_add(count).saturating_add(least[at + 1]) < below
            };
            let rest = columns[at][next..].iter().position(fits);
            if let Some(skip) = rest {
                chosen.push(next + skip);
                next = 0;
                continue;
            }
        }
        match chosen.pop() {
            Some(last) => next = last + 1,
            None => return found,
        }
    }
}

/// Columns of elements with their counts. The combinations with each sum can be listed.
pub(super) struct Columns<P> {
    columns: Vec<Vec<(P, u32)>>,
    /// For each column, the sums that are possible from this column on. The last element contains
    /// only 0.
    sums: Vec<Sums>,
}

impl<P: Clone> Columns<P> {
    /// Prepares columns for sums that are less than `below`.
    ///
    /// It takes time in the number of different counts of each column times `below`.
    pub(super) fn new(columns: Vec<Vec<(P, u32)>>, below: u32) -> Self {
        let mut sums = vec![Sums::zero(below)];
        for column in columns.iter().rev() {
            let mut counts: Vec<u32> = column.iter().map(|&(_, count)| count).collect();
            counts.sort_unstable();
            counts.dedup();
            let after = &sums[sums.len() - 1];
            sums.push(after.plus_any(&counts));
        }
        sums.reverse();
        Columns { columns, sums }
    }

    /// Returns the combination with the given sum that comes after `chosen`, or the first
    /// combination if `chosen` is empty.
    ///
    /// The first column changes last. `chosen` is set to the numbers of the returned elements. The
    /// time is one step per element that is skipped.
    pub(super) fn next(&self, sum: u32, chosen: &mut Vec<usize>) -> Option<Vec<P>> {
        let mut next = 0;
        if let Some(last) = chosen.pop() {
            next = last + 1;
        } else if !self.sums[0].contains(sum) {
            return None;
        } else if self.columns.is_empty() {
            // The only combination of zero columns is empty, so its end is marked.
            chosen.push(usize::MAX - 1);
            return Some(vec![]);
        }
        let count = |(column, &at): (usize, &usize)| self.columns[column][at].1;
        let mut rest = sum - chosen.iter().enumerate().map(count).sum::<u32>();
        while chosen.len() < self.columns.len() {
            let at = chosen.len();
            let fits = |&(_, count): &(P, u32)| {
                rest.checked_sub(count)
                    .is_some_and(|rest| self.sums[at + 1].contains(rest))
            };
            let left = self.columns[at].get(next..).unwrap_or_default();
            match left.iter().position(fits) {
                Some(skip) => {
                    chosen.push(next + skip);
                    rest -= self.columns[at][next + skip].1;
                    next = 0;
                }
                None => {
                    let last = chosen.pop()?;
                    rest += self.columns[at - 1][last].1;
                    next = last + 1;
                }
            }
        }
        if self.columns.is_empty() {
            return None;
        }
        let elements = self.columns.iter().zip(chosen.iter());
        Some(elements.map(|(column, &at)| column[at].0.clone()).collect())
    }
}

/// A set of sums below a bound, one bit each.
struct Sums(Vec<u64>);

impl Sums {
    fn zero(below: u32) -> Self {
        let mut words = vec![0; below.div_ceil(64) as usize];
        if let Some(first) = words.first_mut() {
            *first = 1;
        }
        Sums(words)
    }

    fn contains(&self, sum: u32) -> bool {
        let word = self.0.get((sum / 64) as usize);
        word.is_some_and(|word| word >> (sum % 64) & 1 == 1)
    }

    /// Returns all sums of one of these sums and one of the given counts.
    fn plus_any(&self, counts: &[u32]) -> Self {
        let mut words = vec![0; self.0.len()];
        for &count in counts {
            let (skip, shift) = ((count / 64) as usize, count % 64);
            let mut carried = 0;
            let shifted = words.iter_mut().skip(skip).zip(&self.0);
            for (word, &from) in shifted {
                *word |= from << shift | carried;
                carried = if shift == 0 { 0 } else { from >> (64 - shift) };
            }
        }
        Sums(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns all combinations by exhaustive search.
    fn all(columns: &[Vec<(usize, u32)>]) -> Vec<(u32, Vec<usize>)> {
        columns.iter().fold(vec![(0, vec![])], |before, column| {
            let pairs = before.iter().flat_map(|(sum, parts)| {
                column
                    .iter()
                    .map(move |&(part, count)| (sum + count, [&parts[..], &[part]].concat()))
            });
            pairs.collect()
        })
    }

    proptest! {
        #[test]
        fn every_combination_of_a_sum_comes_once_and_in_order(
            counts in prop::collection::vec(prop::collection::vec(1u32..90, 0..5), 0..4),
            below in 0u32..300,
        ) {
            let columns: Vec<Vec<(usize, u32)>> = counts
                .iter()
                .map(|column| column.iter().copied().enumerate().collect())
                .collect();
            let mut expected = all(&columns);
            expected.retain(|&(sum, _)| sum < below);
            expected.sort_by_key(|&(sum, _)| sum);
            let prepared = Columns::new(columns.clone(), below);
            let mut found = vec![];
            for sum in 0..below {
                let mut chosen = vec![];
                while let Some(parts) = prepared.next(sum, &mut chosen) {
                    found.push((sum, parts));
                }
            }
            prop_assert_eq!(&found, &expected);
            let mut smaller = smaller_combinations(&columns, below, usize::MAX);
            smaller.sort_by_key(|&(sum, _)| sum);
            prop_assert_eq!(smaller, expected);
        }
    }
}
