//! Simulated run times of real cases with several workers. The verdicts come from the real tests.
//! Simulated workers do not compete for processors.

use super::algorithms::BenchmarkAlgorithm;
use super::cases::Case;
use crate::flags::ShootoutFlags;
use nubbin_reduce::engine::Stop;
use serde::Serialize;
use std::fmt::Write;

/// One simulated reduction of a case.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SimulatedTime {
    case: String,
    algorithm: String,
    workers: usize,
    seconds: f64,
    tests: u64,
    tests_started: u64,
    bytes_after: usize,
}

/// Simulates every algorithm on every case, with each number of workers from the command line.
pub(super) fn simulated_times(
    cases: &[Case],
    algorithms: &[BenchmarkAlgorithm],
    args: &ShootoutFlags,
    stop: &Stop,
) -> Vec<SimulatedTime> {
    let mut times = vec![];
    for case in cases {
        for algorithm in algorithms {
            for workers in args.workers.iter().copied().map(usize::from) {
                let timed = case.simulate(algorithm, args, stop, workers);
                let Some(timed) = timed.filter(|_| !stop.is_requested()) else {
                    continue;
                };
                times.push(SimulatedTime {
                    case: case.name.clone(),
                    algorithm: algorithm.name.clone(),
                    workers,
                    seconds: timed.elapsed.as_secs_f64(),
                    tests: timed.tests,
                    tests_started: timed.started,
                    bytes_after: timed.after,
                });
            }
        }
    }
    times
}

/// Formats the flags of the command line.
pub(super) fn options(args: &ShootoutFlags) -> String {
    let counts: Vec<String> = args.workers.iter().map(u16::to_string).collect();
    let mut options = match counts.is_empty() {
        true => String::new(),
        false => format!(" --workers {}", counts.join(",")),
    };
    let flags = [(" --uneven", args.uneven), (" --measured", args.measured)];
    for (flag, is_set) in flags {
        options += if is_set { flag } else { "" };
    }
    options
}

/// Formats the simulated times as Markdown. Returns an empty text if nothing was simulated.
pub(super) fn markdown(times: &[SimulatedTime]) -> String {
    let mut out = String::new();
    let Some(first) = times.first() else {
        return out;
    };
    out += "\n| case | algorithm | workers | seconds | speedup | tests | started | bytes left |\n";
    out += "|---|---|--:|--:|--:|--:|--:|--:|\n";
    // The baseline is the same case and algorithm with the smallest number of workers.
    let faster = |time: &SimulatedTime| {
        let is_base = |other: &&SimulatedTime| {
            let same = other.case == time.case && other.algorithm == time.algorithm;
            same && other.workers == first.workers
        };
        let base = times.iter().find(is_base);
        base.map_or(f64::NAN, |base| base.seconds / time.seconds.max(1e-9))
    };
    let mut means: Vec<((String, usize), Vec<f64>)> = vec![];
    for time in times {
        let faster = faster(time);
        let key = (time.algorithm.clone(), time.workers);
        match means.iter_mut().find(|(known, _)| *known == key) {
            Some((_, all)) => all.push(faster),
            None => means.push((key, vec![faster])),
        }
        let _ = writeln!(
            out,
            "| {} | {} | {} | {:.1} | {faster:.2} | {} | {} | {} |",
            time.case,
            time.algorithm,
            time.workers,
            time.seconds,
            time.tests,
            time.tests_started,
            time.bytes_after
        );
    }
    out += "\n| algorithm | workers | geometric mean of the speedups |\n|---|--:|--:|\n";
    for ((name, workers), all) in means {
        let mean = (all.iter().map(|one| one.ln()).sum::<f64>() / all.len() as f64).exp();
        let _ = writeln!(out, "| {name} | {workers} | {mean:.2} |");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_time_is_compared_with_that_of_the_first_number_of_workers() {
        let time = |case: &str, workers, seconds| SimulatedTime {
            case: case.into(),
            algorithm: "auto".into(),
            workers,
            seconds,
            tests: 7,
            tests_started: 9,
            bytes_after: 3,
        };
        let times = [
            time("a", 1, 10.0),
            time("a", 4, 5.0),
            time("b", 1, 80.0),
            time("b", 4, 10.0),
        ];
        let text = markdown(&times);
        assert!(
            text.contains("| a | auto | 4 | 5.0 | 2.00 | 7 | 9 | 3 |"),
            "{text}"
        );
        assert!(text.contains("| auto | 4 | 4.00 |"), "{text}");
        assert_eq!(markdown(&[]), "");
    }
}
