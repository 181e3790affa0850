use super::{
    Configuration, ListMinimizer, ListShape, MinimizerError, MinimizerInfo, MinimizerOptions,
    NamedMinimizer, RefusedOption, Removal, number_option,
};
use crate::random::{mix, shuffled};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The kind of test that a round of [`Ddmin`] tries first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PartOrder {
    /// Test each part alone, then the list without each part, as in the paper.
    #[default]
    SubsetsFirst,
    /// Test the list without each part, then each part alone.
    ComplementsFirst,
}

/// The order in which parts are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Try the parts from the first to the last.
    #[default]
    Forward,
    /// Try the parts from the last to the first.
    Backward,
    /// Try the parts in a random order, drawn for each round.
    Random,
    /// Skip the tests.
    Skip,
}

/// The positions at which a list is cut if the number of parts does not divide its length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// Each part gets a share of the elements that the parts before it did not get, rounded down.
    /// Longer parts therefore come last, as in Zeller's programs.
    #[default]
    Zeller,
    /// The list is cut at equal fractions of its length, so longer parts are spread over the list.
    Balanced,
}

/// The part at which a round continues after it has adopted a complement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AfterSuccess {
    /// Continue at the first part.
    #[default]
    Restart,
    /// Continue at the part after the removed part. The parts before it come last.
    Continue,
}

/// The options of [`Ddmin`] and of `DdminStar` of `nubbin-published`. The default values give the
/// algorithm of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DdminOptions {
    /// The kind of test that a round tries first.
    pub order: PartOrder,
    /// The order of the tests that keep only one part.
    pub subsets: Direction,
    /// The order of the tests that leave out one part.
    pub complements: Direction,
    /// The initial number of parts, and the factor by which the number grows.
    pub split_factor: u32,
    /// The positions at which the list is cut into parts.
    pub split: Split,
    /// The part at which a round continues after it has adopted a complement.
    pub after_success: AfterSuccess,
}

impl Default for DdminOptions {
    fn default() -> Self {
        DdminOptions {
            order: PartOrder::default(),
            subsets: Direction::default(),
            complements: Direction::default(),
            split_factor: 2,
            split: Split::default(),
            after_success: AfterSuccess::default(),
        }
    }
}

impl DdminOptions {
    /// Checks that the options leave tests to run, in a defined order.
    ///
    /// # Errors
    /// Returns [`MinimizerError::NothingToTry`] if both kinds of test are skipped, and
    /// [`MinimizerError::SplitFactor`] if the number of parts would not grow.
    pub fn check(&self) -> Result<(), MinimizerError> {
        let skip = Direction::Skip;
        if self.subsets == skip && self.complements == skip {
            return Err(MinimizerError::NothingToTry);
        }
        if self.split_factor < 2 {
            return Err(MinimizerError::SplitFactor(self.split_factor));
        }
        Ok(())
    }
}

impl Direction {
    fn word(self) -> &'static str {
        match self {
            Direction::Forward => "forward",
            Direction::Backward => "backward",
            Direction::Random => "random",
            Direction::Skip => "skip",
        }
    }

    fn read(word: Option<&str>) -> Result<Self, RefusedOption> {
        [
            Direction::Forward,
            Direction::Backward,
            Direction::Random,
            Direction::Skip,
        ]
        .into_iter()
        .find(|direction| Some(direction.word()) == word)
        .ok_or(RefusedOption::Value(
            "`forward`, `backward`, `random`, or `skip`",
        ))
    }
}

impl fmt::Display for DdminOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.order {
            PartOrder::SubsetsFirst => {}
            PartOrder::ComplementsFirst => f.write_str(",complements-first")?,
        }
        let forward = Direction::Forward;
        let common = match (self.subsets, self.complements) {
            (Direction::Skip, other) => {
                f.write_str(",skip-subsets")?;
                other
            }
            (other, Direction::Skip) => {
                f.write_str(",skip-complements")?;
                other
            }
            (subsets, complements) if subsets == complements => subsets,
            (subsets, complements) => {
                if subsets != forward {
                    write!(f, ",subsets={}", subsets.word())?;
                }
                if complements != forward {
                    write!(f, ",complements={}", complements.word())?;
                }
                forward
            }
        };
        if common != forward {
            write!(f, ",{}", common.word())?;
        }
        if self.split_factor != 2 {
            write!(f, ",split={}", self.split_factor)?;
        }
        if self.split == Split::Balanced {
            f.write_str(",balanced")?;
        }
        match self.after_success {
            AfterSuccess::Restart => Ok(()),
            AfterSuccess::Continue => f.write_str(",continue"),
        }
    }
}

