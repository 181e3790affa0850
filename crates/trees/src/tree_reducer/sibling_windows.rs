use super::TreeReducer;
use super::search::{OneAtATime, Proposal, Source, may_go};
use crate::tree::{NodeId, Outline};
use nubbin_engine::work::{Lists, PassInfo, Work};
use std::sync::Arc;

/// Windows of siblings: of four adjacent parts, deletes every two, every three, or all four at
/// once.
///
/// On each level of the tree, a window slides over the removable parts, from right to left. In each
/// position every way to remove at least two of the four is tried, most at once first.
///
/// It finds parts that can only be removed together and stand close to each other, such as a
/// declaration and its use two lines below. Run it when other deletions find nothing more, since
/// each position costs eleven tests, however few of them fail.
///
/// Cost: 11 tests for each removable part.
///
/// Source: Z. Xu, Y. Tian, M. Zhang, G. Zhao, Y. Jiang, C. Sun, "Pushing the Limit of 1-Minimality
/// of Language-Agnostic Program Reduction", OOPSLA 2023 (Vulcan's local exhaustive patterns).
///
/// Changed: only parts that the grammar allows to be absent.
///
/// ```
/// use nubbin_reduce::tree_reducer::{SiblingWindows, trace};
///
/// let items = "<s> ::= <i>*\n<i> ::= [0-9]\n";
/// let pairs = |text: &str| text.contains('1') == text.contains('2') && text.contains('9');
/// assert_eq!(trace(&SiblingWindows, items, "192", pairs).texts(), ["", "2", "9"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SiblingWindows;

/// The number of parts in a window.
const WIDTH: usize = 4;

impl TreeReducer for SiblingWindows {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "sibling-windows",
            "removes two or more of four adjacent parts at once, in every combination",
            "Xu and others: Pushing the Limit of 1-Minimality (Vulcan), OOPSLA 2023",
        )
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        let mut levels: Vec<Vec<NodeId>> = vec![];
        for id in 0..outline.len() {
            if may_go(outline, id) {
                let level = outline.node(id).level as usize;
                if levels.len() <= level {
                    levels.resize_with(level + 1, Vec::new);
                }
                levels[level].push(id);
            }
        }
        levels.retain(|level| level.len() > 1);
        let mut first = vec![0];
        let mut sum = 0;
        for level in &levels {
            let width = level.len().min(WIDTH);
            sum += (level.len() - width + 1) * patterns(width).len();
            first.push(sum);
        }
        let windows = Windows {
            levels,
            first,
            patterns: (0..=WIDTH).map(patterns).collect(),
        };
        (sum > 0).then(|| OneAtATime::work(Arc::clone(outline), windows))
    }
}

/// Returns every set of at least two of `width` parts, the largest first.
fn patterns(width: usize) -> Vec<u32> {
    let mut masks: Vec<u32> = (0..1u32 << width)
        .filter(|mask| mask.count_ones() > 1)
        .collect();
    masks.sort_by_key(|mask| std::cmp::Reverse(mask.count_ones()));
    masks
}

struct Windows {
    levels: Vec<Vec<NodeId>>,
    /// The number of proposals before each level, and, at the end, of all levels.
    first: Vec<usize>,
    /// The patterns for each width of a window.
    patterns: Vec<Vec<u32>>,
}

impl Source for Windows {
    fn len(&self) -> usize {
        self.first.last().copied().unwrap_or(0)
    }

    fn proposal(&self, at: usize, _outline: &Outline) -> Proposal {
        let level = self.first.partition_point(|&first| first <= at) - 1;
        let nodes = &self.levels[level];
        let patterns = &self.patterns[nodes.len().min(WIDTH)];
        let at = at - self.first[level];
        let last = nodes.len() - at / patterns.len();
        let window = &nodes[last.saturating_sub(WIDTH)..last];
        let mask = patterns[at % patterns.len()];
        let taken = window.iter().enumerate();
        Proposal {
            remove: taken
                .filter(|(at, _)| mask >> at & 1 == 1)
                .map(|(_, &id)| id)
                .collect(),
            at_least: 2,
            ..Proposal::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws::cases::stays_in_the_grammar;
    use super::super::{Pardis, trace};
    use super::*;

    #[test]
    fn every_candidate_fits_the_grammar() {
        stays_in_the_grammar(&SiblingWindows);
    }

    #[test]
    fn dependent_parts_are_removed_together() {
        let items = "<s> ::= (<i> ';')*\n<i> ::= [a-z]\n";
        // The text keeps both `d` and `u`, or neither.
        let fails = |text: &str| text.contains('x') && text.contains('d') == text.contains('u');
        let text = "d;x;u;";
        assert_eq!(trace(&Pardis::plain(), items, text, fails).result, text);
        assert_eq!(trace(&SiblingWindows, items, text, fails).result, "x;");
    }
}
