use super::{ListMinimizer, ListShape, MinimizerInfo, NamedMinimizer, NoOptions, Removal};
use smallvec::{SmallVec, smallvec};

/// Leaves out a segment, or otherwise its halves, the last half first, and tries no segment twice.
///
/// The minimizer keeps a stack of segments, at first the two halves of the list. It leaves out the
/// last segment. If the rest does not fail, the two halves of the segment replace it. A single
/// element that cannot be removed is kept. Because the last half always comes first, the list is
/// processed from its end. That is its main advantage: if later elements use earlier ones, users
/// are removed before the elements that they use.
///
/// It is the cheapest single run, for independent elements and for lists in definition-use order.
/// [`Sweep`](super::Sweep) removes the same elements, and its result is 1-minimal. Use this one if
/// an outer loop repeats the pass anyway.
///
/// * *Cost:* about 2k·log₂(n/k) tests for k needed elements, never more than 2n.
/// * *Result:* not 1-minimal: no segment is tried twice.
/// * *Source:* the default inside repeated nodes of Perses (C. Sun, Y. Li, Q. Zhang, T. Gu, Z. Su,
///   "Perses: Syntax-Guided Program Reduction", ICSE 2018, and its public implementation).
/// * *Changed:* a segment that is the whole remaining list is halved without a test, since the
///   caller tries the empty list.
///
/// ```
/// use nubbin_minimize::{DfsHalving, ListShape};
///
/// let mut tests = vec![];
/// let left = nubbin_minimize::drive(&mut DfsHalving::new(&ListShape::uniform(6)), 6, |kept| {
///     tests.push(kept.to_vec());
///     kept.contains(&4)
/// });
/// assert_eq!(left, [4]);
/// assert_eq!(tests, [
///     vec![0, 1, 2],           // without the last half: 4 is missing
///     vec![0, 1, 2, 3],        // without its last two
///     vec![0, 1, 2, 3, 4],
///     vec![0, 1, 2, 3],        // the engine has this one in its cache
///     vec![0, 1, 2, 4],
///     vec![4],                 // without the first half
/// ]);
/// ```
#[derive(Clone, Debug)]
pub struct DfsHalving {
    /// The segments to try, as ranges of remaining elements, in reverse order.
    segments: SmallVec<[(u32, u32); 8]>,
    /// The number of remaining elements.
    left: u32,
}

impl DfsHalving {
    /// Starts the list minimizer on a list of the given shape.
    pub fn new(shape: &ListShape) -> Self {
        let mut machine = DfsHalving {
            segments: smallvec![],
            left: shape.len,
        };
        machine.push_halves(0, shape.len);
        machine.settle();
        machine
    }

    fn push_halves(&mut self, start: u32, end: u32) {
        if end - start > 1 {
            let middle = start + (end - start) / 2;
            self.segments.push((start, middle));
            self.segments.push((middle, end));
        }
    }

    /// Halves segments that must not be tested.
    fn settle(&mut self) {
        while let Some(&(start, end)) = self.segments.last()
            && end - start == self.left
        {
            self.segments.pop();
            self.push_halves(start, end);
        }
    }
}

impl NamedMinimizer for DfsHalving {
    const INFO: MinimizerInfo = MinimizerInfo::new(
        "dfs-halving",
        "leaves out a segment or else its halves, the last half first, each once",
        "Sun, Li, Zhang, Gu, Su: Perses: Syntax-Guided Program Reduction, ICSE 2018",
    );

    type Options = NoOptions;

    fn begin(shape: &ListShape, _: &NoOptions) -> Self {
        DfsHalving::new(shape)
    }
}

impl ListMinimizer for DfsHalving {
    fn next(&mut self) -> Option<Removal> {
        let &(start, end) = self.segments.last()?;
        Some(Removal {
            remove: smallvec![start..end],
        })
    }

    fn record(&mut self, fails: bool) {
        let Some((start, end)) = self.segments.pop() else {
            return;
        };
        if fails {
            self.left -= end - start;
        } else {
            self.push_halves(start, end);
        }
        self.settle();
    }

    fn fork(&self) -> Box<dyn ListMinimizer> {
        Box::new(self.clone())
    }
}
