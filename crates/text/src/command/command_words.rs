use nubbin_edit::{File, Span};
use nubbin_engine::work::{Chain, Context, Forest, Nested, Pass, PassInfo, Spans, Work, optional};
use nubbin_view::words::{bounds, words};

/// Removes words of a command line: a flag together with its value, a flag alone, or a value alone.
///
/// A flag is a word that begins with `-`. A word after it that does not may be its value (`-o x`,
/// `-I dir`), so the two are together a unit as well, which is tried before they are. The first
/// proposal removes all words.
///
/// Use it on the arguments of a test, and on the names of its variables. Words that need each other
/// in another way (`-Xclang -foo`) are removed by [`Windows::words`](crate::Windows::words).
///
/// Cost: one test, and a list of as many units as there are flags; about 2·log₂ *n* tests per flag
/// that is needed.
///
/// Source: ours.
///
/// ```
/// use nubbin_reduce::pass::{CommandWords, preview};
///
/// let proposed = preview(&CommandWords, b"-O2\n-I\ndir\n", 9);
/// assert!(proposed.contains(&"-O2\n".to_owned()));
/// assert!(proposed.contains(&"-I\ndir\n".to_owned()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CommandWords;

impl Pass for CommandWords {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "command-words",
            "removes words of a command line, flags with their values first",
            "ours",
        )
        .trying_everything()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let words = words(file.text);
        if words.is_empty() {
            return None;
        }
        let bounds = bounds(file.text);
        let base = file.span.start;
        let units = |count: usize| {
            let bounds = bounds.windows(count + 1);
            bounds.map(move |bound| Span::new(base + bound[0], base + bound[count]))
        };
        let is_flag = |word: &Span| file.text.get(word.start as usize) == Some(&b'-');
        let is_pair = |pair: &[Span]| is_flag(&pair[0]) && !is_flag(&pair[1]);
        let pairs = words.windows(2).zip(units(2));
        let pairs = pairs.filter(|(words, _)| is_pair(words));
        let nested = Nested::of(units(1).chain(pairs.map(|(_, unit)| unit)));
        let forest = Forest::new(Spans::new(nested.spans), &nested.parents);
        let all = optional(Spans::new([file.span]));
        Chain::work([all].into_iter().chain(forest.walk()), context.lists)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::reduce_with;

    fn needs<'a>(wanted: &'a [&str]) -> impl Fn(&[u8]) -> bool + 'a {
        move |text| {
            let text = std::str::from_utf8(text).unwrap();
            let words: Vec<&str> = text.split_whitespace().collect();
            wanted.iter().all(|word| words.contains(word))
        }
    }

    #[test]
    fn flags_that_are_not_needed_are_removed_with_their_values() {
        let text = b"-O2\n-I\ndir\n-Wall\n-o\nx\n-g\n";
        assert_eq!(
            reduce_with(&CommandWords, text, needs(&["-Wall"])),
            b"-Wall\n"
        );
        let both = reduce_with(&CommandWords, text, needs(&["-I", "dir", "-g"]));
        assert_eq!(both, b"-I\ndir\n-g\n");
        assert_eq!(reduce_with(&CommandWords, text, |_| true), b"");
    }

    #[test]
    fn a_flag_goes_without_the_word_after_it_if_that_is_no_value() {
        let text = b"-c\nx.c\n-I\ndir";
        assert_eq!(reduce_with(&CommandWords, text, needs(&["x.c"])), b"x.c\n");
        assert_eq!(
            reduce_with(&CommandWords, text, needs(&["-c", "x.c"])),
            b"-c\nx.c\n"
        );
    }
}
