//! Plots as SVG, in the colors of their page.
//!
//! Plotting libraries write colors into the picture. These plots name classes instead, so that one
//! style sheet makes them readable in light and dark mode. A screen reader gets a sentence and a
//! table.

use maud::{Markup, html};

/// A series of values and its style.
pub struct Series {
    pub label: String,
    /// `c0` to `c7`: the colors of the page; `reference` for a reference line.
    pub class: String,
    /// The points, in the order of x.
    pub points: Vec<(f64, f64)>,
    pub shape: Shape,
}

/// The connection between points.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Steps: a value holds until the next point.
    Steps,
    /// Straight lines.
    Lines,
    /// Dots without a connection. Each point has a name.
    Dots,
}

/// An axis of a plot.
#[derive(Clone, Copy)]
pub struct Axis<'a> {
    pub label: &'a str,
    pub logarithmic: bool,
    /// Whether the values of the axis are whole numbers.
    pub whole: bool,
}

impl<'a> Axis<'a> {
    pub fn linear(label: &'a str) -> Self {
        Axis {
            label,
            logarithmic: false,
            whole: false,
        }
    }

    pub fn logarithmic(label: &'a str) -> Self {
        Axis {
            label,
            logarithmic: true,
            whole: false,
        }
    }

    pub fn whole(label: &'a str) -> Self {
        Axis {
            whole: true,
            ..Axis::linear(label)
        }
    }
}

/// A unit of time for the values of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeUnit {
    /// The name in the plural.
    pub name: &'static str,
    pub seconds: f64,
}

/// The units, and the longest time in seconds that is shown in each.
const UNITS: [(f64, TimeUnit); 5] = [
    (1.0, TimeUnit::new("milliseconds", 0.001)),
    (120.0, TimeUnit::new("seconds", 1.0)),
    (7200.0, TimeUnit::new("minutes", 60.0)),
    (172_800.0, TimeUnit::new("hours", 3600.0)),
    (f64::INFINITY, TimeUnit::new("days", 86_400.0)),
];

impl TimeUnit {
    const fn new(name: &'static str, seconds: f64) -> Self {
        TimeUnit { name, seconds }
    }

    /// Returns the unit for an axis whose values go up to this time. Its labels have few digits.
    pub fn of_longest(seconds: f64) -> Self {
        let unit = UNITS.into_iter().find(|(most, _)| seconds <= *most);
        unit.map_or(TimeUnit::new("seconds", 1.0), |(_, unit)| unit)
    }

    /// Returns the number of units in a time.
    pub fn number(self, seconds: f64) -> f64 {
        seconds / self.seconds
    }
}

/// A picture with a text for screen readers.
pub struct Plot<'a> {
    pub title: &'a str,
    pub x: Axis<'a>,
    pub y: Axis<'a>,
    pub summary: String,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = 18.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 46.0;

/// The number of points that can be distinguished in a picture of this size.
const MOST_POINTS: usize = 1200;

/// The mapping from values to positions.
struct Scale {
    low: f64,
    high: f64,
    logarithmic: bool,
    whole: bool,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(axis: Axis<'_>, values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Self {
        let logarithmic = axis.logarithmic;
        let least = |value: f64| {
            if logarithmic {
                value.max(1e-9).log10()
            } else {
                value
            }
        };
        let values = values.map(least);
        let mut low = values.clone().fold(f64::INFINITY, f64::min);
        let mut high = values.fold(f64::NEG_INFINITY, f64::max);
        if !low.is_finite() {
            (low, high) = (0.0, 1.0);
        }
        if logarithmic {
            (low, high) = (low - 0.05, high.max(low + 0.3) + 0.03);
        } else {
            low = low.min(0.0);
            high = if high > low { high } else { low + 1.0 };
        }
        Scale {
            low,
            high,
            logarithmic,
            whole: axis.whole,
            from,
            to,
        }
    }

    fn place(&self, value: f64) -> f64 {
        let value = if self.logarithmic {
            value.max(1e-9).log10()
        } else {
            value
        };
        tenth(self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from))
    }

    /// Returns round values for the labels of the axis.
    fn ticks(&self) -> Vec<f64> {
        if self.logarithmic {
            decades(self.low, self.high)
        } else {
            let least = if self.whole { 1.0 } else { 0.0 };
            even(self.low, self.high, least)
        }
    }
}

