use super::program::items::Items;
use super::root::RootKind;
use super::search::Search;
use crate::tree::{Gone, NodeId, Outline};
use nubbin_edit::Edit;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Nodes of trees, each with the number of its tree.
pub(super) type Bodies = Vec<(u32, NodeId)>;

/// The items of a program and their needs, in two variants.
#[derive(Debug)]
pub(super) struct Variants {
    /// The variant in which each item needs every item that it names.
    pub(super) whole: Items,
    /// The variant in which an item that only bodies name is not needed.
    pub(super) lean: Items,
    pub(super) bodies: Bodies,
}

/// The search of [`AtPositions`](super::AtPositions).
#[derive(Clone)]
pub(super) struct Keeping {
    outlines: Arc<[Arc<Outline>]>,
    variants: Arc<Variants>,
    comments: Arc<[(u32, NodeId)]>,
    roots: Arc<[(u32, RootKind)]>,
    /// Whether values may be given by the position of members in their type.
    by_position: bool,
    step: Step,
    /// The set of items that the adopted candidates keep.
    kept: KeptItems,
    gone: Vec<bool>,
    gone_nodes: Vec<Gone>,
    asked: Option<(KeptItems, Vec<u32>)>,
    /// The number of tests without an adoption; `None` after an adoption.
    rejected: Option<u32>,
}

/// A set of items to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct KeptItems {
    /// The last kind of position that is included.
    upto: RootKind,
    /// Whether more is kept than the positions reach: the way to them from their users, entry
    /// points, statements without a name, and members of types.
    more: bool,
    /// Whether bodies without a position are replaced.
    lean: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    First,
    /// The first candidate was not adopted.
    Second,
    Lean,
    Without(RootKind),
    End,
}

/// The number of tests without an adoption, at the beginning, after which the positions do not
/// help.
const MAX_REJECTED: u32 = 2;

/// The divisor of a weight that gives the least weight to save by a test.
const MIN_SAVED_DIVISOR: u64 = 50;

/// The divisor of the weight of all items that gives the most weight of small statements without a
/// name that are kept at once.
const MAX_ENTRIES_DIVISOR: u64 = 40;

/// The largest weight of such a statement.
const MAX_ENTRY_WEIGHT: u32 = 256;

/// The largest number of such statements.
const MAX_ENTRIES: usize = 64;

/// The largest number of items on the way to a position.
const MAX_USERS: usize = 8;

impl Keeping {
    pub(super) fn new(
        outlines: Vec<Arc<Outline>>,
        variants: Variants,
        comments: Vec<(u32, NodeId)>,
        roots: Vec<(u32, RootKind)>,
    ) -> Option<Self> {
        let count = variants.whole.all.len();
        if roots.is_empty() || count < 2 {
            return None;
        }
        let mut keeping = Keeping {
            gone: vec![false; count],
            gone_nodes: vec![Gone::default(); outlines.len()],
            by_position: outlines
                .iter()
                .any(|it| it.grammar().conventions().by_position),
            outlines: outlines.into(),
            variants: Arc::new(variants),
            comments: comments.into(),
            roots: roots.into(),
            step: Step::First,
            kept: KeptItems {
                upto: RootKind::Note,
                more: false,
                lean: false,
            },
            asked: None,
            rejected: Some(0),
        };
        keeping.add_small_entries();
        Some(keeping)
    }

    fn weight(&self, is_in: &[bool]) -> u64 {
        let items = self.variants.whole.all.iter().zip(is_in);
        let weights = items.filter(|(_, is_in)| **is_in);
        weights.map(|(item, _)| u64::from(item.weight)).sum()
    }

    /// Adds the first small statements without a name that need little: imports, the name of a
    /// package.
    fn add_small_entries(&mut self) {
        let items = &self.variants.whole;
        let all = self.weight(&vec![true; items.all.len()]);
        let mut reached = self.reached(self.kept);
        let mut weight = self.weight(&reached);
        let most = weight + all / MAX_ENTRIES_DIVISOR;
        let small = (0..).zip(&items.all).filter(|(_, item)| {
            item.is_root && items.is_outer(item) && item.weight <= MAX_ENTRY_WEIGHT
        });
        let small: Vec<u32> = small.map(|(at, _)| at).take(MAX_ENTRIES).collect();
        let mut roots = self.roots.to_vec();
        for at in small {
            let mut with = reached.clone();
            items.reach([at], &mut with);
            let more = self.weight(&with);
            if more <= most && more - weight <= u64::from(MAX_ENTRY_WEIGHT) {
                (reached, weight) = (with, more);
                roots.push((at, RootKind::Failure));
            }
        }
        self.roots = roots.into();
    }

    /// Returns the items of a set.
    fn reached(&self, kept: KeptItems) -> Vec<bool> {
        let items = match kept.lean {
            true => &self.variants.lean,
            false => &self.variants.whole,
        };
        let roots = self.roots.iter().filter(|(_, kind)| *kind <= kept.upto);
        let mut reached = vec![false; items.all.len()];
        items.reach(roots.map(|&(at, _)| at), &mut reached);
        if !kept.more {
            return reached;
        }
        self.add_users(&mut reached);
        let all = (0..).zip(&items.all);
        let entries = all.filter(|(_, item)| item.is_root && items.is_outer(item));
        let entries: Vec<u32> = entries.map(|(at, _)| at).collect();
        items.reach(entries, &mut reached);
        match self.by_position {
            true => items.with_variables(&reached),
            false => items.with_members(&reached, |_| true),
        }
    }

