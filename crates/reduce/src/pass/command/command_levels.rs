use crate::edit::Edit;
use crate::input::File;
use crate::pass::{Alternatives, Context, Pass};
use crate::span::Span;
use crate::view::words::words;
use crate::work::Work;

/// Lowers the levels of flags: `-O3` to `-O`, `-O0`, `-O1`, or `-O2`, `-g3` to `-g`.
///
/// A level is a number at the end of a flag of letters. First the flag without a number is
/// proposed, then the numbers from 0 up, at most 3. The levels of optimization without a number
/// (`-Os`, `-Oz`, `-Og`, `-Ofast`) are treated as a level above 3. Numbers after other characters
/// (`--max=100`) are left to [`Integers`](crate::pass::Integers).
///
/// Use it when the words that are not needed are gone
/// ([`CommandWords`](crate::pass::CommandWords)).
///
/// Cost: at most five tests for each level.
///
/// Source: ours.
///
/// ```
/// use nubbin_reduce::pass::{CommandLevels, preview};
///
/// assert_eq!(preview(&CommandLevels, b"-O2 -Wall", 9), ["-O -Wall", "-O0 -Wall", "-O1 -Wall"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CommandLevels;

/// Levels of optimization that are not numbers.
const NAMED: [&[u8]; 4] = [b"-Os", b"-Oz", b"-Og", b"-Ofast"];
/// The highest number that is proposed.
const HIGHEST: u32 = 3;

impl Pass for CommandLevels {
    fn id(&self) -> &'static str {
        "command-levels"
    }

    fn about(&self) -> &'static str {
        "lowers the levels of flags, as -O3 to -O1"
    }

    fn source(&self) -> &'static str {
        "ours"
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        let lower = |word: Span| {
            let (flag, below) = flag_and_level(&file.text[word.range()])?;
            let level = word.start as usize + flag..word.end as usize;
            let span = Span::at(file.span.start, level);
            let numbers = (0..below.min(HIGHEST + 1)).map(|number| number.to_string());
            let texts = std::iter::once(String::new()).chain(numbers);
            Some(
                texts
                    .map(|text| Edit::replace(span, text.as_bytes()))
                    .collect(),
            )
        };
        let places: Vec<Vec<Edit>> = words(file.text).into_iter().filter_map(lower).collect();
        let is_some = !places.is_empty();
        is_some.then(|| Work::Machine(Box::new(Alternatives::new(places))))
    }
}

/// Returns the length of a flag without its level, and the level.
fn flag_and_level(word: &[u8]) -> Option<(usize, u32)> {
    if NAMED.contains(&word) {
        return Some((2, HIGHEST + 1));
    }
    let flag = word.iter().rposition(|byte| !byte.is_ascii_digit())? + 1;
    let is_flag = flag > 1 && word[0] == b'-' && word[flag - 1].is_ascii_alphabetic();
    let digits = std::str::from_utf8(&word[flag..]).ok()?;
    // A longer number is none of a few levels.
    let level = digits.parse().ok().filter(|_| digits.len() < 3)?;
    is_flag.then_some((flag, level))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{proposals, reduce_with, survives_odd_texts};

    #[test]
    fn the_lowest_level_that_is_needed_is_found() {
        let at_least = |least: u8| move |text: &[u8]| text.len() == 3 && text[2] >= least;
        assert_eq!(reduce_with(&CommandLevels, b"-O3", at_least(b'1')), b"-O1");
        assert_eq!(reduce_with(&CommandLevels, b"-Os", at_least(b'2')), b"-O2");
        assert_eq!(reduce_with(&CommandLevels, b"-O3", at_least(b'3')), b"-O3");
        assert_eq!(reduce_with(&CommandLevels, b"-g3 x", |_| true), b"-g x");
    }

    #[test]
    fn other_words_have_no_level() {
        for text in [
            &b""[..],
            b"-",
            b"-1",
            b"x2",
            b"-x=2",
            b"-v1000",
            b"-Wall",
            b"\xff1",
        ] {
            assert!(proposals(&CommandLevels, text).is_empty(), "{text:?}");
        }
    }

    #[test]
    fn odd_texts_are_no_problem() {
        survives_odd_texts(&CommandLevels);
    }
}
