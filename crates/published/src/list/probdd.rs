use nubbin_minimize::{
    ListMinimizer, ListShape, MinimizerInfo, MinimizerOptions, NamedMinimizer, RefusedOption,
    Removal, number_option,
};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The options of the probabilistic list minimizers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriorOptions {
    /// The initial probability that an element must stay: above 0, below 0.8.
    pub p0: f64,
    /// Whether the last of several equal elements comes first.
    pub backward: bool,
}

impl Default for PriorOptions {
    fn default() -> Self {
        PriorOptions {
            p0: 0.1,
            backward: false,
        }
    }
}

impl fmt::Display for PriorOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.p0 != PriorOptions::default().p0 {
            write!(f, ",p0={}", self.p0)?;
        }
        if self.backward {
            f.write_str(",backward")
        } else {
            Ok(())
        }
    }
}

impl MinimizerOptions for PriorOptions {
    fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), RefusedOption> {
        match (name, value) {
            ("p0", value) => {
                self.p0 = number_option(
                    value,
                    |&p| p > 0.0 && p < SETTLED,
                    "a number between 0 and 0.8",
                )?;
            }
            ("forward", None) => self.backward = false,
            ("backward", None) => self.backward = true,
            _ => return Err(RefusedOption::Unknown),
        }
        Ok(())
    }
}

/// The probability from which an element counts as needed and is not tried again.
pub(super) const SETTLED: f64 = 0.8;

/// Returns the prior of the options, clamped to the range that the list minimizers support.
pub(super) fn usable(p0: f64) -> f64 {
    if p0.is_nan() {
        PriorOptions::default().p0
    } else {
        p0.clamp(1e-9, SETTLED - 1e-9)
    }
}

/// Delta debugging with a probability for each element.
///
/// Every element has an estimate of the probability that it must stay, 0.1 at first. The next test
/// leaves out the set with the highest expected gain: elements in order of their estimate, as many
/// as maximize the size of the set times the probability that none of it is needed. If the set
/// cannot be removed, an element in it is needed, and the estimates of its members rise by Bayes'
/// rule. The smaller the set, the more they rise. Elements that could not be removed alone, or
/// whose estimate has reached 0.8, are not tried again.
///
/// It never tests a part alone and never repeats a test, which is most of its gain over ddmin (see
/// [`Cdd`](crate::list::Cdd)). Prefer it to ddmin for lists of independent elements of which most
/// can be removed. If elements use earlier ones, use `backward` or
/// [`Sweep`](nubbin_minimize::Sweep), since the elements of a set are far apart in the list.
///
/// * *Cost:* O(n) tests; the time to choose a set is proportional to its size.
/// * *Result:* not 1-minimal: an element whose estimate reached 0.8 in sets with needed ones is not
///   tried again. The algorithm may test the empty list, once.
/// * *Source:* G. Wang, R. Shen, J. Chen, Y. Xiong, L. Zhang, "Probabilistic Delta Debugging",
///   ESEC/FSE 2021.
/// * *Changed:* elements of the same estimate are kept together, in list order, so that no sorting
///   is needed; the empty list is not tested a second time.
///
/// ```
/// use nubbin_minimize::ListShape;
/// use nubbin_published::list::Probdd;
///
/// let mut sizes = vec![];
/// let left = nubbin_minimize::drive(&mut Probdd::new(&ListShape::uniform(20)), 20, |kept| {
///     sizes.push(kept.len());
///     kept.contains(&3)
/// });
/// assert_eq!(left, [3]);
/// // The first ten cannot be removed, and the other ten can. Smaller sets of the first ten follow.
/// assert_eq!(sizes[..2], [10, 10]);
/// ```
#[derive(Clone, Debug)]
pub struct Probdd {
    len: u32,
    /// The number of remaining elements.
    left: u32,
    backward: bool,
    /// The elements whose estimate is below the limit, sorted by estimate. The bits of a
    /// probability sort in the same order as its value.
    groups: BTreeMap<u64, Group>,
    /// The elements to leave out next; empty at the end.
    set: Set,
    empty_tested: bool,
}

