use super::parts::{Left, Parts};
use super::{
    Configuration, ListMinimizer, ListShape, MinimizerInfo, MinimizerOptions, NamedMinimizer,
    RefusedOption, Removal, number_option,
};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The options of [`Sweep`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepOptions {
    /// The divisor of the list's weight that gives the weight of the first group.
    pub start: u32,
    /// The probability that an element must stay: above 0, at most 1. If a value is given, the
    /// first group has the size of the first group of `Cdd` of `nubbin-published`, and `start` is
    /// ignored.
    pub prior: Option<f64>,
    /// Whether the sweep begins at the front of the list.
    pub forward: bool,
    /// Whether the sweep never changes its direction.
    pub one_way: bool,
}

impl Default for SweepOptions {
    fn default() -> Self {
        SweepOptions {
            start: 16,
            prior: None,
            forward: false,
            one_way: false,
        }
    }
}

impl fmt::Display for SweepOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.start != SweepOptions::default().start {
            write!(f, ",start={}", self.start)?;
        }
        if let Some(prior) = self.prior {
            write!(f, ",prior={prior}")?;
        }
        if self.forward {
            f.write_str(",forward")?;
        }
        if self.one_way {
            f.write_str(",one-way")
        } else {
            Ok(())
        }
    }
}

impl MinimizerOptions for SweepOptions {
    fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), RefusedOption> {
        match (name, value) {
            ("start", value) => {
                self.start = number_option(value, |&n| n > 0, "a whole number from 1")?
            }
            ("prior", value) => {
                let in_range = |p: &f64| *p > 0.0 && *p <= 1.0;
                self.prior = Some(number_option(
                    value,
                    in_range,
                    "a number above 0, at most 1",
                )?);
            }
            ("forward", None) => self.forward = true,
            ("backward", None) => self.forward = false,
            ("one-way", None) => self.one_way = true,
            _ => return Err(RefusedOption::Unknown),
        }
        Ok(())
    }
}

/// The weight of the next group, as a share of the average run. If runs end at random, a share of
/// ln 2 makes both outcomes of a test equally likely, so that the test gives the most information.
const SHARE: f64 = 0.7;

/// The length of a run in elements from which the group doubles. Below it, single elements show
/// whether there is a run, since a pair that cannot be removed costs two more tests.
const SHORT: u64 = 3;

/// The divisor of the list's weight that gives the floor. In the first round, a group that weighs
/// no more than the floor is not searched if it cannot be removed. The second round searches all.
const FLOOR_SHARE: u64 = 512;

/// The least floor. A list with a lower one has no floor, so the first round searches all groups.
const LEAST_FLOOR: u64 = 64;

/// Returns the floor of a list of weight `total`: the maximum weight of a group that the first
/// round does not search.
pub fn floor(total: u64) -> u64 {
    let floor = total / FLOOR_SHARE;
    if floor < LEAST_FLOOR { 0 } else { floor }
}

/// The least weight of a list that is halved first. On a lighter one, the tests would save little.
const HALVED: u64 = 1024;

/// The initial number of tests between two trials of the other direction.
const TRIAL_INTERVAL: u32 = 16;

/// The greatest number of tests between two trials. At this interval, trials are a sixteenth of all
/// tests.
const MOST_TRIAL_INTERVAL: u32 = 128;

/// The number of tests of a trial.
const TRIAL: u32 = 8;

/// The factor by which the other direction must be better, since it is measured over few tests.
const CLEARLY_BETTER: f64 = 2.0;

