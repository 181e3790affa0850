use super::{Document, Machine, Work};
use nubbin_edit::{Edit, File, Span};
use std::ops::Range;
use std::sync::Arc;

/// The number of bytes that may be written to measure all groups of steps. A large file has fewer
/// groups, and so larger ones.
const MAX_WRITTEN: usize = 32 << 20;

/// The divisor of the size of the file that gives the bytes which a group must save. Smaller cuts
/// are left to passes that join them.
const LEAST_SHARE: usize = 64;

/// The limit on the halvings of a list before the first test.
const MAX_HALVINGS: u32 = 7;

/// The limit on the doublings of the number of cuts that are made together.
const MAX_DOUBLINGS: u32 = 16;

/// Returns the work on a file that makes the large cuts first, from all lists of steps.
///
/// A *cut* is a group of neighbors of a list of steps. The file after a cut is written before any
/// test, so the saving of the cut is known and not guessed. For example, one input that selects a
/// part of a circuit may save more than half of the gates. The cut with the greatest expected
/// saving is tested next. For a cut that saves a share `s`, the expected saving is `s (1 - s)`,
/// since a cut that leaves little is likely to be rejected, times the share of earlier cuts of its
/// list that were adopted.
///
/// After each success, twice as many cuts of that list are made together, up to half of the file. A
/// cut that failed is divided. Larger cuts around it, and those that save less than a 64th of the
/// file, are not made.
///
/// The first proposals are the file as it is written without any step, and after each of the
/// `first` steps, which cost little and make others save more. Each proposal replaces the
/// whole file, and outranks earlier ones.
pub fn largest_cuts<D: Document>(
    file: &File<'_>,
    document: Arc<D>,
    first: Vec<D::Step>,
    lists: Vec<Vec<D::Step>>,
) -> Option<Work> {
    let written = document.write(&[]);
    let (mut steps, mut ranges): (_, Vec<Range<u32>>) = (first, vec![]);
    let first = 0..steps.len() as u32;
    for list in lists.into_iter().filter(|list| !list.is_empty()) {
        let start = steps.len() as u32;
        steps.extend(list);
        ranges.push(start..steps.len() as u32);
    }
    let groups = MAX_WRITTEN / written.len().max(file.text.len()).max(1);
    if written.is_empty() || ranges.is_empty() || groups < 2 * ranges.len() {
        return None;
    }
    let alone = |steps: Range<u32>| Cut {
        steps,
        kind: ranges.len(),
        bytes: written.len(),
        is_known: true,
    };
    let is_clean = written == file.text;
    let clean = (!is_clean).then(|| alone(0..0));
    let each = first.map(|step| alone(step..step + 1));
    let machine = LargestCuts {
        taken: vec![false; steps.len()],
        first: clean.into_iter().chain(each).rev().collect(),
        // A cut of unknown effect counts as if it removed half.
        cuts: divided(&ranges, groups, written.len() / 2),
        kinds: vec![Kind::default(); ranges.len() + 1],
        bytes: written.len(),
        asked: None,
        rank: 1,
        shared: Arc::new(Shared {
            document,
            steps,
            file: file.span,
        }),
    };
    Some(Work::Machine(Box::new(machine)))
}

/// Returns the parts of all lists: halves, quarters, and so on, as many as may be written.
fn divided(lists: &[Range<u32>], groups: usize, bytes: usize) -> Vec<Cut> {
    let cut = |steps: Range<u32>, kind: usize| Cut {
        steps,
        kind,
        bytes,
        is_known: false,
    };
    let mut cuts: Vec<Cut> = vec![];
    let mut last: Vec<Cut> = (0..)
        .zip(lists)
        .map(|(kind, list)| cut(list.clone(), kind))
        .collect();
    for _ in 0..=MAX_HALVINGS {
        cuts.append(&mut last.clone());
        let halves = last.iter().flat_map(|whole| whole.halves());
        last = halves.collect();
        if cuts.len() + last.len() > groups {
            break;
        }
    }
    cuts
}

/// A machine of cuts, see [`largest_cuts`].
struct LargestCuts<D: Document> {
    shared: Arc<Shared<D>>,
    /// Whether each step was adopted.
    taken: Vec<bool>,
    /// The steps that come before all cuts, in reverse order.
    first: Vec<Cut>,
    cuts: Vec<Cut>,
    /// The outcomes of the cuts of each list, and of the first steps.
    kinds: Vec<Kind>,
    /// The size of the file after the adopted steps.
    bytes: usize,
    /// The current proposal: the cuts, and the size of the file after them.
    asked: Option<(Vec<Cut>, usize, Edit)>,
    rank: u32,
}

