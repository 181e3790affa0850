use super::item::{Conditional, Items};
use rustc_hash::FxHashMap;

/// The numbers of declared names among those that conditional items wait for.
pub(super) struct AwaitedNames {
    /// The items that have each declared name.
    pub(super) users: Vec<Vec<u32>>,
    pub(super) numbers: Vec<Option<u32>>,
}

impl AwaitedNames {
    pub(super) fn number(&mut self, nth: u32, items: &mut Items) -> u32 {
        let number = &mut self.numbers[nth as usize];
        *number.get_or_insert_with(|| items.name(&self.users[nth as usize]))
    }
}

impl Items {
    /// Divides the definitions of a name into those that are needed on conditions, and others.
    pub(super) fn divide(
        &self,
        definitions: &[u32],
        named: &FxHashMap<u32, Vec<u32>>,
    ) -> (Vec<u32>, Vec<u32>) {
        let is_conditional = |at: &u32| self.is_member(*at) || named.contains_key(at);
        definitions.iter().copied().partition(is_conditional)
    }

    /// Returns the number of a name that conditional items wait for.
    pub(super) fn name(&mut self, users: &[u32]) -> u32 {
        let name = self.awaited.len() as u32;
        self.awaited.push(vec![]);
        for &user in users {
            let names = &mut self.all[user as usize].names;
            if names.last() != Some(&name) {
                names.push(name);
            }
        }
        name
    }

    /// Records definitions of a name that are needed on conditions.
    pub(super) fn await_name(
        &mut self,
        name: u32,
        definitions: &[u32],
        named: &FxHashMap<u32, Vec<u32>>,
        names: &mut AwaitedNames,
    ) {
        for &item in definitions {
            let others = named.get(&item).into_iter().flatten();
            let others = others.map(|&nth| names.number(nth, self)).collect();
            self.add_conditional(Conditional {
                item,
                name: Some(name),
                is_member: self.is_member(item),
                others,
            });
        }
    }

    pub(super) fn add_conditional(&mut self, one: Conditional) {
        let number = self.conditional.len() as u32;
        for &name in one.name.iter().chain(&one.others) {
            self.awaited[name as usize].push(number);
        }
        if let (true, Some(around)) = (one.is_member, self.all[one.item as usize].around) {
            self.all[around as usize].members.push(number);
        }
        self.conditional.push(one);
    }
}
