use crate::work::Machine;
use nubbin_edit::Edit;
use std::ops::Range;
use std::sync::Arc;

/// A rewrite of a block of units, for [`Blocks`].
pub trait Rewrite: Send + Sync {
    /// Returns the number of units.
    fn len(&self) -> usize;

    /// Returns whether there are no units.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the edit that rewrites a block, or `None` if that would change nothing.
    fn rewrite(&self, block: Range<usize>) -> Option<Edit>;
}

/// A machine that rewrites blocks: all units, then halves, quarters, and so on down to the smallest
/// block size. Blocks inside a rewritten block are not tried.
///
/// It is for rewrites that succeed either for many adjacent units at once or not at all
/// (overwriting with zeros, sorting). The machine takes about 2n/s tests for n units and smallest
/// blocks of s units if every rewrite passes.
pub struct Blocks<R> {
    rewrite: Arc<R>,
    size: usize,
    smallest: usize,
    at: usize,
    /// The rewritten blocks, sorted and disjoint.
    done: Arc<Vec<Range<usize>>>,
}

impl<R: Rewrite + 'static> Blocks<R> {
    /// Creates a machine whose blocks have at least `smallest` units, and at least one.
    pub fn new(rewrite: R, smallest: usize) -> Self {
        let size = rewrite.len().next_power_of_two();
        let smallest = smallest.max(1);
        Blocks {
            rewrite: Arc::new(rewrite),
            size,
            smallest,
            at: 0,
            done: Arc::default(),
        }
    }

    fn block(&self) -> Range<usize> {
        self.at..(self.at + self.size).min(self.rewrite.len())
    }

    /// Returns the end of the rewritten block that contains a position.
    fn done_until(&self, at: usize) -> Option<usize> {
        let after = self.done.partition_point(|block| block.start <= at);
        let block = &self.done[after.checked_sub(1)?];
        block.contains(&at).then_some(block.end)
    }
}

impl<R: Rewrite + 'static> Machine for Blocks<R> {
    fn next(&mut self) -> Option<Edit> {
        while self.size >= self.smallest {
            while self.at < self.rewrite.len() {
                if let Some(end) = self.done_until(self.at) {
                    self.at = end;
                } else if self.size > self.smallest && self.block().len() <= self.size / 2 {
                    // The rest at the end is a whole block of a smaller size.
                    self.at += self.size;
                } else if let Some(edit) = self.rewrite.rewrite(self.block()) {
                    return Some(edit);
                } else {
                    // Where a block has nothing to rewrite, its parts have nothing either.
                    self.record(true);
                }
            }
            (self.size, self.at) = (self.size / 2, 0);
        }
        None
    }

    fn record(&mut self, adopted: bool) {
        let block = self.block();
        self.at += self.size;
        if adopted && !block.is_empty() {
            let done = Arc::make_mut(&mut self.done);
            let place = done.partition_point(|other| other.start < block.start);
            done.insert(place, block);
        }
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(Blocks {
            rewrite: Arc::clone(&self.rewrite),
            size: self.size,
            smallest: self.smallest,
            at: self.at,
            done: Arc::clone(&self.done),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_edit::Span;

    struct Dots(usize);

    impl Rewrite for Dots {
        fn len(&self) -> usize {
            self.0
        }

        fn rewrite(&self, block: Range<usize>) -> Option<Edit> {
            let dots = vec![b'.'; block.len()];
            Some(Edit::replace(Span::at(0, block), &dots))
        }
    }

    #[test]
    fn blocks_are_halved_and_not_entered_once_rewritten() {
        let mut machine = Blocks::new(Dots(6), 1);
        let mut seen = vec![];
        while let Some(edit) = machine.next() {
            let text = edit.render(b"abcdef");
            machine.record(text == b"....ef");
            seen.push(String::from_utf8(text).unwrap());
        }
        assert_eq!(seen, ["......", "....ef", "abcd..", "abcd.f", "abcde."]);
    }

    #[test]
    fn no_units_give_no_proposals() {
        assert!(Blocks::new(Dots(0), 1).next().is_none());
    }
}
