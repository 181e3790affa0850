use super::{NodeId, Outline};
use crate::edit::{Edit, Splice};
use crate::span::Span;
use nubbin_grammar::grammar::Expr;
use nubbin_grammar::tree::NodeKind;
use std::sync::Arc;

/// The nodes that a walk has taken out so far. A clone is one reference count until it changes.
#[derive(Clone, Debug, Default)]
pub struct Gone {
    bits: Arc<Vec<u64>>,
}

impl Gone {
    /// Whether this very node was taken out; what is below one that was need not be marked.
    pub fn contains(&self, node: NodeId) -> bool {
        let word = self.bits.get(node as usize / 64);
        word.is_some_and(|word| word >> (node % 64) & 1 == 1)
    }

    /// Marks a node.
    pub fn insert(&mut self, node: NodeId) {
        let bits = Arc::make_mut(&mut self.bits);
        let word = node as usize / 64;
        if bits.len() <= word {
            bits.resize(word + 1, 0);
        }
        bits[word] |= 1 << (node % 64);
    }
}

impl Outline {
    /// The edit that puts the [smallest text](Outline::phrase) in the place of each of these nodes, in
    /// any order; none of them may be below another.
    ///
    /// What separates iterations of a repetition goes with them. Which separators those are depends on
    /// the iterations that went before, so the edit takes out again what `gone` says of the repetitions
    /// it is about.
    pub fn prune(&self, nodes: impl IntoIterator<Item = NodeId>, gone: &Gone) -> Edit {
        let mut splices = vec![];
        let mut iterations = vec![];
        for id in nodes {
            if self.node(id).kind == NodeKind::Iteration {
                iterations.push(id);
            } else {
                splices.push(self.splice(self.node(id).span, self.phrase(id)));
            }
        }
        iterations.sort_unstable();
        let mut repeats: Vec<NodeId> = iterations.iter().map(|&id| self.node(id).parent).collect();
        repeats.dedup();
        for repeat in repeats {
            let goes = |id: NodeId| gone.contains(id) || iterations.binary_search(&id).is_ok();
            self.without_iterations(repeat, goes, &mut splices);
        }
        Edit::new(splices).unwrap_or_default()
    }

    /// A separator stays where it is before an iteration that stays and is not the first to do so. As
    /// iterations go, fewer and fewer separators stay, so such edits combine.
    fn without_iterations(
        &self,
        repeat: NodeId,
        goes: impl Fn(NodeId) -> bool,
        splices: &mut Vec<Splice>,
    ) {
        let mut any = false;
        let mut separator = None;
        for child in self.children(repeat) {
            match self.node(child).kind {
                NodeKind::Separator => separator = Some(child),
                NodeKind::Iteration => {
                    let before = separator.take().map(|id| self.node(id).span);
                    let span = self.node(child).span;
                    if goes(child) {
                        let start = before.map_or(span.start, |before| before.start);
                        splices.push(self.splice(Span::new(start, span.end), &Arc::default()));
                    } else {
                        let first = before.filter(|_| !any);
                        splices.extend(first.map(|span| self.splice(span, &Arc::default())));
                        any = true;
                    }
                }
                _ => {}
            }
        }
    }

    /// The edit that leaves of a node only one below it, whose text stays where it is.
    pub fn hoist(&self, node: NodeId, below: NodeId) -> Edit {
        let (outer, inner) = (self.node(node).span, self.node(below).span);
        let around = [
            Span::new(outer.start, inner.start),
            Span::new(inner.end, outer.end),
        ];
        let splices = around.map(|span| self.splice(span, &Arc::default()));
        Edit::new(splices.into_iter().filter(|splice| !splice.span.is_empty())).unwrap_or_default()
    }

    /// The edit that puts a text in the place of a node.
    pub fn replace(&self, node: NodeId, text: &[u8]) -> Edit {
        self.replace_span(self.node(node).span, text)
    }

    /// The edit that puts a text in the place of a part of the text.
    pub(super) fn replace_span(&self, span: Span, text: &[u8]) -> Edit {
        Edit::new([self.splice(span, &text.into())]).unwrap_or_default()
    }

    /// How many iterations a repetition must keep.
    pub fn least_iterations(&self, repeat: NodeId) -> u32 {
        match self.node(repeat).place.map(|expr| self.grammar.expr(expr)) {
            Some(Expr::Repeat(repeat)) => repeat.min,
            _ => 0,
        }
    }

    /// Whether two bytes, side by side, would make one word of two.
    pub(crate) fn joins(&self, before: u8, after: u8) -> bool {
        self.spaces && is_word(before) && is_word(after)
    }

    /// Puts a space where two words would become one.
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
    use super::super::tests::outline;
    use super::*;

    #[test]
    fn separators_go_with_iterations() {
        let outline = outline(
            "<l> ::= '[' <i> (',' <i>)* ']'\n<i> ::= [0-9] | <l>\n",
            "[1,2,[3],4]",
        );
        let iterations: Vec<NodeId> = (0..outline.len())
            .filter(|&id| outline.node(id).kind == NodeKind::Iteration)
            .collect();
        let text = b"[1,2,[3],4]";
        let mut gone = Gone::default();
        let edit = outline.prune([iterations[0]], &gone);
        assert_eq!(edit.render(text), b"[1,[3],4]");
        gone.insert(iterations[0]);
        let edit = outline.prune([iterations[2]], &gone);
        assert_eq!(edit.render(text), b"[1,[3]]");
    }

    #[test]
    fn what_is_hoisted_stays_where_it_is() {
        let outline = outline("<e> ::= '(' <e> ')' | <e> '+' <e> | [0-9]\n", "((1+2))");
        let inner = (0..outline.len())
            .find(|&id| outline.text_of(id) == b"1+2")
            .unwrap();
        assert_eq!(outline.hoist(0, inner).render(b"((1+2))"), b"1+2");
        assert_eq!(outline.replace(inner, b"7").render(b"((1+2))"), b"((7))");
    }
}
