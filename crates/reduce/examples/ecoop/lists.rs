//! Problems on lists of numbers.
#![expect(clippy::ptr_arg, reason = "as functions of what is generated")]

use nubbin_generate::Choices;

const NO_END: u32 = u32::MAX;

/// A list of any integers.
pub(super) fn integers(choices: &mut Choices) -> Vec<i64> {
    choices.list(0..=NO_END, Choices::any_integer)
}

/// reverse: a list is not its reverse.
pub(super) fn not_its_reverse(list: &Vec<i64>) -> bool {
    list.iter().ne(list.iter().rev())
}

/// distinct: three different integers.
pub(super) fn three_distinct(list: &Vec<i64>) -> bool {
    let mut distinct = list.clone();
    distinct.sort_unstable();
    distinct.dedup();
    distinct.len() >= 3
}

/// A list and a place in it.
pub(super) fn and_index(choices: &mut Choices) -> (Vec<i64>, i64) {
    (integers(choices), choices.integer(0..=10))
}

/// deletion: the element at the place is still there when it is removed once.
pub(super) fn still_there((list, index): &(Vec<i64>, i64)) -> bool {
    let at = list.get(*index as usize);
    at.is_some_and(|at| list.iter().filter(|other| *other == at).count() > 1)
}

/// Small numbers.
pub(super) fn indices(choices: &mut Choices) -> Vec<i64> {
    choices.list(0..=NO_END, |choices| choices.integer(0..=10))
}

/// coupling: of numbers that are all places in the list, two point at each other.
pub(super) fn coupled(list: &Vec<i64>) -> bool {
    list.iter().all(|&index| (index as usize) < list.len())
        && (list.iter().enumerate())
            .any(|(from, &to)| to != from as i64 && list[to as usize] == from as i64)
}

/// Lists of nothing.
pub(super) fn nested(choices: &mut Choices) -> Vec<Vec<()>> {
    choices.list(0..=NO_END, |choices| choices.list(0..=NO_END, |_| ()))
}

/// nestedlists: more than ten elements in all.
pub(super) fn over_ten(lists: &Vec<Vec<()>>) -> bool {
    lists.iter().map(Vec::len).sum::<usize>() > 10
}

/// A number and factors.
pub(super) fn factors(choices: &mut Choices) -> (i64, Vec<i64>) {
    let number = choices.integer(0..=1_000_000);
    (
        number,
        choices.list(0..=NO_END, |choices| choices.integer(2..=10)),
    )
}

/// replacement: the product is at least a million.
pub(super) fn million((number, factors): &(i64, Vec<i64>)) -> bool {
    let product = factors
        .iter()
        .fold(i128::from(*number), |product, &factor| {
            product.saturating_mul(i128::from(factor))
        });
    product >= 1_000_000
}

/// Five lists of at most one 16-bit number each, below 256.
pub(super) fn bound5(choices: &mut Choices) -> [Vec<i16>; 5] {
    let sixteen = |choices: &mut Choices| choices.integer(i16::MIN.into()..=i16::MAX.into()) as i16;
    std::array::from_fn(|_| {
        let list = |choices: &mut Choices| choices.list(0..=1, sixteen);
        let below = |list: &Vec<i16>| list.iter().copied().map(i32::from).sum::<i32>() < 256;
        choices.filter(list, below).unwrap_or_default()
    })
}

/// bound5: all together are at least five times as much, by overflow.
pub(super) fn overflows(lists: &[Vec<i16>; 5]) -> bool {
    let sum = lists
        .iter()
        .flatten()
        .fold(0i16, |sum, &number| sum.wrapping_add(number));
    sum >= 5 * 256
}

pub(super) fn numbers(lists: &[Vec<i16>; 5]) -> usize {
    lists.iter().map(Vec::len).sum()
}
