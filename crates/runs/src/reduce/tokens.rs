//! The sizes of the original and of the result in tokens, and as modules.

use super::modules::{Modules, module_size};
use nubbin_grammar::syntax::Syntax;
use nubbin_grammar::tree::{NodeId, NodeKind, Tree};
use nubbin_reduce::ModuleSize;
use nubbin_reduce::input::{File, Input};
use nubbin_reduce::tree_reducer::Syntaxes;
use nubbin_reduce::view::tokens::{count_code, is_word_byte};
use std::sync::Arc;

/// The largest file that is parsed for its tokens. Those of a larger one are counted by the rough
/// lexer, since a tree takes a hundred times the memory of its text.
const PARSED: usize = 1 << 20;

/// Counts tokens: in a file of a known language the leaves of its tree, in others the tokens of a
/// rough lexer. Comments are no tokens.
#[derive(Clone)]
pub(super) struct TokenCounter {
    /// The language of each file, by the number of the file.
    languages: Vec<Option<Arc<dyn Syntax>>>,
}

impl TokenCounter {
    /// Creates the counter for an original and its candidates, so that all are counted alike.
    pub(super) fn new(syntaxes: Option<&Syntaxes>, original: &Input) -> Self {
        // A tolerant source has a tree for every text, so it also has one for the result.
        let of_file = |number: usize| {
            let syntax = syntaxes?.get(number)?.as_ref()?;
            let file = original.file(number)?;
            (syntax.is_tolerant() && file.text.len() <= PARSED).then(|| Arc::clone(syntax))
        };
        TokenCounter {
            languages: (0..original.file_count()).map(of_file).collect(),
        }
    }

    /// Returns the language of each file whose texts have a tree whatever they are.
    pub(super) fn languages(&self) -> &[Option<Arc<dyn Syntax>>] {
        &self.languages
    }

    /// Returns the size of an original.
    pub(super) fn before(&self, original: &Input) -> Before {
        Before {
            tokens: self.count(original),
            modules: module_size(original),
        }
    }

    /// Returns the number of tokens of an input.
    pub(super) fn count(&self, input: &Input) -> usize {
        input.present().map(|file| self.count_file(&file)).sum()
    }

    fn count_file(&self, file: &File<'_>) -> usize {
        let language = self.languages.get(file.number).and_then(Option::as_ref);
        let tree = language.and_then(|language| language.tree(file.text).ok());
        tree.map_or_else(|| count_code(file.text), |tree| leaves(&tree))
    }

    /// Returns the sizes of an original with `before` tokens and of its result.
    ///
    /// Without the quote that opens a string, the content of the string is code, so that less text
    /// may have more tokens. Then words and other characters are counted, of which no deletion
    /// makes more.
    pub(super) fn compare(&self, before: Before, original: &Input, result: &Input) -> Tokens {
        let (after, Before { tokens, modules }) = (self.count(result), before);
        let both = modules.and_then(|before| {
            let after = module_size(result)?;
            Some(Modules { before, after })
        });
        let (before, after) = match after > tokens && result.size() <= original.size() {
            true => (words_and_marks(original), words_and_marks(result)),
            false => (tokens, after),
        };
        Tokens {
            before,
            after,
            modules: both,
        }
    }
}

/// The size of an original in tokens, and as modules if it has some.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Before {
    pub(super) tokens: usize,
    pub(super) modules: Option<ModuleSize>,
}

/// The sizes of the original and of the result in tokens, and as modules if both are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tokens {
    pub(super) before: usize,
    pub(super) after: usize,
    pub(super) modules: Option<Modules>,
}

/// Returns the number of leaves of a tree that are neither white space nor comments. A string is
/// one, however many leaves it has.
fn leaves(tree: &Tree) -> usize {
    let extras = tree.grammar().extras();
    let mut end_of_string = 0;
    let count = tree.nodes().map(|(id, node)| {
        let text = tree.text().get(node.span()).unwrap_or_default();
        match node.kind {
            _ if id.index() < end_of_string || text.trim_ascii().is_empty() => 0,
            NodeKind::Rule if is_string(tree, id) => {
                end_of_string = tree.end(id) as usize;
                1
            }
            _ if !node.is_leaf() => 0,
            NodeKind::Gap if extras.contains(&node.symbol) => 0,
            NodeKind::Gap => count_code(text),
            _ => 1,
        }
    });
    count.sum()
}

