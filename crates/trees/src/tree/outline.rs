use super::bits::Bits;
use super::chains::Chains;
use super::node::{Name, Node, NodeId, ROOT};
use super::phrases::Phrases;
use nubbin_edit::Span;
use nubbin_engine::work::Remembered;
use nubbin_grammar::grammar::{Grammar, SymbolId};
use nubbin_grammar::parse::ParseError;
use nubbin_grammar::syntax::Syntax;
use nubbin_grammar::tree::{NodeId as TreeId, NodeKind, Tree};
use std::any::Any;
use std::sync::Arc;

/// The syntax tree of a file, prepared for reduction.
///
/// Nodes are numbered in the order of the text, parents before children. Each node has the end of
/// its subtree, so no function here or in a tree reducer recurses.
#[derive(Clone, Debug)]
pub struct Outline {
    pub(super) grammar: Arc<Grammar>,
    pub(super) text: Arc<[u8]>,
    /// The offset in the input at which the text begins.
    pub(super) at: u32,
    pub(super) nodes: Vec<Node>,
    /// The number of tokens before each node. The last element is the number of all tokens.
    pub(super) tokens: Vec<u32>,
    pub(super) phrases: Phrases,
    /// The nodes that were squeezed into each node.
    pub(super) chains: Chains,
    pub(super) hidden: Bits,
    pub(super) spaces: bool,
    /// Facts about the tree as a whole, for tree reducers.
    pub(super) facts: Remembered,
}

impl Outline {
    /// Parses a text as [`Outline::parse`] does, and returns `None` if there is no tree.
    pub fn of(syntax: &dyn Syntax, text: &[u8], at: u32) -> Option<Self> {
        Outline::parse(syntax, text, at).ok()
    }

    /// Parses a text, which begins at `at` in the input, with `syntax`. White space at its end that
    /// does not fit is left out, since editors end files with a line feed, and grammars rarely
    /// mention it.
    ///
    /// # Errors
    ///
    /// Returns [`ParseError`] if there is no tree for the text.
    pub fn parse(syntax: &dyn Syntax, text: &[u8], at: u32) -> Result<Self, ParseError> {
        let tree = tree_of(syntax, text)?;
        // A tolerant source makes an error of the line feed.
        let is_error = |tree: &Tree| tree.node(TreeId::ROOT).kind == NodeKind::Error;
        let without = match text {
            [before @ .., b'\n'] if is_error(&tree) => syntax.tree(before).ok(),
            _ => None,
        };
        let tree = without.filter(|tree| !is_error(tree)).unwrap_or(tree);
        let mut outline = Outline::of_tree(&tree, at, syntax.spaces_tokens());
        if syntax.keeps_gaps() {
            outline.hide_gaps();
        }
        Ok(outline)
    }

    /// Hides all gaps, so that no tree reducer removes one.
    pub(super) fn hide_gaps(&mut self) {
        for (id, node) in (0..).zip(&self.nodes) {
            if node.kind == NodeKind::Gap {
                self.hidden.insert(id);
            }
        }
    }

    /// Creates the outline of a tree whose text begins at `at` in the input. `spaces` states
    /// whether tokens that would join need a space between them.
    pub fn of_tree(tree: &Tree, at: u32, spaces: bool) -> Self {
        let mut nodes: Vec<Node> = Vec::with_capacity(tree.len());
        let mut tokens = Vec::with_capacity(tree.len() + 1);
        let mut count = 0;
        for (id, node) in tree.nodes() {
            let parent = tree.parent(id).map_or(ROOT, |id| id.index() as u32);
            let level = match nodes.get(parent as usize) {
                Some(parent) => parent.level + 1,
                None => 0,
            };
            nodes.push(Node {
                kind: node.kind,
                symbol: node.symbol,
                place: node.expr,
                field: node.field(),
                span: Span::at(at, node.span()),
                parent,
                end: tree.end(id),
                level,
            });
            tokens.push(count);
            count += u32::from(node.kind == NodeKind::Token && !node.span().is_empty());
        }
        tokens.push(count);
        Outline {
            phrases: Phrases::of(tree, &nodes),
            grammar: Arc::clone(tree.grammar()),
            text: Arc::clone(tree.text()),
            at,
            nodes,
            tokens,
            chains: Chains::default(),
            hidden: Bits::default(),
            spaces,
            facts: Remembered::default(),
        }
    }

