use super::bits::Bits;
use super::{NodeId, Outline, ROOT};
use nubbin_edit::{Edit, Span, Splice};
use nubbin_grammar::conventions::Conventions;
use nubbin_grammar::grammar::Expr;
use nubbin_grammar::tree::NodeKind;
use std::sync::Arc;

/// The nodes that a tree reducer removed so far. A clone costs two reference counts until it is
/// changed.
#[derive(Clone, Debug, Default)]
pub struct Gone {
    nodes: Bits,
    /// The removed nodes that left their smallest text.
    shrunk: Bits,
}

impl Gone {
    /// Returns whether this very node was removed. Nodes below a removed node need not be marked.
    pub fn contains(&self, node: NodeId) -> bool {
        self.nodes.contains(node)
    }

    /// Marks a node as removed.
    pub fn insert(&mut self, node: NodeId) {
        self.nodes.insert(node);
    }

    /// Marks the nodes that a [`Cut`] removes.
    pub fn take(&mut self, cut: &Cut) {
        cut.taken.iter().for_each(|&node| self.nodes.insert(node));
        cut.shrunk.iter().for_each(|&node| self.shrunk.insert(node));
    }

    /// Returns whether nothing of the node is left.
    fn without_trace(&self, node: NodeId) -> bool {
        self.contains(node) && !self.shrunk.contains(node)
    }
}

/// The number of steps in which [`Outline::is_smallest`] compares a text.
const MOST_VISITED: usize = 256;

/// The treatment of iterations that a repetition needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Needed {
    /// Needed iterations shrink to the smallest text of an iteration.
    #[default]
    Shrink,
    /// Needed iterations are kept unchanged.
    Stay,
}

/// An edit that removes nodes.
#[derive(Clone, Debug, Default)]
pub struct Cut {
    /// The edit. The edit changes nothing if all of the nodes must be kept.
    pub edit: Edit,
    /// The nodes that the edit removes, without nodes that must be kept.
    pub taken: Vec<NodeId>,
    /// The removed nodes that leave the smallest text of an iteration, because the repetition needs
    /// one.
    pub shrunk: Vec<NodeId>,
}

impl Outline {
    /// Returns the edit that replaces each of the given nodes with its [smallest
    /// text](Outline::phrase). The nodes may come in any order, and no node may be below another.
    /// See [`Outline::cut`].
    pub fn prune(&self, nodes: impl IntoIterator<Item = NodeId>, gone: &Gone) -> Edit {
        self.cut(nodes, gone, Needed::Shrink).edit
    }

    /// Returns the edit that replaces each of the given nodes with its [smallest
    /// text](Outline::phrase), and the nodes that it removes. The nodes may come in any order, and
    /// no node may be below another.
    ///
    /// The separators of iterations are removed with them. A repetition that must not be empty
    /// keeps as many iterations as it needs. `needed` states whether they shrink. Both depend on
    /// the iterations that were removed before, so `gone` must contain them. The edit refers to the
    /// text that was parsed, but is meant to be combined with the edits that removed `gone`.
    pub fn cut(&self, nodes: impl IntoIterator<Item = NodeId>, gone: &Gone, needed: Needed) -> Cut {
        let mut splices = vec![];
        let mut cut = Cut::default();
        let mut iterations = vec![];
        for id in nodes {
            if self.node(id).kind == NodeKind::Iteration {
                iterations.push(id);
            } else {
                cut.taken.push(id);
                splices.push(self.splice(self.node(id).span, self.phrase(id)));
            }
        }
        iterations.sort_unstable_by_key(|&id| (self.node(id).parent, id));
        for of_one in iterations.chunk_by(|&a, &b| self.node(a).parent == self.node(b).parent) {
            self.cut_iterations(of_one, gone, needed, &mut cut, &mut splices);
        }
        cut.edit = Edit::new(splices).unwrap_or_default();
        cut
    }

