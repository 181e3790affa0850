use nubbin_minimize::{
    Configuration, ListMinimizer, ListShape, MinimizerInfo, NamedMinimizer, NoOptions, Removal,
};
use smallvec::{SmallVec, smallvec};

/// ddmin as a recursion: halves a part until one element is left, and keeps the elements around it.
///
/// The minimizer keeps the first half of a part. If that still fails, it continues with the first
/// half alone; otherwise it tries the same for the second half. If neither half fails alone, both
/// contain a needed element: it reduces the first half in the presence of the second, then the
/// second in the presence of the remainder of the first. A single element is known to be needed and
/// is not tested.
///
/// It is the cheapest variant of ddmin if needed elements are few and far apart: a needed element
/// costs two tests for each halving and none at the end. The algorithm tries no part twice, so it
/// suits monotone tests. Prefer [`Ddmin`](nubbin_minimize::Ddmin) if elements depend on each other.
///
/// * *Cost:* at most 2n; about 2k·log₂(n/k) tests for k needed elements.
/// * *Result:* 1-minimal only for monotone tests. The algorithm never tests the empty list.
/// * *Source:* A. Zeller, "Yesterday, my program worked. Today, it does not. Why?", ESEC/FSE 1999,
///   as presented in R. Gopinath's article on delta debugging.
/// * *Changed:* the recursion is a stack of parts, never deeper than log₂ n.
///
/// ```
/// use nubbin_minimize::ListShape;
/// use nubbin_published::list::Ddrmin;
///
/// let mut tests = 0;
/// let left = nubbin_minimize::drive(&mut Ddrmin::new(&ListShape::uniform(8)), 8, |kept| {
///     tests += 1;
///     kept.contains(&1) && kept.contains(&6)
/// });
/// assert_eq!(left, [1, 6]);
/// assert_eq!(tests, 8);
/// ```
#[derive(Clone, Debug)]
pub struct Ddrmin {
    left: Configuration,
    /// The parts to reduce, as ranges of two or more remaining elements, in reverse order.
    parts: SmallVec<[(u32, u32); 8]>,
    /// Whether the first half of the last part passed alone.
    second: bool,
}

impl Ddrmin {
    /// Starts the list minimizer on a list of the given shape.
    pub fn new(shape: &ListShape) -> Self {
        let mut machine = Ddrmin {
            left: Configuration::new(shape.len),
            parts: smallvec![],
            second: false,
        };
        machine.push(0, shape.len);
        machine
    }

    fn push(&mut self, start: u32, end: u32) {
        if end - start > 1 {
            self.parts.push((start, end));
        }
    }

    /// Returns the half to leave out.
    fn half(&self) -> Option<std::ops::Range<u32>> {
        let &(start, end) = self.parts.last()?;
        let middle = start + (end - start) / 2;
        Some(if self.second {
            start..middle
        } else {
            middle..end
        })
    }
}

impl NamedMinimizer for Ddrmin {
    const INFO: MinimizerInfo = MinimizerInfo::new(
        "ddrmin",
        "ddmin as a recursion: halves a part down to one element, and keeps the others",
        "Zeller: Yesterday, my program worked. Today, it does not. Why?, ESEC/FSE 1999",
    );

    type Options = NoOptions;

    fn begin(shape: &ListShape, _: &NoOptions) -> Self {
        Ddrmin::new(shape)
    }
}

impl ListMinimizer for Ddrmin {
    fn next(&mut self) -> Option<Removal> {
        self.half().map(|half| Removal {
            remove: smallvec![half],
        })
    }

    fn record(&mut self, fails: bool) {
        let Some((start, end)) = self.parts.pop() else {
            return;
        };
        let middle = start + (end - start) / 2;
        match (fails, self.second) {
            (true, second) => {
                let (gone, kept) = if second {
                    (start..middle, (middle, end))
                } else {
                    (middle..end, (start, middle))
                };
                self.left.adopt(&Removal {
                    remove: smallvec![gone],
                });
                self.second = false;
                self.push(kept.0, kept.1);
            }
            (false, false) => {
                self.second = true;
                self.parts.push((start, end));
            }
            (false, true) => {
                self.second = false;
                self.push(middle, end);
                self.push(start, middle);
            }
        }
    }

    fn fork(&self) -> Box<dyn ListMinimizer> {
        Box::new(self.clone())
    }
}
