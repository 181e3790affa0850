use crate::edit::Edit;
use crate::input::File;
use crate::pass::{Alternatives, Chain, Context, Pass};
use crate::span::Span;
use crate::view::words::words;
use crate::work::{Spans, Work, all_or_some};

/// Shortens the values in words of a command line: `--opt=value` to `--opt`, and lists by their
/// items.
///
/// The items of a list are separated by commas, or by colons or semicolons where there is no comma:
/// `-fsanitize=address,undefined`, `-Wl,-z,now`, `-classpath a:b`. The steps:
///
/// 1. the `=` and all that follows is deleted, as a list of all words together;
/// 2. items from the third on are deleted with the separator before them, as a list as well;
/// 3. of each list, the first item is deleted with the separator after it, or else the second with
///    that before it. Both share a separator, so only one of them goes in a run of the pass.
///
/// Words with quotes are left alone. Use it when the words that are not needed are gone
/// ([`CommandWords`](crate::pass::CommandWords)).
///
/// Cost: one test where no value is needed, otherwise about 2·log₂ *n* for each item that is.
///
/// Source: ours.
///
/// ```
/// use nubbin_reduce::pass::{CommandValues, preview};
///
/// assert_eq!(preview(&CommandValues, b"-f=a,b", 3), ["-f", "-f=b", "-f=a"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CommandValues;

impl Pass for CommandValues {
    fn id(&self) -> &'static str {
        "command-values"
    }

    fn about(&self) -> &'static str {
        "shortens the values and lists in words of a command line"
    }

    fn source(&self) -> &'static str {
        "ours"
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let (mut values, mut others, mut places) = (vec![], vec![], vec![]);
        for span in words(file.text) {
            let word = &file.text[span.range()];
            if word.iter().any(|byte| b"'\"\\".contains(byte)) {
                continue;
            }
            let at = |start: usize, end: usize| Span::at(file.span.start + span.start, start..end);
            let equals = word.iter().position(|&byte| byte == b'=');
            values.extend(equals.map(|equals| at(equals, word.len())));
            let begin = equals.map_or(0, |equals| equals + 1);
            let value = &word[begin..];
            let Some(separator) = [b',', b':', b';'].into_iter().find(|it| value.contains(it))
            else {
                continue;
            };
            let separators = (begin..word.len()).filter(|&at| word[at] == separator);
            let separators: Vec<usize> = separators.collect();
            let ends = separators[1..].iter().copied().chain([word.len()]);
            let mut items = separators.iter().copied().zip(ends);
            let second = items.next().map(|(start, end)| at(start, end));
            let first = at(begin, separators[0] + 1);
            let two = [Some(first), second].into_iter().flatten();
            places.push(two.map(Edit::delete).collect());
            others.extend(items.map(|(start, end)| at(start, end)));
        }
        let lists = [values, others].into_iter();
        let lists = lists.filter(|spans| !spans.is_empty());
        let works = lists.map(|spans| all_or_some(Spans::new(spans)));
        let places: Vec<Vec<Edit>> = places;
        let first_two =
            (!places.is_empty()).then(|| Work::Machine(Box::new(Alternatives::new(places))));
        let works = works.chain(first_two);
        Chain::work(works, context.lists)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{proposals, reduce_with, survives_odd_texts};

    #[test]
    fn lists_are_cut_to_the_items_that_are_needed() {
        let has = |wanted: &'static [u8]| {
            move |text: &[u8]| {
                let is_whole = text.starts_with(b"-x=") && !text.ends_with(b",");
                is_whole && text.windows(wanted.len()).any(|part| part == wanted)
            }
        };
        // A plan opens the pass again as long as it finds something.
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
        assert_eq!(cut(b"-x=a,b", b"x"), b"-x=b");
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
    fn words_without_values_and_with_quotes_have_no_proposals() {
        for text in [&b""[..], b"-a b\n", b"'-x=a,b'", b"-x=\\,"] {
            assert!(proposals(&CommandValues, text).is_empty(), "{text:?}");
        }
    }

    #[test]
    fn odd_texts_are_no_problem() {
        survives_odd_texts(&CommandValues);
    }
}