/// Removes groups from the end of the list, and adapts their weight to what could be removed so
/// far.
///
/// The sweep leaves out a group of neighbors, at first a sixteenth of the weight of the list. If
/// the group can be removed, the group before it is next and may weigh twice as much. If it cannot,
/// an element in it must stay: the sweep tries the last half of the group, then the last half of
/// the elements still in doubt, until the last element that must stay is found. That takes as many
/// tests as the group size has binary digits. An element that is the remainder of a group that
/// could not be removed must stay, and no test is spent on it. The sweep continues before that
/// element.
///
/// The weight of the next group is a share of the recent average weight between two elements that
/// stayed. If such elements are usually neighbors, the group is one element. The weights come from
/// [`ListShape::weights`]: a group has as many elements as fit its weight, at least one, and is
/// halved by weight, so that a heavy element is soon tried alone.
///
/// A list of some weight (bytes of a text) is halved first: the sweep tries to remove the half at
/// its beginning, then the other half, and does the same with the half that is left, until neither
/// half can be removed. Then it tries all quarters, and smaller parts as long as one of a size can
/// be removed. If few elements are needed, this removes most of the list in a few tests; otherwise
/// six tests are lost. Once two halves are removed, a needed half is halved at once, and the other
/// half is tried together with one of its quarters: one needed element of 1,024 is found in 11.6
/// tests instead of 13.5.
///
/// In a list of much weight, the first round does not search groups of very little weight: their
/// elements are left for the second round.
///
/// At the front of the list, the sweep begins again at the end. From then on, the sweep skips every
/// element that could not be removed alone since the last removal, and ends when that holds for all
/// elements. This proves 1-minimality, and most tests of the proof have been made by then.
///
/// *Direction.* If elements use earlier ones (code, choices), the last user must be removed before
/// the element that it uses, and going backwards is better by a factor of ten or more. If elements
/// use later ones, going forwards is better. The sweep begins at the end. When a direction removes
/// less than one average element for each test, the sweep tries the other for eight tests, at the
/// other end of the list. The sweep changes its direction if the other is clearly better; otherwise
/// the interval to the next trial doubles, up to a limit.
///
/// This is the default. [`DfsHalving`](super::DfsHalving) and `Adaptive` of `nubbin-published` are
/// similar algorithms without weights, memory, and proof; `notes/data/list-minimizers.md` compares
/// all of them.
///
/// * *Cost:* about k·(log₂(n/k) + 2) tests if k independent elements must stay, and k for the
///   proof. The same if elements depend only on others on one side of them. Otherwise O(n) for each
///   sweep, and another sweep whenever removals make others possible elsewhere.
/// * *Result:* 1-minimal. A list of one element is left alone; the empty list is never tested.
/// * *Source:* our own. Growing runs: Hypothesis and Shrink Ray (see
///   `Adaptive` of `nubbin-published`). Searching a group that could not be removed, and continuing
///   without tests whose outcome is known: F. K. Hwang, "A Method for Detecting All Defective
///   Members in a
///   Population by Group Testing", Journal of the American Statistical Association 67(339), 1972.
///   Not trying an element again until another was removed: G. Gharachorlu, N. Sumner, "Avoiding
///   the Familiar to Speed Up Test Case Reduction", QRS 2018.
/// * *Could be better:* elements that stayed are tried again in list order. A caller that knows
///   the kind of the elements could tell which of them a removal has made removable.
///
/// ```
/// use nubbin_minimize::{ListShape, Sweep};
///
/// let mut tests = vec![];
/// let left = nubbin_minimize::drive(&mut Sweep::new(&ListShape::uniform(32)), 32, |kept| {
///     tests.push(kept.len());
///     kept.contains(&20)
/// });
/// assert_eq!(left, [20]);
/// // Two and four elements can be removed, and eight cannot. The last four of the eight can be
/// // removed. The last two of the other four cannot, but the last one can, so the one before it
/// // must stay. Before that one, four elements can be removed, then eight, then the rest.
/// assert_eq!(tests, [30, 26, 18, 22, 20, 21, 17, 9, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct Sweep {
    left: Configuration,
    weights: Option<Arc<[u32]>>,
    /// The weight of an average element, or the floor if that is greater.
    average: u64,
    /// The greatest weight of a group that is not searched; 0 after the first round.
    floor: u64,
    /// For each element, the version at which it could not be removed alone; 0 if there is none.
    stayed: Arc<Vec<u32>>,
    /// A number that grows with each removal.
    version: u32,
    /// The number of elements that could not be removed alone at this version.
    fresh: u32,
    /// The positions to leave out next; empty at the end.
    group: Range<u32>,
    forward: bool,
    one_way: bool,
    /// The large parts that are tried before the sweep.
    parts: Option<Parts>,
    /// The divisor of the list's weight that gives the weight of the first group of the sweep.
    start: u64,
    /// The states of the backward sweep and of the forward sweep.
    ends: [End; 2],
    /// The number of tests since the last trial of the other direction.
    tests: u32,
    /// The number of tests between two trials.
    trial_interval: u32,
    trial: Option<Trial>,
}