impl MinimizerOptions for DdminOptions {
    fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), RefusedOption> {
        match (name, value) {
            ("subsets", value) => self.subsets = Direction::read(value)?,
            ("complements", value) => self.complements = Direction::read(value)?,
            ("split", value) => {
                self.split_factor = number_option(value, |&n| n >= 2, "a whole number from 2")?;
            }
            (_, Some(_)) => return Err(RefusedOption::Unknown),
            ("subsets-first", _) => self.order = PartOrder::SubsetsFirst,
            ("complements-first", _) => self.order = PartOrder::ComplementsFirst,
            ("skip-subsets", _) => self.subsets = Direction::Skip,
            ("skip-complements", _) => self.complements = Direction::Skip,
            ("forward" | "backward" | "random", _) => {
                let direction = Direction::read(Some(name))?;
                for each in [&mut self.subsets, &mut self.complements] {
                    if *each != Direction::Skip {
                        *each = direction;
                    }
                }
            }
            ("zeller", _) => self.split = Split::Zeller,
            ("balanced", _) => self.split = Split::Balanced,
            ("restart", _) => self.after_success = AfterSuccess::Restart,
            ("continue", _) => self.after_success = AfterSuccess::Continue,
            _ => return Err(RefusedOption::Unknown),
        }
        Ok(())
    }

    fn check(&self) -> Result<(), MinimizerError> {
        DdminOptions::check(self)
    }
}

/// The minimizing delta debugging algorithm, with the options that later work added.
///
/// The list is cut into `n` parts, two at first. If some part alone still fails, it becomes the
/// list and `n` starts over (*reduce to subset*). Otherwise, if the list without some part still
/// fails, that part is removed and `n` drops by one (*reduce to complement*). Otherwise `n` doubles
/// (*increase granularity*), until every part is one element and none can be removed.
///
/// It is the reference for all other algorithms, and the right choice if a result must be
/// comparable with the literature. Ddmin is rarely the cheapest: one part of a program alone almost
/// never fails (`skip-subsets`), and a round that starts over after every success repeats tests
/// (`continue`). [`Sweep`](super::Sweep) needs a fraction of its tests; compare the table in
/// `notes/data/list-minimizers.md`.
///
/// * *Cost:* O(n²) tests at worst; 2·log₂ n if one part always suffices.
/// * *Result:* 1-minimal, unless complements are skipped. A list of one element is left alone: the
///   paper assumes that the empty list passes.
/// * *Source:* A. Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE
///   Transactions on Software Engineering 28(2), 2002. Order, direction, and skipping: R. Hodován,
///   Á. Kiss, "Practical Improvements to the Minimizing Delta Debugging Algorithm", ICSOFT-EA 2016;
///   split factor: Á. Kiss, "Generalizing the Split Factor of the Minimizing Delta Debugging
///   Algorithm", IEEE Access 8, 2020. picire has both options as well.
/// * *Changed:* with two parts, each complement is the other part, and the kind that comes second
///   is not tested. The paper leaves the order of parts open. The default begins with the first
///   part, also after each success, since the paper's definition carries over nothing but the list
///   and `n`. With `continue` the list is cut again after a success, and the next round begins with
///   its subsets if these come first. The loop over subsets and complements of the second source,
///   in which the first worker with an answer decides, is not an option: the engine runs
///   complements ahead while subsets are tested, and the result is the same for any number of
///   workers.
///
/// ```
/// use nubbin_minimize::{Ddmin, ListShape};
///
/// let mut tests = vec![];
/// let left = nubbin_minimize::drive(&mut Ddmin::new(&ListShape::uniform(8)), 8, |kept| {
///     tests.push(kept.to_vec());
///     [0, 6, 7].iter().all(|e| kept.contains(e))
/// });
/// assert_eq!(left, [0, 6, 7]);
/// assert_eq!(tests[..6], [
///     vec![0, 1, 2, 3], vec![4, 5, 6, 7],                        // halves
///     vec![0, 1], vec![2, 3], vec![4, 5], vec![6, 7],            // quarters
/// ]);
/// assert_eq!(tests[6..8], [
///     vec![2, 3, 4, 5, 6, 7],                                    // without the first quarter
///     vec![0, 1, 4, 5, 6, 7],                                    // the second: this one fails
/// ]);
/// ```
#[derive(Clone, Debug)]
pub struct Ddmin {
    left: Configuration,
    options: DdminOptions,
    seed: u64,
    /// The number of parts; 0 at the end.
    parts: u32,
    /// The part at which complements begin.
    offset: u32,
    /// The number of the next test of the round.
    at: u32,
    rounds: u64,
    /// The random orders of this round, for subsets and for complements.
    orders: [Option<Arc<[u32]>>; 2],
}

