//! Tests that the three orders of *dd* take on synthetic differences, and how much they leave: the
//! figures in the documentation of `Dd`.
//!
//! `cargo run --release -p nubbin-reduce --example isolate`
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use nubbin_reduce::isolate::{Answer, ChangeSet, Dd, DdOrder};
use nubbin_reduce::random::SplitMix64;
use std::collections::HashMap;

const SEEDS: u64 = 200;

/// One change is to blame; of some pairs, one without the other is not a valid input.
struct Model {
    blame: u32,
    pairs: Vec<(u32, u32)>,
}

impl Model {
    fn new(changes: u32, pairs: u32, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let mut order: Vec<u32> = (0..changes).collect();
        for i in (1..changes).rev() {
            order.swap(i as usize, random.below(u64::from(i) + 1) as usize);
        }
        let (pairs, _) = order[..2 * pairs as usize].as_chunks::<2>();
        Model {
            blame: random.below(u64::from(changes)) as u32,
            pairs: pairs.iter().map(|&[one, other]| (one, other)).collect(),
        }
    }

    fn answer(&self, changes: &ChangeSet) -> Answer {
        let split = |&(one, other): &(u32, u32)| changes.contains(one) != changes.contains(other);
        if self.pairs.iter().any(split) {
            Answer::Unresolved
        } else if changes.contains(self.blame) {
            Answer::Fail
        } else {
            Answer::Pass
        }
    }
}

/// Different tests, and changes left.
fn isolate(model: &Model, changes: u32, order: DdOrder) -> (u32, u32) {
    let mut dd = Dd::new(changes, order);
    // Both ends are known beforehand.
    let mut known = HashMap::from([
        (vec![], Answer::Pass),
        ((0..changes).collect(), Answer::Fail),
    ]);
    while let Some(asked) = dd.next() {
        let key: Vec<u32> = asked.iter().collect();
        let answer = *known.entry(key).or_insert_with(|| model.answer(&asked));
        dd.record(answer);
    }
    (known.len() as u32 - 2, dd.left().iter().count() as u32)
}

fn main() {
    println!("| difference | order | tests | changes left |\n|---|---|--:|--:|");
    for (changes, pairs) in [(100, 0), (1000, 0), (100, 10), (300, 40)] {
        for order in DdOrder::ALL {
            let (mut tests, mut left) = (0, 0);
            for seed in 0..SEEDS {
                let model = Model::new(changes, pairs, seed);
                let (asked, remaining) = isolate(&model, changes, order);
                tests += asked;
                left += remaining;
            }
            let mean = |sum: u32| f64::from(sum) / SEEDS as f64;
            println!(
                "| 1 of {changes}, {pairs} pairs | `{}` | {:.1} | {:.1} |",
                order.id(),
                mean(tests),
                mean(left)
            );
        }
    }
}
