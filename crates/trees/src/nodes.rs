//! The parts of a text with a syntax tree: the nodes of the tree.

use crate::tree::{NodeId, Outline};
use nubbin_edit::Input;
use nubbin_engine::explain::tokens::{self, Invented};
use nubbin_engine::explain::{Draw, OtherTexts, Part, TextPart, TextSubject};
use nubbin_grammar::grammar::SymbolId;
use nubbin_grammar::syntax::Syntax;
use nubbin_grammar::tree::NodeKind;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Creates a subject from a text and its tree by a language. Texts of the corpus replace nodes. No
/// sample fits the language less well than the text.
pub fn in_language(
    input: Input,
    outline: &Outline,
    corpus: &Corpus,
    syntax: Arc<dyn Syntax>,
    seed: u64,
) -> TextSubject {
    let text = input.present().next().map_or(&b""[..], |file| file.text);
    let most = syntax.misfits(text);
    let parts = |_: &[u8]| parts(outline, |id| corpus.others(outline, id));
    TextSubject::new(input, parts, seed).valid(move |text| syntax.misfits(text) <= most)
}

/// Creates a subject from a text and its tree by a grammar. `derive` returns a text of a symbol for
/// a random number, or `None` if the symbol has no text.
pub fn in_grammar(
    input: Input,
    outline: &Outline,
    derive: impl Fn(SymbolId, u64) -> Option<Vec<u8>> + Send + Sync + 'static,
    seed: u64,
) -> TextSubject {
    let derive: Arc<Derive> = Arc::new(derive);
    let others = |id| -> Option<Arc<dyn OtherTexts>> {
        Some(Arc::new(Derivations {
            derive: Arc::clone(&derive),
            symbol: outline.node(id).symbol,
        }))
    };
    TextSubject::new(input, |_| parts(outline, others), seed)
}

type Derive = dyn Fn(SymbolId, u64) -> Option<Vec<u8>> + Send + Sync;

/// Texts of a symbol.
struct Derivations {
    derive: Arc<Derive>,
    symbol: SymbolId,
}

impl OtherTexts for Derivations {
    fn other(&self, _: &[u8], draw: &mut Draw) -> Option<Vec<u8>> {
        (self.derive)(self.symbol, draw.next())
    }
}

/// Returns every node of a tree that is an instance of a symbol, as a part. `others` returns other
/// texts for a node, and a node without other texts is not a part. All occurrences of a word as an
/// instance of one symbol also form one part.
pub fn parts(
    outline: &Outline,
    mut others: impl FnMut(NodeId) -> Option<Arc<dyn OtherTexts>>,
) -> Vec<TextPart> {
    let mut found = vec![];
    let mut words: BTreeMap<(SymbolId, &[u8]), Vec<NodeId>> = BTreeMap::new();
    for id in 0..outline.len() {
        let node = outline.node(id);
        if !is_instance(outline, id) || node.span.is_empty() {
            continue;
        }
        let Some(others) = others(id) else {
            continue;
        };
        let kind = kind(outline, id);
        found.push(TextPart {
            part: Part::new(kind, node.span),
            others,
        });
        if tokens::kind(outline.text_of(id)) == Some("name") {
            let alike = words.entry((node.symbol, outline.text_of(id))).or_default();
            alike.push(id);
        }
    }
    for nodes in words.into_values().filter(|nodes| nodes.len() > 1) {
        let places: Vec<_> = nodes.iter().map(|&id| outline.node(id).span).collect();
        let is_twice = found.iter().any(|part| part.part.places == places);
        if let Some(others) = nodes.first().and_then(|&id| others(id))
            && !is_twice
        {
            let part = Part {
                kind: kind(outline, nodes[0]),
                places,
            };
            found.push(TextPart { part, others });
        }
    }
    found
}

fn is_instance(outline: &Outline, id: NodeId) -> bool {
    matches!(outline.node(id).kind, NodeKind::Rule | NodeKind::Token)
}

fn kind(outline: &Outline, id: NodeId) -> String {
    let name = &outline.grammar().symbol(outline.node(id).symbol).name;
    name.trim_start_matches('_').to_owned()
}

/// The texts of all nodes of some trees, by their symbols. The texts replace nodes for which a
/// grammar cannot generate a text, since the names in a text need a meaning.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    texts: FxHashMap<SymbolId, Vec<Vec<u8>>>,
}

/// The largest number of texts of one symbol.
const MAX_TEXTS: usize = 1000;
/// The largest size of a text in bytes.
const LONGEST: usize = 1000;

impl Corpus {
    /// Adds the nodes of a tree of the same grammar.
    pub fn add(&mut self, outline: &Outline) {
        for id in (0..outline.len()).filter(|&id| is_instance(outline, id)) {
            let text = outline.text_of(id);
            let known = self.texts.entry(outline.node(id).symbol).or_default();
            let is_fine = !text.is_empty() && text.len() <= LONGEST && known.len() < MAX_TEXTS;
            if is_fine && !known.iter().any(|other| other == text) {
                known.push(text.to_vec());
            }
        }
    }

    /// Returns other texts for a node: texts of fitting symbols, and invented texts for a name, a
    /// number, or a string. Returns `None` if there are too few texts.
    pub fn others(&self, outline: &Outline, id: NodeId) -> Option<Arc<dyn OtherTexts>> {
        let own = outline.text_of(id);
        let symbol = outline.node(id).symbol;
        // The symbol of a keyword has the keyword itself as its name.
        if *outline.grammar().symbol(symbol).name.as_bytes() == *own {
            return None;
        }
        let mut texts: Vec<Vec<u8>> = vec![];
        for symbol in outline.may_stand_at(id).into_iter().chain([symbol]) {
            let known = self.texts.get(&symbol).into_iter().flatten();
            texts.extend(known.filter(|text| text[..] != *own).cloned());
        }
        texts.sort_unstable();
        texts.dedup();
        let is_simple = tokens::kind(own).is_some();
        (is_simple || texts.len() >= MIN_TEXTS).then(|| Arc::new(Found { texts, is_simple }) as _)
    }
}

/// The minimum number of different texts that are enough evidence, since a corpus has only few of
/// all possible texts of a symbol.
const MIN_TEXTS: usize = 3;

struct Found {
    texts: Vec<Vec<u8>>,
    is_simple: bool,
}

impl OtherTexts for Found {
    fn other(&self, own: &[u8], draw: &mut Draw) -> Option<Vec<u8>> {
        if self.is_simple && (self.texts.is_empty() || draw.below(2) == 0) {
            return Invented::default().other(own, draw);
        }
        draw.one_of(&self.texts).cloned()
    }

    fn is_enough(&self, texts: usize) -> bool {
        texts >= MIN_TEXTS
    }
}
