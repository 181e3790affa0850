use super::TreeReducer;
use super::search::nested::{outermost, parents};
use crate::tree::{NodeId, Outline};
use nubbin_edit::Edit;
use nubbin_engine::work::{Forest, Lists, PassInfo, Units, Work};
use std::ops::Range;
use std::sync::Arc;

/// Replaces bodies with the shortest text that may stand for any body: `pass`, `{}`, `{panic!()}`.
///
/// A function that is needed because it is called or declared need not do anything, and the bodies
/// of functions are most of a program. Empty brackets, as `Hollow` makes
/// them, are not a valid body where a function has to return a value. A body that never returns is
/// valid for any return type. Where a body may end without the value, but what happens then is
/// undefined, it returns 0. These texts are known for a language but not contained in its
/// grammar, so this tree reducer has nothing to do where the grammar [has no
/// stand-in](nubbin_grammar::grammar::Grammar::stand_in) for any rule.
///
/// The bodies are visited from the outside in, heaviest first, see
/// [`HeaviestFirst`](nubbin_engine::work::HeaviestFirst). [`Slices`](super::Slices) also stubs
/// bodies, and removes with them the definitions that only those bodies use. `Stubs` replaces, one
/// by one, bodies whose functions are needed.
///
/// Cost: one test per body that must be kept, few for runs of bodies that need not be.
///
/// Source: the everybody-loops pass of rustc (rust-lang/rust, 2015), and the removal of function
/// bodies in C-Reduce (Regehr et al., PLDI 2012); here for any language, many bodies at a time.
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
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "stubs",
            "replaces bodies with the shortest text that may stand for any body",
            "nubbin, after rustc's everybody-loops and C-Reduce (Regehr et al., PLDI 2012)",
        )
        .joining_files()
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        let has_one = |&id: &NodeId| outline.stand_in(id).is_some();
        let nodes: Arc<[NodeId]> = (0..outline.len()).filter(has_one).collect();
        let parents = parents(outline, &nodes);
        let units = Bodies {
            outline: Arc::clone(outline),
            nodes,
        };
        Forest::new(units, &parents).walk()
    }
}

/// Nodes for which a shorter text may stand.
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
        // A body within another replaced body is removed with it.
        let outer = outermost(&self.outline, chosen.copied());
        self.outline.stub(outer)
    }
}

#[cfg(test)]
mod tests {
    use super::super::trace_with;
    use super::*;
    use nubbin_languages::catalogue;

    #[test]
    fn a_body_that_has_to_return_a_value_returns_one() {
        let syntax = catalogue::named("c").unwrap().syntax().unwrap();
        let text = b"static int f(int a) { a++; return a; } void g(int a) { f(a); h(); }";
        let run = trace_with(&Stubs, &*syntax, text, &Lists::default(), |_| true);
        assert_eq!(
            run.result,
            "static int f(int a) {return 0;} void g(int a) {}"
        );
    }
}
