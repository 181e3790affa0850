//! Curves of a quantity over time.

use super::theme::Theme;
use super::write::{put, put_right};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use std::time::Duration;

/// The largest number of points. At the limit every second one is dropped. No terminal has more
/// columns.
const POINTS: usize = 1024;

/// A step function over time, in bounded memory.
#[derive(Clone, Debug)]
pub struct Curve {
    points: Vec<(Duration, u64)>,
    /// The smallest distance in time between two points.
    step: Duration,
}

impl Default for Curve {
    fn default() -> Self {
        Curve {
            points: vec![],
            step: Duration::from_millis(20),
        }
    }
}

impl Curve {
    pub fn push(&mut self, at: Duration, value: u64) {
        match self.points.last_mut() {
            Some(last) if at < last.0 + self.step => last.1 = value,
            _ => self.points.push((at, value)),
        }
        if self.points.len() > POINTS {
            let mut keep = false;
            self.points.retain(|_| {
                keep = !keep;
                keep
            });
            self.step *= 2;
        }
    }

    /// Returns the value at a time.
    fn at(&self, time: Duration) -> Option<u64> {
        let after = self.points.partition_point(|&(at, _)| at <= time);
        Some(self.points.get(after.checked_sub(1)?)?.1)
    }

    pub fn last(&self) -> Option<u64> {
        self.points.last().map(|point| point.1)
    }

    /// Returns the gain per second in the last `over`.
    pub fn rate(&self, now: Duration, over: Duration) -> f64 {
        let since = now.saturating_sub(over);
        let (Some(last), span) = (self.last(), (now - since).as_secs_f64()) else {
            return 0.0;
        };
        let gained = last.saturating_sub(self.at(since).unwrap_or(0));
        if span > 0.0 {
            gained as f64 / span
        } else {
            0.0
        }
    }
}

/// The scale of the heights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// A linear scale from 0.
    Linear,
    /// A logarithmic scale from the smallest value, for quantities that shrink by orders of
    /// magnitude.
    Log,
}

impl Scale {
    /// Returns the scale for sizes from `most` down to `least`.
    pub fn for_range(least: u64, most: u64) -> Self {
        if most / least.max(1) >= 10 {
            Scale::Log
        } else {
            Scale::Linear
        }
    }

    /// Returns a height from 0 to 1. On the logarithmic scale the smallest value has a small
    /// positive height.
    fn height(self, value: u64, least: u64, most: u64) -> f64 {
        let (value, most) = (value as f64, most.max(1) as f64);
        match self {
            Scale::Linear => value / most,
            Scale::Log => {
                let least = (least.max(1) as f64 / 1.5).ln();
                (value.max(1.0).ln() - least) / (most.ln() - least)
            }
        }
    }
}

const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// Draws the area under a curve from the beginning until `now`, with its scale on the left and the
/// time below.
pub fn draw(
    curve: &Curve,
    scale: Scale,
    now: Duration,
    colour: Style,
    area: Rect,
    buffer: &mut Buffer,
    theme: &Theme,
) {
    const LABEL: u16 = 8;
    if area.height < 3 || area.width < LABEL + 12 {
        return;
    }
    let most = curve.points.iter().map(|p| p.1).max().unwrap_or(0);
    let least = curve.points.iter().map(|p| p.1).min().unwrap_or(0);
    let plot = Rect {
        x: area.x + LABEL,
        width: area.width - LABEL,
        height: area.height - 1,
        ..area
    };
    let floor = if scale == Scale::Log { least } else { 0 };
    let label = |y: u16, text: &str, buffer: &mut Buffer| {
        let place = Rect::new(area.x, y, LABEL - 1, 1);
        put_right(buffer, place, text, theme.dim);
    };
    label(plot.y, &super::write::short(most), buffer);
    label(plot.bottom() - 1, &super::write::short(floor), buffer);
    let columns = u32::from(plot.width);
    for column in 0..plot.width {
        // A column shows the value at its right end, so the last column shows the current value.
        let time = now * (u32::from(column) + 1) / columns;
        let Some(value) = curve.at(time) else {
            continue;
        };
        let share = scale.height(value, least, most).clamp(0.0, 1.0);
        let eighths = (share * f64::from(plot.height) * 8.0).ceil() as u16;
        for row in 0..plot.height {
            let filled = eighths.saturating_sub(row * 8).min(8);
            let cell = (plot.x + column, plot.bottom() - 1 - row);
            if let Some(cell) = buffer.cell_mut(cell).filter(|_| filled > 0) {
                cell.set_symbol(EIGHTHS[usize::from(filled)])
                    .set_style(colour);
            }
        }
    }
    let axis = Rect::new(plot.x, plot.bottom(), plot.width, 1);
    put(buffer, axis, "0", theme.dim);
    put_right(buffer, axis, &super::write::time(now), theme.dim);
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_long_run_keeps_its_shape_in_bounded_room() {
        let mut curve = Curve::default();
        for second in 0..100_000 {
            curve.push(SECOND * second, 100_000 - u64::from(second));
        }
        assert!(curve.points.len() <= POINTS);
        assert_eq!(curve.last(), Some(1));
        let half = curve.at(SECOND * 50_000).unwrap();
        assert!((49_000..51_000).contains(&half), "{half}");
        assert_eq!(curve.at(Duration::ZERO), Some(100_000));
    }

    #[test]
    fn the_rate_is_that_of_the_last_seconds() {
        let mut curve = Curve::default();
        assert_eq!(curve.rate(SECOND, SECOND), 0.0);
        for second in 0..=100 {
            let tests = if second < 90 {
                second
            } else {
                90 + (second - 90) * 50
            };
            curve.push(SECOND * second as u32, tests);
        }
        assert_eq!(curve.rate(SECOND * 100, SECOND * 5), 50.0);
    }

    #[test]
    fn heights_are_within_bounds() {
        for scale in [Scale::Linear, Scale::Log] {
            for (value, least, most) in [(0, 0, 0), (1, 1, 1), (5, 1, 1_000_000), (7, 7, 7)] {
                let height = scale.height(value, least, most);
                assert!((0.0..=1.0).contains(&height.clamp(0.0, 1.0)), "{scale:?}");
                assert!(!height.is_nan());
            }
        }
        assert_eq!(Scale::for_range(5, 40), Scale::Linear);
        assert_eq!(Scale::for_range(5, 4000), Scale::Log);
    }
}
