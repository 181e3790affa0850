//! What more workers are worth, on a simulated clock.

use super::contest;
use super::contestants::{Contestant, Family};
use super::grammars::Subject;
use super::task::Task;
use serde::Serialize;

/// Numbers of workers that are tried.
pub(super) const WORKERS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Tasks that are simulated.
const TASKS: usize = 24;

/// Times faster than with one worker, for each of [`WORKERS`].
#[derive(Clone, Debug, Serialize)]
pub(super) struct Speedup {
    pub(super) algorithm: String,
    pub(super) faster: Vec<f64>,
}

/// For some contestants, on the tasks with the longest inputs.
pub(super) fn speedups(
    subjects: &[Subject],
    tasks: &[Task],
    contestants: &[Contestant],
) -> Vec<Speedup> {
    let mut longest: Vec<&Task> = tasks.iter().collect();
    longest.sort_by_key(|task| std::cmp::Reverse(task.text.len()));
    longest.truncate(TASKS);
    let shown = |contestant: &&Contestant| {
        const LISTS: [&str; 4] = ["ddmin", "sweep", "probdd", "chunk-halving"];
        let name = contestant.name.as_str();
        match contestant.family {
            Family::List => LISTS.contains(&name),
            Family::Tree => ["hdd", "perses", "grabr"].contains(&name),
            Family::Default => true,
        }
    };
    contestants
        .iter()
        .filter(shown)
        .map(|contestant| {
            let seconds = |workers: usize| -> f64 {
                let times = longest.iter().map(|task| {
                    contest::run(contestant, &subjects[task.subject], task, Some(workers)).1
                });
                times.map(|time| time.as_secs_f64()).sum()
            };
            let alone = seconds(1);
            Speedup {
                algorithm: contestant.name.clone(),
                faster: WORKERS
                    .map(|workers| alone / seconds(workers).max(1e-9))
                    .to_vec(),
            }
        })
        .collect()
}