impl Plot<'_> {
    pub fn draw(&self, series: &[Series]) -> Markup {
        let points = || series.iter().flat_map(|series| &series.points);
        let x = Scale::new(self.x, points().map(|p| p.0), LEFT, WIDTH - RIGHT);
        let y = Scale::new(self.y, points().map(|p| p.1), HEIGHT - BOTTOM, TOP);
        let middle = (TOP + HEIGHT - BOTTOM) / 2.0;
        html! {
            figure {
                figcaption { (self.title) }
                svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(self.summary) {
                    @for value in y.ticks() {
                        @let at = y.place(value);
                        line.grid x1=(LEFT) x2=(WIDTH - RIGHT) y1=(at) y2=(at) {}
                        text.tick x=(LEFT - 8.0) y=(tenth(at + 4.0)) text-anchor="end" { (amount(value)) }
                    }
                    @for value in x.ticks() {
                        @let at = x.place(value);
                        line.grid x1=(at) x2=(at) y1=(TOP) y2=(HEIGHT - BOTTOM) {}
                        text.tick x=(at) y=(HEIGHT - BOTTOM + 18.0) text-anchor="middle" { (amount(value)) }
                    }
                    text.axis x=((LEFT + WIDTH - RIGHT) / 2.0) y=(HEIGHT - 8.0) text-anchor="middle" { (self.x.label) }
                    text.axis x="14" y=(middle) text-anchor="middle" transform=(format!("rotate(-90 14 {middle})")) { (self.y.label) }
                    @for series in series { (drawn(series, &x, &y)) }
                    @for (x, y, anchor, name) in names(series, &x, &y) {
                        text.name x=(tenth(x)) y=(tenth(y)) text-anchor=(anchor) { (name) }
                    }
                }
                @if series.len() > 1 && series.iter().any(|series| series.shape != Shape::Dots) {
                    p.legend {
                        @for series in series {
                            span.entry { span class=(format!("key {}", series.class)) {} (series.label) } " "
                        }
                    }
                }
            }
        }
    }
}

fn drawn(series: &Series, x: &Scale, y: &Scale) -> Markup {
    html! {
        @if series.shape == Shape::Dots {
            @for &(at_x, at_y) in &series.points {
                circle class=(format!("dot {}", series.class)) cx=(x.place(at_x)) cy=(y.place(at_y)) r="4.5" {
                    title { (series.label) ": " (amount(at_x)) ", " (amount(at_y)) }
                }
            }
        } @else {
            path class=(format!("line {}", series.class)) d=(path(series, x, y)) { title { (series.label) } }
        }
    }
}

/// Returns the positions of the names of dots: next to, above, or below the dot, without overlap. A
/// name without room is only a tooltip.
fn names<'a>(series: &'a [Series], x: &Scale, y: &Scale) -> Vec<(f64, f64, &'static str, &'a str)> {
    const LETTER: f64 = 6.2;
    const LINE: f64 = 12.0;
    let dots = series.iter().filter(|series| series.shape == Shape::Dots);
    let dots: Vec<(f64, f64, &str)> = dots
        .flat_map(|series| {
            let place = |&(at_x, at_y): &(f64, f64)| (x.place(at_x), y.place(at_y), &*series.label);
            series.points.iter().map(place)
        })
        .collect();
    // Each rectangle has its left, top, right, and bottom coordinates.
    let mut taken: Vec<[f64; 4]> = dots
        .iter()
        .map(|&(x, y, _)| [x - 5.0, y - 5.0, x + 5.0, y + 5.0])
        .collect();
    let mut found = vec![];
    for (x, y, name) in dots {
        let width = name.chars().count() as f64 * LETTER;
        let places = [
            (x + 8.0, y + 4.0, "start", x + 7.0),
            (x - 8.0, y + 4.0, "end", x - 7.0 - width),
            (x, y - 8.0, "middle", x - width / 2.0),
            (x, y + 17.0, "middle", x - width / 2.0),
            (x + 6.0, y - 9.0, "start", x + 5.0),
            (x + 6.0, y + 17.0, "start", x + 5.0),
            (x - 6.0, y - 9.0, "end", x - 5.0 - width),
            (x - 6.0, y + 17.0, "end", x - 5.0 - width),
        ];
        let free = places.into_iter().find_map(|(at_x, at_y, anchor, left)| {
            let own = [left, at_y - LINE + 2.0, left + width, at_y + 2.0];
            let inside =
                own[0] >= LEFT && own[2] <= WIDTH && own[1] >= 0.0 && own[3] <= HEIGHT - BOTTOM;
            let apart = |other: &[f64; 4]| {
                own[2] < other[0] || other[2] < own[0] || own[3] < other[1] || other[3] < own[1]
            };
            (inside && taken.iter().all(apart)).then_some((own, (at_x, at_y, anchor, name)))
        });
        if let Some((own, place)) = free {
            taken.push(own);
            found.push(place);
        }
    }
    found
}