    /// Returns whether the node already has its [smallest text](Outline::phrase), so that its
    /// removal would change nothing.
    ///
    /// The result is `false` in three cases: if the answer depends on separators or spaces around
    /// removed nodes, if the smallest text is a text of the file in which parts of the node may
    /// shrink, and if many nodes would have to be visited.
    pub fn is_smallest(&self, id: NodeId, gone: &Gone) -> bool {
        let is_leaf = |id: NodeId| self.node(id).end == id + 1;
        if gone.contains(id) {
            return !gone.shrunk.contains(id);
        }
        if is_leaf(id) {
            return self.text_of(id) == &**self.phrase(id);
        }
        if !self.phrases.is_of_grammar(id) {
            return false;
        }
        let mut rest: &[u8] = self.phrase(id);
        let mut take = |text: &[u8]| rest.strip_prefix(text).map(|after| rest = after).is_some();
        let between = |from: u32, to: u32| {
            let [from, to] = [from, to].map(|at| (at - self.at) as usize);
            &self.text[from..to]
        };
        // The stack has each node with its next child, and the end of the text that is already
        // compared.
        let mut open = vec![(id, id + 1, self.node(id).span.start)];
        for _ in 0..MOST_VISITED {
            let Some((above, child, at)) = open.pop() else {
                return rest.is_empty();
            };
            let outer = self.node(above);
            if child >= outer.end {
                if !take(between(at, outer.span.end)) {
                    return false;
                }
                continue;
            }
            let node = self.node(child);
            open.push((above, node.end, node.span.end));
            let fits = take(between(at, node.span.start))
                && if gone.contains(child) {
                    let is_simple = !self.spaces && !self.is_separated(above);
                    is_simple && !gone.shrunk.contains(child) && take(self.phrase(child))
                } else if is_leaf(child) {
                    take(self.text_of(child))
                } else {
                    open.push((child, child + 1, node.span.start));
                    true
                };
            if !fits {
                return false;
            }
        }
        false
    }

    /// Returns whether a node is a repetition with separators.
    fn is_separated(&self, id: NodeId) -> bool {
        match self.node(id).place.map(|expr| self.grammar.expr(expr)) {
            Some(Expr::Repeat(repeat)) => repeat.separator.is_some(),
            _ => false,
        }
    }