/// The state of the sweep that begins at one end of the list.
#[derive(Clone, Copy, Debug)]
struct End {
    /// The element number from which the sweep continues inwards.
    border: u32,
    /// The intended weight of the next group.
    step: u64,
    /// The number of elements, counted from the border, of which at least one must stay.
    doubt: Option<u32>,
    /// The weight removed since the last element that stayed.
    run: u64,
    /// The recent average weight of a run between two elements that stayed.
    usual: f64,
    /// The recent share of elements that stayed next to another element that stayed.
    side_by_side: f64,
    /// The recent average weight that a test removed.
    yields: f64,
}

/// A few tests in the other direction.
#[derive(Clone, Copy, Debug, Default)]
struct Trial {
    tests: u32,
    /// The weight removed in this trial.
    gone: u64,
}

impl Sweep {
    /// Starts the sweep on a list of the given shape, with default options.
    pub fn new(shape: &ListShape) -> Self {
        Self::with_options(shape, SweepOptions::default())
    }

    /// Starts the sweep on a list of the given shape, with the given options.
    pub fn with_options(shape: &ListShape, options: SweepOptions) -> Self {
        let total: u64 = (0..shape.len)
            .map(|e| u64::from(shape.weight(e).max(1)))
            .sum();
        let average = (total / u64::from(shape.len.max(1))).max(1);
        let floor = match shape.weights {
            Some(_) => floor(total),
            None => 0,
        };
        let step = match options.prior {
            Some(p) => (average as f64 / p) as u64,
            None => total / u64::from(options.start.max(1)),
        };
        let end = |border| End {
            border,
            step,
            doubt: None,
            run: 0,
            usual: step as f64,
            side_by_side: 0.0,
            yields: 2.0 * average as f64,
        };
        let mut machine = Sweep {
            left: Configuration::new(shape.len),
            weights: shape.weights.clone(),
            average: average.max(floor),
            floor,
            stayed: Arc::new(vec![0; shape.len as usize]),
            version: 1,
            fresh: 0,
            group: 0..0,
            forward: options.forward,
            one_way: options.one_way,
            parts: None,
            start: u64::from(options.start.max(1)),
            ends: [end(shape.len), end(0)],
            tests: 0,
            trial_interval: TRIAL_INTERVAL,
            trial: None,
        };
        if total >= HALVED {
            machine.parts = machine.weighted().and_then(|left| Parts::of(&left));
        }
        machine.aim();
        machine
    }

    /// Returns the weight of an element. An element without weight counts as one, since a group of
    /// such elements would have no limit.
    fn weight(&self, element: u32) -> u64 {
        self.weights
            .as_ref()
            .map_or(1, |weights| u64::from(weights[element as usize]).max(1))
    }

    fn weight_of(&self, positions: Range<u32>) -> u64 {
        positions
            .map(|position| self.weight(self.left.element(position)))
            .sum()
    }

    fn end(&mut self) -> &mut End {
        &mut self.ends[usize::from(self.forward)]
    }

    /// Returns the positions of elements that are counted inwards from this end.
    fn inwards(&self, distances: Range<u32>) -> Range<u32> {
        let len = self.left.len();
        if self.forward {
            distances
        } else {
            len - distances.end..len - distances.start
        }
    }

    fn at(&self, distance: u32) -> u32 {
        self.left
            .element(self.inwards(distance..distance + 1).start)
    }

    fn is_fresh(&self, element: u32) -> bool {
        self.stayed[element as usize] == self.version
    }