/// Elements of one estimate, in list order.
#[derive(Clone, Debug)]
struct Group {
    elements: Arc<Vec<u32>>,
    /// The index of the first element that still belongs to the group.
    from: usize,
}

/// A number of elements from the front of each of the first groups.
#[derive(Clone, Debug, Default)]
struct Set {
    takes: Vec<(u64, usize)>,
    size: usize,
    /// The logarithm of the probability that none of the elements is needed.
    ln_free: f64,
}

impl Probdd {
    /// Starts the list minimizer on a list of the given shape, with default options.
    pub fn new(shape: &ListShape) -> Self {
        Self::with_options(shape, PriorOptions::default())
    }

    /// Starts the list minimizer on a list of the given shape, with the given options.
    pub fn with_options(shape: &ListShape, options: PriorOptions) -> Self {
        let mut groups = BTreeMap::new();
        if shape.len > 0 {
            let elements = Arc::new((0..shape.len).collect());
            groups.insert(usable(options.p0).to_bits(), Group { elements, from: 0 });
        }
        let mut machine = Probdd {
            len: shape.len,
            left: shape.len,
            backward: options.backward,
            groups,
            set: Set::default(),
            empty_tested: false,
        };
        machine.draw();
        machine
    }

    fn draw(&mut self) {
        loop {
            self.set = self.best_set();
            let everything = self.set.size == self.left as usize;
            if !(everything && self.empty_tested) || self.set.size == 0 {
                return;
            }
            self.keep();
        }
    }

    /// Returns the set with the highest expected gain. Another element of estimate p increases the
    /// gain if the set then has at most 1 / p elements. Since p grows in this order, the first
    /// element that does not ends the set.
    fn best_set(&self) -> Set {
        let mut set = Set::default();
        for (&bits, group) in &self.groups {
            let p = f64::from_bits(bits);
            let most = (1.0 / p + 1e-9) as usize;
            let available = group.elements.len() - group.from;
            let take = most.saturating_sub(set.size).min(available);
            if take > 0 {
                set.takes.push((bits, take));
                set.size += take;
                set.ln_free += take as f64 * (-p).ln_1p();
            }
            if take < available {
                break;
            }
        }
        set
    }

    fn elements(&self) -> impl Iterator<Item = u32> + '_ {
        let taken = self.set.takes.iter().filter_map(|(bits, take)| {
            let group = self.groups.get(bits)?;
            group.elements.get(group.from..group.from + take)
        });
        let turn = |element| {
            if self.backward {
                self.len - 1 - element
            } else {
                element
            }
        };
        taken.flatten().map(move |&element| turn(element))
    }

    /// Takes the set out of its groups, and returns its estimates and elements.
    fn take(&mut self) -> Vec<(f64, Vec<u32>)> {
        let set = std::mem::take(&mut self.set);
        let mut taken = Vec::with_capacity(set.takes.len());
        for (bits, take) in set.takes {
            let Some(group) = self.groups.get_mut(&bits) else {
                continue;
            };
            let elements = group.elements[group.from..group.from + take].to_vec();
            group.from += take;
            if group.from == group.elements.len() {
                self.groups.remove(&bits);
            }
            taken.push((f64::from_bits(bits), elements));
        }
        taken
    }

    /// Raises the estimates of a set that could not be removed.
    fn keep(&mut self) {
        let some_needed = -self.set.ln_free.exp_m1();
        let single = self.set.size == 1;
        for (p, elements) in self.take() {
            let p = p / some_needed;
            if !single && p < SETTLED {
                self.insert(p, &elements);
            }
        }
    }

    fn insert(&mut self, p: f64, new: &[u32]) {
        let group = self.groups.entry(p.to_bits()).or_insert_with(|| Group {
            elements: Arc::default(),
            from: 0,
        });
        let old = Arc::make_mut(&mut group.elements);
        let behind = old[group.from..].last() < new.first();
        old.extend_from_slice(new);
        if !behind {
            old[group.from..].sort_unstable();
        }
    }
}