    /// A separator is kept before each kept iteration except the first. The more iterations are
    /// removed, the fewer separators are kept, so such edits combine.
    fn cut_iterations(
        &self,
        iterations: &[NodeId],
        gone: &Gone,
        needed: Needed,
        cut: &mut Cut,
        splices: &mut Vec<Splice>,
    ) {
        let Some(&first) = iterations.first() else {
            return;
        };
        let repeat = self.node(first).parent;
        let stay = self.needed(repeat, iterations, gone);
        let least = match needed {
            Needed::Shrink => self
                .node(repeat)
                .place
                .and_then(|expr| self.phrases.of_iteration(expr)),
            Needed::Stay => None,
        };
        let (stay, go) = iterations.split_at(stay);
        if let Some(text) = least {
            cut.taken.extend(stay);
            cut.shrunk.extend(stay);
            splices.extend(stay.iter().map(|&id| self.splice(self.node(id).span, text)));
        }
        cut.taken.extend(go);
        let Some(&last) = go.last() else { return };
        let mut any = false;
        let mut separator = None;
        for child in self.children(repeat) {
            match self.node(child).kind {
                NodeKind::Separator => separator = Some(child),
                NodeKind::Iteration => {
                    let before = separator.take().map(|id| self.node(id).span);
                    let span = self.node(child).span;
                    if go.binary_search(&child).is_ok() {
                        let start = before.map_or(span.start, |before| before.start);
                        splices.push(self.splice(Span::new(start, span.end), &Arc::default()));
                    } else if !gone.without_trace(child) {
                        let first = before.filter(|_| !any);
                        splices.extend(first.map(|span| self.splice(span, &Arc::default())));
                        any = true;
                        // The children after the last removed one are unchanged.
                        if child > last {
                            return;
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns the number of iterations of the given nodes that the repetition must keep.
    fn needed(&self, repeat: NodeId, iterations: &[NodeId], gone: &Gone) -> usize {
        let least = self.least_iterations(repeat) as usize;
        if least == 0 {
            return 0;
        }
        let others = self
            .children(repeat)
            .filter(|&id| self.node(id).kind == NodeKind::Iteration)
            .filter(|&id| !gone.without_trace(id) && iterations.binary_search(&id).is_err())
            .take(least)
            .count();
        (least - others).min(iterations.len())
    }

    /// Returns the edit that replaces a node with one node below it. The text of that node is not
    /// moved.
    pub fn hoist(&self, node: NodeId, below: NodeId) -> Edit {
        let (outer, inner) = (self.node(node).span, self.node(below).span);
        let around = [
            Span::new(outer.start, inner.start),
            Span::new(inner.end, outer.end),
        ];
        let splices = around.map(|span| self.splice(span, &Arc::default()));
        Edit::new(splices.into_iter().filter(|splice| !splice.span.is_empty())).unwrap_or_default()
    }

    /// Returns the edit that replaces a node with a text.
    pub fn replace(&self, node: NodeId, text: &[u8]) -> Edit {
        self.replace_span(self.node(node).span, text)
    }

    /// Returns the text that may replace the node for any content, if that text is shorter. See
    /// [`Grammar::stand_in`](nubbin_grammar::grammar::Grammar::stand_in). For a body that has to
    /// return a value, the text returns a value if the grammar has such a text.
    pub fn stand_in(&self, id: NodeId) -> Option<&Arc<[u8]>> {
        let node = self.node(id);
        let mut within = self.node(node.parent).symbol;
        let squeezed = self.chains.of(id).len();
        for (at, name) in self.names(id).enumerate() {
            if at < squeezed || node.kind == NodeKind::Rule {
                let plain = || self.grammar.stand_in(name.symbol, within);
                let valued = self.grammar.valued_stand_in(name.symbol, within);
                let text = valued.filter(|_| self.has_result(id)).or_else(plain);
                let is_shorter =
                    |text: &&Arc<[u8]>| text.len() < self.text_of(id).trim_ascii().len();
                if id != ROOT
                    && let Some(text) = text.filter(is_shorter)
                {
                    return Some(text);
                }
            }
            within = name.symbol;
        }
        None
    }

    /// Returns whether the type of a function's result comes before its body.
    fn has_result(&self, body: NodeId) -> bool {
        let Conventions { fields, words, .. } = self.grammar.conventions();
        let mut around = self.node(body).parent;
        while around != ROOT && self.node(around).kind != NodeKind::Rule {
            around = self.node(around).parent;
        }
        let is_result = |&id: &NodeId| {
            let mut fields_of = self.names(id).filter_map(|name| name.field);
            fields_of.any(|field| fields.result.contains(&self.grammar.text_of(field)))
        };
        let result = self
            .children(around)
            .take_while(|&id| id < body)
            .find(is_result);
        result.is_some_and(|id| {
            let text = self.text_of(id).trim_ascii();
            !words.no_value.iter().any(|word| word.as_bytes() == text)
        })
    }

    /// Returns the edit that replaces each of the given nodes with its
    /// [stand-in](Outline::stand_in). No node may be below another. White space at the ends of the
    /// nodes is kept.
    pub fn stub(&self, nodes: impl IntoIterator<Item = NodeId>) -> Edit {
        let splices = nodes.into_iter().filter_map(|id| {
            let text = self.stand_in(id)?;
            let old = self.text_of(id);
            let start =
                self.node(id).span.start + (old.len() - old.trim_ascii_start().len()) as u32;
            let len = old.trim_ascii().len();
            Some(self.splice(Span::at(start, 0..len), text))
        });
        Edit::new(splices).unwrap_or_default()
    }

    /// Returns the edit that replaces a span of the text with another text.
    pub(super) fn replace_span(&self, span: Span, text: &[u8]) -> Edit {
        Edit::new([self.splice(span, &text.into())]).unwrap_or_default()
    }

    /// Returns the number of iterations that a repetition must keep.
    pub fn least_iterations(&self, repeat: NodeId) -> u32 {
        match self.node(repeat).place.map(|expr| self.grammar.expr(expr)) {
            Some(Expr::Repeat(repeat)) => repeat.min,
            _ => 0,
        }
    }

    /// Returns whether two bytes would join two words if they were adjacent.
    pub(crate) fn joins(&self, before: u8, after: u8) -> bool {
        self.spaces && is_word(before) && is_word(after)
    }

    /// Creates a splice, with a space where two words would be joined.
    fn splice(&self, span: Span, text: &Arc<[u8]>) -> Splice {
        let byte = |at: Option<u32>| at.and_then(|at| self.text.get(at as usize)).copied();
        let before = byte((span.start - self.at).checked_sub(1));
        let after = byte(Some(span.end - self.at));
        let joins = |a: Option<u8>, b: Option<u8>| a.zip(b).is_some_and(|(a, b)| self.joins(a, b));
        let (left, right) = match (text.first(), text.last()) {
            (Some(&first), Some(&last)) => (joins(before, Some(first)), joins(Some(last), after)),
            _ => (joins(before, after), false),
        };
        if !left && !right {
            return Splice {
                span,
                text: Some(Arc::clone(text)).filter(|text| !text.is_empty()),
                rank: 0,
            };
        }
        let mut spaced = Vec::with_capacity(text.len() + 2);
        spaced.extend(left.then_some(b' '));
        spaced.extend_from_slice(text);
        spaced.extend(right.then_some(b' '));
        Splice::replace(span, &spaced)
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::super::ROOT;
    use super::super::outline::tests::outline;
    use super::*;
    use nubbin_edit::Applied;
    use nubbin_grammar::grammar::Builder;
    use nubbin_grammar::parse::Parser;

    #[test]
    fn separators_are_removed_with_iterations() {
        let outline = outline(
            "<l> ::= '[' <i> (',' <i>)* ']'\n<i> ::= [0-9] | <l>\n",
            "[1,2,[3],4]",
        );
        let iterations: Vec<NodeId> = (0..outline.len())
            .filter(|&id| outline.node(id).kind == NodeKind::Iteration)
            .collect();
        let text = b"[1,2,[3],4]";
        let mut gone = Gone::default();
        let first = outline.prune([iterations[0]], &gone);
        assert_eq!(first.render(text), b"[1,[3],4]");
        gone.insert(iterations[0]);
        let both = outline
            .prune([iterations[2]], &gone)
            .combine(&first)
            .unwrap();
        assert_eq!(both.render(text), b"[1,[3]]");
    }

    /// Parses with `<l> ::= <d>{min,}`, with or without commas between the iterations, and `<d> ::=
    /// '0' | <d> 'x'`.
    fn repetition(min: u32, commas: bool, text: &str) -> Outline {
        let mut builder = Builder::new("lists");
        let [list, item] = ["l", "d"].map(|name| builder.rule(name));
        let [zero, x, comma] = ["0", "x", ","].map(|text| builder.literal(text.as_bytes()));
        let mention = builder.symbol(item);
        let longer = builder.sequence(vec![mention, x]);
        let body = builder.choice(vec![zero, longer]);
        builder.define(item, body);
        let body = builder.repeat(mention, min, None, commas.then_some(comma));
        builder.define(list, body);
        let parser = Parser::new(Arc::new(builder.finish(list).unwrap())).unwrap();
        Outline::of(&parser, text.as_bytes(), 0).unwrap()
    }

    /// Removes these iterations, by number, one set after another, and returns the text after each.
    fn without(outline: &Outline, each: &[&[usize]], needed: Needed) -> Vec<String> {
        let iterations: Vec<NodeId> = (0..outline.len())
            .filter(|&id| outline.node(id).kind == NodeKind::Iteration)
            .collect();
        let (mut gone, mut applied) = (Gone::default(), Applied::default());
        let mut texts = vec![];
        for numbers in each {
            let cut = outline.cut(numbers.iter().map(|&i| iterations[i]), &gone, needed);
            gone.take(&cut);
            applied.apply(&cut.edit).unwrap();
            let text = applied.edit().render(outline.text_of(ROOT));
            texts.push(String::from_utf8(text).unwrap());
        }
        texts
    }

    #[test]
    fn a_repetition_keeps_as_many_iterations_as_it_needs() {
        let outline = repetition(2, false, "00x0xx0xxx");
        let shrink = |each: &[&[usize]]| without(&outline, each, Needed::Shrink);
        assert_eq!(shrink(&[&[0, 1, 2, 3]]), ["00"]);
        assert_eq!(shrink(&[&[0, 1, 2], &[3]]), ["00xxx", "00"]);
        assert_eq!(
            shrink(&[&[1], &[0], &[2], &[3]]),
            ["00xx0xxx", "0xx0xxx", "00xxx", "00"]
        );
        let stay = |each: &[&[usize]]| without(&outline, each, Needed::Stay);
        assert_eq!(stay(&[&[0, 1, 2, 3]]), ["00x"]);
        assert_eq!(stay(&[&[1, 3], &[0]]), ["00xx", "00xx"]);
    }

    #[test]
    fn separators_are_kept_between_iterations_that_shrink() {
        let outline = repetition(2, true, "0x,0xx,0xxx,0");
        let shrink = |each: &[&[usize]]| without(&outline, each, Needed::Shrink);
        assert_eq!(shrink(&[&[0, 1, 2]]), ["0,0"]);
        assert_eq!(
            shrink(&[&[3], &[0], &[1], &[2]]),
            ["0x,0xx,0xxx", "0xx,0xxx", "0,0xxx", "0,0"]
        );
        let outline = repetition(0, true, "0x,0xx,0xxx,0");
        let all = without(&outline, &[&[1], &[0], &[3], &[2]], Needed::Shrink);
        assert_eq!(all, ["0x,0xxx,0", "0xxx,0", "0xxx", ""]);
    }

    #[test]
    fn a_node_is_smallest_when_all_nodes_in_it_are() {
        let sums = outline("<s> ::= '(' <s> '+' <s> ')' | [0-9]\n", "((1+0)+0)");
        let find = |outline: &Outline, text: &[u8]| {
            (0..outline.len())
                .find(|&id| outline.text_of(id) == text)
                .unwrap()
        };
        let (one, zero) = (find(&sums, b"1"), find(&sums, b"0"));
        let mut gone = Gone::default();
        assert!(!sums.is_smallest(one, &gone) && sums.is_smallest(zero, &gone));
        gone.insert(one);
        assert!(sums.is_smallest(one, &gone) && !sums.is_smallest(find(&sums, b"(1+0)"), &gone));
        let pairs = outline("<p> ::= <d> <d>\n<d> ::= [0-9]\n", "10");
        let mut gone = Gone::default();
        assert!(!pairs.is_smallest(ROOT, &gone));
        gone.insert(find(&pairs, b"1"));
        assert!(pairs.is_smallest(ROOT, &gone));
    }

    #[test]
    fn a_deep_node_is_compared_in_bounded_steps() {
        let text = format!("{}0", "0+".repeat(20_000));
        let sums = outline("<s> ::= <s> '+' [0-9] | [0-9]\n", &text);
        assert!((0..sums.len()).all(|id| {
            sums.is_smallest(id, &Gone::default()) == (sums.text_of(id) == &**sums.phrase(id))
        }));
    }

    #[test]
    fn a_hoisted_node_keeps_its_place_in_the_text() {
        let outline = outline("<e> ::= '(' <e> ')' | <e> '+' <e> | [0-9]\n", "((1+2))");
        let inner = (0..outline.len())
            .find(|&id| outline.text_of(id) == b"1+2")
            .unwrap();
        assert_eq!(outline.hoist(0, inner).render(b"((1+2))"), b"1+2");
        assert_eq!(outline.replace(inner, b"7").render(b"((1+2))"), b"((7))");
    }
}
