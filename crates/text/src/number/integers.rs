use crate::space::is_word;
use nubbin_edit::{Edit, File, Span, Splice};
use nubbin_engine::work::{Chain, Context, Pass, PassInfo, Proposals, Spans, Work, all_or_some};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

/// Replaces integers in a text with 0, and deletes their prefixes and suffixes.
///
/// Equal numbers are first changed together, since they often mean the same (such as a size at two
/// positions), and then one by one. The steps are lists, each of which begins with all numbers at
/// once:
///
/// 1. all equal numbers to `0`, with their prefixes and suffixes (`10UL` to `0`);
/// 2. single numbers to `0`;
/// 3. suffixes, then prefixes deleted (`10UL` to `10`, `0x10` to `10`).
///
/// The pass takes a handful of tests if numbers do not matter, and otherwise a few tests for each
/// number that must stay. Values between 0 and a number are left to
/// [`IntegerValues`](crate::IntegerValues). Digits in names (`x86`) are not numbers.
///
/// Source: the integer passes of Shrink Ray and Hypothesis (MacIver); groups of equal numbers after
/// T-Rec (Xu et al. 2024).
///
/// ```
/// use nubbin_reduce::pass::{Integers, preview};
///
/// assert_eq!(preview(&Integers, b"f(20u, 7)", 1), ["f(0, 0)"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Integers;

impl Pass for Integers {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "integers",
            "replaces integers with 0, and removes their prefixes, suffixes, and separators",
            "Shrink Ray, Hypothesis (MacIver); T-Rec (Xu et al. 2024)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let numbers = numbers(file.text);
        let base = file.span.start;
        let equal = equal_numbers(file.text, &numbers);
        let repeated = || equal.iter().filter(|group| group.len() > 1);
        let to_zero = |group: &[Number]| {
            let zero = |number: &Number| file.text.get(number.all()) == Some(b"0");
            (!group.iter().any(zero)).then(|| rewritten(base, group.iter().map(Number::all), b"0"))
        };
        let list = |edits: Vec<Edit>| all_or_some(Proposals::new(edits));
        let deleted = |parts: Vec<Range<usize>>| {
            let parts = parts.into_iter().filter(|part| !part.is_empty());
            let spans: Vec<Span> = parts.map(|part| Span::at(base, part)).collect();
            all_or_some(Spans::new(spans))
        };
        let works = vec![
            list(equal.iter().filter_map(|group| to_zero(group)).collect()),
            list(
                repeated()
                    .flatten()
                    .filter_map(|one| to_zero(std::slice::from_ref(one)))
                    .collect(),
            ),
            deleted(numbers.iter().map(|number| number.suffix.clone()).collect()),
            deleted(
                numbers
                    .iter()
                    .map(|number| number.dispensable_prefix(file.text))
                    .collect(),
            ),
        ];
        Chain::work(works, context.lists).filter(|_| !numbers.is_empty())
    }
}

/// A number literal, divided into its parts: `0x`, `10`, and `UL`.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    pub(crate) prefix: Range<usize>,
    pub(crate) digits: Range<usize>,
    pub(crate) suffix: Range<usize>,
}

impl Number {
    fn all(&self) -> Range<usize> {
        self.prefix.start..self.suffix.end
    }

    /// Returns the prefix, if decimal digits come after it.
    fn dispensable_prefix(&self, text: &[u8]) -> Range<usize> {
        let digits = text.get(self.digits.clone()).unwrap_or_default();
        if digits.iter().all(u8::is_ascii_digit) {
            self.prefix.clone()
        } else {
            0..0
        }
    }

    pub(crate) fn is_decimal(&self) -> bool {
        self.prefix.is_empty()
    }
}

pub(crate) fn numbers(text: &[u8]) -> Vec<Number> {
    let mut numbers = Vec::new();
    let mut at = 0;
    for run in text.chunk_by(|&left, &right| is_word(left) == is_word(right)) {
        let start = at;
        at += run.len();
        if !run.first().is_some_and(u8::is_ascii_digit) {
            continue;
        }
        let (prefix, hexadecimal) = match run {
            [b'0', b'x' | b'X', digit, ..] if digit.is_ascii_hexdigit() => (2, true),
            [b'0', b'b' | b'B' | b'o' | b'O', digit, ..] if digit.is_ascii_digit() => (2, false),
            _ => (0, false),
        };
        let digit = |byte: &u8| {
            if hexadecimal {
                byte.is_ascii_hexdigit()
            } else {
                byte.is_ascii_digit()
            }
        };
        let digits = run
            .iter()
            .skip(prefix)
            .take_while(|&byte| digit(byte))
            .count();
        let (first, behind) = (start + prefix, start + prefix + digits);
        numbers.push(Number {
            prefix: start..first,
            digits: first..behind,
            suffix: behind..at,
        });
    }
    numbers
}

/// Groups equal numbers by their spelling. The group with the largest number of bytes is the first.
pub(crate) fn equal_numbers(text: &[u8], numbers: &[Number]) -> Vec<Vec<Number>> {
    let mut places: FxHashMap<&[u8], usize> = FxHashMap::default();
    let mut groups: Vec<Vec<Number>> = Vec::new();
    for number in numbers {
        let literal = text.get(number.all()).unwrap_or_default();
        let group = *places.entry(literal).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::with_capacity(1));
        }
        groups[group].push(number.clone());
    }
    let bytes = |group: &Vec<Number>| group.iter().map(|number| number.all().len()).sum::<usize>();
    groups.sort_by_key(|group| Reverse(bytes(group)));
    groups
}

/// Returns the edit that rewrites all given spans in the same way.
pub(crate) fn rewritten(
    base: u32,
    places: impl Iterator<Item = Range<usize>>,
    text: &[u8],
) -> Edit {
    let text: Arc<[u8]> = text.into();
    let splices = places.map(|place| Splice {
        span: Span::at(base, place),
        text: Some(Arc::clone(&text)),
        rank: 0,
    });
    Edit::new(splices).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn literals_are_split_into_their_parts() {
        let text = b"0x1fUL 10i64 x86 3 0b11 1e5 0x 1'000";
        let shown: Vec<[&str; 3]> = numbers(text)
            .iter()
            .map(|n| {
                [&n.prefix, &n.digits, &n.suffix]
                    .map(|part| std::str::from_utf8(&text[part.clone()]).unwrap())
            })
            .collect();
        let expected = [
            ["0x", "1f", "UL"],
            ["", "10", "i64"],
            ["", "3", ""],
            ["0b", "11", ""],
            ["", "1", "e5"],
            ["", "0", "x"],
            ["", "1", ""],
            ["", "000", ""],
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn all_numbers_that_are_not_needed_become_zero() {
        let text = b"a[0x10UL] = 77 + 77; \xff\0 x9";
        assert_eq!(
            reduce_with(&Integers, text, |_| true),
            b"a[0] = 0 + 0; \xff\0 x9"
        );
    }

    #[test]
    fn texts_without_numbers_give_nothing() {
        assert!(proposals(&Integers, b"").is_empty());
        assert!(proposals(&Integers, b"x86 \xff1").is_empty());
    }
}