pub(super) const OPTIONS: &[(&str, &str)] = &[
    (
        "p0=P",
        "initial probability that an element must stay (0.1)",
    ),
    (
        "forward",
        "among equals, the first element first (the default)",
    ),
    ("backward", "among equals, the last element first"),
];

impl NamedMinimizer for Probdd {
    const INFO: MinimizerInfo = MinimizerInfo::new(
        "probdd",
        "delta debugging with a probability for each element",
        "Wang, Shen, Chen, Xiong, Zhang: Probabilistic Delta Debugging, ESEC/FSE 2021",
    )
    .with_options(OPTIONS);

    type Options = PriorOptions;

    fn begin(shape: &ListShape, options: &PriorOptions) -> Self {
        Probdd::with_options(shape, *options)
    }
}

impl ListMinimizer for Probdd {
    fn next(&mut self) -> Option<Removal> {
        (self.set.size > 0).then(|| Removal::of(self.elements()))
    }

    fn record(&mut self, fails: bool) {
        if self.set.size == 0 {
            return;
        }
        self.empty_tested |= self.set.size == self.left as usize;
        if fails {
            self.left -= self.set.size as u32;
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

    /// Follows the definition, with a list that is sorted for each test.
    fn plainly(len: u32, fails: impl Fn(&[u32]) -> bool) -> Vec<Vec<u32>> {
        let mut p: Vec<Option<f64>> = vec![Some(0.1); len as usize];
        let mut kept: Vec<u32> = (0..len).collect();
        let mut log = vec![];
        let mut empty = false;
        loop {
            let mut order: Vec<(f64, u32)> = kept
                .iter()
                .filter_map(|&e| p[e as usize].filter(|&p| p < SETTLED).map(|p| (p, e)))
                .collect();
            if order.is_empty() {
                return log;
            }
            order.sort_by(|a, b| a.partial_cmp(b).unwrap());
            let gain = |n: usize| {
                n as f64
                    * order[..n].iter().map(|(p, _)| 1.0 - p).product::<f64>()
                    * (1.0_f64 + 1e-9).powi(n as i32)
            };
            let best = (1..=order.len())
                .max_by(|&a, &b| gain(a).total_cmp(&gain(b)))
                .unwrap();
            let set: Vec<u32> = order[..best].iter().map(|&(_, e)| e).collect();
            let smaller: Vec<u32> = kept.iter().copied().filter(|e| !set.contains(e)).collect();
            let known = smaller.is_empty() && empty;
            empty |= smaller.is_empty();
            if !known {
                log.push(smaller.clone());
            }
            if !known && fails(&smaller) {
                kept = smaller;
            } else {
                let free: f64 = order[..best].iter().map(|(p, _)| (-p).ln_1p()).sum();
                for &e in &set {
                    p[e as usize] = if best == 1 {
                        None
                    } else {
                        p[e as usize].map(|p| p / -free.exp_m1())
                    };
                }
            }
        }
    }

    #[test]
    fn groups_make_the_same_tests_as_sorting() {
        for len in [1, 2, 5, 13, 40, 90] {
            for needed in [
                &[3_u32, 4, 30][..],
                &[0],
                &[],
                &[1, 2, 12, 39, 60, 61, 62, 89],
            ] {
                let fails = |kept: &[u32]| {
                    needed
                        .iter()
                        .filter(|&&e| e < len)
                        .all(|e| kept.contains(e))
                };
                let mut log = vec![];
                let mut machine = Probdd::new(&ListShape::uniform(len));
                nubbin_minimize::drive(&mut machine, len, |kept| {
                    log.push(kept.to_vec());
                    fails(kept)
                });
                assert_eq!(log, plainly(len, fails), "{len} {needed:?}");
            }
        }
    }
}