    /// Returns the number of elements between this end and the border.
    fn passed(&mut self) -> u32 {
        let border = self.end().border;
        let position = self.left.position(border);
        if self.forward {
            position
        } else {
            self.left.len() - position
        }
    }

    /// Returns what is left of a list with weights.
    fn weighted(&self) -> Option<Left<'_>> {
        Some(Left {
            elements: &self.left,
            weights: self.weights.as_deref()?,
            forward: self.forward,
        })
    }

    /// Chooses the next group: a large part of the list, or neighbors from the border inwards that
    /// may be removable.
    fn aim(&mut self) {
        let len = self.left.len();
        self.group = 0..0;
        if len < 2 || self.fresh == len || self.parts.is_some() {
            return;
        }
        let passed = self.passed();
        let may_go = |distance: &u32| !self.is_fresh(self.at(*distance));
        // One round finds an element, since not all are fresh.
        let Some(first) = (passed..len).chain(0..passed).find(may_go) else {
            return;
        };
        if first < passed {
            self.look_into_all();
            // The next elements could not be removed earlier, so the estimates do not apply to
            // them.
            let average = self.average;
            let end = self.end();
            (end.step, end.usual) = (average, average as f64);
        }
        let End { step, doubt, .. } = *self.end();
        let may_go = |distance: &u32| !self.is_fresh(self.at(*distance));
        // The empty list is never tested.
        let most = doubt.unwrap_or(u32::MAX).min(len - first).min(len - 1);
        let mut weight = self.weight(self.at(first));
        let mut size = 1;
        while size < most && may_go(&(first + size)) {
            weight += self.weight(self.at(first + size));
            if weight > step {
                break;
            }
            size += 1;
        }
        self.group = self.inwards(first..first + size);
        let outermost = self.at(first);
        self.end().border = if self.forward {
            outermost
        } else {
            outermost + 1
        };
    }

    /// Returns what to leave out next if large parts are tried.
    fn part(&self) -> Option<Removal> {
        let (parts, left) = self.parts.as_ref().zip(self.weighted())?;
        Some(parts.next(&left)).filter(|part| !part.remove.is_empty())
    }

    /// Records a test of large parts, and chooses the next one.
    fn parted(&mut self, part: &Removal, fails: bool) {
        if fails {
            self.left.adopt(part);
            self.version += 1;
            self.fresh = 0;
        } else if let [elements] = &part.remove[..]
            && let position = self.left.position(elements.start)
            && self.left.position(elements.end) == position + 1
        {
            let element = self.left.element(position);
            Arc::make_mut(&mut self.stayed)[element as usize] = self.version;
            self.fresh += 1;
        }
        let parts = self.parts.take().zip(self.weighted());
        self.parts = parts.and_then(|(parts, left)| parts.record(fails, &left));
        let len = self.left.len();
        if self.fresh == len {
            self.parts = None;
        }
        if self.parts.is_none() {
            let total = self.weight_of(0..len);
            let step = (total / self.start).max(1);
            self.average = (total / u64::from(len.max(1))).max(1).max(self.floor);
            for end in &mut self.ends {
                (end.step, end.usual) = (step, step as f64);
                end.yields = 2.0 * self.average as f64;
            }
        }
    }

    /// Removes the floor, so that the second round searches all groups.
    fn look_into_all(&mut self) {
        if std::mem::take(&mut self.floor) > 0 {
            let len = self.left.len();
            self.average = (self.weight_of(0..len) / u64::from(len.max(1))).max(1);
        }
    }

    /// Handles the removal of the group.
    fn gone(&mut self, size: u32, weight: u64) {
        self.left.remove(self.group.clone());
        self.version += 1;
        self.fresh = 0;
        let short = SHORT * self.average;
        let end = self.end();
        end.run += weight;
        match end.doubt.map(|doubt| doubt - size) {
            None if size == 1 && end.run < short => {}
            None => end.step = end.step.max(weight).saturating_mul(2),
            // The group could not be removed, but all of its other elements were, so this element
            // is needed.
            Some(1) => self.stays(1),
            Some(doubt) => {
                let passed = self.passed();
                let weight = self.weight_of(self.inwards(passed..passed + doubt));
                if weight <= self.floor {
                    self.stays(doubt);
                    return;
                }
                let end = self.end();
                end.doubt = Some(doubt);
                end.step = weight / 2;
            }
        }
    }

    /// Moves the border past `count` elements. A single one must stay. Of several, one must stay,
    /// and is not searched for.
    fn stays(&mut self, count: u32) {
        let passed = self.passed();
        let element = self.at(passed + count - 1);
        if count == 1 {
            Arc::make_mut(&mut self.stayed)[element as usize] = self.version;
            self.fresh += 1;
        }
        let (forward, average) = (self.forward, self.average);
        let end = self.end();
        end.border = if forward { element + 1 } else { element };
        end.doubt = None;
        // The outermost element has no neighbor on this side.
        let neighbors = end.run == 0 && passed > 0;
        if end.run > 0 || neighbors {
            end.usual += (end.run as f64 - end.usual) / 2.0;
        }
        end.side_by_side += (f64::from(u8::from(neighbors)) - end.side_by_side) / 4.0;
        end.run = 0;
        end.step = if neighbors || end.side_by_side > 0.5 {
            average
        } else {
            average.max((SHARE * end.usual) as u64)
        };
    }

    /// Chooses the direction of the next test.
    fn turn(&mut self) {
        // A change during a search would lose the results of its tests.
        if self.one_way || self.end().doubt.is_some() {
            return;
        }
        match self.trial {
            None => {
                let slow = self.end().yields < self.average as f64;
                if slow && self.tests >= self.trial_interval {
                    let End { step, usual, .. } = *self.end();
                    self.forward = !self.forward;
                    let end = self.end();
                    (end.step, end.usual, end.run) = (step, usual, 0);
                    self.trial = Some(Trial::default());
                }
            }
            Some(trial) if trial.tests >= TRIAL => {
                let yields = trial.gone as f64 / f64::from(trial.tests);
                let before = self.ends[usize::from(!self.forward)].yields;
                if yields > CLEARLY_BETTER * before {
                    self.end().yields = yields;
                } else {
                    self.forward = !self.forward;
                    self.trial_interval = (2 * self.trial_interval).min(MOST_TRIAL_INTERVAL);
                }
                self.trial = None;
                self.tests = 0;
            }
            Some(_) => {}
        }
    }
}

