use super::TreeReducer;
use super::search::{Descent, DescentOrder, Rules};
use crate::tree::Outline;
use crate::work::{Lists, Work};
use std::sync::Arc;

/// Hierarchical delta debugging by recursion: the children of one node are one list.
///
/// [`Hdd`](super::Hdd) makes one list of all nodes of a level, however far apart they are. Here each
/// node's children are a list by themselves; those that stay wait for their turn. Lists are short, and
/// what a test takes out is of one kind and in one place.
///
/// Mostly fewer tests than `hdd` and as good a result; more where levels are wide and nothing on them
/// is needed, since a list of all nodes is halved where many short lists are asked one by one.
///
/// Options:
/// * `bfs`: the node that waits longest comes next, so that large subtrees come before their parts
///   (the default). `dfs`: the node that waits shortest: a subtree is finished before the next begins.
/// * `forward`: the first child first (the default). `backward`: the last one, which is right where
///   later parts use earlier ones.
/// * `coarse`: only nodes that can go without a trace, as in [`Hdd::COARSE`](super::Hdd::COARSE).
/// * `star`: from the root again, until nothing changes.
///
/// * *Cost:* the tests of the list algorithm on each list.
/// * *Result:* as `hdd`; with `star` 1-tree-minimal, if the list algorithm ends 1-minimal.
/// * *Source:* Á. Kiss, R. Hodován, T. Gyimóthy, "HDDr: A Recursive Variant of the Hierarchical Delta
///   Debugging Algorithm", A-TEST 2018. Coarse and star are combined with it in picireny as well.
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
/// let hddr = tree_reducer::parse("hddr:dfs,backward")?;
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
    /// The node that waits shortest comes next.
    pub depth_first: bool,
    /// The last child comes first.
    pub backward: bool,
    /// Only nodes whose smallest text is empty.
    pub coarse: bool,
    /// From the root again, until nothing changes.
    pub star: bool,
}

const OPTIONS: &[(&str, &str)] = &[
    ("bfs", "breadth first (the default)"),
    ("dfs", "depth first"),
    ("forward", "the first child first (the default)"),
    ("backward", "the last child first"),
    ("coarse", "only nodes that can go without a trace"),
    ("star", "again and again, until nothing changes"),
];

impl TreeReducer for Hddr {
    fn id(&self) -> &'static str {
        "hddr"
    }

    fn about(&self) -> &'static str {
        "the children of one node are one list, from the root down"
    }

    fn source(&self) -> &'static str {
        "Kiss, Hodován, Gyimóthy: HDDr: A Recursive Variant of HDD, A-TEST 2018"
    }

    fn options(&self) -> &'static [(&'static str, &'static str)] {
        OPTIONS
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
