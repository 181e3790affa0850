//! Smaller slices that clang still accepts.

use crate::closure::Closure;
use crate::repair::{Finder, Source};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::time::Instant;

/// The number of times that a part is taken back before it is tried in halves.
const ROUNDS: usize = 8;

/// Leaves out of a slice what clang does not miss, in parts that become smaller. Where it misses
/// some of a part, its errors say which, and these stay with what they need.
///
/// `roots` stay with what they refer to, and so do the errors of the whole text that clang has for
/// the slice, and the warnings at the roots. If `keeps_special` is set, the classes that stay keep
/// what makes, copies, and destroys their objects. `budget` is the number of bytes to parse.
pub(crate) fn shrink<'g>(
    finder: &Finder<'g>,
    closure: &Closure<'g>,
    roots: &[u32],
    keeps_special: bool,
    source: &Source<'_>,
    budget: &mut u64,
) -> Closure<'g> {
    let mut best = closure.only_references();
    let mut must = Closure::none(best.graph, best.has_bodies);
    must.add(roots.iter().copied());
    if keeps_special {
        let members = must.special_members();
        must.add(members);
        best.add(must.items());
    }
    let Some(first) = finder.errors(&best, source, budget) else {
        return best;
    };
    let wanted = finder.wanted(&first, roots);
    let left: FxHashSet<String> = first.new.into_iter().map(|error| error.message).collect();
    let mut len = best.items().len();
    loop {
        let units = best.items();
        let mut units: Vec<u32> = units
            .into_iter()
            .filter(|at| !must.kept[*at as usize])
            .collect();
        // In most texts, a declaration comes before its uses.
        units.reverse();
        for part in units.chunks(len.max(1)) {
            if *budget == 0 || Instant::now() > source.deadline {
                return best;
            }
            let part: Vec<u32> = part
                .iter()
                .copied()
                .filter(|at| best.kept[*at as usize])
                .collect();
            let allowed = best.kept.clone();
            let Some(mut smaller) = best.without(&part, &must) else {
                continue;
            };
            let before = best.weight();
            for round in 0..ROUNDS {
                if round > 0 && Instant::now() > source.deadline {
                    break;
                }
                let Some(mut errors) = finder.errors(&smaller, source, budget) else {
                    break;
                };
                errors.new.retain(|error| !left.contains(&error.message));
                let there = finder.wanted(&errors, roots);
                let lost = wanted.iter().any(|message| !there.contains(message));
                if errors.new.is_empty() && !lost {
                    if smaller.weight() < before {
                        best = smaller;
                    }
                    break;
                }
                if errors.new.is_empty() || part.len() == 1 || round + 1 == ROUNDS {
                    break;
                }
                let found = finder.all_lacking(&smaller, &errors, source);
                let found: BTreeSet<u32> = found
                    .into_iter()
                    .filter(|at| allowed[*at as usize] && !smaller.kept[*at as usize])
                    .collect();
                if found.is_empty() {
                    break;
                }
                smaller.add(found);
                if smaller.weight() >= before {
                    break;
                }
            }
        }
        if len <= 1 {
            return best;
        }
        len /= 2;
    }
}
