//! The worth of more workers: the tables of `notes/data/schedules.md`, from a discrete-event
//! simulation in which every test takes 200 ms, give or take 30 %.
//!
//! `cargo run --release -p nubbin-reduce --example schedules`
//!
//! The engine is the real one, on a clock of its own. The other rows are models of how reducers
//! use their workers, written down here: what they do with a success while other tests run.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use nubbin_reduce::edit::Fingerprint;
use nubbin_reduce::engine::Reduction;
use nubbin_reduce::input::{File, Input};
use nubbin_reduce::list_minimizer::MinimizerChoice;
use nubbin_reduce::pass::{Context, Pass, PassInfo};
use nubbin_reduce::plan::Plan;
use nubbin_reduce::random::SplitMix64;
use nubbin_reduce::work::{List, Tiling, Work};
use nubbin_verdict::Closure;
use std::collections::VecDeque;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

const UNITS: u32 = 600;
const SEEDS: u64 = 20;
const WORKERS: [usize; 6] = [1, 2, 4, 8, 16, 64];

/// Mean time of a test, in seconds.
const MEAN: f64 = 0.2;

/// Random numbers from a seed, so that the table can be made again anywhere.
struct Random(SplitMix64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0.next()
    }

    fn below(&mut self, n: u32) -> u32 {
        (self.word() % u64::from(n)) as u32
    }

    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn shuffle(&mut self, units: &mut [u32]) {
        for i in (1..units.len()).rev() {
            units.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}

/// A list of units, and its needed units.
struct Model {
    /// By unit: the units without which it may not stand.
    needs: Vec<Vec<u32>>,
    core: Vec<u32>,
}

impl Model {
    fn fails(&self, kept: impl Iterator<Item = u32>) -> bool {
        let mut there = vec![false; UNITS as usize];
        let kept: Vec<u32> = kept.inspect(|&unit| there[unit as usize] = true).collect();
        let has = |unit: &u32| there[*unit as usize];
        self.core.iter().all(has) && kept.iter().all(|&u| self.needs[u as usize].iter().all(has))
    }
}

/// Each unit is needed with this probability.
fn independent(random: &mut Random, share: f64) -> Model {
    Model {
        needs: vec![vec![]; UNITS as usize],
        core: (0..UNITS).filter(|_| random.share() < share).collect(),
    }
}

/// Each unit needs none, one, one or two of the sixty before it. Three must stay, and so what they
/// need: 20 to 40 in all.
fn definition_use(random: &mut Random) -> Model {
    loop {
        let needs: Vec<Vec<u32>> = (0..UNITS)
            .map(|unit| {
                let count = [0, 1, 1, 2][random.below(4) as usize];
                let reach = unit.min(60);
                let mut one = || unit - 1 - random.below(reach);
                (0..count).filter(|_| reach > 0).map(|_| one()).collect()
            })
            .collect();
        let mut core: Vec<u32> = vec![];
        let mut open: Vec<u32> = (0..3).map(|_| random.below(UNITS)).collect();
        while let Some(unit) = open.pop() {
            if !core.contains(&unit) {
                core.push(unit);
                open.extend(&needs[unit as usize]);
            }
        }
        if (20..=40).contains(&core.len()) {
            core.sort_unstable();
            return Model { needs, core };
        }
    }
}

/// The result of a run.
#[derive(Default)]
struct Cost {
    seconds: f64,
    started: u64,
    left: usize,
}

/// The engine with one list minimizer on one list.
fn engine(model: &Model, workers: usize) -> Result<Cost, Box<dyn Error>> {
    let units = |bytes: &[u8]| -> Vec<u32> {
        let (cells, _) = bytes.as_chunks::<4>();
        cells.iter().map(|cell| u32::from_le_bytes(*cell)).collect()
    };
    let bytes: Vec<u8> = (0..UNITS).flat_map(u32::to_le_bytes).collect();
    let oracle = Closure::new(|bytes: &[u8]| model.fails(units(bytes).into_iter()));
    let time = |_: &Input, print: Fingerprint| {
        Duration::from_secs_f64(jitter(&mut Random(SplitMix64::new(print.0 as u64))))
    };
    let plan = Plan::single(Arc::new(Cells), MinimizerChoice::default());
    let outcome = Reduction::new(Input::single("cells", bytes)?, &oracle, plan)
        .jobs(workers)
        .simulate(&time)
        .verify(false)
        .run()?;
    Ok(Cost {
        seconds: outcome.statistics.elapsed.as_secs_f64(),
        started: outcome.statistics.started,
        left: units(outcome.input.bytes()).len(),
    })
}

/// Units of four bytes.
struct Cells;

impl Pass for Cells {
    fn info(&self) -> PassInfo {
        PassInfo::new("cells", "units of four bytes", "this example")
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        let bounds: Vec<u32> = (file.span.start..=file.span.end).step_by(4).collect();
        Some(Work::List(List::new(Tiling::new(bounds))))
    }
}

fn jitter(random: &mut Random) -> f64 {
    MEAN * (0.7 + 0.6 * random.share())
}

/// The use of workers by a model of a reducer.
#[derive(Clone, Copy)]
enum Policy {
    /// The next units in order are tested ahead; a success calls the others off.
    InOrder,
    /// Successes are gathered and merged, while all workers continue.
    Merging {
        shuffled: bool,
        /// Units are taken in groups that are halved when they fail.
        groups: bool,
    },
}

/// A test that runs in a model.
struct Running {
    ends: f64,
    /// Number of the group, in order of issue.
    group: Vec<u32>,
    version: u32,
    is_merge: bool,
    fails: bool,
}

/// One model of a reducer, to its fixpoint: sweeps over the units until one finds nothing.
struct Pool<'m> {
    model: &'m Model,
    random: Random,
    now: f64,
    started: u64,
    gone: Vec<bool>,
    version: u32,
    running: Vec<Running>,
}

