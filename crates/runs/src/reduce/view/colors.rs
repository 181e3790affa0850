//! The colors of a text: the parts of its language, by its tree or by a rough lexer.

use nubbin_grammar::grammar::{Symbol, SymbolKind};
use nubbin_grammar::syntax::Syntax;
use nubbin_grammar::tree::{Node, NodeId, NodeKind, Tree};
use nubbin_reduce::view::keywords::is_keyword;
use nubbin_reduce::view::tokens::{TokenKind, code};
use std::ops::Range;
use std::sync::Arc;

/// The largest text that is parsed for its colors, in bytes. A frame must not wait for a parser,
/// and a larger text changes often.
const PARSED: usize = 32 << 10;

/// The part that a byte plays in its language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Part {
    #[default]
    Plain,
    Keyword,
    /// A string, a character, or a number.
    Literal,
    Comment,
}

/// The languages of the files of an input.
#[derive(Clone, Default)]
pub(crate) struct Colors {
    languages: Vec<Option<Arc<dyn Syntax>>>,
}

impl Colors {
    /// Creates the colors of files by their languages, in the order of the files.
    pub(crate) fn new(languages: Vec<Option<Arc<dyn Syntax>>>) -> Self {
        Colors { languages }
    }

    /// Returns the part of each byte in a range of the text of a file.
    pub(super) fn parts(&self, file: usize, text: &[u8], range: Range<usize>) -> Vec<Part> {
        let syntax = self.languages.get(file).and_then(Option::as_ref);
        let tree = syntax
            .filter(|_| text.len() <= PARSED)
            .and_then(|syntax| syntax.tree(text).ok());
        match tree {
            Some(tree) => {
                let mut parts = of_tree(&tree, text.len());
                parts.truncate(range.end);
                parts.drain(..range.start.min(parts.len()));
                parts
            }
            None => of_tokens(text.get(range).unwrap_or_default()),
        }
    }
}

impl std::fmt::Debug for Colors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = self
            .languages
            .iter()
            .map(|it| it.as_ref().map(|it| it.name()));
        f.debug_list().entries(names).finish()
    }
}

fn of_tokens(text: &[u8]) -> Vec<Part> {
    let mut parts = vec![Part::Plain; text.len()];
    for token in code(text) {
        let part = match token.kind {
            TokenKind::Comment => Part::Comment,
            TokenKind::String | TokenKind::Number => Part::Literal,
            TokenKind::Word if is_keyword(token.text(text)) => Part::Keyword,
            TokenKind::Word | TokenKind::Punct => Part::Plain,
        };
        parts[token.span.range()].fill(part);
    }
    parts
}

fn of_tree(tree: &Tree, len: usize) -> Vec<Part> {
    let mut parts = vec![Part::Plain; len];
    // For each node, its part, which its children inherit. Parents come before their children.
    let mut nodes: Vec<Part> = Vec::new();
    for (id, node) in tree.nodes() {
        let above = match tree.parent(id) {
            Some(parent) => nodes.get(parent.index()).copied().unwrap_or_default(),
            None => Part::Plain,
        };
        let is_named = node.kind == NodeKind::Token && above == Part::Plain;
        let part = match is_named && is_named_after_itself(tree, id, node) {
            true => Part::Keyword,
            false => of_node(tree, node, above),
        };
        nodes.push(part);
        if node.is_leaf()
            && let Some(bytes) = parts.get_mut(node.span())
        {
            bytes.fill(part);
        }
    }
    parts
}

/// Returns whether a token is a word that its grammar names by that word, such as `true` in JSON.
fn is_named_after_itself(tree: &Tree, id: NodeId, node: &Node) -> bool {
    let text = tree.text_of(id);
    is_word(text) && tree.grammar().symbol(node.symbol).name.as_bytes() == text
}

fn is_word(text: &[u8]) -> bool {
    text.iter()
        .all(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
}

fn of_node(tree: &Tree, node: &Node, above: Part) -> Part {
    let grammar = tree.grammar();
    let symbol = grammar.symbol(node.symbol);
    match node.kind {
        // Only comments have a symbol of their own, and spaces have no color.
        NodeKind::Gap if grammar.extras().contains(&node.symbol) => Part::Comment,
        NodeKind::Gap => above,
        NodeKind::Rule | NodeKind::Token => of_symbol(symbol, above),
        _ => above,
    }
}

/// Returns the part of a symbol, by the words of its name: grammars agree on these.
fn of_symbol(symbol: &Symbol, above: Part) -> Part {
    if let SymbolKind::Literal(text) = &symbol.kind {
        return match above {
            Part::Plain if is_word(text) => Part::Keyword,
            above => above,
        };
    }
    let name = symbol.name.to_ascii_lowercase();
    for word in name.split(|c: char| !c.is_ascii_alphabetic()) {
        match word {
            "comment" => return Part::Comment,
            "keyword" => return Part::Keyword,
            "interpolation" | "substitution" | "expansion" => return Part::Plain,
            "string" | "char" | "character" | "rune" | "regex" | "number" | "integer" | "int"
            | "float" | "decimal" | "numeral" | "hexadecimal" => return Part::Literal,
            _ => {}
        }
    }
    above
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats a text with `k`, `l`, or `c` below each byte that has a color.
    fn shown(colors: &Colors, text: &str) -> String {
        let parts = colors.parts(0, text.as_bytes(), 0..text.len());
        assert_eq!(parts.len(), text.len());
        let letter = |part: &Part| match part {
            Part::Plain => ' ',
            Part::Keyword => 'k',
            Part::Literal => 'l',
            Part::Comment => 'c',
        };
        parts.iter().map(letter).collect::<String>()
    }

    #[test]
    fn a_text_without_a_tree_has_the_colors_of_its_tokens() {
        let none = Colors::default();
        assert_eq!(
            shown(&none, "return \"a b\" + 12; // why"),
            "kkkkkk lllll   ll  cccccc"
        );
    }

    #[cfg(feature = "languages")]
    fn of(language: &str) -> Colors {
        let entry = nubbin_languages::catalogue::named(language).unwrap();
        Colors::new(vec![Some(entry.syntax().unwrap())])
    }

    #[cfg(feature = "languages")]
    #[test]
    fn a_tree_knows_words_that_are_no_keywords_elsewhere() {
        assert_eq!(
            shown(&of("sql"), "SELECT a FROM b -- c"),
            "kkkkkk   kkkk   cccc"
        );
        assert_eq!(shown(&of("json"), "{\"a\": [1, true]}"), " lll   l  kkkk  ");
        assert_eq!(
            shown(&of("javascript"), "let x = `a${y}b`"),
            "kkk     ll    ll"
        );
        assert_eq!(shown(&of("c"), "int f; /* x */"), "       ccccccc");
    }

    #[cfg(feature = "languages")]
    #[test]
    fn a_range_has_the_colors_that_it_has_in_the_text() {
        let text = b"/* one\ntwo */ int x;";
        let parts = of("c").parts(0, text, 7..13);
        assert_eq!(parts, [Part::Comment; 6]);
    }
}
