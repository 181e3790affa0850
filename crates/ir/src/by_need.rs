use crate::dominators::{Dominators, postorder};
use crate::module::{ItemKind, Module, Target};

impl Module {
    /// Returns the functions, variables, and aliases of a module in groups. A group consists of an
    /// item, followed by all items that are needed only with it. If some groups are removed,
    /// nothing refers to them unless another group does.
    ///
    /// The groups are ordered by the positions of their first items in the text. In a group, an
    /// item comes before the items that it needs, unless the items need each other.
    ///
    /// Cost: the computation of dominators, which is mostly linear in the uses of these items.
    ///
    /// ```
    /// let text = "define void @leaf() {\n  ret void\n}\ndefine void @other() {\n  ret void\n}\ndefine void @root() {\n  call void @leaf()\n  ret void\n}\n";
    /// let module = nubbin_ir::read(text.as_bytes()).unwrap();
    /// assert_eq!(module.items_by_need(), [vec![1], vec![2, 0]]);
    /// ```
    pub fn items_by_need(&self) -> Vec<Vec<u32>> {
        // Node 0 stands for the module: it needs all items that no other item needs. The other
        // nodes are the items.
        let mut needed: Vec<Vec<usize>> = vec![vec![]];
        needed.extend((0..self.items.len() as u32).map(|item| self.code_used_by(item)));
        needed[0] = self.tops(&needed);
        // The new numbers put an item before the items that it needs.
        let order: Vec<usize> = postorder(&needed).into_iter().rev().collect();
        let mut place = vec![0; needed.len()];
        for (nth, &node) in order.iter().enumerate() {
            place[node] = nth;
        }
        let places = |node: &usize| needed[*node].iter().map(|&to| place[to]).collect();
        let successors: Vec<Vec<usize>> = order.iter().map(places).collect();
        let dominators = Dominators::new(&successors);
        let mut groups: Vec<Vec<u32>> = vec![];
        for &node in dominators.walk.iter().skip(1) {
            let item = order[node] as u32 - 1;
            match groups.last_mut() {
                Some(group) if dominators.nearest[node] != Some(0) => group.push(item),
                _ => groups.push(vec![item]),
            }
        }
        groups.sort_by_key(|group| group[0]);
        groups
    }

    /// Returns the nodes of items that no other one needs, and one of each circle of such items,
    /// starting with the last.
    fn tops(&self, needed: &[Vec<usize>]) -> Vec<usize> {
        let mut is_needed = vec![false; needed.len()];
        for (node, others) in needed.iter().enumerate() {
            for &other in others.iter().filter(|&&other| other != node) {
                is_needed[other] = true;
            }
        }
        let nodes = || (1..needed.len()).filter(|&node| self.is_code(node as u32 - 1));
        let free = nodes().filter(|&node| !is_needed[node]);
        let mut is_seen = vec![false; needed.len()];
        let (mut tops, mut todo) = (vec![], vec![]);
        for top in free.chain(nodes()) {
            if is_seen[top] {
                continue;
            }
            tops.push(top);
            todo.push(top);
            while let Some(node) = todo.pop() {
                if !std::mem::replace(&mut is_seen[node], true) {
                    todo.extend(&needed[node]);
                }
            }
        }
        tops.reverse();
        tops
    }

    fn is_code(&self, item: u32) -> bool {
        use ItemKind::{Alias, Function, Global};
        let kind = self.items[item as usize].kind;
        matches!(kind, Function(_) | Global | Alias)
    }

    /// Returns the nodes of the functions, variables, and aliases to which an item of these kinds
    /// refers.
    fn code_used_by(&self, item: u32) -> Vec<usize> {
        if !self.is_code(item) {
            return vec![];
        }
        let uses = self.items[item as usize].uses.clone();
        let used = uses.filter_map(|nth| match self.uses[nth as usize].target {
            Target::Symbol(symbol) => self.symbols.item(symbol),
            Target::Value(_) => None,
        });
        let used = used.filter(|&used| self.is_code(used));
        used.map(|used| used as usize + 1).collect()
    }
}
