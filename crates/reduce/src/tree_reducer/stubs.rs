use super::TreeReducer;
use super::search::nested::{outermost, parents};
use crate::edit::Edit;
use crate::pass::Forest;
use crate::tree::{NodeId, Outline};
use crate::work::{Lists, Units, Work};
use std::ops::Range;
use std::sync::Arc;

/// Puts the shortest that may stand for any body in the place of bodies: `pass`, `{}`,
/// `{panic!()}`.
///
/// A function that is needed because it is called or declared need not do anything, and what it does
/// is most of a program. Empty brackets, as [`Hollow`](crate::pass::Hollow) makes them, are no body
/// where a function has to return something; what never returns is one, whatever its type. What that
/// is, a language knows and its grammar does not, so this has nothing to do where
/// nobody [said](nubbin_grammar::grammar::Grammar::stand_in) what may stand for a rule.
///
/// Walked from the outside in, heavy ones first, see [`HeaviestFirst`](crate::pass::HeaviestFirst).
/// What uses only what others do within their bodies goes with them in [`Slices`](super::Slices), which
/// stubs as well; this takes bodies that are needed one by one out of the way.
///
/// Cost: one test for each body that must stay, few for runs of bodies that need not.
///
/// Source: the everybody-loops pass of rustc (rust-lang/rust, 2015), and bodies made empty in C-Reduce
/// (Regehr et al., PLDI 2012); here for any language, many at a time.
///
/// ```
/// use nubbin_grammar::{parse::Parser, read};
/// use nubbin_reduce::tree_reducer::{Stubs, trace_with};
/// use nubbin_reduce::work::Lists;
/// use std::sync::Arc;
///
/// let text = "<p> ::= <f>+\n<f> ::= [a-z] <body>\n<body> ::= '{' (<f> | '!' | [0-9])* '}'\n";
/// let grammar = read::read(text, None, "functions")?;
/// let body = grammar.rule("body").ok_or("no body")?;
/// let parser = Parser::new(Arc::new(grammar.with_stand_in(body, None, b"{!}")))?;
/// let fails = |text: &[u8]| text.contains(&b'7');
/// let run = trace_with(&Stubs, &parser, b"a{123}b{c{456}d{7}}", &Lists::default(), fails);
/// assert_eq!(run.texts()[0], "a{123}b{!}");               // the heaviest first
/// assert_eq!(run.result, "a{!}b{c{!}d{7}}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Stubs;

impl TreeReducer for Stubs {
    fn id(&self) -> &'static str {
        "stubs"
    }

    fn about(&self) -> &'static str {
        "puts the shortest that may stand for any body in the place of bodies"
    }

    fn source(&self) -> &'static str {
        "nubbin, after rustc's everybody-loops and C-Reduce (Regehr et al., PLDI 2012)"
    }

    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work> {
        let has_one = |&id: &NodeId| outline.stand_in(id).is_some();
        let nodes: Arc<[NodeId]> = (0..outline.len()).filter(has_one).collect();
        let parents = parents(outline, &nodes);
        let units = Bodies {
            outline: Arc::clone(outline),
            nodes,
        };
        Forest::new(units, &parents).walk(lists)
    }
}

/// Nodes that something shorter may stand for.
struct Bodies {
    outline: Arc<Outline>,
    nodes: Arc<[NodeId]>,
}

impl Units for Bodies {
    fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    fn weight(&self, unit: u32) -> u32 {
        let id = self.nodes[unit as usize];
        let text = self.outline.stand_in(id).map_or(0, |text| text.len());
        self.outline
            .node(id)
            .span
            .len()
            .saturating_sub(text as u32)
            .max(1)
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let chosen = units
            .iter()
            .flat_map(|range| &self.nodes[range.start as usize..range.end as usize]);
        // What is within one that goes, goes with it.
        let outer = outermost(&self.outline, chosen.copied());
        self.outline.stub(outer)
    }
}