/// Returns whether the first and the last child of a node are quotes, with a prefix or without.
fn is_string(tree: &Tree, id: NodeId) -> bool {
    let is_quote = |child: NodeId, may_have_prefix: bool| {
        let text = tree.text_of(child);
        let quotes = text
            .iter()
            .rev()
            .take_while(|byte| b"'\"`".contains(byte))
            .count();
        let is_token = tree.node(child).kind == NodeKind::Token;
        is_token && (1..=3).contains(&quotes) && (may_have_prefix || quotes == text.len())
    };
    let mut children = tree.children(id);
    let first = children.next();
    first.is_some_and(|first| is_quote(first, true))
        && children.last().is_some_and(|last| is_quote(last, false))
}

/// Returns the number of words and of other characters that are no white space.
fn words_and_marks(input: &Input) -> usize {
    let of_text = |text: &[u8]| {
        let runs = text.chunk_by(|&left, &right| is_word_byte(left) && is_word_byte(right));
        runs.filter(|run| !run.trim_ascii().is_empty()).count()
    };
    input.present().map(|file| of_text(file.text)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::languages;

    fn input(text: &str) -> Input {
        Input::single("x.js", text).unwrap()
    }

    fn counter(language: Option<&str>, original: &Input) -> TokenCounter {
        let syntax = language.map(|name| {
            let entry = languages::named(name).unwrap();
            let syntaxes: Syntaxes = [languages::load(entry).ok()].into();
            syntaxes
        });
        TokenCounter::new(syntax.as_ref(), original)
    }

    #[test]
    #[cfg_attr(not(feature = "languages"), ignore = "needs the feature `languages`")]
    fn comments_are_no_tokens_and_quotes_in_them_open_no_string() {
        let text = "// don't\nvar a = [0, 1];\n/* it's */ f(a);\n// isn't\n";
        for language in [None, Some("javascript")] {
            let count = counter(language, &input(text)).count(&input(text));
            assert_eq!(count, 14, "{language:?}");
        }
    }

    #[test]
    #[cfg_attr(not(feature = "languages"), ignore = "needs the feature `languages`")]
    fn a_string_is_one_token() {
        let text = "f(\"a b\" + 'c\\n', \"\", `t ${1 + 2}`);";
        let counter = counter(Some("javascript"), &input(text));
        assert_eq!(counter.count(&input(text)), 11);
    }

    #[test]
    #[cfg_attr(not(feature = "languages"), ignore = "needs the feature `languages`")]
    fn less_text_never_has_more_tokens() {
        let original = input("f(\"a b c d e\");");
        for language in [None, Some("javascript")] {
            let counter = counter(language, &original);
            let before = counter.before(&original);
            for without in 0..original.size() {
                let mut text = original.bytes().to_vec();
                text.remove(without);
                let result = Input::single("x.js", text).unwrap();
                let tokens = counter.compare(before, &original, &result);
                assert!(
                    tokens.after <= tokens.before,
                    "{language:?} {without} {tokens:?}"
                );
            }
        }
    }

    #[test]
    fn modules_are_counted_if_the_result_is_one() {
        let original = input("define i8 @f(i8 %0) {\n  %2 = add i8 %0, 1\n  ret i8 %2\n}\n");
        let counter = counter(None, &original);
        let instructions = |result: &str| {
            let tokens = counter.compare(counter.before(&original), &original, &input(result));
            let modules = tokens.modules?;
            Some((modules.before.instructions, modules.after.instructions))
        };
        let result = "define i8 @f(i8 %0) {\n  ret i8 %0\n}\n";
        assert_eq!(instructions(result), Some((2, 1)));
        assert_eq!(instructions("f"), None);
    }
}