struct Shared<D: Document> {
    document: Arc<D>,
    steps: Vec<D::Step>,
    file: Span,
}

/// A group of steps of one list.
#[derive(Clone)]
struct Cut {
    steps: Range<u32>,
    kind: usize,
    /// The measured or estimated size of the file after the cut.
    bytes: usize,
    /// Whether the size was measured since the last cut was adopted.
    is_known: bool,
}

/// The outcomes of the cuts of one list.
#[derive(Clone, Copy, Default)]
struct Kind {
    tried: u32,
    adopted: u32,
    /// The number of successes since the last failure.
    streak: u32,
}

impl Cut {
    fn halves(&self) -> Vec<Cut> {
        let Range { start, end } = self.steps;
        let middle = start + (end - start) / 2;
        let part = |steps: Range<u32>| Cut {
            steps,
            is_known: false,
            ..self.clone()
        };
        match end - start {
            0 | 1 => vec![],
            _ => vec![part(start..middle), part(middle..end)],
        }
    }
}

impl Kind {
    /// Returns the share of adopted cuts, as if there had been two more: one adopted and one not.
    fn chance(self) -> f64 {
        f64::from(self.adopted + 1) / f64::from(self.tried + 2)
    }
}

impl<D: Document> LargestCuts<D> {
    /// Returns the file after the adopted steps and the steps of some cuts.
    fn write(&self, cuts: &[Cut]) -> Vec<u8> {
        let mut taken = self.taken.clone();
        for at in cuts.iter().flat_map(|cut| cut.steps.clone()) {
            taken[at as usize] = true;
        }
        let steps = self.shared.steps.iter().zip(taken);
        let steps: Vec<&D::Step> = steps
            .filter(|(_, is_taken)| *is_taken)
            .map(|(step, _)| step)
            .collect();
        self.shared.document.write(&steps)
    }

    fn worth(&self, cut: &Cut) -> f64 {
        let left = cut.bytes as f64 / self.bytes.max(1) as f64;
        (1.0 - left) * left * self.kinds[cut.kind].chance()
    }

    /// Returns the position of the cut with the greatest expected saving. Sizes that were measured
    /// before the last cut was adopted are measured again only for the cuts that seem best.
    fn best(&mut self) -> Option<usize> {
        loop {
            let worths = (0..).zip(self.cuts.iter().map(|cut| self.worth(cut)));
            let first_best = |best: (usize, f64), next: (usize, f64)| match next.1 > best.1 {
                true => next,
                false => best,
            };
            let (at, worth) = worths.reduce(first_best)?;
            // The cut would remove the whole text.
            if worth <= 0.0 {
                return None;
            }
            if self.cuts[at].is_known {
                return Some(at);
            }
            let bytes = self.write(&self.cuts[at..=at]).len();
            let cut = &mut self.cuts[at];
            (cut.bytes, cut.is_known) = (bytes, true);
            if self.bytes.saturating_sub(bytes) < self.bytes / LEAST_SHARE {
                self.cuts.swap_remove(at);
            }
        }
    }

    /// Returns the next cuts that are made together.
    fn together(&mut self) -> Option<Vec<Cut>> {
        if let Some(cut) = self.first.pop() {
            return Some(vec![cut]);
        }
        let best = self.best()?;
        let best = self.cuts.swap_remove(best);
        let most = 1_usize << self.kinds[best.kind].streak.min(MAX_DOUBLINGS);
        let mut room = (self.bytes / 2).saturating_sub(self.bytes - best.bytes);
        let (kind, mut cuts) = (best.kind, vec![best]);
        let is_alike = |cut: &&Cut| cut.kind == kind && cut.bytes < self.bytes;
        let mut others: Vec<Cut> = self.cuts.iter().filter(is_alike).cloned().collect();
        others.sort_by(|one, other| self.worth(other).total_cmp(&self.worth(one)));
        for other in others {
            let meets =
                |cut: &Cut| cut.steps.start < other.steps.end && other.steps.start < cut.steps.end;
            let saves = self.bytes - other.bytes;
            if cuts.len() < most && saves <= room && !cuts.iter().any(meets) {
                room -= saves;
                cuts.push(other);
            }
        }
        Some(cuts)
    }

    /// Divides a cut that failed, and removes those around it.
    fn divide(&mut self, cut: &Cut) {
        let is_around = |other: &Cut| {
            other.kind == cut.kind
                && other.steps.start <= cut.steps.start
                && cut.steps.end <= other.steps.end
        };
        self.cuts.retain(|other| !is_around(other));
        let is_new = |half: &Cut| !self.cuts.iter().any(|other| other.steps == half.steps);
        let halves: Vec<Cut> = cut.halves().into_iter().filter(is_new).collect();
        self.cuts.extend(halves);
    }
}

