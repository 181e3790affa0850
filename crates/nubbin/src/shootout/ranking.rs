//! Summaries of the scores.

use super::algorithms::BenchmarkAlgorithm;
use super::benchmark::{Score, Scores};
use super::cases::Case;
use super::grammars::Subject;
use super::task::Task;
use serde::Serialize;
use std::collections::BTreeMap;

/// The mean scores of one algorithm over all tasks.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Ranked {
    pub(super) algorithm: String,
    pub(super) family: &'static str,
    /// The mean number of tests of a reduction.
    pub(super) tests: f64,
    /// The median number of tests of a reduction.
    pub(super) median_tests: f64,
    /// The mean remaining part of the input, in percent.
    pub(super) left: f64,
    /// The percentage of tasks in which no algorithm had a smaller result.
    pub(super) smallest: f64,
    /// The percentage of tests whose candidate was not valid.
    pub(super) unresolved: f64,
    /// The number of reductions that were stopped at a limit.
    pub(super) incomplete: usize,
}

/// The ranking of the algorithms on the tasks with one property.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Group {
    /// The name of the property: `grammar`, `size`, …
    pub(super) by: &'static str,
    pub(super) value: String,
    pub(super) tasks: usize,
    /// The algorithms in the order of their results, smallest first, then of their tests.
    pub(super) best: Vec<Place>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Place {
    pub(super) algorithm: String,
    pub(super) left: f64,
    pub(super) tests: f64,
}

/// The growth of the number of tests with the size of the input.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Growth {
    pub(super) algorithm: String,
    /// Sizes of inputs with the mean number of tests.
    pub(super) points: Vec<(u64, f64)>,
}

/// Returns all algorithms, smallest mean result first.
pub(super) fn ranking(algorithms: &[BenchmarkAlgorithm], scores: &Scores) -> Vec<Ranked> {
    let mut all: Vec<Ranked> = algorithms
        .iter()
        .enumerate()
        .map(|(at, algorithm)| {
            let own: Vec<Score> = scores.by_task.iter().map(|row| row[at]).collect();
            let mut tests: Vec<u64> = own.iter().map(|score| score.tests).collect();
            tests.sort_unstable();
            let smallest = scores.by_task.iter().filter(|row| {
                let least = row.iter().map(|score| score.after).min();
                least == Some(row[at].after)
            });
            let asked: u64 = tests.iter().sum();
            let unresolved: u64 = own.iter().map(|score| score.unresolved).sum();
            Ranked {
                algorithm: algorithm.name.clone(),
                family: algorithm.family.word(),
                tests: mean(own.iter().map(|score| score.tests as f64)),
                median_tests: tests.get(tests.len() / 2).copied().unwrap_or(0) as f64,
                left: 100.0 * mean(own.iter().map(Score::left)),
                smallest: 100.0 * smallest.count() as f64 / own.len().max(1) as f64,
                unresolved: 100.0 * unresolved as f64 / asked.max(1) as f64,
                incomplete: own.iter().filter(|score| !score.complete).count(),
            }
        })
        .collect();
    all.sort_by(|a, b| a.left.total_cmp(&b.left).then(a.tests.total_cmp(&b.tests)));
    all
}

