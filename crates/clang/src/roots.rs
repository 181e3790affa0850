//! The items from which slices are computed.

use crate::facts::ItemKind;
use crate::graph::{Graph, Node};
use crate::lex::{TokenKind, tokens};
use crate::repair::Source;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Returns the sets of items from which slices are computed, in the order of the slices.
pub(crate) fn root_sets<'f>(
    places: &[Vec<Range<u32>>],
    graph: &Graph,
    source: &Source<'f>,
) -> Vec<Roots<'f>> {
    if let Some(run) = source.run {
        return vec![Roots::of(run.reached.clone())];
    }
    let mut sets = vec![];
    // Other compilers report several errors at once, and each position requires more of the text.
    if let Some(failure) = source.failure {
        sets.push(Roots {
            is_part: true,
            failure: Some(&failure.sort),
            ..Roots::of(at(graph, &failure.places()))
        });
    }
    for set in places {
        let items = at(graph, set);
        let whole = with_siblings(graph, &items);
        // A slice of a few statements may be too small if the cause is elsewhere in the body.
        let is_part = items != whole;
        let parts = is_part.then(|| Roots {
            is_part,
            ..Roots::of(items)
        });
        let whole = (!whole.is_empty()).then(|| Roots::of(whole));
        sets.extend(parts.into_iter().chain(whole));
    }
    if places.is_empty() || sets.is_empty() {
        sets.push(Roots {
            is_guess: true,
            ..Roots::of(own(graph, source.text))
        });
    }
    sets
}

/// Returns the items at which a program begins: the items of the file itself, and the items at the
/// positions of the failure. A text without `main` begins only at these positions, if it has any.
pub(crate) fn program(graph: &Graph, places: &[Vec<Range<u32>>], text: &[u8]) -> Vec<u32> {
    let places: Vec<Range<u32>> = places.iter().flatten().cloned().collect();
    let mut found = at(graph, &places);
    let functions = found.iter().map(|at| &graph.nodes[*at as usize]);
    let functions = functions.filter(|node| node.kind == ItemKind::Body);
    let functions: Vec<u32> = functions.filter_map(|node| node.parent).collect();
    found.extend(functions);
    let is_main = |node: &Node| node.kind == ItemKind::Function && node.name == "main";
    if found.is_empty() || graph.nodes.iter().any(is_main) {
        found.extend(own(graph, text));
    }
    found
}

