use crate::space::is_word;
use nubbin_edit::{Edit, File, Span, Splice};
use nubbin_engine::work::{Chain, Context, Pass, PassInfo, Proposals, Views, Work, all_or_some};
use nubbin_view::names::{fresh_names, is_simpler};
use nubbin_view::tokens::{TokenKind, code_in};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

/// Renames all occurrences of a word to a short one: `a`, `b`, `c`, and so on.
///
/// Each word gets its own new name that is not in the text. The words that save most bytes get the
/// shortest names. Any words can therefore be renamed together, and a list minimizer renames most
/// words in a few tests. Keywords and external names are included, since the pass does not
/// recognize them. Such a word costs about two tests. A second list renames words that also occur
/// in strings, including these occurrences, for names that a program looks up by text.
///
/// The pass reduces the size of code at the end (half of it is names) and makes results comparable.
/// Run it late: short names carry no meaning for the reader, and do not help other passes.
///
/// Source: the identifier passes of C-Reduce (Regehr et al. 2012) and Shrink Ray (MacIver), and
/// T-Rec's canonical names (Xu et al. 2024), which go name by name. Names that are fixed
/// beforehand, so that they can be tried together, are our own.
///
/// ```
/// use nubbin_reduce::pass::{Names, preview};
///
/// let first = preview(&Names, b"let width = width0 + width;", 1);
/// assert_eq!(first, ["c a = b + a;"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Names;

impl Pass for Names {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "names",
            "renames all occurrences of a word to a short one",
            "C-Reduce (Regehr et al. 2012); Shrink Ray (MacIver); T-Rec (Xu et al. 2024)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let in_code = words_in_code(context.views, file.text);
        let everywhere = words_everywhere(file.text);
        let mut words: Vec<(&[u8], &Vec<Range<usize>>)> = in_code
            .iter()
            .map(|(&word, places)| (word, places))
            .collect();
        words.sort_unstable_by_key(|(word, places)| (Reverse(word.len() * places.len()), *word));
        let taken: FxHashSet<&[u8]> = everywhere.keys().copied().collect();
        let mut fresh = fresh_names(&taken);
        let (mut code_only, mut all) = (Vec::new(), Vec::new());
        let mut next = fresh.next();
        for (word, places) in words {
            let Some(name) = next.as_ref() else { break };
            if !is_simpler(name, word) {
                continue;
            }
            let renamed = |places: &[Range<usize>]| renamed(file, places, name);
            code_only.push(renamed(places));
            if let Some(more) = everywhere
                .get(word)
                .filter(|more| more.len() > places.len())
            {
                all.push(renamed(more));
            }
            next = fresh.next();
        }
        let works = [code_only, all].map(|edits| all_or_some(Proposals::new(edits)));
        Chain::work(works, context.lists)
    }
}

/// Returns the words of the code with their spans. Words in strings and comments are not included.
pub(crate) fn words_in_code<'a>(
    views: &Views,
    text: &'a [u8],
) -> FxHashMap<&'a [u8], Vec<Range<usize>>> {
    let mut words: FxHashMap<&[u8], Vec<Range<usize>>> = FxHashMap::default();
    for token in code_in(views, text).filter(|token| token.kind == TokenKind::Word) {
        words
            .entry(token.text(text))
            .or_default()
            .push(token.span.range());
    }
    words
}

fn words_everywhere(text: &[u8]) -> FxHashMap<&[u8], Vec<Range<usize>>> {
    let mut words: FxHashMap<&[u8], Vec<Range<usize>>> = FxHashMap::default();
    let mut at = 0;
    for run in text.chunk_by(|&left, &right| is_word(left) == is_word(right)) {
        let start = at;
        at += run.len();
        if run
            .first()
            .is_some_and(|&byte| is_word(byte) && !byte.is_ascii_digit())
        {
            words.entry(run).or_default().push(start..at);
        }
    }
    words
}

/// Returns the edit that writes another name at all given positions.
pub(crate) fn renamed(file: &File<'_>, places: &[Range<usize>], name: &[u8]) -> Edit {
    let text: Arc<[u8]> = name.into();
    let splices = places.iter().map(|place| Splice {
        span: Span::at(file.span.start, place.clone()),
        text: Some(Arc::clone(&text)),
        rank: 0,
    });
    // Words do not overlap.
    Edit::new(splices).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    fn contains(text: &[u8], needle: &[u8]) -> bool {
        text.windows(needle.len()).any(|window| window == needle)
    }

    #[test]
    fn names_become_short_and_keywords_stay() {
        let text = b"fn compute(input: u32) -> u32 { input + offset } // input";
        let keywords = |text: &[u8]| text.starts_with(b"fn ") && contains(text, b": u32) -> u32");
        let short = reduce_with(&Names, text, keywords);
        assert_eq!(short, b"fn b(a: u32) -> u32 { a + c } // a");
        let comment_stays = |text: &[u8]| keywords(text) && text.ends_with(b"// input");
        let short = reduce_with(&Names, text, comment_stays);
        assert_eq!(short, b"fn b(a: u32) -> u32 { a + c } // input");
    }

    #[test]
    fn different_words_never_get_one_name() {
        let text: String = (0..3_000).map(|i| format!("name{i} ")).collect();
        let all = &proposals(&Names, text.as_bytes())[0];
        let words: FxHashSet<&[u8]> = all.split(|&byte| byte == b' ').collect();
        assert_eq!(words.len(), 3_001);
    }

    #[test]
    fn words_in_strings_are_renamed_where_they_must_be() {
        let text = b"get(\"field\") = field";
        let same = |text: &[u8]| {
            let Some(name) = text
                .strip_prefix(b"get(\"")
                .and_then(|rest| rest.split(|&b| b == b'"').next())
            else {
                return false;
            };
            text.ends_with(&[b"= ", name].concat())
        };
        assert_eq!(reduce_with(&Names, text, same), b"get(\"a\") = a");
    }

    #[test]
    fn short_names_and_odd_bytes_are_left_alone() {
        assert!(proposals(&Names, b"a + b \0").is_empty());
        assert!(proposals(&Names, b"").is_empty());
        assert_eq!(reduce_with(&Names, b"\xff\xfe\xfd = b", |_| true), b"a = b");
    }
}