impl Pool<'_> {
    fn start(&mut self, group: Vec<u32>, is_merge: bool) {
        let gone = &self.gone;
        let kept = (0..UNITS).filter(|u| !gone[*u as usize] && !group.contains(u));
        let fails = self.model.fails(kept);
        self.started += 1;
        self.running.push(Running {
            ends: self.now + jitter(&mut self.random),
            group,
            version: self.version,
            is_merge,
            fails,
        });
    }

    /// The test that ends next.
    fn wait(&mut self) -> Option<Running> {
        let ends = |at: &usize| self.running[*at].ends;
        let next = (0..self.running.len()).min_by(|a, b| ends(a).total_cmp(&ends(b)))?;
        let done = self.running.swap_remove(next);
        self.now = self.now.max(done.ends);
        Some(done)
    }

    fn adopt(&mut self, group: &[u32]) {
        group
            .iter()
            .for_each(|&unit| self.gone[unit as usize] = true);
        self.version += 1;
    }

    fn left(&self) -> Vec<u32> {
        (0..UNITS).filter(|&u| !self.gone[u as usize]).collect()
    }
}

fn model(model: &Model, policy: Policy, workers: usize, seed: u64) -> Cost {
    let mut pool = Pool {
        model,
        random: Random(SplitMix64::new(seed)),
        now: MEAN,
        started: 1,
        gone: vec![false; UNITS as usize],
        version: 0,
        running: vec![],
    };
    loop {
        let version = pool.version;
        match policy {
            Policy::InOrder => in_order(&mut pool, workers),
            Policy::Merging { shuffled, groups } => {
                let size = if groups && version == 0 {
                    (UNITS as usize / (2 * workers)).max(1)
                } else {
                    1
                };
                merging(&mut pool, workers, shuffled, size);
            }
        }
        if pool.version == version {
            break;
        }
    }
    Cost {
        seconds: pool.now,
        started: pool.started,
        left: pool.left().len(),
    }
}

/// One sweep from the end: verdicts are taken in order, and all workers start over after a success.
fn in_order(pool: &mut Pool<'_>, workers: usize) {
    let mut todo: VecDeque<u32> = pool.left().into_iter().rev().collect();
    while let Some(&unit) = todo.front() {
        for &ahead in todo.iter().take(workers) {
            let group = [ahead];
            if pool.running.len() < workers && pool.running.iter().all(|r| r.group != group) {
                pool.start(group.to_vec(), false);
            }
        }
        let Some(at) = pool.running.iter().position(|r| r.group == [unit]) else {
            break;
        };
        let done = pool.running.swap_remove(at);
        pool.now = pool.now.max(done.ends);
        todo.pop_front();
        if done.fails {
            pool.adopt(&done.group);
            pool.running.clear();
        }
    }
}

