use crate::tree::{NodeId, Outline, ROOT};
use crate::tree_reducer::search::may_go;
use nubbin_grammar::grammar::{Expr, ExprId, Grammar, SymbolId, SymbolKind};
use nubbin_grammar::tree::NodeKind;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The names in a text: the nodes that look like an identifier and could be another one, as far as
/// the grammar says.
///
/// A name is the lowest node of a rule, or a token that is not a literal, whose text is letters,
/// digits, and underscores, and does not begin with a digit, or whose text begins with a
/// [sigil](nubbin_grammar::conventions::LanguageWords) of the language.
#[derive(Debug)]
pub(in crate::tree_reducer) struct Names {
    /// The groups in the order of their first occurrence.
    pub(in crate::tree_reducer) groups: Vec<Group>,
    /// For each node, the innermost part around it, or itself, that the grammar allows to be
    /// removed.
    elements: Vec<Option<NodeId>>,
}

/// The occurrences of one name.
#[derive(Debug)]
pub(in crate::tree_reducer) struct Group {
    pub(in crate::tree_reducer) symbol: SymbolId,
    /// The nodes in the order of the text.
    pub(in crate::tree_reducer) nodes: Vec<NodeId>,
}

impl Names {
    pub(in crate::tree_reducer) fn of(outline: &Outline) -> Self {
        let mut groups: Vec<Group> = vec![];
        // The sigil of a name determines its kind, so such names are grouped by sigil.
        let mut by_text: FxHashMap<(Option<SymbolId>, &[u8]), usize> = FxHashMap::default();
        let mut elements: Vec<Option<NodeId>> = Vec::with_capacity(outline.len() as usize);
        let mut next = 0;
        for id in 0..outline.len() {
            let node = outline.node(id);
            let around = elements.get(node.parent as usize).copied().flatten();
            elements.push(if may_go(outline, id) {
                Some(id)
            } else {
                around
            });
            if id < next || !is_name(outline, id) {
                continue;
            }
            next = node.end;
            let text = outline.text_of(id);
            let has_sigil = !sigil(outline.grammar(), text).is_empty();
            let symbol = (!has_sigil).then_some(node.symbol);
            let group = *by_text.entry((symbol, text)).or_insert_with(|| {
                groups.push(Group {
                    symbol: node.symbol,
                    nodes: vec![],
                });
                groups.len() - 1
            });
            groups[group].nodes.push(id);
        }
        Names { groups, elements }
    }

    /// Returns the innermost part around a node that the grammar allows to be removed.
    pub(in crate::tree_reducer) fn element(&self, id: NodeId) -> Option<NodeId> {
        self.elements[id as usize]
    }

    /// Returns the removable part that is `outer` such parts further out than [`Names::element`].
    pub(in crate::tree_reducer) fn element_around(
        &self,
        outline: &Outline,
        id: NodeId,
        outer: u32,
    ) -> Option<NodeId> {
        let mut part = self.element(id)?;
        for _ in 0..outer {
            if part == ROOT {
                return None;
            }
            part = self.element(outline.node(part).parent)?;
        }
        Some(part)
    }
}

/// A node of one of several trees, by the number of the tree.
pub(in crate::tree_reducer) type Place = (usize, NodeId);

/// Returns the occurrences of each text in several trees, under any symbol of a grammar. The names
/// of two languages are two names.
pub(in crate::tree_reducer) fn by_text_across(trees: &[Arc<Outline>]) -> Vec<Vec<Place>> {
    let mut by_text: FxHashMap<(*const Grammar, &[u8]), Vec<Place>> = FxHashMap::default();
    for (tree, outline) in trees.iter().enumerate() {
        let names = outline.fact(Names::of);
        for group in &names.groups {
            if let Some(&first) = group.nodes.first() {
                let key = (Arc::as_ptr(outline.grammar()), outline.text_of(first));
                let places = by_text.entry(key).or_default();
                places.extend(group.nodes.iter().map(|&id| (tree, id)));
            }
        }
    }
    let mut all: Vec<Vec<Place>> = by_text.into_values().collect();
    all.iter_mut().for_each(|places| places.sort_unstable());
    all.sort_unstable();
    all
}

/// Returns the occurrences of each text in all trees together, and after them those in each single
/// tree, since a name may have another meaning in each file.
pub(in crate::tree_reducer) fn together_and_alone(trees: &[Arc<Outline>]) -> Vec<Vec<Place>> {
    let mut all = vec![];
    for places in by_text_across(trees) {
        let of_one: Vec<Vec<Place>> = places
            .chunk_by(|one, next| one.0 == next.0)
            .map(<[Place]>::to_vec)
            .collect();
        let is_alone = of_one.len() == 1;
        all.push(places);
        if !is_alone {
            all.extend(of_one);
        }
    }
    all
}

