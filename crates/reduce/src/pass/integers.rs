use super::optional::all_or_some;
use super::whitespace::is_word;
use super::{Alternatives, Chain, Context, Pass, Places};
use crate::edit::{Edit, Splice};
use crate::input::File;
use crate::span::Span;
use crate::work::{Proposals, Spans, Work};
use rustc_hash::FxHashMap;
use std::cmp::{Ordering, Reverse};
use std::ops::Range;
use std::sync::Arc;

/// Integers in a text made smaller: to 0, then without prefix and suffix, then to the shortest
/// number that still does.
///
/// Equal numbers go together first, since they often are the same thing (a size, and the index
/// below it); then one by one. The steps, each a list that begins with all numbers at once
/// unless said otherwise:
///
/// 1. all equal numbers to `0`, as they stand (`10UL` to `0`);
/// 2. single numbers to `0`;
/// 3. suffixes, then prefixes deleted (`10UL` to `10`, `0x10` to `10`);
/// 4. number by number, equal ones together and then alone: upwards through 1, the least and the
///    greatest number of each length, and the numbers at which programs change their minds (127,
///    255, 65535, 2^31, 2^53 and so on), until one will do; only in texts with up to
///    [`Integers::most_values`] numbers;
/// 5. digit by digit to `0`, or `1` where it leads.
///
/// A handful of tests where numbers do not matter; otherwise up to 20 for a number of four digits
/// that must stay, about 50 for one of 20 digits. Numbers are handled as text, so there is no
/// largest one. Digits in names (`x86`) are not numbers.
///
/// Source: the integer passes of Shrink Ray and Hypothesis (MacIver), which bisect the value.
/// Going upwards instead needs one success, and the round numbers find thresholds that a
/// bisection over noise misses; groups of equal numbers after T-Rec (Xu et al. 2024).
///
/// ```
/// use nubbin_reduce::pass::{Integers, preview};
///
/// assert_eq!(preview(&Integers::default(), b"f(20u, 7)", 1), ["f(0, 0)"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Integers {
    /// With more numbers than this in the text, values between 0 and the old one are not tried.
    pub most_values: usize,
}

impl Default for Integers {
    fn default() -> Self {
        Integers { most_values: 400 }
    }
}

impl Pass for Integers {
    fn id(&self) -> &'static str {
        "integers"
    }

    fn about(&self) -> &'static str {
        "replaces integers by 0, by shorter and by rounder ones"
    }

    fn source(&self) -> &'static str {
        "Shrink Ray, Hypothesis (MacIver); T-Rec (Xu et al. 2024)"
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
        let mut works = vec![
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
        if numbers.len() <= self.most_values {
            let values = |groups: Vec<Vec<Number>>| {
                let values = Values {
                    base,
                    text: file.text.into(),
                    groups,
                };
                Work::Machine(Box::new(Alternatives::new(values)))
            };
            let each = repeated().flatten().map(|number| vec![number.clone()]);
            works.extend([values(equal.clone()), values(each.collect())]);
        }
        works.push(list(digits_to_zero(file, &numbers)));
        Chain::work(works, context.lists).filter(|_| !numbers.is_empty())
    }
}

/// The parts of a literal, end to end: `0x` `10` `UL`.
#[derive(Clone, Debug)]
struct Number {
    prefix: Range<usize>,
    digits: Range<usize>,
    suffix: Range<usize>,
}

impl Number {
    fn all(&self) -> Range<usize> {
        self.prefix.start..self.suffix.end
    }

    /// The prefix, where decimal digits stand behind it.
    fn dispensable_prefix(&self, text: &[u8]) -> Range<usize> {
        let digits = text.get(self.digits.clone()).unwrap_or_default();
        if digits.iter().all(u8::is_ascii_digit) {
            self.prefix.clone()
        } else {
            0..0
        }
    }

    fn is_decimal(&self) -> bool {
        self.prefix.is_empty()
    }
}

