use super::level::Level;
use nubbin_edit::Edit;
use nubbin_engine::work::{Lists, Machine, Taken, Work};
use nubbin_trees::tree::{Gone, Needed, NodeId, Outline, ROOT};
use std::collections::VecDeque;
use std::sync::Arc;

/// The options in which the members of the HDD family differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) order: DescentOrder,
    /// Whether only nodes whose smallest text is empty are tried.
    pub(super) coarse: bool,
    /// Whether the descent starts again from the root, until a whole descent changes nothing.
    pub(super) star: bool,
}

/// The division of nodes into lists, and the order of the lists.
#[derive(Clone, Copy, Debug)]
pub(super) enum DescentOrder {
    /// All nodes of one depth form a list.
    Levels,
    /// The children of one node form a list.
    Children { depth_first: bool, backward: bool },
}

/// A descent from the root, one list of nodes after another: the machine of the HDD family.
pub(super) struct Descent {
    outline: Arc<Outline>,
    lists: Lists,
    rules: Rules,
    gone: Gone,
    /// The nodes from which the list was created, including nodes that are not in it.
    group: Arc<Vec<NodeId>>,
    /// The nodes whose children have not been tried yet.
    waiting: Arc<VecDeque<NodeId>>,
    level: Option<Level>,
    changed: bool,
    /// The rank of the next list. Of two smallest texts for one span, the text of the later list
    /// wins.
    rank: u32,
    /// The number of configurations in the lists that have ended.
    configurations: u64,
}

impl Descent {
    pub(super) fn work(outline: &Arc<Outline>, lists: &Lists, rules: Rules) -> Option<Work> {
        Some(Work::Machine(Box::new(Descent::new(outline, lists, rules))))
    }

    pub(super) fn new(outline: &Arc<Outline>, lists: &Lists, rules: Rules) -> Self {
        Descent {
            outline: Arc::clone(outline),
            lists: lists.clone(),
            rules,
            gone: Gone::default(),
            group: Arc::new(vec![ROOT]),
            waiting: Arc::default(),
            level: None,
            changed: false,
            rank: 0,
            configurations: 0,
        }
    }

    pub(super) fn needed(&self) -> Needed {
        if self.rules.coarse {
            Needed::Stay
        } else {
            Needed::Shrink
        }
    }

    fn level(&self) -> Option<Level> {
        let nodes = self.group.iter().copied();
        let nodes = nodes.filter(|&id| self.is_tried(id)).collect();
        let removed = (&self.gone, self.needed(), self.rank);
        Level::of(&self.outline, nodes, removed, &self.lists)
    }

    /// Returns whether a node is present and belongs to a list.
    pub(super) fn is_tried(&self, id: NodeId) -> bool {
        !self.gone.contains(id)
            && !self.outline.is_hidden(id)
            && (!self.rules.coarse || self.outline.phrase(id).is_empty())
    }

    /// Goes on to the next list.
    fn advance(&mut self) {
        let (outline, gone) = (&self.outline, &self.gone);
        let stayed = self.group.iter().copied();
        let mut stayed = stayed.filter(|&id| !gone.contains(id) && outline.node(id).end > id + 1);
        let DescentOrder::Children {
            depth_first,
            backward,
        } = self.rules.order
        else {
            self.group = Arc::new(stayed.flat_map(|id| outline.children(id)).collect());
            return;
        };
        let mut next: Vec<NodeId> = stayed.by_ref().collect();
        // Nodes that are taken from the end are added there in the opposite order.
        if backward != depth_first {
            next.reverse();
        }
        let waiting = Arc::make_mut(&mut self.waiting);
        waiting.extend(next);
        let next = if depth_first {
            waiting.pop_back()
        } else {
            waiting.pop_front()
        };
        self.group = Arc::new(next.map_or(vec![], |id| outline.children(id).collect()));
    }

    #[cfg(test)]
    pub(super) fn gone(&self) -> &Gone {
        &self.gone
    }
}

impl Machine for Descent {
    fn next(&mut self) -> Option<Edit> {
        loop {
            if self.level.is_none() {
                if self.group.is_empty() {
                    if !self.rules.star || !self.changed {
                        return None;
                    }
                    self.changed = false;
                    let root = (!self.gone.contains(ROOT)).then_some(ROOT);
                    self.group = Arc::new(root.into_iter().collect());
                }
                self.level = self.level();
            }
            if let Some(level) = &mut self.level {
                let before = level.left();
                let edit = level.next(&mut self.gone);
                self.changed |= level.left() < before;
                if edit.is_some() {
                    return edit;
                }
            }
            self.rank += 1;
            let ended = self.level.take();
            self.configurations += ended.map_or(0, |level| level.configurations());
            self.advance();
        }
    }

    fn record(&mut self, adopted: bool) {
        if let Some(level) = &mut self.level {
            level.record(adopted, &mut self.gone);
            self.changed |= adopted;
        }
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(Descent {
            outline: Arc::clone(&self.outline),
            lists: self.lists.clone(),
            rules: self.rules,
            gone: self.gone.clone(),
            group: Arc::clone(&self.group),
            waiting: Arc::clone(&self.waiting),
            level: self.level.as_ref().map(Level::fork),
            changed: self.changed,
            rank: self.rank,
            configurations: self.configurations,
        })
    }

    fn taken(&self) -> Option<Taken<'_>> {
        self.level.as_ref()?.taken()
    }

    fn configurations(&self) -> Option<u64> {
        let now = self.level.as_ref().map_or(0, Level::configurations);
        Some(self.configurations + now)
    }
}