const OPTIONS: &[(&str, &str)] = &[
    (
        "start=N",
        "the first group has one N-th of the list's weight (16)",
    ),
    (
        "prior=P",
        "the first group is that of CDD, with P as the probability that an element must stay",
    ),
    ("backward", "begin at the end (the default)"),
    ("forward", "begin at the front"),
    ("one-way", "never try the other direction"),
];

impl NamedMinimizer for Sweep {
    const INFO: MinimizerInfo = MinimizerInfo::new(
        "sweep",
        "removes groups from the end, of a size that adapts to the outcomes; the default",
        "nubbin, after Hypothesis' adaptive deletion and Hwang's group testing",
    )
    .one_minimal()
    .with_options(OPTIONS);

    type Options = SweepOptions;

    fn begin(shape: &ListShape, options: &SweepOptions) -> Self {
        Sweep::with_options(shape, *options)
    }
}

impl ListMinimizer for Sweep {
    fn next(&mut self) -> Option<Removal> {
        let group = || (!self.group.is_empty()).then(|| self.left.without(self.group.clone()));
        self.part().or_else(group)
    }

    fn record(&mut self, fails: bool) {
        if let Some(part) = self.part() {
            self.parted(&part, fails);
            self.aim();
            return;
        }
        if self.group.is_empty() {
            return;
        }
        let size = self.group.len() as u32;
        let weight = self.weight_of(self.group.clone());
        let gone = if fails { weight } else { 0 };
        match &mut self.trial {
            Some(trial) => {
                trial.tests += 1;
                trial.gone += gone;
            }
            None => {
                self.tests += 1;
                let end = self.end();
                end.yields += (gone as f64 - end.yields) / f64::from(TRIAL_INTERVAL);
            }
        }
        if fails {
            self.gone(size, weight);
        } else if size == 1 || weight <= self.floor {
            self.stays(size);
        } else {
            let end = self.end();
            end.doubt = Some(size);
            end.step = weight / 2;
        }
        self.turn();
        self.aim();
    }

