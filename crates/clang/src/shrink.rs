//! Smaller slices that clang still accepts.

use crate::closure::Closure;
use crate::repair::{Errors, Finder, OVERHEAD, Source};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The maximum number of bytes that are parsed to shrink one slice.
const BYTES: u64 = 64 << 20;

/// The part of the budget that one part may take.
const SHARE: u64 = 4;

/// The bytes that may be parsed for one part, in multiples of the slice. An attempt that takes more
/// ends with nearly all of the part.
const MAX_PARSES: u64 = 8;

/// The number of times that something of a part is taken back before it is tried in halves.
const ROUNDS: usize = 200;

/// The number of items of a part in which all items are tried again that a larger part needed.
const FINE: usize = 8;

/// The part of a slice that may be added to it at once.
const LIGHT: u64 = 16;

/// The number of bytes that may be added to a slice at once.
const LIGHT_BYTES: u64 = 1 << 10;

/// Removes the parts of a slice that clang does not miss, in parts of decreasing size. If clang
/// misses something in a part, its errors name the missing items, which are kept with their needs.
///
/// `roots` are kept with the items to which they refer. The errors of the whole text that clang
/// reports for the slice, and the warnings at the roots, are also kept. If `keeps_special` is set,
/// kept classes keep the functions that create, copy, and destroy their objects.
pub(crate) fn shrink<'g>(
    finder: &Finder<'g>,
    closure: &Closure<'g>,
    roots: &[u32],
    keeps_special: bool,
    source: &Source<'_>,
) -> Closure<'g> {
    let mut budget = BYTES;
    let mut best = closure.only_references();
    let mut must = best.empty();
    must.add(roots.iter().copied());
    if keeps_special {
        let members = must.special_members();
        must.add(members);
        best.add(must.items());
    }
    let Some(first) = finder.errors(&best, source, &mut budget) else {
        return best;
    };
    // A program that has to run needs no warning.
    let warned = if source.run.is_some() { &[] } else { roots };
    let search = Search {
        finder,
        source,
        roots: warned,
        wanted: finder.wanted(&first, warned),
        left: first.new.into_iter().map(|error| error.message).collect(),
    };
    let mut len = best.items().len();
    // Each smaller part needs everything that a part needs, unless the needs of this part itself
    // are removed.
    let mut needed = must.clone();
    loop {
        let units_without = |needed: &Closure<'_>| {
            let mut units = best.items();
            units.retain(|at| !needed.kept[*at as usize]);
            units
        };
        let mut units = units_without(&needed);
        if units.len() < len || len <= FINE {
            needed.clone_from(&must);
            units = units_without(&needed);
        }
        // In most texts, a declaration comes before its uses, so the last units are removed first.
        units.reverse();
        for part in units.chunks(len.max(1)) {
            if budget < best.weight() || source.deadline.is_over() {
                return best;
            }
            // A part that cannot be removed may require one item after another.
            let weight = best.weight() + OVERHEAD;
            let most = (budget / SHARE).min(weight * MAX_PARSES);
            let mut share = most.max(weight * 2).min(budget);
            budget -= share;
            let mut missed = vec![];
            let smaller = search.without(&best, (part, &needed), &mut missed, &mut share);
            if let Some(smaller) = smaller {
                best = smaller;
            }
            if len > FINE {
                needed.add(missed);
            }
            budget += share;
        }
        if len <= 1 {
            return best;
        }
        len /= 2;
    }
}

/// The search for a smaller slice, with the messages that each slice is compared by.
struct Search<'a, 'g> {
    finder: &'a Finder<'g>,
    source: &'a Source<'a>,
    roots: &'a [u32],
    /// The messages that a slice has to keep.
    wanted: FxHashSet<String>,
    /// The messages of new errors that a slice may have.
    left: FxHashSet<String>,
}