fn path(series: &Series, x: &Scale, y: &Scale) -> String {
    let points = &series.points;
    let thin = points.len().div_ceil(MOST_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let mut path = String::new();
    for (i, &(at_x, at_y)) in points.iter().enumerate() {
        if i % thin != 0 && i != last {
            continue;
        }
        let (at_x, at_y) = (x.place(at_x), y.place(at_y));
        path += &match (path.is_empty(), series.shape) {
            (true, _) => format!("M{at_x} {at_y}"),
            (_, Shape::Steps) => format!("H{at_x}V{at_y}"),
            _ => format!("L{at_x} {at_y}"),
        };
    }
    path
}

/// Formats a number with few digits, since a file has thousands of them.
fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Returns 1, 10, 100, …; with 2 and 5 between if there are few, and equal steps where two values
/// are less than a decade apart and these would be fewer than three.
fn decades(low: f64, high: f64) -> Vec<f64> {
    let within = |value: &f64| (low..=high).contains(&value.log10());
    let powers = || (-3..12).map(|power| 10f64.powi(power));
    let whole: Vec<f64> = powers().filter(within).collect();
    if whole.len() > 2 {
        return whole;
    }
    let fine = powers().flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * power));
    let fine: Vec<f64> = fine.filter(within).collect();
    if fine.len() > 2 {
        return fine;
    }
    even(10f64.powf(low), 10f64.powf(high), 0.0)
}

/// Returns four to eight round values, or fewer where these would be closer than `least`.
fn even(low: f64, high: f64, least: f64) -> Vec<f64> {
    let rough = (high - low) / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|step| step * power)
        .into_iter()
        .find(|&step| step >= rough)
        .unwrap_or(power)
        .max(least);
    let first = (low / step).ceil() as i32;
    (first..)
        .map(|i| f64::from(i) * step)
        .take_while(|&value| value <= high + step * 1e-6)
        .collect()
}

/// Formats a number in short form: 12000 is `12k`.
pub fn amount(value: f64) -> String {
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
            even(0.0, 600.0, 0.0),
            [0.0, 100.0, 200.0, 300.0, 400.0, 500.0, 600.0]
        );
        assert_eq!(even(0.0, 2.0, 1.0), [0.0, 1.0, 2.0]);
        assert_eq!(decades(0.0, 3.2), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(decades(1.2, 2.1), [20.0, 50.0, 100.0]);
        assert_eq!(decades(1.28, 1.6), [20.0, 25.0, 30.0, 35.0]);
        assert_eq!(
            [0.0, 0.25, 950.0, 12_000.0].map(amount),
            ["0", "0.25", "950", "12k"]
        );
    }

    #[test]
    fn the_labels_of_a_time_are_distinct_numbers() {
        for (seconds, name, last) in [
            (0.0004, "milliseconds", "0.4"),
            (0.9, "milliseconds", "800"),
            (90.0, "seconds", "80"),
            (5400.0, "minutes", "80"),
            (90_000.0, "hours", "25"),
            (864_000.0, "days", "10"),
        ] {
            let unit = TimeUnit::of_longest(seconds);
            assert_eq!(unit.name, name);
            let axis = Axis::linear("");
            let ticks = Scale::new(axis, [unit.number(seconds)].into_iter(), 0.0, 1.0).ticks();
            let labels: Vec<String> = ticks.into_iter().map(amount).collect();
            let distinct = labels.windows(2).all(|pair| pair[0] != pair[1]);
            assert!(distinct && labels.len() > 2, "{labels:?}");
            assert_eq!(labels.last().map(String::as_str), Some(last), "{labels:?}");
        }
    }

    #[test]
    fn values_lie_between_the_ends_of_their_axis() {
        let scale = Scale::new(Axis::linear(""), [10.0, 20.0].into_iter(), 0.0, 100.0);
        assert_eq!(
            [0.0, 10.0, 20.0].map(|value| scale.place(value)),
            [0.0, 50.0, 100.0]
        );
        let scale = Scale::new(Axis::logarithmic(""), [1.0, 1000.0].into_iter(), 100.0, 0.0);
        assert!(scale.place(1.0) > scale.place(31.0) && scale.place(31.0) > scale.place(1000.0));
        let nothing = Scale::new(Axis::linear(""), std::iter::empty(), 0.0, 1.0);
        assert!(nothing.place(0.5).is_finite());
    }

    #[test]
    fn a_value_holds_until_the_next() {
        let series = |shape| Series {
            label: String::new(),
            class: String::new(),
            points: vec![(0.0, 0.0), (2.0, 3.0)],
            shape,
        };
        let x = Scale::new(Axis::linear(""), [0.0, 2.0].into_iter(), 0.0, 2.0);
        let y = Scale::new(Axis::linear(""), [0.0, 3.0].into_iter(), 0.0, 3.0);
        assert_eq!(path(&series(Shape::Steps), &x, &y), "M0 0H2V3");
        assert_eq!(path(&series(Shape::Lines), &x, &y), "M0 0L2 3");
    }
}
