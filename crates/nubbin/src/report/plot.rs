//! Line plots as SVG, in the colours of the page they stand in.
//!
//! Plotting libraries write colours into the picture. These pictures name classes, so one style sheet
//! makes them readable in light and dark, and a screen reader gets a sentence and a table instead.

use maud::{Markup, html};

/// One line of a plot.
pub(super) struct Series {
    pub(super) label: String,
    /// `a` or `b`: the colours of the page.
    pub(super) class: &'static str,
    /// In the order of x. The value holds until the next point.
    pub(super) points: Vec<(f64, f64)>,
}

/// What stands at the axes, and what is said to who cannot see it.
pub(super) struct Labels<'a> {
    pub(super) title: &'a str,
    pub(super) x: &'a str,
    pub(super) summary: String,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 46.0;

/// More points than this are not told apart in a picture of this size.
const MOST_POINTS: usize = 1200;

/// Bytes over tests or time, as steps; bytes on a logarithmic axis.
pub(super) fn sizes(labels: &Labels<'_>, series: &[Series]) -> Markup {
    let points = || series.iter().flat_map(|series| &series.points);
    let right = points().map(|&(x, _)| x).fold(0.0, f64::max).max(1e-9);
    let highest = points().map(|&(_, y)| y).fold(1.0, f64::max);
    let lowest = points().map(|&(_, y)| y.max(1.0)).fold(highest, f64::min);
    let top = highest.log10().max(lowest.log10() + 0.3);
    let floor = (lowest.log10() - 0.08).max(0.0);
    let x = |value: f64| LEFT + value / right * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| {
        let part = (value.max(1.0).log10() - floor) / (top - floor);
        HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)
    };
    html! {
        figure {
            figcaption { (labels.title) }
            svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(labels.summary) {
                @for value in decades(floor, top) {
                    line.grid x1=(LEFT) x2=(WIDTH - RIGHT) y1=(at(y(value))) y2=(at(y(value))) {}
                    text.tick x=(LEFT - 8.0) y=(at(y(value) + 4.0)) text-anchor="end" { (amount(value)) }
                }
                @for value in ticks(right) {
                    line.grid x1=(at(x(value))) x2=(at(x(value))) y1=(TOP) y2=(HEIGHT - BOTTOM) {}
                    text.tick x=(at(x(value))) y=(HEIGHT - BOTTOM + 18.0) text-anchor="middle" { (amount(value)) }
                }
                text.axis x=((LEFT + WIDTH - RIGHT) / 2.0) y=(HEIGHT - 8.0) text-anchor="middle" { (labels.x) }
                text.axis x="14" y=((TOP + HEIGHT - BOTTOM) / 2.0) text-anchor="middle"
                    transform=(format!("rotate(-90 14 {})", (TOP + HEIGHT - BOTTOM) / 2.0)) { "bytes" }
                @for series in series {
                    path class=(format!("line {}", series.class)) d=(steps(&series.points, x, y)) {
                        title { (series.label) }
                    }
                }
            }
            @if series.len() > 1 {
                p.legend {
                    @for series in series {
                        span class=(format!("key {}", series.class)) {} (series.label) " "
                    }
                }
            }
        }
    }
}

fn steps(points: &[(f64, f64)], x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64) -> String {
    let thin = points.len().div_ceil(MOST_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let mut path = String::new();
    for (i, &(at_x, at_y)) in points.iter().enumerate() {
        if i % thin != 0 && i != last {
            continue;
        }
        path += &match path.is_empty() {
            true => format!("M{} {}", at(x(at_x)), at(y(at_y))),
            false => format!("H{}V{}", at(x(at_x)), at(y(at_y))),
        };
    }
    path
}

/// Short enough for a file with thousands of them.
fn at(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// 1, 10, 100, …; with 2 and 5 between where there are few.
fn decades(floor: f64, top: f64) -> Vec<f64> {
    let within = |value: &f64| (floor..=top).contains(&value.log10());
    let powers = || (0..12).map(|power| 10f64.powi(power));
    let whole: Vec<f64> = powers().filter(within).collect();
    if whole.len() > 2 {
        return whole;
    }
    let fine = powers().flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * power));
    fine.filter(within).collect()
}

/// Four to eight round values from 0.
fn ticks(right: f64) -> Vec<f64> {
    let rough = right / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|step| step * power)
        .into_iter()
        .find(|&step| step >= rough)
        .unwrap_or(power);
    (0..)
        .map(|i| f64::from(i) * step)
        .take_while(|&value| value <= right * 1.0001)
        .collect()
}

/// 1200 as 1.2k.
pub(super) fn amount(value: f64) -> String {
    let (value, unit) = match value {
        v if v >= 1e9 => (v / 1e9, "G"),
        v if v >= 1e6 => (v / 1e6, "M"),
        v if v >= 1e4 => (v / 1e3, "k"),
        v => (v, ""),
    };
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_numbers() {
        assert_eq!(
            ticks(600.0),
            [0.0, 100.0, 200.0, 300.0, 400.0, 500.0, 600.0]
        );
        assert_eq!(decades(0.0, 3.2), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(decades(1.2, 2.1), [20.0, 50.0, 100.0]);
        assert_eq!(
            [0.0, 0.25, 950.0, 12_000.0].map(amount),
            ["0", "0.25", "950", "12k"]
        );
    }

    #[test]
    fn a_value_holds_until_the_next() {
        let path = steps(&[(0.0, 5.0), (2.0, 3.0)], |x| x, |y| y);
        assert_eq!(path, "M0 5H2V3");
    }
}
