use super::integers::{Number, equal_numbers, numbers, rewritten};
use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{
    Alternatives, Chain, Context, Pass, PassInfo, Places, Proposals, Work, all_or_some,
};
use std::cmp::Ordering;
use std::sync::Arc;

/// Replaces integers in a text with the shortest number that keeps the failure.
///
/// For numbers that cannot be 0, see [`Integers`](crate::Integers). The steps:
///
/// 1. number by number, equal numbers first together and then alone: upwards through 1, the least
///    and the greatest number of 1 to 4, 6, 8, 12, 16, 24, and 32 digits, and the usual limits in
///    programs (127, 255, 65535, 2^31, 2^53 and so on), until one keeps the failure; only in texts
///    with up to [`IntegerValues::most_values`] numbers;
/// 2. digit by digit to `0`, or `1` where it leads.
///
/// Up to 20 tests for a number of four digits that must stay, about 60 for one of 20 digits. The
/// pass deletes nothing, so it belongs after the passes that delete. Numbers are handled as text,
/// so there is no largest one.
///
/// Source: the integer passes of Shrink Ray and Hypothesis (MacIver), which bisect the value.
/// Going upwards instead needs one success, and the round numbers find thresholds that a
/// bisection over noise misses; groups of equal numbers after T-Rec (Xu et al. 2024).
///
/// ```
/// use nubbin_reduce::pass::{IntegerValues, preview};
///
/// assert_eq!(preview(&IntegerValues::default(), b"f(33)", 3), ["f(1)", "f(2)", "f(9)"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct IntegerValues {
    /// The maximum number of integers in a text for which values between 0 and the old value are
    /// tried.
    pub most_values: usize,
}

impl Default for IntegerValues {
    fn default() -> Self {
        IntegerValues { most_values: 400 }
    }
}

impl Pass for IntegerValues {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "integer-values",
            "replaces integers with shorter and with rounder ones",
            "Shrink Ray, Hypothesis (MacIver); T-Rec (Xu et al. 2024)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let numbers = numbers(file.text);
        let mut works = vec![];
        if numbers.len() <= self.most_values {
            let equal = equal_numbers(file.text, &numbers);
            let values = |groups: Vec<Vec<Number>>| {
                let values = Values {
                    base: file.span.start,
                    text: file.text.into(),
                    groups,
                };
                Work::Machine(Box::new(Alternatives::new(values).together()))
            };
            let repeated = equal.iter().filter(|group| group.len() > 1);
            let each = repeated.flatten().map(|number| vec![number.clone()]);
            let each = each.collect();
            works.extend([values(equal), values(each)]);
        }
        works.push(all_or_some(Proposals::new(digits_to_zero(file, &numbers))));
        Chain::work(works, context.lists).filter(|_| !numbers.is_empty())
    }
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

/// Groups of equal numbers, to be replaced with smaller values.
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
        // Values are only tried in decimal, since `Integers` has removed other prefixes.
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
    // Thousands of digits are not treated as a value. Other passes reduce the digits.
    let longest = digits.len().min(40);
    let mut values: Vec<Vec<u8>> = if digits.len() == 1 {
        (b'1'..=b'9').map(|digit| vec![digit]).collect()
    } else {
        let least = |length: usize| (10u128.pow(length as u32 - 1)).to_string().into_bytes();
        // `Integers` has removed unneeded digits, so only a few lengths are worth a test each.
        let few = (1..=4).chain([6, 8, 12, 16, 24, 32]);
        few.filter(|&length| length <= longest)
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

/// Compares two texts of digits as numbers. Neither begins with 0.
fn compare(left: &[u8], right: &[u8]) -> Ordering {
    left.len().cmp(&right.len()).then_with(|| left.cmp(right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    fn shown(digits: &str) -> Vec<String> {
        let values = smaller_values(digits.as_bytes()).into_iter();
        values
            .map(|value| String::from_utf8(value).unwrap())
            .collect()
    }

    #[test]
    fn values_are_proposed_upwards_through_round_numbers() {
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
    fn equal_numbers_are_replaced_together() {
        let same = |text: &[u8]| {
            let text = std::str::from_utf8(text).unwrap();
            let (left, right) = text.split_once('=').unwrap();
            left == right && left.parse::<u32>().is_ok_and(|value| value >= 100)
        };
        assert_eq!(
            reduce_with(&IntegerValues::default(), b"4711=4711", same),
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
            reduce_with(&IntegerValues::default(), b"99887766554433221100", above),
            b"9007199254740993"
        );
    }

    #[test]
    fn texts_without_numbers_give_nothing() {
        assert!(proposals(&IntegerValues::default(), b"x86 \xff1").is_empty());
    }
}
