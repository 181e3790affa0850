use super::*;
use proptest::prelude::*;
use std::collections::HashMap;

/// Returns each test as a line: the changes and the answer (`+` fails, `.` passes, `?` is
/// unresolved).
fn log(order: DdOrder, n: u32, test: impl Fn(&ChangeSet) -> Answer) -> (Vec<String>, Dd) {
    let mut dd = Dd::new(n, order);
    let mut known = HashMap::from([
        (ChangeSet::none(), Answer::Pass),
        (ChangeSet::all(n), Answer::Fail),
    ]);
    let mut log = vec![];
    while let Some(changes) = dd.next() {
        assert_eq!(
            dd.next().as_ref(),
            Some(&changes),
            "asking again changes nothing"
        );
        let answer = *known.entry(changes).or_insert_with_key(|changes| {
            let answer = test(changes);
            let numbers: Vec<String> = changes.iter().map(|n| (n + 1).to_string()).collect();
            let sign = match answer {
                Answer::Fail => '+',
                Answer::Pass => '.',
                Answer::Unresolved => '?',
            };
            log.push(format!("{sign} {}", numbers.join(" ")));
            answer
        });
        dd.record(answer);
    }
    assert_eq!(dd.next(), None);
    (log, dd)
}

fn fails_if(fails: bool) -> Answer {
    if fails { Answer::Fail } else { Answer::Pass }
}

/// The expected tests follow by hand from the definition in the paper. Changes count from 1.
#[test]
fn one_change_to_blame_is_found_in_the_order_of_the_paper() {
    let (log, dd) = log(DdOrder::Paper, 8, |c| fails_if(c.contains(6)));
    assert_eq!(
        log,
        [
            ". 1 2 3 4", // with the first half: passes
            "+ 5 6 7 8", // with the second: reduce to subset
            ". 5 6",     // halves of the rest
            "+ 7 8",     //
            "+ 7",       // the first half at once
        ]
    );
    assert_eq!(dd.left().iter().collect::<Vec<_>>(), [6]);
    assert!(dd.passing().is_empty());
}

#[test]
fn two_dependent_changes_are_found_in_the_order_of_the_paper() {
    let (log, dd) = log(DdOrder::Paper, 4, |c| {
        fails_if(c.contains(0) && c.contains(3))
    });
    assert_eq!(
        log,
        [
            ". 1 2",   // neither half fails ...
            ". 3 4",   // ... so the complement of the first, the second half, is made
            "+ 1 3 4", // and the first of the rest on top of it: reduce to subset
        ]
    );
    assert_eq!(dd.passing().iter().collect::<Vec<_>>(), [2, 3]);
    assert_eq!(dd.left().iter().collect::<Vec<_>>(), [0]);
}

/// The changes 2, 4, and 6 depend on each other, so any test with some but not all of them is
/// unresolved. All three cause the failure.
#[test]
fn unresolved_tests_follow_the_order_of_the_paper() {
    let (log, dd) = log(DdOrder::Paper, 6, |c| {
        match [1, 3, 5].iter().filter(|&&n| c.contains(n)).count() {
            0 => Answer::Pass,
            3 => Answer::Fail,
            _ => Answer::Unresolved,
        }
    });
    assert_eq!(
        log,
        [
            "? 1 2 3",     // halves, each the complement of the other
            "? 4 5 6",     //
            ". 1",         // four parts: 1 | 2 | 3 4 | 5 6
            "? 2",         //
            "? 3 4",       //
            "? 5 6",       //
            "+ 2 3 4 5 6", // without 1 it fails, but that is only the fourth case
            "? 1 3 4 5 6", //
            "? 1 2 5 6",   //
            "? 1 2 3 4",   // third case: 1 is made, three parts of 2 3 4 5 6
            "? 1 2",       // 2 | 3 4 | 5 6
            "? 1 3 4",     //
            "? 1 5 6",     // the complements are known: five parts
            ". 1 3",       //
            "? 1 4",       //
            ". 1 5",       //
            "? 1 6",       //
            "+ 1 2 4 5 6", // fourth case again, but the third comes first: 3 is made
            "? 1 2 3 5 6", //
            "+ 1 2 3 4 6", //
            "? 1 2 3 4 5", //
            ". 1 3 5",     // 2 | 4 | 5 | 6: the others are known, 5 is made
            "? 1 3 6",     //
            "? 1 2 3 5",   // 2 | 4 | 6, without a result
            "? 1 3 4 5",   //
            "? 1 3 5 6",   //
        ]
    );
    assert_eq!(dd.left().iter().collect::<Vec<_>>(), [1, 3, 5]);
}

#[test]
fn the_first_resolved_answer_is_acted_on() {
    let (log, _) = log(DdOrder::Eager, 8, |c| fails_if(c.contains(6)));
    assert_eq!(log, [". 1 2 3 4", ". 1 2 3 4 5 6", "+ 1 2 3 4 5 6 7"]);
}

