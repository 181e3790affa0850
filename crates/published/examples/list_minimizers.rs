//! Tests to 1-minimality of every list minimizer on synthetic lists: the table of
//! `notes/data/list-minimizers.md`.
//!
//! `cargo run --release -p nubbin-reduce --example minimizers`, with algorithms as arguments to
//! compare others than the default choice.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use nubbin_reduce::list_minimizer::{self, ListShape, MinimizerChoice};
use nubbin_reduce::random::SplitMix64;
use std::collections::HashSet;
use std::error::Error;
use std::sync::Arc;

const N: u32 = 1000;
const SEEDS: u64 = 20;

/// A list, and its needed elements.
struct Model {
    /// By element: the elements without which it may not stand.
    needs: Vec<Vec<u32>>,
    core: Vec<u32>,
    weights: Option<Arc<[u32]>>,
}

impl Model {
    fn fails(&self, kept: &[u32], present: &mut Vec<bool>) -> bool {
        present.clear();
        present.resize(N as usize, false);
        kept.iter().for_each(|&e| present[e as usize] = true);
        let has = |e: &u32| present[*e as usize];
        self.core.iter().all(has) && kept.iter().all(|&e| self.needs[e as usize].iter().all(has))
    }

    /// The same list in another order: element `e` moves to `to[e]`.
    fn moved(self, to: &[u32]) -> Self {
        let mut needs = vec![vec![]; N as usize];
        for (element, its) in self.needs.iter().enumerate() {
            needs[to[element] as usize] = its.iter().map(|&e| to[e as usize]).collect();
        }
        let core = self.core.iter().map(|&e| to[e as usize]).collect();
        Model {
            needs,
            core,
            weights: self.weights,
        }
    }

    fn shape(&self) -> ListShape {
        ListShape {
            len: N,
            weights: self.weights.clone(),
            seed: 1,
        }
    }
}

/// Random numbers from a seed, so that the table can be made again anywhere.
struct Random(SplitMix64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0.next()
    }

    fn below(&mut self, n: u32) -> u32 {
        (self.word() % u64::from(n)) as u32
    }

    fn order(&mut self, n: u32) -> Vec<u32> {
        let mut order: Vec<u32> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i as usize, self.below(i + 1) as usize);
        }
        order
    }
}

fn independent(random: &mut Random, k: usize) -> Model {
    let core = random.order(N)[..k].to_vec();
    Model {
        needs: vec![vec![]; N as usize],
        core,
        weights: None,
    }
}

/// Fifty needed elements in five runs of ten.
fn clusters(random: &mut Random) -> Model {
    let starts = random.order(N / 10);
    let core = starts[..5]
        .iter()
        .flat_map(|start| start * 10..start * 10 + 10)
        .collect();
    Model {
        needs: vec![vec![]; N as usize],
        core,
        weights: None,
    }
}

/// Each element needs none, one, one or two of the sixty before it; 32 to 40 must stay.
fn definition_use(random: &mut Random) -> Model {
    loop {
        let needs: Vec<Vec<u32>> = (0..N)
            .map(|element| {
                let count = [0, 1, 1, 2][random.below(4) as usize];
                let reach = element.min(60);
                let mut one = || element - 1 - random.below(reach);
                (0..count).filter(|_| reach > 0).map(|_| one()).collect()
            })
            .collect();
        let mut core: HashSet<u32> = HashSet::new();
        let mut open: Vec<u32> = (0..3).map(|_| random.below(N)).collect();
        while let Some(element) = open.pop() {
            if core.insert(element) {
                open.extend(&needs[element as usize]);
            }
        }
        if (32..=40).contains(&core.len()) {
            let mut core: Vec<u32> = core.into_iter().collect();
            core.sort_unstable();
            return Model {
                needs,
                core,
                weights: None,
            };
        }
    }
}

/// Weights of 1 / rank, twenty needed elements anywhere.
fn skewed(random: &mut Random) -> Model {
    let ranks = random.order(N);
    let weights = ranks.iter().map(|rank| 20_000 / (rank + 1)).collect();
    Model {
        weights: Some(weights),
        ..independent(random, 20)
    }
}

