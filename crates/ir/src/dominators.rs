use crate::module::{Function, Module};

/// The dominators of the blocks that the entry reaches.
///
/// Source: K. D. Cooper, T. J. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm", 2001.
#[derive(Debug)]
pub(crate) struct Dominators {
    /// The nearest dominator of each block. The nearest dominator of the entry is the entry.
    pub(crate) nearest: Vec<Option<usize>>,
    /// The positions of each block in a walk over the tree: the position at which the walk enters
    /// it, and the position at which the walk leaves it.
    places: Vec<(u32, u32)>,
    /// The blocks in the order of the walk.
    pub(crate) walk: Vec<usize>,
}

impl Module {
    /// Returns the dominators of the blocks of a function.
    pub(crate) fn dominators(&self, of: &Function) -> Dominators {
        let inner = |block| {
            let all = self.successors(block).into_iter();
            let inner = all.filter(|next| of.blocks.contains(next));
            inner
                .map(|next| (next - of.blocks.start) as usize)
                .collect()
        };
        let successors: Vec<Vec<usize>> = of.blocks.clone().map(inner).collect();
        Dominators::new(&successors)
    }
}

impl Module {
    /// Returns the jumps of a function that lead back to a block around them, if nothing else ends
    /// their loop. The result is only non-empty for LLVM IR, in which such a jump can become a
    /// return.
    ///
    /// Cost: linear in the function.
    ///
    /// ```
    /// let text = "define void @f() {\n  br label %1\n1:\n  call void @f()\n  br label %1\n}\n";
    /// let module = nubbin_ir::read(text.as_bytes()).unwrap();
    /// let [jump] = module.jumps_back(0)[..] else { panic!() };
    /// let mut change = nubbin_ir::Change::new(&module);
    /// change.edges.insert(jump, nubbin_ir::Change::NO_EDGE);
    /// let text = String::from_utf8(module.render(&change)).unwrap();
    /// assert_eq!(text, "define void @f() {\n  br label %1\n1:\n  call void @f()\n  ret void\n}\n");
    /// ```
    pub fn jumps_back(&self, function: u32) -> Vec<u32> {
        let Some(of) = self.functions.get(function as usize) else {
            return vec![];
        };
        if of.is_rigid || self.spirv.is_some() || self.mlir.is_some() {
            return vec![];
        }
        let dominators = self.dominators(of);
        let mut found = vec![];
        for block in of.blocks.clone() {
            let last = self.blocks[block as usize].instructions.end;
            let [to] = self.successors(block)[..] else {
                continue;
            };
            let local = |block: u32| (block - of.blocks.start) as usize;
            if of.blocks.contains(&to) && dominators.has(local(to), local(block)) {
                found.push(last - 1);
            }
        }
        found
    }
}

impl Dominators {
    pub(crate) fn new(successors: &[Vec<usize>]) -> Self {
        let order = postorder(successors);
        let count = successors.len();
        let mut rank = vec![usize::MAX; count];
        let mut predecessors = vec![vec![]; count];
        for (nth, &block) in order.iter().enumerate() {
            rank[block] = nth;
            for &to in &successors[block] {
                predecessors[to].push(block);
            }
        }
        let mut nearest: Vec<Option<usize>> = vec![None; count];
        if let Some(entry) = nearest.first_mut() {
            *entry = Some(0);
        }
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for &block in order.iter().rev().filter(|&&block| block != 0) {
                let known = predecessors[block].iter().copied();
                let known = known.filter(|&from| nearest[from].is_some());
                let meet = known.reduce(|one, other| meet(&nearest, &rank, one, other));
                if meet.is_some() && nearest[block] != meet {
                    nearest[block] = meet;
                    is_changed = true;
                }
            }
        }
        Dominators::walk(nearest)
    }

    /// Walks over the tree, so that a question takes no time.
    fn walk(nearest: Vec<Option<usize>>) -> Self {
        let count = nearest.len();
        let mut children = vec![vec![]; count];
        for (block, &above) in nearest.iter().enumerate().skip(1).rev() {
            if let Some(above) = above {
                children[above].push(block);
            }
        }
        let (mut places, mut walk, mut time) = (vec![(0, 0); count], vec![], 0);
        let mut todo = if count > 0 { vec![(0, false)] } else { vec![] };
        while let Some((block, is_left)) = todo.pop() {
            time += 1;
            if is_left {
                places[block].1 = time;
                continue;
            }
            places[block].0 = time;
            walk.push(block);
            todo.push((block, true));
            todo.extend(children[block].iter().map(|&child| (child, false)));
        }
        Dominators {
            nearest,
            places,
            walk,
        }
    }

    /// Returns whether every path to a block leads through another block, which may be the same.
    pub(crate) fn has(&self, above: usize, block: usize) -> bool {
        let is_reached = self.nearest[above].is_some() && self.nearest[block].is_some();
        let (above, block) = (self.places[above], self.places[block]);
        is_reached && above.0 <= block.0 && block.1 <= above.1
    }
}

/// Returns the nearest block that dominates two.
fn meet(nearest: &[Option<usize>], rank: &[usize], one: usize, other: usize) -> usize {
    let (mut one, mut other) = (one, other);
    while one != other {
        let lower = if rank[one] < rank[other] {
            &mut one
        } else {
            &mut other
        };
        *lower = nearest[*lower].unwrap_or(0);
    }
    one
}

/// Returns the blocks that the first block reaches. A block comes after the blocks to which it
/// leads, except in loops.
pub(crate) fn postorder(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut order = vec![];
    let mut is_seen = vec![false; successors.len()];
    let mut todo = vec![];
    if let Some(entry) = is_seen.first_mut() {
        *entry = true;
        todo.push((0, 0));
    }
    while let Some((block, nth)) = todo.pop() {
        match successors[block].get(nth) {
            Some(&to) => {
                todo.push((block, nth + 1));
                if !is_seen[to] {
                    is_seen[to] = true;
                    todo.push((to, 0));
                }
            }
            None => order.push(block),
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dominators_of_a_loop_with_two_ways_out() {
        // The edges are 0 → 1; 1 → 2, 4; 2 → 3, 4; 3 → 1. Node 5 is unreachable.
        let all = vec![vec![1], vec![2, 4], vec![3, 4], vec![1], vec![], vec![4]];
        let found = Dominators::new(&all);
        let wanted = [Some(0), Some(0), Some(1), Some(2), Some(1), None];
        assert_eq!(found.nearest, wanted);
        assert!(found.has(1, 3) && found.has(2, 2) && !found.has(2, 4) && !found.has(5, 4));
    }
}
