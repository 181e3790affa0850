use nubbin_grammar::grammar::{Expr, ExprId, SymbolId, SymbolKind};
use nubbin_grammar::tree::{NodeId, NodeKind, Tree};
use std::ops::Range;

/// A tree with the facts that the creators need.
#[derive(Clone, Debug)]
pub(super) struct Parent {
    tree: Tree,
    tokens: Vec<NodeId>,
    /// The number of tokens before each node, and of all.
    before: Vec<u32>,
    /// The rules and tokens by symbol, without the root.
    nodes: Vec<(SymbolId, NodeId)>,
    /// The optional parts and repetitions by expression.
    quantifiers: Vec<Quantifier>,
}

/// An optional part or a repetition.
#[derive(Clone, Debug)]
pub(super) struct Quantifier {
    pub(super) expr: ExprId,
    /// The first token in it, or the one after it if it has none.
    start: u32,
    /// The tokens of each element.
    pub(super) elements: Vec<Range<u32>>,
    min: u32,
    max: Option<u32>,
}

/// The parents of a mutant.
pub(super) struct Parents<'p> {
    pub(super) recipient: &'p Parent,
    /// Another parent, or the same one if there is no other.
    pub(super) donor: &'p Parent,
}

impl Parent {
    pub(super) fn new(tree: Tree) -> Self {
        let mut tokens = vec![];
        let mut before = Vec::with_capacity(tree.len() + 1);
        for (id, node) in tree.nodes() {
            before.push(tokens.len() as u32);
            if node.kind == NodeKind::Token {
                tokens.push(id);
            }
        }
        before.push(tokens.len() as u32);
        let mut parent = Parent {
            tree,
            tokens,
            before,
            nodes: vec![],
            quantifiers: vec![],
        };
        parent.collect();
        parent
    }

    fn collect(&mut self) {
        let grammar = self.tree.grammar();
        let end = grammar.lexing().and_then(|lexing| lexing.end);
        // A literal has only one text.
        let is_literal = |id: SymbolId| matches!(grammar.symbol(id).kind, SymbolKind::Literal(_));
        let mut nodes = vec![];
        let mut quantifiers = vec![];
        for (id, node) in self.tree.nodes().skip(1) {
            let symbol = self.tree.rule(id);
            match node.kind {
                NodeKind::Rule => nodes.push((symbol, id)),
                NodeKind::Token if !is_literal(symbol) && Some(symbol) != end => {
                    nodes.push((symbol, id));
                }
                NodeKind::Optional | NodeKind::Repeat => quantifiers.extend(self.quantifier(id)),
                _ => {}
            }
        }
        nodes.sort_unstable();
        quantifiers.sort_by_key(|quantifier: &Quantifier| quantifier.expr);
        self.nodes = nodes;
        self.quantifiers = quantifiers;
    }

    /// Returns the quantifier of a node. A grammar from which texts can be generated has no
    /// separators in its repetitions.
    fn quantifier(&self, id: NodeId) -> Option<Quantifier> {
        let expr = self.tree.node(id).expr?;
        let span = self.span(id);
        let (elements, min, max) = match self.tree.grammar().expr(expr) {
            Expr::Optional(_) => {
                let element = (!span.is_empty()).then(|| span.clone());
                (element.into_iter().collect(), 0, Some(1))
            }
            Expr::Repeat(repeat) if repeat.separator.is_none() => {
                let children = self.tree.children(id);
                let iterations =
                    children.filter(|&child| self.tree.node(child).kind == NodeKind::Iteration);
                let elements = iterations.map(|iteration| self.span(iteration)).collect();
                (elements, repeat.min, repeat.max)
            }
            _ => return None,
        };
        Some(Quantifier {
            expr,
            start: span.start,
            elements,
            min,
            max,
        })
    }

    /// Returns the tokens of a node.
    pub(super) fn span(&self, id: NodeId) -> Range<u32> {
        self.before[id.index()]..self.before[self.tree.end(id) as usize]
    }

    /// Returns the number of tokens.
    pub(super) fn len(&self) -> u32 {
        self.tokens.len() as u32
    }

    /// Returns the text after the last token.
    pub(super) fn tail(&self) -> &[u8] {
        self.gap(self.len())
    }

    /// Returns the symbol of a token and its text.
    pub(super) fn token(&self, token: u32) -> (SymbolId, &[u8]) {
        let id = self.tokens[token as usize];
        (self.tree.rule(id), self.tree.text_of(id))
    }

    /// Returns the text before a token that belongs to no token, or after the last one.
    pub(super) fn gap(&self, token: u32) -> &[u8] {
        let span = |token: u32| {
            self.tokens
                .get(token as usize)
                .map(|&id| self.tree.node(id).span())
        };
        let start = token
            .checked_sub(1)
            .and_then(span)
            .map_or(0, |span| span.end);
        let end = span(token).map_or(self.tree.text().len(), |span| span.start);
        &self.tree.text()[start..end]
    }

    /// Returns whether two spans have tokens with the same texts.
    pub(super) fn is_same(&self, span: &Range<u32>, other: &Parent, others: &Range<u32>) -> bool {
        let texts = span.clone().map(|token| self.token(token).1);
        texts.eq(others.clone().map(|token| other.token(token).1))
    }

    pub(super) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns the rules and tokens by symbol, without the root.
    pub(super) fn nodes(&self) -> &[(SymbolId, NodeId)] {
        &self.nodes
    }

    /// Returns the rules and tokens with a symbol, without the root.
    pub(super) fn nodes_of(&self, symbol: SymbolId) -> &[(SymbolId, NodeId)] {
        let from = self.nodes.partition_point(|&(of, _)| of < symbol);
        let to = self.nodes.partition_point(|&(of, _)| of <= symbol);
        &self.nodes[from..to]
    }

    /// Returns whether a node is an instance of a rule.
    pub(super) fn is_rule(&self, id: NodeId) -> bool {
        self.tree.node(id).kind == NodeKind::Rule
    }

    /// Returns the optional parts and repetitions by expression.
    pub(super) fn quantifiers(&self) -> &[Quantifier] {
        &self.quantifiers
    }

    /// Returns the instances of an optional part or repetition.
    pub(super) fn quantifiers_of(&self, expr: ExprId) -> &[Quantifier] {
        let from = self.quantifiers.partition_point(|each| each.expr < expr);
        let to = self.quantifiers.partition_point(|each| each.expr <= expr);
        &self.quantifiers[from..to]
    }
}

impl Quantifier {
    /// Returns whether it may have an element less.
    pub(super) fn can_lose(&self) -> bool {
        self.elements.len() > self.min as usize
    }

    /// Returns whether it may have an element more.
    pub(super) fn can_take(&self) -> bool {
        self.max
            .is_none_or(|max| self.elements.len() < max as usize)
    }

    /// Returns where the element with an index begins, or where the last one ends.
    pub(super) fn place(&self, element: usize) -> u32 {
        match (self.elements.get(element), self.elements.last()) {
            (Some(element), _) => element.start,
            (None, Some(last)) => last.end,
            (None, None) => self.start,
        }
    }
}
