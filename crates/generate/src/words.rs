//! The texts of tokens that were seen in samples, by their context.

use nubbin_grammar::grammar::{Expr, ExprId, Grammar, SymbolId, SymbolKind};
use nubbin_grammar::tree::{NodeId, NodeKind, Tree};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The index of a word.
pub(crate) type WordId = u32;

/// The texts of tokens, by the rule and by the word before them.
///
/// A *word* is the text of a token that has many texts, such as a name or a number. What decides
/// about a word is the last word before it that is directly in the same rule; without one, that of
/// the rule around it. In HTML, the name of an attribute follows the name of its element, the value
/// follows the name of the attribute, and the name in an end tag is that of its start tag.
///
/// * *Source:* Generinator (R. Hodován, *Fuzzing and Reduction Methods for Testing*, 2023) collects
///   the attributes of each element and the values of each attribute of HTML. Here it is a rule for
///   every grammar.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    texts: Vec<Arc<[u8]>>,
    ids: FxHashMap<Arc<[u8]>, WordId>,
    /// The words with the number of times that each was met.
    met: FxHashMap<Place, Vec<(WordId, f32)>>,
    /// The tokens that have many texts.
    tokens: FxHashSet<SymbolId>,
}

/// The place of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    rule: SymbolId,
    token: SymbolId,
    /// The word that decides about it, or `None` for any.
    after: Option<After>,
}

/// A word that decides about the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct After {
    word: WordId,
    /// Whether it is in the same rule: the name in an end tag repeats that of the start tag, the
    /// name of an inner element does not.
    here: bool,
}

impl After {
    /// Returns the context of the next word, from the last words of the rules around it, the
    /// innermost rule first.
    pub(crate) fn of(words: impl Iterator<Item = Option<WordId>>) -> Option<Self> {
        let mut around = words.take(LEVELS).enumerate();
        around.find_map(|(level, word)| {
            let here = level == 0;
            word.map(|word| After { word, here })
        })
    }
}

/// The number of rules around a token that are searched for a word.
const LEVELS: usize = 8;

impl Words {
    /// Adds the words of a tree.
    pub(crate) fn learn(&mut self, grammar: &Grammar, tree: &Tree) {
        if self.tokens.is_empty() {
            self.tokens = tokens_of_many_texts(grammar);
        }
        // The last word that is a direct part of each instance of a rule.
        let mut last: FxHashMap<NodeId, WordId> = FxHashMap::default();
        for (id, node) in tree.nodes() {
            if node.kind != NodeKind::Token || !self.is_word(node.symbol) {
                continue;
            }
            let mut around = vec![];
            let mut at = id;
            while let Some(parent) = tree.parent(at).filter(|_| around.len() < LEVELS) {
                if tree.node(parent).kind == NodeKind::Rule {
                    around.push(parent);
                }
                at = parent;
            }
            let Some(&inner) = around.first() else {
                continue;
            };
            let after = After::of(around.iter().map(|rule| last.get(rule).copied()));
            let word = self.word(tree.text_of(id));
            for after in [after, None]
                .into_iter()
                .take(1 + usize::from(after.is_some()))
            {
                let place = Place {
                    rule: tree.rule(inner),
                    token: node.symbol,
                    after,
                };
                let met = self.met.entry(place).or_default();
                match met.iter_mut().find(|(known, _)| *known == word) {
                    Some((_, count)) => *count += 1.0,
                    None => met.push((word, 1.0)),
                }
            }
            last.insert(inner, word);
        }
    }

    fn word(&mut self, text: &[u8]) -> WordId {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let (id, text): (WordId, Arc<[u8]>) = (self.texts.len() as WordId, text.into());
        self.texts.push(Arc::clone(&text));
        self.ids.insert(text, id);
        id
    }

    /// Returns whether a token has many texts.
    pub(crate) fn is_word(&self, token: SymbolId) -> bool {
        self.tokens.contains(&token)
    }

    /// Returns whether no word was seen.
    pub(crate) fn is_empty(&self) -> bool {
        self.met.is_empty()
    }

    /// Returns the text of a word.
    pub(crate) fn text(&self, word: WordId) -> &[u8] {
        &self.texts[word as usize]
    }

    /// Returns the words of a token in a rule after another word, each with its number of
    /// occurrences.
    pub(crate) fn met(
        &self,
        rule: SymbolId,
        token: SymbolId,
        after: Option<After>,
    ) -> &[(WordId, f32)] {
        let place = Place { rule, token, after };
        self.met.get(&place).map_or(&[], |met| &met[..])
    }
}

/// Returns the tokens whose definition has a repetition or an optional part.
fn tokens_of_many_texts(grammar: &Grammar) -> FxHashSet<SymbolId> {
    let many = |body: ExprId| {
        let mut seen = FxHashSet::default();
        let mut todo = vec![body];
        while let Some(id) = todo.pop() {
            match grammar.expr(id) {
                Expr::Repeat(_) | Expr::Optional(_) => return true,
                Expr::Symbol { symbol, .. } => {
                    if let SymbolKind::Pattern(body) = grammar.symbol(symbol).kind
                        && seen.insert(symbol)
                    {
                        todo.push(body);
                    }
                }
                _ => grammar.each_part(id, |part| todo.push(part)),
            }
        }
        false
    };
    let tokens = grammar
        .symbol_ids()
        .filter(|&id| match grammar.symbol(id).kind {
            SymbolKind::Pattern(body) => many(body),
            _ => false,
        });
    tokens.collect()
}