/// One test of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Try {
    Only(u32),
    Without(u32),
}

impl Ddmin {
    /// Starts ddmin on a list of the given shape, with default options.
    pub fn new(shape: &ListShape) -> Self {
        Self::over(
            Configuration::new(shape.len),
            DdminOptions::default(),
            shape.seed,
        )
    }

    /// Starts ddmin on a list of the given shape, with the given options.
    ///
    /// # Errors
    /// Returns [`MinimizerError`] if the options contradict each other, see
    /// [`DdminOptions::check`].
    pub fn with_options(shape: &ListShape, options: DdminOptions) -> Result<Self, MinimizerError> {
        options.check()?;
        Ok(Self::over(
            Configuration::new(shape.len),
            options,
            shape.seed,
        ))
    }

    /// Starts ddmin on the remaining elements of a list. The options must have been checked.
    pub fn over(left: Configuration, options: DdminOptions, seed: u64) -> Self {
        let mut machine = Ddmin {
            left,
            options,
            seed,
            parts: 0,
            offset: 0,
            at: 0,
            rounds: 0,
            orders: [None, None],
        };
        machine.begin(options.split_factor, 0);
        machine
    }

    /// Returns the remaining elements.
    pub fn left(&self) -> &Configuration {
        &self.left
    }

    fn begin(&mut self, parts: u32, offset: u32) {
        let len = self.left.len();
        self.parts = if len < 2 { 0 } else { parts.min(len) };
        if self.parts == 0 {
            return;
        }
        self.offset = offset % self.parts;
        self.at = 0;
        self.rounds += 1;
        let key = mix(self.seed) ^ self.rounds;
        let (subsets, complements) = self.counts();
        let draw = |direction, n, salt| {
            (direction == Direction::Random).then(|| shuffled(n, mix(key ^ salt)))
        };
        self.orders = [
            draw(self.options.subsets, subsets, 0),
            draw(self.options.complements, complements, 1 << 63),
        ];
    }

    /// Returns the numbers of subsets and of complements that this round tries.
    fn counts(&self) -> (u32, u32) {
        let DdminOptions {
            order,
            subsets,
            complements,
            ..
        } = self.options;
        let (subsets, complements) = (subsets != Direction::Skip, complements != Direction::Skip);
        // With two parts, each complement is the other part.
        let twins = self.parts == 2 && subsets && complements;
        let complements_first = order == PartOrder::ComplementsFirst;
        let count = |wanted| if wanted { self.parts } else { 0 };
        if !twins {
            (count(subsets), count(complements))
        } else if complements_first {
            (0, 2)
        } else {
            (2, 0)
        }
    }