fn numbers(text: &[u8]) -> Vec<Number> {
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

/// Numbers grouped by how they are written, the group with the most bytes first.
fn equal_numbers(text: &[u8], numbers: &[Number]) -> Vec<Vec<Number>> {
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

/// All these places rewritten alike.
fn rewritten(base: u32, places: impl Iterator<Item = Range<usize>>, text: &[u8]) -> Edit {
    let text: Arc<[u8]> = text.into();
    let splices = places.map(|place| Splice {
        span: Span::at(base, place),
        text: Some(Arc::clone(&text)),
    });
    Edit::new(splices).unwrap_or_default()
}

/// Every digit to `0`, and leading ones to `1`, each as a proposal.
fn digits_to_zero(file: &File<'_>, numbers: &[Number]) -> Vec<Edit> {
    let places = numbers
        .iter()
        .flat_map(|number| number.digits.clone().map(move |at| (at, number)));
    let lower = places.filter_map(|(at, number)| {
        let leads = at == number.digits.start && number.digits.len() > 1;
        let lowest = if leads { b'1' } else { b'0' };
        let higher = file.text.get(at).is_some_and(|&digit| digit > lowest);
        higher.then(|| Edit::replace(Span::at(file.span.start, at..at + 1), &[lowest]))
    });
    lower.collect()
}

/// Groups of equal numbers, to be replaced by smaller values.
struct Values {
    base: u32,
    text: Arc<[u8]>,
    groups: Vec<Vec<Number>>,
}

impl Places for Values {
    fn count(&self) -> usize {
        self.groups.len()
    }

    fn alternative(&self, place: usize, number: usize) -> Option<Edit> {
        let group = self.groups.get(place)?;
        // Values are tried in decimal only: a prefix that could go is gone by now.
        let first = group.first().filter(|first| first.is_decimal())?;
        let digits = self.text.get(first.digits.clone())?;
        let value = smaller_values(digits).into_iter().nth(number)?;
        Some(rewritten(
            self.base,
            group.iter().map(|number| number.digits.clone()),
            &value,
        ))
    }
}

/// Numbers at which programs change their minds, in no order.
const THRESHOLDS: [u64; 22] = [
    2,
    16,
    32,
    64,
    127,
    128,
    255,
    256,
    1_024,
    4_096,
    32_767,
    32_768,
    65_535,
    65_536,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 32,
    1 << 53,
    (1 << 53) + 1,
    1 << 63,
    u64::MAX,
];

/// Smaller values than these digits say, upwards. Without 0, which has been tried.
fn smaller_values(digits: &[u8]) -> Vec<Vec<u8>> {
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    let digits = digits.get(zeros..).unwrap_or_default();
    // Thousands of digits are not a value any more; the digits themselves are left to others.
    let longest = digits.len().min(40);
    let mut values: Vec<Vec<u8>> = if digits.len() == 1 {
        (b'1'..=b'9').map(|digit| vec![digit]).collect()
    } else {
        let least = |length: usize| (10u128.pow(length as u32 - 1)).to_string().into_bytes();
        (1..=longest.min(38))
            .flat_map(|length| [least(length), vec![b'9'; length]])
            .collect()
    };
    values.extend(
        THRESHOLDS
            .iter()
            .map(|threshold| threshold.to_string().into_bytes()),
    );
    values.retain(|value| compare(value, digits).is_lt());
    values.sort_by(|left, right| compare(left, right));
    values.dedup();
    values
}

/// As numbers; neither begins with 0.
fn compare(left: &[u8], right: &[u8]) -> Ordering {
    left.len().cmp(&right.len()).then_with(|| left.cmp(right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{proposals, reduce_with, survives_odd_texts};

    fn shown(digits: &str) -> Vec<String> {
        let values = smaller_values(digits.as_bytes()).into_iter();
        values
            .map(|value| String::from_utf8(value).unwrap())
            .collect()
    }

    #[test]
    fn values_go_upwards_through_round_numbers() {
        assert_eq!(shown("4"), ["1", "2", "3"]);
        assert_eq!(shown("33"), ["1", "2", "9", "10", "16", "32"]);
        assert_eq!(
            shown("00130"),
            [
                "1", "2", "9", "10", "16", "32", "64", "99", "100", "127", "128"
            ]
        );
        assert!(shown("0").is_empty() && shown("1").is_empty());
        assert!(shown(&"7".repeat(5_000)).len() < 110);
    }

    #[test]
    fn literals_are_taken_apart() {
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
    fn all_numbers_become_zero_where_they_do_not_matter() {
        let text = b"a[0x10UL] = 77 + 77; \xff\0 x9";
        assert_eq!(
            reduce_with(&Integers::default(), text, |_| true),
            b"a[0] = 0 + 0; \xff\0 x9"
        );
    }

    #[test]
    fn equal_numbers_go_together() {
        let same = |text: &[u8]| {
            let text = std::str::from_utf8(text).unwrap();
            let (left, right) = text.split_once('=').unwrap();
            left == right && left.parse::<u32>().is_ok_and(|value| value >= 100)
        };
        assert_eq!(
            reduce_with(&Integers::default(), b"4711=4711", same),
            b"100=100"
        );
    }

    #[test]
    fn the_threshold_is_found() {
        let above = |text: &[u8]| {
            std::str::from_utf8(text)
                .unwrap()
                .parse::<u128>()
                .is_ok_and(|value| value > 1 << 53)
        };
        assert_eq!(
            reduce_with(&Integers::default(), b"99887766554433221100", above),
            b"9007199254740993"
        );
    }

    #[test]
    fn texts_without_numbers_give_nothing() {
        assert!(proposals(&Integers::default(), b"").is_empty());
        assert!(proposals(&Integers::default(), b"x86 \xff1").is_empty());
    }

    #[test]
    fn odd_texts_are_no_trouble() {
        survives_odd_texts(&Integers::default());
    }
}
