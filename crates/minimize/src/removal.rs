use smallvec::SmallVec;
use std::ops::Range;

/// The elements that a test leaves out: sorted, disjoint, non-empty ranges of original element
/// numbers. A range may contain elements that were removed before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Removal {
    /// The ranges of element numbers.
    pub remove: SmallVec<[Range<u32>; 2]>,
}

impl Removal {
    /// Creates the removal of the given elements, which may come in any order.
    pub fn of(elements: impl IntoIterator<Item = u32>) -> Self {
        let mut elements: SmallVec<[u32; 16]> = elements.into_iter().collect();
        elements.sort_unstable();
        let mut remove: SmallVec<[Range<u32>; 2]> = SmallVec::new();
        for element in elements {
            match remove.last_mut() {
                Some(last) if element <= last.end => last.end = last.end.max(element + 1),
                _ => remove.push(element..element + 1),
            }
        }
        Removal { remove }
    }
}
