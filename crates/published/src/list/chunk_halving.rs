use nubbin_minimize::{
    Configuration, ListMinimizer, ListShape, MinimizerInfo, MinimizerOptions, NamedMinimizer,
    RefusedOption, Removal,
};
use std::fmt;

/// The chunk sizes that [`ChunkHalving`] repeats as long as they remove elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChunkRepeat {
    /// Repeat no size.
    Never,
    /// Repeat the last size, which is 1, so that the result is 1-minimal.
    #[default]
    Last,
    /// Repeat every size.
    Always,
}

/// The options of [`ChunkHalving`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChunkOptions {
    /// The chunk sizes that are repeated.
    pub repeat: ChunkRepeat,
    /// Whether chunks are tried from the end of the list.
    pub backward: bool,
}

impl fmt::Display for ChunkOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.repeat {
            ChunkRepeat::Never => f.write_str(",repeat=never")?,
            ChunkRepeat::Last => {}
            ChunkRepeat::Always => f.write_str(",repeat=always")?,
        }
        if self.backward {
            f.write_str(",backward")
        } else {
            Ok(())
        }
    }
}

impl MinimizerOptions for ChunkOptions {
    fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), RefusedOption> {
        match (name, value) {
            ("repeat", Some("never")) => self.repeat = ChunkRepeat::Never,
            ("repeat", Some("last")) => self.repeat = ChunkRepeat::Last,
            ("repeat", Some("always")) => self.repeat = ChunkRepeat::Always,
            ("repeat", _) => return Err(RefusedOption::Value("`never`, `last`, or `always`")),
            ("forward", None) => self.backward = false,
            ("backward", None) => self.backward = true,
            _ => return Err(RefusedOption::Unknown),
        }
        Ok(())
    }
}

/// Halves the chunk size, and continues in place after a success.
///
/// The minimizer leaves out chunks of half the list one after another, then chunks of a quarter,
/// and so on down to single elements. If a chunk can be removed, the chunk that moves into its
/// place is next. The last size is repeated until a whole round removes nothing.
///
/// This is the usual algorithm of line and byte reducers. The algorithm has no model and tests no
/// subsets. [`Sweep`](nubbin_minimize::Sweep) needs fewer tests if removable elements are next to
/// each other, and [`DfsHalving`](nubbin_minimize::DfsHalving) if the result need not be 1-minimal.
/// Use `backward` if later elements use earlier ones: forwards, a chunk cannot be removed before
/// its users, and the last size takes many rounds.
///
/// * *Cost:* about 2k·log₂(n/k) + k tests for k independent needed elements; O(n²) at worst.
/// * *Result:* 1-minimal, unless `repeat=never`.
/// * *Source:* J. Regehr and others, "Test-case reduction for C compiler bugs", PLDI 2012
///   (C-Reduce, its line pass), and Lithium's minimizer (J. Ruderman, Mozilla), from which the
///   three kinds of repetition come.
/// * *Changed:* it starts at half the list rather than the whole list, and skips a chunk that is
///   the whole remaining list, since the caller tries the empty list. The last round stops as soon
///   as no remaining element could be removed since the last removal.
///
/// ```
/// use nubbin_minimize::ListShape;
/// use nubbin_published::list::ChunkHalving;
///
/// let mut tests = 0;
/// let left = nubbin_minimize::drive(&mut ChunkHalving::new(&ListShape::uniform(64)), 64, |kept| {
///     tests += 1;
///     kept.contains(&17) && kept.contains(&18)
/// });
/// assert_eq!(left, [17, 18]);
/// assert_eq!(tests, 15);
/// ```
#[derive(Clone, Debug)]
pub struct ChunkHalving {
    left: Configuration,
    options: ChunkOptions,
    /// The chunk size; 0 at the end.
    size: u32,
    /// The number of elements that stayed in this round.
    passed: u32,
    /// The number of elements that stayed since the last removal, at this size.
    since: u32,
    /// Whether this round removed anything.
    removed: bool,
}

impl ChunkHalving {
    /// Starts the list minimizer on a list of the given shape, with default options.
    pub fn new(shape: &ListShape) -> Self {
        Self::with_options(shape, ChunkOptions::default())
    }