#[test]
fn the_book_asks_both_questions_of_a_part() {
    let (log, dd) = log(DdOrder::Book, 8, |c| fails_if(c.contains(6)));
    assert_eq!(
        log,
        [
            ". 1 2 3 4", // with the first half: passes
            "+ 5 6 7 8", // without it: reduce to complement, go on with the first
            ". 5 6",     //
            "+ 7 8",     //
            "+ 7",       //
        ]
    );
    assert_eq!(dd.left().iter().collect::<Vec<_>>(), [6]);
}

/// A test that depends on some changes only.
#[derive(Clone, Debug)]
struct Test {
    /// The test fails if the set has all these changes, and all or none of the changes of each
    /// group.
    to_blame: Vec<u32>,
    /// The test is unresolved if the set has only a part of a group.
    together: Vec<Vec<u32>>,
    /// Any other set is unresolved in one of this many cases, by a hash.
    odd: u64,
}

impl Test {
    fn answer(&self, n: u32, changes: &ChangeSet) -> Answer {
        if changes.is_empty() {
            return Answer::Pass;
        }
        if changes.len() == n {
            return Answer::Fail;
        }
        let broken = |group: &Vec<u32>| {
            let with = group.iter().filter(|&&c| changes.contains(c)).count();
            with != 0 && with != group.len()
        };
        let hash = changes.iter().fold(self.odd, |hash, c| {
            (hash ^ u64::from(c))
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(17)
        });
        if self.together.iter().any(broken) || (self.odd > 1 && hash % self.odd == 0) {
            return Answer::Unresolved;
        }
        fails_if(self.to_blame.iter().all(|&c| changes.contains(c)))
    }
}

fn test(n: u32) -> impl Strategy<Value = Test> {
    let some = move |most| proptest::collection::vec(0..n, 1..most);
    (some(4), proptest::collection::vec(some(5), 0..3), 0u64..4).prop_map(
        |(to_blame, together, odd)| Test {
            to_blame,
            together,
            odd,
        },
    )
}

fn case() -> impl Strategy<Value = (u32, Test)> {
    (1u32..40).prop_flat_map(|n| (Just(n), test(n)))
}

proptest! {
    #[test]
    fn one_side_passes_one_fails_and_the_difference_is_minimal((n, test) in case()) {
        for order in DdOrder::ALL {
            let (log, dd) = log(order, n, |changes| test.answer(n, changes));
            prop_assert_eq!(test.answer(n, dd.passing()), Answer::Pass);
            prop_assert_eq!(test.answer(n, dd.failing()), Answer::Fail);
            prop_assert!(dd.passing().is_subset(dd.failing()));
            prop_assert_eq!(&dd.failing().minus(dd.passing()), dd.left());
            if dd.left().len() > 1 {
                for change in 0..dd.left().len() {
                    let one = dd.left().part(change..change + 1);
                    let more = test.answer(n, &dd.passing().union(&one));
                    let less = test.answer(n, &dd.failing().minus(&one));
                    prop_assert_ne!(more, Answer::Pass, "{} {:?}", order, dd);
                    prop_assert_ne!(less, Answer::Fail, "{} {:?}", order, dd);
                }
            }
            let worst = u64::from(n) * u64::from(n) + 3 * u64::from(n);
            prop_assert!(log.len() as u64 <= worst, "{} tests for {n} changes", log.len());
        }
    }

    #[test]
    fn a_single_change_is_found_in_logarithmic_time(n in 1u32..5000, at in any::<u32>()) {
        let culprit = at % n;
        let halvings = n.next_power_of_two().ilog2() as usize;
        for order in DdOrder::ALL {
            let (log, dd) = log(order, n, |changes| fails_if(changes.contains(culprit)));
            prop_assert_eq!(dd.left(), &ChangeSet::all(n).part(culprit..culprit + 1));
            let most = if order == DdOrder::Eager { halvings } else { 2 * halvings };
            prop_assert!(log.len() <= most, "{}: {} tests for {n}", order, log.len());
        }
    }

    /// An answer to a fork does not change the machine.
    #[test]
    fn a_fork_makes_the_same_tests((n, test) in case(), after in 0usize..20) {
        for order in DdOrder::ALL {
            let mut dd = Dd::new(n, order);
            for _ in 0..after {
                let Some(changes) = dd.next() else { break };
                dd.record(test.answer(n, &changes));
            }
            let mut fork = dd.fork();
            fork.record(Answer::Fail);
            let mut other = dd.fork();
            prop_assert_eq!(other.next(), dd.next());
            while let Some(changes) = other.next() {
                prop_assert_eq!(dd.next(), Some(changes.clone()));
                let answer = test.answer(n, &changes);
                dd.record(answer);
                other.record(answer);
            }
            prop_assert_eq!(dd.next(), None);
        }
    }
}
