use super::item::Items;

impl Items {
    /// Returns the items in groups, users before the items that they use. Items that need each
    /// other are in one group. What has the name of a member is not always before it.
    pub(in crate::tree_reducer) fn groups(&self) -> Vec<Vec<u32>> {
        // R. Tarjan: Depth-first search and linear graph algorithms, 1972, without recursion. A
        // group is found after all groups that it needs.
        const UNSEEN: u32 = u32::MAX;
        let count = self.all.len();
        let mut inside: Vec<Vec<u32>> = vec![vec![]; count];
        for (at, around) in self.roots_inside() {
            inside[around as usize].push(at);
        }
        let mut number = vec![UNSEEN; count];
        let mut lowest = vec![0; count];
        let mut is_open = vec![false; count];
        let (mut open, mut groups) = (vec![], vec![]);
        let mut next = 0;
        for start in 0..count as u32 {
            if number[start as usize] != UNSEEN {
                continue;
            }
            let mut path: Vec<(u32, usize)> = vec![(start, 0)];
            while let Some(&mut (at, ref mut edge)) = path.last_mut() {
                let index = at as usize;
                if *edge == 0 {
                    number[index] = next;
                    lowest[index] = next;
                    next += 1;
                    open.push(at);
                    is_open[index] = true;
                }
                let needs = &self.all[index].needs;
                let target = needs
                    .get(*edge)
                    .or_else(|| inside[index].get(*edge - needs.len()));
                *edge += 1;
                if let Some(&target) = target {
                    let target_at = target as usize;
                    if number[target_at] == UNSEEN {
                        path.push((target, 0));
                    } else if is_open[target_at] {
                        lowest[index] = lowest[index].min(number[target_at]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    lowest[parent as usize] = lowest[parent as usize].min(lowest[index]);
                }
                if lowest[index] == number[index] {
                    let mut group = vec![];
                    while let Some(member) = open.pop() {
                        is_open[member as usize] = false;
                        group.push(member);
                        if member == at {
                            break;
                        }
                    }
                    groups.push(group);
                }
            }
        }
        groups.reverse();
        groups
    }
}
