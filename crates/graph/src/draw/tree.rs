//! A tree over all types of a graph.

use crate::model::{Graph, Key, TypeId};

/// The edge by which a type hangs in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link<'g> {
    /// A property edge from the parent.
    Property(&'g Key),
    /// A prototype edge from the parent: the type is its prototype.
    Prototype,
    /// A prototype edge to the parent: the type inherits from it.
    Inherits,
    /// No edge. The type is the root, or no edge leads to it.
    Nothing,
}

/// A type in the tree.
#[derive(Clone, Debug)]
pub(super) struct Branch<'g> {
    pub(super) parent: Option<TypeId>,
    pub(super) link: Link<'g>,
    pub(super) depth: usize,
    pub(super) children: Vec<TypeId>,
}

/// The tree of the shortest property paths from the global object. A type that no path reaches
/// hangs on a type that inherits from it, or on its prototype.
pub(super) struct Tree<'g> {
    /// All types, each after its parent.
    pub(super) order: Vec<TypeId>,
    branches: Vec<Branch<'g>>,
    has: Vec<bool>,
}

impl<'g> Tree<'g> {
    /// Builds the tree of a graph.
    pub(super) fn of(graph: &'g Graph) -> Self {
        let count = graph.types().len();
        let mut tree = Tree {
            order: Vec::with_capacity(count),
            branches: vec![
                Branch {
                    parent: None,
                    link: Link::Nothing,
                    depth: 0,
                    children: vec![],
                };
                count
            ],
            has: vec![false; count],
        };
        if count == 0 {
            return tree;
        }
        let mut inheritors = vec![vec![]; count];
        for id in graph.ids() {
            if let Some(prototype) = graph.type_of(id).prototype {
                inheritors[prototype.index()].push(id);
            }
        }
        tree.add(TypeId::GLOBAL, None, Link::Nothing);
        // For each kind of link, the number of types whose links were followed. Property paths come
        // first: a type without such a path may still have properties.
        let (mut by_property, mut by_prototype, mut by_inheritance) = (0, 0, 0);
        let mut alone = graph.ids();
        loop {
            if let Some(&id) = tree.order.get(by_property) {
                by_property += 1;
                for (key, value) in &graph.type_of(id).properties {
                    tree.add(*value, Some(id), Link::Property(key));
                }
            } else if let Some(&id) = tree.order.get(by_prototype) {
                by_prototype += 1;
                if let Some(prototype) = graph.type_of(id).prototype {
                    tree.add(prototype, Some(id), Link::Prototype);
                }
            } else if let Some(&id) = tree.order.get(by_inheritance) {
                by_inheritance += 1;
                for &inheritor in &inheritors[id.index()] {
                    tree.add(inheritor, Some(id), Link::Inherits);
                }
            } else if let Some(id) = alone.next() {
                tree.add(id, Some(TypeId::GLOBAL), Link::Nothing);
            } else {
                return tree;
            }
        }
    }

    /// Adds a type unless it is in the tree.
    fn add(&mut self, id: TypeId, parent: Option<TypeId>, link: Link<'g>) {
        if std::mem::replace(&mut self.has[id.index()], true) {
            return;
        }
        if let Some(parent) = parent {
            let above = &mut self.branches[parent.index()];
            above.children.push(id);
            let depth = above.depth + 1;
            let branch = &mut self.branches[id.index()];
            (branch.parent, branch.link, branch.depth) = (Some(parent), link, depth);
        }
        self.order.push(id);
    }

    /// Returns the position of a type in the tree.
    pub(super) fn branch(&self, id: TypeId) -> &Branch<'g> {
        &self.branches[id.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_hangs_on_its_shortest_path_or_near_its_prototype() {
        let graph = Graph::from_json(
            r#"{"format":"nubbin prototype graph","version":1,"types":[
            {"name":"this","kind":"object","properties":[["A",1],["self",0]]},
            {"name":"this.A","kind":"function","prototype":3,"properties":[["prototype",2]]},
            {"name":"this.A.prototype","kind":"object","properties":[["constructor",1]]},
            {"name":"prototype of this.A","kind":"function","properties":[["of",5]]},
            {"name":"this.A.prototype{x}","kind":"object","prototype":2},
            {"name":"prototype of this.A.of","kind":"function"},
            {"name":"lost","kind":"object"}],"signatures":[]}"#,
        )
        .unwrap();
        let tree = Tree::of(&graph);
        let found: Vec<_> = graph
            .ids()
            .map(|id| tree.branch(id))
            .map(|branch| (branch.parent.map(|id| id.0), branch.link, branch.depth))
            .collect();
        let keys = ["A", "prototype", "of"].map(Key::new);
        assert_eq!(
            found,
            [
                (None, Link::Nothing, 0),
                (Some(0), Link::Property(&keys[0]), 1),
                (Some(1), Link::Property(&keys[1]), 2),
                (Some(1), Link::Prototype, 2),
                (Some(2), Link::Inherits, 3),
                (Some(3), Link::Property(&keys[2]), 3),
                (Some(0), Link::Nothing, 1),
            ]
        );
        assert_eq!(tree.order.len(), 7);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let mut graph = Graph::default();
        let first = graph.intern("this");
        let mut last = first;
        for index in 0..50_000 {
            let next = graph.intern(&format!("t{index}"));
            graph.types[last.index()].prototype = Some(next);
            last = next;
        }
        assert_eq!(Tree::of(&graph).branch(last).depth, 50_000);
    }
}
