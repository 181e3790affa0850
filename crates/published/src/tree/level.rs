use nubbin_edit::Edit;
use nubbin_engine::work::{Lists, Taken, Units};
use nubbin_grammar::grammar::Expr;
use nubbin_grammar::tree::NodeKind;
use nubbin_minimize::random::mix;
use nubbin_minimize::{Configuration, ListMinimizer, ListShape, Removal};
use nubbin_trees::tree::{Cut, Gone, Needed, NodeId, Outline};
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Arc;

/// A list of nodes for a list minimizer. No node of the list is below another.
///
/// This is the one place where nodes meet list minimizers: a removal becomes an edit, and the
/// removed nodes of an adopted edit become part of `gone`.
///
/// List minimizers never remove the last element, since an empty list is rarely useful. Here the
/// list is only one of many, so when only one node is left, its removal is tried too.
pub(super) struct Level {
    nodes: Arc<Nodes>,
    /// The nodes of the list as units, to describe removals; `None` if the edit of one node depends
    /// on other nodes.
    units: Option<Arc<dyn Units>>,
    left: Configuration,
    /// The [print](print_of) of the remaining units.
    left_print: u64,
    /// The prints of all configurations that the minimizer has proposed.
    configurations: Arc<FxHashSet<u64>>,
    minimizer: Box<dyn ListMinimizer>,
    /// The current proposal. Forks share it, since it may be long.
    asked: Option<Arc<Asked>>,
    /// Whether the minimizer has ended. The current proposal then removes the only remaining node.
    ended: bool,
}

struct Asked {
    probe: Removal,
    /// The print of the units that remain without the removed units.
    print: u64,
    cut: Cut,
}

/// The nodes of a list, and the nodes that had been removed when it began.
struct Nodes {
    outline: Arc<Outline>,
    nodes: Vec<NodeId>,
    gone: Gone,
    needed: Needed,
    /// The rank of edits.
    rank: u32,
}

impl Level {
    /// Creates the list of the given nodes, or returns `None` if there are no nodes. `removed`
    /// holds the nodes that were already removed, the treatment of needed iterations, and the rank
    /// of edits.
    pub(super) fn of(
        outline: &Arc<Outline>,
        nodes: Vec<NodeId>,
        (gone, needed, rank): (&Gone, Needed, u32),
        lists: &Lists,
    ) -> Option<Self> {
        if nodes.is_empty() {
            return None;
        }
        let nodes = Arc::new(Nodes {
            outline: Arc::clone(outline),
            nodes,
            gone: gone.clone(),
            needed,
            rank,
        });
        let weights: Vec<u32> = (0..nodes.len()).map(|unit| nodes.weight(unit)).collect();
        let equal = weights.windows(2).all(|pair| pair[0] == pair[1]);
        let shape = ListShape {
            len: nodes.len(),
            weights: (!equal).then(|| weights.into()),
            seed: lists.seed,
        };
        Some(Level {
            left: Configuration::new(shape.len),
            left_print: print_of(0..shape.len),
            configurations: Arc::default(),
            minimizer: lists.start(&shape),
            units: nodes
                .are_independent()
                .then(|| Arc::clone(&nodes) as Arc<dyn Units>),
            nodes,
            asked: None,
            ended: false,
        })
    }

