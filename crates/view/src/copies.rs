//! Stretches of text that occur several times.

use nubbin_edit::Span;
use rustc_hash::FxHashMap;

/// A stretch of tokens that occurs several times, with the same space between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copies {
    /// The length of each copy in bytes.
    pub len: u32,
    /// The offsets at which the copies begin, in order. No two copies overlap.
    pub starts: Vec<u32>,
}

impl Copies {
    /// Returns the number of bytes in all copies.
    pub fn bytes(&self) -> usize {
        self.len as usize * self.starts.len()
    }

    /// Returns the span of the first copy.
    pub fn first(&self) -> Span {
        let start = self.starts.first().copied().unwrap_or_default();
        Span::new(start, start + self.len)
    }
}

/// The minimum number of tokens in a copy.
pub const MIN_TOKENS: usize = 5;

/// The maximum number of places at which a stretch may begin. A more frequent stretch belongs to
/// the style of a text.
const MAX_PLACES: usize = 16;

/// Returns the stretches of at least [`MIN_TOKENS`] tokens that occur several times, longest
/// first. `tokens` holds the tokens of each file. A copy is within one file.
///
/// The search visits the tokens in order. Of the positions that begin with the same [`MIN_TOKENS`]
/// tokens, it selects the position with the longest copy, and all positions with a copy of that
/// length. A stretch that begins in a copy is not counted again. The search is therefore linear in
/// the number of tokens, and needs no suffix array.
///
/// ```
/// use nubbin_edit::Span;
/// use nubbin_view::copies::copies;
/// use nubbin_view::tokens::code;
///
/// let text = b"if (a == b) x; else (a == b) y;";
/// let tokens: Vec<Span> = code(text).map(|token| token.span).collect();
/// let found = copies(text, &[tokens]);
/// assert_eq!(found.len(), 1);
/// assert_eq!((found[0].len, &*found[0].starts), (8, &[3, 20][..]));
/// ```
pub fn copies(text: &[u8], tokens: &[Vec<Span>]) -> Vec<Copies> {
    let mut search = Search::new(text, tokens);
    let mut found = vec![];
    for at in 0..search.tokens.len() {
        found.extend(search.from(at));
    }
    found.sort_by_key(|copies| (std::cmp::Reverse(copies.len), copies.starts.clone()));
    found
}

struct Search<'a> {
    text: &'a [u8],
    /// The tokens of all files, each with the number of its file.
    tokens: Vec<(Span, usize)>,
    /// The starts of each sequence of [`MIN_TOKENS`] tokens.
    begins: FxHashMap<&'a [u8], Vec<usize>>,
    /// Whether a token is in a copy.
    is_taken: Vec<bool>,
}

impl<'a> Search<'a> {
    fn new(text: &'a [u8], files: &[Vec<Span>]) -> Self {
        let with_file = |(file, tokens): (usize, &Vec<Span>)| {
            tokens
                .iter()
                .map(move |&span| (span, file))
                .collect::<Vec<_>>()
        };
        let tokens: Vec<(Span, usize)> = files.iter().enumerate().flat_map(with_file).collect();
        let mut begins: FxHashMap<&[u8], Vec<usize>> = FxHashMap::default();
        for (at, window) in tokens.windows(MIN_TOKENS).enumerate() {
            if let [(first, file), .., (last, other)] = window
                && file == other
                && let Some(bytes) = text.get(first.start as usize..last.end as usize)
            {
                begins.entry(bytes).or_default().push(at);
            }
        }
        Search {
            text,
            is_taken: vec![false; tokens.len()],
            tokens,
            begins,
        }
    }