    fn fork(&self) -> Box<dyn ListMinimizer> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drive;

    fn log(machine: &mut Sweep, len: u32, fails: impl Fn(&[u32]) -> bool) -> Vec<Vec<u32>> {
        let mut log = vec![];
        drive(machine, len, |kept| {
            log.push(kept.to_vec());
            fails(kept)
        });
        log
    }

    #[test]
    fn a_heavy_element_is_soon_tried_alone() {
        let shape = ListShape::weighted([1, 1, 1, 500, 1, 1, 1, 1]);
        let log = log(&mut Sweep::new(&shape), 8, |kept| kept.contains(&3));
        assert_eq!(log, [vec![0, 1, 2, 3], vec![0, 1, 2], vec![3]]);
    }

    #[test]
    fn a_heavy_list_is_halved_and_quartered_first() {
        let shape = ListShape::weighted([100; 16]);
        let tested = log(&mut Sweep::new(&shape), 16, |kept| kept.contains(&3));
        let expected: [&[u32]; 4] = [&[0, 1, 2, 3, 4, 5, 6, 7], &[0, 1, 2, 3], &[0, 1], &[3]];
        assert_eq!(tested, expected);
        // Elements in all quarters are needed, so the sweep begins with a sixteenth of the list.
        let needed = [3, 7, 11, 12];
        let tested = log(&mut Sweep::new(&shape), 16, |kept| {
            needed.iter().all(|element| kept.contains(element))
        });
        let sizes: Vec<usize> = tested.iter().map(Vec::len).collect();
        assert_eq!(sizes[..7], [8, 8, 12, 12, 12, 12, 15]);
    }

    #[test]
    fn a_long_text_is_swept_once_before_small_groups_are_searched() {
        // Two of three elements can be removed, in a text of 100,000 bytes.
        let shape = ListShape::weighted([20; 5000]);
        let stay = |element: &u32| element.is_multiple_of(3);
        let log = log(&mut Sweep::new(&shape), 5000, |kept| {
            (0..5000)
                .filter(stay)
                .all(|at| kept.binary_search(&at).is_ok())
        });
        let first = log.iter().position(|kept| !kept.contains(&0)).unwrap();
        // The list has 500 groups that are not searched.
        assert!(first < 600, "{first}");
        let left: Vec<u32> = (0..5000).filter(stay).collect();
        assert!(log.contains(&left));
    }

    #[test]
    fn the_sweep_turns_to_the_better_direction() {
        // Each element can be removed after its predecessor. The last element is needed.
        let fails = |kept: &[u32]| {
            kept.last() == Some(&999) && kept.windows(2).all(|pair| pair[0] + 1 == pair[1])
        };
        let shape = ListShape::uniform(1000);
        assert!(log(&mut Sweep::new(&shape), 1000, fails).len() < 100);
        let stubborn = SweepOptions {
            one_way: true,
            ..Default::default()
        };
        assert!(log(&mut Sweep::with_options(&shape, stubborn), 1000, fails).len() > 100);
    }

    #[test]
    fn a_prior_chooses_the_first_group() {
        let first = |options| {
            let mut machine = Sweep::with_options(&ListShape::uniform(1000), options);
            machine.next().map(|probe| probe.remove[0].len())
        };
        assert_eq!(first(SweepOptions::default()), Some(62));
        assert_eq!(
            first(SweepOptions {
                start: 4,
                ..Default::default()
            }),
            Some(250)
        );
        assert_eq!(
            first(SweepOptions {
                prior: Some(0.1),
                ..Default::default()
            }),
            Some(10)
        );
    }
}