    /// Adds a way to each position from items that use it, up to one that nothing uses: a compiler
    /// drops functions that are not called.
    fn add_users(&self, reached: &mut Vec<bool>) {
        let items = &self.variants.whole;
        let all = self.weight(&vec![true; items.all.len()]);
        let mut users: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (at, item) in (0..).zip(&items.all) {
            for &need in item.needs.iter().filter(|need| Some(**need) != item.around) {
                users.entry(need).or_default().push(at);
            }
        }
        for &(root, _) in &*self.roots {
            let (mut at, mut seen) = (root, vec![root]);
            for _ in 0..MAX_USERS {
                let of = users.get(&at).into_iter().flatten();
                let new = of.filter(|user| !seen.contains(user));
                let lightest = new.min_by_key(|user| items.all[**user as usize].weight);
                let Some(&user) = lightest else {
                    break;
                };
                let mut with = reached.clone();
                items.reach([user], &mut with);
                if self.weight(&with) * 2 > all {
                    break;
                }
                *reached = with;
                seen.push(user);
                at = user;
            }
        }
    }

    /// Returns the set of a step.
    fn set(&self, step: Step) -> Option<KeptItems> {
        Some(match step {
            Step::First => self.kept,
            Step::Second => KeptItems {
                more: true,
                ..self.kept
            },
            Step::Lean => KeptItems {
                lean: true,
                ..self.kept
            },
            Step::Without(kind) => KeptItems {
                upto: match kind {
                    RootKind::Note => RootKind::Step,
                    _ => RootKind::Failure,
                },
                ..self.kept
            },
            Step::End => return None,
        })
    }

    fn next(step: Step, adopted: bool) -> Step {
        match (step, adopted) {
            (Step::First, false) => Step::Second,
            (Step::First | Step::Second, true) => Step::Lean,
            (Step::Lean, _) => Step::Without(RootKind::Note),
            (Step::Without(RootKind::Note), true) => Step::Without(RootKind::Step),
            _ => Step::End,
        }
    }

    /// Returns the items that are there and not in a set, with the weight that their removal saves,
    /// and the weight of all that is there.
    fn others(&self, kept: KeptItems) -> (Vec<u32>, u64, u64) {
        let reached = self.reached(kept);
        let left: Vec<bool> = self.gone.iter().map(|is_gone| !is_gone).collect();
        let others: Vec<bool> = reached
            .iter()
            .zip(&left)
            .map(|(in_it, left)| !in_it & left)
            .collect();
        let bodies = match kept.lean && !self.kept.lean {
            true => self.weight_of_bodies(),
            false => 0,
        };
        let saved = self.weight(&others) + bodies;
        let items = (0..).zip(&others).filter(|(_, is_in)| **is_in);
        let items = items.map(|(at, _)| at).collect();
        (items, saved, self.weight(&left))
    }

    fn weight_of_bodies(&self) -> u64 {
        let bodies = self.variants.bodies.iter();
        let lens = bodies.map(|&(tree, node)| {
            let is_gone = self.gone_nodes[tree as usize].contains(node);
            let len = self.outlines[tree as usize].node(node).span.len();
            if is_gone { 0 } else { u64::from(len) }
        });
        lens.sum()
    }

    fn edit(&self, kept: KeptItems, others: &[u32]) -> Edit {
        let items = &self.variants.whole;
        let removal = items.removal(&self.outlines, &self.gone_nodes, others, &self.comments);
        if !kept.lean {
            return removal;
        }
        let trees = (0..).zip(&*self.outlines);
        let stubs = trees.flat_map(|(tree, outline)| {
            let bodies = self.variants.bodies.iter().filter(|(of, _)| *of == tree);
            let edit = outline.stub(bodies.map(|&(_, node)| node));
            edit.splices().to_vec()
        });
        let stubs = Edit::new(stubs).unwrap_or_else(|_| Edit::none());
        removal.combine(&stubs).unwrap_or(removal)
    }
}

impl Search for Keeping {
    fn propose(&mut self) -> Option<Edit> {
        loop {
            let kept = self.set(self.step)?;
            let (others, saved, all) = self.others(kept);
            if saved * MIN_SAVED_DIVISOR >= all.max(1) {
                let edit = self.edit(kept, &others);
                self.asked = Some((kept, others));
                return Some(edit);
            }
            // The slice is the whole text, or nearly so.
            self.step = Keeping::next(self.step, true);
        }
    }

    fn settle(&mut self, adopted: bool) {
        let Some((kept, others)) = self.asked.take() else {
            return;
        };
        if adopted {
            self.rejected = None;
            self.kept = kept;
            for at in others {
                self.gone[at as usize] = true;
                let item = &self.variants.whole.all[at as usize];
                self.gone_nodes[item.tree as usize].insert(item.node);
            }
        }
        self.step = Keeping::next(self.step, adopted);
        if let (false, Some(before)) = (adopted, self.rejected) {
            self.rejected = Some(before + 1);
            if before + 1 == MAX_REJECTED {
                self.step = Step::End;
            }
        }
    }
}