    /// Returns the copies of the stretch that begins with a token, if there are any.
    fn from(&mut self, at: usize) -> Option<Copies> {
        let first = self.tokens.get(at)?.0;
        let last = self.tokens.get(at + MIN_TOKENS - 1)?.0;
        let bytes = self.text.get(first.start as usize..last.end as usize)?;
        let places = self.begins.get(bytes)?;
        if places.len() < 2 || places.len() > MAX_PLACES {
            return None;
        }
        let others = places.iter().filter(|&&place| place > at);
        let lengths: Vec<(usize, usize)> = others
            .map(|&place| (self.common(at, place), place))
            .collect();
        let longest = lengths.iter().map(|(length, _)| *length).max()?;
        if longest < MIN_TOKENS {
            return None;
        }
        let mut members = vec![at];
        for (length, place) in lengths {
            let is_behind = members.last().is_some_and(|&last| place >= last + longest);
            if length >= longest && is_behind {
                members.push(place);
            }
        }
        for &member in &members {
            let taken = self.is_taken.get_mut(member..member + longest);
            taken.unwrap_or_default().fill(true);
        }
        let end = self.tokens.get(at + longest - 1)?.0.end;
        let starts = members.iter().filter_map(|&member| self.tokens.get(member));
        Some(Copies {
            len: end - first.start,
            starts: starts.map(|(span, _)| span.start).collect(),
        })
    }

    /// Returns the number of tokens that follow equally at two places. They are in one file each,
    /// and in no other copy, and the two stretches do not overlap.
    fn common(&self, first: usize, second: usize) -> usize {
        let of = |at: usize| {
            self.tokens
                .get(at)
                .filter(|_| self.is_taken.get(at) == Some(&false))
        };
        let (Some(one), Some(other)) = (of(first), of(second)) else {
            return 0;
        };
        let (mut ends, files) = ((one.0.start, other.0.start), (one.1, other.1));
        let bytes = |from: u32, to: u32| self.text.get(from as usize..to as usize);
        let mut length = 0;
        while first + length < second
            && let (Some(one), Some(other)) = (of(first + length), of(second + length))
            && (one.1, other.1) == files
            && bytes(ends.0, one.0.end) == bytes(ends.1, other.0.end)
        {
            ends = (one.0.end, other.0.end);
            length += 1;
        }
        length
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::code;

    fn found(files: &[&str]) -> Vec<(String, usize)> {
        let text = files.concat();
        let mut at = 0;
        let tokens: Vec<Vec<Span>> = files
            .iter()
            .map(|file| {
                let spans = code(file.as_bytes()).map(|token| token.span);
                let spans = spans
                    .map(|span| Span::new(span.start + at, span.end + at))
                    .collect();
                at += file.len() as u32;
                spans
            })
            .collect();
        let found = copies(text.as_bytes(), &tokens);
        let of = |copies: &Copies| {
            (
                text[copies.first().range()].to_string(),
                copies.starts.len(),
            )
        };
        found.iter().map(of).collect()
    }

    #[test]
    fn the_longest_stretches_are_found() {
        assert_eq!(
            found(&["f(a, b(c)) + f(a, b(c));"]),
            [("f(a, b(c))".into(), 2)]
        );
        assert_eq!(
            found(&["x f(a, b)", "f(a, b) y", "f(a, b)"]),
            [("f(a, b)".into(), 3)]
        );
        assert!(found(&["f(a, b)", "f(a,  b)"]).is_empty());
        assert!(found(&["f(a", "b) f(a", "b)"]).is_empty());
    }

    #[test]
    fn stretches_of_one_word_and_of_rare_words_take_linear_time() {
        assert!(found(&[&"word ".repeat(100_000)]).is_empty());
        let rare: String = (0..100_000).map(|nth| format!("w{nth} ")).collect();
        assert!(found(&[&rare]).is_empty());
        let twice = [rare.as_str(), rare.as_str()];
        assert_eq!(found(&twice)[0], (rare.trim_end().to_string(), 2));
        // Every stretch of the first half occurs fifteen times in the second half.
        let many: String = (0..15)
            .map(|nth| format!("{} x{nth} ", &rare[..60_000]))
            .collect();
        assert_eq!(found(&[&many])[0].1, 15);
    }
}
