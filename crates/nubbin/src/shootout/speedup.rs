//! The speedup with more workers, in simulated time.

use super::algorithms::{BenchmarkAlgorithm, Family};
use super::benchmark;
use super::grammars::Subject;
use super::task::Task;
use serde::Serialize;

/// The numbers of workers that are simulated.
pub(super) const WORKERS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// The number of tasks that are simulated.
const TASKS: usize = 24;

/// The speedup over one worker, for each of [`WORKERS`].
#[derive(Clone, Debug, Serialize)]
pub(super) struct Speedup {
    pub(super) algorithm: String,
    pub(super) faster: Vec<f64>,
}

/// Simulates some algorithms on the tasks with the longest inputs.
pub(super) fn speedups(
    subjects: &[Subject],
    tasks: &[Task],
    algorithms: &[BenchmarkAlgorithm],
) -> Vec<Speedup> {
    let mut longest: Vec<&Task> = tasks.iter().collect();
    longest.sort_by_key(|task| std::cmp::Reverse(task.text.len()));
    longest.truncate(TASKS);
    let shown = |algorithm: &&BenchmarkAlgorithm| {
        const LISTS: [&str; 4] = ["ddmin", "sweep", "probdd", "chunk-halving"];
        let name = algorithm.name.as_str();
        match algorithm.family {
            Family::List => LISTS.contains(&name),
            Family::Tree => ["hdd", "perses", "grabr"].contains(&name),
            Family::Default => true,
        }
    };
    algorithms
        .iter()
        .filter(shown)
        .map(|algorithm| {
            let seconds = |workers: usize| -> f64 {
                let times = longest.iter().map(|task| {
                    benchmark::run(algorithm, &subjects[task.subject], task, Some(workers)).1
                });
                times.map(|time| time.as_secs_f64()).sum()
            };
            let alone = seconds(1);
            Speedup {
                algorithm: algorithm.name.clone(),
                faster: WORKERS
                    .map(|workers| alone / seconds(workers).max(1e-9))
                    .to_vec(),
            }
        })
        .collect()
}
