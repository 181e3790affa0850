//! The number of tests that grows with the length of a list: `ddmin` at its best and at its worst,
//! and the default plan, for 2^4 to 2^14 elements, with curves fitted by least squares. The table
//! of `notes/decisions/0017-sweep-is-the-default-list-minimizer.md` and the picture of the guide.
//!
//! `cargo run --release -p nubbin-reduce --example growth`, with `--svg FILE` for the picture.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use nubbin_reduce::input::Input;
use nubbin_reduce::list_minimizer::{Ddmin, ListMinimizer, ListShape};
use nubbin_reduce::{Closure, auto, engine::Reduction};
use std::error::Error;
use std::fmt::Write as _;

/// Runs `ddmin` where the first element alone fails.
fn best(len: u32) -> u64 {
    let mut machine = Ddmin::new(&ListShape::uniform(len));
    let mut tests = 0;
    while let Some(removal) = machine.next() {
        tests += 1;
        machine.record(!removal.remove.iter().any(|range| range.contains(&0)));
    }
    tests
}

/// Runs `ddmin` against the test that its authors call pathological: every test passes until each
/// part is one element, and then only the last complement of each round fails.
fn worst(len: u32) -> u64 {
    let mut machine = Ddmin::new(&ListShape::uniform(len));
    let (mut tests, mut left) = (0, len);
    while let Some(removal) = machine.next() {
        tests += 1;
        let removed: u32 = removal
            .remove
            .iter()
            .map(|range| range.end - range.start)
            .sum();
        let is_last = removed == 1 && removal.remove.iter().any(|range| range.end == left);
        machine.record(is_last);
        left -= u32::from(is_last);
    }
    tests
}

/// Runs the default plan on a text of this many lines of one letter.
fn default_plan(len: u32, fails: impl Fn(&[u8]) -> bool + Sync) -> Result<u64, Box<dyn Error>> {
    let text: Vec<u8> = (0..len)
        .flat_map(|at| [b'a' + (at % 26) as u8, b'\n'])
        .collect();
    let input = Input::single("text", text)?;
    let plan = auto::plan(&input);
    let oracle = Closure::new(fails);
    let outcome = Reduction::new(input, &oracle, plan).verify(false).run()?;
    Ok(outcome.statistics.tests)
}

/// Fits a straight line by least squares and returns its offset and its slope.
fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let above: f64 = points
        .iter()
        .map(|point| (point.0 - x) * (point.1 - y))
        .sum();
    let below: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    (y - above / below * x, above / below)
}

struct Curve {
    name: &'static str,
    color: &'static str,
    counts: Vec<u64>,
    formula: String,
    /// The number of tests by the fitted formula, for the logarithm of a length.
    fitted: Box<dyn Fn(f64) -> f64>,
}

impl Curve {
    /// Fits `a + b log2 n`.
    fn logarithmic(name: &'static str, color: &'static str, counts: Vec<u64>) -> Self {
        let points: Vec<(f64, f64)> = SIZES
            .zip(&counts)
            .map(|(x, &y)| (x.into(), y as f64))
            .collect();
        let (offset, slope) = line(&points);
        Curve {
            name,
            color,
            counts,
            formula: format!("{offset:.1} + {slope:.2} log2 n"),
            fitted: Box::new(move |x| offset + slope * x),
        }
    }

    /// Fits `a n^b`.
    fn power(name: &'static str, color: &'static str, counts: Vec<u64>) -> Self {
        let points: Vec<(f64, f64)> = SIZES
            .zip(&counts)
            .map(|(x, &y)| (x.into(), (y as f64).log2()))
            .collect();
        let (offset, slope) = line(&points);
        Curve {
            name,
            color,
            counts,
            formula: format!("{:.2} n^{slope:.2}", offset.exp2()),
            fitted: Box::new(move |x| (offset + slope * x).exp2()),
        }
    }
}

/// The logarithms of the lengths.
const SIZES: std::ops::RangeInclusive<u32> = 4..=14;

