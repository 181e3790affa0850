use super::probdd::{OPTIONS, PriorOptions, SETTLED, usable};
use super::singles::Singles;
use nubbin_minimize::{
    Configuration, ListMinimizer, ListShape, MinimizerInfo, NamedMinimizer, Removal,
};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

/// ProbDD with the weights of elements instead of their number.
///
/// Every element has a weight, and an estimate of the probability that it must stay, as in
/// [`Probdd`](crate::list::Probdd). The next test leaves out elements in order of the weight that
/// they are expected to save, (1 − p)·w, largest first. It takes as many as maximize their
/// total weight times the probability that none of them is needed. So a heavy element is tried
/// almost alone, and not with nine light ones. At the end, the remaining elements are tried one by
/// one, from the last, until none can be removed.
///
/// Prefer it to `probdd` and `cdd` if sizes differ much. With equal weights it is ProbDD with a
/// last phase. Neighbors in the list are not tried together unless they weigh the same, so use
/// [`Sweep`](nubbin_minimize::Sweep) if elements use earlier ones.
///
/// * *Cost:* O(n) tests, and those of the last phase. A fork that continues copies its order, O(n).
/// * *Result:* 1-minimal. It may test the empty list, once.
/// * *Source:* X. Zhou, Z. Xu, M. Zhang, Y. Tian, C. Sun, "WDD: Weighted Delta Debugging", ICSE
///   2025 (arXiv 2411.19410).
/// * *Changed:* an element without weight counts as one; the empty list is not tested a second
///   time; the last phase works backwards.
///
/// ```
/// use nubbin_minimize::ListShape;
/// use nubbin_published::list::WeightedProbdd;
///
/// let shape = ListShape::weighted([1, 1, 900, 1, 1, 80, 1, 1]);
/// let mut tests = vec![];
/// let left = nubbin_minimize::drive(&mut WeightedProbdd::new(&shape), 8, |kept| {
///     tests.push(kept.to_vec());
///     kept.contains(&2) && kept.contains(&6)
/// });
/// assert_eq!(left, [2, 6]);
/// assert_eq!(tests[0], [0, 1, 3, 4, 5, 6, 7]);     // without the heaviest: it is needed
/// assert_eq!(tests[1], [0, 1, 2, 3, 4, 6, 7]);     // without the next: it is not needed
/// ```
#[derive(Clone, Debug)]
pub struct WeightedProbdd {
    left: Configuration,
    weights: Option<Arc<[u32]>>,
    backward: bool,
    /// The estimate of each element.
    estimates: Arc<Vec<f64>>,
    /// The elements whose estimate is below the limit. The element with the greatest expected
    /// saving is the first.
    order: Arc<BTreeSet<(Reverse<u64>, u32)>>,
    /// The total weight of all elements in `order`.
    total: u64,
    /// The elements to leave out next.
    set: Arc<Vec<u32>>,
    /// The logarithm of the probability that no element of the set is needed.
    ln_free: f64,
    empty_tested: bool,
    singles: Option<Singles>,
}

impl WeightedProbdd {
    /// Starts the list minimizer on a list of the given shape, with default options.
    pub fn new(shape: &ListShape) -> Self {
        Self::with_options(shape, PriorOptions::default())
    }

    /// Starts the list minimizer on a list of the given shape, with the given options.
    pub fn with_options(shape: &ListShape, options: PriorOptions) -> Self {
        let p0 = usable(options.p0);
        let mut machine = WeightedProbdd {
            left: Configuration::new(shape.len),
            weights: shape.weights.clone(),
            backward: options.backward,
            estimates: Arc::new(vec![p0; shape.len as usize]),
            order: Arc::default(),
            total: 0,
            set: Arc::default(),
            ln_free: 0.0,
            empty_tested: false,
            singles: None,
        };
        machine.order = Arc::new((0..shape.len).map(|e| machine.key(e)).collect());
        machine.total = (0..shape.len).map(|e| machine.weight(e)).sum();
        machine.draw();
        machine
    }

    fn weight(&self, element: u32) -> u64 {
        self.weights
            .as_ref()
            .map_or(1, |weights| u64::from(weights[element as usize]).max(1))
    }

    fn key(&self, element: u32) -> (Reverse<u64>, u32) {
        let promise = (1.0 - self.estimates[element as usize]) * self.weight(element) as f64;
        let tie = if self.backward {
            u32::MAX - element
        } else {
            element
        };
        (Reverse(promise.to_bits()), tie)
    }

