//! Grabr as a tree reducer.

use super::super::TreeReducer;
use super::super::search::WithLists;
use super::state::{Reducing, TreeFacts};
use super::{Grabr, OPTIONS};
use crate::tree::{Draft, Expansions, NodeId, Outline, Preparation};
use nubbin_engine::order::Order;
use nubbin_engine::work::{Lists, PassInfo, Work};
use nubbin_grammar::tree::NodeKind;
use std::sync::Arc;

impl TreeReducer for Grabr {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            self.id,
            self.about,
            "Zeller and others: The Fuzzing Book, Reducing Failure-Inducing Inputs, 2019",
        )
        .with_options(&OPTIONS)
    }

    fn with(&self, option: &str, value: Option<&str>) -> Option<Arc<dyn TreeReducer>> {
        let mut new = *self;
        match (option, value) {
            ("all", None) => new.all = true,
            ("most", Some(number)) => {
                new.most = Some(number.parse().ok().filter(|&most| most > 0)?);
            }
            ("empty", None) => new.empty = true,
            ("root", None) => new.root = true,
            _ => return None,
        }
        Some(Arc::new(new))
    }

    fn preparation(&self) -> Preparation {
        Preparation::NONE
    }

    fn order(&self) -> Option<Order> {
        Some(Order::as_proposed())
    }

    /// The program of the book does not test the original.
    fn counts_original(&self) -> bool {
        false
    }

    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work> {
        let is_empty_rule = |id: NodeId| {
            let node = outline.node(id);
            node.kind == NodeKind::Rule && node.end == id + 1
        };
        let leaf = |id| 1 + u32::from(is_empty_rule(id));
        let mut heights: Vec<u32> = (0..outline.len()).map(leaf).collect();
        for id in (1..outline.len()).rev() {
            let parent = outline.node(id).parent as usize;
            heights[parent] = heights[parent].max(heights[id as usize] + 1);
        }
        let mut counts = Vec::with_capacity(outline.len() as usize + 1);
        let mut count = 0;
        for id in 0..outline.len() {
            counts.push(count);
            count += leaf(id);
        }
        counts.push(count);
        let mut draft = Draft::new(Arc::clone(outline));
        if !self.generative {
            draft = draft.superseding();
        }
        let mut search = Reducing {
            options: *self,
            known: Arc::new(TreeFacts {
                expansions: Expansions::of(outline.grammar()),
                heights,
                counts,
            }),
            lists: lists.clone(),
            draft,
            depth: self.by_depth.then_some(0),
            reduced: false,
            frames: Arc::default(),
            candidates: Arc::default(),
            ways: None,
            tried: 0,
            list: None,
        };
        search.begin();
        Some(WithLists::work(search))
    }
}
