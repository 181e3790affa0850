use super::item::Conditional;
use super::item::{Item, Items};
use rustc_hash::FxHashMap;

impl Items {
    /// Returns whether all items around an item are namespaces.
    pub(in crate::tree_reducer) fn is_outer(&self, item: &Item) -> bool {
        let around = |item: &Item| item.around.map(|around| &self.all[around as usize]);
        std::iter::successors(around(item), |&outer| around(outer)).all(|outer| outer.is_namespace)
    }

    /// Returns the items that are needed where the item around them is, with that item.
    pub(super) fn roots_inside(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..).zip(&self.all).filter_map(|(at, item)| {
            let around = item.around.filter(|_| item.is_root)?;
            (!self.all[around as usize].is_namespace).then_some((at, around))
        })
    }

    /// Adds to a set of items all items that they need.
    pub(in crate::tree_reducer) fn reach(
        &self,
        from: impl IntoIterator<Item = u32>,
        reached: &mut [bool],
    ) {
        let mut inside: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (at, around) in self.roots_inside() {
            inside.entry(around).or_default().push(at);
        }
        self.reach_with(&inside, from, reached);
    }

    /// Returns a set of items with all items that they need, where a type needs all its variables.
    pub(in crate::tree_reducer) fn with_variables(&self, set: &[bool]) -> Vec<bool> {
        self.with_members(set, |item| item.is_variable)
    }

    /// Returns a set of items with all items that they need, where a type needs these members.
    pub(in crate::tree_reducer) fn with_members(
        &self,
        set: &[bool],
        is_needed: impl Fn(&Item) -> bool,
    ) -> Vec<bool> {
        let mut inside: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (at, item) in (0..).zip(&self.all) {
            if let Some(around) = item.around
                && (item.is_root || is_needed(item))
                && !self.all[around as usize].is_namespace
            {
                inside.entry(around).or_default().push(at);
            }
        }
        let mut reached = vec![false; set.len()];
        let from = (0..).zip(set).filter(|(_, is_in)| **is_in);
        self.reach_with(&inside, from.map(|(at, _)| at), &mut reached);
        reached
    }

    /// Adds to a set of items all items that they need, and the items inside them.
    fn reach_with(
        &self,
        inside: &FxHashMap<u32, Vec<u32>>,
        from: impl IntoIterator<Item = u32>,
        reached: &mut [bool],
    ) {
        let missing = |one: &Conditional| {
            one.others.len() + usize::from(one.name.is_some()) + usize::from(one.is_member)
        };
        let mut missing: Vec<usize> = self.conditional.iter().map(missing).collect();
        let mut is_mentioned = vec![false; self.awaited.len()];
        let mut todo: Vec<u32> = from.into_iter().collect();
        // Items that are already needed fulfill conditions as well.
        let before = (0..).zip(&*reached).filter(|(_, is_in)| **is_in);
        let before: Vec<u32> = before.map(|(at, _)| at).collect();
        let mut meet = |at: u32, todo: &mut Vec<u32>| {
            let mut count = |number: u32, todo: &mut Vec<u32>| {
                let missing = &mut missing[number as usize];
                *missing -= 1;
                if *missing == 0 {
                    todo.push(self.conditional[number as usize].item);
                }
            };
            let item = &self.all[at as usize];
            for &name in &item.names {
                if std::mem::replace(&mut is_mentioned[name as usize], true) {
                    continue;
                }
                let awaited = self.awaited[name as usize].iter();
                awaited.for_each(|&number| count(number, todo));
            }
            item.members.iter().for_each(|&number| count(number, todo));
        };
        before.into_iter().for_each(|at| meet(at, &mut todo));
        while let Some(at) = todo.pop() {
            if std::mem::replace(&mut reached[at as usize], true) {
                continue;
            }
            let item = &self.all[at as usize];
            todo.extend(&item.needs);
            todo.extend(inside.get(&at).into_iter().flatten());
            meet(at, &mut todo);
        }
    }
}