    fn draw(&mut self) {
        while !self.order.is_empty() {
            self.choose();
            if !(self.empty_tested && self.set.len() == self.left.len() as usize) {
                return;
            }
            self.keep();
        }
        self.set = Arc::default();
        self.singles = Some(Singles::new(self.left.clone()));
    }

    /// Finds the prefix of the order with the highest expected gain. It stops when no longer prefix
    /// can be better.
    fn choose(&mut self) {
        let (mut weight, mut ln_free) = (0, 0.0_f64);
        let (mut best, mut best_len, mut best_ln) = (0.0, 0, 0.0);
        let mut set = vec![];
        for &(_, tie) in self.order.iter() {
            if set.len() > best_len && self.total as f64 * ln_free.exp() < best {
                break;
            }
            let element = if self.backward { u32::MAX - tie } else { tie };
            set.push(element);
            weight += self.weight(element);
            ln_free += (-self.estimates[element as usize]).ln_1p();
            let gain = weight as f64 * ln_free.exp();
            // The longest of equal prefixes is taken, whatever the rounding.
            if gain >= best * (1.0 - 1e-12) {
                (best, best_len, best_ln) = (gain, set.len(), ln_free);
            }
        }
        set.truncate(best_len.max(1));
        set.sort_unstable();
        self.set = Arc::new(set);
        self.ln_free = best_ln;
    }

    /// Takes the set out of the order.
    fn take(&mut self) -> Arc<Vec<u32>> {
        let set = std::mem::take(&mut self.set);
        for &element in set.iter() {
            let key = self.key(element);
            Arc::make_mut(&mut self.order).remove(&key);
            self.total -= self.weight(element);
        }
        set
    }

    /// Raises the estimates of a set that could not be removed.
    fn keep(&mut self) {
        let some_needed = -self.ln_free.exp_m1();
        let set = self.take();
        if set.len() == 1 {
            return;
        }
        for &element in set.iter() {
            let p = self.estimates[element as usize] / some_needed;
            if p < SETTLED {
                Arc::make_mut(&mut self.estimates)[element as usize] = p;
                let key = self.key(element);
                Arc::make_mut(&mut self.order).insert(key);
                self.total += self.weight(element);
            }
        }
    }
}

impl NamedMinimizer for WeightedProbdd {
    const INFO: MinimizerInfo = MinimizerInfo::new(
        "weighted-probdd",
        "ProbDD with the weights of elements, and a last phase one by one",
        "Zhou, Xu, Zhang, Tian, Sun: WDD: Weighted Delta Debugging, ICSE 2025",
    )
    .one_minimal()
    .with_options(OPTIONS);

    type Options = PriorOptions;

    fn begin(shape: &ListShape, options: &PriorOptions) -> Self {
        WeightedProbdd::with_options(shape, *options)
    }
}

impl ListMinimizer for WeightedProbdd {
    fn next(&mut self) -> Option<Removal> {
        match &self.singles {
            Some(singles) => singles.next(),
            None => Some(Removal::of(self.set.iter().copied())),
        }
    }

    fn record(&mut self, fails: bool) {
        if let Some(singles) = &mut self.singles {
            if singles.next().is_some() {
                singles.record(fails);
            }
            return;
        }
        self.empty_tested |= self.set.len() == self.left.len() as usize;
        if fails {
            self.left.adopt(&Removal::of(self.set.iter().copied()));
            self.take();
        } else {
            self.keep();
        }
        self.draw();
    }

    fn fork(&self) -> Box<dyn ListMinimizer> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::Probdd;
    use nubbin_minimize::drive;

    #[test]
    fn with_equal_weights_the_first_tests_are_those_of_probdd() {
        let needed = [3, 4, 30, 77];
        let log = |machine: &mut dyn ListMinimizer| {
            let mut log = vec![];
            drive(machine, 90, |kept| {
                log.push(kept.to_vec());
                needed.iter().all(|e| kept.contains(e))
            });
            log
        };
        let plain = log(&mut Probdd::new(&ListShape::uniform(90)));
        let weighted = log(&mut WeightedProbdd::new(&ListShape::uniform(90)));
        assert_eq!(weighted[..plain.len()], plain);
        assert_eq!(weighted.len(), plain.len() + needed.len());
    }
}
