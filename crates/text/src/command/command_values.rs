use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{
    Chain, Context, List, Optional, Pass, PassInfo, Proposals, Units, Work, all_or_some,
};
use nubbin_view::unquoted::Unquoted;
use nubbin_view::word_lists::{WordLists, word_lists};
use nubbin_view::words::words;
use std::ops::Range;
use std::sync::Arc;

/// Shortens the values in words of a command line: `--opt=value` to `--opt`, and lists by their
/// items.
///
/// Items are separated by commas, or by spaces, semicolons, or colons: `-fsanitize=address,leak`,
/// `-Wl,-z,now`, `-classpath a:b`. Text in brackets is a list within an item, as in
/// `-passes=function(a,b<c;d>)`. The steps, each a list of proposals for all words together that
/// begins with all of them at once:
///
/// 1. values are deleted with the `=`, and brackets with their content (`f(a)` to `f`);
/// 2. values are deleted without the `=`;
/// 3. items are deleted, each with a separator, items of outer lists first;
/// 4. the content of brackets replaces its item (`f(a)` to `a`);
/// 5. quotes are deleted that a shell does not need.
///
/// Words are edited as the program sees them: quotes around a word or a part of it stay in pairs.
/// Use it after unneeded words are deleted ([`CommandWords`](crate::CommandWords)).
///
/// Cost: one test per step where no value is needed, otherwise about 2·log₂ *n* for each item
/// that is.
///
/// Source: ours.
///
/// ```
/// use nubbin_reduce::pass::{CommandValues, preview};
///
/// let proposed = preview(&CommandValues, b"'-f=a,g(b)'", 20);
/// for text in ["'-f'", "'-f='", "'-f=a,g'", "'-f=g(b)'", "'-f=a'", "'-f=a,b'"] {
///     assert!(proposed.contains(&text.to_owned()), "{text}");
/// }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CommandValues;

impl Pass for CommandValues {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "command-values",
            "shortens the values and lists in words of a command line",
            "ours",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let of_span = |span: Span| {
            let word = Unquoted::new(&file.text[span.range()], file.span.start + span.start);
            (word_lists(word.bytes()), word)
        };
        let words: Vec<(WordLists, Unquoted)> = words(file.text).into_iter().map(of_span).collect();
        let (mut values, mut empty, mut unwrapped, mut quotes) = (vec![], vec![], vec![], vec![]);
        let mut levels: Vec<Vec<ItemList>> = vec![];
        for (lists, word) in &words {
            let deleted = |part: Range<usize>| Edit::delete_all(word.spans(part));
            for value in &lists.values {
                values.push(deleted(value.clone()));
                empty.push(deleted(value.start + 1..value.end));
            }
            for (name, pair) in &lists.brackets {
                values.push(deleted(pair.clone()));
                let ends = [*name..pair.start + 1, pair.end - 1..pair.end];
                unwrapped.push(Edit::delete_all(
                    ends.into_iter().flat_map(|end| word.spans(end)),
                ));
            }
            for (depth, items) in &lists.lists {
                let level = (*depth).min(DEEPEST);
                levels.resize_with(levels.len().max(level + 1), Vec::new);
                levels[level].push(ItemList::new(word, items));
            }
            if word.has_needless_quotes() {
                quotes.push(Edit::delete_all(word.quotes()));
            }
        }
        let proposals = |mut edits: Vec<Edit>| {
            edits.retain(|edit| !edit.is_none());
            all_or_some(Proposals::new(edits))
        };
        let levels = levels.into_iter().filter(|level| !level.is_empty());
        let items = levels.map(|level| {
            Work::List(
                List::new(Optional(Items::new(level)))
                    .try_all()
                    .cumulative(),
            )
        });
        let first = [values, empty].map(proposals).into_iter();
        let last = [unwrapped, quotes].map(proposals);
        Chain::work(first.chain(items).chain(last), context.lists)
    }
}

/// The depth from which on lists within each other are proposed together.
const DEEPEST: usize = 8;

/// The items of a list in a word.
#[derive(Clone, Debug)]
struct ItemList {
    /// The span of each item with the separator after it.
    before: Vec<Vec<Span>>,
    /// The span of each item with the separator before it.
    behind: Vec<Vec<Span>>,
}

