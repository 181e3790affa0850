//! Lists and values in a word of a command line.

use std::ops::Range;

/// The parts of a word that can be removed, as ranges of its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordLists {
    /// The values: an `=` and the text that belongs to it.
    pub values: Vec<Range<usize>>,
    /// The lists of two or more items, each with the number of lists and brackets around it.
    pub lists: Vec<(usize, Vec<Range<usize>>)>,
    /// The pairs of brackets after a name, each with the start of the name.
    pub brackets: Vec<(usize, Range<usize>)>,
}

/// The separators, weakest first.
const SEPARATORS: [u8; 4] = *b" ,;:";

/// Returns the lists and values in a word without quotes.
///
/// Items are separated by spaces, or by commas where there is no space, and then by semicolons or
/// colons. An item in turn has a value or lists: `a=1,b=(x;y)`. Text in brackets is not part of a
/// list outside of them. A value belongs to the whole word if it is the value of a flag (`-x=a,b`).
///
/// ```
/// use nubbin_view::word_lists::word_lists;
///
/// let found = word_lists(b"-x=a,f(b;c)");
/// assert_eq!(found.values, [2..11]);
/// assert_eq!(found.lists, [(0, vec![3..4, 5..11]), (2, vec![7..8, 9..10])]);
/// assert_eq!(found.brackets, [(5, 6..11)]);
/// ```
pub fn word_lists(word: &[u8]) -> WordLists {
    let partners = partners(word);
    let mut found = WordLists::default();
    let mut open = vec![(0, 0..word.len())];
    while let Some((depth, part)) = open.pop() {
        let scan = Scan {
            word,
            partners: &partners,
            part: part.clone(),
        };
        let separated = SEPARATORS.iter().find_map(|&separator| {
            let items = scan.items(separator);
            (items.len() > 1).then_some(items)
        });
        if let Some(at) = scan.value(separated.as_deref()) {
            found.values.push(at..part.end);
            open.push((depth, at + 1..part.end));
            open.push((depth, part.start..at));
            continue;
        }
        if let Some(items) = separated {
            open.extend(items.iter().map(|item| (depth + 1, item.clone())));
            found.lists.push((depth, items));
            continue;
        }
        // The remaining part has no separator outside of brackets.
        let mut name = part.start;
        for pair in scan.pairs() {
            if pair.start > name {
                found.brackets.push((name, pair.clone()));
            }
            open.push((depth + 1, pair.start + 1..pair.end - 1));
            name = pair.end;
        }
    }
    found
        .values
        .sort_unstable_by_key(|range| (range.start, range.end));
    found
        .lists
        .sort_unstable_by_key(|(depth, items)| (*depth, items[0].start));
    found
        .brackets
        .sort_unstable_by_key(|(name, pair)| (*name, pair.start));
    found
}

/// A part of a word, outside of the brackets in it.
struct Scan<'a> {
    word: &'a [u8],
    partners: &'a [Option<usize>],
    part: Range<usize>,
}

impl Scan<'_> {
    /// Returns the offsets outside of brackets.
    fn outside(&self) -> impl Iterator<Item = usize> {
        let mut at = self.part.start;
        std::iter::from_fn(move || {
            while let Some(close) = self.partners.get(at).copied().flatten() {
                at = close + 1;
            }
            let found = (at < self.part.end).then_some(at);
            at += 1;
            found
        })
    }

    fn items(&self, separator: u8) -> Vec<Range<usize>> {
        let mut items = vec![];
        let mut start = self.part.start;
        for at in self.outside().filter(|&at| self.word[at] == separator) {
            items.push(start..at);
            start = at + 1;
        }
        items.push(start..self.part.end);
        items
    }

    /// Returns the offset of the `=` whose value is the rest of this part. An `=` in each of
    /// several items is one of the items.
    fn value(&self, items: Option<&[Range<usize>]>) -> Option<usize> {
        let at = self.outside().find(|&at| self.word[at] == b'=')?;
        let is_in_first = items.is_none_or(|items| items[0].contains(&at));
        let is_flag = self.part.start == 0 && self.word.starts_with(b"-");
        let next = items.and_then(|items| items.get(1));
        let is_assignment = next.is_some_and(|next| self.word[next.clone()].contains(&b'='));
        (is_in_first && (is_flag || !is_assignment)).then_some(at)
    }

    /// Returns the outermost pairs of brackets.
    fn pairs(&self) -> impl Iterator<Item = Range<usize>> {
        let mut at = self.part.start;
        std::iter::from_fn(move || {
            while at < self.part.end {
                let start = at;
                match self.partners[at] {
                    Some(close) => {
                        at = close + 1;
                        return Some(start..at);
                    }
                    None => at += 1,
                }
            }
            None
        })
    }
}

/// Returns the position of the closing bracket for each opening bracket. The value is `None` at
/// other positions, and everywhere if brackets are not paired.
fn partners(word: &[u8]) -> Vec<Option<usize>> {
    let mut partners = vec![None; word.len()];
    let mut open: Vec<(usize, u8)> = vec![];
    for (at, &byte) in word.iter().enumerate() {
        match byte {
            b'(' => open.push((at, b')')),
            b'[' => open.push((at, b']')),
            b'{' => open.push((at, b'}')),
            b'<' => open.push((at, b'>')),
            b')' | b']' | b'}' | b'>' => {
                if let Some((start, _)) = open.pop_if(|(_, close)| *close == byte) {
                    partners[start] = Some(at);
                }
            }
            _ => {}
        }
    }
    partners
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(word: &str) -> Vec<Vec<&str>> {
        let lists = word_lists(word.as_bytes()).lists.into_iter();
        let texts = |items: Vec<Range<usize>>| items.into_iter().map(|item| &word[item]).collect();
        lists.map(|(_, items)| texts(items)).collect()
    }

    fn values(word: &str) -> Vec<&str> {
        let values = word_lists(word.as_bytes()).values;
        values.into_iter().map(|value| &word[value]).collect()
    }

    #[test]
    fn lists_are_in_values_in_brackets_and_in_other_lists() {
        assert_eq!(items("-Wl,-z,now"), [["-Wl", "-z", "now"]]);
        assert_eq!(items("a b:c d"), [vec!["a", "b:c", "d"], vec!["b", "c"]]);
        assert_eq!(
            items("-p=f(a,b<c;d>),e"),
            [
                vec!["f(a,b<c;d>)", "e"],
                vec!["a", "b<c;d>"],
                vec!["c", "d"]
            ]
        );
        assert!(items("-O2").is_empty() && items("f(a)").is_empty());
    }

    #[test]
    fn a_value_is_that_of_the_word_or_that_of_an_item() {
        assert_eq!(values("-x=a=1,b=2"), ["=a=1,b=2", "=1", "=2"]);
        assert_eq!(values("a=1,b=2"), ["=1", "=2"]);
        assert_eq!(values("X=a,b"), ["=a,b"]);
        assert_eq!(values("-Wl,-a=b"), ["=b"]);
    }

    #[test]
    fn brackets_that_are_not_in_pairs_are_letters() {
        assert_eq!(items("a->b,(c"), [["a->b", "(c"]]);
        assert!(word_lists(b"x(]").brackets.is_empty());
    }

    #[test]
    fn deep_words_take_little_time_and_no_stack() {
        let deep = ["f(a,".repeat(20_000), ")".repeat(20_000)].concat();
        assert_eq!(word_lists(deep.as_bytes()).lists.len(), 20_000);
        for unit in ["(", ")", "=", ",", "a=,", "(,", "<;", ": "] {
            word_lists(unit.repeat(20_000).as_bytes());
        }
    }
}
