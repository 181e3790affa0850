//! `cargo bench -p nubbin-reduce --bench engine`: the cost of the engine beside the tests.
//!
//! Prints figures, asserts nothing: a busy machine is not a bug. Ratios are of one run.

#![expect(clippy::print_stdout, reason = "the figures are the output")]

use nubbin_reduce::edit::{Edit, fingerprint};
use nubbin_reduce::engine::Reduction;
use nubbin_reduce::input::Input;
use nubbin_reduce::span::Span;
use nubbin_reduce::{auto, list_minimizer, pass, plan::Plan};
use nubbin_verdict::Closure;
use std::hint::black_box;
use std::time::{Duration, Instant};

fn main() {
    render();
    in_process();
    large();
}

/// Seconds for the fastest of several runs.
fn fastest(runs: usize, mut work: impl FnMut()) -> Duration {
    (0..runs)
        .map(|_| {
            let started = Instant::now();
            work();
            started.elapsed()
        })
        .min()
        .unwrap_or_default()
}

/// Pseudo-code of a given size, always the same.
fn text(bytes: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes + 100);
    let mut n = 12345u32;
    while out.len() < bytes {
        n = n.wrapping_mul(1_103_515_245).wrapping_add(12345);
        let line = format!(
            "  if (x{} > {}) {{ call{}(a, b, {}); }}\n",
            n % 97,
            n % 1000,
            n % 31,
            n % 7
        );
        out.extend_from_slice(line.as_bytes());
    }
    out.truncate(bytes);
    out
}

fn render() {
    let base = text(16 << 20);
    let edits = [
        ("one deletion", Edit::delete(Span::new(1000, 2000))),
        (
            "a gap every 4 KiB",
            Edit::delete_all((1..4096).map(|i| Span::new(i * 4096, i * 4096 + 9))),
        ),
        (
            "a gap every 64 B",
            Edit::delete_all((1..262_144).map(|i| Span::new(i * 64, i * 64 + 9))),
        ),
    ];
    let mut out = Vec::new();
    let copy = fastest(5, || {
        out.clear();
        out.extend_from_slice(black_box(&base));
    });
    for (what, edit) in edits {
        let rendered = fastest(5, || {
            black_box(edit.render_hashed(&base, &mut out));
        });
        println!(
            "render + hash, {what}: {:.2} GB/s ({:.1} times a plain copy)",
            base.len() as f64 / rendered.as_secs_f64() / 1e9,
            rendered.as_secs_f64() / copy.as_secs_f64(),
        );
    }
    black_box(fingerprint(&out));
}

fn in_process() {
    let base = text(10 << 10);
    for algorithm in ["sweep", "ddmin"] {
        // Nothing can go: thousands of tests, each on nearly the whole text.
        let oracle = Closure::new(|bytes: &[u8]| bytes.len() == 10 << 10);
        let choice: list_minimizer::MinimizerChoice = algorithm.parse().unwrap_or_default();
        let plan = pass::by_id("bytes").map(|pass| Plan::single(pass, choice));
        let Some(plan) = plan else { return };
        let mut tests = 0;
        let time = fastest(3, || {
            let input = Input::single("x", base.clone()).unwrap_or_else(|_| unreachable!());
            let run = Reduction::new(input, &oracle, plan.clone())
                .max_tests(20_000)
                .run();
            tests = run.map_or(0, |outcome| outcome.statistics.tests);
        });
        println!(
            "in process, 10 KiB, {algorithm}: {:.2} us a test ({tests} tests)",
            time.as_secs_f64() * 1e6 / tests.max(1) as f64
        );
    }
}

fn large() {
    let base = text(100 << 20);
    let input = Input::single("x", base).unwrap_or_else(|_| unreachable!());
    let started = Instant::now();
    let mut first = None;
    let mut asked = 0u64;
    let oracle = Closure::new(|bytes: &[u8]| bytes.starts_with(b"  if"));
    let mut observer = |event: &nubbin_reduce::engine::Event<'_>, _: &_| {
        if let nubbin_reduce::engine::Event::Tested { pass, .. } = event {
            asked += 1;
            if *pass != "trivial" {
                first.get_or_insert_with(|| started.elapsed());
            }
        }
    };
    let plan = auto::plan(&input);
    let run = Reduction::new(input, &oracle, plan)
        .max_tests(50)
        .observer(&mut observer)
        .run();
    println!(
        "100 MiB: first test of a real pass after {:.2} s, {asked} tests in {:.2} s, {} bytes left",
        first.unwrap_or_default().as_secs_f64(),
        started.elapsed().as_secs_f64(),
        run.map_or(0, |outcome| outcome.input.size()),
    );
    if let Some(peak) = peak_memory() {
        println!(
            "peak memory: {:.2} times the input",
            peak as f64 / (100 << 20) as f64
        );
    }
}

/// Largest resident size so far, in bytes; Linux only.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace()
        .nth(1)?
        .parse::<u64>()
        .ok()
        .map(|kib| kib << 10)
}