/// One sweep. A success against the present version is adopted at once; one against an older
/// version waits for a test of all such successes together. When that fails, it is halved.
fn merging(pool: &mut Pool<'_>, workers: usize, shuffled: bool, size: usize) {
    let mut units = pool.left();
    units.reverse();
    if shuffled {
        pool.random.shuffle(&mut units);
    }
    let mut todo: VecDeque<Vec<u32>> = units.chunks(size).map(<[u32]>::to_vec).collect();
    let mut queued: Vec<Vec<u32>> = vec![];
    // What is still to be merged of a merge that failed.
    let mut merges: Vec<Vec<Vec<u32>>> = vec![];
    let mut merging: Option<Vec<Vec<u32>>> = None;
    loop {
        if merging.is_none() {
            if merges.is_empty() && !queued.is_empty() {
                merges.push(std::mem::take(&mut queued));
            }
            if let Some(next) = merges.pop() {
                pool.start(next.concat(), true);
                merging = Some(next);
            }
        }
        while pool.running.len() < workers
            && let Some(group) = todo.pop_front()
        {
            pool.start(group, false);
        }
        let Some(done) = pool.wait() else {
            break;
        };
        let is_present = done.version == pool.version;
        match (done.is_merge, done.fails) {
            (true, fails) => {
                let parts = merging.take().unwrap_or_default();
                if fails && is_present {
                    pool.adopt(&done.group);
                } else if !is_present {
                    merges.push(parts);
                } else if let (left, right @ [_, ..]) = parts.split_at(parts.len() / 2)
                    && !left.is_empty()
                {
                    merges.push(right.to_vec());
                    merges.push(left.to_vec());
                }
            }
            (false, true) if is_present => pool.adopt(&done.group),
            (false, true) => queued.push(done.group),
            (false, false) if done.group.len() > 1 => {
                let (left, right) = done.group.split_at(done.group.len() / 2);
                todo.push_front(right.to_vec());
                todo.push_front(left.to_vec());
            }
            (false, false) => {}
        }
    }
}

type Make = fn(&mut Random) -> Model;
type Run = Box<dyn Fn(&Model, usize, u64) -> Result<Cost, Box<dyn Error>>>;

fn main() -> Result<(), Box<dyn Error>> {
    let lists: [(&str, Make); 4] = [
        ("independent, 1 % needed", |random| {
            independent(random, 0.01)
        }),
        ("independent, 5 % needed", |random| {
            independent(random, 0.05)
        }),
        ("independent, 70 % needed", |random| {
            independent(random, 0.7)
        }),
        ("definition and use", definition_use),
    ];
    let modelled = |policy: Policy| -> Run {
        Box::new(move |list, workers, seed| Ok(model(list, policy, workers, seed)))
    };
    let merging = |shuffled, groups| modelled(Policy::Merging { shuffled, groups });
    let rows: [(&str, Run); 5] = [
        ("in order, one success wins", modelled(Policy::InOrder)),
        ("merging, shuffled", merging(true, false)),
        ("merging, backwards", merging(false, false)),
        ("merging, groups that split", merging(false, true)),
        ("nubbin", Box::new(|list, workers, _| engine(list, workers))),
    ];
    for (name, make) in lists {
        println!("\n{name}: seconds / tests started\n");
        print!("| {:42} |", "workers");
        WORKERS
            .iter()
            .for_each(|workers| print!(" {workers:>15} |"));
        println!(
            " left |\n|{}|{}---|",
            "-".repeat(44),
            "---|".repeat(WORKERS.len())
        );
        for (row, run) in &rows {
            let mut seconds = vec![];
            let mut left = 0;
            print!("| {row:42} |");
            for workers in WORKERS {
                let mut sum = Cost::default();
                for seed in 0..SEEDS {
                    let list = make(&mut Random(SplitMix64::new(seed)));
                    let cost = run(&list, workers, seed)?;
                    sum.seconds += cost.seconds / SEEDS as f64;
                    sum.started += cost.started;
                    sum.left += cost.left;
                }
                left = sum.left;
                let cell = format!("{:.1} / {}", sum.seconds, sum.started / SEEDS);
                print!(" {cell:>15} |");
                seconds.push(sum.seconds);
            }
            println!(" {:>4} |", left as u64 / SEEDS);
            print!("| {:42} |", format!("{row}, times faster"));
            for time in &seconds {
                print!(" {:>15.1} |", seconds[0] / time);
            }
            println!("      |");
        }
    }
    Ok(())
}