fn main() -> Result<(), Box<dyn Error>> {
    let counts =
        |run: &dyn Fn(u32) -> Result<u64, Box<dyn Error>>| -> Result<Vec<u64>, Box<dyn Error>> {
            SIZES.map(|size| run(1 << size)).collect()
        };
    let curves = [
        Curve::logarithmic("ddmin, best", "#1f77b4", counts(&|len| Ok(best(len)))?),
        Curve::power("ddmin, worst", "#d62728", counts(&|len| Ok(worst(len)))?),
        Curve::logarithmic(
            "auto, one line needed",
            "#2ca02c",
            counts(&|len| default_plan(len, |text| text.first() == Some(&b'a')))?,
        ),
        Curve::power(
            "auto, every second line needed",
            "#ff7f0e",
            counts(&|len| {
                let needed = |text: &[u8]| text.chunks(2).filter(|line| line[0] % 2 == 1).count();
                default_plan(len, move |text| needed(text) as u32 == len / 2)
            })?,
        ),
        Curve::power(
            "auto, all lines needed",
            "#9467bd",
            counts(&|len| default_plan(len, move |text| text.len() as u32 == 2 * len))?,
        ),
    ];
    let names: Vec<&str> = curves.iter().map(|curve| curve.name).collect();
    println!(
        "| n | {} |\n|--:|{}",
        names.join(" | "),
        "--:|".repeat(curves.len())
    );
    for (row, size) in SIZES.enumerate() {
        let cells: Vec<String> = curves
            .iter()
            .map(|curve| curve.counts[row].to_string())
            .collect();
        println!("| {} | {} |", 1u32 << size, cells.join(" | "));
    }
    let formulas: Vec<&str> = curves.iter().map(|curve| curve.formula.as_str()).collect();
    println!("| fitted | {} |", formulas.join(" | "));
    let mut arguments = std::env::args().skip_while(|argument| argument != "--svg");
    if let Some(path) = arguments.nth(1) {
        std::fs::write(path, svg(&curves))?;
    }
    Ok(())
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 60.0;
const BOTTOM: f64 = 350.0;
/// The logarithm of the highest number of tests that is drawn.
const HIGHEST: f64 = 28.5;

/// Draws the measured points and the fitted curves, with logarithmic axes.
fn svg(curves: &[Curve]) -> String {
    let x = |size: f64| LEFT + (size - 4.0) / 10.0 * 360.0;
    let y = |tests: f64| BOTTOM - tests.max(1.0).log2() / HIGHEST * 320.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    for size in SIZES.step_by(2) {
        let at = x(size.into());
        let _ = writeln!(
            out,
            "<line x1=\"{at}\" y1=\"30\" x2=\"{at}\" y2=\"{BOTTOM}\" stroke=\"#ddd\"/>\
             <text x=\"{at}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            BOTTOM + 18.0,
            1u32 << size
        );
    }
    for (power, label) in [
        "1", "10", "100", "1,000", "10 K", "100 K", "1 M", "10 M", "100 M",
    ]
    .iter()
    .enumerate()
    {
        let at = y(10f64.powi(power as i32));
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"420\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            LEFT - 6.0,
            at + 4.0
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"240\" y=\"390\" text-anchor=\"middle\">elements</text>\
         <text x=\"{LEFT}\" y=\"20\" text-anchor=\"middle\">tests</text>"
    );
    // Labels from the top down, none over another.
    let mut sorted: Vec<&Curve> = curves.iter().collect();
    sorted.sort_by(|a, b| (b.fitted)(14.0).total_cmp(&(a.fitted)(14.0)));
    let mut free = 0.0;
    for curve in sorted {
        let path: Vec<String> = (0..=40)
            .map(|step| 4.0 + f64::from(step) / 4.0)
            .map(|size| format!("{:.1},{:.1}", x(size), y((curve.fitted)(size))))
            .collect();
        let color = curve.color;
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\"/>",
            path.join(" ")
        );
        for (size, &tests) in SIZES.zip(&curve.counts) {
            let (at, high) = (x(size.into()), y(tests as f64));
            let _ = writeln!(
                out,
                "<circle cx=\"{at:.1}\" cy=\"{high:.1}\" r=\"3\" fill=\"{color}\"/>"
            );
        }
        let high = y((curve.fitted)(14.0)).max(free);
        free = high + 32.0;
        let _ = writeln!(
            out,
            "<text x=\"430\" y=\"{high:.1}\" fill=\"{color}\">{}</text>\
             <text x=\"430\" y=\"{:.1}\" fill=\"{color}\">{}</text>",
            curve.name,
            high + 14.0,
            curve.formula
        );
    }
    out + "</svg>\n"
}