    fn test(&self, index: u32) -> Option<Try> {
        let (subsets, complements) = self.counts();
        let place = |direction, order: &Option<Arc<[u32]>>, n: u32, index: u32| match direction {
            Direction::Backward => n - 1 - index,
            Direction::Random => order.as_ref().map_or(index, |order| order[index as usize]),
            Direction::Forward | Direction::Skip => index,
        };
        if index >= subsets + complements {
            return None;
        }
        let without = |i| Try::Without((i + self.offset) % self.parts);
        let [first, second] = &self.orders;
        let only = |index| Try::Only(place(self.options.subsets, first, subsets, index));
        let but = |index| without(place(self.options.complements, second, complements, index));
        Some(match self.options.order {
            PartOrder::SubsetsFirst if index < subsets => only(index),
            PartOrder::SubsetsFirst => but(index - subsets),
            PartOrder::ComplementsFirst if index < complements => but(index),
            PartOrder::ComplementsFirst => only(index - complements),
        })
    }

    fn part(&self, i: u32) -> Range<u32> {
        let (len, n) = (self.left.len(), self.parts);
        let start = |i: u32| match self.options.split {
            // Rounding down leaves some elements, so each of the last parts gets one more.
            Split::Zeller => i * (len / n) + i.saturating_sub(n - len % n),
            Split::Balanced => (u64::from(len) * u64::from(i) / u64::from(n)) as u32,
        };
        start(i)..start(i + 1)
    }
}

const OPTIONS: &[(&str, &str)] = &[
    (
        "subsets-first",
        "keep one part first, then leave out one (the default)",
    ),
    (
        "complements-first",
        "leave out one part first, then keep one",
    ),
    ("forward", "parts from the first (the default)"),
    ("backward", "parts from the last"),
    ("random", "parts in an order drawn for each round"),
    (
        "subsets=ORDER",
        "order of the parts kept: forward, backward, random, or skip",
    ),
    (
        "complements=ORDER",
        "order of the parts left out: forward, backward, random, or skip",
    ),
    ("skip-subsets", "never keep one part alone"),
    ("skip-complements", "never leave out one part"),
    (
        "split=N",
        "initial number of parts, and the factor by which it grows (2)",
    ),
    ("zeller", "longer parts last (the default)"),
    ("balanced", "longer parts spread out"),
    (
        "restart",
        "after a success, from the first part (the default)",
    ),
    (
        "continue",
        "after a success, from the part after the removed one",
    ),
];

impl NamedMinimizer for Ddmin {
    const INFO: MinimizerInfo = MinimizerInfo::new(
        "ddmin",
        "the minimizing delta debugging algorithm: parts alone, lists without a part, finer parts",
        "Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input, TSE 28(2), 2002",
    )
    .one_minimal()
    .with_options(OPTIONS);

    type Options = DdminOptions;

    fn begin(shape: &ListShape, options: &DdminOptions) -> Self {
        Ddmin::over(Configuration::new(shape.len), *options, shape.seed)
    }
}

impl ListMinimizer for Ddmin {
    fn next(&mut self) -> Option<Removal> {
        if self.parts == 0 {
            return None;
        }
        self.test(self.at).map(|test| match test {
            Try::Only(i) => self.left.only(self.part(i)),
            Try::Without(i) => self.left.without(self.part(i)),
        })
    }

    fn record(&mut self, fails: bool) {
        if self.parts == 0 {
            return;
        }
        let carried = self.options.after_success == AfterSuccess::Continue;
        match self.test(self.at) {
            Some(Try::Only(i)) if fails => {
                let probe = self.left.only(self.part(i));
                self.left.adopt(&probe);
                self.begin(self.options.split_factor, 0);
            }
            Some(Try::Without(i)) if fails => {
                self.left.remove(self.part(i));
                self.begin((self.parts - 1).max(2), if carried { i } else { 0 });
            }
            _ => {
                self.at += 1;
                if self.test(self.at).is_some() {
                    return;
                }
                let before = self.parts;
                if before >= self.left.len() {
                    self.parts = 0;
                } else {
                    let parts = before.saturating_mul(self.options.split_factor);
                    let parts = parts.min(self.left.len());
                    let scaled = u64::from(self.offset) * u64::from(parts) / u64::from(before);
                    self.begin(parts, scaled as u32);
                }
            }
        }
    }

    fn fork(&self) -> Box<dyn ListMinimizer> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drive;

