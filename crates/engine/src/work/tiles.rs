use crate::work::{List, Tiling, Work};
use nubbin_edit::File;

/// Returns the work on units that lie end to end in a file, given the offsets within it at which
/// they begin and, last, at which they end. `None` where there is no unit.
pub fn tiling(file: &File<'_>, mut bounds: Vec<u32>) -> Option<Work> {
    if bounds.len() < 2 {
        return None;
    }
    for bound in &mut bounds {
        *bound += file.span.start;
    }
    Some(Work::List(List::new(Tiling::new(bounds))))
}

/// Does the same as [`tiling`], but leaves out a single unit that is the whole file, which is not
/// worth a test of its own.
pub fn pieces(file: &File<'_>, bounds: Vec<u32>) -> Option<Work> {
    if bounds.len() < 3 {
        None
    } else {
        tiling(file, bounds)
    }
}
