use nubbin_minimize::{
    Configuration, ListMinimizer, ListShape, MinimizerInfo, NamedMinimizer, NoOptions, Removal,
};

/// ddmin as in the Fuzzing Book: only complements, cut at fractional boundaries.
///
/// The list is cut into `n` parts of `len / n` elements, a *fraction*: part boundaries are sums of
/// this fraction, rounded down. Each part in turn is left out. If the rest still fails, the
/// algorithm starts over on the rest with `max(n - 1, 2)` parts. If no part can be removed, `n`
/// doubles, up to one part per element. No part is tested alone.
///
/// Use it to repeat published runs exactly: its tests compare it with the logs of the book and the
/// articles, test by test. Otherwise prefer [`Ddmin`](nubbin_minimize::Ddmin) with `skip-subsets`,
/// which cuts without rounding drift, or [`Sweep`](nubbin_minimize::Sweep).
///
/// * *Cost:* O(n²) at worst, O(log n) if one half can always be removed.
/// * *Result:* 1-minimal. A list of one element is left alone; the empty list is never tested.
/// * *Source:* A. Zeller, R. Gopinath, M. Böhme, G. Fraser, C. Holler, "The Fuzzing Book", chapter
///   "Reducing Failure-Inducing Inputs", after A. Zeller, R. Hildebrandt, "Simplifying and
///   Isolating Failure-Inducing Input", IEEE Transactions on Software Engineering 28(2), 2002.
/// * *Changed:* nothing. The book's reducer caches tested texts and counts only tests that are not
///   in the cache. Here the engine does that, so without a cache some tests repeat.
///
/// The book's example looks for `(` before `)` in eleven characters. The example takes fifteen
/// tests, including the first one, which checks that the input fails.
///
/// ```
/// use nubbin_minimize::ListShape;
/// use nubbin_published::list::DdminBook;
/// use std::collections::HashMap;
///
/// let input: Vec<char> = "1 + (2 * 3)".chars().collect();
/// let mut cache = HashMap::from([(input.iter().collect::<String>(), true)]);
/// let left = nubbin_minimize::drive(&mut DdminBook::new(&ListShape::uniform(11)), 11, |kept| {
///     let text: String = kept.iter().map(|&e| input[e as usize]).collect();
///     let fails = matches!((text.find('('), text.find(')')), (Some(x), Some(y)) if x < y);
///     *cache.entry(text).or_insert(fails)
/// });
/// assert_eq!(left, [4, 10]);
/// assert_eq!(cache.len(), 15);
/// ```
#[derive(Clone, Debug)]
pub struct DdminBook {
    left: Configuration,
    parts: u32,
    start: f64,
    done: bool,
}

impl DdminBook {
    /// Starts the list minimizer on a list of the given shape.
    pub fn new(shape: &ListShape) -> Self {
        DdminBook {
            left: Configuration::new(shape.len),
            parts: 2,
            start: 0.0,
            done: shape.len < 2,
        }
    }

    fn part_len(&self) -> f64 {
        f64::from(self.left.len()) / f64::from(self.parts)
    }

    /// Returns the part to leave out. It has at least one element, whatever the rounding.
    fn part(&self) -> std::ops::Range<u32> {
        let end = (self.start + self.part_len()) as u32;
        self.start as u32..end.min(self.left.len())
    }
}

impl NamedMinimizer for DdminBook {
    const INFO: MinimizerInfo = MinimizerInfo::new(
        "ddmin-book",
        "ddmin as in the Fuzzing Book: only complements, fractional boundaries",
        "Zeller, Gopinath, Böhme, Fraser, Holler: The Fuzzing Book",
    )
    .one_minimal();

    type Options = NoOptions;

    fn begin(shape: &ListShape, _: &NoOptions) -> Self {
        DdminBook::new(shape)
    }
}

impl ListMinimizer for DdminBook {
    fn next(&mut self) -> Option<Removal> {
        (!self.done).then(|| self.left.without(self.part()))
    }

    fn record(&mut self, fails: bool) {
        if self.done {
            return;
        }
        if fails {
            self.left.remove(self.part());
            self.parts = (self.parts - 1).max(2);
            self.start = 0.0;
            self.done = self.left.len() < 2;
            return;
        }
        self.start += self.part_len();
        // The sum of all fractions may be less than the length. The algorithm in the book then has
        // one more part.
        if self.start >= f64::from(self.left.len()) {
            self.start = 0.0;
            self.done = self.parts == self.left.len();
            self.parts = self.parts.saturating_mul(2).min(self.left.len());
        }
    }

    fn fork(&self) -> Box<dyn ListMinimizer> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_drift_makes_one_more_part() {
        // The sum of nine times 11 / 9 is slightly less than 11.
        let (mut start, part) = (0.0_f64, 11.0 / 9.0);
        (0..9).for_each(|_| start += part);
        let mut machine = DdminBook::new(&ListShape::uniform(11));
        machine.parts = 9;
        let mut tests = 0;
        while machine.parts == 9 {
            machine.record(false);
            tests += 1;
        }
        assert_eq!(tests, if start < 11.0 { 10 } else { 9 });
    }
}