impl<'g> Search<'_, 'g> {
    /// Returns a slice without a part of it, but with the items of the part that clang misses,
    /// which are added to `missed`. The items of `needed` are kept. Returns `None` if clang misses
    /// nearly all of the part, or does not name the missing items.
    fn without(
        &self,
        slice: &Closure<'g>,
        (part, needed): (&[u32], &Closure<'g>),
        missed: &mut Vec<u32>,
        budget: &mut u64,
    ) -> Option<Closure<'g>> {
        let kept = part.iter().copied();
        let part: Vec<u32> = kept.filter(|at| slice.kept[*at as usize]).collect();
        let mut smaller = slice.without(&part, needed)?;
        let before = slice.weight();
        for round in 0..ROUNDS {
            if round > 0 && self.source.deadline.is_over() {
                return None;
            }
            let mut errors = self.finder.errors(&smaller, self.source, budget)?;
            errors
                .new
                .retain(|error| !self.left.contains(&error.message));
            let there = self.finder.wanted(&errors, self.roots);
            let lost = self.wanted.iter().any(|message| !there.contains(message));
            let lost = lost || !errors.lost.is_empty();
            if errors.new.is_empty() && !lost {
                return (smaller.weight() < before).then_some(smaller);
            }
            if errors.new.is_empty() || part.len() == 1 {
                return None;
            }
            // Of the missing items, only items of the previous slice may be added again.
            let mut others = smaller.clone();
            for (kept, allowed) in others.kept.iter_mut().zip(&slice.kept) {
                *kept |= !allowed;
            }
            let found = self.lacking((&smaller, &others), &errors, budget);
            if found.is_empty() {
                return None;
            }

            missed.extend(&found);
            smaller.add(found);
            if smaller.weight() >= before {
                return None;
            }
        }
        None
    }

    /// Returns the items that a slice lacks according to its errors. `others` also receives the
    /// items that must not be added.
    ///
    /// An error names all that may be lacking, such as each constructor of a class, and one of them
    /// may need half of a library. If all of that is much, it is what the first error lacks alone,
    /// by bisection from the lightest.
    fn lacking(
        &self,
        (slice, others): (&Closure<'_>, &Closure<'_>),
        errors: &Errors,
        budget: &mut u64,
    ) -> BTreeSet<u32> {
        let (finder, source) = (self.finder, self.source);
        let is_missing = |at: &u32| !others.kept[*at as usize];
        let all = finder.all_lacking(others, errors, source);
        let all: BTreeSet<u32> = all.into_iter().filter(is_missing).collect();
        let before = slice.weight();
        let with = |items: &[u32]| {
            let mut with = slice.clone();
            with.add(items.iter().copied());
            with
        };
        let added = |items: &[u32]| with(items).weight().saturating_sub(before);
        let limit = (before / LIGHT).max(LIGHT_BYTES);
        let together: Vec<u32> = all.iter().copied().collect();
        if added(&together) <= limit {
            return all;
        }
        let Some((first, found)) = errors.new.iter().find_map(|error| {
            let found = finder.lacking(others, error, errors, source);
            let found: BTreeSet<u32> = found.into_iter().filter(is_missing).collect();
            (!found.is_empty()).then_some((error, found))
        }) else {
            return all;
        };
        let mut weights: Vec<(u64, u32)> = found.iter().map(|at| (added(&[*at]), *at)).collect();
        weights.sort_unstable();
        let mut left: Vec<u32> = weights.into_iter().map(|(_, at)| at).collect();
        while left.len() > 1 && !source.deadline.is_over() {
            let (light, heavy) = left.split_at(left.len().div_ceil(2));
            let mut solves = |items: &[u32]| {
                let after = finder.errors(&with(items), source, budget)?;
                Some(!after.has(first, errors))
            };
            left = match solves(light) {
                Some(false) if solves(heavy) == Some(true) => heavy.to_vec(),
                // If items of both halves are missing, the next error reports it.
                _ => light.to_vec(),
            };
        }
        left.into_iter().collect()
    }
}