    /// Returns the next proposal. `gone` holds all nodes removed so far, including the nodes of
    /// this list.
    ///
    /// If the nodes already have their smallest text, the candidate would equal the current text,
    /// which fails. Their removal is then adopted without a test.
    pub(super) fn next(&mut self, gone: &mut Gone) -> Option<Edit> {
        while self.asked.is_none() {
            let probe = self.probe()?;
            let left = &self.left;
            let taken = probe.remove.iter().cloned().flatten();
            let taken = taken.filter(|&at| left.contains(at));
            let taken: Vec<u32> = taken.collect();
            let print = self.left_print ^ print_of(taken.iter().copied());
            Arc::make_mut(&mut self.configurations).insert(print);
            let nodes = taken.iter().map(|&at| self.nodes.nodes[at as usize]);
            let nodes: Vec<NodeId> = nodes.collect();
            let outline = &self.nodes.outline;
            let changes_nothing = nodes.iter().all(|&id| outline.is_smallest(id, gone));
            let count = nodes.len();
            let cut = self.nodes.cut(nodes, gone);
            // A repetition may have kept some of its nodes.
            let changes_nothing = changes_nothing && cut.taken.len() == count;
            self.asked = Some(Arc::new(Asked { probe, print, cut }));
            if changes_nothing {
                self.record(true, gone);
            }
        }
        self.asked.as_ref().map(|asked| asked.cut.edit.clone())
    }

    /// Returns the number of nodes that have not been removed.
    pub(super) fn left(&self) -> u32 {
        self.left.len()
    }

    /// Returns the number of distinct configurations that the minimizer has proposed.
    pub(super) fn configurations(&self) -> u64 {
        self.configurations.len() as u64
    }

    fn probe(&mut self) -> Option<Removal> {
        if self.ended {
            return None;
        }
        self.minimizer.next().or_else(|| {
            self.ended = true;
            (self.left.len() == 1).then(|| Removal::of(self.left.iter()))
        })
    }

    /// Records the verdict. The nodes of an adopted proposal are added to `gone`.
    pub(super) fn record(&mut self, adopted: bool, gone: &mut Gone) {
        if !self.ended {
            self.minimizer.record(adopted);
        }
        if let Some(asked) = self.asked.take().filter(|_| adopted) {
            self.left.adopt(&asked.probe);
            self.left_print = asked.print;
            gone.take(&asked.cut);
        }
    }

    pub(super) fn taken(&self) -> Option<Taken<'_>> {
        let (list, asked) = self.units.as_ref().zip(self.asked.as_ref())?;
        Some(Taken {
            list,
            units: &asked.probe.remove,
        })
    }

    pub(super) fn fork(&self) -> Self {
        Level {
            nodes: Arc::clone(&self.nodes),
            units: self.units.clone(),
            left: self.left.clone(),
            left_print: self.left_print,
            configurations: Arc::clone(&self.configurations),
            minimizer: self.minimizer.fork(),
            asked: self.asked.clone(),
            ended: self.ended,
        }
    }
}

/// Returns a hash of a set of units: that of a part of it can be taken away by an exclusive or.
fn print_of(units: impl IntoIterator<Item = u32>) -> u64 {
    let units = units.into_iter().map(|unit| mix(u64::from(unit)));
    units.fold(0, |sum, unit| sum ^ unit)
}

impl Nodes {
    fn cut(&self, nodes: impl IntoIterator<Item = NodeId>, gone: &Gone) -> Cut {
        let mut cut = self.outline.cut(nodes, gone, self.needed);
        cut.edit = cut.edit.ranked(self.rank);
        cut
    }

    /// Returns whether the edit of each node is the same whichever others are removed. It is not
    /// for iterations that are separated from each other, or counted.
    fn are_independent(&self) -> bool {
        let outline = &self.outline;
        self.nodes.iter().all(|&id| {
            let node = outline.node(id);
            node.kind != NodeKind::Iteration
                || match node.place.map(|expr| outline.grammar().expr(expr)) {
                    Some(Expr::Repeat(repeat)) => repeat.min == 0 && repeat.separator.is_none(),
                    _ => false,
                }
        })
    }
}

impl Units for Nodes {
    fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    fn weight(&self, unit: u32) -> u32 {
        self.outline.tokens(self.nodes[unit as usize]).max(1)
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let units = units.iter().cloned().flatten();
        let nodes = units.map(|unit| self.nodes[unit as usize]);
        self.cut(nodes, &self.gone).edit
    }
}