    /// Starts the list minimizer on a list of the given shape, with the given options.
    pub fn with_options(shape: &ListShape, options: ChunkOptions) -> Self {
        let left = Configuration::new(shape.len);
        let size = shape.len / 2;
        ChunkHalving {
            left,
            options,
            size,
            passed: 0,
            since: 0,
            removed: false,
        }
    }

    fn chunk(&self) -> std::ops::Range<u32> {
        let len = self.left.len();
        let end = self.passed.saturating_add(self.size).min(len);
        if self.options.backward {
            len - end..len - self.passed
        } else {
            self.passed..end
        }
    }

    /// Goes on to the next chunk that may be tested, or to the end.
    fn settle(&mut self) {
        loop {
            let len = self.left.len();
            let proven = self.size == 1 && self.since >= len;
            if self.size == 0 || len < 2 || (proven && self.options.repeat != ChunkRepeat::Never) {
                self.size = 0;
                return;
            }
            if self.passed >= len {
                let again = match self.options.repeat {
                    ChunkRepeat::Never => false,
                    ChunkRepeat::Last => self.size == 1,
                    ChunkRepeat::Always => true,
                };
                if !(again && self.removed) {
                    self.size /= 2;
                    self.since = 0;
                }
                self.passed = 0;
                self.removed = false;
            } else if self.size >= len {
                self.passed = len;
            } else {
                return;
            }
        }
    }
}

const OPTIONS: &[(&str, &str)] = &[
    (
        "repeat=WHICH",
        "sizes that are repeated while they remove elements: never, last (the default), always",
    ),
    ("forward", "from the front (the default)"),
    ("backward", "from the end"),
];

impl NamedMinimizer for ChunkHalving {
    const INFO: MinimizerInfo = MinimizerInfo::new(
        "chunk-halving",
        "leaves out chunks of half the list, then of a quarter, and so on",
        "Regehr and others: Test-Case Reduction for C Compiler Bugs, PLDI 2012; Lithium",
    )
    .one_minimal()
    .with_options(OPTIONS);

    type Options = ChunkOptions;

    fn begin(shape: &ListShape, options: &ChunkOptions) -> Self {
        ChunkHalving::with_options(shape, *options)
    }
}

impl ListMinimizer for ChunkHalving {
    fn next(&mut self) -> Option<Removal> {
        (self.size > 0).then(|| self.left.without(self.chunk()))
    }

    fn record(&mut self, fails: bool) {
        if self.size == 0 {
            return;
        }
        let chunk = self.chunk();
        if fails {
            self.left.remove(chunk);
            self.since = 0;
            self.removed = true;
        } else {
            self.passed += chunk.len() as u32;
            self.since += chunk.len() as u32;
        }
        self.settle();
    }

    fn fork(&self) -> Box<dyn ListMinimizer> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_minimize::drive;

    fn tests_for(options: ChunkOptions) -> (Vec<u32>, u32) {
        let mut tests = 0;
        // Each element can be removed after its successor. Element 0 is needed.
        let mut machine = ChunkHalving::with_options(&ListShape::uniform(8), options);
        let left = drive(&mut machine, 8, |kept| {
            tests += 1;
            kept.iter()
                .enumerate()
                .all(|(i, &element)| i as u32 == element)
        });
        (left, tests)
    }

    #[test]
    fn repetition_decides_how_much_is_left() {
        let with = |repeat| ChunkOptions {
            repeat,
            backward: false,
        };
        assert_eq!(tests_for(with(ChunkRepeat::Never)).0, [0]);
        assert_eq!(tests_for(with(ChunkRepeat::Last)).0, [0]);
        assert_eq!(tests_for(with(ChunkRepeat::Always)).0, [0]);
    }

    #[test]
    fn going_backwards_is_cheaper_if_elements_use_earlier_ones() {
        let forward = tests_for(ChunkOptions::default()).1;
        let backward = tests_for(ChunkOptions {
            backward: true,
            ..Default::default()
        })
        .1;
        assert!(backward < forward, "{backward} {forward}");
    }
}
