use nubbin_minimize::{
    Ddmin, DdminOptions, ListMinimizer, ListShape, MinimizerError, MinimizerInfo, NamedMinimizer,
    Removal,
};

/// Repeats ddmin until a whole run changes nothing.
///
/// The result of a run of [`Ddmin`] is 1-minimal, but large parts that it tried early may have
/// become removable since. The next run starts over with two parts of the remaining list.
///
/// Use it if no outer loop repeats the pass, and if a smaller result is worth more tests. Otherwise
/// [`Ddmin`] is enough: most repetitions remove nothing.
///
/// * *Cost:* the cost of ddmin for each run, and one run that removes nothing.
/// * *Result:* 1-minimal, and no part of any round of ddmin can be removed.
/// * *Source:* D. Vince, "Iterating the Minimizing Delta Debugging Algorithm", A-TEST 2022
///   (DDMIN*); the default of the newer picire.
/// * *Changed:* nothing. The options are the options of ddmin. Each run draws its own random
///   orders.
///
/// ```
/// use nubbin_minimize::ListShape;
/// use nubbin_published::list::DdminStar;
///
/// let mut tests = vec![];
/// let left = nubbin_minimize::drive(&mut DdminStar::new(&ListShape::uniform(3)), 3, |kept| {
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
    /// The length of the list when this run began.
    before: u32,
}

impl DdminStar {
    /// Starts the list minimizer on a list of the given shape, with default options.
    pub fn new(shape: &ListShape) -> Self {
        Self::checked(shape, DdminOptions::default())
    }

    /// Starts the list minimizer on a list of the given shape, with the given options.
    ///
    /// # Errors
    /// Returns [`MinimizerError`] if the options contradict each other, see
    /// [`DdminOptions::check`].
    pub fn with_options(shape: &ListShape, options: DdminOptions) -> Result<Self, MinimizerError> {
        options.check()?;
        Ok(Self::checked(shape, options))
    }

    pub(super) fn checked(shape: &ListShape, options: DdminOptions) -> Self {
        let left = nubbin_minimize::Configuration::new(shape.len);
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

impl NamedMinimizer for DdminStar {
    const INFO: MinimizerInfo = MinimizerInfo::new(
        "ddmin-star",
        "repeats ddmin until a whole run changes nothing",
        "Vince: Iterating the Minimizing Delta Debugging Algorithm, A-TEST 2022",
    )
    .one_minimal()
    .with_options(Ddmin::INFO.options);

    type Options = DdminOptions;

    fn begin(shape: &ListShape, options: &DdminOptions) -> Self {
        DdminStar::checked(shape, *options)
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