    /// Returns the grammar of the tree.
    pub fn grammar(&self) -> &Arc<Grammar> {
        &self.grammar
    }

    /// Returns the number of nodes, which is at least 1.
    pub fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Returns `false`, since every outline has a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns a node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// Returns all nodes, parents before children, left before right.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the direct children, from left to right.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.node(id).end;
        let mut next = id + 1;
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let child = next;
                next = self.node(child).end;
                child
            })
        })
    }

    /// Returns the range that contains the node and all nodes below it.
    pub fn subtree(&self, id: NodeId) -> std::ops::Range<NodeId> {
        id..self.node(id).end
    }

    /// Returns whether `inner` equals `outer` or is below it.
    pub fn covers(&self, outer: NodeId, inner: NodeId) -> bool {
        self.subtree(outer).contains(&inner)
    }

    /// Returns the number of non-empty tokens in the subtree of a node.
    pub fn tokens(&self, id: NodeId) -> u32 {
        self.tokens[self.node(id).end as usize] - self.tokens[id as usize]
    }

    /// Returns the text of a node, as it was parsed.
    pub fn text_of(&self, id: NodeId) -> &[u8] {
        let span = self.node(id).span;
        &self.text[(span.start - self.at) as usize..(span.end - self.at) as usize]
    }

    /// Returns the indentation of the line in which a node begins.
    pub fn indent(&self, id: NodeId) -> &[u8] {
        let start = (self.node(id).span.start - self.at) as usize;
        let before = &self.text[..start];
        let line = before
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let len = self.text[line..]
            .iter()
            .take_while(|byte| is_blank(byte))
            .count();
        &self.text[line..line + len]
    }

    /// Returns the smallest text that the grammar allows at the position of the node.
    ///
    /// The text is empty for an optional part, for an iteration of a repetition, and for gaps and
    /// errors. Otherwise it is the shortest text of the symbol. For a token of an external scanner,
    /// it is the shortest text of the symbol in the file.
    ///
    /// An iteration of a repetition may be removed as long as enough other iterations are kept.
    /// This function does not check that, but [`Outline::cut`] does.
    pub fn phrase(&self, id: NodeId) -> &Arc<[u8]> {
        self.phrases.of_node(id)
    }

    /// Returns whether lists leave the node out, because [`hide`](super::hide()) has marked it.
    pub fn is_hidden(&self, id: NodeId) -> bool {
        self.hidden.contains(id)
    }

    /// Returns all names of the node: first the names of the nodes that were
    /// [squeezed](super::squeeze()) into it, from the outside in, then its own name.
    pub fn names(&self, id: NodeId) -> impl Iterator<Item = Name> + '_ {
        let node = self.node(id);
        let own = Name {
            symbol: node.symbol,
            place: node.place,
            field: node.field,
        };
        self.chains.of(id).iter().copied().chain([own])
    }

    /// Returns whether an instance of `symbol` may replace the node `place`.
    pub fn fits(&self, place: NodeId, symbol: SymbolId) -> bool {
        let kind = self.node(place).kind;
        let is_symbol = matches!(kind, NodeKind::Rule | NodeKind::Token);
        let squeezed = self.chains.of(place).len();
        self.names(place).enumerate().any(|(i, name)| {
            if (is_symbol || i < squeezed) && name.symbol == symbol {
                return true;
            }
            let Some(mention) = name.place else {
                let is_root = place == ROOT && i == 0;
                let facts = self.grammar.facts();
                return is_root && facts.stands_for(name.symbol).contains(&symbol);
            };
            let places = self.grammar.places().at(&self.grammar, mention);
            places.binary_search(&symbol).is_ok()
        })
    }

    /// Returns the symbols, other than its own, whose instances may replace the node `place`, in
    /// order.
    pub fn may_stand_at(&self, place: NodeId) -> Vec<SymbolId> {
        let grammar = &self.grammar;
        let mut found = vec![];
        for (i, name) in self.names(place).enumerate() {
            match name.place {
                Some(mention) => found.extend_from_slice(&grammar.places().at(grammar, mention)),
                None if place == ROOT && i == 0 => {
                    found.extend(grammar.facts().stands_for(name.symbol));
                }
                None => {}
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns a fact about the whole tree, such as its names. The fact is computed at the first
    /// request, and cached as long as the tree exists.
    pub(crate) fn fact<F: Any + Send + Sync>(&self, of: impl FnOnce(&Outline) -> F) -> Arc<F> {
        self.facts.get((), || of(self))
    }

    /// Returns the same tree for an input in which its text begins at `at`.
    pub(crate) fn moved(&self, at: u32) -> Self {
        let mut moved = self.clone();
        let place = |old: u32| old - self.at + at;
        for node in &mut moved.nodes {
            node.span = Span::new(place(node.span.start), place(node.span.end));
        }
        moved.at = at;
        moved
    }

    /// Returns the offset in the input at which the text begins.
    pub(crate) fn start(&self) -> u32 {
        self.at
    }

    /// Returns the memory in use in bytes, without the text and the grammar.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.tokens.capacity() * size_of::<u32>()
            + self.phrases.bytes()
            + self.chains.bytes()
            + self.hidden.bytes()
    }
}

/// Parses a text without the white space at its end, from the place where that does not fit.
pub(crate) fn tree_of(syntax: &dyn Syntax, text: &[u8]) -> Result<Tree, ParseError> {
    syntax.tree(text).or_else(|error| {
        let ParseError::Syntax(found) = &error else {
            return Err(error);
        };
        match text.split_at_checked(found.offset) {
            Some((before, end)) if !end.is_empty() && end.trim_ascii().is_empty() => {
                syntax.tree(before).map_err(|_| error)
            }
            _ => Err(error),
        }
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use nubbin_grammar::parse::{IslandParser, Parser};
    use nubbin_grammar::read;

    pub(in crate::tree) fn outline(grammar: &str, text: &str) -> Outline {
        let grammar = read::read(grammar, None, "test").unwrap();
        let parser = Parser::new(Arc::new(grammar)).unwrap();
        Outline::of(&parser, text.as_bytes(), 0).unwrap()
    }

    fn find(outline: &Outline, text: &str) -> NodeId {
        (0..outline.len())
            .find(|&id| outline.text_of(id) == text.as_bytes())
            .unwrap()
    }

    const SUMS: &str = "<s> ::= <t> ('+' <t>)*\n<t> ::= '(' <s> ')' | [0-9]+\n";

    #[test]
    fn a_line_feed_at_the_end_is_not_part_of_the_tree() {
        assert_eq!(outline(SUMS, "1+2\n").text_of(ROOT), b"1+2");
        let lines = outline("<s> ::= [a-z]+ '\\n'\n", "ab\n");
        assert_eq!(lines.text_of(ROOT), b"ab\n");
        let grammar = Arc::new(read::read(SUMS, None, "test").unwrap());
        let parser = Parser::new(grammar).unwrap();
        assert!(Outline::parse(&parser, b"1+\n", 0).is_err());
        let lines = Outline::parse(&parser, b"1+2\r\n \n", 0).unwrap();
        assert_eq!(lines.text_of(ROOT), b"1+2");
        let islands = IslandParser::new(parser);
        let root = |text: &[u8]| {
            let outline = Outline::parse(&islands, text, 0).unwrap();
            (outline.node(ROOT).kind, outline.text_of(ROOT).len())
        };
        assert_eq!(root(b"1+2\n"), (NodeKind::Rule, 3));
        assert_eq!(root(b"1+2\n\n"), (NodeKind::Error, 5));
    }

    #[test]
    fn nodes_have_their_level_tokens_and_symbols() {
        let outline = outline(SUMS, "1+(22+3)");
        let inner = find(&outline, "22+3");
        assert_eq!(outline.tokens(inner), 4);
        assert_eq!(
            outline.node(inner).level,
            outline.node(outline.node(inner).parent).level + 1
        );
        let iteration = find(&outline, "+(22+3)");
        assert!(outline.phrase(iteration).is_empty());
        assert_eq!(&**outline.phrase(inner), b"0");
        let symbol = outline.node(inner).symbol;
        assert!(outline.fits(inner, symbol));
        assert!(!outline.fits(find(&outline, "("), symbol));
    }
}