/// The key by which tasks are grouped: the position of the property, its name, the position of the
/// value, and the value.
type Key = (usize, &'static str, usize, String);

/// Returns a function that divides values into the lowest third, the middle, and the highest.
fn thirds(values: Vec<f64>) -> impl Fn(f64) -> usize {
    let mut sorted = values;
    sorted.sort_by(f64::total_cmp);
    let at = |part: usize| sorted.get(sorted.len() * part / 3).copied().unwrap_or(0.0);
    let (low, high) = (at(1), at(2));
    move |value: f64| match value {
        v if v < low => 0,
        v if v < high => 1,
        _ => 2,
    }
}

/// Groups the tasks with generated inputs by their properties, and ranks the algorithms in each.
pub(super) fn groups(
    subjects: &[Subject],
    tasks: &[Task],
    algorithms: &[BenchmarkAlgorithm],
    scores: &Scores,
) -> Vec<Group> {
    let of_ddmin = algorithms
        .iter()
        .position(|algorithm| algorithm.name == "ddmin");
    let validity = |task: usize| {
        let score = scores.by_task[task][of_ddmin.unwrap_or(0)];
        1.0 - score.unresolved as f64 / score.tests.max(1) as f64
    };
    let depth = thirds(
        tasks
            .iter()
            .map(|task| f64::from(task.circumstances.depth))
            .collect(),
    );
    // The distance is only defined for two or more symbols.
    let several = |task: &&Task| task.circumstances.needed > 1;
    let apart = tasks.iter().filter(several);
    let spread = thirds(apart.map(|task| task.circumstances.spread).collect());
    let valid = thirds((0..tasks.len()).map(validity).collect());
    let mut groups: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (at, task) in tasks.iter().enumerate() {
        let what = &task.circumstances;
        let (depth, spread, valid) = (
            depth(what.depth.into()),
            spread(what.spread),
            valid(validity(at)),
        );
        let name = |word: [&str; 3], third: usize| word[third].to_owned();
        let needed = match what.needed {
            0 => "parentheses (Fuzzing Book)".to_owned(),
            n => n.to_string(),
        };
        for key in [
            (
                0,
                "grammar",
                task.subject,
                subjects[task.subject].name.to_owned(),
            ),
            (1, "bytes", what.size as usize, what.size.to_string()),
            (2, "symbols to keep", what.needed, needed),
            (
                3,
                "tree depth",
                depth,
                name(["flat", "between", "deep"], depth),
            ),
            (
                4,
                "symbol distance",
                spread,
                name(["near", "between", "far"], spread),
            ),
            (
                5,
                "valid candidates of ddmin",
                valid,
                name(["few", "some", "most"], valid),
            ),
        ] {
            if key.1 != "symbol distance" || several(&task) {
                groups.entry(key).or_default().push(at);
            }
        }
    }
    grouped(groups, algorithms, scores, 10.0)
}

/// Groups the real cases by their properties, and ranks the algorithms in each.
pub(super) fn groups_of_cases(
    cases: &[Case],
    algorithms: &[BenchmarkAlgorithm],
    scores: &Scores,
) -> Vec<Group> {
    let mut groups: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (at, case) in cases.iter().enumerate() {
        let language = (0, "language", 0, case.language.clone());
        groups.entry(language).or_default().push(at);
        let name = (1, "case", at, case.name.clone());
        groups.entry(name).or_default().push(at);
    }
    // A difference of one byte in a long input counts.
    grouped(groups, algorithms, scores, 1e9)
}

/// Compares remaining parts after rounding each percent to a number of steps.
fn grouped(
    groups: BTreeMap<Key, Vec<usize>>,
    algorithms: &[BenchmarkAlgorithm],
    scores: &Scores,
    steps: f64,
) -> Vec<Group> {
    groups
        .into_iter()
        .map(|((_, by, _, value), members)| Group {
            by,
            value,
            tasks: members.len(),
            best: best(algorithms, scores, &members, steps),
        })
        .collect()
}

fn best(
    algorithms: &[BenchmarkAlgorithm],
    scores: &Scores,
    tasks: &[usize],
    steps: f64,
) -> Vec<Place> {
    let mut places: Vec<Place> = algorithms
        .iter()
        .enumerate()
        .map(|(at, algorithm)| {
            let own = || tasks.iter().map(|&task| scores.by_task[task][at]);
            Place {
                algorithm: algorithm.name.clone(),
                left: 100.0 * mean(own().map(|score| score.left())),
                tests: mean(own().map(|score| score.tests as f64)),
            }
        })
        .collect();
    let shown = |left: f64| (left * steps).round() as i64;
    places.sort_by(|a, b| {
        shown(a.left)
            .cmp(&shown(b.left))
            .then(a.tests.total_cmp(&b.tests))
    });
    places
}

/// Returns the mean number of tests for each size of input.
pub(super) fn growth(
    tasks: &[Task],
    algorithms: &[BenchmarkAlgorithm],
    scores: &Scores,
) -> Vec<Growth> {
    let mut sizes: Vec<u64> = tasks.iter().map(|task| task.circumstances.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    algorithms
        .iter()
        .enumerate()
        .map(|(at, algorithm)| Growth {
            algorithm: algorithm.name.clone(),
            points: sizes
                .iter()
                .map(|&size| {
                    let own = tasks.iter().zip(&scores.by_task);
                    let own = own.filter(|(task, _)| task.circumstances.size == size);
                    (size, mean(own.map(|(_, row)| row[at].tests as f64)))
                })
                .collect(),
        })
        .collect()
}

/// Formats a percentage with enough digits to distinguish small values.
pub(super) fn percent(part: f64) -> String {
    if part == 0.0 || part >= 1.0 {
        format!("{part:.1}")
    } else {
        format!("{part:.3}")
    }
}

pub(super) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count.max(1))
}
