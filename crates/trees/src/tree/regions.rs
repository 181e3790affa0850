use super::Outline;
use nubbin_binary::View;
use nubbin_edit::Span;
use nubbin_engine::work::Nested;
use nubbin_grammar::grammar::{Builder, ExprId, Grammar, SymbolId};
use nubbin_grammar::tree::{NodeKind, TreeBuilder};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Creates the tree of the regions of a binary file, which begins at `at` in the input.
///
/// Each kind of region is a rule, and each region is an iteration of a repetition, so it can be
/// removed. Regions of one kind can replace each other. If the file has regions of two kinds
/// directly within one kind, the grammar allows both kinds there in any number and order. Bytes of
/// a region that are in no inner region are [gaps](NodeKind::Gap), and are
/// [hidden](Outline::is_hidden): they are headers and fields, which a format needs.
///
/// The text is the text of the [view](nubbin_binary::Layout::view), so an edit of it has to be
/// [completed](nubbin_binary::Layout::rewrite). Returns `None` for a file without regions.
pub(crate) fn of_regions(view: &View, at: u32) -> Option<Outline> {
    // If several regions have the same span, the outer one counts.
    let kinds: FxHashMap<Span, &'static str> = view
        .regions
        .iter()
        .rev()
        .map(|(span, kind)| (Span::new(span.start, span.end), *kind))
        .collect();
    let nested = Nested::of(kinds.keys().copied());
    if nested.spans.is_empty() {
        return None;
    }
    let kind = |region: usize| {
        kinds
            .get(&nested.spans[region])
            .copied()
            .unwrap_or_default()
    };
    let within = nested.parents.iter().enumerate().map(|(region, parent)| {
        let outer = parent.map_or(FILE, |parent| kind(parent as usize));
        (outer, kind(region))
    });
    let (grammar, rules) = rules(within)?;
    let text: Arc<[u8]> = view.text.as_slice().into();
    let mut open = Open {
        tree: TreeBuilder::new(Arc::clone(&grammar), Arc::clone(&text)),
        at: 0,
        regions: vec![],
    };
    open.region(rules.get(FILE)?, None, text.len() as u32);
    for (region, span) in nested.spans.iter().enumerate() {
        open.close_until(span.start);
        open.region(rules.get(kind(region))?, Some(span.start), span.end);
    }
    open.close_until(u32::MAX);
    let mut outline = Outline::of_tree(&open.tree.finish().ok()?, at, false);
    outline.hide_gaps();
    Some(outline)
}

/// The rule of the whole file. No format has a kind of this name.
const FILE: &str = "";

/// The rule of a kind of regions.
struct Rule {
    symbol: SymbolId,
    body: ExprId,
    /// For each rule that mentions this rule, the place in its body.
    mentions: BTreeMap<SymbolId, ExprId>,
}

/// Creates a grammar in which a region of a kind has any number of regions of the kinds that occur
/// directly within a region of its kind.
fn rules(
    within: impl Iterator<Item = (&'static str, &'static str)>,
) -> Option<(Arc<Grammar>, BTreeMap<&'static str, Rule>)> {
    let pairs: BTreeSet<(&str, &str)> = within.collect();
    let names: BTreeSet<&str> = pairs
        .iter()
        .flat_map(|&(outer, inner)| [outer, inner])
        .collect();
    let mut builder = Builder::new("regions");
    let mut rules: BTreeMap<&'static str, Rule> = names
        .into_iter()
        .map(|name| {
            let symbol = builder.rule(name);
            let (body, mentions) = (builder.empty(), BTreeMap::new());
            (
                name,
                Rule {
                    symbol,
                    body,
                    mentions,
                },
            )
        })
        .collect();
    for of_one in pairs.iter().collect::<Vec<_>>().chunk_by(|a, b| a.0 == b.0) {
        let outer = rules.get(of_one.first()?.0)?.symbol;
        let mut kinds = vec![];
        for (_, inner) in of_one {
            let rule = rules.get_mut(inner)?;
            let mention = builder.symbol(rule.symbol);
            rule.mentions.insert(outer, mention);
            kinds.push(mention);
        }
        let any = builder.choice(kinds);
        rules.get_mut(of_one.first()?.0)?.body = builder.repeat(any, 0, None, None);
    }
    for rule in rules.values() {
        builder.define(rule.symbol, rule.body);
    }
    let start = rules.get(FILE)?.symbol;
    Some((Arc::new(builder.finish(start).ok()?), rules))
}