/// Returns the smallest items at some places, and the bodies of functions whose heads are there:
/// without a definition, a compiler does not look at its types.
fn at(graph: &Graph, places: &[Range<u32>]) -> Vec<u32> {
    let mut found = vec![];
    for place in places {
        let meets = |at: u32| {
            let range = &graph.nodes[at as usize].range;
            range.start < place.end.max(place.start + 1) && place.start < range.end
        };
        let all: Vec<u32> = (0..graph.nodes.len() as u32)
            .filter(|at| meets(*at))
            .collect();
        let parents: FxHashSet<u32> = all
            .iter()
            .filter_map(|at| graph.nodes[*at as usize].parent)
            .collect();
        let innermost = all.into_iter().filter(|at| !parents.contains(at));
        for at in innermost {
            found.push(at);
            found.extend(graph.body(at));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The items from which a slice is computed.
pub(crate) struct Roots<'f> {
    pub(crate) items: Vec<u32>,
    /// Whether statements around the items are left out.
    pub(crate) is_part: bool,
    /// The kind of error that the slice must have.
    pub(crate) failure: Option<&'f str>,
    /// Whether it is only a guess that these items contain the failure.
    pub(crate) is_guess: bool,
}

impl Roots<'_> {
    fn of(items: Vec<u32>) -> Self {
        Roots {
            items,
            is_part: false,
            failure: None,
            is_guess: false,
        }
    }
}

/// Returns some items with all statements of the bodies that some of them are in.
fn with_siblings(graph: &Graph, roots: &[u32]) -> Vec<u32> {
    let parent = |at: &u32| graph.nodes[*at as usize].parent;
    let is_statement = |at: &u32| graph.nodes[*at as usize].kind == ItemKind::Statement;
    let around = roots
        .iter()
        .flat_map(|root| std::iter::successors(Some(*root), parent));
    let is_body = |at: &&u32| graph.nodes[**at as usize].kind == ItemKind::Body;
    let blocks: FxHashSet<u32> = around
        .filter(is_statement)
        .filter_map(|at| parent(&at))
        .chain(roots.iter().filter(is_body).copied())
        .collect();
    let all = (0..graph.nodes.len() as u32)
        .filter(|at| is_statement(at) && parent(at).is_some_and(|it| blocks.contains(&it)));
    let mut found: Vec<u32> = roots.iter().copied().chain(all).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the items that come from no header, according to line markers. Without line markers, or
/// if these items are more than half of the text, it returns the items of [`tail`].
fn own(graph: &Graph, text: &[u8]) -> Vec<u32> {
    let mut main: Option<&[u8]> = None;
    let mut is_own = false;
    let mut found = vec![];
    let all = || (0..).zip(&graph.nodes);
    for (at, node) in all() {
        match node.kind {
            ItemKind::Marker => {
                let range = node.range.start as usize..node.range.end as usize;
                let file = file(&text[range]);
                main = main.or(file);
                is_own = file.is_some() && file == main;
            }
            ItemKind::Namespace | ItemKind::Linkage | ItemKind::Pragma => {}
            _ if is_own => found.push(at),
            _ => {}
        }
    }
    let is_outermost = |at: &&u32| {
        let parent = graph.nodes[**at as usize].parent;
        parent.is_none_or(|parent| found.binary_search(&parent).is_err())
    };
    let outermost = found.iter().filter(is_outermost);
    let size: u64 = outermost.map(|at| u64::from(len(graph, *at))).sum();
    if found.is_empty() || size * 2 > text.len() as u64 {
        found = tail(graph);
    }
    found
}

/// Returns the items after the last item of a library. It returns `main` if these are more than
/// half of all items, or if `main` is before the last item of a library. Names of libraries begin
/// with an underscore or are in `std`.
fn tail(graph: &Graph) -> Vec<u32> {
    let is_of_library = |node: &Node| match node.kind {
        ItemKind::Linkage => true,
        ItemKind::Namespace => node.name == "std" || node.name.starts_with('_'),
        _ => node.name.starts_with('_'),
    };
    let all = || (0..).zip(&graph.nodes);
    let outer = all().filter(|(_, node)| node.parent.is_none());
    let last = outer.clone().filter(|(_, node)| is_of_library(node)).last();
    let (_, last) = last.unzip();
    let library = last.map_or(0, |node| node.range.end);
    let end = graph.nodes.last().map_or(0, |node| node.range.end);
    let is_main = |node: &Node| node.kind == ItemKind::Function && node.name == "main";
    let main = outer.filter(|(_, node)| is_main(node)).last();
    // The `main` function does not mark the program's own code if a library comes after it.
    let own = main.filter(|(_, main)| main.range.start < library || library < end / 2);
    let own = own.map_or(library..u32::MAX, |(_, main)| main.range.clone());
    let is_own = |node: &Node| own.start <= node.range.start && node.range.end <= own.end;
    let is_code = |node: &Node| !matches!(node.kind, ItemKind::Marker | ItemKind::Pragma);
    all()
        .filter(|(_, node)| is_own(node) && is_code(node))
        .map(|(at, _)| at)
        .collect()
}

fn len(graph: &Graph, at: u32) -> u32 {
    let node = &graph.nodes[at as usize];
    node.range.end - node.range.start
}

/// Returns the name of the file in a line marker.
fn file(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_prefix(b"#").unwrap_or(line);
    let mut literals = tokens(line, 0..line.len()).filter(|token| token.kind == TokenKind::Literal);
    literals
        .find(|token| line[token.range.start] == b'"')
        .map(|token| &line[token.range])
}
