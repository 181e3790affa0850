use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Alternatives, Context, Pass, PassInfo, Work};
use nubbin_view::unquoted::Unquoted;
use nubbin_view::words::words;
use std::ops::Range;

/// Lowers the levels of flags: `-O3` to `-O`, `-O0`, `-O1`, or `-O2`, `-g3` to `-g`.
///
/// A level is a number at the end of a flag of letters. First the flag without a number is
/// proposed, then the numbers from 0 up, at most 3. The levels of optimization without a number
/// (`-Os`, `-Oz`, `-Og`, `-Ofast`) are treated as a level above 3. Levels between angle brackets
/// (`default<O3>`) are lowered as well. Numbers after other characters (`--max=100`) are left to
/// [`Integers`](crate::Integers), but not those in words with quotes, which that pass takes
/// for texts: for them, the numbers from 0 to 3 are proposed.
///
/// Use it after unneeded words are deleted ([`CommandWords`](crate::CommandWords)).
///
/// Cost: at most five tests per level.
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
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "command-levels",
            "lowers the levels of flags, as -O3 to -O1",
            "ours",
        )
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        let lower = |span: Span| {
            let word = Unquoted::new(&file.text[span.range()], file.span.start + span.start);
            let edits = |level: Level| {
                let mut spans = word.spans(level.part).into_iter();
                // A number that is split by a quote is not changed.
                let span = spans.next().filter(|_| spans.len() == 0)?;
                let numbers = (0..level.below.min(HIGHEST + 1)).map(|number| number.to_string());
                let none = level.is_optional.then(String::new);
                let texts = none.into_iter().chain(numbers);
                Some(
                    texts
                        .map(|text| Edit::replace(span, text.as_bytes()))
                        .collect(),
                )
            };
            let levels = levels(&word);
            levels.into_iter().filter_map(edits).collect::<Vec<_>>()
        };
        let places: Vec<Vec<Edit>> = words(file.text).into_iter().flat_map(lower).collect();
        let is_some = !places.is_empty();
        is_some.then(|| Work::Machine(Box::new(Alternatives::new(places))))
    }
}

/// A level in a word.
struct Level {
    part: Range<usize>,
    /// The first number that is not below the level.
    below: u32,
    /// Whether a word without the level has a meaning.
    is_optional: bool,
}

/// Returns the levels in a word.
fn levels(word: &Unquoted) -> Vec<Level> {
    let bytes = word.bytes();
    if let Some((flag, below)) = flag_and_level(bytes) {
        return vec![Level {
            part: flag..bytes.len(),
            below,
            is_optional: true,
        }];
    }
    let has_quotes = word.quotes().next().is_some();
    let mut found = vec![];
    let mut start = 0;
    for item in bytes.chunk_by(|a, b| a.is_ascii_alphanumeric() == b.is_ascii_alphanumeric()) {
        let part = start..start + item.len();
        start = part.end;
        let around = (bytes[..part.start].last(), bytes.get(part.end));
        let letters = item
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        let digits = std::str::from_utf8(&item[letters..]).unwrap_or_default();
        let level = match digits.parse() {
            Ok(level) if letters == 0 => has_quotes.then_some(level),
            Ok(level) => {
                (around == (Some(&b'<'), Some(&b'>')) && digits.len() < 3).then_some(level)
            }
            Err(_) => None,
        };
        found.extend(level.map(|below| Level {
            part: part.start + letters..part.end,
            below,
            is_optional: false,
        }));
    }
    found
}

/// Returns the length of a flag without its level, and the level.
fn flag_and_level(word: &[u8]) -> Option<(usize, u32)> {
    if NAMED.contains(&word) {
        return Some((2, HIGHEST + 1));
    }
    let flag = word.iter().rposition(|byte| !byte.is_ascii_digit())? + 1;
    let is_flag = flag > 1 && word[0] == b'-' && word[flag - 1].is_ascii_alphabetic();
    let digits = std::str::from_utf8(&word[flag..]).ok()?;
    // A longer number is not a level.
    let level = digits.parse().ok().filter(|_| digits.len() < 3)?;
    is_flag.then_some((flag, level))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn the_lowest_level_that_is_needed_is_found() {
        let at_least = |least: u8| move |text: &[u8]| text.len() == 3 && text[2] >= least;
        assert_eq!(reduce_with(&CommandLevels, b"-O3", at_least(b'1')), b"-O1");
        assert_eq!(reduce_with(&CommandLevels, b"-Os", at_least(b'2')), b"-O2");
        assert_eq!(reduce_with(&CommandLevels, b"-O3", at_least(b'3')), b"-O3");
        assert_eq!(reduce_with(&CommandLevels, b"-g3 x", |_| true), b"-g x");
    }

    #[test]
    fn levels_in_brackets_and_numbers_in_quotes_are_lowered() {
        let proposed = |text: &str| {
            let all = proposals(&CommandLevels, text.as_bytes());
            all.into_iter()
                .map(|text| String::from_utf8(text).unwrap())
                .collect::<Vec<_>>()
        };
        assert_eq!(proposed("'-p=a<O2>'"), ["'-p=a<O0>'", "'-p=a<O1>'"]);
        assert_eq!(proposed("'--n=f(14)'").len(), 4);
        assert_eq!(proposed("-I 'a b' -x'=1'"), ["-I 'a b' -x'=0'"]);
        assert!(
            proposed("--n=f(14) -std=c<x86> 'a b'")
                .iter()
                .all(|text| text.contains("14"))
        );
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
}