impl ItemList {
    fn new(word: &Unquoted, items: &[Range<usize>]) -> Self {
        let next = |nth: usize, item: &Range<usize>| {
            items.get(nth + 1).map_or(item.end, |next| next.start)
        };
        let last = |nth: usize, item: &Range<usize>| match nth.checked_sub(1) {
            Some(nth) => items[nth].end,
            None => item.start,
        };
        let all = || items.iter().enumerate();
        ItemList {
            before: all()
                .map(|(nth, item)| word.spans(item.start..next(nth, item)))
                .collect(),
            behind: all()
                .map(|(nth, item)| word.spans(last(nth, item)..item.end))
                .collect(),
        }
    }

    /// Returns the spans of some items. Items at the beginning are removed with the separators
    /// after them, and all other items with the separators before them. More items therefore never
    /// have fewer bytes.
    fn spans(&self, items: Range<usize>) -> impl Iterator<Item = Span> {
        let side = if items.start == 0 {
            &self.before
        } else {
            &self.behind
        };
        side.get(items)
            .unwrap_or_default()
            .iter()
            .flatten()
            .copied()
    }
}

/// The items of several lists as units.
#[derive(Clone, Debug)]
struct Items {
    lists: Arc<[(u32, ItemList)]>,
}

impl Items {
    fn new(lists: Vec<ItemList>) -> Self {
        let mut first = 0;
        let with_first = |list: ItemList| {
            let start = first;
            first += list.before.len() as u32;
            (start, list)
        };
        Items {
            lists: lists.into_iter().map(with_first).collect(),
        }
    }
}

impl Units for Items {
    fn len(&self) -> u32 {
        let last = self.lists.last();
        last.map_or(0, |(first, list)| first + list.before.len() as u32)
    }

    fn weight(&self, unit: u32) -> u32 {
        let after = self.lists.partition_point(|(first, _)| *first <= unit);
        let Some((first, list)) = self.lists.get(after.wrapping_sub(1)) else {
            return 1;
        };
        let spans = list.behind.get((unit - first) as usize);
        let len = spans.map_or(0, |spans| spans.iter().map(|span| span.len()).sum());
        len.max(1)
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let mut spans: Vec<Span> = vec![];
        for range in units {
            let after = self
                .lists
                .partition_point(|(first, _)| *first <= range.start);
            for (first, list) in &self.lists[after.saturating_sub(1)..] {
                if *first >= range.end {
                    break;
                }
                let start = range.start.saturating_sub(*first) as usize;
                let end = list.before.len().min((range.end - first) as usize);
                spans.extend(list.spans(start.min(end)..end));
            }
        }
        Edit::delete_all(spans)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn lists_are_cut_to_the_items_that_are_needed() {
        let has = |wanted: &'static [u8]| {
            move |text: &[u8]| {
                let is_whole = text.starts_with(b"-x=") && !text.ends_with(b",");
                is_whole && text.windows(wanted.len()).any(|part| part == wanted)
            }
        };
        // A plan opens the pass again as long as a proposal is adopted.
        let cut = |text: &[u8], wanted| {
            let once = |text: &[u8]| reduce_with(&CommandValues, text, has(wanted));
            let mut texts = vec![text.to_vec(), once(text)];
            while texts[texts.len() - 1] != texts[texts.len() - 2] {
                texts.push(once(&texts[texts.len() - 1]));
            }
            texts.pop().unwrap()
        };
        assert_eq!(cut(b"-x=a,b,c,d", b"c"), b"-x=c");
        assert_eq!(cut(b"-x=a,b,c,d", b"d"), b"-x=d");
        assert_eq!(cut(b"-x=a:b:c", b"a"), b"-x=a");
        assert_eq!(cut(b"-x=a,b", b"x"), b"-x=");
        assert_eq!(cut(b"-x=f(a,b),c", b"f("), b"-x=f()");
    }

    #[test]
    fn a_value_goes_where_the_flag_alone_is_enough() {
        let flag = |text: &[u8]| text.starts_with(b"-DX") && text.ends_with(b"-W\n");
        assert_eq!(
            reduce_with(&CommandValues, b"-DX=1\n-W\n", flag),
            b"-DX\n-W\n"
        );
    }

    #[test]
    fn words_without_values_have_no_proposals() {
        for text in [&b""[..], b"-a b\n", b"-std c++17", b"'it"] {
            assert!(proposals(&CommandValues, text).is_empty(), "{text:?}");
        }
    }
}
