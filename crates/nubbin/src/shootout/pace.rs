//! How long real cases take with more workers, on a made-up clock: the verdicts are those of the
//! real tests, and workers are never in each other's way.

use super::cases::Case;
use super::contestants::Contestant;
use crate::flags::ShootoutFlags;
use nubbin_reduce::edit::Fingerprint;
use nubbin_reduce::engine::Stop;
use serde::Serialize;
use std::fmt::Write;
use std::time::Duration;

/// What most tests take, in seconds.
const USUAL: f64 = 0.2;

/// Where tests are uneven, one in so many is slow,
const RARE: u64 = 20;

/// and takes so many times as long.
const SLOW: f64 = 15.0;

/// One reduction of a case with so many workers.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Pace {
    case: String,
    algorithm: String,
    workers: usize,
    seconds: f64,
    tests: u64,
    started: u64,
    after: usize,
}

/// What the clock says of a reduction.
pub(super) struct Timed {
    pub(super) elapsed: Duration,
    pub(super) tests: u64,
    pub(super) started: u64,
    pub(super) after: usize,
}

/// Everybody on every case, with each number of workers that was asked for.
pub(super) fn paces(
    cases: &[Case],
    contestants: &[Contestant],
    args: &ShootoutFlags,
    stop: &Stop,
) -> Vec<Pace> {
    let mut paces = vec![];
    for case in cases {
        for contestant in contestants {
            for workers in args.workers.iter().copied().map(usize::from) {
                let timed = case.simulate(contestant, args, stop, workers);
                let Some(timed) = timed.filter(|_| !stop.is_requested()) else {
                    continue;
                };
                paces.push(Pace {
                    case: case.name.clone(),
                    algorithm: contestant.name.clone(),
                    workers,
                    seconds: timed.elapsed.as_secs_f64(),
                    tests: timed.tests,
                    started: timed.started,
                    after: timed.after,
                });
            }
        }
    }
    paces
}

/// The same for the same content, whoever asks.
pub(super) fn test_time(print: Fingerprint, uneven: bool) -> Duration {
    let word = print.0 as u64;
    let times = if uneven && word.is_multiple_of(RARE) {
        SLOW
    } else {
        let share = (word >> 11) as f64 / (1u64 << 53) as f64;
        0.7 + 0.6 * share
    };
    Duration::from_secs_f64(USUAL * times)
}

/// The flags that were given.
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

/// For notes and issues; nothing where nothing was simulated.
pub(super) fn markdown(paces: &[Pace]) -> String {
    let mut out = String::new();
    let Some(first) = paces.first() else {
        return out;
    };
    out += "\n| case | algorithm | workers | seconds | times faster | tests | started | bytes left |\n";
    out += "|---|---|--:|--:|--:|--:|--:|--:|\n";
    // What is compared with: the same case and algorithm with the first number of workers.
    let faster = |pace: &Pace| {
        let is_base = |other: &&Pace| {
            let same = other.case == pace.case && other.algorithm == pace.algorithm;
            same && other.workers == first.workers
        };
        let base = paces.iter().find(is_base);
        base.map_or(f64::NAN, |base| base.seconds / pace.seconds.max(1e-9))
    };
    let mut means: Vec<((String, usize), Vec<f64>)> = vec![];
    for pace in paces {
        let faster = faster(pace);
        let key = (pace.algorithm.clone(), pace.workers);
        match means.iter_mut().find(|(known, _)| *known == key) {
            Some((_, all)) => all.push(faster),
            None => means.push((key, vec![faster])),
        }
        let _ = writeln!(
            out,
            "| {} | {} | {} | {:.1} | {faster:.2} | {} | {} | {} |",
            pace.case,
            pace.algorithm,
            pace.workers,
            pace.seconds,
            pace.tests,
            pace.started,
            pace.after
        );
    }
    out += "\n| algorithm | workers | times faster, geometric mean |\n|---|--:|--:|\n";
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
    fn what_is_compared_is_the_same_case_with_the_first_number_of_workers() {
        let pace = |case: &str, workers, seconds| Pace {
            case: case.into(),
            algorithm: "auto".into(),
            workers,
            seconds,
            tests: 7,
            started: 9,
            after: 3,
        };
        let paces = [
            pace("a", 1, 10.0),
            pace("a", 4, 5.0),
            pace("b", 1, 80.0),
            pace("b", 4, 10.0),
        ];
        let text = markdown(&paces);
        assert!(
            text.contains("| a | auto | 4 | 5.0 | 2.00 | 7 | 9 | 3 |"),
            "{text}"
        );
        assert!(text.contains("| auto | 4 | 4.00 |"), "{text}");
        assert_eq!(markdown(&[]), "");
    }

    #[test]
    fn one_test_in_twenty_is_slow_where_tests_are_uneven() {
        let slow = |uneven| {
            let times = (0..1000).map(|n| test_time(Fingerprint(n << 20 | n), uneven));
            times.filter(|time| time.as_secs_f64() > 1.0).count()
        };
        assert_eq!(slow(false), 0);
        assert!((40..=60).contains(&slow(true)), "{}", slow(true));
    }
}
