use super::TreeReducer;
use super::program::references::References;
use super::program::slicer::{Slicer, outermost, print};
use super::slices::{Asked, Search};
use crate::edit::Edit;
use crate::tree::Outline;
use crate::work::{Lists, Machine, Work};
use std::sync::Arc;

/// Takes out one slice after the other, those of several statements only.
///
/// The same slices as [`Slices`](super::Slices), for the end of a run: there every statement by itself is
/// needed, and what is left to find is a definition that goes with its users, or an import with the only
/// statement that needs it. The heaviest first.
///
/// Cost: at most one test for each statement.
///
/// Source: nubbin; M. Weiser: Program Slicing, ICSE 1981.
///
/// ```
/// use nubbin_reduce::tree_reducer::{SliceBySlice, trace};
///
/// let program = "<p> ::= <s>*\n<s> ::= <n> '=' <n> ';'\n<n> ::= [a-z]+\n";
/// // Nothing may be defined in vain.
/// let fails = |text: &str| {
///     text.contains("x=x") && text.contains("a=") == text.contains("=a") && !text.is_empty()
/// };
/// let run = trace(&SliceBySlice, program, "a=nil;b=a;x=x;", fails);
/// assert_eq!(run.result, "x=x;");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SliceBySlice;

impl TreeReducer for SliceBySlice {
    fn id(&self) -> &'static str {
        "slice-by-slice"
    }

    fn about(&self) -> &'static str {
        "takes out a statement with what needs it and what nothing needs then, one after the other"
    }

    fn source(&self) -> &'static str {
        "nubbin, after program slicing (Weiser, ICSE 1981)"
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        let references = References::of(outline);
        if references.statements.len() < 2 {
            return None;
        }
        let search = Search::new(Arc::clone(outline), references);
        Some(Work::Machine(Box::new(OneByOne { search, at: 0 })))
    }
}

#[derive(Clone)]
struct OneByOne {
    search: Search,
    /// The slice to try next.
    at: usize,
}

impl OneByOne {
    fn ask(&mut self) -> Option<Asked> {
        while let Some(slice) = self.search.slices.get(self.at) {
            self.at += 1;
            let mut slice = slice.clone();
            let left = slice.iter().flat_map(Clone::clone);
            if left.clone().any(|at| self.search.gone[at as usize]) {
                continue;
            }
            // A statement with all within it is what other walks take out.
            if outermost(&slice, &self.search.references).nth(1).is_none() {
                continue;
            }
            let references = Arc::clone(&self.search.references);
            let gone = Arc::clone(&self.search.gone);
            let mut slicer = Slicer::new(&references, &gone);
            let asked = self.search.complete(&mut slicer, &mut slice);
            if asked.is_some() {
                return asked;
            }
        }
        None
    }
}

impl Machine for OneByOne {
    fn next(&mut self) -> Option<Edit> {
        if self.search.asked.is_none() {
            self.search.asked = self.ask();
        }
        self.search.asked.as_ref().map(|asked| asked.edit.clone())
    }

    fn record(&mut self, adopted: bool) {
        let Some(asked) = self.search.asked.take() else {
            return;
        };
        if adopted {
            self.search.take(&asked);
            self.search.slice_all();
            self.at = 0;
        } else {
            Arc::make_mut(&mut self.search.failed).insert(print(&asked.slice));
        }
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws::cases::stays_in_the_grammar;
    use super::*;

    #[test]
    fn every_candidate_fits_the_grammar() {
        stays_in_the_grammar(&SliceBySlice);
    }
}