impl<D: Document> Machine for LargestCuts<D> {
    fn next(&mut self) -> Option<Edit> {
        if self.asked.is_none() {
            let cuts = self.together()?;
            let text = self.write(&cuts);
            let edit = Edit::replace(self.shared.file, &text).ranked(self.rank);
            self.asked = Some((cuts, text.len(), edit));
        }
        self.asked.as_ref().map(|(.., edit)| edit.clone())
    }

    fn record(&mut self, adopted: bool) {
        let Some((cuts, bytes, _)) = self.asked.take() else {
            return;
        };
        let Some(kind) = cuts.first().map(|cut| cut.kind) else {
            return;
        };
        let kind = &mut self.kinds[kind];
        kind.streak = if adopted { kind.streak + 1 } else { 0 };
        match cuts.as_slice() {
            // If several cuts failed together, it is unknown which one is needed.
            [_, _, ..] if !adopted => {}
            _ => {
                kind.tried += 1;
                kind.adopted += u32::from(adopted);
            }
        }
        if adopted {
            self.rank += 1;
            for at in cuts.into_iter().flat_map(|cut| cut.steps) {
                self.taken[at as usize] = true;
            }
            for other in &mut self.cuts {
                let share = other.bytes as f64 / self.bytes.max(1) as f64;
                other.bytes = (share * bytes as f64) as usize;
                other.is_known = false;
            }
            self.bytes = bytes;
            self.cuts
                .retain(|cut| !cut.steps.clone().all(|at| self.taken[at as usize]));
        } else if let [cut] = cuts.as_slice() {
            self.divide(cut);
        } else {
            // The other cuts are tried again.
            self.cuts.extend(cuts.into_iter().take(1));
        }
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(LargestCuts {
            shared: Arc::clone(&self.shared),
            taken: self.taken.clone(),
            first: self.first.clone(),
            cuts: self.cuts.clone(),
            kinds: self.kinds.clone(),
            bytes: self.bytes,
            asked: self.asked.clone(),
            rank: self.rank,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_edit::Input;

    /// Blocks of a text, each with its letter and length. A step deletes a block.
    struct Text(Vec<(u8, usize)>);

    impl Document for Text {
        type Step = u8;

        fn write(&self, steps: &[&u8]) -> Vec<u8> {
            let blocks = self.0.iter();
            let left = blocks.filter(|(letter, _)| !steps.contains(&letter));
            left.flat_map(|&(letter, len)| std::iter::repeat_n(letter, len))
                .collect()
        }
    }

    /// Returns the letters of each proposal, of which those are adopted that contain `needed`.
    fn proposals(lists: &[&[u8]], first: &[u8], needed: &[u8]) -> Vec<String> {
        let lens = [1, 100, 1, 1, 40, 1, 1, 60];
        let text = Text((b'a'..).zip(lens).collect());
        let input = Input::single("x", text.write(&[])).unwrap();
        let file = input.file(0).unwrap();
        let lists = lists.iter().map(|list| list.to_vec()).collect();
        let work = largest_cuts(&file, Arc::new(text), first.to_vec(), lists);
        let Some(Work::Machine(mut machine)) = work else {
            return vec![];
        };
        let proposed = || {
            let edit = machine.next()?;
            let mut text = edit.render(input.bytes());
            text.dedup();
            machine.record(needed.iter().all(|letter| text.contains(letter)));
            Some(String::from_utf8(text).unwrap())
        };
        std::iter::from_fn(proposed).collect()
    }

    #[test]
    fn the_cut_that_leaves_half_is_the_first_of_all_lists() {
        let all = proposals(&[b"acdfg", b"eb", b"h"], &[], b"b");
        assert_eq!(all, ["acdefgh", "abcdefg", "abcdfg", "b"]);
    }

    #[test]
    fn a_cut_that_fails_is_divided_and_not_made_larger() {
        let all = proposals(&[b"abcdefgh"], &[], b"bh");
        let both = |text: &String| !text.contains('b') && !text.contains('h');
        assert!(!all.iter().any(both), "{all:?}");
        assert!(all.contains(&"abcdgh".to_owned()), "{all:?}");
    }

    #[test]
    fn first_steps_come_first() {
        let all = proposals(&[b"b"], b"ag", b"bg");
        assert_eq!(all, ["bcdefgh", "bcdefh", "cdefgh"]);
    }
}
