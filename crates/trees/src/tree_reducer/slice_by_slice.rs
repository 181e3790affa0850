use super::TreeReducer;
use super::program::references::References;
use super::program::slicer::{Slicer, outermost, print};
use super::search::{Search, SearchMachine};
use super::slices::{Asked, Slicing};
use crate::tree::Outline;
use nubbin_edit::Edit;
use nubbin_engine::work::{Lists, PassInfo, Work};
use std::sync::Arc;

/// Removes one slice after another, of those that have several statements.
///
/// The slices are those of [`Slices`](super::Slices). This tree reducer is for the end of a run,
/// where every single statement is needed. The reductions that are left are a definition together
/// with its users, or an import together with the only statement that needs it. The heaviest slices
/// come first.
///
/// Cost: at most one test for each statement.
///
/// Source: nubbin; M. Weiser: Program Slicing, ICSE 1981.
///
/// ```
/// use nubbin_reduce::tree_reducer::{SliceBySlice, trace};
///
/// let program = "<p> ::= <s>*\n<s> ::= <n> '=' <n> ';'\n<n> ::= [a-z]+\n";
/// // Every definition must be used.
/// let fails = |text: &str| {
///     text.contains("x=x") && text.contains("a=") == text.contains("=a") && !text.is_empty()
/// };
/// let run = trace(&SliceBySlice, program, "a=nil;b=a;x=x;", fails);
/// assert_eq!(run.result, "x=x;");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SliceBySlice;

impl TreeReducer for SliceBySlice {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "slice-by-slice",
            "removes a statement with its users and the definitions left unused, one slice at a time",
            "nubbin, after program slicing (Weiser, ICSE 1981)",
        )
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        let references = References::of(outline);
        if references.statements.len() < 2 {
            return None;
        }
        let slicing = Slicing::new(Arc::clone(outline), references);
        Some(SearchMachine::work(EachSlice { slicing, at: 0 }))
    }
}

#[derive(Clone)]
struct EachSlice {
    slicing: Slicing,
    /// The slice to try next.
    at: usize,
}

impl EachSlice {
    fn ask(&mut self) -> Option<Asked> {
        while let Some(slice) = self.slicing.slices.get(self.at) {
            self.at += 1;
            let mut slice = slice.clone();
            let left = slice.iter().flat_map(Clone::clone);
            if left.clone().any(|at| self.slicing.gone[at as usize]) {
                continue;
            }
            // Other tree reducers remove a single statement with everything inside it.
            if outermost(&slice, &self.slicing.references).nth(1).is_none() {
                continue;
            }
            let references = Arc::clone(&self.slicing.references);
            let gone = Arc::clone(&self.slicing.gone);
            let mut slicer = Slicer::new(&references, &gone);
            let asked = self.slicing.complete(&mut slicer, &mut slice);
            if asked.is_some() {
                return asked;
            }
        }
        None
    }
}

impl Search for EachSlice {
    fn propose(&mut self) -> Option<Edit> {
        self.slicing.asked = self.ask();
        self.slicing.asked.as_ref().map(|asked| asked.edit.clone())
    }

    fn settle(&mut self, adopted: bool) {
        let Some(asked) = self.slicing.asked.take() else {
            return;
        };
        if adopted {
            self.slicing.take(&asked);
            self.slicing.slice_all();
            self.at = 0;
        } else {
            Arc::make_mut(&mut self.slicing.rejected).insert(print(&asked.slice));
        }
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
