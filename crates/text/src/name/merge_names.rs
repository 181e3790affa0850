use super::names::{renamed, words_in_code};
use nubbin_edit::{Edit, File};
use nubbin_engine::work::{Alternatives, Context, Pass, PassInfo, Views, Work};
use nubbin_view::keywords::is_keyword;
use nubbin_view::names::is_simpler;
use nubbin_view::tokens::{Token, TokenKind, code_in};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::ops::Range;

/// Replaces all occurrences of one word with another word of the text.
///
/// Two variables become one, a declared type becomes `int`, a called function becomes another. The
/// declaration of the replaced word is then unused, and later passes delete it. Deletions alone
/// cannot do that, since a declaration and its uses are at different positions.
///
/// For each word, the pass tries at most [`MergeNames::most_targets`] other words that are not
/// longer and, if equally long, simpler. The pass first tries the words that most often have the
/// same neighbors (`int` for `long` before a name and after `(`), and then the most frequent words.
/// For a [keyword](is_keyword), it tries one word. v words therefore cost 5 v tests and not v². All
/// words at once become their best targets in the first test, for texts in which any words will do.
/// The pass works only on texts of up to [`MergeNames::most_words`] distinct words, since it is for
/// texts from which nothing more can be deleted.
///
/// Source: the identifier elimination of Vulcan (Xu et al. 2023), which tries all pairs. Ranking by
/// neighbors and the bound are our own.
///
/// ```
/// use nubbin_reduce::pass::{MergeNames, preview};
///
/// let first = preview(&MergeNames::default(), b"int x; long y; x = x + y;", 3);
/// assert_eq!(first[1..], ["int x; int y; x = x + y;", "int x; x y; x = x + y;"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MergeNames {
    /// The maximum number of other words that are tried as a replacement of one word.
    pub most_targets: usize,
    /// The maximum number of distinct words of a text. The pass skips texts with more words.
    pub most_words: usize,
}

impl Default for MergeNames {
    fn default() -> Self {
        MergeNames {
            most_targets: 5,
            most_words: 300,
        }
    }
}

impl Pass for MergeNames {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "merge-names",
            "replaces all occurrences of a word with another word of the input",
            "Vulcan (Xu et al. 2023)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let words = words_in_code(context.views, file.text);
        if words.len() > self.most_words || words.len() < 2 {
            return None;
        }
        let neighbors = neighbors(context.views, file.text);
        let mut sorted: Vec<(&[u8], &Vec<Range<usize>>)> =
            words.iter().map(|(&word, places)| (word, places)).collect();
        sorted.sort_unstable_by_key(|(word, places)| (Reverse(word.len() * places.len()), *word));
        let none = FxHashSet::default();
        let of = |word: &[u8]| neighbors.get(word).unwrap_or(&none);
        let places: Vec<Vec<Edit>> = sorted
            .iter()
            .map(|&(word, occurrences)| {
                let mut targets: Vec<_> = sorted
                    .iter()
                    .filter(|(target, _)| is_simpler(target, word))
                    .map(|&(target, uses)| {
                        let shared = of(word).intersection(of(target)).count();
                        (Reverse(shared), Reverse(uses.len()), target)
                    })
                    .collect();
                targets.sort_unstable();
                // A keyword can hardly ever be replaced with another word.
                let most = if is_keyword(word) {
                    1
                } else {
                    self.most_targets
                };
                let best = targets.iter().take(most);
                best.map(|(_, _, target)| renamed(file, occurrences, target))
                    .collect()
            })
            .collect();
        // Occurrences of different words do not overlap.
        Some(Work::Machine(Box::new(
            Alternatives::new(places).together(),
        )))
    }
}

/// Returns the neighbors of each word: the token before it and the token after it. All words count
/// as the same neighbor, and so do all beginnings and ends of statements.
fn neighbors<'a>(
    views: &Views,
    text: &'a [u8],
) -> FxHashMap<&'a [u8], FxHashSet<(bool, &'a [u8])>> {
    let tokens: Vec<Token> = code_in(views, text)
        .filter(|token| token.kind != TokenKind::Comment)
        .collect();
    let shape = |token: Option<&Token>| match token {
        Some(token) if token.kind == TokenKind::Punct => match token.text(text) {
            b";" | b"{" | b"}" => b"",
            punct => punct,
        },
        Some(_) => b"word",
        None => b"",
    };
    let mut found: FxHashMap<&[u8], FxHashSet<(bool, &[u8])>> = FxHashMap::default();
    for (at, token) in tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| token.kind == TokenKind::Word)
    {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let around = found.entry(token.text(text)).or_default();
        around.insert((false, shape(before)));
        around.insert((true, shape(tokens.get(at + 1))));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn words_of_one_kind_are_merged_first() {
        let text = b"f(x1); g(x2); h = 3; x1;";
        let all = proposals(&MergeNames::default(), text);
        let first = all
            .iter()
            // In the first text, all words are replaced.
            .skip(1)
            .find(|text| !text.windows(2).any(|pair| pair == b"x2"));
        // `x1` is in the same context as `x2`, but `h` is not.
        assert_eq!(first.unwrap(), b"f(x1); g(x1); h = 3; x1;");
    }

    #[test]
    fn two_variables_become_one() {
        let text = b"let bb = 1; let a = bb; use(a, bb)";
        let valid =
            |text: &[u8]| text.starts_with(b"let ") && text.windows(4).any(|w| w == b"use(");
        let merged = reduce_with(&MergeNames::default(), text, valid);
        assert_eq!(merged, b"let a = 1; let a = a; use(a, a)");
    }

    #[test]
    fn the_number_of_tests_is_linear_in_the_words() {
        let text: String = (0..300).map(|i| format!("name{i:03} ")).collect();
        assert!(proposals(&MergeNames::default(), text.as_bytes()).len() <= 5 * 300 + 1);
        let more = text + " one more word";
        assert!(proposals(&MergeNames::default(), more.as_bytes()).is_empty());
        assert!(proposals(&MergeNames::default(), b"\0\xff lone").len() < 2);
        assert!(proposals(&MergeNames::default(), b"").is_empty());
    }
}