fn model(name: &str, seed: u64) -> Model {
    let random = &mut Random(SplitMix64::new(seed));
    match name {
        "k=5" => independent(random, 5),
        "k=50" => independent(random, 50),
        "k=300" => independent(random, 300),
        "runs" => clusters(random),
        "def-use" => definition_use(random),
        "use-def" => {
            let to: Vec<u32> = (0..N).rev().collect();
            definition_use(random).moved(&to)
        }
        "blocks" | "blocks, use-def" => {
            let model = definition_use(random);
            let blocks = random.order(N / 100);
            let backwards = name != "blocks";
            let inside = |e: u32| if backwards { 99 - e % 100 } else { e % 100 };
            let to: Vec<u32> = (0..N)
                .map(|e| blocks[(e / 100) as usize] * 100 + inside(e))
                .collect();
            model.moved(&to)
        }
        "shuffled" => {
            let model = definition_use(random);
            let to = random.order(N);
            model.moved(&to)
        }
        _ => skewed(random),
    }
}

const MODELS: &[&str] = &[
    "k=5",
    "k=50",
    "k=300",
    "runs",
    "def-use",
    "use-def",
    "blocks",
    "blocks, use-def",
    "shuffled",
    "skewed",
];

struct Outcome {
    tests: usize,
    /// Tests until at most twice the final weight was left.
    nearly: usize,
    /// Elements left after the first run.
    first: usize,
}

/// Runs an algorithm on the remaining list until a run changes nothing; counts each list once.
fn to_the_end(choice: &MinimizerChoice, model: &Model) -> Outcome {
    let shape = model.shape();
    let mut seen: HashSet<Vec<u32>> = HashSet::new();
    let mut present = vec![];
    let mut left: Vec<u32> = (0..N).collect();
    let mut first = None;
    let mut curve = vec![];
    let weigh = |kept: &[u32]| {
        kept.iter()
            .map(|&e| u64::from(shape.weight(e)))
            .sum::<u64>()
    };
    loop {
        let weights = shape
            .weights
            .as_ref()
            .map(|w| left.iter().map(|&e| w[e as usize]).collect());
        let sub = ListShape {
            len: left.len() as u32,
            weights,
            seed: shape.seed,
        };
        let mut minimizer = choice.start(&sub);
        let kept = list_minimizer::drive(minimizer.as_mut(), sub.len, |kept| {
            let kept: Vec<u32> = kept.iter().map(|&i| left[i as usize]).collect();
            let fails = model.fails(&kept, &mut present);
            let weight = weigh(&kept);
            if seen.insert(kept) && fails {
                curve.push((seen.len(), weight));
            }
            fails
        });
        let changed = kept.len() < left.len();
        left = kept.iter().map(|&i| left[i as usize]).collect();
        first.get_or_insert(left.len());
        // One that promises a 1-minimal result is taken at its word.
        if !changed || choice.info().one_minimal {
            break;
        }
    }
    let goal = 2 * weigh(&left);
    let nearly = curve
        .iter()
        .find(|(_, weight)| *weight <= goal)
        .map_or(0, |(tests, _)| *tests);
    Outcome {
        tests: seen.len(),
        nearly,
        first: first.unwrap_or(0),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        names = nubbin_published::catalogue()
            .list_minimizers()
            .iter()
            .map(|algorithm| algorithm.info.id.to_string())
            .collect();
        for more in [
            "sweep:one-way",
            "sweep:forward",
            "chunk-halving:backward",
            "ddmin:skip-subsets",
            "ddmin:skip-subsets,continue,backward",
            "probdd:backward",
            "cdd:backward",
        ] {
            names.push(more.to_string());
        }
    }
    print!("| tests to 1-minimality |");
    MODELS.iter().for_each(|name| print!(" {name} |"));
    println!(" skewed, to 2x | def-use, first run |");
    println!("|---|{}", "--:|".repeat(MODELS.len() + 2));
    for name in names {
        let choice = nubbin_published::catalogue().list_minimizer(&name)?;
        print!("| {choice} |");
        let mut last = Outcome {
            tests: 0,
            nearly: 0,
            first: 0,
        };
        let mut first = 0;
        for model_name in MODELS {
            let mut sum = Outcome {
                tests: 0,
                nearly: 0,
                first: 0,
            };
            for seed in 0..SEEDS {
                let outcome = to_the_end(&choice, &model(model_name, seed));
                sum.tests += outcome.tests;
                sum.nearly += outcome.nearly;
                sum.first += outcome.first;
            }
            let mean = |sum: usize| (sum as f64 / SEEDS as f64).round() as usize;
            print!(" {} |", mean(sum.tests));
            if *model_name == "def-use" {
                first = mean(sum.first);
            }
            last = Outcome {
                nearly: mean(sum.nearly),
                ..sum
            };
        }
        println!(" {} | {first} |", last.nearly);
    }
    Ok(())
}
