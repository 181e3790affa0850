use super::{Ddmin, DdminOptions, ListMinimizer, ListShape, MinimizerError, Removal};

/// Repeats ddmin until a whole run changes nothing.
///
/// A run of [`Ddmin`] ends 1-minimal, but the large parts it tried early on may have become
/// removable since. The next run starts over with two parts of what is left.
///
/// Use it where no outer loop repeats the pass, and where a smaller result is worth more tests.
/// Otherwise [`Ddmin`] is enough: most repetitions find nothing.
///
/// * *Cost:* as ddmin for each run, and one run that finds nothing.
/// * *Result:* 1-minimal, and no part of any round of ddmin can go either.
/// * *Source:* D. Vince, "Iterating the Minimizing Delta Debugging Algorithm", A-TEST 2022
///   (DDMIN*); the default of the newer picire.
/// * *Changed:* nothing. The options are those of ddmin; each run draws its own random orders.
///
/// ```
/// use nubbin_reduce::list_minimizer::{self, DdminStar, ListShape};
///
/// let mut tests = vec![];
/// let left = list_minimizer::drive(&mut DdminStar::new(&ListShape::uniform(3)), 3, |kept| {
///     tests.push(kept.to_vec());
///     kept.contains(&0) && kept.contains(&2)
/// });
/// assert_eq!(left, [0, 2]);
/// let second_run = [vec![0], vec![2]];
/// assert!(tests.ends_with(&second_run));
/// ```
#[derive(Clone, Debug)]
pub struct DdminStar {
    run: Ddmin,
    options: DdminOptions,
    seed: u64,
    runs: u64,
    /// Length of the list when this run began.
    before: u32,
}

impl DdminStar {
    /// The paper's ddmin, repeated.
    pub fn new(shape: &ListShape) -> Self {
        Self::checked(shape, DdminOptions::default())
    }

    /// ddmin with these options, repeated.
    ///
    /// # Errors
    /// Where the options contradict themselves: see [`DdminOptions::check`].
    pub fn with_options(shape: &ListShape, options: DdminOptions) -> Result<Self, MinimizerError> {
        options.check()?;
        Ok(Self::checked(shape, options))
    }

    pub(super) fn checked(shape: &ListShape, options: DdminOptions) -> Self {
        let left = super::Configuration::new(shape.len);
        let run = Ddmin::over(left, options, shape.seed);
        DdminStar {
            run,
            options,
            seed: shape.seed,
            runs: 0,
            before: shape.len,
        }
    }
}

impl ListMinimizer for DdminStar {
    fn next(&mut self) -> Option<Removal> {
        self.run.next()
    }

    fn record(&mut self, fails: bool) {
        self.run.record(fails);
        let left = self.run.left().clone();
        if self.run.next().is_none() && left.len() < self.before {
            self.runs += 1;
            self.before = left.len();
            self.run = Ddmin::over(left, self.options, self.seed.wrapping_add(self.runs));
        }
    }

    fn fork(&self) -> Box<dyn ListMinimizer> {
        Box::new(self.clone())
    }
}
