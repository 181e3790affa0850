use nubbin_minimize::{
    Configuration, ListMinimizer, ListShape, MinimizerInfo, NamedMinimizer, NoOptions, Removal,
};

/// Removes every part of one length that can be removed, then halves the length.
///
/// The length starts at half the list. A part is left out. If the rest still fails, the part is
/// removed, and the next part *at the same position* is tried; otherwise the part after it. At the
/// end of the list, the length is halved and the minimizer starts at the front again, down to
/// single elements, which are tried once.
///
/// This is about the simplest reducer: it has one round per length, tries no part twice, and
/// tests in ascending order. Prefer [`ChunkHalving`](crate::list::ChunkHalving), which is similar
/// and has options, if the result must be 1-minimal. Use this one to repeat the article's log.
///
/// * *Cost:* about 2k·log₂(n/k) + k tests if k independent elements must stay; at most 2n.
/// * *Result:* 1-minimal only for monotone tests, since single elements are tried once. The
///   algorithm tests the empty list when the list has become as short as the part length.
/// * *Source:* R. Gopinath, "Delta Debugging" (article on ddmin after the Fuzzing Book, with a
///   complete log).
/// * *Changed:* nothing.
///
/// ```
/// use nubbin_minimize::ListShape;
/// use nubbin_published::list::DdminHalving;
///
/// let mut tests = vec![];
/// let left = nubbin_minimize::drive(&mut DdminHalving::new(&ListShape::uniform(5)), 5, |kept| {
///     tests.push(kept.to_vec());
///     kept.contains(&3)
/// });
/// assert_eq!(left, [3]);
/// assert_eq!(tests, [vec![2, 3, 4], vec![4], vec![2, 3], vec![3], vec![]]);
/// ```
#[derive(Clone, Debug)]
pub struct DdminHalving {
    left: Configuration,
    part_len: u32,
    start: u32,
}

impl DdminHalving {
    /// Starts the list minimizer on a list of the given shape.
    pub fn new(shape: &ListShape) -> Self {
        DdminHalving {
            left: Configuration::new(shape.len),
            part_len: shape.len / 2,
            start: 0,
        }
    }

    fn part(&self) -> std::ops::Range<u32> {
        self.start
            ..self
                .start
                .saturating_add(self.part_len)
                .min(self.left.len())
    }
}

impl NamedMinimizer for DdminHalving {
    const INFO: MinimizerInfo = MinimizerInfo::new(
        "ddmin-halving",
        "removes every part of one length that can be removed, then halves the length",
        "Gopinath: article on delta debugging after the Fuzzing Book",
    );

    type Options = NoOptions;

    fn begin(shape: &ListShape, _: &NoOptions) -> Self {
        DdminHalving::new(shape)
    }
}

impl ListMinimizer for DdminHalving {
    fn next(&mut self) -> Option<Removal> {
        (self.part_len > 0).then(|| self.left.without(self.part()))
    }

    fn record(&mut self, fails: bool) {
        if self.part_len == 0 {
            return;
        }
        if fails {
            self.left.remove(self.part());
        } else {
            self.start = self.part().end;
        }
        if self.left.is_empty() {
            self.part_len = 0;
        } else if self.start >= self.left.len() {
            self.start = 0;
            self.part_len /= 2;
        }
    }

    fn fork(&self) -> Box<dyn ListMinimizer> {
        Box::new(self.clone())
    }
}
