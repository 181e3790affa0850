use super::descent::{Descent, DescentOrder, Rules};
use nubbin_engine::order::Order;
use nubbin_engine::work::{Lists, PassInfo, Work};
use nubbin_trees::tree::{Outline, Preparation};
use nubbin_trees::tree_reducer::TreeReducer;
use std::sync::Arc;

/// Hierarchical delta debugging by recursion: the children of one node are one list.
///
/// [`Hdd`](super::Hdd) makes one list of all nodes of a level, however far apart they are. Here the
/// children of each node are a list of their own, and the kept children wait for their turn. Lists
/// are short, and each test removes nodes of one kind from one place.
///
/// It usually takes fewer tests than `hdd` for an equally good result. More tests are needed where
/// levels are wide and none of their nodes is needed: there `hdd` halves one list of all nodes,
/// while `hddr` tests many short lists one by one.
///
/// Options:
/// * `bfs`: the node that has waited longest comes next, so that large subtrees come before their
///   parts (the default). `dfs`: the node that has waited shortest comes next: a subtree ends
///   before the next begins.
/// * `forward`: the first child first (the default). `backward`: the last one first, which suits
///   texts whose later parts use earlier ones.
/// * `coarse`: only nodes that can be removed without leaving a text, as in
///   [`Hdd::COARSE`](super::Hdd::COARSE).
/// * `star`: from the root again, until nothing changes.
///
/// * *Cost:* the tests of the list minimizer on each list.
/// * *Result:* as `hdd`; with `star` 1-tree-minimal, if the list minimizer ends 1-minimal.
/// * *Trees:* [squeezed](nubbin_trees::tree::squeeze()), without empty nodes and unremovable
///   tokens, as its authors use them; with `coarse` also
///   [flattened](nubbin_trees::tree::flatten()).
/// * *Source:* Á. Kiss, R. Hodován, T. Gyimóthy, "HDDr: A Recursive Variant of the Hierarchical
///   Delta Debugging Algorithm", A-TEST 2018. Coarse and star are combined with it in picireny as
///   well.
/// * *Changed:* as `hdd`; the root itself is tried before its children.
///
/// ```
/// use nubbin_grammar::{parse::Parser, read};
/// use nubbin_reduce::tree::{self, Outline};
/// use nubbin_reduce::tree_reducer;
/// use nubbin_reduce::work::Lists;
/// use std::sync::Arc;
///
/// let grammar = read::read("<s> ::= '(' <s>* ')' | [a-z]", None, "lists")?;
/// let parser = Parser::new(Arc::new(grammar))?;
/// let outline = tree::squeeze(Outline::of(&parser, b"(a(bx)(c))", 0).unwrap());
/// let outline = Arc::new(tree::hide(outline));
/// let hddr = tree_reducer::parse_in(nubbin_published::tree::catalogue(), "hddr:dfs,backward")?;
/// let mut tests = vec![];
/// tree_reducer::drive(&*hddr, &outline, &Lists::default(), |text| {
///     tests.push(String::from_utf8_lossy(text).into_owned());
///     text.contains(&b'x')
/// });
/// assert_eq!(tests.last().unwrap(), "((a))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hddr {
    /// Whether the node that was added last comes next.
    pub depth_first: bool,
    /// Whether the last child comes first.
    pub backward: bool,
    /// Whether only nodes whose smallest text is empty are tried.
    pub coarse: bool,
    /// Whether the descent starts again from the root, until a whole descent changes nothing.
    pub star: bool,
}

const OPTIONS: &[(&str, &str)] = &[
    ("bfs", "breadth first (the default)"),
    ("dfs", "depth first"),
    ("forward", "the first child first (the default)"),
    ("backward", "the last child first"),
    ("coarse", "only nodes whose smallest text is empty"),
    ("star", "repeat until nothing changes"),
];

impl TreeReducer for Hddr {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "hddr",
            "removes nodes from the root down, the children of one node as one list",
            "Kiss, Hodován, Gyimóthy: HDDr: A Recursive Variant of HDD, A-TEST 2018",
        )
        .with_options(OPTIONS)
    }

    fn with(&self, option: &str, value: Option<&str>) -> Option<Arc<dyn TreeReducer>> {
        let mut new = *self;
        match option {
            "bfs" => new.depth_first = false,
            "dfs" => new.depth_first = true,
            "forward" => new.backward = false,
            "backward" => new.backward = true,
            "coarse" => new.coarse = true,
            "star" => new.star = true,
            _ => return None,
        }
        value
            .is_none()
            .then(|| Arc::new(new) as Arc<dyn TreeReducer>)
    }

    fn preparation(&self) -> Preparation {
        Preparation {
            flatten: self.coarse,
            ..Preparation::PUBLISHED
        }
    }

    fn order(&self) -> Option<Order> {
        Some(Order::no_longer())
    }

    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work> {
        let rules = Rules {
            order: DescentOrder::Children {
                depth_first: self.depth_first,
                backward: self.backward,
            },
            coarse: self.coarse,
            star: self.star,
        };
        Descent::work(outline, lists, rules)
    }
}
