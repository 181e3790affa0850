use nubbin_minimize::{
    Configuration, ListMinimizer, ListShape, MinimizerInfo, NamedMinimizer, NoOptions, Removal,
};

/// Works backwards, and removes each run of removable elements by growing a part and bisecting.
///
/// From the end of the list, the minimizer leaves out one element, then two, three, four, then
/// five, ten, twenty, and so on, until a run is too long. Then it bisects between the longest run
/// that could be removed and the shortest that could not. The element that ended the run is
/// kept, and the next run begins before it.
///
/// A needed element costs one test, and a run of m elements costs about 2·log₂ m tests, for
/// any length of the list. [`Sweep`](nubbin_minimize::Sweep) is derived from it: it uses the length
/// of one run for the next, uses weights, and its result is 1-minimal. Use `adaptive` for short
/// lists in an outer loop.
///
/// * *Cost:* at most 2n tests; about k·(1 + 2·log₂(n/k)) for k needed elements.
/// * *Result:* not 1-minimal: each element is tried once.
/// * *Source:* the "find integer" search of Hypothesis and Shrink Ray (D. R. MacIver, A. F.
///   Donaldson, "Test-Case Reduction via Test-Case Generation: Insights from the Hypothesis
///   Reducer", ECOOP 2020, and its author's notes).
/// * *Changed:* each longer run is adopted when it is found, so a removal names only the elements
///   that are still there. The tests are the same. A run that would empty the list counts as too
///   long.
///
/// ```
/// use nubbin_minimize::ListShape;
/// use nubbin_published::list::Adaptive;
///
/// let mut sizes = vec![];
/// let left = nubbin_minimize::drive(&mut Adaptive::new(&ListShape::uniform(30)), 30, |kept| {
///     sizes.push(30 - kept.len());
///     kept.contains(&12)
/// });
/// assert_eq!(left, [12]);
/// // The run of seventeen elements after element 12 is found by growing and bisecting, then the run
/// // of twelve before it. A run never grows to the whole list.
/// assert_eq!(sizes, [1, 2, 3, 4, 5, 10, 20, 15, 17, 18, 18, 19, 20, 21, 22, 27, 28, 29]);
/// ```
#[derive(Clone, Debug)]
pub struct Adaptive {
    left: Configuration,
    /// The position after which all elements are done.
    end: u32,
    /// The length of the part of the run that was removed.
    run: u32,
    /// The length of the shortest run that could not be removed, if there is one.
    limit: Option<u32>,
}

impl Adaptive {
    /// Starts the list minimizer on a list of the given shape.
    pub fn new(shape: &ListShape) -> Self {
        let left = Configuration::new(shape.len);
        let mut machine = Adaptive {
            left,
            end: shape.len,
            run: 0,
            limit: None,
        };
        machine.settle();
        machine
    }

    /// Returns the length of the run to try next.
    fn target(&self) -> u32 {
        match self.limit {
            Some(limit) => self.run + (limit - self.run) / 2,
            None if self.run < 5 => self.run + 1,
            None => self.run * 2,
        }
    }

    /// Returns the longest run whose removal leaves an element.
    fn longest(&self) -> u32 {
        self.run + self.end.min(self.left.len() - 1)
    }

    /// Moves on to the next run or length for which a test is needed.
    fn settle(&mut self) {
        if self.left.is_empty() {
            self.end = 0;
        }
        while self.end > 0 {
            match self.limit {
                Some(limit) if limit <= self.run + 1 => {
                    self.end -= 1;
                    self.run = 0;
                    self.limit = None;
                }
                None if self.target() > self.longest() => self.limit = Some(self.longest() + 1),
                _ => return,
            }
        }
    }
}

impl NamedMinimizer for Adaptive {
    const INFO: MinimizerInfo = MinimizerInfo::new(
        "adaptive",
        "grows each run of removable elements from the end, then bisects",
        "MacIver, Donaldson: Test-Case Reduction via Test-Case Generation, ECOOP 2020",
    );

    type Options = NoOptions;

    fn begin(shape: &ListShape, _: &NoOptions) -> Self {
        Adaptive::new(shape)
    }
}

impl ListMinimizer for Adaptive {
    fn next(&mut self) -> Option<Removal> {
        (self.end > 0).then(|| {
            self.left
                .without(self.end - (self.target() - self.run)..self.end)
        })
    }

    fn record(&mut self, fails: bool) {
        if self.end == 0 {
            return;
        }
        let target = self.target();
        if fails {
            let start = self.end - (target - self.run);
            self.left.remove(start..self.end);
            self.end = start;
            self.run = target;
        } else {
            self.limit = Some(target);
        }
        self.settle();
    }

    fn fork(&self) -> Box<dyn ListMinimizer> {
        Box::new(self.clone())
    }
}