/// A tree up to a place, with the regions that are open there.
struct Open {
    tree: TreeBuilder,
    at: u32,
    regions: Vec<OpenRegion>,
}

struct OpenRegion {
    symbol: SymbolId,
    body: ExprId,
    end: u32,
    /// Whether the region contains another region.
    has_regions: bool,
}

impl Open {
    /// Opens a region, which begins at `start` if it is in another.
    fn region(&mut self, rule: &Rule, start: Option<u32>, end: u32) {
        let mut mention = None;
        if let (Some(start), Some(outer)) = (start, self.regions.last_mut()) {
            let (symbol, body) = (outer.symbol, outer.body);
            mention = rule.mentions.get(&symbol).copied();
            let is_first = !std::mem::replace(&mut outer.has_regions, true);
            self.gap(symbol, start);
            if is_first {
                self.tree.open(NodeKind::Repeat, symbol, Some(body));
            }
            self.tree.open(NodeKind::Iteration, symbol, Some(body));
        }
        self.tree.open(NodeKind::Rule, rule.symbol, mention);
        self.regions.push(OpenRegion {
            symbol: rule.symbol,
            body: rule.body,
            end,
            has_regions: false,
        });
    }

    /// Closes the regions that end at a place or before it.
    fn close_until(&mut self, at: u32) {
        while let Some(region) = self.regions.pop_if(|region| region.end <= at) {
            self.gap(region.symbol, region.end);
            let is_file = self.regions.is_empty();
            let of_region = 1 + usize::from(!is_file) + usize::from(region.has_regions);
            (0..of_region).for_each(|_| self.tree.close());
        }
    }

    fn gap(&mut self, symbol: SymbolId, to: u32) {
        if to > self.at {
            let len = (to - self.at) as usize;
            self.tree.leaf(NodeKind::Gap, symbol, None, len);
            self.at = to;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Preparation, ROOT};

    #[test]
    fn regions_are_iterations_and_the_rest_is_hidden() {
        let wav = b"RIFF\x22\0\0\0WAVEabcd\x02\0\0\0xydata\x04\0\0\0\x01\x02\x03\x04";
        let layout = nubbin_binary::read(wav).unwrap();
        let outline = of_regions(&layout.view(), 7).unwrap();
        assert_eq!(outline.text_of(ROOT), wav);
        let shown = |outline: &Outline, kind: NodeKind| -> Vec<String> {
            (0..outline.len())
                .filter(|&id| !outline.is_hidden(id) && outline.node(id).kind == kind)
                .map(|id| outline.text_of(id).escape_ascii().to_string())
                .collect()
        };
        let iterations = shown(&outline, NodeKind::Iteration);
        assert!(
            iterations.contains(&r"abcd\x02\x00\x00\x00xy".to_owned()),
            "{iterations:?}"
        );
        assert!(shown(&outline, NodeKind::Gap).is_empty());
        let chunk = outline
            .nodes()
            .iter()
            .find(|node| node.kind == NodeKind::Iteration)
            .unwrap();
        assert_eq!(chunk.span.start, 7 + 12);
        // The preparation keeps what is hidden, and what can be removed.
        let prepared = Preparation::ALL.apply(outline);
        assert!(shown(&prepared, NodeKind::Gap).is_empty());
    }

    /// An archive has regions with the name `file`.
    #[test]
    fn no_region_is_of_the_kind_of_the_whole_file() {
        let text = include_bytes!("../../../binary/tests/samples/x.zip");
        let layout = nubbin_binary::read(text).unwrap();
        let outline = of_regions(&layout.view(), 0).unwrap();
        let root = outline.node(ROOT).symbol;
        let rules = outline
            .nodes()
            .iter()
            .filter(|node| node.kind == NodeKind::Rule);
        assert_eq!(rules.filter(|node| node.symbol == root).count(), 1);
    }

    #[test]
    fn a_file_without_regions_has_no_tree() {
        assert!(of_regions(&View::default(), 0).is_none());
    }
}