/// Returns all names of each tree, in order.
pub(in crate::tree_reducer) fn in_order(trees: &[Arc<Outline>]) -> Vec<Vec<NodeId>> {
    let of_one = |outline: &Arc<Outline>| {
        let names = outline.fact(Names::of);
        let mut all: Vec<NodeId> = names
            .groups
            .iter()
            .flat_map(|group| group.nodes.clone())
            .collect();
        all.sort_unstable();
        all
    };
    trees.iter().map(of_one).collect()
}

/// Returns whether a node is in the field `name` of the rule around it.
pub(in crate::tree_reducer) fn is_called_name(outline: &Outline, id: NodeId) -> bool {
    let grammar = outline.grammar();
    let mention = outline.node(id).place.map(|place| grammar.expr(place));
    match mention {
        Some(Expr::Symbol {
            field: Some(field), ..
        }) => {
            let named = grammar.conventions().fields.name;
            named.contains(&grammar.text_of(field))
        }
        _ => false,
    }
}

pub(in crate::tree_reducer) fn is_name(outline: &Outline, id: NodeId) -> bool {
    let text = outline.text_of(id);
    let node = outline.node(id);
    let grammar = outline.grammar();
    let is_word = !sigil(grammar, text).is_empty()
        || text
            .first()
            .is_some_and(|&b| b.is_ascii_alphabetic() || b == b'_' || b >= 0x80)
            && text
                .iter()
                .all(|&b| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80);
    let is_free = |symbol: SymbolId| {
        !matches!(
            grammar.symbol(symbol).kind,
            SymbolKind::Literal(_) | SymbolKind::Rule(_)
        )
    };
    is_word
        && match node.kind {
            NodeKind::Token => is_token_of_many_texts(grammar, node.symbol),
            NodeKind::Rule => outline.subtree(id).skip(1).all(|below| {
                let below = outline.node(below);
                match below.kind {
                    NodeKind::Token => is_free(below.symbol),
                    NodeKind::Rule | NodeKind::Gap | NodeKind::Error => false,
                    _ => true,
                }
            }),
            _ => false,
        }
}

/// Returns the [sigil](nubbin_grammar::conventions::LanguageWords) that a name begins with, or an
/// empty text.
pub(in crate::tree_reducer) fn sigil<'t>(grammar: &Grammar, name: &'t [u8]) -> &'t [u8] {
    let sigils = grammar.conventions().words.sigils;
    let begins = |sigil: &&&str| name.len() > sigil.len() && name.starts_with(sigil.as_bytes());
    let len = sigils.iter().find(begins).map_or(0, |sigil| sigil.len());
    &name[..len]
}

/// Returns whether a name can be replaced with any other word, as far as the grammar says. The
/// types of C are names as well, but only a few words are such types.
pub(in crate::tree_reducer) fn is_any_word(grammar: &Grammar, symbol: SymbolId) -> bool {
    match grammar.symbol(symbol).kind {
        SymbolKind::Pattern(body) => !is_of_words(grammar, body),
        _ => true,
    }
}

/// Returns whether an expression is a choice between words.
fn is_of_words(grammar: &Grammar, expr: ExprId) -> bool {
    match grammar.expr(expr) {
        Expr::Sequence(list) | Expr::Choice(list) => {
            let parts = grammar.list(list).iter();
            parts.copied().all(|part| is_of_words(grammar, part))
        }
        Expr::Optional(body) | Expr::Precedence { body, .. } | Expr::Scoped { body, .. } => {
            is_of_words(grammar, body)
        }
        Expr::Symbol { symbol, .. } => {
            matches!(grammar.symbol(symbol).kind, SymbolKind::Literal(_))
        }
        Expr::Repeat(_) | Expr::Empty => false,
    }
}

/// Returns whether a token has no fixed text. One byte of a class is only a part of a token.
fn is_token_of_many_texts(grammar: &Grammar, symbol: SymbolId) -> bool {
    match grammar.symbol(symbol).kind {
        SymbolKind::Pattern(_) | SymbolKind::External => true,
        // Rules with the same text, such as references to metadata in LLVM IR, share one token.
        SymbolKind::Rule(body) => match grammar.expr(body) {
            Expr::Symbol { symbol, .. } => {
                matches!(grammar.symbol(symbol).kind, SymbolKind::Pattern(_))
            }
            _ => false,
        },
        _ => false,
    }
}
