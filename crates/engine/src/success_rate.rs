//! The recent rate of successes.

use std::ops::RangeInclusive;

/// An exponential moving average of successes, within bounds, so that every outcome remains
/// possible.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SuccessRate {
    rate: f64,
    /// The weight of past outcomes. The remaining weight belongs to the latest outcome.
    past: f64,
    least: f64,
    most: f64,
}

impl SuccessRate {
    pub(crate) const fn new(rate: f64, past: f64, bounds: RangeInclusive<f64>) -> Self {
        SuccessRate {
            rate,
            past,
            least: *bounds.start(),
            most: *bounds.end(),
        }
    }

    pub(crate) fn record(&mut self, success: bool) {
        let now = f64::from(u8::from(success));
        let rate = self.rate * self.past + now * (1.0 - self.past);
        self.rate = rate.clamp(self.least, self.most);
    }

    pub(crate) const fn rate(self) -> f64 {
        self.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_moves_to_the_last_outcomes_and_stays_within_its_bounds() {
        let mut rate = SuccessRate::new(0.5, 0.5, 0.1..=0.9);
        rate.record(true);
        assert_eq!(rate.rate().to_bits(), 0.75_f64.to_bits());
        (0..9).for_each(|_| rate.record(true));
        assert_eq!(rate.rate().to_bits(), 0.9_f64.to_bits());
        (0..9).for_each(|_| rate.record(false));
        assert_eq!(rate.rate().to_bits(), 0.1_f64.to_bits());
    }
}