    fn sizes(len: u32, parts: u32, split: Split) -> Vec<usize> {
        let options = DdminOptions {
            split,
            split_factor: parts,
            ..Default::default()
        };
        let machine = Ddmin::with_options(&ListShape::uniform(len), options).unwrap();
        (0..parts).map(|i| machine.part(i).len()).collect()
    }

    #[test]
    fn a_part_gets_its_share_of_the_elements_that_earlier_parts_left() {
        for len in 2..40 {
            for parts in 2..=len {
                let mut rest = len;
                let plain: Vec<usize> = (0..parts)
                    .map(|i| {
                        let size = rest / (parts - i);
                        rest -= size;
                        size as usize
                    })
                    .collect();
                assert_eq!(sizes(len, parts, Split::Zeller), plain, "{len} in {parts}");
            }
        }
        assert_eq!(sizes(10, 4, Split::Zeller), [2, 2, 3, 3]);
        assert_eq!(sizes(10, 4, Split::Balanced), [2, 3, 2, 3]);
    }

    fn log(options: &str, len: u32, fails: impl Fn(&[u32]) -> bool) -> Vec<Vec<u32>> {
        let mut log = vec![];
        let choice = crate::parse(options).unwrap();
        drive(
            choice.start(&ListShape::uniform(len)).as_mut(),
            len,
            |kept| {
                log.push(kept.to_vec());
                fails(kept)
            },
        );
        log
    }

    #[test]
    fn each_option_changes_the_order_of_the_tests() {
        let all = |kept: &[u32]| kept.len() == 3;
        let (a, b, c) = (vec![0], vec![1, 2], vec![0, 1]);
        assert_eq!(
            log("ddmin", 3, all),
            [&a, &b, &a, &vec![1], &vec![2], &b, &vec![0, 2], &c].map(Clone::clone)
        );
        assert_eq!(
            log("ddmin:backward", 3, all),
            [&b, &a, &vec![2], &vec![1], &a, &c, &vec![0, 2], &b].map(Clone::clone)
        );
        assert_eq!(
            log("ddmin:skip-subsets", 3, all),
            [&b, &a, &b, &vec![0, 2], &c].map(Clone::clone)
        );
        assert_eq!(
            log("ddmin:complements-first,split=3", 3, all),
            [&b, &vec![0, 2], &c, &a, &vec![1], &vec![2]].map(Clone::clone)
        );
        let mut random = log("ddmin:random,split=3", 3, all);
        random[..3].sort();
        random[3..].sort();
        assert_eq!(
            random,
            [&a, &vec![1], &vec![2], &c, &vec![0, 2], &b].map(Clone::clone)
        );
    }

    #[test]
    fn complements_restart_or_continue_after_a_success() {
        // In each group of four, only element 2 can be removed.
        let fails = |kept: &[u32]| [0, 1, 3, 4, 5, 7].iter().all(|e| kept.contains(e));
        let after = |log: &[Vec<u32>]| {
            let success = log
                .iter()
                .position(|kept| kept.len() == 7 && fails(kept))
                .unwrap();
            log[success + 1].clone()
        };
        assert_eq!(
            after(&log("ddmin:skip-subsets", 8, fails)),
            [1, 3, 4, 5, 6, 7]
        );
        // The list is cut into seven parts. The search continues after the removed part.
        assert_eq!(
            after(&log("ddmin:skip-subsets,continue", 8, fails)),
            [0, 1, 4, 5, 6, 7]
        );
        assert_eq!(
            after(&log("ddmin:skip-subsets,continue,backward", 8, fails)),
            [0, 1, 2, 3, 4, 7]
        );
    }

    #[test]
    fn contradictory_options_are_errors() {
        use crate::parse;
        assert_eq!(
            parse("ddmin:skip-subsets,skip-complements"),
            Err(MinimizerError::NothingToTry)
        );
        let none = DdminOptions {
            split_factor: 1,
            ..Default::default()
        };
        let refused = Ddmin::with_options(&ListShape::uniform(3), none);
        assert_eq!(refused.err(), Some(MinimizerError::SplitFactor(1)));
    }
}
